"""Rooms of one order agree: the same wall under other lamps and exposures ends up nearly the same."""

from functools import cache

import cv2
import numpy as np
import pytest
from PIL import Image

from app.portal.public.examples import STATIC
from engine.arrays import Pixels
from engine.canvas import Canvas
from engine.color.profiles import ColorProfile
from engine.effects.table import EFFECTS
from engine.segmentation.scene import Scene
from engine.types.appearance import Color, SharedAppearance
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from tests import scenes
from tests.engine.remembering import Remembering
from tests.engine.wide_spaces import WIDE, looks_apart, stored_in

pytestmark = pytest.mark.usefixtures("seen_roughly")

LIGHT_STEPS = [Enhancement.HDR, Enhancement.FLAMBIENT]
BY_HDR, BY_FLAMBIENT = (
    pytest.mark.parametrize(
        "step", [step if step is quick else pytest.param(step, marks=pytest.mark.long) for step in LIGHT_STEPS]
    )
    for quick in LIGHT_STEPS
)
"""For both, but in the quick lane for one of them: both go the same way but for how strongly they light."""
CEILING, WALL, FLOOR = (0.05, 0.02, 0.5, 0.15), (0.36, 0.3, 0.43, 0.45), (0.1, 0.86, 0.45, 0.98)
WINDOW, NEXT_TO_WINDOW = (0.12, 0.31, 0.2, 0.55), (0.355, 0.3, 0.365, 0.55)


SRGB = ColorProfile()


@Remembering
def lit(
    picture: Pixels, step: Enhancement, look: SharedAppearance | None = None, space: ColorProfile = SRGB
) -> Pixels:
    """The picture after the step, as part of an order with this look."""
    scene = Scene(picture, space, "digest")
    context = EngineContext(appearance=look or SharedAppearance())
    return EFFECTS[step].apply(Canvas(picture, scene, EditRequest(enhancements=(step,)), context=context)).pixels


def color(picture: Pixels, box: tuple[float, float, float, float]) -> np.ndarray:
    return scenes.part(picture, box).reshape(-1, 3).mean(0)


def lab(rgb: np.ndarray) -> np.ndarray:
    return cv2.cvtColor((rgb / 255).astype(np.float32)[None, None], cv2.COLOR_RGB2LAB)[0, 0]


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """How far two colors are from each other, in CIE 1976 units."""
    return float(np.linalg.norm(lab(one) - lab(other)))


def exposed(picture: Pixels, by: float) -> Pixels:
    return np.clip(picture.astype(float) * by, 0, 255).astype(np.uint8)


@BY_FLAMBIENT
@pytest.mark.parametrize(
    "cast", [(1.0, 0.88, 0.7), (0.86, 0.95, 1.0), pytest.param((1.0, 0.9, 0.92), marks=pytest.mark.long)]
)
def test_the_same_wall_agrees_under_lamps_and_daylight(step: Enhancement, cast: Color) -> None:
    plain, colored = scenes.room(cast=(1, 1, 1)), scenes.room(cast=cast)
    before = apart(color(plain, WALL), color(colored, WALL))
    now = apart(color(lit(plain, step), WALL), color(lit(colored, step), WALL))
    assert now < 6
    assert now < before * 0.45


@BY_HDR
def test_the_same_wall_agrees_in_a_darker_and_a_lighter_exposure(step: Enhancement) -> None:
    dark, light = exposed(scenes.room(), 0.85), exposed(scenes.room(), 1.15)
    before = apart(color(dark, WALL), color(light, WALL))
    assert apart(color(lit(dark, step), WALL), color(lit(light, step), WALL)) < before * 0.6


@BY_HDR
@pytest.mark.parametrize("space", WIDE.values(), ids=WIDE)
@pytest.mark.parametrize("cast", [(1.0, 0.9, 0.72), (0.8, 0.93, 1.0)])
def test_a_room_is_lit_alike_in_every_color_space(step: Enhancement, cast: Color, space: ColorProfile) -> None:
    room = scenes.room(cast=cast)
    apart = looks_apart(lit(room, step), lit(stored_in(space, room), step, space=space), space)
    assert np.median(apart) < 1
    assert np.quantile(apart, 0.95) < 3.5


