"""Exchanges one sky for another, strip by strip: removes the old sky's light, adds the new sky's."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, max_channel
from engine.filters.strips import apply_lut, enlarge_map, find_runs, make_dither, map_rows, widen_columns

BLOCK = 128
"""Columns that are classified together as NONE, SOME or ALL sky."""
NONE, SOME, ALL = 0, 1, 2
# Tables by byte of the matte.
_LEVELS = plane(np.arange(256)) / np.float32(255)
# The share of the new sky.
_SHARE = plane(smoothstep(_LEVELS, 0.03, 0.97) * 0.4 + np.clip((_LEVELS - 0.03) / 0.94, 0, 1) * 0.6)
# How much of the detail brighter than the old sky is removed: its clouds go.
_OPEN = smoothstep(_LEVELS, 0.55, 0.95)
# How much of the detail darker than the old sky is removed: it may be a twig, and needs a surer matte.
_CLEAR = smoothstep(_LEVELS, 0.86, 0.98)
# The least byte at which a pixel is exchanged completely.
_LEAST_ALL = int(np.flatnonzero((_SHARE >= 1) & (_CLEAR >= 1))[0])
# The largest byte at which a pixel is not exchanged at all.
_MOST_NONE = int(np.flatnonzero(_SHARE > 0)[0]) - 1


@dataclass(frozen=True)
class SkyChange:
    """The exchange of the sky, by the share of sky that the full-size `matte` gives for each pixel.

    `old` and `new` are small skies, x 3, 0-255, in the photo's colors. `mirrored` is a small map, x 3, of the
    signed levels that reflections of the sky gain; None where nothing mirrors the sky.
    """

    matte: Matte
    old: Plane
    new: Plane
    mirrored: Plane | None = None

    def on(self, strip: Pixels, rows: slice) -> Pixels:
        """Rows of a picture with the new sky; where the matte is 0 and nothing mirrors the sky, no byte changes.

        A pixel that is partly sky keeps the light of objects in front; only the sky's share is exchanged.

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
        return self._change_mirrors(self._exchange_sky(strip, rows), rows)

    def columns_with_ground(self, rows: slice) -> slice:
        """The columns from the first to the last that contain anything but sky in these rows.

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

    def _change_mirrors(self, strip: Pixels, rows: slice) -> Pixels:
        if self.mirrored is None:
            return strip
        (height, width), small = self.matte.shape, self.mirrored.shape
        found = find_runs(self._mirrors[map_rows(rows, height, small[0])])
        if not found:
            return strip
        result = strip.copy()
        for columns in (widen_columns(run, small[1], width) for run in found):
            result[:, columns] = self._add_mirrored(strip[:, columns], self.mirrored, rows, columns)
        return result

    def _add_mirrored(self, part: Pixels, mirrored: Plane, rows: slice, columns: slice) -> Pixels:
        """This part of the picture with the levels that its reflections gain or lose."""
        gain = enlarge_map(mirrored, self.matte.shape, rows, columns)
        # Only outside the sky, which is exchanged already.
        ground = gray_to_rgb(apply_lut(self.matte[rows, columns], 1 - _LEVELS))
        change = cv2.scaleAdd(_grain(rows, columns), 0.5, cv2.multiply(gain, ground))
        # Where the gain is 0, half the grain is too little to change a byte.
        return np.asarray(cv2.add(part, change, dtype=cv2.CV_8U), dtype=np.uint8)

    @cached_property
    def _mirrors(self) -> Mask:
        none = np.zeros((1, 1), np.bool_)
        return none if self.mirrored is None else np.asarray(max_channel(np.abs(self.mirrored)) > 0)

    def _exchange_sky(self, strip: Pixels, rows: slice) -> Pixels:
        inside = self.matte[rows]
        runs = [(columns, kind) for columns, kind in _list_runs(inside) if kind]
        if not runs:
            return strip
        result = strip.copy()
        for columns, kind in runs:
            new, grain = enlarge_map(self.new, self.matte.shape, rows, columns), _grain(rows, columns)
            if kind == ALL:
                result[:, columns] = cv2.add(new, grain, dtype=cv2.CV_8U)
            else:
                old = enlarge_map(self.old, self.matte.shape, rows, columns)
                result[:, columns] = _mix(strip[:, columns], inside[:, columns], new, old, grain)
        return result


def _grain(rows: slice, columns: slice) -> Plane:
    return gray_to_rgb(make_dither(rows, columns))


def _list_runs(inside: Matte) -> list[tuple[slice, int]]:
    """Runs of columns, and whether they contain NONE of the sky, SOME, or nothing else (ALL)."""
    width = inside.shape[1]
    starts = np.arange(0, width, BLOCK)
    lowest = np.minimum.reduceat(inside.min(0), starts)
    highest = np.maximum.reduceat(inside.max(0), starts)
    kinds = np.where(highest <= _MOST_NONE, NONE, np.where(lowest >= _LEAST_ALL, ALL, SOME))
    ends = [*(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    firsts = [0, *ends[:-1]]
    return [
        (slice(first * BLOCK, min(end * BLOCK, width)), int(kinds[first]))
        for first, end in zip(firsts, ends, strict=True)
    ]


def _mix(strip: Pixels, inside: Matte, new: Plane, old: Plane, grain: Plane) -> Pixels:
    share = apply_lut(inside, _SHARE)
    detail = plane(cv2.subtract(strip, old, dtype=cv2.CV_32F))
    brighter = cv2.multiply(np.maximum(detail, 0), gray_to_rgb(apply_lut(inside, 1 - _OPEN)))
    darker = cv2.multiply(np.minimum(detail, 0), gray_to_rgb(apply_lut(inside, 1 - _CLEAR)))
    value = cv2.add(cv2.add(cv2.blendLinear(new, old, share, 1 - share), brighter), darker)
    value = cv2.add(value, cv2.multiply(grain, gray_to_rgb(plane(share > 0.5))), dtype=cv2.CV_8U)
    return np.asarray(cv2.copyTo(strip, cv2.inRange(share, 0, 0), value), dtype=np.uint8)
