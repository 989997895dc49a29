"""One sky exchanged for another, strip by strip: the old sky's light is taken out, the new one's is put in."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from app.engine.arrays import Matte, Pixels, Plane, plane, ramp
from app.engine.fullsize import DITHER_SIDE, dither, looked_up, rounded, stretch, tripled

BLOCK = 256
_LEVELS = plane(np.arange(256)) / np.float32(255)
_SHARE = plane(ramp(_LEVELS, 0.03, 0.97) * 0.4 + np.clip((_LEVELS - 0.03) / 0.94, 0, 1) * 0.6)
# In the open sky the old sky's own clouds go as well; what is darker than it there may be a twig and goes last.
_OPEN, _CLEAR = ramp(_LEVELS, 0.55, 0.95), ramp(_LEVELS, 0.86, 0.98)
_FULL = int(np.flatnonzero((_SHARE >= 1) & (_CLEAR >= 1))[0])
_NONE = int(np.flatnonzero(_SHARE > 0)[0]) - 1


@dataclass(frozen=True)
class SkyChange:
    """What is exchanged where the full-size `matte` says.

    `old` and `new` are small skies, x 3, 0-255, in the photo's colours; `mirrored` is a small map of what mirrors
    of the sky gain or lose, signed, x 3.
    """

    matte: Matte
    old: Plane
    new: Plane
    mirrored: Plane | None = None

    def on(self, strip: Pixels, rows: slice) -> Pixels:
        """These rows of a picture of the matte's size with the new sky; where the matte is 0 no byte changes.

        A half-covered pixel keeps what stands before the sky and exchanges only the sky's share of its light.
        """
        return self._mirroring(self._exchanged(strip, rows), rows)

    def _mirroring(self, strip: Pixels, rows: slice) -> Pixels:
        if self.mirrored is None:
            return strip
        gain = stretch(self.mirrored, self.matte.shape, rows)
        if not gain.any():
            return strip
        # The sky itself is exchanged already.
        ground = tripled(looked_up(self.matte[rows], 1 - _LEVELS))
        moved = plane(strip) + gain * ground + self._grain_of(rows) * np.float32(0.5)
        return np.where(np.abs(gain) > 0.25, rounded(moved), strip)

    def _exchanged(self, strip: Pixels, rows: slice) -> Pixels:
        inside = self.matte[rows]
        runs = list(_runs(inside))
        if all(kind == 0 for _, kind in runs):
            return strip
        will = stretch(self.new, self.matte.shape, rows)
        grain = self._grain_of(rows)
        result = strip.copy()
        for columns, kind in runs:
            if kind == 2:
                result[:, columns] = cv2.add(will[:, columns], grain[:, columns], dtype=cv2.CV_8U)
            elif kind == 1:
                was = stretch(self.old, self.matte.shape, rows)[:, columns]
                part = inside[:, columns], will[:, columns], was, grain[:, columns]
                result[:, columns] = _mixed(strip[:, columns], *part)
        return result

    def _grain_of(self, rows: slice) -> Plane:
        first, count = rows.start % DITHER_SIDE, rows.stop - rows.start
        if count <= DITHER_SIDE:
            return plane(self._grain[first : first + count])
        return plane(self._grain[np.arange(first, first + count) % DITHER_SIDE])

    @cached_property
    def _grain(self) -> Plane:
        """The dither's tile twice, so that any strip's rows lie in one piece."""
        return tripled(dither(self.matte.shape, slice(0, 2 * DITHER_SIDE)))


def _runs(inside: Matte) -> Iterator[tuple[slice, int]]:
    """Runs of columns: 0 without sky, 2 of nothing but sky, 1 of both."""
    lowest, highest = inside.min(0), inside.max(0)
    width = inside.shape[1]
    kinds = [
        0 if highest[left : left + BLOCK].max() <= _NONE else 2 if lowest[left : left + BLOCK].min() >= _FULL else 1
        for left in range(0, width, BLOCK)
    ]
    first = 0
    for place, kind in enumerate(kinds):
        if place + 1 == len(kinds) or kinds[place + 1] != kind:
            yield slice(first * BLOCK, min((place + 1) * BLOCK, width)), kind
            first = place + 1


def _mixed(strip: Pixels, inside: Matte, will: Plane, was: Plane, grain: Plane) -> Pixels:
    share = tripled(looked_up(inside, _SHARE))
    value = plane(strip)
    beyond = value - was
    brighter = np.maximum(beyond, 0)
    value += (will - was) * share - brighter * tripled(looked_up(inside, _OPEN))
    value -= (beyond - brighter) * tripled(looked_up(inside, _CLEAR))
    value += grain * (share > 0.5)
    return np.where(share > 0, rounded(value), strip)