def painted(wall: tuple[int, int, int]) -> Pixels:
    """A room without anything white: walls, ceiling and floor of one paint, a dark sofa."""
    picture = np.full((320, 480, 3), wall, np.uint8)
    picture[200:280, 240:420] = (40, 42, 48)
    noise = np.random.Generator(np.random.PCG64(3)).standard_normal((320, 480, 1)) * 1.5
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


@BY_HDR
@pytest.mark.parametrize("paint", [(104, 140, 206), (176, 70, 60), (190, 160, 60)])
def test_painted_walls_keep_their_paint(step: Enhancement, paint: tuple[int, int, int]) -> None:
    now = lit(painted(paint), step)[100:180, 60:200].reshape(-1, 3).mean(0)
    wanted = lab(np.array(paint, float))
    # Hue and at least most of the colorfulness.
    turned = np.degrees(np.arctan2(*lab(now)[:0:-1]) - np.arctan2(*wanted[:0:-1]))
    assert abs((turned + 180) % 360 - 180) < 12
    assert np.hypot(*lab(now)[1:]) > 0.75 * np.hypot(*wanted[1:])


def test_a_room_without_white_is_balanced_as_its_order_is() -> None:
    room = painted((150, 105, 66))
    alone = lit(room, Enhancement.HDR)[100:180, 60:200].reshape(-1, 3).mean(0)
    yellow = SharedAppearance(cast_indoors=(1.12, 1.02, 0.86))
    shared = lit(room, Enhancement.HDR, yellow)[100:180, 60:200].reshape(-1, 3).mean(0)
    assert shared[2] / shared[0] > alone[2] / alone[0] * 1.1


def test_a_room_without_white_is_lifted_less_where_its_order_is_light() -> None:
    room = painted((90, 60, 40))
    dark, light = (
        lit(room, Enhancement.HDR, SharedAppearance(brightness_indoors=each)).mean() for each in (0.2, 0.7)
    )
    assert light < dark * 0.97


@BY_FLAMBIENT
def test_a_yellow_corner_gets_less_yellow_and_the_wood_below_stays_wood(step: Enhancement) -> None:
    room = scenes.room(cast=(1, 1, 1)).astype(float)
    lamp = np.clip(1 - np.hypot(*np.meshgrid((np.arange(480) - 440) / 170, (np.arange(320) - 60) / 170)), 0, 1)
    room *= 1 - lamp[..., None] * np.array((0.0, 0.08, 0.24))
    now = lit(room.clip(0, 255).astype(np.uint8), step)
    corner = scenes.part(now, (0.85, 0.05, 0.97, 0.15)).reshape(-1, 3).mean(0)
    was = scenes.part(room, (0.85, 0.05, 0.97, 0.15)).reshape(-1, 3).mean(0)
    assert corner[2] / corner[0] > was[2] / was[0] + 0.05
    red, green, blue = color(now, FLOOR)
    assert red > green * 1.12 > blue * 1.2


@pytest.mark.parametrize("step", LIGHT_STEPS)
def test_blown_glass_stays_white_instead_of_gray(step: Enhancement) -> None:
    room = scenes.room()
    room[90:185, 50:100] = 255
    assert lit(room, step)[95:180, 55:95].min() >= 250


def view_out() -> Pixels:
    """The room with trees and sky behind the panes, lighter than the room."""
    room = scenes.room()
    noise = np.random.Generator(np.random.PCG64(5))
    leaves = cv2.resize(noise.random((24, 30, 1), dtype=np.float32), (115, 96), interpolation=cv2.INTER_CUBIC)
    view = np.array((195, 210, 170)) + (leaves[..., None] * 2 - 1) * 60
    room[90:186, 49:164] = np.clip(view, 0, 250)
    return room


@BY_FLAMBIENT
def test_the_view_out_of_the_window_keeps_its_contrast(step: Enhancement) -> None:
    room = view_out()
    before, now = (picture[95:180, 55:158].mean(-1) for picture in (room, lit(room, step)))
    assert now.std() > before.std() * 0.95
    assert now.mean() < before.mean() + 16


@cache
def barred_window(step: Enhancement) -> tuple[Pixels, Pixels]:
    """The photo of a room whose windows have bars, and what the step makes of it."""
    photo = np.asarray(Image.open(STATIC / "img/landing/inside.jpg"))
    return photo, lit(photo, step)


