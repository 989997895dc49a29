"""Forecasts on the board: what the chosen effects would do to each photo, and whether declined steps are ordered
anyway.
"""

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.limits import MAX_DRAFT_FILES
from app.portal.fragments import render_page_or_fragment
from app.portal.orders.board.page import answer, blueprint, refuse
from app.portal.orders.wizard.forecasts import ask_for_forecasts
from app.portal.orders.wizard.steps import describe_page, page, save_content

SAID = {
    "yes": "What would be declined is ordered, too.",
    "no": "What would be declined is left out.",
}
UNKNOWN = "Say by the button whether to order what would be declined."


@blueprint.get("/<draft_id>/forecasts")
def forecasts() -> ResponseReturnValue:
    """The forecasts made so far of the photos in `waiting`; htmx asks again while any is missing.

    `is_changed` makes the page reload the whole board, because work that would be declined changed the price.
    """
    asked_ids = set(request.args.get("waiting", "")[: 40 * MAX_DRAFT_FILES].split(","))
    ask_for_forecasts()
    found = page().forecasts
    made = [photo for photo in page().order.photos if photo.id in asked_ids - found.pending]
    is_changed = bool(made) and (not found.pending or any(photo.id in found.doubtful for photo in made))
    part = "portal/orders/board/_forecasts.html"
    return render_page_or_fragment(part, part, **describe_page(), made=made, is_changed=is_changed)


@blueprint.post("/<draft_id>/declined")
def save_declined() -> ResponseReturnValue:
    """Save whether steps that would be declined are ordered all the same."""
    wanted = request.form.get("order_declined", "")
    if wanted not in SAID:
        return refuse(UNKNOWN, anchor="basket")
    save_content(lambda content: content.model_copy(update={"orders_declined": wanted == "yes"}))
    return answer(SAID[wanted], anchor="basket")
