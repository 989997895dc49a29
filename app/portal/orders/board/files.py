"""Files that come with a form, where no script sends them (else see uploads.py), and those that never came."""

from collections.abc import Sequence

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain import limits
from app.domain.errors import NotFound, Refusal
from app.domain.order_files import MAX_PHOTOS
from app.domain.unsupported_files import is_live_half, lies_beside
from app.portal.orders.board.page import answer, blueprint, render_board
from app.portal.orders.wizard.steps import draft_id, page, reload_page
from app.portal.orders.wizard.uploads import explain_refusal, receive, usual_type
from app.portal.visitors import require_visitor, visitor
from app.services.orders import draft_photos, drafts
from app.services.orders.draft_photos import NewFile
from app.web.bodies import takes
from app.web.context import container
from app.web.file_forms import read_form
from app.web.form_parts import FilePart

FIELDS = ("photos", "folder")


@blueprint.post("/<draft_id>/files")
@takes(2 * MAX_PHOTOS * limits.MAX_FILE_BYTES, require_visitor)
def add_files() -> ResponseReturnValue:
    """Take the form's files in: each that is a photo and not there yet, whatever the others are."""
    refused: list[tuple[str, str]] = []
    names: list[str] = []
    there, twins, taken = set(page().rows), 0, 0

    def take(part: FilePart) -> None:
        nonlocal twins, taken
        if part.name not in FIELDS:
            return
        try:
            photo = receive(part, NewFile(usual_type(), part.file_name))
        except Refusal as refusal:
            refused.append((part.file_name, explain_refusal(refusal)))
            return
        names.append(part.file_name)
        twins, taken = twins + (photo.id in there), taken + (photo.id not in there)
        there.add(photo.id)

    read_form(take)
    reload_page()
    said = describe_arrivals(taken, twins)
    if faults := _list_faults(refused, names):
        return render_board(422, said=said, faults=faults)
    flash(said)
    return redirect(url_for("board.show", _anchor="photos"), 303)


def _list_faults(refused: Sequence[tuple[str, str]], taken: Sequence[str]) -> list[tuple[str, str]]:
    """What is said of files that were not taken, by name and reason; nothing of those that nobody chose."""
    return [
        ("#files", f"{draft_photos.plain_name(name) or 'A file'}: {why}")
        for name, why in refused
        if not (lies_beside(name) or is_live_half(name, taken))
    ]


def describe_arrivals(taken: int, twins: int) -> str:
    """What became of files that were sent."""
    if not (taken or twins):
        return "No files were chosen."
    added = f"Added {taken} {'photo' if taken == 1 else 'photos'}." if taken else "Nothing new."
    return f"{added} {twins} already here." if twins else added


@blueprint.post("/<draft_id>/unfinished")
def forget_unfinished() -> ResponseReturnValue:
    """Give up files that never came. Raises NotFound where none of them is to be had."""
    ids = request.form.getlist("file")
    with container().database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        if not draft_photos.forget_unfinished(session, draft, ids):
            raise NotFound
    reload_page()
    return answer("They are not part of this order.", anchor="files")
