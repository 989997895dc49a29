"""The room found in one photo: drawn boxes with known cameras, and photos that show no room to be measured."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from engine.geometry import estimation
from engine.geometry.camera import Camera
from engine.geometry.estimation import MESSAGES, Obstacle, RoomUnclear, estimate_room
from engine.geometry.outline import BACK, LEFT, RIGHT, OutlineWall
from engine.geometry.room import Room, read_room
from engine.geometry.surface import PLACE, Surface
from tests.engine.boxes import KITCHEN, SOFA, Box, camera, directions_off

FURNISHED, EMPTY = Box(blocks=(SOFA, KITCHEN)), Box(blocks=())
UPRIGHT = (320, 480)
VIEWS = {
    "level, one point": camera(),
    "level, two points": camera(yaw=35),
    "nearly along a wall": camera(yaw=7),
    "pitched down": camera(yaw=15, pitch=12),
    "pitched up": camera(yaw=-20, pitch=-4),
    "rolled": camera(yaw=24, roll=2.5),
    "shifted down": camera(yaw=-25, shift=0.12),
    "shifted up, one point": camera(shift=-0.1),
    "wide": camera(across=98, yaw=12),
    "narrow": camera(across=52, yaw=-30, pitch=7),
    "upright format": camera(across=75, yaw=10, pitch=5, size=UPRIGHT),
}
FLOOR_HIDDEN = {"pitched up", "narrow", "shifted down"}
"""Views in which the things would leave no floor to be seen."""

QUICK = ("level, two points",)
SOME_LONG = [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in VIEWS]


@cache
def found(name: str) -> Room:
    view = VIEWS[name]
    box = EMPTY if name in FLOOR_HIDDEN else FURNISHED
    return estimate_room(*box.drawn(view, *(UPRIGHT if "format" in name else (480, 320))))


@pytest.mark.parametrize("name", SOME_LONG)
def test_the_main_directions_are_found_within_a_degree(name: str) -> None:
    assert directions_off(found(name).camera, VIEWS[name]).max() < 1


@pytest.mark.parametrize("name", SOME_LONG)
def test_the_camera_stands_as_high_as_door_and_worktop_say(name: str) -> None:
    assert abs(np.log(found(name).camera.height / 1.4)) < 0.06
    assert found(name).scale_source in {"door", "counter", "ceiling"}


@pytest.mark.parametrize("name", SOME_LONG)
def test_the_back_wall_stands_where_it_does(name: str) -> None:
    back = max((wall for wall in found(name).walls if wall.inward[1] < -0.9), key=lambda wall: wall.length)
    assert back.start[1] == pytest.approx(4.6, rel=0.06)


def test_a_box_has_three_walls_from_left_to_right_that_meet() -> None:
    walls = found("level, one point").walls
    assert [wall.inward.round(3).tolist() for wall in walls] == [[1, 0, 0], [0, -1, 0], [-1, 0, 0]]
    assert [walls[0].end, walls[1].end] == [pytest.approx(walls[1].start), pytest.approx(walls[2].start)]
    assert walls[1].length == pytest.approx(4.0, rel=0.06)


def test_the_camera_in_a_corner_sees_two_walls() -> None:
    walls = found("level, two points").walls
    assert [wall.inward.round(3).tolist() for wall in walls] == [[0, -1, 0], [-1, 0, 0]]


@pytest.mark.long
def test_the_ceiling_is_measured_where_it_is_seen() -> None:
    assert found("level, one point").ceiling == pytest.approx(2.6, rel=0.05)
    low = camera(across=50, pitch=14, yaw=20)
    assert estimate_room(*FURNISHED.drawn(low)).ceiling is None


def test_the_lens_that_the_file_names_is_believed() -> None:
    view = VIEWS["level, one point"]
    room = estimate_room(*Box(panels=(), bare=True).drawn(view), view.focal)
    assert room.camera.focal == pytest.approx(view.focal, rel=0.03)


def test_a_door_tells_the_height_of_a_camera_held_low() -> None:
    view = camera(yaw=-8, height=0.95)
    room = estimate_room(*Box(blocks=()).drawn(view))
    assert room.scale_source == "door"
    assert room.camera.height == pytest.approx(0.95, rel=0.05)


def test_without_anything_to_measure_the_camera_is_at_eye_height() -> None:
    view = camera(across=55, yaw=20, pitch=12, height=1.9)
    room = estimate_room(*Box(blocks=(), panels=()).drawn(view))
    assert (room.scale_source, room.camera.height) == ("usual", pytest.approx(1.35, rel=0.01))
    assert room.confidence < found("level, one point").confidence


@pytest.mark.long
def test_a_guessed_scale_makes_no_hall_of_a_room() -> None:
    hall = Box(back=11.5, right=4.0, left=-4.0, ceiling=8.0, blocks=(), panels=())
    view = camera(across=55, yaw=4, pitch=12, height=1.35)
    room = estimate_room(*hall.drawn(view))
    assert room.scale_source == "usual"
    assert max(abs(wall.distance) for wall in room.walls) < 9.1
    assert room.camera.height < 1.2


@pytest.mark.parametrize(("side", "offset", "last"), [(LEFT, -2.0, -0.05), (RIGHT, 2.0, 0.05), (BACK, 5.0, 1.3)])
def test_a_wall_is_followed_as_far_as_its_scale_is_known(side: int, offset: float, last: float) -> None:
    first = last / 2 if side == BACK else last * 9
    wall = estimation._make_wall(OutlineWall(side, abs(offset), first, last), first, last, 1.0, 9.0)
    place = wall.end[1] if side == BACK else wall.end[0]
    assert place == pytest.approx(offset)
    assert max(abs(wall.end[0]), abs(wall.end[1])) == pytest.approx(9.0)


@pytest.mark.parametrize(("high", "disputed"), [pytest.param(0.9, False, marks=pytest.mark.long), (0.62, True)])
def test_a_worktop_that_says_another_scale_than_the_door_disputes_it(high: float, disputed: bool) -> None:
    kitchen = replace(KITCHEN, high=(*KITCHEN.high[:2], high))
    room = estimate_room(*Box(blocks=(kitchen,)).drawn(VIEWS["level, two points"]))
    assert room.disputed is disputed
    assert read_room(room.as_json()).disputed is disputed


@pytest.mark.long
def test_uncertain_surfaces_move_walls_little() -> None:
    view = VIEWS["level, two points"]
    picture, surfaces = FURNISHED.drawn(view)
    blurred = cv2.GaussianBlur(surfaces, (0, 0), 4) * 0.8 + np.float32(0.2 / len(Surface))
    room = estimate_room(picture, blurred)
    sharp = found("level, two points").walls
    assert [wall.distance for wall in room.walls] == pytest.approx([wall.distance for wall in sharp], rel=0.05)


@pytest.mark.long
def test_the_same_photo_gives_the_same_room() -> None:
    picture, surfaces = FURNISHED.drawn(VIEWS["pitched down"])
    assert estimate_room(picture, surfaces).as_json() == found("pitched down").as_json()


def refused(picture: np.ndarray, surfaces: np.ndarray, *wanted: Obstacle) -> None:
    with pytest.raises(RoomUnclear) as caught:
        estimate_room(picture, surfaces)
    assert caught.value.reason in (wanted or tuple(Obstacle))
    assert str(caught.value) == MESSAGES[caught.value.reason]


def all_of(surface: Surface, height: int, width: int) -> np.ndarray:
    maps = np.zeros((height, width, len(Surface)), np.float32)
    maps[..., PLACE[surface]] = 1
    return maps


def half_floor(height: int, width: int) -> np.ndarray:
    maps = all_of(Surface.WALL, height, width)
    maps[height // 2 :] = all_of(Surface.FLOOR, height - height // 2, width)
    return maps


def test_a_photo_without_floor_is_refused() -> None:
    picture, _ = FURNISHED.drawn(VIEWS["level, one point"])
    refused(picture[:215], all_of(Surface.WALL, 215, 480), Obstacle.NO_FLOOR)
    refused(picture, all_of(Surface.OTHER, 320, 480), Obstacle.NO_FLOOR)


@pytest.mark.long
def test_floor_above_the_horizon_is_none() -> None:
    picture, surfaces = FURNISHED.drawn(VIEWS["level, one point"])
    refused(picture, surfaces[::-1].copy())


def test_a_blank_photo_is_refused() -> None:
    refused(np.full((320, 480, 3), 200, np.uint8), half_floor(320, 480), Obstacle.NO_DIRECTIONS)


@pytest.mark.parametrize("size", [(1, 1), (1, 480), (320, 1), (20, 20)])
def test_a_photo_of_next_to_no_pixels_is_refused(size: tuple[int, int]) -> None:
    refused(np.full((*size, 3), 90, np.uint8), half_floor(*size), Obstacle.TOO_SMALL)


def test_a_panorama_is_refused() -> None:
    refused(np.full((200, 768, 3), 90, np.uint8), half_floor(200, 768), Obstacle.TOO_WIDE)


@pytest.mark.parametrize("blur", [2, *(pytest.param(each, marks=pytest.mark.long) for each in (0, 5))])
def test_noise_is_refused(blur: int) -> None:
    chance = np.random.Generator(np.random.PCG64(blur))
    noise = chance.normal(128, 60, (320, 480, 3)).astype(np.float32)
    if blur:
        noise = (cv2.GaussianBlur(noise, (0, 0), blur) - 128) * 2 * blur + 128
    refused(np.clip(noise, 0, 255).astype(np.uint8), half_floor(320, 480))


@pytest.mark.long
def test_lines_in_all_directions_are_refused() -> None:
    chance = np.random.Generator(np.random.PCG64(4))
    picture = np.full((320, 480, 3), 180, np.uint8)
    for _ in range(140):
        one, other = chance.integers(0, (480, 320), (2, 2))
        cv2.line(picture, tuple(map(int, one)), tuple(map(int, other)), (60, 60, 60), 1, cv2.LINE_AA)
    refused(picture, half_floor(320, 480))


@pytest.mark.long
def test_a_fisheye_is_refused() -> None:
    view = camera(across=110, yaw=25)
    picture, surfaces = (bent(each, view) for each in FURNISHED.drawn(view))
    refused(picture, surfaces, Obstacle.BENT)


def bent(picture: np.ndarray, view: Camera) -> np.ndarray:
    """The picture through a lens that maps angles evenly."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height) + 0.5 - height / 2)
    away = np.hypot(x, y)
    angle = away / (width / 2) * np.radians(75)
    gain = (np.tan(np.minimum(angle, 1.5)) * view.focal / np.maximum(away, 1e-6)).astype(np.float32)
    place = (x * gain + width / 2).astype(np.float32), (y * gain + height / 2).astype(np.float32)
    layers = [
        cv2.remap(np.ascontiguousarray(each), *place, cv2.INTER_LINEAR) for each in np.moveaxis(picture, -1, 0)
    ]
    return np.stack(layers, -1)


