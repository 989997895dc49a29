"""Fits the outline of each window, four straight sides, to the edges of its frame."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray

SAMPLES = 24
"""Number of places along a side at which its edge is measured."""
FULL_SLOPE = 0.06
"""Slope of a color channel (0-1 per pixel) from which on a pixel counts fully as an edge."""
REACH = 0.16
"""Distance by which a side is moved at most, as a share of the window's size across it."""
MAX_TILT = 0.3, 0.1
"""Maximum change of tilt of level and of upright sides: only level ones run to a vanishing point nearby."""
MOVE_COST = 0.25
"""Cost of moving a side by REACH, relative to the strength of a full edge."""
DARKER_GAIN = 0.3
"""Gain of an edge that is darker inside: the one between frame and pane, not between frame and wall."""
MIN_STRENGTH = 0.45
"""Minimum strength of an edge to which a side is moved."""
MIN_FILLED = 0.7
"""Minimum share of its outline that a window fills; windows of other shapes keep theirs."""
MIN_SQUARE = 0.9
"""Share of its outline that a window fills if it is one; arched ones fill less and keep their upper end."""


class Outline(NamedTuple):
    """Top left, top right, bottom right and bottom left corner of a window, in pixels."""

    corners: Plane

    def fill(self, shape: tuple[int, ...]) -> Plane:
        """The share of the window in each pixel of a map, 0-1."""
        drawn = np.zeros(shape[:2], np.uint8)
        cv2.fillConvexPoly(drawn, np.asarray(np.round((self.corners - 0.5) * 16), np.int32), 255, cv2.LINE_AA, 4)
        return plane(drawn) / np.float32(255)


class _Slopes(NamedTuple):
    """Small maps: horizontal and vertical slopes of luma, and the largest of the channels' slopes."""

    across: Plane
    down: Plane
    across_any: Plane
    down_any: Plane


def fit_outlines(found: Plane, small: Plane) -> Plane:
    """Fit the outline of each window to the edges near it.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        The windows found, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        The windows with straight sides, 0-1.
    """
    slopes = _measure_slopes(small)
    count, parts = cv2.connectedComponents((found > 0.3).astype(np.uint8), connectivity=4)
    fitted = np.zeros_like(found)
    for part in range(1, count):
        inside = np.asarray(parts == part, np.bool_)
        outline = fit_corners(inside)
        if outline is None or inside.sum() < MIN_FILLED * max(outline.fill(found.shape).sum(), 1):
            fitted[inside] = found[inside]
            continue
        filled = inside.sum() / outline.fill(found.shape).sum()
        new = _snap(outline, slopes).fill(found.shape)
        if filled < MIN_SQUARE:
            new = plane(new * cv2.dilate(inside.astype(np.uint8), np.ones((5, 5), np.uint8)))
        fitted = np.maximum(fitted, new)
    return plane(fitted)


def _measure_slopes(small: Plane) -> _Slopes:
    """Slopes per pixel of the lightly blurred picture."""
    soft = cv2.GaussianBlur(small, (0, 0), 0.8)
    gray = rgb_to_gray(plane(soft))
    (across, down), (across_any, down_any) = (
        [plane(cv2.Sobel(each, cv2.CV_32F, 1 - axis, axis, scale=1 / 8)) for axis in (0, 1)]
        for each in (gray, soft)
    )
    return _Slopes(across, down, plane(np.abs(across_any).max(-1)), plane(np.abs(down_any).max(-1)))


def _snap(outline: Outline, slopes: _Slopes) -> Outline:
    """Move each side to the strongest edge near it: first the upright ones."""
    corners = outline.corners.copy()
    for first, second in ((0, 3), (1, 2), (0, 1), (3, 2)):
        corners[[first, second]] = _snap_side(corners, first, second, slopes)
    return Outline(corners)


def _snap_side(corners: Plane, first: int, second: int, slopes: _Slopes) -> Plane:
    """The new ends of one side."""
    ends, middle = corners[[first, second]], corners.mean(0)
    is_upright = abs(ends[1] - ends[0])[1] > abs(ends[1] - ends[0])[0]
    axis = 0 if is_upright else 1
    size = 2 * abs(ends[:, axis].mean() - middle[axis])
    reach = max(3, round(REACH * size))
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
    points: NDArray[np.float64], moves: NDArray[np.int64], axis: int, is_end: bool, slopes: _Slopes
) -> Plane:
    """The strength of the edge at each point (rows) moved by each distance (columns) along an axis."""
    places = np.repeat(points[:, None], len(moves), axis=1)
    places[..., axis] += moves
    x, y = (plane(places[..., each] - 0.5) for each in (0, 1))
    slope, steepest = (slopes.across, slopes.across_any) if axis == 0 else (slopes.down, slopes.down_any)
    signed, strongest = (cv2.remap(each, x, y, cv2.INTER_LINEAR) for each in (slope, steepest))
    is_darker = (signed if is_end else -signed) > FULL_SLOPE / 4
    return plane(np.minimum(strongest / FULL_SLOPE, 1) + DARKER_GAIN * is_darker)


def fit_corners(is_window: Mask) -> Outline | None:
    """Fit straight lines along the borders of a window.

    Parameters
    ----------
    is_window : (h, w) ndarray of bool
        The window, one region.

    Returns
    -------
    Outline or None
        None for windows that are too small.
    """
    rows, columns = np.flatnonzero(is_window.any(1)), np.flatnonzero(is_window.any(0))
    if min(len(rows), len(columns)) < 4:
        return None
    top, bottom = _fit_ends(is_window, columns)
    left, right = _fit_ends(np.asarray(is_window.T, np.bool_), rows)
    corners = []
    for across, down in ((left, top), (right, top), (right, bottom), (left, bottom)):
        # y = down[0] * x + down[1], and x = across[0] * y + across[1].
        y = (down[0] * across[1] + down[1]) / (1 - down[0] * across[0])
        corners.append((across[0] * y + across[1], y))
    return Outline(plane(corners))


def _fit_ends(is_window: Mask, columns: NDArray[np.intp]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Slope and offset of the lines along the first and the last row of the window in each column."""
    kept = columns[len(columns) // 10 : len(columns) - len(columns) // 10]
    first = np.argmax(is_window[:, kept], axis=0)
    last = len(is_window) - np.argmax(is_window[::-1, kept], axis=0)
    return _fit_line(kept + 0.5, first), _fit_line(kept + 0.5, last)


def _fit_line(across: NDArray[np.float64], down: NDArray[np.intp]) -> tuple[float, float]:
    """Slope and offset of a line, by the medians of its two halves: they ignore what hides a part of it."""
    half = (len(across) + 1) // 2
    (start, end), (first, last) = (
        (float(np.median(each[:half])), float(np.median(each[-half:]))) for each in (across, down)
    )
    slope = (last - first) / max(end - start, 1.0)
    return slope, first - slope * start
