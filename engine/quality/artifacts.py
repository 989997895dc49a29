"""Measures artifacts: banding of smooth surfaces, and halos along edges."""

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane
from engine.filters.smoothing import box_filter, gradient_magnitude, local_std
from engine.quality.tones import measure_level_change

MAX_SMOOTH_STEP = 6
"""Most levels between the lightest and the darkest of 3 x 3 pixels for the photo to count as smooth there."""
MIN_JUMP = 8
"""Least levels between neighbors at the edge of a band; dithered or grainy tones differ by less."""
CELLS = 12
"""Cells across and down the picture; each is checked for bands separately."""
MIN_SMOOTH_SHARE = 0.2
"""Least share of smooth pixels for a cell to be checked."""
MIN_STEPS = 20
"""Least divisor of the number of jumps, so that few differences in a cell do not make it banded."""
MIN_JUMP_SHARE = 0.4
"""Least share of jumps among the differences between neighbors for a cell to count as banded."""
MIN_EQUAL_SHARE = 0.25
"""Least share of equal neighbors for a cell to count as banded."""
MIN_SIDE = 200
"""Least short side, in pixels, of a picture in which bands and halos are measured."""

STRONG_EDGE = 0.05
"""Least gradient (luma of 0-1 per pixel) of an edge beside which halos are looked for."""
NEAR_EDGE = (2, 5)
"""Range of distances from an edge, in pixels, that count as near it; the last one is excluded."""
AWAY_FROM_EDGE = (9, 15)
"""Range of distances from an edge, in pixels, that count as away from it; the last one is excluded."""
CONTRAST_SIDE = 13
"""Side, in pixels, of the square in which the contrast at an edge is measured."""
LAMP_RADIUS = 8
"""Radius, in pixels, over which light is averaged to find new lamps."""
MAX_GAIN = 1.3
"""Gain of light, over the picture's median gain, above which a lamp was switched on."""
TONE_SIDE = 31
"""Side, in pixels, of the square in which tones near an edge are compared with tones away from it."""
MAX_TONE_DIFFERENCE = 0.05
"""Largest difference (luma of 0-1) between those tones in the photo; other places are not compared."""
MAX_FALLOFF_LIFT = 3.0
"""Greatest factor by which a falloff of light that the photo has may grow."""
MIN_PLACES = 60
"""Least number of compared places for a halo to be measured."""
MIN_CONTRAST = 0.05
"""Least divisor (luma of 0-1) of a rise, which is divided by the contrast of its edge."""
MIN_ROW_PIXELS = 24
"""Least number of renewed pixels away from edges in a row for its median change to be measured."""


def measure_banding(before: Pixels, after: Pixels) -> float:
    """The share of the smooth parts of a picture that show bands.

    Parameters
    ----------
    before, after : (H, W, 3) ndarray of uint8
        Photo and result, gamma-coded, in one color space. Their pixels may be subsampled, but not averaged: that
        would soften the bands.

    Returns
    -------
    float
        Share, 0-1; 0 for a picture with a side below MIN_SIDE.
    """
    if min(before.shape[:2]) < MIN_SIDE:
        return 0.0
    gray = cv2.cvtColor(before, cv2.COLOR_RGB2GRAY)
    square = np.ones((3, 3), np.uint8)
    smooth = np.asarray(cv2.subtract(cv2.dilate(gray, square), cv2.erode(gray, square)) <= MAX_SMOOTH_STEP)
    jumps, steps = np.zeros(gray.shape, np.uint8), np.zeros(gray.shape, np.uint8)
    for later, earlier in ((np.s_[1:], np.s_[:-1]), (np.s_[:, 1:], np.s_[:, :-1])):
        change = measure_level_change(np.ascontiguousarray(after[earlier]), np.ascontiguousarray(after[later]))
        jumps[later] += (change >= MIN_JUMP) & smooth[later]
        steps[later] += (change > 0) & smooth[later]
    jump_share = _sum_cells(jumps) / np.maximum(_sum_cells(steps), MIN_STEPS)
    smooth_counts = _sum_cells(smooth)
    large = smooth_counts > MIN_SMOOTH_SHARE * gray.size / CELLS**2
    # Inside a band, neighbors are equal. In brightened grain, they differ nearly everywhere.
    even = _sum_cells(steps) < 2 * (1 - MIN_EQUAL_SHARE) * smooth_counts
    return float((large & even & (jump_share > MIN_JUMP_SHARE)).sum() / max(int(large.sum()), 6))


