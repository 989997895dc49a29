"""HDR and flambient light on a drawn room."""

import numpy as np
import pytest

from engine.types.enhancements import Enhancement
from tests import scenes
from tests.engine.engine_runs import after

pytestmark = pytest.mark.usefixtures("seen_roughly")

LIGHT_STEPS = [Enhancement.HDR, Enhancement.FLAMBIENT]
CEILING, FAR_WALL, WINDOW = (0.05, 0.02, 0.95, 0.15), (0.92, 0.3, 0.99, 0.6), (0.12, 0.3, 0.2, 0.55)
FLOOR = (0.1, 0.86, 0.45, 0.98)


def color(picture: scenes.Picture, box: tuple[float, float, float, float]) -> np.ndarray:
    return scenes.part(picture, box).reshape(-1, 3).mean(0)


def cast(rgb: np.ndarray) -> float:
    return float((rgb.max() - rgb.min()) / rgb.max())


@pytest.mark.parametrize("step", LIGHT_STEPS)
def test_a_dim_room_becomes_bright(step: Enhancement) -> None:
    assert after(scenes.room(), step).mean() > scenes.room().mean() * 1.25


@pytest.mark.parametrize("step", LIGHT_STEPS)
def test_a_yellow_ceiling_becomes_nearly_neutral(step: Enhancement) -> None:
    before, now = cast(color(scenes.room(), CEILING)), cast(color(after(scenes.room(), step), CEILING))
    assert now < before * 0.5


@pytest.mark.parametrize("step", LIGHT_STEPS)
def test_wood_keeps_its_own_color(step: Enhancement) -> None:
    red, green, blue = color(after(scenes.room(), step), FLOOR)
    assert red > green * 1.12 > blue * 1.2


@pytest.mark.parametrize("step", LIGHT_STEPS)
def test_no_tone_is_lost_to_clipping(step: Enhancement) -> None:
    drawn = scenes.room()
    clipped = (after(drawn, step).min(-1) == 255) & (drawn.min(-1) < 255)
    assert clipped.mean() <= 0.005


@pytest.mark.parametrize("step", LIGHT_STEPS)
def test_no_halo_stands_round_the_window(step: Enhancement) -> None:
    changed = after(scenes.room(), step).astype(float).mean(-1)
    wall = changed[int(0.4 * 320), int(0.345 * 480) : int(0.5 * 480)]
    assert wall[:8].max() - wall[20:40].mean() < 14
    assert wall[20:40].mean() - wall[:8].min() < 14


def test_flambient_evens_out_the_dark_side_of_the_room() -> None:
    drawn = scenes.room()
    near, far = (0.36, 0.3, 0.43, 0.45), FAR_WALL
    before = color(drawn, far).mean() / color(drawn, near).mean()
    changed = after(drawn, Enhancement.FLAMBIENT)
    assert color(changed, far).mean() / color(changed, near).mean() > before + 0.08


@pytest.mark.parametrize("step", LIGHT_STEPS)
def test_a_room_that_is_well_lit_already_is_not_blown_out(step: Enhancement) -> None:
    bright = np.clip(scenes.room(cast=(1, 1, 1)).astype(float) * 1.35, 0, 250).astype(np.uint8)
    assert color(after(bright, step), CEILING).max() < 250
