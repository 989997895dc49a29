"""The pages on which a customer shows what a photo of the draft shows: one for each question."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.drafts import DraftedPhoto
from app.domain.errors import InvalidRequest, NotFound, OutlooksExceeded
from app.domain.hint_questions import Question, list_questions
from app.domain.hint_requests import HintedPhoto, find_misfits
from app.models import DraftPhoto, StoredOutlook
from app.portal.fragments import render_page_or_fragment, wants_fragment
from app.portal.hints.forms import forget_part, has_part, read_part
from app.portal.hints.page import ShownPhoto, describe_question
from app.portal.hints.words import PARTS
from app.portal.orders.wizard.photo import redirect_unsorted
from app.portal.orders.wizard.steps import blueprint, find_photo, page, pressed_button, reload_page
from app.portal.visitors import visitor
from app.services.orders import draft_forecasts, draft_photos, drafts
from app.services.previews import outlooks
from app.web.context import container
from app.web.fault_messages import message
from engine.types.edit_request import EditRequest
from engine.types.hints import NO_HINTS, SceneHints
from engine.types.outlook import HintPart

FORGET, NEXT = "forget", "next"
BUSY = "We are looking at many of your photos. This one follows in a minute."


@blueprint.get("/<draft_id>/photos/<photo_id>/hints")
def first_hints(photo_id: str) -> ResponseReturnValue:
    """Redirect to the first question about the photo."""
    row = find_photo(photo_id)
    if redirection := redirect_unsorted(row):
        return redirection
    questions = _list_questions(row, _find_outlook(row))
    if not questions:
        flash(f"Nothing needs to be shown for the effects of {row.file_name}.")
        return redirect(_url_of_photo(row), 303)
    return redirect(url_for("drafts.hints", photo_id=row.id, part=questions[0].part), 303)


@blueprint.get("/<draft_id>/photos/<photo_id>/hints/<part>")
def hints(photo_id: str, part: str) -> ResponseReturnValue:
    """One question about the photo; while workers look at the photo, a page that waits for them."""
    row = find_photo(photo_id)
    return redirect_unsorted(row) or _page(row, _read_part_name(row, part))


@blueprint.post("/<draft_id>/photos/<photo_id>/hints/<part>")
def save_hints(photo_id: str, part: str) -> ResponseReturnValue:
    """Save the answer, or forget it. Goes on to the next question, or back to the board."""
    row = find_photo(photo_id)
    if redirection := redirect_unsorted(row):
        return redirection
    asked = _read_part_name(row, part)
    known = row.edit_request.hints
    try:
        given = forget_part(asked, known) if pressed_button() == FORGET else read_part(asked, known)
        _check_photo(row, given)
    except InvalidRequest as refusal:
        return _page(row, asked, 422, {name: str(words) for name, words in (refusal.details or {}).items()})
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, row.draft_id)
        edit_request = replace(row.edit_request, hints=given)
        kept = draft_photos.write(session, draft, row.id, edit_request, here.clock(), request.form.get("seen", ""))
    reload_page()
    if not kept:
        return _page(row, asked, 409)
    following = _find_next(row, asked) if pressed_button() == NEXT else None
    if following is not None:
        return redirect(url_for("drafts.hints", photo_id=row.id, part=following.part), 303)
    return redirect(_url_of_photo(row), 303)


def _find_next(row: DraftPhoto, answered: HintPart) -> Question | None:
    """The next question that must be answered, by what was seen before this answer."""
    questions = _list_questions(row, _find_outlook(row, known=row.edit_request.hints))
    waiting = [each for each in questions if each.is_needed and each.part is not answered]
    given = page().rows[row.id].edit_request.hints
    return next((each for each in waiting if not has_part(each.part, given)), None)


def _url_of_photo(row: DraftPhoto) -> str:
    return url_for("board.show", _anchor=f"photo-{row.id}")


def _read_part_name(row: DraftPhoto, name: str) -> HintPart:
    """The part of hints with this name. Raises NotFound for others, and for parts that photos of the row's type
    cannot show.
    """
    if name not in (*HintPart,):
        raise NotFound
    part = HintPart(name)
    if part.surface is not None and not part.surface.is_shown_by(row.type):
        raise NotFound
    return part


def _whole_request(row: DraftPhoto) -> EditRequest:
    return page().order.edit_request(_drafted(row))


def _drafted(row: DraftPhoto) -> DraftedPhoto:
    return next(each for each in page().order.photos if each.id == row.id)


def _find_outlook(row: DraftPhoto, known: SceneHints | None = None) -> StoredOutlook | None:
    """The photo's outlook for its effects and hints, requested where nobody did so; None where its effects need
    none, or its file is not read yet. `known`: hints in place of its own.
    """
    facts = page().facts.get(row.storage_key)
    version = row.sha256 or (facts.sha256 if facts else None)
    drafted = _drafted(row)
    if known is not None:
        drafted = replace(drafted, edit_request=replace(drafted.edit_request, hints=known))
    subject = draft_forecasts.make_subject(visitor().account_id, page().order, drafted, version)
    if subject is None:
        return None
    here = container()
    with here.database.unit_of_work() as session:
        return outlooks.request(session, subject, here.clock())


def _list_questions(row: DraftPhoto, outlook: StoredOutlook | None) -> Sequence[Question]:
    content = outlook.content if outlook else None
    return list_questions(_whole_request(row), content["steps"] if content else ())


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
    try:
        outlook = _find_outlook(row)
        why = outlook.error if outlook else ""
    except OutlooksExceeded:
        outlook, why = None, BUSY
    values = _describe_page(row, part, is_stale=http_status == 409)
    if outlook is None or outlook.content is None:
        values |= {
            "is_pending": True,
            "is_waiting": outlook is not None and not outlooks.is_done(outlook),
            "why": why,
        }
        return render_page_or_fragment("portal/hints/page.html", "portal/hints/_waiting.html", 200, **values)
    if wants_fragment():
        return "", 204, {"HX-Refresh": "true"}
    questions = _list_questions(row, outlook)
    if part not in [each.part for each in questions]:
        questions = [Question(part, False), *questions]
    shown = ShownPhoto(outlook.content, row.edit_request.hints or NO_HINTS, _whole_request(row).steps)
    values |= describe_question(shown, questions, part, faults or {}, is_sent=http_status != 200)
    return render_template("portal/hints/page.html", **values), http_status


def _describe_page(row: DraftPhoto, part: HintPart, *, is_stale: bool) -> dict[str, Any]:
    preview = page().preview(row)
    return {
        "photo": row,
        "part": part,
        "words": PARTS[part],
        "url_of": lambda asked: url_for("drafts.hints", photo_id=row.id, part=asked),
        "here": url_for("drafts.hints", photo_id=row.id, part=part),
        "back_url": _url_of_photo(row),
        "picture": url_for("pictures.draft_photo", draft_id=row.draft_id, photo_id=row.id, size="view"),
        "thumb": url_for("pictures.draft_photo", draft_id=row.draft_id, photo_id=row.id, size="thumb"),
        "width": preview and preview.width,
        "height": preview and preview.height,
        "seen": page().rows[row.id].edit_request.mark,
        "stale": is_stale,
        "save_label": "Save",
        "can_forget": True,
    }
