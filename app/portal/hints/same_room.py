"""Carries the furniture of one photo's floor plan into the plan of another photo of the same room.

Both plans are in meters, each from its own camera. A corner where two walls meet, and that both photos show,
determines how one plan lies in the other; two corners also determine the ratio of their sizes.
"""

import cmath
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from app.domain.errors import InvalidRequest
from app.portal.hints import plan_geometry
from app.portal.hints.floor_areas import flatten, show_area
from app.portal.hints.pieces import read_points
from app.portal.hints.plan_geometry import Matrix, Spot
from engine.types.floor_plan import LOOKS
from engine.types.hints import Piece, PlacementHint, Point, Polygon, SceneHints

MIN_WALL = 0.1
"""Walls shorter than this, in meters, have no reliable direction."""
MAX_TURNED = math.radians(15)
"""Greatest angle between two walls that are said to be the same."""
MAX_SCALE = 1.35
"""Greatest ratio between the sizes of the two plans."""
MAX_OFF = 0.5
"""Greatest distance between two corners that are said to be the same, meters."""
NO_CORNER = "Say of one corner at least which it is."
OTHER_CORNER = "These are not the same corner: the walls beside it run otherwise."
OTHER_SIZE = "These corners are not as far apart in one photo as in the other. Say which they are again."


@dataclass(frozen=True, slots=True)
class RoomCorner:
    """A corner of the room where two walls meet: its spot and the directions of the walls from there, as complex
    numbers, and the point of the picture that shows it.
    """

    spot: complex
    left: complex
    right: complex
    at: Spot


@dataclass(frozen=True, slots=True)
class FurnishedView:
    """The furniture that is carried over: main pieces, each with its spot and the direction of its front, and areas
    that stay free.
    """

    pieces: Sequence[tuple[Piece, complex, complex]]
    areas: Sequence[Sequence[complex]]


@dataclass(frozen=True, slots=True)
class CarriedView:
    """The part of the furniture that another photo shows, in the form of hints, and the pieces that are not in that
    photo.
    """

    placements: tuple[PlacementHint, ...]
    clear: tuple[Polygon, ...]
    unseen: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class _Movement:
    """The movement from one plan into the other."""

    turn: complex
    scale: float
    shift: complex

    def move(self, spot: complex) -> complex:
        return self.shift + self.scale * self.turn * spot


def list_corners(plan: Mapping[str, Any]) -> Sequence[RoomCorner]:
    """The corners of a plan that are in the picture, from left to right."""
    return list(_list_corners(plan, flatten(plan)))


def _list_corners(plan: Mapping[str, Any], matrix: Matrix) -> Iterator[RoomCorner]:
    for left, right in pairwise(plan["walls"]):
        (start, corner), (other, end) = left, right
        if math.dist(corner, other) > 0.01 or min(math.dist(*left), math.dist(*right)) < MIN_WALL:
            continue
        at = plan_geometry.project(matrix, corner)
        if at is None or not all(0 <= each <= 1 for each in at):
            continue
        spot = complex(*corner)
        yield RoomCorner(spot, _unit(complex(*start) - spot), _unit(complex(*end) - spot), at)


def read_view(plan: Mapping[str, Any], hints: SceneHints | None) -> FurnishedView:
    """The furniture in a plan: the pieces at the places where the engine puts them, if its plan is for these hints;
    else at the places in the hints. Without placements, the pieces that the engine chooses.
    """
    matrix, hints = flatten(plan), hints or SceneHints()
    planned = [each for layout in plan["layouts"][:1] for each in layout["pieces"] if each["main"]]
    placed = {(each.piece, each.at) for each in hints.placements}
    if not placed or (planned and all((each["piece"], tuple(each["at"])) in placed for each in planned)):
        pieces = [
            (Piece(each["piece"]), complex(each["x"], each["y"]), -1j * cmath.rect(1, math.radians(each["turn"])))
            for each in planned
        ]
    else:
        pieces = list(_locate(hints.placements, matrix))
    outlines = [[plan_geometry.find_spot(matrix, point) for point in outline] for outline in hints.clear]
    areas = [[complex(*spot) for spot in each if spot is not None] for each in outlines if None not in each]
    return FurnishedView(pieces, areas)


