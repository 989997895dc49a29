"""The board as a page and as a fragment for htmx: the values for its templates, and answers to changes."""

from collections.abc import Collection
from typing import Any

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from app.domain import limits
from app.domain.catalog import suggest
from app.domain.draft_orders import listing_of
from app.domain.drafts import Step
from app.domain.orders import MIN_DESCRIPTION
from app.domain.presets import MAX_PRESET_NAME
from app.domain.pricing import PricedPhoto, image_price
from app.domain.unsupported_files import describe_for_browsers
from app.portal.fragments import render_page_or_fragment, wants_fragment
from app.portal.orders.board.basket import describe_basket
from app.portal.orders.board.frames import describe_frames
from app.portal.orders.wizard.enhancements import find_barred_here, list_groups, price_exterior
from app.portal.orders.wizard.forecasts import ask_for_forecasts
from app.portal.orders.wizard.listing_words import describe_listing
from app.portal.orders.wizard.steps import (
    describe_page,
    make_blueprint,
    page,
    read_page,
    redirect_to_problem,
)
from app.portal.visitors import visitor
from app.services.orders import draft_arrivals, presets
from app.web.context import container
from engine.types.edit_request import MAX_CHANGES
from engine.types.enhancements import ChangeType, PhotoType, RoomType, Style

blueprint = make_blueprint("board", "/properties")


def render_board(
    http_status: int = 200, /, *, message: str = "", selected: Collection[str] = (), **values: Any
) -> ResponseReturnValue:
    """Render the board, or its fragment for htmx. `message`: a message about the change; `selected`: ids of photos.

    htmx shows only answers with a status of success or 422, so it gets 422 in place of any other error status.
    """
    with container().database.read_session() as session:
        rows = read_page(session).rows
        if redirection := redirect_to_problem(Step.PHOTOS):
            return redirection
        given = describe_page() | _describe_photos() | _describe_house_styles(session)
        given |= describe_frames() | describe_basket(session)
    if not wants_fragment():
        # After a change by htmx, the page's poll asks instead, a little later, so that several changes in a row are
        # covered by one request.
        ask_for_forecasts()
    given |= {"message": message, "stale": http_status == 409, "faults": []}
    given |= {"selected": frozenset(each for each in selected if each in rows)}
    given |= {"open_menu": "", "filled_in": {}, "menu_faults": {}}
    if wants_fragment() and http_status >= 400:
        http_status = 422
    return render_page_or_fragment(
        "portal/orders/board/show.html", "portal/orders/board/_answer.html", http_status, **given | values
    )


def answer(message: str, selected: Collection[str] = (), anchor: str = "photos") -> ResponseReturnValue:
    """Answer a change that was saved: the fragment for htmx, else a redirect to the board; both show `message`."""
    if wants_fragment():
        return render_board(message=message, selected=selected)
    flash(message)
    return redirect(url_for("board.show", _anchor=anchor), 303)


def refuse(
    fault: str, selected: Collection[str] = (), anchor: str = "photos", **values: Any
) -> ResponseReturnValue:
    """Render the board (422) with the reason why a change was refused; the draft is unchanged."""
    return render_board(422, selected=selected, faults=[(f"#{anchor}", fault)], **values)


def _describe_photos() -> dict[str, Any]:
    ordered = page().ordered
    groups = list_groups()
    presets_by_group = {group: suggest(group, generative=container().generative is not None) for group in groups}
    return {
        "groups": groups,
        "presets": presets_by_group,
        "shortest_presets": {
            group: min((pair for _, pair in found), key=len) for group, found in presets_by_group.items() if found
        },
        "typed": page().content,
        "advertised": describe_listing(listing_of(ordered)),
        "price_of_one": price_exterior(1),
        "price_of_several": price_exterior(2),
        "barred": find_barred_here(),
        "photo_prices": {
            photo.id: image_price(PricedPhoto(photo.type, ordered.edit_request(photo)))
            for photo in ordered.photos
            if photo.type in groups
        },
        "incomplete": {
            problem.photo_id: problem.message
            for problem in page().list_problems()
            if problem.step is Step.ENHANCEMENTS and problem.photo_id
        },
        "styles": list(Style),
        "rooms": list(RoomType),
        "change_types": list(ChangeType),
        "min_description": MIN_DESCRIPTION,
        "max_changes": MAX_CHANGES,
        "alive_seconds": draft_arrivals.ALIVE_SECONDS,
        "max_bytes": limits.MAX_FILE_BYTES,
        "max_megabytes": limits.MAX_FILE_MEGABYTES,
        "other_files": describe_for_browsers(),
        "imagery_offered": _offers_imagery(),
    }


def _describe_house_styles(session: Session) -> dict[str, Any]:
    return {
        "house_styles": list(presets.get_all(session, visitor().account_id)),
        "style_faults": {},
        "max_style_name": MAX_PRESET_NAME,
        "typed_style_name": "",
        "staging_style": page().content.staging_style,
    }


def _offers_imagery() -> bool:
    """Whether public imagery could replace photos of the outside."""
    has_exterior = any(photo.is_sorted and photo.type is PhotoType.EXTERIOR for photo in page().order.photos)
    return container().imagery is not None and not has_exterior and PhotoType.EXTERIOR in page().offered
