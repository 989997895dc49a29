"""The button that merges all proposed groups of frames: each group becomes one photo."""

from flask.typing import ResponseReturnValue

from app.domain.amounts import counted
from app.portal.orders.board.page import answer, blueprint, refuse
from app.portal.orders.wizard.steps import draft_id, page, reload_page
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
    if proposal.pending and not count:
        return answer(
            f"We are checking {proposal.pending} of your files. You will soon see here which belong together."
        )
    if not count:
        return refuse("No bracketed exposures were found. Every file stays a separate photo.")
    return answer(describe_merge(*page().last_merge))


def describe_merge(photo_count: int, file_count: int) -> str:
    """Describe the result of the last merge, such as “40 photos from 120 frames”."""
    return f"{counted(photo_count, 'photo')} from {file_count} frames."


@blueprint.post("/<draft_id>/groups/undo")
def undo_merge() -> ResponseReturnValue:
    """Split the photos that were merged together last."""
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        count = draft_groups.undo_merge(session, draft, here.clock())
    reload_page()
    return answer(f"{counted(count, 'photo')} split: each frame is a photo of its own again.")
