"""Where placed pieces stand in the floor plan, and which of them stand in an area that is to stay free."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.portal.hints import plan_geometry
from app.portal.hints.floor_areas import FloorArea
from app.portal.hints.plan_geometry import Matrix, Spot
from app.portal.hints.words import ENDS, PIECES
from engine.types.hints import Piece

MIN_OVERLAP = 0.02
"""A piece that covers at least this much of an area stands in it, square meters."""


@dataclass(frozen=True, slots=True)
class StandingPiece:
    """A placed piece in the plan: its kind, and the corners of the floor that it covers."""

    piece: Piece
    corners: Sequence[Spot]

    @property
    def in_plan(self) -> str:
        """Its outline in the plan, as the `points` of SVG."""
        return plan_geometry.write_spots(self.corners)


def list_standing(
    places: Sequence[Mapping[str, str]], matrix: Matrix, sizes: Mapping[str, tuple[float, float]]
) -> Sequence[StandingPiece]:
    """The pieces in these rows of the form that stand on the floor; `sizes`: width and depth by piece."""
    return list(_list_standing(places, matrix, sizes))


def name_standing_in(pieces: Sequence[StandingPiece], areas: Sequence[FloorArea]) -> Sequence[str]:
    """The names of the pieces that stand in an area that is to stay free."""
    kept = [each.spots for each in areas if each.is_used and each.spots]
    return [PIECES[each.piece] for each in pieces if any(_overlap(each.corners, area) for area in kept)]


def _list_standing(
    places: Sequence[Mapping[str, str]], matrix: Matrix, sizes: Mapping[str, tuple[float, float]]
) -> Iterator[StandingPiece]:
    for each in places:
        if each["piece"] not in sizes:
            continue
        try:
            x, y, u, v = (float(each[end]) / 100 if each[end] else math.nan for end in ENDS)
        except ValueError:
            continue
        spot = None if math.isnan(x + y) else plan_geometry.find_spot(matrix, (x, y))
        if spot is None:
            continue
        # A piece that faces nothing else faces the camera, as in the engine.
        faced = None if math.isnan(u + v) else plan_geometry.find_spot(matrix, (u, v))
        yield StandingPiece(Piece(each["piece"]), _turn(spot, faced or (0.0, 0.0), sizes[each["piece"]]))


def _turn(spot: Spot, faced: Spot, size: tuple[float, float]) -> Sequence[Spot]:
    (x, y), (width, depth) = spot, size
    away = math.hypot(faced[0] - x, faced[1] - y) or 1.0
    ahead, aside = (faced[0] - x) / away, (faced[1] - y) / away
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [
        (x + (q * ahead * depth - p * aside * width) / 2, y + (q * aside * depth + p * ahead * width) / 2)
        for p, q in signs
    ]


def _overlap(corners: Sequence[Spot], area: Sequence[Spot]) -> bool:
    shared = plan_geometry.clip(area, plan_geometry.list_sides(corners))
    return len(shared) > 2 and plan_geometry.measure(shared) > MIN_OVERLAP
