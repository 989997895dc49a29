"""The pages on which a customer gives hints about a photo of the draft, one page for each question."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.drafts import DraftedPhoto
from app.domain.errors import InvalidRequest, OutlooksExceeded
from app.domain.hint_questions import Question, list_questions
from app.domain.hint_requests import HintedPhoto, find_misfits
from app.models import DraftPhoto, StoredOutlook
from app.portal.fragments import render_page_or_fragment, wants_fragment
from app.portal.hints.forms import find_part, find_tab, forget_part, has_part, read_part
from app.portal.hints.page import ShownPhoto, describe_question, is_untouched
from app.portal.hints.words import PARTS
from app.portal.orders.wizard import other_views
from app.portal.orders.wizard.photo import redirect_unsorted
from app.portal.orders.wizard.steps import blueprint, find_photo, page, pressed_button, reload_page
from app.portal.visitors import visitor
from app.services.orders import draft_forecasts, draft_photos, drafts
from app.services.previews import outlooks
from app.web.context import container
from app.web.fault_messages import message
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.hints import NO_HINTS, SceneHints
from engine.types.outlook import HintPart

FORGET, NEXT, PREVIEW = "forget", "next", "preview"
BUSY = "We are looking at many of your photos. This one follows in a minute."


@blueprint.get("/<draft_id>/photos/<photo_id>/hints")
def first_hints(photo_id: str) -> ResponseReturnValue:
    """Redirect to the first question about the photo."""
    row = find_photo(photo_id)
    if redirection := redirect_unsorted(row):
        return redirection
    outlook, _ = _find_outlook(row)
    questions = _list_questions(row, outlook.content if outlook else None)
    if not questions:
        flash(f"Nothing needs to be shown for the enhancements of {row.file_name}.")
        return redirect(_url_of_photo(row), 303)
    return redirect(url_for("drafts.hints", photo_id=row.id, part=questions[0].part), 303)


@blueprint.get("/<draft_id>/photos/<photo_id>/hints/<part>")
def hints(photo_id: str, part: str) -> ResponseReturnValue:
    """One question about the photo; while workers look at the photo, a page that waits for them."""
    row = find_photo(photo_id)
    return redirect_unsorted(row) or _page(row, find_part(part, row.type))


@blueprint.post("/<draft_id>/photos/<photo_id>/hints/<part>")
def save_hints(photo_id: str, part: str) -> ResponseReturnValue:
    """Save the answer, or forget it, and go on to the next question or back to the board. Pressing the tab of
    another question saves the answer only if it was changed.
    """
    row = find_photo(photo_id)
    if redirection := redirect_unsorted(row):
        return redirection
    asked = find_part(part, row.type)
    known = row.edit_request.hints
    if asked is HintPart.PLACEMENTS and pressed_button() in (other_views.SAME, other_views.CARRY):
        return _page(row, asked)
    if find_tab(row.type) and _is_untouched(row, asked):
        return redirect(_url_after(row, asked), 303)
    try:
        given = forget_part(asked, known) if pressed_button() == FORGET else read_part(asked, known)
        _check_photo(row, given)
    except InvalidRequest as refusal:
        return _page(row, asked, 422, {name: str(words) for name, words in (refusal.details or {}).items()})
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, row.draft_id)
        edit_request = replace(row.edit_request, hints=None if given is None or given.is_empty else given)
        kept = draft_photos.write(session, draft, row.id, edit_request, here.clock(), request.form.get("seen", ""))
    reload_page()
    if not kept:
        return _page(row, asked, 409)
    return redirect(_url_after(row, asked), 303)


def _url_after(row: DraftPhoto, asked: HintPart) -> str:
    """The URL to which the pressed button leads: the same question, another one, or the board."""
    following = find_tab(row.type) or {PREVIEW: asked, NEXT: request.form.get("next", "")}.get(pressed_button(), "")
    if following in (*HintPart,):
        return url_for("drafts.hints", photo_id=row.id, part=following)
    return _url_of_photo(row)


@blueprint.get("/<draft_id>/photos/<photo_id>/hints/layout-preview")
def layout_preview(photo_id: str) -> ResponseReturnValue:
    """The picture of the furnished room as it is made, polled by htmx; other clients are redirected to the page."""
    row = find_photo(photo_id)
    if not wants_fragment():
        return redirect(url_for("drafts.hints", photo_id=row.id, part=HintPart.PLACEMENTS), 303)
    return render_template("portal/hints/_layout_preview.html", layout=_describe_layout(row, _find_outlook(row)[0]))


def _describe_layout(row: DraftPhoto, outlook: StoredOutlook | None) -> dict[str, Any] | None:
    """The picture of the room with the furniture that was placed: its URL once it is there, whether it is being
    made, else why there is none. None if nothing is placed, or a server furnishes the room.
    """
    hints = row.edit_request.hints
    if outlook is None or hints is None or not hints.placements or container().generative is not None:
        return None
    with container().database.read_session() as session:
        is_made = outlooks.has_layout_preview(session, outlook.id)
    steps = (outlook.content or {}).get("steps", ())
    why = next((each["message"] for each in steps if each["enhancement"] == Enhancement.STAGING), "")
    return {
        "url": url_for("pictures.layout", outlook_id=outlook.id) if is_made else "",
        "is_waiting": not is_made and not outlooks.is_done(outlook),
        "why": outlook.error or why,
        "poll_url": url_for("drafts.layout_preview", photo_id=row.id),
    }


def _url_of_photo(row: DraftPhoto) -> str:
    return url_for("board.show", _anchor=f"photo-{row.id}")


def _whole_request(row: DraftPhoto) -> EditRequest:
    return page().order.edit_request(_drafted(row))


def _drafted(row: DraftPhoto) -> DraftedPhoto:
    return next(each for each in page().order.photos if each.id == row.id)


def _find_outlook(row: DraftPhoto) -> tuple[StoredOutlook | None, str]:
    """The photo's outlook for its effects and hints, which is requested unless that was done before. None if its
    effects need none, or its file is not read yet; also if too many photos wait, then with the reason.
    """
    file = draft_forecasts.know_file(row, page().facts.get(row.storage_key))
    subject = draft_forecasts.make_subject(visitor().account_id, page().order, _drafted(row), file)
    if subject is None:
        return None, ""
    here = container()
    try:
        with here.database.unit_of_work() as session:
            return outlooks.request(session, subject, here.clock()), ""
    except OutlooksExceeded:
        return None, BUSY


def _read_content(row: DraftPhoto, outlook: StoredOutlook | None) -> Mapping[str, Any] | None:
    """What workers saw in the photo. While they look at it again after an answer, what they saw before."""
    if outlook is not None and outlook.content is not None:
        return outlook.content
    with container().database.read_session() as session:
        return outlooks.find_newest(session, visitor().account_id, row.storage_key)


def _show(row: DraftPhoto, content: Mapping[str, Any]) -> ShownPhoto:
    return ShownPhoto(content, row.edit_request.hints or NO_HINTS, _whole_request(row).steps)


def _is_untouched(row: DraftPhoto, part: HintPart) -> bool:
    content = _read_content(row, _find_outlook(row)[0])
    return content is not None and is_untouched(_show(row, content), part)


def _is_unread(row: DraftPhoto) -> bool:
    """Whether workers have not read the photo's file yet."""
    preview = page().preview(row)
    return row.storage_key not in page().facts and not (preview and preview.error)


