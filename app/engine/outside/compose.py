"""One sky exchanged for another, strip by strip: the old sky's light is taken out, the new one's is put in."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from app.engine.arrays import Mask, Matte, Pixels, Plane, plane, ramp
from app.engine.fullsize import (
    DITHER_SIDE,
    columns_with_some,
    dither,
    looked_up,
    rounded,
    small_rows,
    stretch,
    strips,
    tripled,
    widened,
)

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
        columns = self._mirrors_in(rows)
        if self.mirrored is None or columns.start == columns.stop:
            return strip
        gain = stretch(self.mirrored, self.matte.shape, rows)[:, columns]
        # The sky itself is exchanged already.
        ground = tripled(looked_up(self.matte[rows, columns], 1 - _LEVELS))
        grain = self._grain_of(rows)[:, columns] * np.float32(0.5)
        result = strip.copy()
        moved = rounded(plane(strip[:, columns]) + gain * ground + grain)
        result[:, columns] = np.where(np.abs(gain) > 0.25, moved, strip[:, columns])
        return result

    def _mirrors_in(self, rows: slice) -> slice:
        """The columns in which anything of these rows mirrors the sky."""
        if self.mirrored is None:
            return slice(0, 0)
        columns = columns_with_some(self._mirrors[small_rows(rows, self.matte.shape[0], len(self.mirrored))])
        return widened(columns, self.mirrored.shape[1], self.matte.shape[1])

    @cached_property
    def _mirrors(self) -> Mask:
        none = np.zeros((1, 1), np.bool_)
        return none if self.mirrored is None else np.asarray((self.mirrored != 0).any(-1), dtype=np.bool_)

    def _exchanged(self, strip: Pixels, rows: slice) -> Pixels:
        inside = self.matte[rows]
        runs = _runs(inside)
        if all(kind == 0 for _, kind in runs):
            return strip
        will = stretch(self.new, self.matte.shape, rows)
        was = stretch(self.old, self.matte.shape, rows) if any(kind == 1 for _, kind in runs) else will
        grain = self._grain_of(rows)
        result = strip.copy()
        for columns, kind in runs:
            if kind == 2:
                result[:, columns] = cv2.add(will[:, columns], grain[:, columns], dtype=cv2.CV_8U)
            elif kind == 1:
                part = inside[:, columns], will[:, columns], was[:, columns], grain[:, columns]
                result[:, columns] = _mixed(strip[:, columns], *part)
        return result

    def _grain_of(self, rows: slice) -> Plane:
        first, count = rows.start % DITHER_SIDE, rows.stop - rows.start
        if first + count <= len(self._grain):
            return self._grain[first : first + count]
        return plane(self._grain[np.arange(first, first + count) % DITHER_SIDE])

    @cached_property
    def _grain(self) -> Plane:
        """The dither's tile and more, so that any strip's rows lie in one piece."""
        strip = min(next(strips(self.matte.shape)).stop, DITHER_SIDE)
        return tripled(dither(self.matte.shape, slice(0, DITHER_SIDE + strip)))


def _runs(inside: Matte) -> list[tuple[slice, int]]:
    """Runs of columns: 0 without sky, 2 of nothing but sky, 1 of both."""
    width = inside.shape[1]
    starts = np.arange(0, width, BLOCK)
    lowest = np.minimum.reduceat(inside.min(0), starts)
    highest = np.maximum.reduceat(inside.max(0), starts)
    kinds = np.where(highest <= _NONE, 0, np.where(lowest >= _FULL, 2, 1))
    ends = [*(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    firsts = [0, *ends[:-1]]
    return [
        (slice(first * BLOCK, min(end * BLOCK, width)), int(kinds[first]))
        for first, end in zip(firsts, ends, strict=True)
    ]


def _mixed(strip: Pixels, inside: Matte, will: Plane, was: Plane, grain: Plane) -> Pixels:
    share = tripled(looked_up(inside, _SHARE))
    value = plane(strip)
    beyond = value - was
    brighter = np.maximum(beyond, 0)
    value += (will - was) * share - brighter * tripled(looked_up(inside, _OPEN))
    value -= (beyond - brighter) * tripled(looked_up(inside, _CLEAR))
    value += grain * (share > 0.5)
    return np.where(share > 0, rounded(value), strip)
