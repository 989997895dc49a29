"""Finds the lamps outside a house: small compact regions that the net classifies as lamps."""

from typing import NamedTuple

import cv2
import numpy as np

from engine.arrays import Plane, plane

MIN_PEAK = 0.87
"""Minimum probability at a lamp's most probable pixel; high, because the net finds too many lamps."""
EXTENT_RATIO = 0.65
"""A lamp includes pixels with more than this share of its highest probability."""
MIN_SIZE, MAX_SIZE = 0.004, 0.06
"""Minimum and maximum long side of a lamp, as shares of the picture's long side."""
MIN_FILLED = 0.5
"""Minimum share of its box that a lamp fills."""
MAX_LAMPS = 16
"""Maximum number of lamps of one photo; the most probable are kept."""
MAX_SKY = 0.3
"""A box with this share of sky or more has no lamp."""


class LampPlace(NamedTuple):
    """A lamp's box on a small map: left, top, right, bottom in pixels, the last two exclusive."""

    left: int
    top: int
    right: int
    bottom: int


def find_lamps(probability: Plane, sky: Plane) -> list[LampPlace]:
    """Find lamps as small compact peaks of the net's probability.

    Parameters
    ----------
    probability : (h, w) ndarray of float32
        The probability of a lamp, 0-1.
    sky : (h, w) ndarray of float32
        Share of sky, 0-1, where no lamp can be.

    Returns
    -------
    list of LampPlace
        At most MAX_LAMPS lamps, the most probable first.
    """
    found: list[tuple[float, LampPlace]] = []
    for peak in _find_peaks(probability):
        place = _find_box_around(probability, peak)
        size = max(place.right - place.left, place.bottom - place.top) / max(probability.shape)
        inside = np.s_[place.top : place.bottom, place.left : place.right]
        filled = (probability[inside] > EXTENT_RATIO * probability[peak]).mean()
        if MIN_SIZE <= size <= MAX_SIZE and filled >= MIN_FILLED and sky[inside].mean() < MAX_SKY:
            found.append((float(probability[peak]), place))
    return [place for _, place in sorted(found, key=lambda each: (-each[0], each[1]))][:MAX_LAMPS]


def _find_peaks(probability: Plane) -> list[tuple[int, int]]:
    """Row and column of the most probable pixel in each connected region above MIN_PEAK."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        (probability > MIN_PEAK).astype(np.uint8), connectivity=8
    )
    peaks = []
    for label in range(1, count):
        left, top, width, height, _ = stats[label].tolist()
        part = np.where(
            labels[top : top + height, left : left + width] == label,
            probability[top : top + height, left : left + width],
            0,
        )
        row, column = np.unravel_index(int(np.argmax(part)), part.shape)
        peaks.append((top + int(row), left + int(column)))
    return peaks


def _find_box_around(probability: Plane, peak: tuple[int, int]) -> LampPlace:
    """The box of the connected region around the peak with more than EXTENT_RATIO of the peak's probability."""
    reach = max(3, round(MAX_SIZE * max(probability.shape)))
    top, left = max(0, peak[0] - reach), max(0, peak[1] - reach)
    part = plane(probability[top : peak[0] + reach + 1, left : peak[1] + reach + 1])
    _, labels, stats, _ = cv2.connectedComponentsWithStats(
        (part > EXTENT_RATIO * probability[peak]).astype(np.uint8), connectivity=4
    )
    x, y, width, height, _ = stats[labels[peak[0] - top, peak[1] - left]].tolist()
    return LampPlace(left + x, top + y, left + x + width, top + y + height)
