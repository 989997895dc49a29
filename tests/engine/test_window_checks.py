"""Which places that look like windows are lit at dusk: by both looks of the net, by light and shape."""

import numpy as np
import pytest

from engine.arrays import Plane, plane
from engine.segmentation.window_checks import (
    Looks,
    add_sure_windows,
    exclude_other_glass,
    exclude_partial_windows,
    find_wood,
    keep_windows,
)

SHAPE = (120, 180)
LEFT, MIDDLE, RIGHT = (np.s_[30:60, left : left + 26] for left in (12, 76, 140))
WALL = 0.6


def empty() -> Plane:
    return np.zeros(SHAPE, np.float32)


def looks() -> Looks:
    """A house of plain wall, in which the net sees no window yet."""
    return Looks(empty(), empty(), plane(empty() + 1), empty(), empty(), plane(empty() + WALL), empty())


def test_a_pane_that_is_rather_a_door_or_hardly_one_is_not_lit() -> None:
    found, seen = empty(), looks()
    for place, pane, other in ((LEFT, 0.6, 0.1), (MIDDLE, 0.4, 0.5), (RIGHT, 0.1, 0.0)):
        found[place], seen.panes[place], seen.others[place], seen.gray[place] = 1, pane, other, 0.3
    lit = exclude_other_glass(found, seen)
    assert lit[LEFT].all()
    assert not lit[:, 60:].any()


def test_a_tall_brown_place_is_a_door_and_a_low_one_a_window_with_some_brown_behind_it() -> None:
    found, seen = empty(), looks()
    door, low, board = np.s_[20:70, 12:34], np.s_[30:50, 70:100], np.s_[30:50, 140:170]
    for place, wood in ((door, 0.5), (low, 0.5), (board, 0.9)):
        found[place], seen.panes[place], seen.gray[place], seen.wood[place] = 1, 0.7, 0.3, wood
    lit = exclude_other_glass(found, seen)
    assert lit[low].all()
    assert lit.sum() == lit[low].sum()


def test_brown_is_wood_and_gray_or_almost_black_is_not() -> None:
    colors = plane([[(0.4, 0.25, 0.15), (0.3, 0.3, 0.32), (0.1, 0.06, 0.03)]])
    assert find_wood(colors).tolist() == [[1, 0, 0]]


def test_an_opening_that_shows_daylight_is_not_lit() -> None:
    found, seen = empty(), looks()
    for place, pane, luma in ((LEFT, 0.45, 0.8), (MIDDLE, 0.45, 0.4), (RIGHT, 0.7, 0.8)):
        found[place], seen.panes[place], seen.gray[place] = 1, pane, luma
    lit = exclude_other_glass(found, seen)
    assert not lit[LEFT].any()
    assert lit[MIDDLE].all()
    # Where the net is sure of glass, it mirrors a bright sky, or has white blinds.
    assert lit[RIGHT].all()
    seen.glass[LEFT] = 0.7
    assert exclude_other_glass(found, seen)[LEFT].all()


@pytest.mark.parametrize("before", [None, "fence", "wide view", "pale"])
def test_a_dark_pane_that_only_the_closer_look_sees_is_lit_in_a_wall(before: str | None) -> None:
    found, seen = empty(), looks()
    found[MIDDLE], seen.panes[MIDDLE], seen.glass[MIDDLE], seen.gray[MIDDLE] = 1, 0.16, 0.7, 0.4
    if before == "fence":
        seen.barriers[MIDDLE] = 0.4
    if before == "wide view":
        seen.house[:] = 0.5
    if before == "pale":
        seen.gray[MIDDLE] = WALL + 0.02
    assert exclude_other_glass(found, seen)[MIDDLE].all() == (before is None)


@pytest.mark.parametrize("fault", [None, "fence", "white", "unsure", "torn"])
def test_a_window_that_both_looks_are_sure_of_is_lit_whole_where_no_box_fits(fault: str | None) -> None:
    seen = looks()
    seen.panes[MIDDLE], seen.glass[MIDDLE], seen.gray[MIDDLE] = 0.7, 0.7, 0.3
    seen.panes[30:34, 76:80] = seen.glass[30:34, 76:80] = 0
    if fault == "fence":
        seen.barriers[MIDDLE] = 0.4
    if fault == "white":
        seen.gray[MIDDLE] = 0.9
    if fault == "unsure":
        seen.glass[MIDDLE] = 0.35
    if fault == "torn":
        seen.panes[36:60, 82:102] = seen.glass[36:60, 82:102] = 0
    lit = keep_windows(empty(), seen)
    assert lit.any() == (fault is None)
    if fault is None:
        assert lit[MIDDLE].mean() > 0.98
        assert lit.sum() == lit[MIDDLE].sum()


def test_a_window_that_was_found_is_not_added_again() -> None:
    found, seen = empty(), looks()
    seen.panes[MIDDLE] = seen.glass[MIDDLE] = 0.7
    found[MIDDLE] = 0.5
    assert np.array_equal(add_sure_windows(found, seen), found)


def test_a_window_of_which_a_part_was_found_stays_dark() -> None:
    found, seen = np.zeros((100, 200), np.float32), np.zeros((100, 200), np.float32)
    seen[20:60, 10:50] = seen[20:60, 70:110] = 0.7
    found[20:60, 10:45] = found[20:60, 70:78] = found[20:60, 150:170] = 1
    lit = exclude_partial_windows(found, plane(seen))
    assert lit[20:60, 10:45].all() and lit[20:60, 150:170].all()
    assert not lit[:, 60:120].any()
