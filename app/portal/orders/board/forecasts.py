"""What the chosen effects would do to each photo: shown on its tile, and left out by a press."""

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.amounts import counted
from app.domain.limits import MAX_DRAFT_FILES
from app.portal.fragments import render_page_or_fragment
from app.portal.orders.board.page import answer, blueprint, refuse
from app.portal.orders.wizard.forecasts import ask_for_forecasts, read_forecasts
from app.portal.orders.wizard.steps import describe_page, draft_id, page, read_page, reload_page
from app.portal.visitors import visitor
from app.services.orders import draft_selections, drafts
from app.web.context import container


@blueprint.get("/<draft_id>/forecasts")
def forecasts() -> ResponseReturnValue:
    """The forecasts made so far of the photos in `waiting`; htmx asks again while any is missing."""
    asked_ids = set(request.args.get("waiting", "")[: 40 * MAX_DRAFT_FILES].split(","))
    here = container()
    with here.database.read_session() as session:
        read_page(session)
        found = read_forecasts(session)
    ask_for_forecasts(found)
    made = [photo for photo in page().order.photos if photo.id in asked_ids - found.pending]
    part = "portal/orders/board/_forecasts.html"
    return render_page_or_fragment(
        part, part, **describe_page(), forecasts=found, made=made, is_changed=bool(made) and not found.pending
    )


@blueprint.post("/<draft_id>/leave-out")
def leave_out() -> ResponseReturnValue:
    """Remove from each photo the effects that would be declined."""
    here = container()
    with here.database.read_session() as session:
        read_page(session)
        declined = read_forecasts(session).declined
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        count = draft_selections.drop_each(session, draft, declined, here.clock())
    reload_page()
    if not count:
        return refuse("There is nothing to leave out.", anchor="basket")
    return answer(f"Left out of {counted(count, 'photo')} what would be declined.")
