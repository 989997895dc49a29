"""The outline of windows: straight sides at their frames, whole, without shutters."""

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.segmentation.window_parts import fit_windows
from tests import scenes

WALL, GLASS, FRAME, SHUTTER = (200, 190, 178), (58, 64, 70), (240, 240, 238), (110, 60, 52)
Corners = list[tuple[int, int]]


def draw(*shapes: tuple[Corners, tuple[int, int, int]]) -> Plane:
    """A wall with these shapes, a little soft, 0-1."""
    picture = np.full((240, 360, 3), WALL, np.uint8)
    for corners, color in shapes:
        cv2.fillPoly(picture, [np.array(corners)], color)
    return plane(cv2.GaussianBlur(picture, (0, 0), 0.7)) / np.float32(255)


def box(left: int, top: int, right: int, bottom: int) -> Corners:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def fill(*shapes: Corners) -> Plane:
    filled = np.zeros((240, 360), np.uint8)
    for corners in shapes:
        cv2.fillPoly(filled, [np.array(corners)], 1)
    return plane(filled)


def measure_overlap(one: Plane, other: Plane) -> float:
    """Intersection over union."""
    return float(np.minimum(one, other).sum() / np.maximum(one, other).sum())


def test_the_sides_of_a_window_in_perspective_lie_on_its_frame() -> None:
    pane = [(120, 70), (220, 84), (220, 168), (120, 180)]
    frame = [(114, 63), (226, 78), (226, 174), (114, 187)]
    found = fill(box(114, 76, 225, 176))
    fitted = fit_windows(found, draw((frame, FRAME), (pane, GLASS)), found)
    assert measure_overlap(fitted, fill(pane)) > 0.92
    assert measure_overlap(found, fill(pane)) < 0.88


def test_a_window_of_which_one_half_was_found_is_lit_as_a_whole() -> None:
    whole, bar = box(120, 80, 240, 160), box(178, 80, 182, 160)
    picture = draw((box(114, 74, 246, 166), FRAME), (whole, GLASS), (bar, FRAME))
    agreed = plane(0.5 * fill(whole))
    assert measure_overlap(fit_windows(fill(box(120, 80, 178, 160)), picture, agreed), fill(whole)) > 0.93


def test_a_window_does_not_grow_over_what_the_net_hardly_takes_for_glass() -> None:
    half, whole = box(120, 80, 178, 160), box(120, 80, 240, 160)
    picture = draw((box(114, 74, 246, 166), FRAME), (whole, GLASS), (box(178, 80, 182, 160), FRAME))
    agreed = plane(0.6 * fill(half) + 0.15 * (fill(whole) - fill(half)))
    assert measure_overlap(fit_windows(fill(half), picture, agreed), fill(half)) > 0.9


def test_a_window_does_not_grow_into_the_next_one() -> None:
    one, next_one = box(80, 80, 150, 160), box(174, 80, 226, 160)
    picture = draw((one, GLASS), (next_one, GLASS))
    agreed = plane(0.5 * fill(one, next_one))
    assert measure_overlap(fit_windows(fill(one), picture, agreed), fill(one)) > 0.93


def test_shutters_that_were_found_with_their_window_are_cut_off() -> None:
    window, shutters = box(140, 80, 220, 160), (box(108, 80, 140, 160), box(220, 80, 252, 160))
    picture = draw((window, GLASS), *((each, SHUTTER) for each in shutters))
    agreed = plane(0.8 * fill(window) + 0.4 * fill(*shutters))
    found = fill(box(108, 80, 252, 160))
    assert measure_overlap(fit_windows(found, picture, agreed), fill(window)) > 0.9


def test_side_panes_that_look_like_glass_stay_lit() -> None:
    window, sides = box(140, 80, 220, 160), (box(104, 80, 136, 160), box(224, 80, 256, 160))
    picture = draw((box(98, 74, 262, 166), FRAME), (window, GLASS), *((each, (96, 102, 94)) for each in sides))
    found = fill(box(104, 80, 256, 160))
    assert measure_overlap(fit_windows(found, picture, plane(0.8 * found)), found) > 0.9


def test_a_shutter_alone_beside_a_window_is_none() -> None:
    window, shutters = box(140, 80, 220, 160), (box(104, 80, 136, 160), box(224, 80, 256, 160))
    picture = draw((window, GLASS), *((each, SHUTTER) for each in shutters))
    agreed = plane(0.8 * fill(window) + 0.5 * fill(shutters[0]) + 0.3 * fill(shutters[1]))
    fitted = fit_windows(fill(window, shutters[0]), picture, agreed)
    assert measure_overlap(fitted, fill(window)) > 0.9


def test_round_windows_keep_their_shape() -> None:
    round_window = np.zeros((240, 360), np.uint8)
    cv2.circle(round_window, (180, 120), 30, 1, -1)
    found = plane(round_window)
    assert np.array_equal(fit_windows(found, draw(), found), found)


def test_a_picture_without_windows_has_none() -> None:
    nothing = np.zeros((240, 360), np.float32)
    assert fit_windows(nothing, small_house(), nothing).sum() == 0


def small_house() -> Plane:
    return plane(scenes.house(360, 240)) / np.float32(255)
