"""Measures the skirting of a wall where it is certainly visible, and continues it behind things.

Skirting is a band of constant height at the foot of a wall, with a sharp upper edge. It is searched for in many
places along the wall: a band of light, the edge of a carpet or a shadow does not look the same in all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.inpainting.face_view import FaceView

FOOT_HEIGHT = 0.22
"""Height above the floor, in meters, up to which a wall may have skirting."""
ABOVE_FOOT = 0.25
"""Height, in meters, of the strip right above the foot with which the foot is compared."""
PLACE_WIDTH = 0.08
"""Width, in meters, of a place; the foot is measured separately in each place."""
MIN_PLACE_CELLS = 3
"""Minimum number of columns of a place, and of its columns that show the foot."""
MIN_PLACES = 3
"""Minimum number of places that must agree."""
MIN_AGREEING = 0.6
"""Minimum share of the places that must agree; with less, the skirting is not known."""
MIN_HEIGHT = 0.035
"""Minimum height of skirting, in meters."""
MIN_CONTRAST = 0.05
"""Minimum difference of skirting from the wall at its upper edge, in logarithms."""
EDGE_HEIGHT = 0.02
"""Meters within which the upper edge changes from wall to skirting, or two pixels if these are larger."""
MIN_EDGE = 0.3
"""Minimum step at the upper edge, as a share of the largest step: below the edge, skirting may have grooves."""
MAX_ABOVE = 0.4
"""Maximum share of that step by which the wall differs higher up: light and shadows change slowly."""
MAX_NOISE = 0.035
"""Difference of the wall higher up, in logarithms, that is always allowed."""
HEIGHT_TOLERANCE = 0.015
"""Difference of heights, in meters, of places that agree, or one and a half pixels if these are larger."""
COLOR_TOLERANCE = 0.25
"""Maximum mean difference of the levels of places that agree, in logarithms."""
MAX_SLOPE = 0.03
"""Maximum slope of the upper edge in relation to the floor; outlines drawn by hand may cause a slope."""
LEVELS = 16
"""Number of levels from the floor to the upper edge at which the color is measured."""
MIN_FLOOR_DIFFERENCE = 0.04
"""Minimum difference, in logarithms, between skirting and the floor right below it; a carpet's edge has none."""
SKIRTING_CONTRAST = 0.06, 0.15
"""Difference of another wall's skirting from the wall: up to the first value it is not continued, from the second
on fully.
"""
MAX_LIGHT_DIFFERENCE = 0.3
"""Maximum difference (logarithms) between two walls of one room that light alone can explain."""


@dataclass(frozen=True, slots=True)
class Skirting:
    """The skirting of a wall: its upper edge is `height` meters above the floor at `middle` meters along the wall.

    The edge rises by `slope` per meter along the wall.

    `levels` (LEVELS, 3) is its difference from the wall right above the foot, from the floor up, in logarithms.
    `wall_color` (3 logarithms) is the color of the wall there. `places` is the number of places that agree.
    """

    height: float
    middle: float
    slope: float
    levels: Plane
    wall_color: Plane
    places: int


@dataclass(frozen=True, slots=True)
class WallFoot:
    """What is known of a wall's foot: its `skirting`, which is None if the foot `is_bare` or not known."""

    wall_color: Plane
    skirting: Skirting | None = None
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """One place of a wall's foot: meters along the wall, and, if it shows skirting, its height and levels (x 3)."""

    across: float
    is_bare: bool
    height: float | None = None
    levels: Plane | None = None


def measure_foot(view: FaceView, visible: Mask) -> WallFoot | None:
    """Measure the visible foot of a wall.

    Parameters
    ----------
    view : FaceView
        The wall.
    visible : (h, w) ndarray of bool
        Cells that nothing hides. Skirting is often not labeled as wall, so `view.known` lacks it.

    Returns
    -------
    WallFoot or None
        None if nothing of the wall right above the foot is visible.
    """
    up, known = view.rectified.up, np.asarray(view.known | visible)
    above = np.asarray((up > FOOT_HEIGHT) & (up < FOOT_HEIGHT + ABOVE_FOOT))
    if not known[above].any():
        return None
    color = plane(np.median(view.values[above][known[above]], axis=0))
    base, has_base = _compute_column_means(view.values[above], known[above])
    foot = np.flatnonzero((up >= 0) & (up <= FOOT_HEIGHT))
    usable = has_base & (known[foot].mean(0) > 0.7) if len(foot) else np.zeros(len(has_base), bool)
    width = max(MIN_PLACE_CELLS, round(PLACE_WIDTH / view.rectified.cell))
    places = [
        _measure_place(view, foot, columns, base)
        for first in range(0, len(usable), width)
        if len(columns := first + np.flatnonzero(usable[first : first + width])) >= MIN_PLACE_CELLS
    ]
    return _find_agreement(places, view, color)