@pytest.mark.parametrize("step", LIGHT_STEPS)
@pytest.mark.parametrize(
    "bar", [np.s_[240:290, 318:326], np.s_[240:290, 462:468], np.s_[300:302, 220:300], np.s_[300:302, 380:440]]
)
def test_window_bars_before_a_bright_sky_are_lifted_with_their_frame(
    step: Enhancement, bar: tuple[slice, slice]
) -> None:
    before, now = (picture.astype(float).mean(-1) for picture in barred_window(step))
    frame = np.s_[240:290, 167:171]
    assert before[bar].mean() > before[frame].mean() - 35
    assert now[bar].mean() > now[frame].mean() - 30


@pytest.mark.parametrize("step", LIGHT_STEPS)
def test_black_things_stay_black(step: Enhancement) -> None:
    room = scenes.room()
    room[250:300, 60:140] = 6
    assert lit(room, step)[260:290, 70:130].mean() < 14


@BY_HDR
def test_edges_stay_where_they_are(step: Enhancement) -> None:
    room = cv2.resize(scenes.room(), (1440, 960), interpolation=cv2.INTER_CUBIC)
    steep = [np.abs(np.diff(picture[400:460].astype(float).mean((0, 2)))) for picture in (room, lit(room, step))]
    for edge in (144, 490):
        near = slice(edge - 12, edge + 12)
        assert abs(int(steep[0][near].argmax()) - int(steep[1][near].argmax())) <= 1


@pytest.mark.parametrize(
    ("step", "shape", "value"),
    [
        (LIGHT_STEPS[(across + down) % 2], shape, value)
        for across, shape in enumerate([(1, 1), (1, 4000), (4000, 1), (40, 320), (3, 2)])
        for down, value in enumerate([0, 128, 255, None])
    ],
)
def test_any_picture_comes_out_in_its_size(step: Enhancement, shape: tuple[int, int], value: int | None) -> None:
    noise = np.random.Generator(np.random.PCG64(1)).integers(0, 256, (*shape, 3), dtype=np.uint8)
    picture = noise if value is None else np.full((*shape, 3), value, np.uint8)
    now = lit(picture, step)
    assert now.shape == picture.shape
    if value in (0, 255):
        assert np.abs(now.astype(int) - value).max() <= 3


@pytest.mark.parametrize("exposure", [0.45, pytest.param(1.0, marks=pytest.mark.long)])
def test_both_lights_together_light_a_room_once(exposure: float) -> None:
    room = exposed(scenes.room(), exposure)
    scene = Scene(room, ColorProfile(), "digest")
    request = EditRequest(enhancements=tuple(LIGHT_STEPS))
    look = SharedAppearance(cast_indoors=(1.12, 1.02, 0.86), brightness_indoors=0.3)
    now = room
    for step in LIGHT_STEPS:
        now = EFFECTS[step].apply(Canvas(now, scene, request, context=EngineContext(appearance=look))).pixels
    alone = lit(room, Enhancement.FLAMBIENT, look)
    for box in (CEILING, WALL, FLOOR):
        assert apart(color(now, box), color(alone, box)) < 8


@pytest.mark.usefixtures("seen_anew")
@BY_FLAMBIENT
def test_the_same_picture_is_lit_the_same_again(step: Enhancement) -> None:
    assert np.array_equal(lit.ask_anew(scenes.room(), step), lit.ask_anew(scenes.room(), step))


def test_hdr_keeps_the_warmth_of_a_lamp_and_flambient_does_not() -> None:
    room = scenes.room(cast=(1.0, 0.88, 0.68))
    ceilings = {step: lab(color(lit(room, step), CEILING)) for step in LIGHT_STEPS}
    assert ceilings[Enhancement.HDR][2] > ceilings[Enhancement.FLAMBIENT][2] + 1
    assert abs(ceilings[Enhancement.FLAMBIENT][2]) < 1


def test_flambient_leaves_black_as_deep_as_hdr_does_while_its_whites_are_lighter() -> None:
    room = scenes.room(cast=(1, 1, 1))
    hdr, flambient = (lit(room, step).astype(float) for step in LIGHT_STEPS)
    assert np.quantile(flambient, 0.9) > np.quantile(hdr, 0.9) + 6
    assert np.quantile(flambient, 0.01) < np.quantile(hdr, 0.01) + 8
