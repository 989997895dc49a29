"""The button that merges all proposed groups of frames: each group becomes one photo."""

from flask.typing import ResponseReturnValue

from app.domain.amounts import counted
from app.portal.orders.board.page import answer, blueprint, refuse
from app.portal.orders.wizard.steps import draft_id, reload_page
from app.portal.visitors import visitor
from app.services.orders import draft_groups, drafts
from app.web.context import container


@blueprint.post("/<draft_id>/groups")
def merge_proposed() -> ResponseReturnValue:
    """Merge all groups that are proposed now; where files were not analyzed yet, request the analysis."""
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        proposal = draft_groups.propose(session, draft, here.clock())
        count = draft_groups.apply(session, draft, proposal, here.clock())
    reload_page()
    if proposal.pending:
        return answer(
            f"We are checking {proposal.pending} of your files. You will soon see here which belong together."
        )
    if not count:
        return refuse("No bracketed exposures were found. Every file stays a separate photo.")
    return answer(f"Merged: {counted(count, 'photo')}, each made of several frames.")