def _list_questions(row: DraftPhoto, content: Mapping[str, Any] | None) -> Sequence[Question]:
    """The questions about the photo; a part that its hints have already is not needed any more."""
    questions = list_questions(_whole_request(row), content["steps"] if content else ())
    given = row.edit_request.hints
    return [replace(each, is_needed=each.is_needed and not has_part(each.part, given)) for each in questions]


def _check_photo(row: DraftPhoto, given: SceneHints | None) -> None:
    """Raise InvalidRequest for hints of another photo, and for masks of another shape."""
    preview = page().preview(row)
    size = (preview.width, preview.height) if preview and preview.width and preview.height else None
    faults = [*find_misfits(given or NO_HINTS, HintedPhoto([row.sha256], size), ())]
    if faults:
        raise InvalidRequest({"pieces": message(faults[0])})


def _page(
    row: DraftPhoto, part: HintPart, http_status: int = 200, faults: Mapping[str, str] | None = None
) -> ResponseReturnValue:
    outlook, why = _find_outlook(row)
    content = _read_content(row, outlook)
    values = _describe_page(row, part, is_stale=http_status == 409)
    if content is None:
        values |= {
            "is_pending": True,
            "is_waiting": _is_unread(row) if outlook is None else not outlooks.is_done(outlook),
            "why": why or (outlook and outlook.error),
        }
        return render_page_or_fragment("portal/hints/page.html", "portal/hints/_waiting.html", 200, **values)
    if wants_fragment():
        return "", 204, {"HX-Refresh": "true"}
    shown = _show(row, content)
    questions, is_sent = _list_questions(row, content), http_status != 200
    if part is HintPart.PLACEMENTS:
        taken = other_views.answer(row, content.get("plan"), shown.hints)
        shown, is_sent = replace(shown, hints=taken.hints or shown.hints), is_sent or taken.is_asked
        if taken.faults:
            faults, http_status = taken.faults, 422
        values |= {**taken.values, "size_of": _find_size}
    values |= describe_question(shown, questions, part, faults or {}, is_sent=is_sent)
    if part is HintPart.PLACEMENTS:
        values |= {"can_preview": container().generative is None, "layout": _describe_layout(row, outlook)}
    return render_template("portal/hints/page.html", **values), http_status


def _find_size(photo_id: str) -> tuple[int, int]:
    """Width and height of a photo of the draft."""
    preview = page().preview(page().rows[photo_id])
    return (preview and preview.width) or 3, (preview and preview.height) or 2


def _describe_page(row: DraftPhoto, part: HintPart, *, is_stale: bool) -> dict[str, Any]:
    preview = page().preview(row)
    return {
        "photo": row,
        "part": part,
        "words": PARTS[part],
        "here": url_for("drafts.hints", photo_id=row.id, part=part),
        "back_url": _url_of_photo(row),
        "picture": url_for("pictures.draft_photo", draft_id=row.draft_id, photo_id=row.id, size="view"),
        "thumb": url_for("pictures.draft_photo", draft_id=row.draft_id, photo_id=row.id, size="thumb"),
        "width": preview and preview.width,
        "height": preview and preview.height,
        "seen": page().rows[row.id].edit_request.mark,
        "stale": is_stale,
        "save_label": "Save",
    }
