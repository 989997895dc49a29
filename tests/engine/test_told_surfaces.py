"""A filling that looks like what hints say is believed, whatever the net sees in it; a ghost is not."""

from collections.abc import Set

import numpy as np
import pytest

from engine.arrays import Mask, plane
from engine.filters.morphology import dilate
from engine.geometry.surface import PLACE, Surface
from engine.quality.removal_residue import measure_cut_things, measure_unclear
from engine.quality.told_surfaces import find_as_told
from tests.engine.box_rooms import BoxRoom
from tests.scenes import Picture

ROOM = BoxRoom()
FURNISHED, LABELS = ROOM.drawn(furnished=True)
EMPTY, _ = ROOM.drawn(furnished=False)
THING = np.asarray(PLACE[Surface.FURNITURE] == LABELS)
CHANGED = dilate(THING, 2)
SURFACES = plane(np.eye(len(Surface), dtype=np.float32)[LABELS])
TOLD = frozenset({Surface.FLOOR, Surface.WALL})


def believed(after: Picture, told: Set[Surface] = TOLD) -> Mask:
    return find_as_told((FURNISHED, after), CHANGED, SURFACES, ROOM.room, told)


def mixed(share: float) -> Picture:
    return np.rint(FURNISHED * share + EMPTY * (1 - share)).astype(np.uint8)


def test_a_true_filling_is_believed() -> None:
    assert believed(EMPTY)[THING].mean() > 0.85
    assert not believed(EMPTY)[~CHANGED].any()


@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_a_thing_that_shimmers_through_is_not(share: float) -> None:
    assert believed(mixed(share))[THING].mean() < 0.05


def test_other_colors_and_edges_than_the_surface_has_are_not() -> None:
    spotted = EMPTY.copy()
    middle = np.argwhere(THING).mean(0).astype(int)
    spot = np.s_[middle[0] - 12 : middle[0] + 12, middle[1] - 12 : middle[1] + 12]
    spotted[spot] = (40, 120, 60)
    assert believed(spotted)[spot].mean() < 0.05 < believed(EMPTY)[spot].mean()


def test_what_nobody_told_is_left_to_the_net() -> None:
    assert not believed(EMPTY, frozenset()).any()
    assert not believed(EMPTY, frozenset({Surface.CEILING})).any()


def test_what_is_believed_is_not_unclear() -> None:
    seen = np.zeros((*LABELS.shape, len(Surface)), np.float32)
    seen[..., PLACE[Surface.OTHER]] = 1
    assert measure_unclear(plane(seen), plane(CHANGED)) == 1
    assert measure_unclear(plane(seen), plane(CHANGED), believed(EMPTY)) < 0.25


def test_at_the_foot_of_a_door_nothing_is_cut() -> None:
    before = np.full((200, 300, 3), (150, 120, 90), np.uint8)
    after = before.copy()
    after[:100] = (200, 190, 180)
    region = np.zeros((200, 300), np.float32)
    region[:100] = 1
    floor = np.zeros((200, 300, len(Surface)), np.float32)
    floor[..., PLACE[Surface.FLOOR]] = 1
    numbers = np.zeros((200, 300), np.uint8)
    numbers[:100] = 1
    given = (before, after), plane(region), plane(floor), (Surface.FURNITURE,)
    assert measure_cut_things(*given) > 0
    assert measure_cut_things(*given, numbers) > 0
    floor[:98] = np.eye(len(Surface))[PLACE[Surface.DOOR]]
    assert measure_cut_things((before, after), plane(region), plane(floor), (Surface.FURNITURE,), numbers) == 0
