"""Where the windows of a house are: upright rectangles of cool dark glass with a lighter wall or frame around them.

Dark regions are taken at many levels, as in maximally stable regions (Matas et al. 2002), and kept by shape.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from app.engine.arrays import (
    Mask,
    Plane,
    blurred,
    grown,
    like_neutral_light,
    luminance,
    plane,
    ramp,
    shrunk,
    spread,
)

LEVELS = np.arange(0.12, 0.62, 0.04)
LEAST_SHARE, MOST_SHARE = 0.00012, 0.022
LEAST_SIDE, LEAST_FILLED, MOST_UNEVEN = 5, 0.72, 4.0
# Houses seldom have glass above or below these rows; fences and cars do.
TOP, BOTTOM = 0.12, 0.72
LEAST_CONTRAST, MOST_GROWTH = 0.09, 0.22
MIRRORED, BRIGHTEST_MIRROR = 0.14, 0.46
# Glazing bars thinner than this many pixels divide panes, not windows.
BAR = 2


def window_mask(small: Plane, sky: Plane) -> Plane:
    """Strength of window glass, height x width, 0-1, of a small sRGB picture (x 3, 0-1) seen from outside."""
    grey = luminance(small)
    small = like_neutral_light(small)
    unlikely = np.stack([_growth(small), _warm(small), plane(sky > 0.3)], -1)
    found = np.zeros(grey.shape, np.bool_)
    cool = small[..., 2] > small[..., 0]
    for level in LEVELS:
        dark = np.asarray(grey < level, dtype=np.bool_)
        _add_rectangles(found, grey, unlikely, dark)
        _add_rectangles(found, grey, unlikely, shrunk(grown(dark, BAR), BAR))
        # Panes in dark frames: cool glass that mirrors the sky, set off from the frame instead of from the wall.
        mirroring = cool & (grey >= level) & (grey < min(level + MIRRORED, BRIGHTEST_MIRROR))
        _add_rectangles(found, grey, unlikely, np.asarray(mirroring, dtype=np.bool_))
    return plane(blurred(plane(found), 0.7) * ramp(grey, 0.66, 0.46))


def _growth(small: Plane) -> Plane:
    red, green, blue = small[..., 0], small[..., 1], small[..., 2]
    leafy = (spread(luminance(small), 2) > 0.05) & (green > red) & (green > blue)
    return plane(leafy | ((green > red * 1.06) & (green > blue * 1.12)))


def _warm(small: Plane) -> Plane:
    """Brick, timber and bare earth."""
    return plane(small[..., 0] > small[..., 2] * 1.3 + 0.02)


def _add_rectangles(found: Mask, grey: Plane, unlikely: Plane, candidates: Mask) -> None:
    """Mark the candidate regions that look like glass."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(candidates.astype(np.uint8), connectivity=4)
    for label in np.flatnonzero(_window_shaped(np.asarray(stats, dtype=np.int32), grey.shape)):
        left, top, wide, tall = stats[label, :4]
        inside = labels[top : top + tall, left : left + wide] == label
        if _is_glass(grey, unlikely, (left, top, wide, tall), inside):
            found[top : top + tall, left : left + wide] |= inside


def _window_shaped(stats: NDArray[np.int32], shape: tuple[int, ...]) -> Mask:
    height, width = shape
    wide, tall = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    area = stats[:, cv2.CC_STAT_AREA]
    middle = (stats[:, cv2.CC_STAT_TOP] + tall / 2) / height
    shares = area / (height * width)
    filled = area / np.maximum(wide * tall, 1)
    even = np.maximum(wide, tall) <= MOST_UNEVEN * np.minimum(wide, tall)
    sized = (shares > LEAST_SHARE) & (shares < MOST_SHARE) & (np.minimum(wide, tall) >= LEAST_SIDE)
    keep = even & sized & (filled > LEAST_FILLED) & (middle > TOP) & (middle < BOTTOM)
    inner = (stats[:, cv2.CC_STAT_LEFT] > 1) & (stats[:, cv2.CC_STAT_LEFT] + wide < width - 1)
    # The first label is everything else.
    return np.asarray(keep & inner & (np.arange(len(area)) > 0), dtype=np.bool_)


def _is_glass(grey: Plane, unlikely: Plane, box: tuple[int, int, int, int], inside: Mask) -> bool:
    """Whether a region stands out from what is around it, and neither it nor that is plants or sky."""
    left, top, wide, tall = box
    margin = max(2, min(wide, tall) // 4)
    rows = slice(max(0, top - margin), top + tall + margin)
    columns = slice(max(0, left - margin), left + wide + margin)
    around = np.ones(grey[rows, columns].shape, np.bool_)
    down, right = top - rows.start, left - columns.start
    around[down : down + tall, right : right + wide] = False
    growth, warm, sky = unlikely[top : top + tall, left : left + wide][inside].mean(0)
    growth_around, _, sky_around = unlikely[rows, columns][around].mean(0)
    contrast = grey[rows, columns][around].mean() - grey[top : top + tall, left : left + wide][inside].mean()
    plants = max(growth, growth_around) > MOST_GROWTH
    return bool(abs(contrast) > LEAST_CONTRAST and not plants and warm < 0.5 and max(sky, sky_around) < 0.3)
