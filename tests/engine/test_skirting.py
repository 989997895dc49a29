"""Skirting goes on behind things where it is surely seen; what only looks like it does not."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.arrays import Plane, plane
from engine.geometry.faces import list_faces
from engine.geometry.rectified_plane import RectifiedPlane, rectify_face
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.face_view import FaceView
from engine.inpainting.skirting import FOOT_HEIGHT, WallFoot, continue_foot, measure_foot
from engine.inpainting.wall_filling import find_plain_beside_frames
from tests.engine.box_rooms import BoxRoom

WALL, SKIRTING, FLOOR = -0.4, -0.1, -1.2
HOLE = -0.5, 1.0


@cache
def far_wall() -> RectifiedPlane:
    room = BoxRoom(width=840, height=560, things=())
    labels = room.drawn(furnished=False)[1]
    seen = np.asarray(labels == PLACE[Surface.WALL])
    sheet = rectify_face(list_faces(room.room)[2], room.room, seen, seen)
    assert sheet is not None
    return sheet


def grid() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Meters along and up the wall, of each cell."""
    sheet = far_wall()
    x, up = np.meshgrid(sheet.across, sheet.up)
    return x - x.mean(), up


def view_of(tones: NDArray[np.float64], hole: tuple[float, float] = HOLE) -> FaceView:
    """The far wall with these logarithms above the floor, a thing standing before a part of it."""
    x, up = grid()
    grain = np.random.Generator(np.random.PCG64(5)).normal(0, 0.01, up.shape)
    shown = np.where(up < 0, FLOOR, tones) + grain
    hidden = (x > hole[0]) & (x < hole[1]) & (up < 0.8)
    values = np.repeat(plane(np.where(hidden, -2.0, shown))[..., None], 3, axis=2)
    return FaceView(far_wall(), plane(values), np.asarray(~hidden & (up >= 0)), np.asarray(hidden))


def measured(view: FaceView) -> WallFoot:
    found = measure_foot(view, view.known)
    assert found is not None
    return found


def with_skirting(height: float = 0.1, tone: float = SKIRTING) -> FaceView:
    return view_of(np.where(grid()[1] < height, tone, WALL))


def behind(drawn: Plane, low: float, high: float) -> Plane:
    """What is added to the plain wall behind the thing, between two heights."""
    x, up = grid()
    return plane(drawn[(x > HOLE[0]) & (x < HOLE[1]) & (up > low) & (up < high)])


def test_skirting_goes_on_at_its_height_and_in_its_color() -> None:
    view = with_skirting()
    drawn = continue_foot(view, measured(view), [])
    assert behind(drawn, 0.01, 0.085) == pytest.approx(SKIRTING - WALL, abs=0.03)
    assert np.abs(behind(drawn, 0.115, 1.0)).max() == 0


def test_skirting_that_outlines_show_slightly_slanting_meets_what_is_seen_of_it() -> None:
    x, up = grid()
    view = view_of(np.where(up < 0.1 + 0.015 * x, SKIRTING, WALL))
    drawn = continue_foot(view, measured(view), [])
    tops = np.where(drawn[..., 0] > 0.15, up, 0).max(0)
    assert tops == pytest.approx(0.1 + 0.015 * x[0], abs=0.012)


def slanting_light(x: NDArray[np.float64], up: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(up < 0.11 + 0.06 * x, SKIRTING, WALL)


def soft_light(x: NDArray[np.float64], up: NDArray[np.float64]) -> NDArray[np.float64]:
    return WALL + (SKIRTING - WALL) * np.clip(1 - up / FOOT_HEIGHT, 0, 1) + 0 * x


def edge_of_carpet(x: NDArray[np.float64], up: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(up < 0.07 + 0 * x, FLOOR, WALL)


def things_of_all_heights(x: NDArray[np.float64], up: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(up < 0.05 + 0.12 * np.mod(np.sin(np.floor(x / 0.16) * 12.9) * 43758.5, 1), SKIRTING, WALL)


@pytest.mark.parametrize("draw", [slanting_light, soft_light, edge_of_carpet, things_of_all_heights])
def test_what_is_not_alike_along_the_wall_or_has_no_sharp_edge_is_no_skirting(draw: object) -> None:
    assert callable(draw)
    view = view_of(draw(*grid()))
    found = measured(view)
    assert found.skirting is None
    assert not continue_foot(view, found, []).any()


def test_a_wall_of_which_too_little_shows_has_the_skirting_of_the_surest_wall() -> None:
    x, up = grid()
    narrow = view_of(np.where(up < 0.1, SKIRTING, WALL), hole=(x.min() + 0.12, 9))
    own, sure = measured(narrow), measured(with_skirting(0.08))
    assert own.skirting is None
    drawn = continue_foot(narrow, own, [measured(view_of(slanting_light(x, up))), sure])
    assert behind(drawn, 0.01, 0.065) == pytest.approx(SKIRTING - WALL, abs=0.03)
    assert not continue_foot(narrow, own, [measured(view_of(slanting_light(x, up)))]).any()


def test_a_wall_that_surely_has_no_skirting_gets_none_from_another() -> None:
    bare = view_of(np.full(grid()[1].shape, WALL))
    assert measured(bare).is_bare
    assert not continue_foot(bare, measured(bare), [measured(with_skirting())]).any()


def test_light_beside_a_window_is_wall_and_the_trim_is_not() -> None:
    rows, columns = np.indices((160, 240))
    # Darker toward the window at the right; its trim begins at column 190.
    tones = np.where(columns < 190, WALL - 0.4 * np.clip((columns - 120) / 70, 0, 1), -0.05)
    logs = np.repeat(plane(tones)[..., None], 3, axis=2)
    margins = np.asarray(columns >= 130)
    hidden = np.asarray((rows > 100) & (columns > 60) & (columns < 220))
    found = find_plain_beside_frames(logs, np.asarray(~margins & ~hidden), np.asarray(margins & ~hidden), hidden)
    assert found[:80, 130:180].all()
    assert not found[:80, 196:].any()
