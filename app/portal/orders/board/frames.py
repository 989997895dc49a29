"""What the board says of frames of one view: which photos look like some, and why others are none."""

from typing import Any

from app.domain.photo_groups import GroupProblem, GroupProblemCode
from app.portal.orders.wizard.steps import page
from app.services.orders.draft_groups import GroupProposal, propose
from app.web.context import container
from app.web.group_messages import GROUP_MESSAGES


def describe_frames() -> dict[str, Any]:
    """The proposal for the templates, and the words for each photo with a problem, by its id."""
    proposal = find_proposal()
    words: dict[str, str] = {}
    for problem in proposal.problems:
        for photo_id in _told_at(problem):
            words.setdefault(photo_id, GROUP_MESSAGES[problem.code])
    return {"proposed": proposal.groups, "frame_problems": words, "unseen": _has_unseen()}


def find_proposal() -> GroupProposal:
    """Which photos are frames of one view; nothing until all files were looked at."""
    if any(photo.storage_key not in page().facts for photo in page().order.photos):
        return GroupProposal()
    here = container()
    with here.database.read_session() as session:
        return propose(session, page().draft, here.clock())


def _has_unseen() -> bool:
    """Whether files came before anybody looked at what they contain, and nobody looks unless asked to."""
    return not page().waiting and any(photo.storage_key not in page().facts for photo in page().order.photos)


def _told_at(problem: GroupProblem) -> tuple[str, ...]:
    # Beside the file that did not join, not beside the good ones before it.
    return problem.ids if problem.code is GroupProblemCode.MISSING_EXPOSURE else problem.ids[1:]
