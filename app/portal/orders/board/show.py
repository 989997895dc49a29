"""The board itself, and the fragment that it polls while previews are being made."""

from collections.abc import Sequence

from flask import request
from flask.typing import ResponseReturnValue

from app.domain.limits import MAX_DRAFT_FILES
from app.models import DraftPhoto
from app.portal.fragments import render_page_or_fragment
from app.portal.orders.board.page import blueprint, render_board
from app.portal.orders.wizard.steps import describe_page, draft_id, page, reload_page
from app.portal.visitors import visitor
from app.services.orders import draft_selections, drafts
from app.services.orders.draft_sorting import Unsorted
from app.web.context import container


@blueprint.get("/<draft_id>")
def show() -> ResponseReturnValue:
    """Apply the photo types that the analysis of files found, then show the board."""
    _apply_guesses()
    return render_board(selected=request.args.getlist("photo"))


@blueprint.get("/<draft_id>/previews")
def previews() -> ResponseReturnValue:
    """The previews made so far of the files in `waiting`; htmx asks again while any is missing.

    `is_changed` makes the page reload the whole board, because a photo no longer waits to be sorted, or no preview
    is missing any more.
    """
    asked_ids = request.args.get("waiting", "")[: 40 * MAX_DRAFT_FILES].split(",")
    rows = [page().rows[photo_id] for photo_id in asked_ids if photo_id in page().rows]
    waiting = [row for row in rows if page().is_waiting(row)]
    made = [row for row in rows if row not in waiting]
    _apply_guesses()
    shown_ids = {photo.id for photo in page().order.photos}
    given = describe_page() | {
        "made": [row for row in made if row.id in shown_ids],
        "waiting": waiting,
        "is_changed": not waiting or _are_sorted(made),
    }
    part = "portal/orders/board/_previews.html"
    return render_page_or_fragment(part, part, **given)


def _are_sorted(made: Sequence[DraftPhoto]) -> bool:
    """Whether the analysis of any of these files, which the page waits for, has decided the type of a photo, or
    that the type is unclear. A frame decides nothing while other frames of its photo are missing.
    """
    photo_ids = {key: photo.id for photo in page().order.photos for key in photo.storage_keys}
    unsorted = page().sorting.unsorted
    return any(
        not row.type_is_chosen and unsorted.get(photo_ids.get(row.storage_key, "")) is not Unsorted.WAITING
        for row in made
    )


def _apply_guesses() -> None:
    """Set the types that the analysis found, for photos without a chosen type."""
    if not page().sorting.guesses:
        return
    here = container()
    with here.database.unit_of_work() as session:
        draft = drafts.get_open(session, visitor().account_id, draft_id())
        draft_selections.apply_guesses(session, draft, here.clock())
    reload_page()
