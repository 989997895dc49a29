"""What the board says of frames of one view: which photos look like some, and why others are none."""

from collections.abc import Mapping
from typing import Any

from app.domain.photo_groups import GroupProblem, GroupProblemCode
from app.portal.orders.wizard.steps import page
from app.services.orders.draft_groups import GroupProposal, propose
from app.web.context import container

PROBLEMS: Mapping[GroupProblemCode, str] = {
    GroupProblemCode.MISSING_EXPOSURE: "An exposure seems to be missing between two frames.",
    GroupProblemCode.EQUAL_EXPOSURES: "Equal exposures: a burst to choose from, so each stays a photo of its own.",
    GroupProblemCode.CAMERA_MOVED: "The camera moved between these frames, so each stays a photo of its own.",
    GroupProblemCode.OTHER_VIEW: "Taken within moments, of another view.",
    GroupProblemCode.SIZES_DIFFER: "Not the size of the frames before it, so it stays a photo of its own.",
}


def describe_frames() -> dict[str, Any]:
    """The proposal for the templates, and the words for each photo with a problem, by its id."""
    proposal = find_proposal()
    words: dict[str, str] = {}
    for problem in proposal.problems:
        for photo_id in _told_at(problem):
            words.setdefault(photo_id, PROBLEMS[problem.code])
    return {"proposed": proposal.groups, "frame_problems": words}


def find_proposal() -> GroupProposal:
    """Which photos are frames of one view; nothing until all files were looked at."""
    if any(photo.storage_key not in page().facts for photo in page().order.photos):
        return GroupProposal()
    here = container()
    with here.database.read_session() as session:
        return propose(session, page().draft, here.clock())


def _told_at(problem: GroupProblem) -> tuple[str, ...]:
    # Beside the file that did not join, not beside the good ones before it.
    return problem.ids if problem.code is GroupProblemCode.MISSING_EXPOSURE else problem.ids[1:]
