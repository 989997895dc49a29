"""Rooms drawn without tracing light: their labels are those of the true geometry."""

import numpy as np
import pytest

from engine.geometry.surface import PLACE, Surface
from training import quick_rooms
from training.quick_variety import varied_room
from training.render.room import measured

SMALL = 0.25


def chance(number: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([3, number]))


def test_the_same_seed_draws_the_same_room() -> None:
    one, other = quick_rooms.drawn_room(chance(1), SMALL), quick_rooms.drawn_room(chance(1), SMALL)
    assert np.array_equal(one.picture, other.picture)
    assert one.surfaces is not None
    assert np.array_equal(one.surfaces, other.surfaces)


@pytest.mark.parametrize("number", range(4))
def test_floor_is_seen_where_the_camera_looks_at_it(number: int) -> None:
    room = quick_rooms.drawn_room(chance(number))
    made = varied_room(chance(number))
    truth = measured(made.room, made.camera)
    assert room.surfaces is not None
    rows, columns = np.nonzero(room.surfaces == PLACE[Surface.FLOOR])
    assert len(rows) > 20
    spots = truth.camera.intersect_floor(np.column_stack([columns + 0.5, rows + 0.5]).astype(float))
    near = 0.02
    left, right = made.room.left - made.camera.position[0], made.room.right - made.camera.position[0]
    assert not np.isnan(spots).any()
    assert (spots[:, 0] > left - near).all()
    assert (spots[:, 0] < right + near).all()
    assert (spots[:, 1] < made.room.deep - made.camera.position[1] + near).all()


def test_a_room_has_light_and_shade() -> None:
    picture = quick_rooms.drawn_room(chance(2), SMALL).picture
    assert picture.std() > 10
    assert 30 < picture.mean() < 250
