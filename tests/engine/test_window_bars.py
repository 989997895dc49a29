"""Bars of windows: straight ones from frame to frame, and neither blinds nor curtains."""

import cv2
import numpy as np
import pytest

from engine.arrays import Matte, matte
from engine.relighting.window_bars import find_bars

GLASS, PALE = 60, 225


def draw_window(bars: list[tuple[slice, slice]], glass: int = GLASS, bar: int = PALE) -> tuple[Matte, Matte]:
    """A window of 120 x 160 pixels in a wall, a little noisy, and its glass."""
    gray, is_glass = np.full((160, 200), 180, np.uint8), np.zeros((160, 200), np.uint8)
    gray[20:140, 20:180], is_glass[20:140, 20:180] = glass, 255
    for each in bars:
        gray[20:140, 20:180][each] = bar
    noise = np.random.Generator(np.random.PCG64(2)).normal(0, 2, gray.shape)
    return matte((cv2.GaussianBlur(gray, (0, 0), 0.6) + noise) / 255), is_glass


@pytest.mark.parametrize(("glass", "bar"), [(GLASS, PALE), (190, 40)])
def test_bars_that_cross_the_whole_window_are_found(glass: int, bar: int) -> None:
    found = find_bars(*draw_window([np.s_[58:62, :], np.s_[:, 78:81]], glass, bar))[20:140, 20:180]
    assert found[60].min() > 0.9
    assert found[:, 79].min() > 0.9
    assert found[8:50, 8:70].max() == 0


def test_a_bar_of_one_sash_alone_is_not_drawn_because_others_like_it_may_have_been_missed() -> None:
    found = find_bars(*draw_window([np.s_[58:62, :], np.s_[:58, 78:81]]))[20:140, 20:180]
    assert found[60].min() > 0.9
    assert found[8:50].max() == 0


def test_a_bar_is_whole_where_something_hides_a_little_of_it() -> None:
    gray, glass = draw_window([np.s_[:, 78:82]])
    gray[70:84, 90:110] = GLASS
    assert find_bars(gray, glass)[24:136, 100].min() > 0.9


def test_bars_of_a_window_in_perspective_follow_it() -> None:
    gray, glass = draw_window([np.s_[58:62, :]])
    slant = np.array([[1, 0, 0], [0.1, 1, 0]], np.float32)
    size = gray.shape[::-1]
    found = find_bars(
        np.asarray(cv2.warpAffine(gray, slant, size, borderValue=180), np.uint8),
        np.asarray(cv2.warpAffine(glass, slant, size), np.uint8),
    )
    for column in (40, 100, 160):
        assert found[80 + round(0.1 * column), column] > 0.9


@pytest.mark.parametrize("upright", [False, True])
def test_slats_of_blinds_and_folds_of_curtains_are_no_bars(upright: bool) -> None:
    places = [slice(start, start + 3) for start in range(4, 112, 10)]
    gray, glass = draw_window([(slice(None), each) if upright else (each, slice(None)) for each in places])
    assert find_bars(gray, glass).max() == 0


def test_a_window_of_a_few_pixels_has_no_bars() -> None:
    gray, glass = np.full((9, 9), GLASS, np.uint8), np.full((9, 9), 255, np.uint8)
    gray[:, 4] = PALE
    assert find_bars(gray[:5], glass[:5]).max() == 0
    assert find_bars(gray, np.zeros_like(glass)).max() == 0
