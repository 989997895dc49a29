"""Finds the new things in a result, separated from each other and from their shadows."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gradient_magnitude

MIN_CHANGED_LEVELS = 6.0
"""Least levels by which a channel must differ for a pixel to count as changed."""
MIN_SHADOW_LIGHT = 0.28
"""Least share of light in a shadow; a darker place is a thing."""
MAX_SHADOW_TINT = 0.16
"""Largest difference between the channels' logarithms of gain in a shadow; a more colorful place is a thing."""
MIN_EDGE_SLOPE = 0.035
"""Least slope of the gain (logarithm, per pixel) at a thing's edge; edges of shadows are softer."""
CLOSING_RADIUS = 0.006
"""Radius, as a share of the long side, over which gaps in outlines are closed."""
MIN_THING_SHARE = 0.0012
"""Least share of the picture for something to count as a thing, not as a speck."""
LINEAR_EXPONENT = 2.2
"""Exponent that turns ratios of sRGB values into ratios of linear light."""


@dataclass(frozen=True)
class PictureChange:
    """A photo and its result (small, sRGB bytes of one shape); `editable` (0-1): how far a pixel may change."""

    before: Pixels
    after: Pixels
    editable: Plane

    @cached_property
    def changed(self) -> Mask:
        """Where the result differs from the photo in content or light."""
        difference = np.abs(plane(self.before) - plane(self.after)).max(-1)
        is_different = np.asarray(cv2.GaussianBlur(difference, (0, 0), 0.8) > MIN_CHANGED_LEVELS, np.bool_)
        return np.asarray(is_different & (self.editable > 0.02))

    @cached_property
    def gain(self) -> Plane:
        """Height x width x 3: the result's linear light over the photo's; 1 where nothing changed."""
        return plane((plane(self.after) + 4) / (plane(self.before) + 4)) ** np.float32(LINEAR_EXPONENT)

    @cached_property
    def shade(self) -> Plane:
        """Height x width: the mean of the gain over the channels."""
        return plane(self.gain.mean(-1))

    @cached_property
    def things(self) -> Mask:
        """Where new things are."""
        return self._closed(self._other | self._edged)

    @cached_property
    def firm_things(self) -> Mask:
        """`things` without the edges of hard shadows; things as gray as their background may be missed."""
        return self._closed(self._other | (self._edged & dilate(_open_mask(self._other), self._radius + 1)))

    @cached_property
    def _logs(self) -> Plane:
        return plane(np.log(np.clip(cv2.GaussianBlur(self.gain, (0, 0), 0.7), 0.02, 8)))

    @cached_property
    def _other(self) -> Mask:
        """Where light changed in a way that no shadow causes: lighter, too dark, or tinted."""
        low, high = self._logs.min(-1), self._logs.max(-1)
        return np.asarray(
            self.changed & ((high > 0.1) | (low < np.log(MIN_SHADOW_LIGHT)) | (high - low > MAX_SHADOW_TINT))
        )

    @cached_property
    def _edged(self) -> Mask:
        return np.asarray(self.changed & (gradient_magnitude(plane(self._logs.mean(-1))) > MIN_EDGE_SLOPE))

    @property
    def _radius(self) -> int:
        radius: int = round(CLOSING_RADIUS * max(self.changed.shape))
        return max(1, radius)

    def _closed(self, seeds: Mask) -> Mask:
        closed = erode(dilate(seeds, self._radius), self._radius)
        return _open_mask(_fill_holes(closed) & dilate(self.changed, 1))


def split_things(things: Mask) -> Iterator[Mask]:
    """Split things into connected parts; parts smaller than MIN_THING_SHARE are left out.

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
        if stats[number, cv2.CC_STAT_AREA] >= MIN_THING_SHARE * labels.size:
            yield np.asarray(labels == number)


def _open_mask(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0)


def _fill_holes(mask: Mask) -> Mask:
    outlines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(whole, outlines, -1, 1, cv2.FILLED)
    return np.asarray(whole > 0)
