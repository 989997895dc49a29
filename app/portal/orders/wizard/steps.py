"""Shared by the pages of the wizard and the board: the request's draft, its problems, redirects and links back."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from flask import current_app, flash, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain.catalog import ENTRIES
from app.domain.drafts import Content, Step
from app.domain.errors import NotFound
from app.domain.roles import Ability
from app.models import DraftPhoto
from app.portal import permissions
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
PAGES = (Step.ADDRESS,)
"""The steps that are pages of their own; all other steps are parts of the board."""
BOARD = "board"
BOARD_PAGE = "board.show"
"""The endpoint of the board. Once the draft is placed, its orders are shown at the same address."""
ANCHORS = {Step.PHOTOS: "photos", Step.ENHANCEMENTS: "effects", Step.REVIEW: "basket"}
"""The anchor of each step on the board."""


def _remove_draft_id(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    g.draft_id = (values or {}).pop("draft_id", None)


def _add_draft_id(endpoint: str, values: dict[str, Any]) -> None:
    if g.get("draft_id") and current_app.url_map.is_endpoint_expecting(endpoint, "draft_id"):
        values.setdefault("draft_id", g.draft_id)
        if is_from_board() and endpoint.startswith("drafts."):
            values.setdefault(BACK, BOARD)


class _PlacedError(Exception):
    """The draft was placed in the meantime: its address now shows its orders."""


def _find_draft() -> ResponseReturnValue | None:
    """Run before each view: raise NotFound for another account's draft, and show the orders of a placed one
    instead.
    """
    if g.draft_id is None:
        return None
    g.page = None
    with container().database.read_session() as session:
        is_unplaced = _is_unplaced(session)
    if is_unplaced:
        permissions.demand(visitor(), Ability.ORDER)
        return None
    if request.endpoint == BOARD_PAGE:
        return property_page.render(g.draft_id)
    return _redirect_to_orders()


def _redirect_to_orders(_: Exception | None = None) -> ResponseReturnValue:
    target = url_for("properties.show", property_id=g.draft_id)
    if request.is_json:
        return jsonify(message="This order was placed already.", next=target), 409
    return redirect(target, 303)


def _is_unplaced(session: Session) -> bool:
    """Whether the draft is not placed yet. Raises NotFound if there is neither the draft nor an order of it."""
    try:
        return drafts.get(session, visitor().account_id, g.draft_id).job_id is None
    except NotFound:
        # A placed draft is deleted before its orders are.
        if properties.find(session, visitor().account_id, g.draft_id):
            return False
        raise


def make_blueprint(name: str, url_prefix: str) -> PageBlueprint:
    """A blueprint for pages of one draft; the draft is found before the view runs."""
    made = PageBlueprint(name, __name__, url_prefix=url_prefix)
    for_signed_in(made)
    made.url_value_preprocessor(_remove_draft_id)
    made.url_defaults(_add_draft_id)
    made.before_request(_find_draft)
    made.register_error_handler(_PlacedError, _redirect_to_orders)
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
    """The draft of this request, loaded again after each change."""
    if g.page is None:
        with container().database.read_session() as session:
            read_page(session)
    found: DraftPage = g.page
    return found


def read_page(session: Session) -> DraftPage:
    """Load the draft of this request in this session, unless it was loaded since the last change.

    Raises _PlacedError, which redirects to its orders, if the draft was placed in the meantime.
    """
    if g.page is None:
        draft = drafts.get(session, visitor().account_id, g.draft_id)
        if draft.job_id is not None:
            raise _PlacedError
        g.page = load_draft_page(session, draft)
    return page()


def reload_page() -> None:
    """Make page() load the draft again, after a change."""
    g.page = None


def find_photo(photo_id: str) -> DraftPhoto:
    """One photo of the draft. Raises NotFound, for reference pictures and further frames of a photo too."""
    if all(photo.id != photo_id for photo in page().order.photos):
        raise NotFound
    return page().rows[photo_id]


def save_content(change: Callable[[Content], Content], version: int | None = None) -> bool:
    """Save the draft's content after `change`; False if another tab changed the draft after `version`.

    Raises Conflict when the draft was placed in the meantime.
    """
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, g.draft_id)
        kept = drafts.write(session, draft, change(drafts.content_of(draft)), here.clock(), version)
    reload_page()
    return kept


def read_version() -> int:
    """The version of the draft that the form was rendered from."""
    text = request.form.get("version", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def redirect_to_problem(step: Step) -> ResponseReturnValue | None:
    """A redirect to the first earlier page with a problem; None if all earlier pages are complete."""
    earlier_pages = [each for each in PAGES if STEPS.index(each) < STEPS.index(step)]
    problems = [problem for problem in page().list_problems() if problem.step in earlier_pages]
    return redirect(url_of(problems[0]), 303) if problems else None


def list_problems(step: Step) -> list[Problem]:
    """The problems of this step, which must be fixed before the user can continue."""
    return [problem for problem in page().list_problems() if problem.step is step]


def url_of(problem: Problem) -> str:
    """The URL where the problem can be fixed."""
    if problem.step in PAGES:
        return url_for(f"drafts.{problem.step}", _anchor=problem.field or None)
    if problem.step is Step.ENHANCEMENTS and problem.photo_id:
        return url_for("drafts.photo", photo_id=problem.photo_id, _anchor=problem.field or None)
    anchor = f"photo-{problem.photo_id}" if problem.photo_id else problem.field or ANCHORS[problem.step]
    return url_for("board.show", _anchor=anchor)


def link_problems(found: Sequence[Problem]) -> list[tuple[str, str]]:
    """The problems as pairs of URL and message, with the name of the photo where the problem is about one."""
    names = {photo.id: photo.file_name for photo in page().order.photos}

    def words(problem: Problem) -> str:
        is_of_photo = problem.step is Step.ENHANCEMENTS and problem.photo_id in names
        return f"{names[problem.photo_id or '']}: {problem.message}" if is_of_photo else problem.message

    return [(url_of(problem), words(problem)) for problem in found]


def strip_unprintable(text: str) -> str:
    """The typed text without the characters that a page cannot hold, to be shown again."""
    return "".join(each for each in text if each.isprintable() or each in "\t\r\n")


def pressed_button() -> str:
    """The value of the button that sent the form; empty for none."""
    return request.form.get(GO, "")


def is_leaving() -> bool:
    """Whether the user leaves the wizard: what was filled in is saved, complete or not."""
    return pressed_button() == LEAVE


def redirect_to_next(step: Step) -> ResponseReturnValue:
    """Redirect after a save: out of the wizard, back to the board if the user came from it, or to the next page."""
    if is_leaving():
        return leave_wizard()
    next_step = STEPS[STEPS.index(step) + 1]
    if is_from_board() or next_step not in PAGES:
        return redirect(url_for("board.show"), 303)
    return redirect(url_for(f"drafts.{next_step}"), 303)


def leave_wizard() -> ResponseReturnValue:
    """Redirect from the wizard to the list of orders; the draft is kept as it is."""
    flash("Your order is saved. Continue it here whenever you like.")
    return redirect(url_for("orders.index"), 303)


def is_from_board() -> bool:
    """Whether the user came to this page from the board, and is redirected there afterwards."""
    return request.args.get(BACK) == BOARD


def render_step(step: Step, template: str, http_status: int = 200, /, **values: Any) -> ResponseReturnValue:
    """Render a page of the wizard."""
    given = describe_page() | {
        "step": min(STEPS.index(step), len(PAGES)) + 1,
        "steps": len(PAGES) + 1,
        "back_url": url_for("board.show") if is_from_board() else _url_of_previous(step),
        "stale": http_status == 409,
    }
    return render_template(f"portal/orders/wizard/{template}.html", **given | values), http_status


def describe_page() -> dict[str, Any]:
    """The values for every template of a draft."""
    shown = page()
    return {
        "page": shown,
        "content": shown.content,
        "quote": shown.price(),
        "forecasts": shown.forecasts,
        "photo_types": list(PhotoType),
        "enhancement": Enhancement,
        "imagery": container().imagery is not None,
        "generative": container().generative is not None,
    }


def _url_of_previous(step: Step) -> str:
    index = STEPS.index(step)
    if not index:
        return url_for("orders.index")
    previous = STEPS[index - 1]
    return url_for(f"drafts.{previous}") if previous in PAGES else url_for(BOARD_PAGE, _anchor=ANCHORS[previous])
