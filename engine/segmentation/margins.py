"""Finds white or black margins that were added around a photo, and labels in its corners."""

import cv2
import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane

MIN_SIDE = 64
"""Minimum short side, in pixels, of a photo with margins: in smaller ones a label has no legible letters."""
MAX_MARGIN = 0.2
"""Maximum depth of a margin, as a share of the height or width."""
WHITE, BLACK = 240, 16
"""A margin is white if its darkest channel is at least the first, black if its brightest is at most the second."""
NOISE = 12
"""Maximum difference from the margin's color (0-255), which compression causes beside the photo's edge."""
MIN_EVEN = 0.7
"""Minimum share of a line that has the margin's color: letters may be on it."""
MIN_EDGE = 0.8
"""Minimum share of the line beside a margin or label that differs: a white sky ends along roofs and trees."""
EDGE_WIDTH = 2
"""Distance, in pixels, between a margin and the line that differs: the scaling of a photo blurs its edge."""
MIN_PAPER = 215, 238
"""Minimum of the darkest channel of a label's white ground: compression of its letters darkens it, but in
front of a pale sky it must be whiter.
"""
MIN_LABEL, MAX_LABEL = (0.015, 0.03), (0.12, 0.35)
"""Minimum and maximum height and width of a label, as shares of those of the photo."""
LETTERS = 0.08, 0.65
"""Minimum and maximum share of a label that its letters cover: a corner of a white sky has none."""


def find_margins(pixels: Pixels) -> Mask | None:
    """Find margins around a photo and labels in its corners.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded.

    Returns
    -------
    (H, W) ndarray of bool, or None
        True in margins and labels; None if there are none.
    """
    if min(pixels.shape[:2]) < MIN_SIDE:
        return None
    found = np.zeros(pixels.shape[:2], np.bool_)
    for turns in range(4):
        # Each side in turn becomes the upper one; the rotated arrays are views of the same memory.
        turned, seen = np.rot90(found, turns), np.rot90(pixels, turns)
        turned[: _measure_depth(seen)] = True
    for flip in (np.s_[:, :], np.s_[:, ::-1], np.s_[::-1, :], np.s_[::-1, ::-1]):
        height, width = _measure_label(pixels[flip])
        found[flip][:height, :width] = True
    return found if found.any() else None


def clear_margins(found: Plane, margins: Mask) -> Plane:
    """Set a map to 0 in margins.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        A small map, 0-1.
    margins : (H, W) ndarray of bool
        The full-size margins.

    Returns
    -------
    (h, w) ndarray of float32
        The map; 0 where a pixel has any part of a margin.
    """
    share = cv2.resize(margins.astype(np.float32), found.shape[::-1], interpolation=cv2.INTER_AREA)
    return plane(found * (share == 0))


def crop_margins(values: Pixels | Plane, margins: Mask) -> Pixels | Plane:
    """Crop whole rows and columns of margins from a picture or a map; labels stay.

    Parameters
    ----------
    values : (h, w) or (h, w, C) ndarray
        A picture or map of the whole frame, of any size.
    margins : (H, W) ndarray of bool
        The full-size margins.

    Returns
    -------
    ndarray
        A view of its inner part.
    """
    rows, columns = (
        slice(start * size // full, max(start * size // full + 1, stop * size // full))
        for (start, stop), size, full in zip(_find_inner(margins), values.shape, margins.shape, strict=False)
    )
    return values[rows, columns]


def _find_inner(margins: Mask) -> list[tuple[int, int]]:
    """The first row and column, and the last ones plus 1, that are no margin, nor blurred by the edge of one."""
    inner = []
    for axis, size in ((1, len(margins)), (0, margins.shape[1])):
        kept = np.flatnonzero(~margins.all(axis))
        first, last = int(kept[0]), int(kept[-1]) + 1
        inner.append((first + EDGE_WIDTH * (first > 0), last - EDGE_WIDTH * (last < size)))
    return inner


def _measure_depth(pixels: Pixels) -> int:
    """The number of rows of the margin at the upper side."""
    height = len(pixels)
    color = np.median(pixels[0], axis=0)
    if not (color.min() >= WHITE or color.max() <= BLACK):
        return 0
    rows = pixels[: round(MAX_MARGIN * height) + 1 + EDGE_WIDTH]
    even = (np.abs(rows.astype(np.int16) - color).max(-1) <= NOISE).mean(1)
    uneven = np.flatnonzero(even < MIN_EVEN)
    if not uneven.size or uneven[0] + EDGE_WIDTH >= len(rows):
        return 0
    return int(uneven[0]) if 1 - even[uneven[0] + EDGE_WIDTH] >= MIN_EDGE else 0


def _measure_label(pixels: Pixels) -> tuple[int, int]:
    """The height and width of the white label with letters in the upper left corner; 0, 0 without one."""
    height, width = pixels.shape[:2]
    least, most = ((round(size[0] * height), round(size[1] * width)) for size in (MIN_LABEL, MAX_LABEL))
    light = pixels[: most[0] + EDGE_WIDTH + 1, : most[1] + EDGE_WIDTH + 1].min(-1)
    for paper in (light >= limit for limit in MIN_PAPER):
        # Noise leaves one of two border lines white.
        size = _measure_run(paper[:, :2].any(1)), _measure_run(paper[:2].any(0))
        if all(low <= each <= high for low, each, high in zip(least, size, most, strict=True)) and _is_label(
            paper, *size
        ):
            return size
    return 0, 0


def _is_label(paper: Mask, height: int, width: int) -> bool:
    """Whether a rectangle of paper with letters ends at this height and width."""
    inside = paper[:height, :width]
    borders = paper[height - 2 : height, :width].any(0), paper[:height, width - 2 : width].any(1)
    beside = paper[height + EDGE_WIDTH - 1, :width], paper[:height, width + EDGE_WIDTH - 1]
    return bool(
        min(each.mean() for each in borders) >= MIN_EDGE
        and max(each.mean() for each in beside) <= 1 - MIN_EDGE
        and LETTERS[0] <= 1 - inside.mean() <= LETTERS[1]
    )


def _measure_run(line: Mask) -> int:
    """How far a line is filled from its start."""
    return int(np.argmin(line)) if not line.all() else len(line)
