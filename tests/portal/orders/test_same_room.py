"""The furniture of one photo's plan is taken over into another photo of the same room, by a corner seen in both."""

import cmath
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from app.domain.errors import InvalidRequest
from app.portal.hints import plan_geometry
from app.portal.hints.same_room import FurnishedView, carry, list_corners, read_view
from engine.types.hints import Piece, PlacementHint, SceneHints

WALLS = (0j, 5j, 4 + 5j, 4 + 0j)
"""The corners of a room of 4 by 5 meters."""


@dataclass(frozen=True)
class View:
    """A camera in the room: its spot, how far it is turned to the left of the far wall, and where the engine's plan
    of it is turned: by whole right angles.
    """

    spot: complex
    yaw: float
    quarters: int = 0
    scale: float = 1.0

    def to_plan(self, spot: complex) -> complex:
        return (spot - self.spot) * 1j**self.quarters * self.scale

    def plan(self, corners: Sequence[complex]) -> Mapping[str, Any]:
        """The plan with the walls between these corners."""
        spots = [self.to_plan(each) for each in corners]
        points = [(each.real, each.imag) for each in spots]
        return {
            "floor": [points],
            "clear": [],
            "walls": list(pairwise(points)),
            "to_picture": self.matrix(),
            "layouts": [],
        }

    def matrix(self) -> list[list[float]]:
        """Of a level camera 1.5 m over the floor; the picture is 4 by 3, the focal length 0.6 of its width."""
        ahead = cmath.rect(1, math.pi / 2 + self.yaw) * 1j**self.quarters
        right = ahead / 1j
        focal, high, middle = 0.6, 1.5 * self.scale, 0.3
        depth = [ahead.real, ahead.imag, 0.0]
        across = [focal * right.real, focal * right.imag, 0.0]
        down = [0.0, 0.0, focal * high * 4 / 3]
        return [
            [x + 0.5 * d for x, d in zip(across, depth, strict=True)],
            [y + middle * d for y, d in zip(down, depth, strict=True)],
            depth,
        ]

    def shows(self, spot: complex) -> tuple[float, float]:
        moved = self.to_plan(spot)
        found = plan_geometry.project([each for row in self.matrix() for each in row], (moved.real, moved.imag))
        assert found is not None
        return found


ONE = View(1 + 0.3j, -0.3)
OTHER = View(2.5 + 0.5j, 0.45)
TURNED = View(3.5 + 1.5j, math.pi / 2 - 0.2, quarters=3)
SOFA, FRONT = 1.2 + 3j, -1j
CORNERS = WALLS[:3]


def view_of(view: View) -> FurnishedView:
    at, faces = view.shows(SOFA), view.shows(SOFA + FRONT)
    hints = SceneHints(placements=(PlacementHint(Piece.SOFA, at, faces),))
    return read_view(view.plan(CORNERS), hints)


def carried(there: View, here: View, pairs: Sequence[tuple[int, int]] = ((0, 0),)) -> tuple[float, ...]:
    there_corners, here_corners = list_corners(there.plan(CORNERS)), list_corners(here.plan(CORNERS))
    chosen = [(there_corners[one], here_corners[other]) for one, other in pairs]
    (sofa,) = carry(view_of(there), chosen, here.plan(CORNERS)).placements
    assert sofa.faces is not None
    return (*sofa.at, *sofa.faces)


@pytest.mark.parametrize("here", [OTHER, TURNED], ids=["from aside", "from another wall"])
def test_the_same_sofa_stands_at_the_same_spot_of_the_room(here: View) -> None:
    found = carried(ONE, here)
    looked = next(each for far in (2, 1, 0.5, 0.25) if 0 <= max(each := here.shows(SOFA + far * FRONT)) <= 1)
    assert found == pytest.approx((*here.shows(SOFA), *looked), abs=2e-4)


def test_two_corners_correct_a_room_that_was_measured_too_large() -> None:
    assert len(list_corners(View(2 + 0j, 0.0).plan(WALLS))) == 2
    one, large = View(2 + 0j, 0.0), View(1.5 + 0.2j, -0.1, scale=1.2)
    view = FurnishedView([(Piece.SOFA, one.to_plan(SOFA), FRONT)], [])
    pairs = list(zip(list_corners(one.plan(WALLS)), list_corners(large.plan(WALLS)), strict=True))
    (sofa,) = carry(view, pairs, large.plan(WALLS)).placements
    assert sofa.at == pytest.approx(large.shows(SOFA), abs=2e-4)
    (off,) = carry(view, pairs[:1], large.plan(WALLS)).placements
    assert off.at != pytest.approx(large.shows(SOFA), abs=2e-3)


def test_what_is_not_the_same_corner_is_refused() -> None:
    one = View(2 + 0j, 0.0)
    left, right = list_corners(one.plan(WALLS))
    pillar = list_corners(one.plan([1 + 5j, 1 + 3j, 4 + 3j]))
    with pytest.raises(InvalidRequest) as refused:
        carry(view_of(one), [(left, pillar[0])], one.plan(WALLS))
    assert "not the same corner" in str(refused.value.details)
    with pytest.raises(InvalidRequest) as refused:
        carry(view_of(one), [(left, left), (right, left)], one.plan(WALLS))
    assert refused.value.details
    with pytest.raises(InvalidRequest):
        carry(view_of(one), [], one.plan(WALLS))


def test_corners_that_are_much_farther_apart_in_one_photo_are_not_the_same() -> None:
    one, large = View(2 + 0j, 0.0), View(2 + 0j, 0.0, scale=1.4)
    pairs = list(zip(list_corners(one.plan(WALLS)), list_corners(large.plan(WALLS)), strict=True))
    with pytest.raises(InvalidRequest) as refused:
        carry(view_of(one), pairs, large.plan(WALLS))
    assert "not as far apart" in str(refused.value.details)
