"""Frames of one view that were found become one photo each, at one press."""

from flask.typing import ResponseReturnValue

from app.portal.orders.board.page import answer, blueprint, refuse
from app.portal.orders.wizard.steps import page, reload_page
from app.portal.visitors import visitor
from app.services.orders import draft_groups, drafts
from app.web.context import container


@blueprint.post("/<draft_id>/groups")
def merge_proposed() -> ResponseReturnValue:
    """Merge all that is proposed as things stand now."""
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, page().draft.id)
        count = draft_groups.apply(session, draft, draft_groups.propose(session, draft, here.clock()), here.clock())
    reload_page()
    if not count:
        return refuse("There are no frames to merge any more.")
    return answer(f"Merged: {count} {'photo' if count == 1 else 'photos'}, each of several frames.")
