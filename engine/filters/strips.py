"""Processes full-size pictures strip by strip, without a full-size float copy; enlarges maps; makes dither."""

import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Matte, Pixels, Plane, plane

_Done = TypeVar("_Done")
STRIP_PIXELS = 200_000
"""Most pixels of a strip: a strip fits into the processor's cache, and the allocator reuses memory of this size."""
THREADS = min(4, os.cpu_count() or 1)
"""Number of strips that are processed in parallel."""
DITHER_SIDE = 256
"""Side, in pixels, of the noise tile that is repeated."""
MAX_COLUMN_DISTANCE = 12
"""Largest distance between neighboring columns of a run, in columns; more and shorter runs would take longer."""
HALF_SIZE_FROM = 3000
"""Least long side, in pixels, of pictures whose light is computed at half size."""
LightFunction = Callable[[Pixels, slice, slice, tuple[int, ...]], Plane]
"""Computes light from the bytes of a part of a picture, the rows and columns of the part, and the whole shape."""


def split_into_strips(shape: tuple[int, ...], within: slice | None = None) -> Iterator[slice]:
    """Split a picture into strips of rows, from the top, each of at most STRIP_PIXELS.

    Parameters
    ----------
    shape : tuple of int
        Of the picture; rows and columns come first.
    within : slice, optional
        The rows of the picture to split; None for all.

    Returns
    -------
    Iterator of slice
        Rows of the picture.
    """
    height, width = shape[:2]
    rows = max(1, STRIP_PIXELS // width)
    first, last = (0, height) if within is None else (within.start, within.stop)
    return (slice(top, min(top + rows, last)) for top in range(first, last, rows))


def enlarge_map(small: Plane, shape: tuple[int, ...], rows: slice, columns: slice | None = None) -> Plane:
    """Enlarge a part of a small map to full size: bilinear, pixel centers aligned.

    Parameters
    ----------
    small : (h, w) or (h, w, C) ndarray of float32
        The map, in any range.
    shape : tuple of int
        Of the full-size picture; rows and columns come first.
    rows : slice
        The rows of the full-size picture, with start and stop.
    columns : slice, optional
        The columns likewise; None for all.

    Returns
    -------
    ndarray of float32
        These rows and columns, with the channels of `small`.
    """
    (height, width), (small_height, small_width) = shape[:2], small.shape[:2]
    positions = (np.arange(rows.start, rows.stop) + 0.5) * (small_height / height) - 0.5
    positions = np.clip(positions, 0, small_height - 1)
    first, last = int(positions[0]), min(int(positions[-1]) + 2, small_height)
    # A border of small columns and a border of full-size columns coincide after every `step` full-size columns.
    times = math.gcd(width, small_width)
    step = width // times
    left, right = _find_steps(columns or slice(0, width), step, times)
    near = small[first:last, left * small_width // times : right * small_width // times]
    # Rows are interpolated first, in one matrix product: with fewer calls, threads wait less for each other.
    mixed = _compute_row_weights(positions - first, len(near)) @ near.reshape(len(near), -1)
    narrow = mixed.reshape(len(positions), *near.shape[1:])
    wide = cv2.resize(narrow, ((right - left) * step, len(positions)), interpolation=cv2.INTER_LINEAR)
    return plane(wide if columns is None else wide[:, columns.start - left * step : columns.stop - left * step])


def _find_steps(columns: slice, step: int, times: int) -> tuple[int, int]:
    """Start and stop of the steps that contain these columns, with one more on either side to interpolate with."""
    return max(0, columns.start // step - 1), min(times, -(-columns.stop // step) + 1)


def _compute_row_weights(places: NDArray[np.float64], count: int) -> Plane:
    """The weights (places x count) that interpolate linearly between the rows above and below each place."""
    above = places.astype(np.intp)
    fraction, numbers = places - above, np.arange(len(places))
    weights = np.zeros((len(places), count), np.float32)
    weights[numbers, above] = 1 - fraction
    weights[numbers, np.minimum(above + 1, count - 1)] += plane(fraction)
    return weights


def compute_light(pixels: Pixels, rows: slice, columns: slice, compute: LightFunction) -> Plane:
    """Compute gains, or other values of the light, for a part of a picture.

    In pictures with a long side of at least HALF_SIZE_FROM pixels, light is computed on the means of two by two
    pixels and enlarged: light has no fine edges that this would blur.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The full-size picture, gamma-coded, in its own color space.
    rows, columns : slice
        The part, with start and stop.
    compute : callable
        The computation. Called with a piece of the picture (at full or half size), its rows and columns at that
        size, and the shape of the whole at that size; returns a float32 plane as large as the piece.

    Returns
    -------
    ndarray of float32
        The values that `compute` returned, with as many rows and columns as the part.
    """
    height, width = pixels.shape[:2]
    if max(height, width) < HALF_SIZE_FROM:
        return compute(pixels[rows, columns], rows, columns, pixels.shape)
    shape = -(-height // 2), -(-width // 2), *pixels.shape[2:]
    down, across = _find_half_size_span(rows, shape[0]), _find_half_size_span(columns, shape[1])
    part = pixels[2 * down.start : 2 * down.stop, 2 * across.start : 2 * across.stop]
    light = compute(_halve(part), down, across, shape)
    large = cv2.resize(light, (2 * light.shape[1], 2 * light.shape[0]), interpolation=cv2.INTER_LINEAR)
    top, left = rows.start - 2 * down.start, columns.start - 2 * across.start
    return plane(large[top : top + rows.stop - rows.start, left : left + columns.stop - columns.start])


def _find_half_size_span(places: slice, count: int) -> slice:
    """The rows or columns at half size that contain these, and one more on either side.

    The additional rows or columns prevent seams between enlarged pieces.
    """
    return slice(max(0, places.start // 2 - 1), min(count, -(-places.stop // 2) + 1))


def _halve(pixels: Pixels) -> Pixels:
    """The means of two by two pixels; if their number is odd, the last row or column counts twice."""
    height, width = pixels.shape[:2]
    if height % 2 or width % 2:
        pixels = np.asarray(
            cv2.copyMakeBorder(pixels, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE), dtype=np.uint8
        )
    size = pixels.shape[1] // 2, pixels.shape[0] // 2
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def map_rows(rows: slice, height: int, small_height: int) -> slice:
    """Find the rows of a small map that belong to some rows of the full-size picture, and one more on either side.

    Parameters
    ----------
    rows : slice
        Of the full-size picture.
    height, small_height : int
        Rows of the full-size picture and of the small map.

    Returns
    -------
    slice
        Rows of the small map; its stop may lie past the last one.
    """
    first, last = rows.start * small_height // height - 1, -(-rows.stop * small_height // height) + 1
    return slice(max(0, first), last)


def find_runs(mask: Mask) -> list[slice]:
    """Find the runs of columns that are not empty; gaps of less than MAX_COLUMN_DISTANCE empty columns are ignored.

    Parameters
    ----------
    mask : (h, w) ndarray of bool
        A column is empty where all its rows are False.

    Returns
    -------
    list of slice
        Columns, from the left; empty for an empty mask.
    """
    found = np.flatnonzero(mask.any(0))
    if not found.size:
        return []
    breaks = np.flatnonzero(np.diff(found) > MAX_COLUMN_DISTANCE)
    firsts, lasts = found[np.r_[0, breaks + 1]], found[np.r_[breaks, found.size - 1]]
    return [slice(int(first), int(last) + 1) for first, last in zip(firsts, lasts, strict=True)]


def widen_columns(columns: slice, small_width: int, width: int) -> slice:
    """Find the columns of the full-size picture that are affected when columns of a small map are interpolated.

    Parameters
    ----------
    columns : slice
        Of the small map.
    small_width, width : int
        Columns of the small map and of the full-size picture.

    Returns
    -------
    slice
        Columns of the full-size picture.
    """
    first, last = (columns.start - 1) * width // small_width, -(-(columns.stop + 1) * width // small_width)
    return slice(max(0, first), min(last, width))


def round_to_bytes(values: Plane) -> Pixels:
    """Round values to bytes; values outside 0-255 are clipped.

    Parameters
    ----------
    values : ndarray of float32
        Usually 0-255, in any shape.

    Returns
    -------
    ndarray of uint8
        Of the same shape.
    """
    return (np.clip(values, 0, 255) + np.float32(0.5)).astype(np.uint8)


def apply_lut(values: Matte | Pixels, table: Plane) -> Plane:
    """Replace each byte by its entry in a table.

    Parameters
    ----------
    values : (H, W) or (H, W, 3) ndarray of uint8
        The bytes.
    table : (256,) ndarray of float32
        The value for each byte.

    Returns
    -------
    ndarray of float32
        Of the shape of `values`.
    """
    return plane(cv2.LUT(values, table))


def make_dither(rows: slice, columns: slice) -> Plane:
    """Make triangular noise that prevents banding of smooth gradients; the same at every call.

    Parameters
    ----------
    rows, columns : slice
        The rows and columns of the full-size picture, with start and stop.

    Returns
    -------
    ndarray of float32
        These rows and columns; -1 to 1, mean 0, to be added to levels of 0-255.
    """
    first, count = columns.start % DITHER_SIDE, columns.stop - columns.start
    repeats = -(-(first + count) // DITHER_SIDE)
    lines = np.arange(rows.start, rows.stop) % DITHER_SIDE
    return np.tile(_DITHER[lines], (1, repeats))[:, first : first + count]


def map_strips(pixels: Pixels, work: Callable[[Pixels, slice], Pixels]) -> Pixels:
    """Make a new picture strip by strip, several strips at a time.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The picture; it is not changed.
    work : callable
        Called with the pixels of a strip and its rows; returns the strip's new pixels.

    Returns
    -------
    (H, W, 3) ndarray of uint8
        The new picture.
    """
    result = np.empty_like(pixels)

    def fill(rows: slice) -> None:
        result[rows] = work(pixels[rows], rows)

    run_strips(pixels.shape, fill)
    return result


def run_strips(shape: tuple[int, ...], work: Callable[[slice], None], within: slice | None = None) -> None:
    """Do the work for all strips, several at a time; strips must not depend on each other.

    Parameters
    ----------
    shape : tuple of int
        Of the picture; rows and columns come first.
    work : callable
        Called with the rows (a slice) of each strip; its exceptions are passed on.
    within : slice, optional
        The rows to be covered, as in `split_into_strips`; None for all.
    """
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(work, split_into_strips(shape, within)))


def start_thread(work: Callable[[], _Done]) -> Callable[[], _Done]:
    """Start the work in a separate thread.

    Parameters
    ----------
    work : callable
        Called without arguments.

    Returns
    -------
    callable
        Waits for the end of the work and returns its result; exceptions of the work are raised here.
    """
    thread = ThreadPoolExecutor(1)
    outcome = thread.submit(work)
    thread.shutdown(wait=False)
    return outcome.result


def _make_dither_tile() -> Plane:
    noise = np.random.Generator(np.random.PCG64(20240229))
    first, second = noise.random((2, DITHER_SIDE, DITHER_SIDE), dtype=np.float32)
    return plane(first - second)


_DITHER = _make_dither_tile()


def enlarge_picture(small: Plane, shape: tuple[int, ...], rows: slice) -> Plane:
    """Enlarge a small picture to some rows of the full size: bicubic, pixel centers aligned.

    Parameters
    ----------
    small : (h, w) or (h, w, 3) ndarray of float32
        The small picture, in any range.
    shape : tuple of int
        Of the full-size picture; rows and columns come first.
    rows : slice
        The rows of the full-size picture, with start and stop.

    Returns
    -------
    ndarray of float32
        These rows over the full width; bicubic values may leave the range of `small`.
    """
    across, down = small.shape[1] / shape[1], small.shape[0] / shape[0]
    places = np.array(((across, 0, across / 2 - 0.5), (0, down, (rows.start + 0.5) * down - 0.5)))
    size = (shape[1], rows.stop - rows.start)
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return plane(cv2.warpAffine(small, places, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))
