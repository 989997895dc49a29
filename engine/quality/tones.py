"""Measures faults of tone and color: clipping, color casts, changed colors."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.arrays import Matte, Pixels, Plane, plane, smoothstep
from engine.filters.strips import split_into_strips
from engine.quality.limits import ReportRules

CHANGED_LEVELS = 2
"""Most levels by which a pixel may differ without counting as changed."""
MIN_WHITE_SHARE = 0.01
"""Least share of white in a picture for a color cast to be measured."""
FULL_WHITE_SHARE = 0.15
"""Least share of white in a picture for a color cast to count in full."""
MIN_BALANCED_SHARE = 0.5
"""Least share of the photo's own color cast that an effect that balances white must remove."""


def measure_level_change(before: Pixels, after: Pixels) -> Matte:
    """The largest change of any channel, in levels.

    Parameters
    ----------
    before, after : (H, W, 3) ndarray of uint8
        Two pictures of one size and color space.

    Returns
    -------
    (H, W) ndarray of uint8
        Levels, 0-255.
    """
    red, green, blue = cv2.split(cv2.absdiff(before, after))
    return np.asarray(cv2.max(cv2.max(red, green), blue), dtype=np.uint8)


def measure_new_clipping(before: Pixels, after: Pixels) -> float:
    """The share of pixels that became pure black or white and were more than 4 levels away from both in the photo.

    Parameters
    ----------
    before, after : (H, W, 3) ndarray of uint8
        Photo and result, gamma-coded.

    Returns
    -------
    float
        Share of the picture, 0-1.
    """
    count = 0
    for rows in split_into_strips(before.shape):
        clipped = cv2.bitwise_or(_find_white(after[rows]), _find_black(after[rows]))
        was_clipped = cv2.bitwise_or(_find_white(before[rows], 251), _find_black(before[rows], 4))
        count += cv2.countNonZero(cv2.bitwise_and(clipped, cv2.bitwise_not(was_clipped)))
    return count / float(before.shape[0] * before.shape[1])


def measure_added_cast(pictures: tuple[Plane, Plane], weight: Plane, rules: Sequence[ReportRules]) -> float:
    """Measure how far whites lie outside the range to which effects with these rules may shift them.

    Effects that change the time of day may shift whites towards that time's light, as far as their rules allow, or
    towards neutral. Effects that balance white must shift whites near neutral. Other effects must not shift whites.
    With little white in the picture, the distance is reduced.

    Parameters
    ----------
    pictures : tuple of (h, w, 3) ndarray of float32
        L*a*b* of photo and result.
    weight : (h, w) ndarray of float32
        How much each pixel counts as white, 0-1.
    rules : Sequence of ReportRules
        Rules of each effect that was applied.

    Returns
    -------
    float
        Distance in a* and b*; 0 if the photo has too little white.
    """
    share_white = float(weight.mean())
    if share_white < MIN_WHITE_SHARE:
        return 0.0
    was, now = (plane((each[..., 1:] * weight[..., None]).sum((0, 1)) / weight.sum()) for each in pictures)
    light = np.sum([each.white_shift for each in rules], axis=0) if rules else np.zeros(2)
    least = MIN_BALANCED_SHARE if any(each.balances_white for each in rules) else 0.0
    most = 1.0 if least or any(any(each.white_shift) for each in rules) else 0.0
    found = min(
        _measure_excess(plane(now - was * (1 - share)), plane(light)) for share in np.linspace(least, most, 9)
    )
    return found * min(1.0, float(np.sqrt(share_white / FULL_WHITE_SHARE)))


def _measure_excess(shift: Plane, intended: Plane) -> float:
    """The distance of a shift from the line segment between no shift and the intended shift."""
    length = float((intended * intended).sum())
    share = float(np.clip((shift * intended).sum() / length, 0, 1)) if length else 0.0
    return float(np.hypot(*(shift - share * intended)))


def estimate_whiteness(pixels: Pixels) -> Plane:
    """Estimate how likely each pixel is white under colored light: light, nearly neutral, not clipped.

    Parameters
    ----------
    pixels : (h, w, 3) ndarray of uint8
        Gamma-coded sRGB.

    Returns
    -------
    (h, w) ndarray of float32
        0-1.
    """
    red, green, blue = cv2.split(pixels)
    value = plane(cv2.max(cv2.max(red, green), blue)) / np.float32(255)
    least = plane(cv2.min(cv2.min(red, green), blue)) / np.float32(255)
    chroma = 1 - least / np.maximum(value, np.float32(0.004))
    return plane(
        smoothstep(plane(chroma), 0.42, 0.08) * smoothstep(value, 0.2, 0.7) * smoothstep(value, 0.995, 0.95)
    )


def _find_white(pixels: Pixels, least: int = 255) -> Matte:
    return np.asarray(cv2.inRange(pixels, (least, least, least), (255, 255, 255)), dtype=np.uint8)


def _find_black(pixels: Pixels, most: int = 0) -> Matte:
    return np.asarray(cv2.inRange(pixels, (0, 0, 0), (most, most, most)), dtype=np.uint8)
