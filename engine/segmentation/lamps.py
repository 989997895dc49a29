"""Where the lamps outside a house are: small compact places that the net takes for lamps."""

from typing import NamedTuple

import cv2
import numpy as np

from engine.arrays import Plane, plane

SURE = 0.87
"""Least probability at a lamp's surest pixel. High: lamps weigh much in training, so the net finds too many."""
HALF = 0.65
"""A lamp extends to where the probability is this share of its highest."""
SMALLEST, LARGEST = 0.004, 0.06
"""Shortest and longest long side of a lamp, as shares of the picture's long side."""
COMPACT = 0.5
"""Least share of its box that a lamp must fill."""
MOST = 16
"""The most lamps of one photo; the surest are kept."""
SKY = 0.3
"""In a box with this share of sky or more there is no lamp."""


class LampPlace(NamedTuple):
    """A lamp's box on a small map: left, top, right, bottom in pixels, the last two exclusive."""

    left: int
    top: int
    right: int
    bottom: int


def find_lamps(likely: Plane, sky: Plane) -> list[LampPlace]:
    """Find lamps as small compact peaks of the net's probability.

    Parameters
    ----------
    likely : (h, w) ndarray of float32
        The probability of a lamp, 0-1.
    sky : (h, w) ndarray of float32
        Share of sky, 0-1, where no lamp can be.

    Returns
    -------
    list of LampPlace
        At most MOST lamps, the most probable first.
    """
    found: list[tuple[float, LampPlace]] = []
    for peak in _peaks(likely):
        place = _find_box_around(likely, peak)
        size = max(place.right - place.left, place.bottom - place.top) / max(likely.shape)
        inside = np.s_[place.top : place.bottom, place.left : place.right]
        filled = (likely[inside] > HALF * likely[peak]).mean()
        if SMALLEST <= size <= LARGEST and filled >= COMPACT and sky[inside].mean() < SKY:
            found.append((float(likely[peak]), place))
    return [place for _, place in sorted(found, key=lambda each: (-each[0], each[1]))][:MOST]


def _peaks(likely: Plane) -> list[tuple[int, int]]:
    """Row and column of the surest pixel of each separate region above SURE."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((likely > SURE).astype(np.uint8), connectivity=8)
    peaks = []
    for label in range(1, count):
        left, top, wide, tall, _ = stats[label].tolist()
        part = np.where(
            labels[top : top + tall, left : left + wide] == label, likely[top : top + tall, left : left + wide], 0
        )
        row, column = np.unravel_index(int(np.argmax(part)), part.shape)
        peaks.append((top + int(row), left + int(column)))
    return peaks


def _find_box_around(likely: Plane, peak: tuple[int, int]) -> LampPlace:
    """The box of the connected region around the peak that is at least HALF as probable as the peak."""
    reach = max(3, round(LARGEST * max(likely.shape)))
    top, left = max(0, peak[0] - reach), max(0, peak[1] - reach)
    part = plane(likely[top : peak[0] + reach + 1, left : peak[1] + reach + 1])
    _, labels, stats, _ = cv2.connectedComponentsWithStats(
        (part > HALF * likely[peak]).astype(np.uint8), connectivity=4
    )
    x, y, wide, tall, _ = stats[labels[peak[0] - top, peak[1] - left]].tolist()
    return LampPlace(left + x, top + y, left + x + wide, top + y + tall)
