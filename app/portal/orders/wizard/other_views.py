"""Other photos of a draft whose floor plan a photo of the same room may take over, for its page of places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import request

from app.domain.drafts import DraftedPhoto
from app.domain.errors import InvalidRequest
from app.models import DraftPhoto
from app.portal.hints.same_room import RoomCorner, carry, list_corners, read_view
from app.portal.hints.words import PIECES
from app.portal.orders.wizard.steps import page, pressed_button
from app.portal.visitors import visitor
from app.services.previews import outlooks
from app.web.context import container
from engine.types.enhancements import Enhancement
from engine.types.hint_document import MAX_CORNERS
from engine.types.hints import Piece, SceneHints

SAME, CARRY = "same", "carry"
"""The values of the button that chooses the photo, and of the button that takes its plan over."""
NO_PHOTO = "Choose the photo whose plan is to be used."
LETTERS = "ABCDEFGHIJKL"
"""The names of the corners in the other photo; here they have numbers."""


@dataclass(frozen=True, slots=True)
class OtherView:
    """Another photo whose furniture is planned. `differs`: it is staged in another style or as another kind of room
    than the present photo.
    """

    photo: DraftedPhoto
    plan: Mapping[str, Any]
    differs: bool

    @property
    def corners(self) -> Sequence[tuple[str, RoomCorner]]:
        """Its corners with their letters."""
        return list(zip(LETTERS, list_corners(self.plan), strict=False))

    @property
    def pieces(self) -> Sequence[str]:
        """The names of its main pieces."""
        return [PIECES[piece] for piece, _, _ in read_view(self.plan, self.photo.edit_request.hints).pieces]


def list_others(row: DraftPhoto) -> Sequence[OtherView]:
    """The other photos of the draft that are staged, and whose furniture is planned."""
    order = page().order
    wanted = {each.id: order.edit_request(each) for each in order.photos}
    others = [each for each in order.photos if each.id != row.id and Enhancement.STAGING in wanted[each.id].steps]
    with container().database.read_session() as session:
        plans = outlooks.find_plans(session, visitor().account_id, [each.storage_key for each in others])
    here = _describe_staging(wanted[row.id])
    found = [
        OtherView(each, plans[each.storage_key], _describe_staging(wanted[each.id]) != here)
        for each in others
        if each.storage_key in plans
    ]
    return [each for each in found if each.pieces]


def _describe_staging(wanted: Any) -> tuple[Any, Any]:
    return wanted.style, wanted.room_type


def find_other(others: Sequence[OtherView]) -> OtherView:
    """The photo that this request names. Raises InvalidRequest where it names none of `others`."""
    found = next((each for each in others if each.photo.id == request.form.get("same")), None)
    if found is None:
        raise InvalidRequest({"same": NO_PHOTO})
    return found


def choose_corners(other: OtherView, corners: Sequence[RoomCorner]) -> Mapping[int, str]:
    """Number of a corner in this photo -> letter of the same corner in the other photo, as this request's form
    says. If each photo has only one corner, the two are paired until somebody changes that.
    """
    sent = {number: request.form[f"corner-{number}"] for number in range(MAX_CORNERS) if _is_sent(number)}
    return sent or ({0: LETTERS[0]} if len(other.corners) == len(corners) == 1 else {})


def _is_sent(number: int) -> bool:
    return f"corner-{number}" in request.form


def take_over(other: OtherView, plan: Mapping[str, Any], hints: SceneHints) -> tuple[SceneHints, Sequence[Piece]]:
    """The hints of a photo with this plan with the furniture and the free areas of the other, and the pieces that
    it does not show. Raises InvalidRequest if the corners do not say how the two plans lie.
    """
    letters, corners = dict(other.corners), list_corners(plan)
    chosen = choose_corners(other, corners)
    pairs = [
        (letters[letter], corners[number])
        for number, letter in chosen.items()
        if letter in letters and number < len(corners)
    ]
    carried = carry(read_view(other.plan, other.photo.edit_request.hints), pairs, plan)
    return replace(hints, placements=carried.placements, clear=carried.clear), carried.unseen


@dataclass(frozen=True, slots=True)
class TakenOver:
    """The answer to a request for another photo's plan: values of the template, why the plan cannot be taken over,
    and the `hints` with what was taken over, which nobody has saved.
    """

    values: Mapping[str, Any]
    is_asked: bool = False
    faults: Mapping[str, str] | None = None
    hints: SceneHints | None = None


def answer(row: DraftPhoto, plan: Mapping[str, Any] | None, hints: SceneHints) -> TakenOver:
    """The other photos to choose from, and the result of the choice in this request's form, if it was sent."""
    others = list_others(row) if plan and plan["floor"] else ()
    values: dict[str, Any] = {"others": others}
    asked = pressed_button() if request.method == "POST" else ""
    if not plan or asked not in (SAME, CARRY):
        return TakenOver(values)
    try:
        other = find_other(others)
        corners = list_corners(plan)
        values |= {"other": other, "corners": corners, "chosen_corners": choose_corners(other, corners)}
        if asked == SAME:
            return TakenOver(values, is_asked=True)
        taken, unseen = take_over(other, plan, hints)
    except InvalidRequest as refusal:
        faults = {name: str(words) for name, words in (refusal.details or {}).items()}
        return TakenOver(values, is_asked=True, faults=faults)
    values |= {"other": None, "taken_from": other, "unseen": [PIECES[each] for each in unseen]}
    return TakenOver(values, hints=taken)
