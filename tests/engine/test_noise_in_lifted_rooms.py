"""Noise of dark places does not grow with their light: grain, and the blocks of JPEGs; edges and colors stay."""

import numpy as np
import pytest

from engine.arrays import Pixels, plane
from engine.color.channels import rgb_to_gray
from engine.filters import strips
from engine.relighting.tone_mapping import Development, map_tones

HEIGHT, WIDTH = 160, 240
INNER = np.s_[24:-24, 24:-24]
WALL = np.array((52.0, 44.0, 36.0))


def lift(pixels: Pixels, gain: float) -> np.ndarray:
    """The picture with its light raised evenly."""
    small = plane(pixels) / np.float32(255)
    gray = rgb_to_gray(small)
    none, wanted = np.zeros_like(gray), plane(np.minimum(gray * gain, 0.99))
    how = Development(plane((1, 1, 1)), none, none, wanted, none + 1)
    return map_tones(pixels, small, how).astype(float)


def grainy(levels: float) -> Pixels:
    grain = np.random.Generator(np.random.PCG64(3)).standard_normal((HEIGHT, WIDTH, 1)) * levels
    return np.clip(WALL + grain, 0, 255).astype(np.uint8)


def in_blocks(side: int, color: tuple[int, int, int]) -> Pixels:
    """A wall in blocks, as a JPEG has them in the dark: some have more of this color, some less."""
    signs = np.random.Generator(np.random.PCG64(4)).integers(-1, 2, (HEIGHT // side, WIDTH // side, 1))
    return np.clip(WALL + np.kron(signs * np.array(color), np.ones((side, side, 1))), 0, 255).astype(np.uint8)


def deviation(values: np.ndarray) -> float:
    return float(values[INNER].std((0, 1)).max())


def luma(picture: np.ndarray) -> np.ndarray:
    return picture @ np.array((0.299, 0.587, 0.114))


def chroma(picture: np.ndarray) -> np.ndarray:
    return picture[..., ::2] - luma(picture)[..., None]


@pytest.mark.parametrize("levels", [1.5, 4])
def test_the_grain_of_a_dark_wall_is_not_amplified(levels: float) -> None:
    wall = grainy(levels)
    lifted = lift(wall, 2.5)
    assert luma(lifted)[INNER].mean() > 2.4 * luma(wall.astype(float))[INNER].mean()
    assert deviation(luma(lifted)) < 1.1 * deviation(luma(wall.astype(float)))


def test_the_grain_of_a_large_picture_is_not_amplified_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strips, "HALF_SIZE_FROM", 100)
    wall = grainy(4)
    assert deviation(luma(lift(wall, 2.5))) < 1.1 * deviation(luma(wall.astype(float)))


def test_blocks_of_a_dark_jpeg_grow_less_than_their_light() -> None:
    blocks = in_blocks(8, (2, 2, 2))
    assert deviation(luma(lift(blocks, 3))) < 0.6 * 3 * deviation(luma(blocks.astype(float)))


def test_colored_blocks_of_a_dark_jpeg_become_one_color() -> None:
    blocks = in_blocks(8, (3, -1, -2))
    assert deviation(chroma(lift(blocks, 2.5))) < 0.6 * deviation(chroma(blocks.astype(float)))


def test_what_is_not_lifted_keeps_its_colored_blocks() -> None:
    blocks = in_blocks(8, (3, -1, -2))
    assert np.abs(lift(blocks, 1.0) - blocks)[INNER].mean() < 0.6


def test_stripes_of_cloth_grow_with_their_light() -> None:
    cloth = grainy(1)
    cloth[:, ::8] += 30
    cloth[:, 1::8] += 30
    assert deviation(luma(lift(cloth, 2))) > 1.7 * deviation(luma(cloth.astype(float)))


@pytest.mark.parametrize("other", [(36, 52, 44), (30, 50, 60)])
def test_two_paints_of_one_lightness_keep_the_edge_between_them(other: tuple[int, int, int]) -> None:
    wall = grainy(1)
    paint = np.array(other) * (luma(WALL) / luma(np.array(other, float)))
    wall[:, WIDTH // 2 :] = paint
    lifted = chroma(lift(wall, 2))[INNER].mean(0)
    step = np.abs(lifted[: WIDTH // 2 - 24 - 2].mean(0) - lifted[WIDTH // 2 - 24 + 2 :].mean(0)).max()
    near = WIDTH // 2 - 24
    assert np.abs(lifted[near - 3] - lifted[near + 2]).max() > 0.7 * step
