"""The common part of all pages on which people give hints about a photo, to have its result made again.

Nothing is stored between two questions: a field of the form carries the hints so far.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from flask import redirect, render_template, request
from flask.typing import ResponseReturnValue
from pydantic_core import from_json

from app.database import as_json
from app.domain.errors import InvalidFields, InvalidRequest, OutlooksExceeded, Refusal
from app.domain.hint_questions import Question, list_questions
from app.domain.hint_requests import keep_suitable, read_document
from app.models import StoredOutlook
from app.portal.fragments import render_page_or_fragment, wants_fragment
from app.portal.hints.forms import find_part, forget_part, has_part, read_part
from app.portal.hints.page import ShownPhoto, describe_question, is_untouched
from app.portal.hints.words import PARTS
from app.services.photos.hinted_results import HintedResult
from app.services.previews import outlooks
from app.web.context import container
from app.web.fault_messages import message
from engine.types.hint_document import HintError
from engine.types.hints import NO_HINTS, SceneHints
from engine.types.outlook import HintPart

GO, NEXT, FORGET, WITHOUT = "go", "next", "forget", "without"
"""The name of the field of the pressed button (GO), and the names of buttons: ask the next question, remove what
was shown of this one, have the result made again without it.
"""
CARRIED = "shown"
"""The field that contains what was shown on the pages before."""
BUSY = "Many photos of this account are being looked at. This one follows in a minute."
UNREADABLE = "What you showed before cannot be read. Start again."
_PLACES = {HintPart.ROOM: "numbers", HintPart.PLACEMENTS: "places"}
"""The id of the element with a part's fields; `pieces` for the parts that are not listed."""


@dataclass(frozen=True, slots=True)
class ResultDesk:
    """How customers, or reviewers, show what a result's photo shows. `url_of`: the page of a part; `picture_of`:
    the photo in a size; `values`: for the templates, among them `save_label` and the template of more `fields`.
    """

    hinted: HintedResult
    url_of: Callable[[HintPart], str]
    picture_of: Callable[[str], str]
    back_url: str
    values: Mapping[str, Any]
    is_for_staff: bool = False


@dataclass(frozen=True, slots=True)
class Sent:
    """The content of a request that is answered with the page: why it was refused, by field or as a whole, or what
    was shown on the pages before; `is_forgotten`: whether the answer to this question was removed.
    """

    http_status: int = 200
    faults: Mapping[str, str] = field(default_factory=dict)
    refusal: str = ""
    carried: SceneHints | None = None
    is_forgotten: bool = False

    @property
    def is_refused(self) -> bool:
        """Whether the answer that was sent is shown again."""
        return bool(self.faults or self.refusal)


def redirect_to_first(desk: ResultDesk) -> ResponseReturnValue:
    """Redirect to the first question, or back if the steps of the result need no answer."""
    questions = _list_questions(desk, _find_outlook(desk)[0])
    return redirect(desk.url_of(questions[0].part) if questions else desk.back_url, 303)


def read_shown(desk: ResultDesk, part: HintPart) -> SceneHints:
    """The hints with which the result is made again: the hints so far, what was shown on the pages before, and the
    part in this request's form. The part is left out if it was removed, or if the user left an unchanged form by a
    tab. Raises InvalidRequest.
    """
    known = _read_carried() or desk.hinted.hints
    if request.form.get(GO) == FORGET:
        return forget_part(part, known) or NO_HINTS
    if request.form.get(GO) == WITHOUT or _is_left(desk, part, known):
        return known
    shown = read_part(part, known)
    steps = desk.hinted.edit_request.steps
    return keep_suitable(shown, steps, desk.hinted.photo.type) or NO_HINTS


def wants_next() -> bool:
    """Whether the request asks for another question, not to have the result made again."""
    return "to" in request.form or request.form.get(GO) in (NEXT, FORGET)


def ask_next(desk: ResultDesk, shown: SceneHints) -> ResponseReturnValue:
    """The page of the question that the button named; its form carries the hints so far (`shown`)."""
    is_forgotten = request.form.get(GO) == FORGET
    following = request.form.get("to") or request.form.get(NEXT, "")
    name = (request.view_args or {})["part"] if is_forgotten else following
    return ask(desk, find_part(name, desk.hinted.photo.type), Sent(carried=shown, is_forgotten=is_forgotten))