def test_a_round_wall_is_refused() -> None:
    refused(*round_room())


def round_room() -> tuple[np.ndarray, np.ndarray]:
    """A drum of two meters and a half around the camera, boards on its floor."""
    view = camera(across=85)
    x, y = np.meshgrid(np.arange(480) + 0.5, np.arange(320) + 0.5)
    rays = view.rays(np.column_stack([x.ravel(), y.ravel()]))
    level = np.hypot(rays[:, 0], rays[:, 1])
    up = (1.4 + rays[:, 2] / level * 2.5).reshape(320, 480)
    with np.errstate(divide="ignore", invalid="ignore"):
        spots = rays[:, :2] * (-1.4 / rays[:, 2])[:, None]
    spots = np.nan_to_num(spots, posinf=0, neginf=0)
    boards = ((np.abs(spots[:, 0] / 0.14) % 1) < 0.06).reshape(320, 480)
    maps = all_of(Surface.WALL, 320, 480)
    maps[up < 0] = all_of(Surface.FLOOR, 1, 1)[0, 0]
    maps[up > 2.6] = all_of(Surface.CEILING, 1, 1)[0, 0]
    picture = np.full((320, 480, 3), 205, np.uint8)
    picture[up < 0] = (150, 112, 80)
    picture[(up < 0) & boards] = (90, 66, 48)
    picture[up > 2.6] = (236, 236, 232)
    return picture, maps
