"""Work at full size without full-size float copies: strips of rows, small maps stretched to a strip, dither."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np

from app.engine.arrays import Mask, Matte, Pixels, Plane, plane

# Small enough for the processor's cache, where float arithmetic is fastest, and for memory that is kept for reuse.
STRIP_PIXELS = 100_000
THREADS = min(4, os.cpu_count() or 1)
DITHER_SIDE = 256


def strips(shape: tuple[int, ...], within: slice | None = None) -> Iterator[slice]:
    """Slices of rows that cover a picture of this shape from the top, each small enough for float arithmetic.

    Those `within` some rows only, where these are given; they begin where a strip of the whole does.
    """
    height, width = shape[:2]
    rows = max(1, STRIP_PIXELS // width)
    first, last = (0, height) if within is None else (within.start, within.stop)
    return (slice(top, min(top + rows, height)) for top in range(first, last, rows))


def stretch(small: Plane, shape: tuple[int, ...], rows: slice) -> Plane:
    """These rows of the small map as it would be at the full `shape`: bilinear, pixel centres aligned."""
    height, width = shape[:2]
    at = (np.arange(rows.start, rows.stop) + 0.5) * small.shape[0] / height - 0.5
    at = np.clip(at, 0, small.shape[0] - 1)
    above = at.astype(np.int64)
    first, last = int(above[0]), min(int(above[-1]) + 2, small.shape[0])
    # Widened first: a strip lies on few rows of the small map.
    wide = cv2.resize(small[first:last], (width, last - first), interpolation=cv2.INTER_LINEAR)
    result = np.empty((len(at), *wide.shape[1:]), np.float32)
    for row, upper, share in zip(result, above - first, at - above, strict=True):
        lower = min(upper + 1, len(wide) - 1)
        cv2.addWeighted(wide[upper], 1 - share, wide[lower], share, 0, dst=row)
    return result


def small_rows(rows: slice, height: int, small_height: int) -> slice:
    """The rows of a small map that these rows of a picture of this height lie on, and one more on either side."""
    first, last = rows.start * small_height // height - 1, -(-rows.stop * small_height // height) + 1
    return slice(max(0, first), last)


def columns_with_some(mask: Mask) -> slice:
    """The columns from the first to the last with anything in them; an empty slice without any."""
    found = np.flatnonzero(mask.any(0))
    return slice(int(found[0]), int(found[-1]) + 1) if found.size else slice(0, 0)


def widened(columns: slice, small_width: int, width: int) -> slice:
    """These columns of a small map in a picture of this width, with all that stretching them reaches."""
    if columns.start == columns.stop:
        return slice(0, 0)
    first, last = (columns.start - 1) * width // small_width, -(-(columns.stop + 1) * width // small_width)
    return slice(max(0, first), min(last, width))


def tripled(values: Plane) -> Plane:
    """Height x width values repeated for the three colours."""
    return plane(cv2.merge([values, values, values]))


def rounded(values: Plane) -> Pixels:
    """Values of 0-255 as bytes, cut at both ends."""
    return (np.clip(values, 0, 255) + np.float32(0.5)).astype(np.uint8)


def looked_up(values: Matte | Pixels, table: Plane) -> Plane:
    """Each byte replaced by its entry in a table of 256 floats."""
    return plane(cv2.LUT(values, table))


def dither(shape: tuple[int, ...], rows: slice) -> Plane:
    """Triangular noise of one level for these rows, so that smooth gradients do not band; the same every time."""
    width = shape[1]
    repeats = -(-width // DITHER_SIDE)
    lines = np.arange(rows.start, rows.stop) % DITHER_SIDE
    return np.tile(_DITHER[lines], (1, repeats))[:, :width]


def worked(pixels: Pixels, work: Callable[[Pixels, slice], Pixels]) -> Pixels:
    """A new picture made strip by strip: `work` gets a strip and its rows and returns the strip's new bytes."""
    result = np.empty_like(pixels)

    def fill(rows: slice) -> None:
        result[rows] = work(pixels[rows], rows)

    for_each_strip(pixels.shape, fill)
    return result


def for_each_strip(shape: tuple[int, ...], work: Callable[[slice], None], within: slice | None = None) -> None:
    """Do the work for all strips, several at a time; strips must not depend on each other."""
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(work, strips(shape, within)))


def _dither_tile() -> Plane:
    noise = np.random.Generator(np.random.PCG64(20240229))
    first, second = noise.random((2, DITHER_SIDE, DITHER_SIDE), dtype=np.float32)
    return plane(first - second)


_DITHER = _dither_tile()
