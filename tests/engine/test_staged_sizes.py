"""Furniture is laid into photos of any size: to the last row and column, where the photo's camera sees it."""

from dataclasses import replace

import numpy as np
import pytest

from engine.arrays import Plane, plane
from engine.geometry.camera import Camera
from engine.rendering import compositing, render
from engine.rendering.compositing import Composite, composite_render
from engine.rendering.contact_shadow import add_contact_shadow
from engine.rendering.furniture.model import Model
from engine.rendering.layout.placed import PlacedPiece
from engine.rendering.materials import make_cloth
from engine.rendering.meshes import build_block
from engine.rendering.render import render_furniture
from engine.rendering.room_light import RoomLight
from engine.rendering.tracing import RenderView

# Each is rounded otherwise: up or down, the shorter or the longer side, once or at each of the sizes on the way.
SIZES = [
    *((240, 152), (157, 241), (213, 320), (601, 401)),
    *(pytest.param(each, marks=pytest.mark.long) for each in ((319, 212), (201, 133), (169, 127), (128, 85))),
]


class Daylight:
    """Light that is the same everywhere: what is laid where does not hang on it."""

    def __init__(self, *_surfaces: object) -> None:
        """No surface is looked at."""

    def render(self, view: RenderView) -> Plane:
        left, top, right, bottom = view.box
        return np.full((bottom - top, right - left, 3), 0.4, np.float32)


@pytest.fixture(autouse=True)
def even_light(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "LitScene", Daylight)
    # Small pictures do: light is found at less than most of SIZES, the outlines of the largest are drawn smaller.
    monkeypatch.setattr(render, "MAX_SIDE", 168)
    monkeypatch.setattr(compositing, "MAX_SIDE", 320)


def looking_down(size: tuple[int, int]) -> Camera:
    away, down = np.cos(0.5), np.sin(0.5)
    turn = np.array([[1.0, 0, 0], [0, -down, -away], [0, away, -down]])
    return Camera(0.9 * max(size), (size[0] / 2, size[1] / 2), turn, 1.5)


def furnished(size: tuple[int, int], piece: PlacedPiece) -> Composite:
    solid = np.ones((64, 96), np.float32)
    made = render_furniture((piece,), RoomLight([], [], 1.0), looking_down(size), size, solid)
    photo = np.full((size[1], size[0], 3), 210, np.uint8)
    return composite_render(
        photo, made, np.zeros(photo.shape[:2], np.uint8), 0.0, np.random.Generator(np.random.PCG64(1))
    )


def box_of(wide: float, deep: float, tall: float, away: float) -> PlacedPiece:
    model = Model()
    model.add(make_cloth((60, 70, 90)), build_block((wide, deep, tall), 0.001).translate(0, 0, tall / 2))
    return PlacedPiece("box", model, 0.0, away)


@pytest.mark.parametrize("size", SIZES)
def test_a_rug_from_end_to_end_covers_the_photo_to_its_last_row_and_column(size: tuple[int, int]) -> None:
    done = furnished(size, box_of(12, 12, 0.02, 6.0))
    assert done.pixels.shape == (size[1], size[0], 3)
    assert done.matte[-1].min() > 250
    assert done.matte[-size[1] // 4 :, [0, -1]].min() > 250


@pytest.mark.parametrize("size", SIZES)
def test_furniture_stands_where_the_photos_own_camera_sees_it(size: tuple[int, int]) -> None:
    piece = box_of(0.6, 0.6, 0.5, 2.4)
    rows, columns = np.nonzero(plane(furnished(size, piece).matte) > 128)
    points = np.concatenate([form.points.reshape(-1, 3) for _, form in piece.parts])
    spots, _ = looking_down(size).project(points)
    found = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    assert np.allclose(found, [*spots.min(0), *spots.max(0)], atol=1.0 if max(size) <= 320 else 2.5)


def test_the_floor_is_dark_where_furniture_stands_on_it_and_only_there() -> None:
    size, model = (240, 152), Model()
    model.add(make_cloth((60, 70, 90)), build_block((0.6, 0.6, 0.5), 0.001))
    piece = PlacedPiece("box", model, 0.0, 2.4)
    solid = np.ones((64, 96), np.float32)
    made = render_furniture((piece,), RoomLight([], [], 1.0), looking_down(size), size, solid)
    light = add_contact_shadow(made, (piece,), solid).shadow[..., 0]
    (at_foot, away), _ = made.camera.project(np.array([[0.0, 2.08, 0.0], [0.0, 1.75, 0.0]]))
    left, top = made.box[:2]
    assert light[int(at_foot[1]) - top, int(at_foot[0]) - left] < 0.85
    assert light[int(away[1]) - top, int(away[0]) - left] > 0.99
    for other in (replace(piece, flat=True), replace(piece, raised=1.0)):
        assert np.array_equal(add_contact_shadow(made, (other,), solid).shadow, made.shadow)
    assert np.array_equal(add_contact_shadow(made, (piece,), solid * 0).shadow, made.shadow)