def _locate(placements: Sequence[PlacementHint], matrix: Matrix) -> Iterator[tuple[Piece, complex, complex]]:
    for each in placements:
        at = plan_geometry.find_spot(matrix, each.at)
        faces = plan_geometry.find_spot(matrix, each.faces) if each.faces else (0.0, 0.0)
        if at is not None:
            spot = complex(*at)
            yield each.piece, spot, _unit(complex(*(faces or (0.0, 0.0))) - spot)


def carry(
    view: FurnishedView, pairs: Sequence[tuple[RoomCorner, RoomCorner]], plan: Mapping[str, Any]
) -> CarriedView:
    """The part of the view that the photo of the `plan` shows. `pairs`: corners of the view's plan, each with the
    same corner in this plan. Raises InvalidRequest, for the field of the corners, if they cannot be the same.
    """
    movement, matrix = _find_movement(pairs), flatten(plan)
    moved = [(piece, movement.move(spot), movement.turn * front) for piece, spot, front in view.pieces]
    placed = [(piece, _show(spot, matrix), _look(spot, front, matrix)) for piece, spot, front in moved]
    areas = [[movement.move(spot) for spot in each] for each in view.areas]
    shown = [show_area([(spot.real, spot.imag) for spot in each], matrix) for each in areas]
    return CarriedView(
        tuple(PlacementHint(piece, at, faces) for piece, at, faces in placed if at is not None),
        tuple(tuple((x, y) for x, y in read_points(each)) for each in shown if each),
        [piece for piece, at, _ in placed if at is None],
    )


def _find_movement(pairs: Sequence[tuple[RoomCorner, RoomCorner]]) -> _Movement:
    if not pairs:
        raise InvalidRequest({"corner-0": NO_CORNER})
    turns = [here * there.conjugate() for one, other in pairs for here, there in _match_walls(one, other)]
    turn = _unit(sum(turns))
    if any(abs(cmath.phase(each * turn.conjugate())) > MAX_TURNED for each in turns):
        raise InvalidRequest({"corner-0": OTHER_CORNER})
    (first, first_here), (last, last_here) = pairs[0], pairs[-1]
    apart, apart_here = abs(last.spot - first.spot), abs(last_here.spot - first_here.spot)
    scale = apart_here / apart if apart and apart_here else 1.0
    if not 1 / MAX_SCALE <= scale <= MAX_SCALE:
        raise InvalidRequest({"corner-0": OTHER_SIZE})
    shift = sum(here.spot - scale * turn * there.spot for there, here in pairs) / len(pairs)
    movement = _Movement(turn, scale, shift)
    if any(abs(movement.move(there.spot) - here.spot) > MAX_OFF for there, here in pairs):
        raise InvalidRequest({"corner-0": OTHER_SIZE})
    return movement


def _match_walls(there: RoomCorner, here: RoomCorner) -> Iterator[tuple[complex, complex]]:
    yield here.left, there.left
    yield here.right, there.right


def _show(spot: complex, matrix: Matrix) -> Point | None:
    """The point of the picture that shows a spot; None if the spot is not in the picture."""
    point = plan_geometry.project(matrix, (spot.real, spot.imag))
    if point is None or not all(0 <= each <= 1 for each in point):
        return None
    return round(point[0], 4), round(point[1], 4)


def _look(spot: complex, front: complex, matrix: Matrix) -> Point | None:
    points = (_show(spot + far * front, matrix) for far in LOOKS)
    return next((each for each in points if each is not None), None)


def _unit(number: complex) -> complex:
    return number / abs(number) if number else 1 + 0j
