"""Staged pictures of drawn rooms: furniture in the room's light, its shadows, nothing else touched."""

from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from engine.canvas import Canvas, Declined, EffectResult
from engine.color.profiles import ColorProfile
from engine.effects import virtual_staging
from engine.effects.virtual_staging import furnish_room
from engine.geometry.camera import Camera
from engine.geometry.surface import PLACE, Surface
from engine.rendering import render
from engine.rendering.compositing import measure_grain
from engine.rendering.layout.ground import Ground
from engine.rendering.materials import RenderMaterial, make_cloth
from engine.rendering.meshes import (
    build_block,
    build_lathed,
    build_pillow,
    build_slab,
    build_swept,
    outline_rounded_rectangle,
)
from engine.rendering.render import extend_shadow
from engine.rendering.room_light import MAX_SHADOW_POWER, estimate_room_light
from engine.rendering.tracing import Outlines, RenderView
from engine.segmentation.labels import Label
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, Staging
from engine.types.enhancements import Enhancement, RoomType, Style
from engine.types.hints import HintedSurface, SceneHints
from engine.types.report import Reason
from tests.engine.seeded_rooms import BoxRoom, box_room, drawn
from tests.engine.wide_spaces import WIDE, looks_apart, stored_in

SRGB = ColorProfile()
WIDTH = 240
ROOM = 8


def canvas(box: BoxRoom, room_type: RoomType, style: Style, space: ColorProfile = SRGB) -> Canvas:
    pixels = stored_in(space, drawn(box, WIDTH))
    request = EditRequest(enhancements=(Enhancement.STAGING,), staging=Staging(style=style, room_type=room_type))
    return Canvas(pixels, Scene(pixels, space, "photo"), request, context=EngineContext(order_seed="order"))


pytestmark = pytest.mark.usefixtures("coarse_textures")


@cache
def staged(rays: int = 4, space: ColorProfile = SRGB) -> tuple[Canvas, EffectResult]:
    """The room furnished, its light traced by so many rays a pixel: few where noise is not judged."""
    box = box_room(ROOM)
    before = canvas(box, RoomType.LIVING_ROOM, Style.SCANDINAVIAN, space)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "MIN_RAYS", rays)
        patch.setattr(render, "MAX_RAYS", rays)
        return before, furnish_room(before, box.room, box.surfaces)


def test_furniture_appears_and_the_rest_stays() -> None:
    before, after = staged()
    assert after.matte is not None and after.region is not None
    assert after.region.shape == before.scene.small.shape[:2]
    assert (after.matte > 200).mean() > 0.03
    apart = np.abs(after.pixels.astype(int) - before.pixels).max(2)
    assert apart[after.matte == 0].max() <= 1
    assert apart[after.matte > 200].mean() > 8


def test_every_piece_is_listed_with_its_size() -> None:
    _, after = staged()
    assert after.furnishing is not None
    added = after.furnishing.list_added()
    assert sum(each.count for each in added) == len(after.furnishing.placed)
    sofa = next(each for each in added if each.piece == "sofa")
    assert 1.5 < sofa.width < 2.6 and 0.7 < sofa.depth < 1.2 and 0.5 < sofa.height < 1.2


@pytest.mark.parametrize("space", WIDE.values(), ids=WIDE)
def test_furniture_has_the_same_colors_in_every_space(space: ColorProfile) -> None:
    (_, plain), (before, wide) = staged(), staged(space=space)
    assert plain.matte is not None and wide.matte is not None
    assert np.quantile(looks_apart(plain.pixels, wide.pixels, space)[plain.matte > 200], 0.9) < 1.2
    assert np.array_equal(wide.pixels[wide.matte == 0], before.pixels[wide.matte == 0])


def test_furniture_throws_shadows_but_no_light_on_windows() -> None:
    before, after = staged()
    assert after.matte is not None
    shadow = (after.matte > 20) & (after.matte < 200)
    assert shadow.any()
    darker = after.pixels[shadow].astype(int).sum(1) < before.pixels[shadow].astype(int).sum(1)
    assert darker.mean() > 0.75


