"""A room's camera and walls."""

import json

import numpy as np

from engine.geometry.camera import Camera
from engine.geometry.room import Room, Wall, read_room

LEVEL = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
CAMERA = Camera(800.0, (500.0, 400.0), LEVEL, 1.5)


def test_a_level_camera_sees_the_horizon_at_its_center() -> None:
    places, depth = CAMERA.project(np.array([[0.0, 4.0, 1.5], [2.0, 4.0, 0.0]]))
    assert np.allclose(places, [[500, 400], [900, 700]])
    assert np.allclose(depth, 4)


def test_a_pixel_looks_at_the_spot_of_floor_that_is_seen_there() -> None:
    spots = np.array([[0.5, 3.0, 0.0], [-2.0, 5.0, 0.0]])
    places, _ = CAMERA.project(spots)
    assert np.allclose(CAMERA.intersect_floor(places), spots)


def test_pixels_above_the_horizon_see_no_floor() -> None:
    assert np.isnan(CAMERA.intersect_floor(np.array([[500.0, 300.0], [500.0, 400.0]]))).all()


def test_points_behind_the_lens_are_told_by_their_distance() -> None:
    assert CAMERA.project(np.array([[0.0, -1.0, 1.0]]))[1][0] < 0


def test_a_camera_for_a_smaller_picture_sees_the_same() -> None:
    spot = np.array([[1.0, 3.0, 0.5]])
    assert np.allclose(CAMERA.rescale(0.25).project(spot)[0], CAMERA.project(spot)[0] * 0.25)


def test_a_higher_camera_sees_a_larger_room() -> None:
    pixel = np.array([[700.0, 650.0]])
    assert np.allclose(CAMERA.with_height(3.0).intersect_floor(pixel), 2 * CAMERA.intersect_floor(pixel))


def test_a_wall_before_the_camera_looks_back_at_it() -> None:
    wall = Wall((-2.0, 5.0), (3.0, 5.0))
    assert wall.length == 5
    assert np.allclose(wall.inward, [0, -1, 0])
    assert wall.distance == -5
    assert np.allclose(CAMERA.intersect(np.array([[500.0, 400.0]]), wall.inward, wall.distance), [[0, 5, 1.5]])


def test_a_room_is_the_same_after_a_round_through_json() -> None:
    room = Room(CAMERA, (Wall((-2.0, 1.0), (-2.0, 5.0)), Wall((-2.0, 5.0), (3.0, 5.0))), 2.6, 0.8, "door")
    again = read_room(json.loads(json.dumps(room.as_json())))
    assert again.walls == room.walls
    assert (again.ceiling, again.confidence, again.scale_source) == (2.6, 0.8, "door")
    assert np.array_equal(again.camera.turn, CAMERA.turn)
    assert again.camera.center == CAMERA.center
