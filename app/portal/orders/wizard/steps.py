"""What all pages of the wizard share: whose draft it is, what is missing before a page, the way on and back."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from flask import current_app, flash, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain.catalog import ENTRIES
from app.domain.drafts import Content, Step
from app.domain.errors import NotFound
from app.models import DraftPhoto
from app.portal.orders.property import page as property_page
from app.portal.orders.wizard.draft_page import DraftPage, load_draft_page
from app.portal.orders.wizard.problems import Problem
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services.orders import drafts, properties
from app.web.context import container
from engine.types.enhancements import Enhancement, PhotoType

BACK = "back"
GO, LEAVE = "go", "leave"
STEPS = list(Step)
PAGES = (Step.ADDRESS, Step.SERVICE)
"""The steps that are pages of their own; all others are parts of the board."""
BOARD = "board"
BOARD_PAGE = "board.show"
"""Once the draft is placed, the page of its orders has the same address."""
ANCHORS = {Step.PHOTOS: "photos", Step.ENHANCEMENTS: "effects", Step.REVIEW: "basket"}
"""Where on the board each of its steps is."""


def _take_draft_id(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    g.draft_id = (values or {}).pop("draft_id", None)


def _give_draft_id(endpoint: str, values: dict[str, Any]) -> None:
    if g.get("draft_id") and current_app.url_map.is_endpoint_expecting(endpoint, "draft_id"):
        values.setdefault("draft_id", g.draft_id)
        if is_from_board() and endpoint.startswith("drafts."):
            values.setdefault(BACK, BOARD)


class _PlacedError(Exception):
    """The draft was placed: it is the page of its orders now."""


def _find_draft() -> ResponseReturnValue | None:
    """Another account's draft does not exist; one that was placed is the page of its orders now."""
    if g.draft_id is None:
        return None
    g.page = None
    with container().database.read_session() as session:
        if _is_unplaced(session):
            return None
    if request.endpoint == BOARD_PAGE:
        return property_page.render(g.draft_id)
    return _lead_to_orders()


def _lead_to_orders(_: Exception | None = None) -> ResponseReturnValue:
    target = url_for("properties.show", property_id=g.draft_id)
    if request.is_json:
        return jsonify(message="This order was placed already.", next=target), 409
    return redirect(target, 303)


def _is_unplaced(session: Session) -> bool:
    """Whether the draft is one still. Raises NotFound where there is none, and no order of it."""
    try:
        return drafts.get(session, visitor().account_id, g.draft_id).job_id is None
    except NotFound:
        # Drafts that were placed are forgotten before their orders are.
        if properties.find(session, visitor().account_id, g.draft_id):
            return False
        raise


def make_blueprint(name: str, url_prefix: str) -> PageBlueprint:
    """Pages of one draft each, which is found before the view runs."""
    made = PageBlueprint(name, __name__, url_prefix=url_prefix)
    for_signed_in(made)
    made.url_value_preprocessor(_take_draft_id)
    made.url_defaults(_give_draft_id)
    made.before_request(_find_draft)
    made.register_error_handler(_PlacedError, _lead_to_orders)
    return made


blueprint = make_blueprint("drafts", "/drafts")


@blueprint.app_template_filter("labels")
def _labels(chosen: Iterable[Enhancement]) -> str:
    return ", ".join(ENTRIES[each].label for each in chosen)


def draft_id() -> str:
    """The id of the draft of this request."""
    found: str = g.draft_id
    return found


def page() -> DraftPage:
    """The draft of this request, as it is now."""
    if g.page is None:
        with container().database.read_session() as session:
            read_page(session)
    found: DraftPage = g.page
    return found


def read_page(session: Session) -> DraftPage:
    """The same, read in this session unless it was read since the last change. One that was placed meanwhile leads
    to the page of its orders.
    """
    if g.page is None:
        draft = drafts.get(session, visitor().account_id, g.draft_id)
        if draft.job_id is not None:
            raise _PlacedError
        g.page = load_draft_page(session, draft)
    return page()


def reload_page() -> None:
    """See the draft as it is after a change, when it is looked at next."""
    g.page = None


def find_photo(photo_id: str) -> DraftPhoto:
    """One photo of the draft. Raises NotFound, for reference pictures too."""
    row = page().rows.get(photo_id)
    if row is None or row.is_reference:
        raise NotFound
    return row


