"""Colors of rooms that are lifted, lamps under a balance, and panes that show no view."""

import colorsys

import numpy as np
import pytest

from engine.arrays import Plane, plane
from engine.color.channels import rgb_to_gray
from engine.filters import strips
from engine.relighting import tone_mapping
from engine.relighting.daylight import _find_plain_panes
from engine.relighting.tone_mapping import Development, map_tones

SIDE = 120
NEUTRAL = (1.0, 1.0, 1.0)
AGAINST_WARMTH = (0.86, 1.02, 1.3)


def flat(*colors: tuple[int, int, int]) -> np.ndarray:
    """Bands of these colors, from the top."""
    bands = [np.full((SIDE // len(colors), SIDE, 3), color, np.uint8) for color in colors]
    return np.vstack(bands)


def lit(pixels: np.ndarray, gain: float, gains: tuple[float, float, float] = NEUTRAL) -> np.ndarray:
    small = plane(pixels) / np.float32(255)
    gray = rgb_to_gray(small)
    none, wanted = np.zeros_like(gray), plane(np.minimum(gray * gain, 0.99))
    return map_tones(pixels, small, Development(plane(gains), none, none, wanted, none + 1))


def middle(pixels: np.ndarray, band: int = 0, of: int = 1) -> np.ndarray:
    height = SIDE // of
    return pixels[band * height + height // 3 : (band + 1) * height - height // 3].reshape(-1, 3).mean(0)


def chroma(color: np.ndarray) -> float:
    return float(color.max() - color.min())


@pytest.mark.parametrize("color", [(120, 70, 30), (150, 40, 40), (40, 60, 130), (90, 120, 60), (160, 120, 95)])
def test_what_is_lifted_keeps_its_hue_and_its_chroma_stays_behind_its_light(color: tuple[int, int, int]) -> None:
    now, before = middle(lit(flat(color), 1.4)), np.array(color, float)
    hues = [colorsys.rgb_to_hsv(*each)[0] for each in (now / 255, before / 255)]
    assert abs((hues[0] - hues[1] + 0.5) % 1 - 0.5) < 0.01
    assert 0.8 < chroma(now) / chroma(before) < 1.3
    assert float(now @ (0.299, 0.587, 0.114)) == pytest.approx(
        1.4 * float(before @ (0.299, 0.587, 0.114)), rel=0.03
    )


@pytest.mark.parametrize("color", [(120, 70, 30), (250, 20, 20), (255, 255, 0)])
def test_what_needs_no_light_keeps_its_color(color: tuple[int, int, int]) -> None:
    assert np.abs(middle(lit(flat(color), 1.0)) - color).max() < 3


def test_a_strong_color_gives_way_before_it_is_clipped() -> None:
    now = lit(flat((200, 60, 50)), 1.7)
    assert now.max() < 253
    assert now[..., 0].mean() > now[..., 1].mean() + 20


@pytest.mark.parametrize("lamp", [(255, 232, 175), (250, 240, 200), (255, 245, 225)])
def test_a_lamp_never_turns_blue_or_cyan(lamp: tuple[int, int, int]) -> None:
    red, green, blue = middle(lit(flat(lamp), 1.05, AGAINST_WARMTH))
    assert red >= green - 1.5
    assert green >= blue - 1.5


def test_a_wall_under_lamps_still_turns_neutral() -> None:
    now = middle(lit(flat((200, 172, 135)), 1.2, AGAINST_WARMTH))
    assert chroma(now) < 6


def test_the_same_bytes_come_out_however_many_threads_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = np.random.Generator(np.random.PCG64(5)).integers(0, 256, (90, 3200, 3), dtype=np.uint8)
    monkeypatch.setattr(strips, "STRIP_PIXELS", 30_000)
    results = []
    for threads in (1, 3):
        monkeypatch.setattr(strips, "THREADS", threads)
        small = np.full((18, 640, 3), 0.4, np.float32)
        gray = rgb_to_gray(small)
        none = np.zeros_like(gray)
        how = Development(plane(AGAINST_WARMTH), none + np.float32(0.05), none, plane(gray * 1.7), none + 1)
        results.append(tone_mapping.map_tones(noise, small, how))
    assert np.array_equal(*results)


def pane(values: np.ndarray, color: tuple[float, float, float] = NEUTRAL) -> Plane:
    small = plane(values[..., None] * np.array(color, np.float32))
    return _find_plain_panes(small, rgb_to_gray(small))[20:-20, 20:-20]


def test_blinds_and_frosted_glass_are_plain_and_leaves_and_blue_sky_are_not() -> None:
    slats = np.broadcast_to(0.72 + 0.12 * np.sign(np.sin(np.arange(240) / 3)), (180, 240))
    leaves = 0.6 + 0.2 * np.random.Generator(np.random.PCG64(6)).standard_normal((180, 240))
    assert pane(slats).mean() > 0.9
    assert pane(np.full((180, 240), 0.8)).mean() > 0.9
    assert pane(leaves.clip(0, 1)).mean() < 0.1
    assert pane(np.full((180, 240), 0.8), (0.6, 0.8, 1.1)).mean() < 0.1
