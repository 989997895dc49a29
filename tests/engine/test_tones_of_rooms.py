"""Rooms are lit without being bleached: whites keep texture, paint its color, panes their sky; baths are white."""

from dataclasses import replace

import numpy as np
import pytest

from engine.arrays import Pixels, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.color.profiles import ColorProfile
from engine.effects import flambient_enhancement
from engine.effects.flambient_enhancement import FLAMBIENT
from engine.relighting.daylight import find_daylight
from engine.relighting.tone_mapping import Development, map_tones
from engine.relighting.white_balance import Whites, compare_with_fixtures
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene
from engine.types.enhancements import Enhancement
from tests.engine.engine_runs import after

PANE = np.s_[60:180, 120:300]
EFFECTS = pytest.mark.parametrize("effect", [Enhancement.HDR, Enhancement.FLAMBIENT])


def tiled_bathroom() -> Pixels:
    """White tiles with joints, already light, above a dark floor."""
    room = np.full((320, 480, 3), 206, np.uint8)
    room[::20], room[:, ::20] = 190, 190
    room[240:] = (70, 62, 56)
    return room


@EFFECTS
def test_white_tiles_get_lighter_but_not_white_and_keep_their_joints(effect: Enhancement) -> None:
    lit = after(tiled_bathroom(), effect).astype(float)[40:220, 40:440]
    tiles, joints = lit[10::20, 10::20].mean(), lit[:, ::20].mean()
    assert 207 < tiles < 246
    assert tiles - joints > 8
    assert (lit >= 250).mean() < 0.001


def test_a_basin_in_a_dim_room_is_not_bleached_by_the_flash() -> None:
    room = tiled_bathroom() // 2
    room[80:180, 160:320] = 196
    room[80:180:10, 160:320] = 188
    basin = after(room, Enhancement.FLAMBIENT).astype(float)[95:165, 180:300]
    assert 225 < basin.mean() < 244
    assert np.ptp(basin.mean(1)) > 4


@pytest.mark.parametrize(("amplitude", "is_busy"), [(30, True), (3, False)])
def test_local_contrast_is_added_only_to_photos_that_have_little(
    amplitude: int, is_busy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    dots = np.random.Generator(np.random.PCG64(5)).integers(-amplitude, amplitude, (60, 90), endpoint=True)
    room = np.asarray(np.kron(60 + dots, np.ones((4, 4)))[..., None] + np.zeros(3), np.uint8)
    with_detail = after(room, Enhancement.FLAMBIENT)
    monkeypatch.setattr(flambient_enhancement, "FLAMBIENT", replace(FLAMBIENT, detail=0.0))
    assert (after(room, Enhancement.FLAMBIENT) == with_detail).all() == is_busy


@EFFECTS
def test_a_dark_thing_in_a_light_room_stays_dark(effect: Enhancement) -> None:
    lit = after(tiled_bathroom(), effect).astype(float)
    assert lit[260:300, 40:440].mean() < 90


def test_flambient_is_whiter_than_hdr_and_its_blacks_are_deeper_in_relation() -> None:
    hdr, flambient = (
        after(tiled_bathroom(), each).astype(float) for each in (Enhancement.HDR, Enhancement.FLAMBIENT)
    )
    white, dark = np.s_[40:220, 40:440], np.s_[260:300, 40:440]
    assert flambient[white].mean() > hdr[white].mean() + 3
    assert flambient[white].mean() / flambient[dark].mean() > hdr[white].mean() / hdr[dark].mean()


def relative_chroma(color: tuple[int, int, int], gain: float) -> float:
    """How much of its chroma, in relation to its luma, an even color has after its light was raised."""
    wall = np.full((60, 60, 3), color, np.uint8)
    small = plane(wall) / np.float32(255)
    gray = rgb_to_gray(small)
    none = np.zeros_like(gray)
    lit = map_tones(wall, small, Development(plane((1, 1, 1)), none, none, plane(gray * gain), none + 1))
    before, now = (np.asarray(each, float).reshape(-1, 3).mean(0) for each in (wall, lit))
    return float(np.ptp(now) / now.mean() / (np.ptp(before) / before.mean()))


def test_wood_keeps_more_of_its_color_than_a_cast_does_as_the_light_is_raised() -> None:
    wood, cast = relative_chroma((110, 62, 34), 1.6), relative_chroma((110, 104, 98), 1.6)
    assert wood > 0.84
    assert wood > cast + 0.03


def seen_pane(monkeypatch: pytest.MonkeyPatch, above: tuple[int, int, int], below: tuple[int, int, int]) -> Plane:
    """The view that is found in a pane of two even colors, in the rows of the lower one."""
    photo = np.full((240, 420, 3), 120, np.uint8)
    photo[PANE] = above
    photo[120:180, 120:300] = below
    window = np.zeros(photo.shape[:2], np.float32)
    window[PANE] = 1
    monkeypatch.setattr(Scene, "share", lambda scene, kind: window * np.float32(kind is Kind.WINDOW))
    monkeypatch.setattr(Scene, "label_share", lambda scene, *labels: np.zeros_like(window))
    scene = Scene(photo, ColorProfile(), "")
    return find_daylight(scene, scene.small).view[135:165, 150:270]


def test_a_pale_fence_below_blue_sky_is_a_view_and_a_blind_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    fence, blind = (188, 186, 182), (214, 212, 208)
    assert seen_pane(monkeypatch, (150, 190, 224), fence).mean() > 0.7
    assert seen_pane(monkeypatch, blind, fence).mean() < 0.2


@pytest.mark.parametrize(
    ("wall", "bath"), [((1.08, 1.0, 0.9), (0.72, 0.72, 0.72)), ((1.0, 1.0, 1.0), (0.78, 0.7, 0.6))]
)
def test_the_cast_is_that_of_the_bath_rather_than_that_of_the_wall(
    wall: tuple[float, float, float], bath: tuple[float, float, float]
) -> None:
    small = np.full((90, 160, 3), 0.5, np.float32)
    small[50:, 100:] = bath
    fixtures = np.zeros((90, 160), np.float32)
    fixtures[50:, 100:] = 1
    found = compare_with_fixtures(Whites(fixtures, wall, 1.0, 0.7), small, fixtures)
    own = np.array(bath) / np.mean(bath)
    assert np.abs(np.array(found.cast) - own).max() < 0.6 * np.abs(np.array(wall) - own).max()


@pytest.mark.parametrize(("bath", "rows"), [((0.8, 0.5, 0.2), 50), ((0.7, 0.7, 0.7), 88)])
def test_a_bath_deep_in_lamplight_or_too_small_does_not_change_the_cast(
    bath: tuple[float, float, float], rows: int
) -> None:
    small = np.full((90, 160, 3), 0.5, np.float32)
    small[rows:, 120:] = bath
    fixtures = np.zeros((90, 160), np.float32)
    fixtures[rows:, 120:] = 1
    whites = Whites(fixtures, (1.06, 1.0, 0.94), 1.0, 0.7)
    assert compare_with_fixtures(whites, small, fixtures).cast == pytest.approx(whites.cast, abs=0.01)
