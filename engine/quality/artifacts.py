"""Artifacts of smooth surfaces: banding, and halos along edges."""

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane
from engine.filters.smoothing import box_filter, gradient_magnitude, local_std
from engine.quality.tones import measure_level_change

SMOOTH_LEVELS = 6
"""The most a smooth place of the photo varies from one pixel to the next, in levels."""
JUMP = 8
"""Levels that neighbors differ by at the edge of a band; dithered or grainy tones differ by less."""
CELLS, LEAST_SMOOTH, FEW, BANDED_FROM, LEAST_EVEN = 12, 0.2, 20, 0.4, 0.25
LEAST_SIDE = 200
"""The short side, in pixels, from which on bands and seams can be distinguished from the picture itself."""

STRONG_EDGE, NEAR_EDGE, AWAY = 0.05, (2, 5), (9, 15)
EDGE_SIDE = 13
LAMP_REACH, MOST_GAIN = 8, 1.3
BESIDE, EVEN, LEAST_PLACES, LEAST_STEP, LEAST_IN_ROW = 31, 0.05, 60, 0.05, 24


def measure_banding(before: Pixels, after: Pixels) -> float:
    """The share of the smooth parts of a picture that are made of bands.

    Parameters
    ----------
    before, after : (H, W, 3) ndarray of uint8
        Photo and result, gamma-coded, in one color space. Their pixels may be subsampled, but not averaged: that
        would soften the bands.

    Returns
    -------
    float
        Share, 0-1; 0 for a picture with a side below LEAST_SIDE.
    """
    if min(before.shape[:2]) < LEAST_SIDE:
        return 0.0
    gray = cv2.cvtColor(before, cv2.COLOR_RGB2GRAY)
    square = np.ones((3, 3), np.uint8)
    smooth = np.asarray(cv2.subtract(cv2.dilate(gray, square), cv2.erode(gray, square)) <= SMOOTH_LEVELS)
    jumps, steps = np.zeros(gray.shape, np.uint8), np.zeros(gray.shape, np.uint8)
    for later, earlier in ((np.s_[1:], np.s_[:-1]), (np.s_[:, 1:], np.s_[:, :-1])):
        apart = measure_level_change(np.ascontiguousarray(after[earlier]), np.ascontiguousarray(after[later]))
        jumps[later] += (apart >= JUMP) & smooth[later]
        steps[later] += (apart > 0) & smooth[later]
    rough = _sum_cells(jumps) / np.maximum(_sum_cells(steps), FEW)
    pairs = _sum_cells(smooth)
    large = pairs > LEAST_SMOOTH * gray.size / CELLS**2
    # A band is even; where grain was lifted, neighbors differ nearly everywhere.
    even = _sum_cells(steps) < 2 * (1 - LEAST_EVEN) * pairs
    return float((large & even & (rough > BANDED_FROM)).sum() / max(int(large.sum()), 6))


def _sum_cells(values: Matte | Mask) -> Plane:
    """The sums over CELLS x CELLS parts of the picture."""
    means = cv2.resize(plane(values), (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    return plane(means) * np.float32(values.size / CELLS**2)


def measure_halo(before: Plane, after: Plane, renewed: Mask | None = None) -> float:
    """How much brighter the bright side of edges became close to them than farther off, and darker the dark side.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    renewed : (h, w) ndarray of bool, optional
        Where something else may show now, such as another sky, lighter towards its horizon than the old one: there
        the median change of each row is subtracted first. None for nowhere.

    Returns
    -------
    float
        Both sides together, as a mean share of the photo's step of tones there; 0 for a picture with a side below
        LEAST_SIDE, or with too few places to compare.
    """
    if min(before.shape) < LEAST_SIDE:
        return 0.0
    strength = gradient_magnitude(before)
    distance = cv2.distanceTransform((strength <= STRONG_EDGE).astype(np.uint8), cv2.DIST_L2, 3)
    smooth = local_std(before, 2) < 0.02
    if renewed is not None:
        after = _remove_slope(before, after, np.asarray(renewed & (distance >= AWAY[0]), np.bool_), renewed)
    near = (distance >= NEAR_EDGE[0]) & (distance < NEAR_EDGE[1]) & (local_std(before, 1) < 0.03)
    away = plane((distance >= AWAY[0]) & (distance < AWAY[1]) & smooth)
    near &= ~_find_new_lamps(before, after)
    bright = before > box_filter(before, 10)
    step = _contrast(before)
    brighter = _measure_rise((before, after, step), plane(near & bright), away)
    return brighter - _measure_rise((before, after, step), plane(near & ~bright), away)


def _remove_slope(before: Plane, after: Plane, away: Mask, renewed: Mask) -> Plane:
    """The result with the median change of each row of the renewed part, away from edges, subtracted there."""
    rows = np.flatnonzero(away.sum(1) >= LEAST_IN_ROW)
    if not rows.size:
        return after
    change = after - before
    became = np.array([np.median(change[row][away[row]]) for row in rows])
    slope = np.interp(np.arange(len(before)), rows, became).astype(np.float32)
    return plane(np.where(renewed, after - slope[:, None], after))


def _contrast(gray: Plane) -> Plane:
    """How far light and dark lie apart around each pixel."""
    square = np.ones((EDGE_SIDE, EDGE_SIDE), np.uint8)
    return plane(cv2.dilate(gray, square) - cv2.erode(gray, square))


def _find_new_lamps(before: Plane, after: Plane) -> Mask:
    """Where a lamp was lit: light grew far more than in the picture. Its glow on the wall beside it is intended."""
    gain = box_filter(after, LAMP_REACH) / np.maximum(box_filter(before, LAMP_REACH), 0.02)
    return np.asarray(gain > MOST_GAIN * np.median(gain))


def _measure_rise(planes: tuple[Plane, Plane, Plane], near: Plane, away: Plane) -> float:
    """The mean rise of the result over the photo, from places away from edges to those near them, in shares of the
    step there; `planes` are photo, result and the steps.
    """
    before, after, step = planes
    weight_near, weight_away = _box_mean(near), _box_mean(away)

    def close(values: Plane) -> Plane:
        return plane(_box_mean(plane(values * near)) / np.maximum(weight_near, 1e-4))

    def rise(values: Plane) -> Plane:
        return plane(close(values) - _box_mean(plane(values * away)) / np.maximum(weight_away, 1e-4))

    was, now = rise(before), rise(after)
    known: Mask = np.asarray((weight_near > 0.03) & (weight_away > 0.05) & (np.abs(was) < EVEN))
    rises = plane((now - was) / np.maximum(close(step), LEAST_STEP))[::6, ::6][known[::6, ::6]]
    return float(rises.mean()) if rises.size >= LEAST_PLACES else 0.0


def _box_mean(values: Plane) -> Plane:
    return plane(cv2.blur(values, (BESIDE, BESIDE)))
