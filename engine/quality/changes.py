"""The new things in a result, one by one, separated from the shadows that they cast."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gradient_magnitude

CHANGED = 6.0
"""Least levels by which a channel must differ for a pixel to count as changed."""
DIMMEST = 0.28
"""Least share of the light that a shadow leaves; a darker place is a thing."""
TINTED = 0.16
"""Most difference of the channels' gains (logarithms) in a shadow; a more colorful place is a thing."""
EDGED = 0.035
"""Least slope of the gain (logarithm, per pixel) at a thing's edge; edges of shadows are softer."""
CLOSED = 0.006
"""Radius, as a share of the long side, over which gaps in outlines are closed."""
LEAST_PART = 0.0012
"""Least share of the picture for something to count as a thing, not as a speck."""
LINEAR = 2.2
"""Exponent that turns ratios of sRGB values into ratios of linear light."""


@dataclass(frozen=True)
class PictureChange:
    """A photo and its result (small, sRGB bytes of one shape); `free` is how much each pixel could change (0-1)."""

    before: Pixels
    after: Pixels
    free: Plane

    @cached_property
    def changed(self) -> Mask:
        """Where the result shows something else, or the same in other light."""
        apart = np.abs(plane(self.before) - plane(self.after)).max(-1)
        moved = np.asarray(cv2.GaussianBlur(apart, (0, 0), 0.8) > CHANGED, np.bool_)
        return np.asarray(moved & (self.free > 0.02))

    @cached_property
    def gain(self) -> Plane:
        """Height x width x 3: the result's linear light over the photo's; 1 where nothing changed."""
        return plane((plane(self.after) + 4) / (plane(self.before) + 4)) ** np.float32(LINEAR)

    @cached_property
    def shade(self) -> Plane:
        """Height x width: the mean of the gain over the channels."""
        return plane(self.gain.mean(-1))

    @cached_property
    def things(self) -> Mask:
        """Where something else stands, hangs or lies."""
        return self._closed(self._other | self._edged)

    @cached_property
    def firm_things(self) -> Mask:
        """`things` without the rims of hard shadows; things as gray as their background may be missed."""
        return self._closed(self._other | (self._edged & dilate(_open_mask(self._other), self._radius + 1)))

    @cached_property
    def _logs(self) -> Plane:
        return plane(np.log(np.clip(cv2.GaussianBlur(self.gain, (0, 0), 0.7), 0.02, 8)))

    @cached_property
    def _other(self) -> Mask:
        """Where light changed as no shadow changes it: lighter, too dark, or tinted."""
        low, high = self._logs.min(-1), self._logs.max(-1)
        return np.asarray(self.changed & ((high > 0.1) | (low < np.log(DIMMEST)) | (high - low > TINTED)))

    @cached_property
    def _edged(self) -> Mask:
        return np.asarray(self.changed & (gradient_magnitude(plane(self._logs.mean(-1))) > EDGED))

    @property
    def _radius(self) -> int:
        radius: int = round(CLOSED * max(self.changed.shape))
        return max(1, radius)

    def _closed(self, seeds: Mask) -> Mask:
        closed = erode(dilate(seeds, self._radius), self._radius)
        return _open_mask(_fill_holes(closed) & dilate(self.changed, 1))


def split_things(things: Mask) -> Iterator[Mask]:
    """Each connected part of the things, one by one; specks are left out.

    Parameters
    ----------
    things : (h, w) ndarray of bool
        Where things are.

    Yields
    ------
    (h, w) ndarray of bool
        Where one connected part is.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(things.astype(np.uint8))
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] >= LEAST_PART * labels.size:
            yield np.asarray(labels == number)


def _open_mask(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0)


def _fill_holes(mask: Mask) -> Mask:
    """The mask with its holes filled."""
    outlines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(whole, outlines, -1, 1, cv2.FILLED)
    return np.asarray(whole > 0)
