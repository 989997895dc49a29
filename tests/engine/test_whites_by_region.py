"""Casts of lamps are measured place by place, on what is white there; paint is no cast."""

import numpy as np
import pytest

from engine.arrays import Plane, plane
from engine.relighting.tone_mapping import Development, map_tones
from engine.relighting.white_balance import Whites, add_known_whites, measure_remaining_cast

HEIGHT, WIDTH = 90, 360
EVEN = plane((1, 1, 1))
WHITE, AMBER, GREENISH, GREEN_PAINT = (0.7, 0.7, 0.7), (0.74, 0.68, 0.54), (0.68, 0.7, 0.68), (0.6, 0.7, 0.5)


def halves(left: tuple[float, float, float], right: tuple[float, float, float]) -> Plane:
    small = np.empty((HEIGHT, WIDTH, 3), np.float32)
    small[:, : WIDTH // 2], small[:, WIDTH // 2 :] = left, right
    return small


def measured(left: tuple[float, float, float], right: tuple[float, float, float]) -> list[tuple[float, float]]:
    """Warmth and tint at the left end and at the right end, if all counts as white."""
    whites = Whites(plane(np.ones((HEIGHT, WIDTH))), (1, 1, 1), 1.0, 0.7)
    maps = measure_remaining_cast(halves(left, right), EVEN, whites, 1.0)
    return [(float(maps[0][45, column]), float(maps[1][45, column])) for column in (10, -10)]


def test_the_amber_of_one_lamp_is_found_at_its_end_of_the_room_only() -> None:
    (near_daylight, _), (near_lamp, _) = measured(WHITE, AMBER)
    assert near_lamp > 0.1
    assert abs(near_daylight) < 0.03


def test_the_green_of_a_fluorescent_lamp_is_found_and_green_paint_is_not() -> None:
    assert measured(WHITE, GREENISH)[1][1] > 0.015
    assert abs(measured(WHITE, GREEN_PAINT)[1][1]) < 0.01


@pytest.mark.parametrize(("ceiling", "counts"), [((0.7, 0.58, 0.42), True), ((0.55, 0.3, 0.15), False)])
def test_a_ceiling_counts_as_white_under_amber_lamps_but_not_if_it_is_of_wood(
    ceiling: tuple[float, float, float], counts: bool
) -> None:
    none = plane(np.zeros((HEIGHT, WIDTH)))
    found = add_known_whites(Whites(none, (1, 1, 1), 1.0, 0.7), halves(ceiling, ceiling), none + 1)
    assert (found.weight.mean() > 0.5) == counts


@pytest.mark.parametrize("green", [200, 206])
def test_a_tint_that_is_taken_out_turns_no_wall_pink(green: int) -> None:
    wall = np.full((60, 60, 3), (200, green, 200), np.uint8)
    small = plane(wall) / np.float32(255)
    none = plane(np.zeros((60, 60)))
    now = map_tones(wall, small, Development(EVEN, none, none + np.float32(0.06), small[..., 1], none + 1))
    red, green_now, blue = now.reshape(-1, 3).mean(0)
    assert green_now == pytest.approx((red + blue) / 2, abs=1.5)
