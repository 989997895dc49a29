"""Files sent with a form, by browsers without scripts (others use uploads.py), and uploads that never arrived."""

from collections.abc import Sequence

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain import limits
from app.domain.amounts import counted
from app.domain.errors import NotFound, Refusal
from app.domain.order_files import MAX_PHOTOS
from app.domain.unsupported_files import is_companion, is_live_photo_video
from app.portal.orders.board.page import answer, blueprint, render_board
from app.portal.orders.wizard.steps import draft_id, page, reload_page
from app.portal.orders.wizard.uploads import choose_default_type, explain_refusal, receive
from app.portal.visitors import require_visitor, visitor
from app.services.orders import draft_arrivals, draft_photos, drafts
from app.services.orders.draft_arrivals import LeftOut
from app.services.orders.draft_photos import NewFile
from app.web.bodies import accept_body
from app.web.context import container
from app.web.file_forms import read_form
from app.web.form_parts import FilePart

FIELDS = ("photos", "folder")


@blueprint.post("/<draft_id>/files")
@accept_body(2 * MAX_PHOTOS * limits.MAX_FILE_BYTES, require_visitor)
def add_files() -> ResponseReturnValue:
    """Add the form's files: photos that are not in the draft yet are added even if other files are refused."""
    refused: list[tuple[str, str]] = []
    names: list[str] = []
    known_ids, duplicates, added = set(page().rows), 0, 0

    def take(part: FilePart) -> None:
        nonlocal duplicates, added
        if part.name not in FIELDS:
            return
        try:
            photo = receive(part, NewFile(choose_default_type(), part.file_name))
        except Refusal as refusal:
            refused.append((part.file_name, explain_refusal(refusal)))
            return
        names.append(part.file_name)
        duplicates, added = duplicates + (photo.id in known_ids), added + (photo.id not in known_ids)
        known_ids.add(photo.id)

    read_form(take)
    reload_page()
    message = describe_added(added, duplicates)
    if faults := _list_faults(refused, names):
        return render_board(422, message=message, faults=faults)
    flash(message)
    return redirect(url_for("board.show", _anchor="photos"), 303)


def _list_faults(refused: Sequence[tuple[str, str]], names: Sequence[str]) -> list[tuple[str, str]]:
    """The name of each refused file with the reason; files that a camera or system put beside the photos are left
    out.
    """
    return [
        ("#files", f"{draft_photos.plain_name(name) or 'A file'}: {why}")
        for name, why in refused
        if not (is_companion(name) or is_live_photo_video(name, names))
    ]


def describe_added(count: int, duplicates: int) -> str:
    """How many of the sent files were added, and how many were in the draft already."""
    if not (count or duplicates):
        return "No files were chosen."
    added = f"Added {counted(count, 'photo')}." if count else "Nothing new."
    return f"{added} {duplicates} already here." if duplicates else added


@blueprint.post("/<draft_id>/unfinished")
def forget_unfinished() -> ResponseReturnValue:
    """Leave out one lost file, or all that the page showed. The page that uploads a file may also leave it out.

    Raises NotFound if none of the given ids is the draft's.
    """
    here, one = container(), request.form.get("only")
    ids = [one] if one else request.form.getlist("file")
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        is_own = request.form.get("own") == "yes"
        left_out = draft_arrivals.leave_out(session, draft, ids, here.clock(), also_under_way=is_own)
        if not (left_out.count or left_out.kept_count):
            raise NotFound
    reload_page()
    return answer(describe_left_out(left_out), anchor="files")


def describe_left_out(left_out: LeftOut) -> str:
    """How many files were left out, and how many were not."""
    count, kept = left_out.count, left_out.kept_count
    words = [f"{counted(count, 'file')} {'is' if count == 1 else 'are'} left out."] if count else []
    if kept:
        words.append(f"{kept} arrived after all, or {'is' if kept == 1 else 'are'} being uploaded again.")
    return " ".join(words)
