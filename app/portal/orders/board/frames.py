"""Frames of one view on the board: which photos seem to be frames, and why others could not be grouped."""

from typing import Any

from app.portal.orders.wizard.steps import page
from app.services.orders.draft_groups import GroupProposal, find_proposal
from app.web.group_messages import GROUP_MESSAGES
from engine.grouping.merge_obstacles import GroupProblemCode
from engine.grouping.photo_groups import GroupProblem

MAX_NAMES = 3
"""The most file names in a message about files that could not be grouped."""


def describe_frames() -> dict[str, Any]:
    """The proposed groups for the templates, and the message for each photo with a problem, by its id."""
    proposal = _find_proposal()
    words: dict[str, str] = {}
    for problem in proposal.problems:
        for photo_id in _list_marked_photos(problem):
            words.setdefault(photo_id, _describe_problem(problem, photo_id))
    return {"proposed": proposal.groups, "frame_problems": words, "has_unanalyzed": _has_unanalyzed()}


def _find_proposal() -> GroupProposal:
    """Find the photos that seem to be frames of one view. Once all files are analyzed, their contents are compared;
    before that, only the settings of the camera.
    """
    shown = page()
    return find_proposal(list(shown.rows.values()), shown.arriving, shown.facts)


def _has_unanalyzed() -> bool:
    """Whether some files are not analyzed until the user requests it with the button of groups.py."""
    return not page().waiting and any(photo.storage_key not in page().facts for photo in page().order.photos)


def _describe_problem(problem: GroupProblem, photo_id: str) -> str:
    """The message for a photo, with the names of the photos that it seemed to belong to."""
    names = [page().rows[each].file_name for each in problem.ids if each != photo_id and each in page().rows]
    if not names or problem.code is GroupProblemCode.MISSING_EXPOSURE:
        return GROUP_MESSAGES[problem.code]
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return f"With {', '.join(names[:MAX_NAMES])}{more}: {GROUP_MESSAGES[problem.code]}"


def _list_marked_photos(problem: GroupProblem) -> tuple[str, ...]:
    # The message is shown at the files that did not join the group, not at the first file, which has no problem.
    return problem.ids if problem.code is GroupProblemCode.MISSING_EXPOSURE else problem.ids[1:]
