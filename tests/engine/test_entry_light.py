"""Light of entries at dusk: above doors and beside garage doors, on walls and ground, fading with distance."""

import numpy as np
import pytest

from engine.arrays import Plane, plane
from engine.relighting.entry_light import MAX_LIGHT, compute_entry_light
from engine.segmentation.entries import EntryPlace, find_entries

SHAPE = (200, 300)


def empty() -> Plane:
    return np.zeros(SHAPE, np.float32)


def with_door(box: tuple[int, int, int, int], share: float = 0.8) -> Plane:
    left, top, right, bottom = box
    door = empty()
    door[top:bottom, left:right] = share
    return door


def test_a_lamp_would_hang_above_a_door() -> None:
    (place,) = find_entries(with_door((140, 100, 160, 150)), empty())
    assert place.column == 150
    assert 90 < place.row < 100
    assert place.foot == 150


def test_lamps_would_hang_on_both_sides_of_a_garage_door() -> None:
    left, right = find_entries(empty(), with_door((100, 100, 180, 150)))
    assert 85 < left.column < 100 and 180 < right.column < 195
    assert 100 < left.row < 110


@pytest.mark.parametrize(
    "door",
    [
        with_door((140, 100, 160, 150), share=0.4),
        with_door((140, 100, 145, 108)),
        with_door((100, 100, 200, 150)),
        plane(np.tril(with_door((140, 100, 165, 150)), -20) * (np.indices(SHAPE).sum(0) % 3 > 0)),
    ],
    ids=["unsure", "small", "wide", "torn"],
)
def test_what_has_no_shape_of_a_door_has_no_lamp(door: Plane) -> None:
    assert not find_entries(door, empty())


def test_the_light_fades_on_the_wall_and_lies_on_the_ground_below() -> None:
    wall, ground = empty(), empty()
    wall[60:150], ground[150:] = 1, 1
    light = compute_entry_light([EntryPlace(97, 150, 150, 50)], wall, ground)[..., 0]
    assert light[97, 150] == light.max()
    assert light[97, 150] > 2 * light[97, 175] > 2 * light[97, 195]
    assert light[155, 150] > 2 * light[190, 150]
    assert light[:60].max() == light[60:150, :90].max() == 0


def test_lamps_close_to_each_other_are_limited_and_warm() -> None:
    light = compute_entry_light([EntryPlace(97, 150, 150, 50)] * 9, plane(empty() + 1), empty())
    assert light.max() == pytest.approx(MAX_LIGHT, abs=1e-6)
    assert (light[97, 150, 0] > light[97, 150, 1:]).all()


def test_nothing_is_lit_without_entries() -> None:
    assert not compute_entry_light([], plane(empty() + 1), plane(empty() + 1)).any()
