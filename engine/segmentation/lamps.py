"""Where the lamps outside a house are: small compact places that look like one to the net."""

from typing import NamedTuple

import cv2
import numpy as np

from engine.arrays import Plane, plane

# How sure the net must be at a lamp's surest pixel (it is too sure of lamps: they weigh much in its training);
# the lamp is where it is this share as sure.
SURE, HALF = 0.87, 0.65
# Long sides of lamps as shares of the picture's; how much of its box one fills; how many are believed in one photo.
SMALLEST, LARGEST, COMPACT, MOST = 0.004, 0.06, 0.5, 16
SKY = 0.3


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
    """Row and column of the surest pixel of each separate place that is sure enough."""
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
    """The box of all that is at least HALF as sure as the peak and hangs together with it."""
    reach = max(3, round(LARGEST * max(likely.shape)))
    top, left = max(0, peak[0] - reach), max(0, peak[1] - reach)
    part = plane(likely[top : peak[0] + reach + 1, left : peak[1] + reach + 1])
    _, labels, stats, _ = cv2.connectedComponentsWithStats(
        (part > HALF * likely[peak]).astype(np.uint8), connectivity=4
    )
    x, y, wide, tall, _ = stats[labels[peak[0] - top, peak[1] - left]].tolist()
    return LampPlace(left + x, top + y, left + x + wide, top + y + tall)
