"""One sky exchanged for another, strip by strip: the old sky's light is removed, the new one's added."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, max_channel
from engine.filters.strips import apply_lut, enlarge_map, find_runs, make_dither, map_rows, widen_columns

BLOCK = 128
NONE, SOME, ALL = 0, 1, 2
_LEVELS = plane(np.arange(256)) / np.float32(255)
_SHARE = plane(smoothstep(_LEVELS, 0.03, 0.97) * 0.4 + np.clip((_LEVELS - 0.03) / 0.94, 0, 1) * 0.6)
# In the open sky the old sky's own clouds go as well; what is darker than it there may be a twig and goes last.
_OPEN, _CLEAR = smoothstep(_LEVELS, 0.55, 0.95), smoothstep(_LEVELS, 0.86, 0.98)
_FULL = int(np.flatnonzero((_SHARE >= 1) & (_CLEAR >= 1))[0])
_NONE = int(np.flatnonzero(_SHARE > 0)[0]) - 1


@dataclass(frozen=True)
class SkyChange:
    """The exchange of the sky, to the share that the full-size `matte` gives.

    `old` and `new` are small skies, x 3, 0-255, in the photo's colors; `mirrored` is a small map of what mirrors
    of the sky gain or lose, signed levels, x 3; None where nothing mirrors.
    """

    matte: Matte
    old: Plane
    new: Plane
    mirrored: Plane | None = None

    def on(self, strip: Pixels, rows: slice) -> Pixels:
        """Rows of a picture with the new sky; where the matte is 0 and nothing mirrors, no byte changes.

        A half-covered pixel keeps what stands before the sky and exchanges only the sky's share of its light.

        Parameters
        ----------
        strip : (h, W, 3) ndarray of uint8
            These rows of a picture of the matte's size, gamma-coded, in the photo's own color space.
        rows : slice
            Which rows they are.

        Returns
        -------
        (h, W, 3) ndarray of uint8
            The changed rows; `strip` itself, not a copy, where nothing changes.
        """
        return self._mirroring(self._exchanged(strip, rows), rows)

    def columns_with_ground(self, rows: slice) -> slice:
        """The columns from the first to the last that hold, in these rows, anything but sky.

        Parameters
        ----------
        rows : slice
            Rows of the full-size picture.

        Returns
        -------
        slice
            Columns of the full-size picture; empty where all is sky.
        """
        found = np.flatnonzero(self.matte[rows].min(0) < 255)
        return slice(int(found[0]), int(found[-1]) + 1) if found.size else slice(0, 0)

    def _mirroring(self, strip: Pixels, rows: slice) -> Pixels:
        if self.mirrored is None:
            return strip
        (height, width), small = self.matte.shape, self.mirrored.shape
        found = find_runs(self._mirrors[map_rows(rows, height, small[0])])
        if not found:
            return strip
        result = strip.copy()
        for columns in (widen_columns(run, small[1], width) for run in found):
            result[:, columns] = self._moved(strip[:, columns], self.mirrored, rows, columns)
        return result

    def _moved(self, part: Pixels, mirrored: Plane, rows: slice, columns: slice) -> Pixels:
        """This part of the picture with what its mirrors gain or lose."""
        gain = enlarge_map(mirrored, self.matte.shape, rows, columns)
        # The sky itself is exchanged already.
        ground = gray_to_rgb(apply_lut(self.matte[rows, columns], 1 - _LEVELS))
        change = cv2.scaleAdd(_grain(rows, columns), 0.5, cv2.multiply(gain, ground))
        # Where nothing is mirrored, half the grain is too little to change a byte.
        return np.asarray(cv2.add(part, change, dtype=cv2.CV_8U), dtype=np.uint8)

    @cached_property
    def _mirrors(self) -> Mask:
        none = np.zeros((1, 1), np.bool_)
        return none if self.mirrored is None else np.asarray(max_channel(np.abs(self.mirrored)) > 0)

    def _exchanged(self, strip: Pixels, rows: slice) -> Pixels:
        inside = self.matte[rows]
        runs = [(columns, kind) for columns, kind in _runs(inside) if kind]
        if not runs:
            return strip
        result = strip.copy()
        for columns, kind in runs:
            will, grain = enlarge_map(self.new, self.matte.shape, rows, columns), _grain(rows, columns)
            if kind == ALL:
                result[:, columns] = cv2.add(will, grain, dtype=cv2.CV_8U)
            else:
                was = enlarge_map(self.old, self.matte.shape, rows, columns)
                result[:, columns] = _mixed(strip[:, columns], inside[:, columns], will, was, grain)
        return result


def _grain(rows: slice, columns: slice) -> Plane:
    return gray_to_rgb(make_dither(rows, columns))


def _runs(inside: Matte) -> list[tuple[slice, int]]:
    """Runs of columns that hold NONE of the sky, nothing but it (ALL), or SOME."""
    width = inside.shape[1]
    starts = np.arange(0, width, BLOCK)
    lowest = np.minimum.reduceat(inside.min(0), starts)
    highest = np.maximum.reduceat(inside.max(0), starts)
    kinds = np.where(highest <= _NONE, NONE, np.where(lowest >= _FULL, ALL, SOME))
    ends = [*(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    firsts = [0, *ends[:-1]]
    return [
        (slice(first * BLOCK, min(end * BLOCK, width)), int(kinds[first]))
        for first, end in zip(firsts, ends, strict=True)
    ]


def _mixed(strip: Pixels, inside: Matte, will: Plane, was: Plane, grain: Plane) -> Pixels:
    share = apply_lut(inside, _SHARE)
    beyond = plane(cv2.subtract(strip, was, dtype=cv2.CV_32F))
    brighter = cv2.multiply(np.maximum(beyond, 0), gray_to_rgb(apply_lut(inside, 1 - _OPEN)))
    darker = cv2.multiply(np.minimum(beyond, 0), gray_to_rgb(apply_lut(inside, 1 - _CLEAR)))
    value = cv2.add(cv2.add(cv2.blendLinear(will, was, share, 1 - share), brighter), darker)
    value = cv2.add(value, cv2.multiply(grain, gray_to_rgb(plane(share > 0.5))), dtype=cv2.CV_8U)
    return np.asarray(cv2.copyTo(strip, cv2.inRange(share, 0, 0), value), dtype=np.uint8)
