"""Twilight on drawn houses: blue light, shadows gone, warm windows that differ, light on what is near them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.arrays import plane
from engine.canvas import Canvas, Declined
from engine.color.profiles import ColorProfile
from engine.effects.twilight_conversion import EFFECT
from engine.quality.tones import measure_new_clipping
from engine.relighting.shadow_tint import ShadowTint
from engine.relighting.window_light import MAX_SPILL, compute_window_light
from engine.segmentation.labels import NUMBER, Kind, Label
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.options import DuskKind, EffectOptions
from engine.types.report import Reason
from tests import scenes
from tests.engine.remembering import Remembering

pytestmark = pytest.mark.usefixtures("seen_roughly")
WALL, SKY = (0.54, 0.44, 0.62, 0.62), (0.02, 0.02, 0.98, 0.12)


@Remembering
def at_twilight(picture: scenes.Picture, digest: str = "a photo", threads: int | None = None) -> scenes.Picture:
    """The drawn house at twilight, its windows and surfaces known."""
    return stepped(scene_of(picture, digest), threads)


def scene_of(picture: scenes.Picture, digest: str) -> Scene:
    """The scene as drawn: nothing here shall depend on how well it is seen."""
    scene = Scene(picture, ColorProfile(), digest)
    height, width = scene.small.shape[:2]
    windows, shares = np.zeros((height, width), np.float32), np.zeros((height, width, len(Kind)), np.float32)
    for window in scenes.WINDOWS:
        glass = scenes.part(scene.small, window).mean() < 0.6
        scenes.part(windows, window)[...] = glass
    shares[: int(0.66 * height), :, Kind.BUILDING] = 1
    shares[int(0.66 * height) :, :, Kind.GROUND] = 1
    vars(scene).update(windows=windows, shares=shares, lamps=[])
    return scene


def stepped(scene: Scene, threads: int | None = None, dusk: DuskKind = DuskKind.EARLY) -> scenes.Picture:
    request = EditRequest(enhancements=(Enhancement.TWILIGHT,), options=EffectOptions(dusk=dusk))
    kept = cv2.getNumThreads()
    cv2.setNumThreads(kept if threads is None else threads)
    try:
        return EFFECT.apply(
            Canvas(scene.pixels, scene, request, context=EngineContext(order_seed="an order"))
        ).pixels
    finally:
        cv2.setNumThreads(kept)


def without_windows() -> scenes.Picture:
    """The drawn house, with wall where its windows are."""
    drawn = scenes.house()
    for window in scenes.WINDOWS:
        scenes.part(drawn, window)[...] = (222, 218, 210)
    return drawn


def color(picture: scenes.Picture, box: tuple[float, float, float, float]) -> np.ndarray:
    return scenes.part(picture, box).reshape(-1, 3).mean(0)


def lightness(picture: scenes.Picture, box: tuple[float, float, float, float]) -> float:
    return float(color(picture, box).mean())


def test_walls_that_no_window_lights_are_dim_and_blue() -> None:
    red, _, blue = color(at_twilight(without_windows()), WALL)
    assert blue > 1.1 * red
    assert 40 < blue < 160


def test_windows_are_warm_and_lighter_than_the_walls() -> None:
    changed = at_twilight(scenes.house())
    for window in scenes.WINDOWS:
        red, _, blue = color(changed, window)
        assert red > blue + 50
        assert lightness(changed, window) > lightness(changed, WALL) + 30


def test_no_window_is_lit_like_the_next() -> None:
    changed = at_twilight(scenes.house())
    light = sorted(lightness(changed, window) for window in scenes.WINDOWS)
    assert np.diff(light).min() > 1.5


@pytest.mark.long
def test_another_photo_has_its_windows_lit_otherwise() -> None:
    one, other = (at_twilight(scenes.house(), digest) for digest in ("one", "other"))
    differences = [lightness(one, window) - lightness(other, window) for window in scenes.WINDOWS]
    assert np.abs(differences).max() > 3


def test_bars_stay_dark_before_the_light() -> None:
    drawn = scenes.house(960, 640)
    left, top, right, bottom = scenes.WINDOWS[1]
    bar = ((left + right) / 2 - 0.002, top, (left + right) / 2 + 0.002, bottom)
    scenes.part(drawn, bar)[...] = (232, 230, 226)
    changed = at_twilight(drawn)
    pane = (left + 0.008, top + 0.02, left + 0.028, bottom - 0.02)
    assert lightness(changed, bar) < 0.85 * lightness(changed, pane)


def test_a_thin_light_bar_that_ends_in_the_pane_is_darker_than_the_pane() -> None:
    drawn = scenes.house(960, 640)
    left, top, right, bottom = scenes.WINDOWS[1]
    bar = ((left + right) / 2 - 0.001, top, (left + right) / 2 + 0.001, (top + 2 * bottom) / 3)
    scenes.part(drawn, bar)[...] = (232, 230, 226)
    changed = at_twilight(drawn)
    pane = (left + 0.02, top + 0.02, left + 0.035, (top + bottom) / 2)
    assert lightness(changed, bar) < 0.85 * lightness(changed, pane)


@pytest.mark.long
def test_dark_bars_stay_dark_before_the_light() -> None:
    drawn = scenes.house(960, 640)
    left, top, right, bottom = scenes.WINDOWS[1]
    scenes.part(drawn, (left, top, right, bottom))[...] = (150, 158, 168)
    bar = ((left + right) / 2 - 0.002, top, (left + right) / 2 + 0.002, bottom)
    scenes.part(drawn, bar)[...] = (30, 30, 32)
    changed = at_twilight(drawn)
    pane = (left + 0.008, top + 0.02, left + 0.028, bottom - 0.02)
    assert lightness(changed, bar) < 0.4 * lightness(changed, pane)


def test_panes_between_close_bars_are_lit() -> None:
    """Dark panes as narrow as bars, between light bars, are not taken for bars."""
    drawn = scenes.house(960, 640)
    glass = scenes.part(drawn, scenes.WINDOWS[1])
    is_bar = np.asarray(np.indices(glass.shape[:2])[1] % 7 < 2, np.bool_)
    glass[is_bar] = (232, 230, 226)
    lit = scenes.part(at_twilight(drawn), scenes.WINDOWS[1]).astype(np.float32).mean(-1)
    assert np.median(lit[8:-8, 8:-8][~is_bar[8:-8, 8:-8]]) > 130


@pytest.mark.long
def test_curtains_of_the_day_show_against_the_light() -> None:
    drawn = scenes.house(960, 640)
    left, top, right, bottom = scenes.WINDOWS[1]
    upper, lower = (left, top, right, (top + bottom) / 2), (left, (top + bottom) / 2, right, bottom)
    scenes.part(drawn, upper)[...] = (88, 96, 104)
    changed = at_twilight(drawn)
    plain = at_twilight(scenes.house(960, 640))
    contrast, usual = (lightness(each, upper) / lightness(each, lower) for each in (changed, plain))
    assert contrast > 1.08 * usual


def test_lit_windows_throw_light_on_the_wall_beside_them() -> None:
    changed = at_twilight(scenes.house())
    red, _, blue = color(changed, (0.363, 0.44, 0.373, 0.53))
    far_red, _, far_blue = color(changed, (0.395, 0.44, 0.405, 0.53))
    assert red / blue > 1.04 * far_red / far_blue


def test_lit_windows_throw_light_on_the_ground_before_them() -> None:
    ground = (0.28, 0.665, 0.72, 0.71)
    dark, lit = (color(at_twilight(each), ground) for each in (without_windows(), scenes.house()))
    assert lit[0] / lit[2] > 1.02 * dark[0] / dark[2]


@pytest.mark.parametrize("kind", [Kind.GROUND, Kind.LAWN])
def test_hard_shadows_on_the_ground_lose_their_blue(kind: Kind) -> None:
    drawn = scenes.house_on_asphalt()
    shaded = drawn[260:, :240]
    shaded[...] = shaded * np.array((0.30, 0.36, 0.48))
    scene = scene_of(drawn, "a photo")
    ground = scene.shares[..., Kind.GROUND].copy()
    scene.shares[..., Kind.GROUND] = 0
    scene.shares[..., kind] = ground
    changed = stepped(scene).astype(float)
    assert changed[270:, 244:260].mean() < 1.35 * changed[270:, 220:236].mean(), "at its edge, too"
    ratios = [
        (each[270:, 20:220, 2].mean() / each[270:, 20:220, 0].mean())
        / (each[270:, 260:460, 2].mean() / each[270:, 260:460, 0].mean())
        for each in (drawn.astype(float), changed)
    ]
    assert ratios[0] > 1.5
    assert ratios[1] < 1.12


def test_light_ground_of_a_bluer_material_is_no_shadow() -> None:
    drawn = scenes.house_on_asphalt()
    other = drawn[276:296, 100:130]
    other[...] = np.clip(other * np.array((0.94, 1.0, 1.3)), 0, 255)
    tint = ShadowTint.fit(scene_of(drawn, "a photo"))
    assert tint is not None
    assert tint.shade[276:296, 100:130].mean() < 0.5


def test_the_light_of_large_windows_on_their_wall_has_a_limit() -> None:
    windows = np.zeros((200, 300), np.float32)
    windows[20:180, 20:280] = 1
    lit = compute_window_light(windows, plane(np.full((200, 300, 3), 0.5)), windows, np.random.default_rng(1))
    assert 0.2 < lit.spill.max() < MAX_SPILL


def test_ground_in_even_light_counts_as_sunlit() -> None:
    tint = ShadowTint.fit(scene_of(scenes.house_on_asphalt(), "a photo"))
    assert tint is not None
    assert tint.shade.max() < 0.2


def test_no_shadow_is_looked_for_without_ground() -> None:
    scene = scene_of(scenes.house(), "a photo")
    scene.shares[..., Kind.GROUND] = 0
    assert ShadowTint.fit(scene) is None


def test_sunlit_and_shaded_ground_come_together() -> None:
    drawn = scenes.house_on_asphalt()
    shaded = drawn[260:, :240]
    shaded[...] = shaded // 3
    changed = at_twilight(drawn).astype(float)
    before = drawn[270:, 260:460].mean() / drawn[270:, 20:220].mean()
    now = changed[270:, 260:460].mean() / changed[270:, 20:220].mean()
    assert before > 2.5
    assert now < 1.35


def test_dark_paint_on_walls_is_not_taken_for_shade() -> None:
    drawn = scenes.house()
    scenes.part(drawn, WALL)[...] = (46, 46, 48)
    changed = at_twilight(drawn)
    assert lightness(changed, WALL) < 0.5 * lightness(at_twilight(scenes.house()), WALL)


def test_a_white_wall_in_the_sun_is_dim_though_most_of_the_photo_is_dark() -> None:
    drawn = without_windows()
    scenes.part(drawn, (0, 0.62, 1, 1))[...] //= 4
    scenes.part(drawn, WALL)[...] = 252
    assert lightness(at_twilight(drawn), WALL) < 0.6 * 255


def test_what_is_black_by_day_stays_black() -> None:
    drawn = scenes.house()
    scenes.part(drawn, WALL)[...] = 10
    assert lightness(at_twilight(drawn), WALL) < 8


def test_the_light_of_windows_is_on_walls_and_hardly_on_the_roof_above_them() -> None:
    def seen(label: Label) -> scenes.Picture:
        scene = scene_of(scenes.house(), "a photo")
        labels = np.zeros((*scene.small.shape[:2], len(Label)), np.float32)
        labels[..., NUMBER[label]] = 1
        vars(scene).update(_output=replace(scene._output, labels=labels))
        return stepped(scene)

    above = (0.45, 0.385, 0.51, 0.41)
    (wall_red, _, wall_blue), (roof_red, _, roof_blue) = (
        color(seen(label), above) for label in (Label.FACADE, Label.ROOF)
    )
    assert wall_red / wall_blue > 1.15 * roof_red / roof_blue


@pytest.mark.long
def test_bright_and_dim_days_end_equally_dusky() -> None:
    bright, dim = (at_twilight(scenes.house(light=light)) for light in (1.0, 0.6))
    assert abs(lightness(bright, WALL) - lightness(dim, WALL)) < 0.25 * lightness(bright, WALL)


def test_without_a_sky_that_tells_the_hour_the_light_is_that_of_a_deep_dusk() -> None:
    scene = scene_of(scenes.house(), "a photo")
    vars(scene).update(sky=np.zeros(scene.small.shape[:2], np.float32))
    early, deep = (stepped(scene, dusk=each) for each in DuskKind)
    assert np.array_equal(early, deep)
    assert not np.array_equal(at_twilight(scenes.house()), early)


def test_nothing_is_clipped() -> None:
    drawn = scenes.house(sky=(250, 250, 251))
    assert measure_new_clipping(drawn, at_twilight(drawn)) < 0.005


@pytest.mark.long
@pytest.mark.usefixtures("seen_anew")
def test_the_result_does_not_depend_on_the_number_of_threads() -> None:
    drawn = scenes.house()
    assert np.array_equal(at_twilight(drawn, threads=1), at_twilight(drawn, threads=3))


@pytest.mark.parametrize(
    ("shape", "level"),
    [((1, 1), 0), ((1, 1), 255), ((1, 900), 140), ((900, 1), 255), ((40, 320), 0), ((40, 320), 140), ((6, 9), 140)],
)
def test_odd_pictures_end_in_a_picture_or_a_refusal(shape: tuple[int, int], level: int) -> None:
    picture = np.full((*shape, 3), level, np.uint8)
    picture[: shape[0] // 2, :, 2] = 230
    try:
        assert stepped(Scene(picture, ColorProfile(), "odd")).shape == picture.shape
    except Declined as declined:
        assert declined.reason in {Reason.NOT_EXTERIOR, Reason.ALREADY_DARK, Reason.FOG}


def test_a_photo_taken_in_the_dark_is_declined() -> None:
    with pytest.raises(Declined) as declined:
        at_twilight(scenes.house(sky=scenes.DUSK, light=0.3))
    assert declined.value.reason is Reason.ALREADY_DARK
