"""Frames of one view on the photos step: grouped as proposed, and taken apart again."""

from collections.abc import Iterable, Iterator, Mapping

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue

from app.domain.photo_groups import GroupProblem
from app.models import DraftPhoto
from app.portal.orders.wizard.steps import blueprint, page
from app.portal.visitors import visitor
from app.services.orders import draft_groups, drafts
from app.services.orders.draft_groups import GroupProposal
from app.web.context import container
from app.web.group_messages import GROUP_MESSAGES

MOST_TOLD = 5
"""Problems that are named; of more it is said how many."""
WAITING = "We are still looking at {count} of your files. Group them again in a moment."
NOTHING = "No frames of one view were found; every file stays a photo of its own."


@blueprint.post("/<draft_id>/photos/group")
def group_photos() -> ResponseReturnValue:
    """Group what surely are frames of one view, and say what is not."""
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, page().draft.id)
        proposal = draft_groups.propose(session, draft, here.clock())
        count = draft_groups.apply(session, draft, proposal, here.clock())
    flash(_describe(proposal, count))
    for words in _list_problems(proposal.problems, page().rows):
        flash(words, "error")
    return redirect(url_for("drafts.photos"), 303)


@blueprint.post("/<draft_id>/photos/groups/<group_id>/split")
def split_group(group_id: str) -> ResponseReturnValue:
    """Make each frame a photo of its own again."""
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, page().draft.id)
        draft_groups.split(session, draft, group_id, here.clock())
    return redirect(url_for("drafts.photos"), 303)


def _describe(proposal: GroupProposal, count: int) -> str:
    if proposal.pending:
        return WAITING.format(count=proposal.pending)
    if not count:
        return NOTHING
    files = sum(map(len, proposal.groups))
    return f"{files} files are now the frames of {count} {'photo' if count == 1 else 'photos'}."


def _list_problems(problems: Iterable[GroupProblem], rows: Mapping[str, DraftPhoto]) -> Iterator[str]:
    told = list(problems)
    for problem in told[:MOST_TOLD]:
        names = ", ".join(rows[each].file_name for each in problem.ids if each in rows)
        yield f"{names}: {GROUP_MESSAGES[problem.code]}"
    if len(told) > MOST_TOLD:
        yield f"{len(told) - MOST_TOLD} more files could not be grouped."