def _sum_cells(values: Matte | Mask) -> Plane:
    """The sums over each of the CELLS x CELLS cells of the picture."""
    means = cv2.resize(plane(values), (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    return plane(means) * np.float32(values.size / CELLS**2)


def measure_halo(before: Plane, after: Plane, renewed: Mask | None = None) -> float:
    """Measure how much the bright side became lighter, and the dark side darker, near edges than away from them.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    renewed : (h, w) ndarray of bool, optional
        Where the content may be new, such as a sky that is lighter towards the horizon than the old one: there the
        median change of each row is subtracted first. None if there is no such place.

    Returns
    -------
    float
        The mean change of both sides together, as a share of the photo's contrast there; 0 for a picture with a
        side below MIN_SIDE, or with too few places to compare.
    """
    if min(before.shape) < MIN_SIDE:
        return 0.0
    strength = gradient_magnitude(before)
    distance = cv2.distanceTransform((strength <= STRONG_EDGE).astype(np.uint8), cv2.DIST_L2, 3)
    smooth = local_std(before, 2) < 0.02
    if renewed is not None:
        after = _remove_slope(
            before, after, np.asarray(renewed & (distance >= AWAY_FROM_EDGE[0]), np.bool_), renewed
        )
    near = (distance >= NEAR_EDGE[0]) & (distance < NEAR_EDGE[1]) & (local_std(before, 1) < 0.03)
    away = plane((distance >= AWAY_FROM_EDGE[0]) & (distance < AWAY_FROM_EDGE[1]) & smooth)
    near &= ~_find_new_lamps(before, after)
    bright = before > box_filter(before, 10)
    step = _measure_contrast(before)
    brighter = _measure_rise((before, after, step), plane(near & bright), away)
    return brighter - _measure_rise((before, after, step), plane(near & ~bright), away)


def _remove_slope(before: Plane, after: Plane, away: Mask, renewed: Mask) -> Plane:
    """Subtract, in the renewed part, the median change of each row; it is measured away from edges."""
    rows = np.flatnonzero(away.sum(1) >= MIN_ROW_PIXELS)
    if not rows.size:
        return after
    change = after - before
    medians = np.array([np.median(change[row][away[row]]) for row in rows])
    slope = np.interp(np.arange(len(before)), rows, medians).astype(np.float32)
    return plane(np.where(renewed, after - slope[:, None], after))


def _measure_contrast(gray: Plane) -> Plane:
    """The difference between the lightest and the darkest pixel around each pixel."""
    square = np.ones((CONTRAST_SIDE, CONTRAST_SIDE), np.uint8)
    return plane(cv2.dilate(gray, square) - cv2.erode(gray, square))


def _find_new_lamps(before: Plane, after: Plane) -> Mask:
    """Where a lamp was switched on: light grew far more than in the rest of the picture.

    Its light on the wall beside it is intended and is no halo.
    """
    gain = box_filter(after, LAMP_RADIUS) / np.maximum(box_filter(before, LAMP_RADIUS), 0.02)
    return np.asarray(gain > MAX_GAIN * np.median(gain))


def _measure_rise(planes: tuple[Plane, Plane, Plane], near: Plane, away: Plane) -> float:
    """The growth, from photo to result, of the difference between tones near edges and tones away from them.

    It is the mean, as a share of the contrast there. `planes` are photo, result and contrast. A falloff of light
    that the photo has near an edge grows with the light around it, and is no halo.
    """
    before, after, step = planes
    weight_near, weight_away = _box_mean(near), _box_mean(away)

    def average_near(values: Plane) -> Plane:
        return plane(_box_mean(plane(values * near)) / np.maximum(weight_near, 1e-4))

    away_before, away_after = (
        plane(_box_mean(plane(values * away)) / np.maximum(weight_away, 1e-4)) for values in (before, after)
    )
    rise_before, rise_after = average_near(before) - away_before, average_near(after) - away_after
    lift = np.clip(away_after / np.maximum(away_before, 0.02), 1, MAX_FALLOFF_LIFT)
    known: Mask = np.asarray(
        (weight_near > 0.03) & (weight_away > 0.05) & (np.abs(rise_before) < MAX_TONE_DIFFERENCE)
    )
    # Every sixth pixel is enough, because the averages change slowly.
    sampled = np.s_[::6, ::6]
    rises = plane((rise_after - rise_before * lift) / np.maximum(average_near(step), MIN_CONTRAST))[sampled][
        known[sampled]
    ]
    return float(rises.mean()) if rises.size >= MIN_PLACES else 0.0


def _box_mean(values: Plane) -> Plane:
    return plane(cv2.blur(values, (TONE_SIDE, TONE_SIDE)))
