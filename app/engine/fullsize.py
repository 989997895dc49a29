"""Work at full size without full-size float copies: strips of rows, small maps stretched to a strip, dither."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np

from app.engine.arrays import Matte, Pixels, Plane, plane

# Small enough for the processor's cache, where float arithmetic is fastest.
STRIP_PIXELS = 200_000
THREADS = min(4, os.cpu_count() or 1)
DITHER_SIDE = 256


def strips(shape: tuple[int, ...]) -> Iterator[slice]:
    """Slices of rows that cover a picture of this shape from the top, each small enough for float arithmetic."""
    height, width = shape[:2]
    rows = max(1, STRIP_PIXELS // width)
    return (slice(top, min(top + rows, height)) for top in range(0, height, rows))


def stretch(small: Plane, shape: tuple[int, ...], rows: slice) -> Plane:
    """These rows of the small map as it would be at the full `shape`: bilinear, pixel centres aligned."""
    height, width = shape[:2]
    at = (np.arange(rows.start, rows.stop) + 0.5) * small.shape[0] / height - 0.5
    at = np.clip(at, 0, small.shape[0] - 1)
    above = at.astype(np.int64)
    below = np.minimum(above + 1, small.shape[0] - 1)
    share = plane(at - above).reshape((-1,) + (1,) * (small.ndim - 1))
    mixed = plane(small[above] * (1 - share) + small[below] * share)
    return plane(cv2.resize(mixed, (width, len(at)), interpolation=cv2.INTER_LINEAR))


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


def for_each_strip(shape: tuple[int, ...], work: Callable[[slice], None]) -> None:
    """Do the work for all strips, several at a time; strips must not depend on each other."""
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(work, strips(shape)))


def _dither_tile() -> Plane:
    noise = np.random.Generator(np.random.PCG64(20240229))
    first, second = noise.random((2, DITHER_SIDE, DITHER_SIDE), dtype=np.float32)
    return plane(first - second)


_DITHER = _dither_tile()