@pytest.mark.long
def test_walls_and_floor_hardly_take_other_colors_in_the_faint_shadows_of_furniture() -> None:
    before, after = staged(rays=render.MAX_RAYS)
    assert after.matte is not None
    faint = cv2.erode(((after.matte > 3) & (after.matte < 90)).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    gain = np.log((after.pixels + 2.0) / (before.pixels + 2.0))
    tint = gain - gain.mean(-1, keepdims=True)
    assert faint.mean() > 0.05
    assert np.abs(tint)[faint].mean() < 0.006


@pytest.mark.long
def test_a_darker_photo_gets_darker_furniture(few_rays: None) -> None:
    box = box_room(ROOM)
    before, after = staged()
    dim = Canvas(before.pixels // 3, Scene(before.pixels // 3, ColorProfile(), "photo"), before.request)
    dark = furnish_room(dim, box.room, box.surfaces)
    assert after.matte is not None
    inside = after.matte == 255
    assert dark.pixels[inside].mean() < after.pixels[inside].mean() * 0.6


def test_without_floor_it_declines() -> None:
    box = box_room(ROOM)
    walls = np.zeros_like(box.surfaces)
    walls[..., PLACE[Surface.WALL]] = 1
    with pytest.raises(Declined) as declined:
        furnish_room(canvas(box, RoomType.BEDROOM, Style.MODERN), box.room, walls)
    assert declined.value.reason is Reason.NO_FREE_PLACE


@pytest.mark.parametrize(
    "unsure",
    [{"disputed": True}, {"scale_source": "counter", "height": 2.6}, {"scale_source": "ceiling", "height": 0.7}],
)
def test_a_room_of_doubtful_scale_is_not_furnished(unsure: dict[str, Any]) -> None:
    box = box_room(ROOM)
    given = dict(unsure)
    camera = box.room.camera.with_height(given.pop("height", 1.4))
    with pytest.raises(Declined) as declined:
        furnish_room(
            canvas(box, RoomType.BEDROOM, Style.MODERN), replace(box.room, camera=camera, **given), box.surfaces
        )
    assert declined.value.reason is Reason.ROOM_UNCLEAR


def test_a_full_floor_leaves_no_place_and_declines() -> None:
    box = box_room(ROOM)
    full = box.surfaces.copy()
    down, across = np.nonzero(box.labels == PLACE[Surface.FLOOR])
    some = (down // 12 + across // 12) % 2 == 0
    full[down[some], across[some]] = np.eye(len(Surface))[PLACE[Surface.CABINET]]
    with pytest.raises(Declined) as declined:
        furnish_room(canvas(box, RoomType.DINING_ROOM, Style.MODERN), box.room, full)
    assert declined.value.reason is Reason.NO_FREE_PLACE


def test_a_furnished_room_is_not_furnished_again() -> None:
    box = box_room(ROOM)
    furnished = box.surfaces.copy()
    furnished[-100:, :150] = np.eye(len(Surface))[PLACE[Surface.FURNITURE]]
    with pytest.raises(Declined, match="Remove furniture") as declined:
        furnish_room(canvas(box, RoomType.LIVING_ROOM, Style.MODERN), box.room, furnished)
    assert declined.value.reason is Reason.ALREADY_FURNISHED


def test_a_bed_that_the_eyes_see_is_furniture_too(monkeypatch: pytest.MonkeyPatch) -> None:
    box = box_room(ROOM)
    before = canvas(box, RoomType.BEDROOM, Style.MODERN)
    bed = np.zeros(before.scene.small.shape[:2], np.float32)
    bed[-60:, :120] = 1
    none = np.zeros_like(bed)
    monkeypatch.setattr(Scene, "label_share", lambda _, *labels: bed if Label.BED in labels else none)
    with pytest.raises(Declined) as declined:
        furnish_room(before, box.room, box.surfaces)
    assert declined.value.reason is Reason.ALREADY_FURNISHED


def test_what_stands_on_the_floor_does_not_matter_where_the_free_floor_is_outlined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    box = box_room(ROOM)
    furnished = box.surfaces.copy()
    floor = box.labels == PLACE[Surface.FLOOR]
    floor[:, ::9] = False
    furnished[floor] = np.eye(len(Surface))[PLACE[Surface.FURNITURE]]
    monkeypatch.setattr(virtual_staging, "MIN_FLOOR", 0.0)
    before = canvas(box, RoomType.LIVING_ROOM, Style.MODERN)
    outlined = SceneHints(surfaces={HintedSurface.FLOOR: (((0.0, 1.0), (0.5, 0.6), (1.0, 1.0)),)})
    for hints, reason in ((None, Reason.ALREADY_FURNISHED), (outlined, Reason.NO_FREE_PLACE)):
        asked = replace(before, request=replace(before.request, hints=hints))
        with pytest.raises(Declined) as declined:
            furnish_room(asked, box.room, furnished)
        assert declined.value.reason is reason


@pytest.mark.parametrize(("brightness", "power"), [(0.1, 1.0), (0.8, MAX_SHADOW_POWER)])
def test_shadows_are_stronger_on_pale_floors_alone(brightness: float, power: float) -> None:
    box = box_room(ROOM)
    photo = np.full((*box.labels.shape, 3), 0.4, np.float32)
    photo[box.labels == PLACE[Surface.FLOOR]] = brightness
    light = estimate_room_light(Ground(box.room, box.surfaces), box.surfaces, photo)
    assert light.shadow_power == pytest.approx(power)


def test_the_midst_of_glass_gets_no_shadow_although_none_is_told_there() -> None:
    shade, none = np.full((90, 120, 3), 0.9, np.float32), np.zeros((90, 120), np.float32)
    solid = np.ones((90, 120), np.float32)
    solid[20:70, 30:90] = 0.3
    light = extend_shadow(shade, none, solid)
    assert light[25:65, 35:85].min() > 0.96
    assert np.abs(light - 1).max() < 0.12


def test_shadows_go_on_under_the_edges_of_furniture() -> None:
    shade, cover = np.full((90, 120, 3), 1.0, np.float32), np.zeros((90, 120), np.float32)
    shade[40:], cover[30:60, 40:80] = 0.5, 1
    light = extend_shadow(shade, cover, np.ones((90, 120), np.float32))
    assert light[50:59, 40:42].max() < 0.62
    assert light[80:, :20].max() < 0.6


def test_grain_is_measured() -> None:
    noise = np.random.Generator(np.random.PCG64(1)).normal(0, 3, (400, 400, 1))
    even = np.full((400, 400, 3), 128.0)
    assert measure_grain(even.astype(np.uint8)) < 0.1
    assert 1.5 < measure_grain(np.clip(even + noise, 0, 255).astype(np.uint8)) < 4.5


def test_forms_are_closed_and_face_outwards() -> None:
    forms = [
        build_block((1, 0.5, 0.3), 0.02),
        build_block((0.8, 0.6, 0.2), 0.06, (0.02, 0.02, 0.04), 0.02),
        build_lathed([(0, 0), (0.1, 0), (0.1, 0.3), (0, 0.3)]),
        build_swept([(0, 0, 0), (0.1, 0, 0.5), (0.3, 0, 0.6)], 0.02),
        build_slab(outline_rounded_rectangle(1, 0.6, 0.1), 0.03),
        build_pillow(0.5, 0.5, 0.15),
    ]
    for form in forms:
        one, two, three = (form.points[:, place] for place in range(3))
        assert np.einsum("ij,ij->i", one, np.cross(two, three)).sum() > 0
        flat = np.cross(two - one, three - one)
        assert ((form.normals * flat[:, None]).sum(2) >= -1e-9).all()


def test_the_tracer_sees_what_the_camera_sees() -> None:
    turn = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    camera = Camera(300, (70, 90), turn, 1.2)
    form = build_block((0.4, 0.4, 0.4), 0.001).translate(0.3, 3.0, 0.6)
    seen = Outlines([(make_cloth((200, 200, 200)), form)]).trace(RenderView(camera, 200, 160, (0, 0, 200, 160), 4))
    rows, columns = np.nonzero(seen.cover > 0.5)
    spots, _ = camera.project(form.points.reshape(-1, 3))
    found = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    assert np.allclose(found, [*spots.min(0), *spots.max(0)], atol=1.5)


def test_the_tracer_tells_the_color_and_the_side_of_what_it_sees() -> None:
    turn = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    view = RenderView(Camera(300, (100, 80), turn, 1.2), 200, 160, (0, 0, 200, 160), 4)
    paint = RenderMaterial(np.full((4, 4, 3), (0.6, 0.3, 0.1), np.float32))
    outlines = Outlines([(paint, build_block((0.8, 0.4, 0.8), 0.001).translate(0, 3.0, 0.8))])
    # Seen twice, because the one scene is changed to show the one or the other.
    for _ in range(2):
        seen = outlines.trace(view)
        assert np.allclose(seen.colors[75:85, 95:105], (0.6, 0.3, 0.1), atol=0.01)
        assert np.allclose(seen.normals[75:85, 95:105], (0, -1, 0), atol=0.01)
