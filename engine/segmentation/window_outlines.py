"""Fits the outline of each window, four straight sides, to the edges of its frame."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray

MAX_BAR = 1 / 120
"""Maximum width of a bar between the panes of one window, as a share of the long side."""
SAMPLES = 24
"""Number of places along a side at which its edge is measured."""
FULL_SLOPE = 0.06
"""Slope of a color channel (0-1 per pixel) from which on a pixel counts fully as an edge."""
REACH = 0.14
"""Distance by which a side is moved at most, as a share of the window's size across it."""
MAX_TILT = 0.3, 0.1
"""Maximum change of tilt of level and of upright sides: only level sides may have a vanishing point nearby."""
MAX_SLOPE = 0.45
"""Maximum slope of a window's sides against the picture's."""
MOVE_COST = 0.6
"""Cost of moving a side by REACH, relative to the strength of a full edge."""
DARKER_GAIN = 0.3
"""Gain of an edge that is darker inside: it lies between frame and pane, not between frame and wall."""
MIN_STRENGTH = 0.45
"""Minimum strength of an edge to which a side is moved."""
MAX_GROWTH = 1.5
"""Maximum ratio of the areas before and after the move; with more, the edges belong to something else."""
MIN_OVERLAP = 0.86
"""Minimum overlap (intersection over union) of a rectangular window with its outline; that of a circle is 0.83."""


class WindowOutline(NamedTuple):
    """Top left, top right, bottom right and bottom left corner of a window, in pixels."""

    corners: Plane

    def fill(self, shape: tuple[int, ...]) -> Plane:
        """Compute the share of the window in each pixel of a map.

        Parameters
        ----------
        shape : tuple of int
            Rows and columns of the map; more dimensions are ignored.

        Returns
        -------
        (H, W) ndarray of float32
            Shares, 0-1.
        """
        drawn = np.zeros(shape[:2], np.uint8)
        cv2.fillConvexPoly(drawn, np.asarray(np.round((self.corners - 0.5) * 16), np.int32), 255, cv2.LINE_AA, 4)
        return plane(drawn) / np.float32(255)


class Slopes(NamedTuple):
    """Small maps: horizontal and vertical slopes of luma, and the largest of the channels' slopes."""

    across: Plane
    down: Plane
    across_any: Plane
    down_any: Plane


def list_outlines(found: Plane) -> tuple[list[WindowOutline], Plane]:
    """Fit straight sides to each rectangular window.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        The windows found, 0-1.

    Returns
    -------
    list of WindowOutline
        The rectangular windows.
    (h, w) ndarray of float32
        The others, 0-1.
    """
    bar = np.ones([max(2, round(MAX_BAR * max(found.shape)))] * 2, np.uint8)
    joined = cv2.morphologyEx((found > 0.3).astype(np.uint8), cv2.MORPH_CLOSE, bar)
    count, parts = cv2.connectedComponents(joined, connectivity=4)
    outlines, rest = [], np.zeros_like(found)
    for part in range(1, count):
        inside = np.asarray(parts == part, np.bool_)
        outline = fit_corners(inside)
        if outline is not None and _measure_overlap(outline.fill(found.shape), inside) > MIN_OVERLAP:
            outlines.append(outline)
        else:
            rest[inside] = found[inside]
    return outlines, plane(rest)


def _measure_overlap(one: Plane, other: Mask) -> float:
    """Intersection over union, 0-1."""
    return float(np.minimum(one, other).sum() / np.maximum(one, other).sum())


def measure_slopes(small: Plane) -> Slopes:
    """Measure the slopes of a picture.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.

    Returns
    -------
    Slopes
        Per pixel, of the lightly blurred picture.
    """
    soft = cv2.GaussianBlur(small, (0, 0), 0.8)
    gray = rgb_to_gray(plane(soft))
    (across, down), (across_any, down_any) = (
        [plane(cv2.Sobel(each, cv2.CV_32F, 1 - axis, axis, scale=1 / 8)) for axis in (0, 1)]
        for each in (gray, soft)
    )
    return Slopes(across, down, plane(np.abs(across_any).max(-1)), plane(np.abs(down_any).max(-1)))


def snap(outline: WindowOutline, slopes: Slopes, reach: float = REACH) -> WindowOutline:
    """Move each side to the strongest edge near it: first the upright ones.

    Parameters
    ----------
    outline : WindowOutline
        Roughly the window.
    slopes : Slopes
        The slopes of the small picture.
    reach : float, default REACH
        Distance by which a side is moved at most, as a share of the window's size across it.

    Returns
    -------
    WindowOutline
        Sides without a clear edge nearby stay.
    """
    corners = outline.corners.copy()
    for first, second in ((0, 3), (1, 2)):
        corners[[first, second], 0] = corners[[first, second], 0].mean()
    for first, second in ((0, 3), (1, 2), (0, 1), (3, 2)):
        corners[[first, second]] = _snap_side(corners, (first, second), slopes, reach)
    growth = cv2.contourArea(corners) / max(cv2.contourArea(outline.corners), 1.0)
    return WindowOutline(corners) if 1 / MAX_GROWTH < growth < MAX_GROWTH else outline