def save_content(change: Callable[[Content], Content], version: int | None = None) -> bool:
    """Write what this page is about; False when another tab changed the draft since `version`.

    Raises Conflict when it was placed meanwhile.
    """
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, g.draft_id)
        kept = drafts.write(session, draft, change(drafts.content_of(draft)), here.clock(), version)
    reload_page()
    return kept


def read_version() -> int:
    """The version of the draft that the form was made from."""
    text = request.form.get("version", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def redirect_to_problem(step: Step) -> ResponseReturnValue | None:
    """The way to the page before where something is missing that this step builds on, if anything is."""
    before = [each for each in PAGES if STEPS.index(each) < STEPS.index(step)]
    earlier = [problem for problem in page().list_problems() if problem.step in before]
    return redirect(url_of(earlier[0]), 303) if earlier else None


def list_problems(step: Step) -> list[Problem]:
    """What keeps the person on this step."""
    return [problem for problem in page().list_problems() if problem.step is step]


def url_of(problem: Problem) -> str:
    """Where it can be mended."""
    if problem.step in PAGES:
        return url_for(f"drafts.{problem.step}", _anchor=problem.field or None)
    if problem.step is Step.ENHANCEMENTS and problem.photo_id:
        return url_for("drafts.photo", photo_id=problem.photo_id, _anchor=problem.field or None)
    anchor = f"photo-{problem.photo_id}" if problem.photo_id else problem.field or ANCHORS[problem.step]
    return url_for("board.show", _anchor=anchor)


def link_problems(found: Sequence[Problem]) -> list[tuple[str, str]]:
    """What is missing as pairs of address and words, each with the name of the photo it is about."""
    names = {photo.id: photo.file_name for photo in page().order.photos}

    def words(problem: Problem) -> str:
        named = problem.step is Step.ENHANCEMENTS and problem.photo_id in names
        return f"{names[problem.photo_id or '']}: {problem.message}" if named else problem.message

    return [(url_of(problem), words(problem)) for problem in found]


def strip_unprintable(text: str) -> str:
    """What was typed, to be shown again: without the characters that no page may hold."""
    return "".join(each for each in text if each.isprintable() or each in "\t\r\n")


def pressed_button() -> str:
    """The button that sent the form."""
    return request.form.get(GO, "")


def is_leaving() -> bool:
    """Whether whatever is there is to be kept, complete or not."""
    return pressed_button() == LEAVE


def go_on(step: Step) -> ResponseReturnValue:
    """After a save: out, back to the board that asked for the change, or to the next page."""
    if is_leaving():
        return leave()
    following = STEPS[STEPS.index(step) + 1]
    if is_from_board() or following not in PAGES:
        return redirect(url_for("board.show"), 303)
    return redirect(url_for(f"drafts.{following}"), 303)


def leave() -> ResponseReturnValue:
    """Out of the order, which is kept as it is."""
    flash("Your order is saved. Continue it here whenever you like.")
    return redirect(url_for("orders.index"), 303)


def is_from_board() -> bool:
    """Whether the board sent the person here, and waits for them."""
    return request.args.get(BACK) == BOARD


def render_step(step: Step, template: str, http_status: int = 200, /, **values: Any) -> ResponseReturnValue:
    """A page of the wizard."""
    given = describe_page() | {
        "step": min(STEPS.index(step), len(PAGES)) + 1,
        "steps": len(PAGES) + 1,
        "back_url": url_for("board.show") if is_from_board() else _url_before(step),
        "stale": http_status == 409,
    }
    return render_template(f"portal/orders/wizard/{template}.html", **given | values), http_status


def describe_page() -> dict[str, Any]:
    """What every template of a draft is given."""
    shown = page()
    return {
        "page": shown,
        "content": shown.content,
        "quote": shown.price(),
        "photo_types": list(PhotoType),
        "enhancement": Enhancement,
        "imagery": container().imagery is not None,
        "generative": container().generative is not None,
    }


def _url_before(step: Step) -> str:
    place = STEPS.index(step)
    if not place:
        return url_for("orders.index")
    before = STEPS[place - 1]
    return url_for(f"drafts.{before}") if before in PAGES else url_for(BOARD_PAGE, _anchor=ANCHORS[before])