def _is_left(desk: ResultDesk, part: HintPart, known: SceneHints) -> bool:
    """Whether the tab of another question was pressed, and this one has no answer to keep."""
    outlook = _find_outlook(desk)[0] if "to" in request.form else None
    if outlook is None or outlook.content is None:
        return False
    return is_untouched(ShownPhoto(outlook.content, known, desk.hinted.edit_request.steps), part)


def ask_again(desk: ResultDesk, part: HintPart, refused: Refusal) -> ResponseReturnValue:
    """The page as it was sent, with the reason why it was refused."""
    try:
        carried = _read_carried()
    except InvalidRequest:
        carried = None
    if isinstance(refused, InvalidRequest):
        return ask(desk, part, Sent(422, _name_faults(part, refused), carried=carried))
    return ask(desk, part, Sent(409, refusal=refused.message, carried=carried))


def ask(desk: ResultDesk, part: HintPart, sent: Sent | None = None) -> ResponseReturnValue:
    """The page of one question; while workers look at the photo, a page that waits for them."""
    sent = sent or Sent()
    outlook, why = _find_outlook(desk)
    values = _describe_page(desk, part, sent)
    if outlook is None or outlook.content is None:
        values |= {
            "is_pending": True,
            "is_waiting": outlook is not None and not outlooks.is_done(outlook),
            "why": why,
        }
        return render_page_or_fragment("portal/hints/page.html", "portal/hints/_waiting.html", 200, **values)
    if wants_fragment():
        return "", 204, {"HX-Refresh": "true"}
    questions = _list_questions(desk, outlook)
    shown = ShownPhoto(outlook.content, sent.carried or desk.hinted.hints, desk.hinted.edit_request.steps)
    answered = [each.part for each in questions if sent.carried and has_part(each.part, sent.carried)]
    left = [replace(each, is_needed=each.is_needed and each.part not in answered) for each in questions]
    values |= describe_question(shown, left, part, sent.faults, is_sent=sent.is_refused)
    return render_template("portal/hints/page.html", **values), sent.http_status


def _describe_page(desk: ResultDesk, part: HintPart, sent: Sent) -> dict[str, Any]:
    preview = desk.hinted.preview
    return {
        "photo": desk.hinted.photo,
        "part": part,
        "words": PARTS[part],
        "heading": _write_heading(desk, part),
        "here": desk.url_of(part),
        "back_url": desk.back_url,
        "picture": desk.picture_of("view"),
        "thumb": desk.picture_of("thumb"),
        "width": preview and preview.width,
        "height": preview and preview.height,
        "refusal": sent.refusal,
        "is_forgotten": sent.is_forgotten,
        "carried": json.dumps(as_json(sent.carried)) if sent.carried else "",
        "next_label": "Keep this, then show",
        **desk.values,
    }


def _write_heading(desk: ResultDesk, part: HintPart) -> str:
    """The request to show the part, in words for customers or for reviewers."""
    ask = PARTS[part].ask
    return ask.replace("Show us", "Show") if desk.is_for_staff else ask


def _find_outlook(desk: ResultDesk) -> tuple[StoredOutlook | None, str]:
    """The photo's outlook, which is requested unless that was done before; or why there is none."""
    here = container()
    try:
        with here.database.unit_of_work() as session:
            outlook = outlooks.request(session, desk.hinted.subject, here.clock())
    except OutlooksExceeded:
        return None, BUSY
    return outlook, outlook.error or ""


def _list_questions(desk: ResultDesk, outlook: StoredOutlook | None) -> Sequence[Question]:
    steps = desk.hinted.edit_request.steps
    content = outlook.content if outlook else None
    forecasts = [each for each in content["steps"] if each["enhancement"] in steps] if content else []
    return list_questions(desk.hinted.edit_request, forecasts)


def _read_carried() -> SceneHints | None:
    text = request.form.get(CARRIED)
    if not text:
        return None
    try:
        return read_document(from_json(text))
    except (ValueError, HintError):
        raise InvalidRequest({"pieces": UNREADABLE}) from None


def _name_faults(part: HintPart, refused: InvalidRequest) -> dict[str, str]:
    """The message of each fault by the id of its field; faults of the hints as a whole are shown at the fields of
    the part.
    """
    place = _PLACES.get(part, "pieces")
    if isinstance(refused, InvalidFields):
        return {place: message(refused.faults[0])}
    return {place if name in ("hints", "pieces") else name: text for name, text in (refused.details or {}).items()}