def continue_foot(view: FaceView, own: WallFoot | None, others: Sequence[WallFoot]) -> Plane:
    """Find the foot of a wall behind things: like its own visible foot, else like the surest foot of other walls.

    Parameters
    ----------
    view : FaceView
        The wall.
    own : WallFoot or None
        Its visible foot.
    others : Sequence of WallFoot
        The feet of the other walls.

    Returns
    -------
    (h, w, 3) ndarray of float32
        For each cell of the wall, the logarithms to add to the plain wall; 0 above the skirting, and everywhere if
        the wall surely has none or if no wall surely shows one.
    """
    if own is not None and own.skirting is not None:
        return _draw(view, own.skirting, own.skirting.levels)
    known = [each.skirting for each in others if each.skirting is not None]
    if not known or (own is not None and own.is_bare):
        return np.zeros((*view.rectified.shape, 3), np.float32)
    best = max(known, key=lambda each: each.places)
    return _draw(view, best, _adapt(best, own), is_borrowed=True)


def _measure_place(view: FaceView, foot: NDArray[np.intp], columns: NDArray[np.intp], base: Plane) -> _Place:
    """Look for skirting in some columns: the highest sharp edge, if the wall above it is even."""
    rectified = view.rectified
    across, up = float(rectified.across[columns].mean()), rectified.up[foot]
    rows = plane(np.median(view.values[np.ix_(foot, columns)] - base[columns], axis=1))
    pixel = float(np.median(rectified.cover[np.ix_(foot, columns)]))
    reach = max(1, round(max(EDGE_HEIGHT, 2 * pixel) / rectified.cell))
    tops = np.flatnonzero((up >= MIN_HEIGHT) & (np.arange(len(foot)) + 2 * reach <= len(foot)))
    tops = tops[tops >= reach]
    if not len(tops):
        return _Place(across, is_bare=False)
    # The rows right at an edge are mixed, so each side is measured beyond them.
    skipped = reach // 2
    sums = np.vstack([np.zeros((1, 3)), np.cumsum(rows, axis=0)])
    below = (sums[tops - skipped] - sums[tops - reach]) / (reach - skipped)
    above = (sums[tops + reach] - sums[tops + skipped]) / (reach - skipped)
    steps = below - above
    sharpness = np.abs(steps).max(1)
    if sharpness.max() < MIN_CONTRAST:
        return _Place(across, is_bare=True)
    best = int(np.flatnonzero(sharpness >= max(MIN_CONTRAST, MIN_EDGE * sharpness.max()))[-1])
    near = slice(max(0, best - reach), best + 1)
    best = near.start + int(sharpness[near].argmax())
    channel = int(np.abs(steps[best]).argmax())
    step, top = float(steps[best, channel]), int(tops[best])
    relative = (rows[:, channel] - above[best, channel]) / step
    wall = np.abs(relative[top + skipped :])
    if np.quantile(wall, 0.9) > max(MAX_ABOVE, MAX_NOISE / abs(step)):
        return _Place(across, is_bare=False)
    if _is_floor(view, columns, base, plane(np.median(rows[reach // 2 : top], axis=0))):
        return _Place(across, is_bare=False)
    # The edge lies where half of its contrast is reached.
    around = np.arange(max(0, top - reach), min(len(foot), top + reach))
    crossing = around[relative[around] > 0.5]
    height = float(up[crossing[-1]] if len(crossing) else up[top]) + rectified.cell / 2
    heights = (np.arange(LEVELS) + 0.5) / LEVELS * (height - pixel / 2)
    levels = [np.interp(heights, up, rows[:, each]) for each in range(3)]
    return _Place(across, is_bare=False, height=height, levels=plane(np.column_stack(levels)))


def _is_floor(view: FaceView, columns: NDArray[np.intp], base: Plane, band: Plane) -> bool:
    """Whether the band that differs from the wall is the floor, because the wall begins higher than expected."""
    up = view.rectified.up
    below = np.flatnonzero((up < -0.01) & (up > -0.06))
    if not len(below):
        return False
    floor = np.median(view.values[np.ix_(below, columns)] - base[columns], axis=(0, 1))
    return bool(np.abs(floor - band).max() < MIN_FLOOR_DIFFERENCE)


def _find_agreement(places: Sequence[_Place], view: FaceView, color: Plane) -> WallFoot:
    """The skirting in which most places agree."""
    found = [(each.across, each.height, each.levels) for each in places if each.height and each.levels is not None]
    if len(places) >= MIN_PLACES and sum(each.is_bare for each in places) > MIN_AGREEING * len(places):
        return WallFoot(color, is_bare=True)
    if len(found) < MIN_PLACES:
        return WallFoot(color)
    x, heights = np.array([each[0] for each in found]), np.array([each[1] for each in found])
    levels = np.stack([each[2] for each in found])
    slope = _fit_slope(x, heights)
    middle = float(np.median(x))
    height = float(np.median(heights - slope * (x - middle)))
    tolerance = max(HEIGHT_TOLERANCE, 1.5 * float(np.median(view.rectified.cover)))
    same_height = np.abs(heights - slope * (x - middle) - height) < tolerance
    same_color = np.abs(levels - np.median(levels, axis=0)).mean((1, 2)) < COLOR_TOLERANCE
    agreeing = np.asarray(same_height & same_color)
    if agreeing.sum() < max(MIN_PLACES, MIN_AGREEING * len(places)):
        return WallFoot(color)
    typical = plane(np.median(levels[agreeing], axis=0))
    return WallFoot(color, Skirting(height, middle, slope, typical, color, int(agreeing.sum())))


def _fit_slope(x: NDArray[np.float64], heights: NDArray[np.float64]) -> float:
    """The median slope between distant places (Theil and Sen), at most MAX_SLOPE; 0 if all are near each other."""
    first, second = np.triu_indices(len(x), 1)
    far = np.abs(x[second] - x[first]) > 0.5
    if not far.any():
        return 0.0
    slopes = (heights[second] - heights[first])[far] / (x[second] - x[first])[far]
    return float(np.clip(np.median(slopes), -MAX_SLOPE, MAX_SLOPE))


def _draw(view: FaceView, skirting: Skirting, levels: Plane, *, is_borrowed: bool = False) -> Plane:
    """The logarithms to add to each cell; another wall's skirting is drawn at its mean height."""
    rectified = view.rectified
    tops = np.full(rectified.shape[1], skirting.height)
    if not is_borrowed:
        tops += skirting.slope * (rectified.across - skirting.middle)
    share = rectified.up[:, None] / np.maximum(tops, rectified.cell)
    # The upper edge is half a cell wide on both sides, so that it has no steps.
    cover = np.clip((tops - rectified.up[:, None]) / rectified.cell + 0.5, 0, 1) * (rectified.up >= 0)[:, None]
    steps = (np.arange(LEVELS) + 0.5) / LEVELS
    values = [np.interp(share, steps, levels[:, channel]) for channel in range(3)]
    return plane(np.stack(values, axis=2) * cover[..., None])


def _adapt(other: Skirting, own: WallFoot | None) -> Plane:
    """The levels of another wall's skirting; they keep their color if the walls differ more than light explains."""
    difference = np.zeros(3) if own is None else other.wall_color - own.wall_color
    paint_difference = np.sign(difference) * np.maximum(np.abs(difference) - MAX_LIGHT_DIFFERENCE, 0)
    # Small differences come from the other wall's light. Skirting is not brighter here than on the other wall.
    levels = plane(np.minimum(other.levels + paint_difference, np.maximum(other.levels + difference, 0)))
    low, high = SKIRTING_CONTRAST
    return plane(levels * np.clip((np.abs(levels).mean(0).max() - low) / (high - low), 0, 1))


def _compute_column_means(values: Plane, known: Mask) -> tuple[Plane, Mask]:
    """The mean of each column's known cells (width x 3), and whether each column has enough known cells."""
    count = known.sum(0)
    total = (values * known[..., None]).sum(0)
    return plane(total / np.maximum(count, 1)[:, None]), np.asarray(count > max(2, 0.4 * len(known)))