def _snap_side(corners: Plane, side: tuple[int, int], slopes: Slopes, most: float) -> Plane:
    """The new ends of one side."""
    ends, middle = corners[list(side)], corners.mean(0)
    is_upright = abs(ends[1] - ends[0])[1] > abs(ends[1] - ends[0])[0]
    axis = 0 if is_upright else 1
    size = 2 * abs(ends[:, axis].mean() - middle[axis])
    reach = max(3, round(most * size))
    along = np.linspace(0.06, 0.94, SAMPLES)[:, None]
    points = ends[0] + along * (ends[1] - ends[0])
    moves = np.arange(-reach, reach + 1)
    strength = _sample_strength(points, moves, axis, ends[:, axis].mean() > middle[axis], slopes)
    start, end = (each.ravel() for each in np.meshgrid(moves, moves, indexing="ij"))
    tilt = np.abs(end - start) / max(float(np.linalg.norm(ends[1] - ends[0])), 1.0)
    is_allowed = tilt <= MAX_TILT[axis == 0]
    start, end = start[is_allowed], end[is_allowed]
    places = np.round(start + along * (end - start)).astype(np.int32) + reach
    score = strength[np.arange(SAMPLES)[:, None], places].mean(0)
    best = int(np.argmax(score - MOVE_COST * (np.abs(start) + np.abs(end)) / (2 * reach)))
    if score[best] < MIN_STRENGTH:
        return plane(ends)
    moved = ends.copy()
    moved[:, axis] += (start[best], end[best])
    return plane(moved)


def _sample_strength(
    points: NDArray[np.float64], moves: NDArray[np.int64], axis: int, is_end: bool, slopes: Slopes
) -> Plane:
    """The strength of the edge at each point (rows) moved by each distance (columns) along an axis."""
    places = np.repeat(points[:, None], len(moves), axis=1)
    places[..., axis] += moves
    x, y = (plane(places[..., each] - 0.5) for each in (0, 1))
    slope, steepest = (slopes.across, slopes.across_any) if axis == 0 else (slopes.down, slopes.down_any)
    signed, strongest = (cv2.remap(each, x, y, cv2.INTER_LINEAR) for each in (slope, steepest))
    is_darker = (signed if is_end else -signed) > FULL_SLOPE / 4
    return plane(np.minimum(strongest / FULL_SLOPE, 1) + DARKER_GAIN * is_darker)


def fit_corners(is_window: Mask) -> WindowOutline | None:
    """Fit straight lines along the borders of a window.

    Parameters
    ----------
    is_window : (h, w) ndarray of bool
        The window, one region.

    Returns
    -------
    WindowOutline or None
        None for windows that are too small or too slanted.
    """
    rows, columns = np.flatnonzero(is_window.any(1)), np.flatnonzero(is_window.any(0))
    if min(len(rows), len(columns)) < 4:
        return None
    top, bottom = _fit_ends(is_window, columns)
    left, right = _fit_ends(np.asarray(is_window.T, np.bool_), rows)
    if max(abs(top[0]), abs(bottom[0])) > MAX_SLOPE or max(abs(left[0]), abs(right[0])) > MAX_SLOPE:
        return None
    corners = []
    for across, down in ((left, top), (right, top), (right, bottom), (left, bottom)):
        # y = down[0] * x + down[1], and x = across[0] * y + across[1].
        y = (down[0] * across[1] + down[1]) / (1 - down[0] * across[0])
        corners.append((across[0] * y + across[1], y))
    return WindowOutline(plane(corners))


def _fit_ends(is_window: Mask, columns: NDArray[np.intp]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Slope and offset of the lines along the first and the last row of the window in each column."""
    kept = columns[len(columns) // 10 : len(columns) - len(columns) // 10]
    first = np.argmax(is_window[:, kept], axis=0)
    last = len(is_window) - np.argmax(is_window[::-1, kept], axis=0)
    return _fit_line(kept + 0.5, first), _fit_line(kept + 0.5, last)


def _fit_line(across: NDArray[np.floating], down: NDArray[np.intp]) -> tuple[float, float]:
    """Slope and offset of a line, by the medians of its two halves: they ignore things that hide a part of it."""
    half = (len(across) + 1) // 2
    (start, end), (first, last) = (
        (float(np.median(each[:half])), float(np.median(each[-half:]))) for each in (across, down)
    )
    slope = (last - first) / max(end - start, 1.0)
    return slope, first - slope * start
