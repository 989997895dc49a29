"""What the board says of frames of one view: which photos look like some, and why others are none."""

from typing import Any

from sqlalchemy.orm import Session

from app.portal.orders.wizard.steps import page
from app.services.orders.draft_groups import GroupProposal, propose
from app.web.context import container
from app.web.group_messages import GROUP_MESSAGES
from engine.grouping.photo_groups import GroupProblem, GroupProblemCode

MOST_NAMES = 3
"""So many files are named beside one that did not join them."""


def describe_frames(session: Session) -> dict[str, Any]:
    """The proposal for the templates, and the words for each photo with a problem, by its id."""
    proposal = _find_proposal(session)
    words: dict[str, str] = {}
    for problem in proposal.problems:
        for photo_id in _told_at(problem):
            words.setdefault(photo_id, _tell(problem, photo_id))
    return {"proposed": proposal.groups, "frame_problems": words, "unseen": _has_unseen()}


def _find_proposal(session: Session) -> GroupProposal:
    """Which photos are frames of one view; nothing until all files were looked at."""
    if any(photo.storage_key not in page().facts for photo in page().order.photos):
        return GroupProposal()
    return propose(session, page().draft, container().clock())


def _has_unseen() -> bool:
    """Whether files came before anybody looked at what they contain, and nobody looks unless asked to."""
    return not page().waiting and any(photo.storage_key not in page().facts for photo in page().order.photos)


def _tell(problem: GroupProblem, photo_id: str) -> str:
    """The words for a photo, with the names of the others that it seemed to belong to."""
    names = [page().rows[each].file_name for each in problem.ids if each != photo_id and each in page().rows]
    if not names or problem.code is GroupProblemCode.MISSING_EXPOSURE:
        return GROUP_MESSAGES[problem.code]
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"With {', '.join(names[:MOST_NAMES])}{more}: {GROUP_MESSAGES[problem.code]}"


def _told_at(problem: GroupProblem) -> tuple[str, ...]:
    # Beside the file that did not join, not beside the good ones before it.
    return problem.ids if problem.code is GroupProblemCode.MISSING_EXPOSURE else problem.ids[1:]
