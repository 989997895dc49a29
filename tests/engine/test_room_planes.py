"""Which plane of a room a pixel sees, and where on it."""

import numpy as np
import pytest

from engine.geometry.camera import Camera
from engine.geometry.faces import list_faces
from engine.geometry.planes import FLOOR, NO_PLANE, get_ceiling_number, number_planes
from engine.geometry.pose import rotation_matrix
from engine.geometry.room import Room, Wall

CAMERA = Camera(420.0, (384.0, 240.0), rotation_matrix(0.2, 0.05, 0.01), 1.4)
WALLS = (Wall((-2.0, 1.0), (-2.0, 5.0)), Wall((-2.0, 5.0), (2.5, 5.0)), Wall((2.5, 5.0), (2.5, 1.0)))
ROOM = Room(CAMERA, WALLS, 2.6)


def mapped(homography: np.ndarray, spot: tuple[float, float]) -> np.ndarray:
    x, y, w = homography @ np.array([*spot, 1.0])
    return np.array([x / w, y / w])


def measured(which: int, pixel: tuple[float, float]) -> np.ndarray:
    return mapped(np.linalg.inv(list_faces(ROOM)[which].compute_homography(ROOM)), pixel)


def seen(spot: tuple[float, float, float]) -> tuple[float, float]:
    place = CAMERA.project(np.array([spot]))[0][0]
    return float(place[0]), float(place[1])


def number_at(spot: tuple[float, float, float]) -> int:
    x, y = seen(spot)
    return int(number_planes(ROOM, 768, 512)[int(y), int(x)])


def test_a_pixel_of_the_floor_is_measured_in_meters_of_the_room() -> None:
    assert np.allclose(measured(FLOOR, seen((0.7, 3.0, 0.0))), (0.7, 3.0))


def test_a_pixel_of_a_wall_is_measured_along_it_and_upwards() -> None:
    assert np.allclose(measured(2, seen((-0.5, 5.0, 1.1))), (1.5, 1.1))
    assert np.allclose(measured(3, seen((2.5, 4.0, 2.0))), (1.0, 2.0))


@pytest.mark.parametrize("which", range(5))
def test_meters_and_pixels_go_both_ways(which: int) -> None:
    there = mapped(list_faces(ROOM)[which].compute_homography(ROOM), (0.4, 2.2))
    assert np.allclose(measured(which, (there[0], there[1])), (0.4, 2.2))


def test_every_pixel_is_of_the_plane_that_it_sees() -> None:
    assert number_at((0.5, 3.0, 0.0)) == FLOOR
    assert number_at((-1.98, 3.5, 1.5)) == 1
    assert number_at((0.5, 4.98, 1.2)) == 2
    assert number_at((2.48, 4.0, 1.0)) == 3
    assert number_at((0.3, 4.0, 2.61)) == get_ceiling_number(ROOM) == 4


def test_the_foot_of_a_wall_parts_it_from_the_floor() -> None:
    numbers = number_planes(ROOM, 768, 512)
    x, y = seen((0.5, 5.0, 0.0))
    assert numbers[int(y) - 2, int(x)] == 2
    assert numbers[int(y) + 2, int(x)] == FLOOR


def test_without_a_known_ceiling_walls_go_up_for_ever() -> None:
    open_room = Room(CAMERA, WALLS, None)
    assert get_ceiling_number(open_room) not in number_planes(open_room, 768, 512)
    assert len(list_faces(open_room)) == get_ceiling_number(open_room)


def test_a_room_without_walls_has_floor_up_to_the_horizon() -> None:
    numbers = number_planes(Room(CAMERA, (), None), 768, 512)
    assert set(np.unique(numbers)) == {FLOOR, NO_PLANE}
