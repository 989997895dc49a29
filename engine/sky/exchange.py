"""Exchanges the sky of a picture strip by strip: removes the light of the old sky and adds that of the new sky."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, max_channel
from engine.filters.strips import apply_lut, enlarge_map, find_runs, make_dither, map_rows, widen_columns

BLOCK_WIDTH = 128
"""Number of columns that are classified together as NO_SKY, PART_SKY or ALL_SKY."""
MIN_HUE = 10.0
"""Minimum standard deviation of the channels of a sky (0-255) that has a hue; a gray sky does not tint things."""
NO_SKY, PART_SKY, ALL_SKY = 0, 1, 2
# Tables with one value for each byte of the matte.
_LEVELS = plane(np.arange(256)) / np.float32(255)
# The share of the new sky.
_NEW_SHARES = plane(smoothstep(_LEVELS, 0.03, 0.97) * 0.4 + np.clip((_LEVELS - 0.03) / 0.94, 0, 1) * 0.6)
# The share of detail brighter than the old sky, such as its clouds, that is removed.
_BRIGHT_REMOVED = smoothstep(_LEVELS, 0.55, 0.95)
# The share of darker detail that is removed. Such detail may be a twig, so only higher bytes remove it.
_DARK_REMOVED = smoothstep(_LEVELS, 0.91, 0.985)
# The factor by which a difference from the old sky grows when the share of the sky is removed.
_THINGS_GAINS = plane(1 / np.maximum(1 - _NEW_SHARES, 1 / 255))
# The smallest byte at which a pixel is exchanged completely.
_MIN_ALL_SKY = int(np.flatnonzero((_NEW_SHARES >= 1) & (_DARK_REMOVED >= 1))[0])
# The largest byte at which a pixel is not exchanged at all.
_MAX_NO_SKY = int(np.flatnonzero(_NEW_SHARES > 0)[0]) - 1


@dataclass(frozen=True)
class SkyChange:
    """The exchange of the sky, by the share of sky in each pixel (the full-size `matte`).

    `old` and `new` are small skies, x 3, 0-255, in the photo's color space. `mirrored` is a small map, x 3, of the
    levels (positive or negative) to add to reflections of the sky; None if nothing mirrors the sky. If `old` is in
    new light, `shot` is the old sky as photographed; then the picture is relit between `remove_old` and `apply_to`.
    """

    matte: Matte
    old: Plane
    new: Plane
    mirrored: Plane | None = None
    shot: Plane | None = None

    def remove_old(self, strip: Pixels, rows: slice) -> Pixels:
        """Remove the light of the old sky from rows of the photo, so that things in front of it can be relit alone.

        Mixed pixels are relit like things. If they were relit with the light of the sky, twigs and edges would
        glow.

        Parameters
        ----------
        strip : (h, W, 3) ndarray of uint8
            These rows of the photo, gamma-coded, in its own color space.
        rows : slice
            Which rows they are.

        Returns
        -------
        (h, W, 3) ndarray of uint8
            The rows with the color of the things in mixed pixels; `strip` itself if none is mixed.
        """
        if self.shot is None:
            return strip
        result = strip
        for columns, kind in _list_runs(self.matte[rows]):
            if kind == PART_SKY:
                result = strip.copy() if result is strip else result
                old = enlarge_map(self.shot, self.matte.shape, rows, columns)
                result[:, columns] = _unmix(strip[:, columns], self.matte[rows, columns], old)
        return result

    def apply_to(self, strip: Pixels, rows: slice) -> Pixels:
        """Put the new sky into rows of a picture; pixels without sky or its reflection stay unchanged.

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
            The changed rows; `strip` itself, not a copy, if nothing changes.
        """
        return self._change_mirrors(self._exchange_sky(strip, rows), rows)

    def find_ground_columns(self, rows: slice) -> slice:
        """Find the columns from the first to the last that contain anything except sky in these rows.

        Parameters
        ----------
        rows : slice
            Rows of the full-size picture.

        Returns
        -------
        slice
            Columns of the full-size picture; empty if all is sky.
        """
        found = np.flatnonzero(self.matte[rows].min(0) < 255)
        return slice(int(found[0]), int(found[-1]) + 1) if found.size else slice(0, 0)

    def _change_mirrors(self, strip: Pixels, rows: slice) -> Pixels:
        if self.mirrored is None:
            return strip
        (height, width), small = self.matte.shape, self.mirrored.shape
        found = find_runs(self._mirror_mask[map_rows(rows, height, small[0])])
        if not found:
            return strip
        result = strip.copy()
        for columns in (widen_columns(run, small[1], width) for run in found):
            result[:, columns] = self._add_mirrored(strip[:, columns], self.mirrored, rows, columns)
        return result

    def _add_mirrored(self, part: Pixels, mirrored: Plane, rows: slice, columns: slice) -> Pixels:
        """Add the change of the reflections to this part of the picture."""
        gain = enlarge_map(mirrored, self.matte.shape, rows, columns)
        # The sky itself is already exchanged.
        ground = gray_to_rgb(apply_lut(self.matte[rows, columns], 1 - _LEVELS))
        change = cv2.scaleAdd(_make_grain(rows, columns), 0.5, cv2.multiply(gain, ground))
        # Where the gain is 0, half the grain is too little to change a byte.
        return np.asarray(cv2.add(part, change, dtype=cv2.CV_8U), dtype=np.uint8)

    @cached_property
    def _mirror_mask(self) -> Mask:
        none = np.zeros((1, 1), np.bool_)
        return none if self.mirrored is None else np.asarray(max_channel(np.abs(self.mirrored)) > 0)

    def _exchange_sky(self, strip: Pixels, rows: slice) -> Pixels:
        matte_part = self.matte[rows]
        runs = [(columns, kind) for columns, kind in _list_runs(matte_part) if kind]
        if not runs:
            return strip
        result = strip.copy()
        for columns, kind in runs:
            new, grain = enlarge_map(self.new, self.matte.shape, rows, columns), _make_grain(rows, columns)
            if kind == ALL_SKY:
                result[:, columns] = cv2.add(new, grain, dtype=cv2.CV_8U)
            else:
                # Without the light of the old sky there is nothing to be removed.
                old = None if self.shot is not None else enlarge_map(self.old, self.matte.shape, rows, columns)
                result[:, columns] = _mix(strip[:, columns], matte_part[:, columns], new, old, grain)
        return result


def _make_grain(rows: slice, columns: slice) -> Plane:
    return gray_to_rgb(make_dither(rows, columns))


def _list_runs(matte_part: Matte) -> list[tuple[slice, int]]:
    """List runs of columns with their class: NO_SKY, PART_SKY or ALL_SKY."""
    width = matte_part.shape[1]
    starts = np.arange(0, width, BLOCK_WIDTH)
    lowest = np.minimum.reduceat(matte_part.min(0), starts)
    highest = np.maximum.reduceat(matte_part.max(0), starts)
    kinds = np.where(highest <= _MAX_NO_SKY, NO_SKY, np.where(lowest >= _MIN_ALL_SKY, ALL_SKY, PART_SKY))
    ends = [*(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    firsts = [0, *ends[:-1]]
    return [
        (slice(first * BLOCK_WIDTH, min(end * BLOCK_WIDTH, width)), int(kinds[first]))
        for first, end in zip(firsts, ends, strict=True)
    ]


def _mix(strip: Pixels, matte_part: Matte, new: Plane, old: Plane | None, grain: Plane) -> Pixels:
    """Mix the new sky with the things in front of it; the light of the `old` sky is removed from mixed pixels."""
    share = apply_lut(matte_part, _NEW_SHARES)
    if old is None:
        value = cv2.blendLinear(new, plane(strip), share, 1 - share)
    else:
        brighter, darker = _split_detail(strip, matte_part, old)
        value = cv2.add(cv2.add(cv2.blendLinear(new, old, share, 1 - share), brighter), darker)
    value = cv2.add(value, cv2.multiply(grain, gray_to_rgb(plane(share > 0.5))), dtype=cv2.CV_8U)
    return np.asarray(cv2.copyTo(strip, cv2.inRange(share, 0, 0), value), dtype=np.uint8)


def _split_detail(strip: Pixels, matte_part: Matte, old: Plane) -> tuple[Plane, Plane]:
    """The kept parts of detail that is brighter, and of detail that is darker, than the old sky."""
    detail = plane(cv2.subtract(strip, old, dtype=cv2.CV_32F))
    brighter = cv2.multiply(np.maximum(detail, 0), gray_to_rgb(apply_lut(matte_part, 1 - _BRIGHT_REMOVED)))
    darker = cv2.multiply(np.minimum(detail, 0), gray_to_rgb(apply_lut(matte_part, 1 - _DARK_REMOVED)))
    return plane(brighter), plane(darker)


def _unmix(strip: Pixels, matte_part: Matte, old: Plane) -> Pixels:
    """The color of the things in mixed pixels: the light without the share of the old sky."""
    things_gain = gray_to_rgb(apply_lut(matte_part, _THINGS_GAINS))
    value = cv2.add(
        old, cv2.multiply(cv2.add(*_split_detail(strip, matte_part, old)), things_gain), dtype=cv2.CV_8U
    )
    value = _remove_hue(plane(value), old)
    return np.asarray(cv2.copyTo(strip, cv2.inRange(matte_part, 0, _MAX_NO_SKY), value), dtype=np.uint8)


def _remove_hue(colors: Plane, old: Plane) -> Pixels:
    """Remove the hue of the old sky from things in front of it.

    JPEG stores colors coarsely, so that thin things and edges have the hue of the sky beside them.
    """
    hue = plane(old - gray_to_rgb(_mean_channel(old)))
    length = np.maximum(_mean_channel(hue * hue), np.float32(MIN_HUE**2))
    own = plane(colors - gray_to_rgb(_mean_channel(colors)))
    share = np.maximum(_mean_channel(own * hue) / length, 0)
    return np.asarray(cv2.subtract(colors, hue * gray_to_rgb(plane(share)), dtype=cv2.CV_8U), dtype=np.uint8)


def _mean_channel(values: Plane) -> Plane:
    return plane(cv2.transform(values, np.full((1, 3), 1 / 3, np.float32)))
