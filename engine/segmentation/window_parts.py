"""Completes halves of windows, cuts off shutters, and adds windows like those found, by edges and colors."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.segmentation.window_outlines import WindowOutline, list_outlines, measure_slopes, snap

EDGE_SLOPE = 0.03
"""Slope of a color channel (0-1 per pixel) from which on a pixel lies on an edge."""
MARGIN = 0.12
"""Rows above and below the window in a strip, as a share of its height."""
MIN_EDGE = 0.6
"""Minimum share of a line across the window that lies on an edge."""
MIN_GROWTH, MAX_GROWTH = 0.25, 1.3
"""Minimum and maximum growth of a window when one part is added, relative to its size."""
MAX_PART_CONTRAST = 0.09
"""Maximum difference of color (0-1, the largest of the channels') between a window and its other part."""
DARK_PART_CONTRAST = 0.02, 0.25
"""That difference for dark windows: a constant, and a share of the window's own light."""
MAX_GAP = 0.1
"""Maximum width of a bar between the parts, relative to the window's size; a wall is wider."""
MIN_PART_AGREED = 0.25
"""Minimum agreed glass in that part."""
SHUTTER_WIDTHS = 0.1, 0.62
"""Minimum and maximum width of a shutter, relative to the window between two of them."""
MIN_SHUTTER_WIDTH = 4
"""Minimum width of a shutter, in pixels."""
MAX_CUT = 1.35
"""Maximum width that is cut off at one side, relative to the shutter's; some frame is cut off with it."""
MIN_MIDDLE = 0.4
"""Minimum width of that window, relative to what was found."""
MAX_TWIN_CONTRAST, MIN_SHUTTER_CONTRAST = 0.07, 0.2
"""Maximum difference of color between two shutters, and minimum one between each and the window."""
MIN_SHUTTER_AGREED = 0.15
"""Minimum agreed glass in a shutter; walls beside a window have less."""
MIN_AGREED_DROP = 0.1
"""Minimum difference of agreed glass between the window and each shutter."""
MIN_COVERED = 0.7
"""A found window of which a shutter covers this share or more is no window."""
SECOND_REACH = 0.06
"""Distance by which a side is moved at most where a shutter was cut off, as a share of the window's size."""
# For strips to the right, to the left and down: the corners of the outline, in the order in which they become those
# of the strip. No strip runs up, because a lintel or the eaves are mostly above a window.
DIRECTIONS = (0, 1, 2, 3), (1, 0, 3, 2), (0, 3, 2, 1)


class _Strip(NamedTuple):
    """A window and its surroundings, rectified; its columns start at `start` and end at `end` in the strip.

    For each column: `colors` (x 3) is the median; `edges` is the share of its middle on an upright edge, 0-1;
    `is_peak` says whether the slope is the steepest nearby; `upper` and `lower` are 1 where its two ends are on
    edges; `agreed` is the mean of agreed glass.
    """

    colors: Plane
    edges: Plane
    is_peak: Mask
    upper: Plane
    lower: Plane
    agreed: Plane
    start: int
    end: int
    to_picture: Plane

    def locate(self, columns: Sequence[float], height: float) -> Plane:
        """The corners, in the picture, of the window between two columns."""
        left, right = (each - self.start for each in columns)
        flat = plane([[(left, 0), (right, 0), (right, height), (left, height)]])
        return plane(cv2.perspectiveTransform(flat, self.to_picture)[0])


def fit_windows(found: Plane, small: Plane, agreed: Plane) -> Plane:
    """Fit the outline of each window to its frame, complete it and cut off its shutters.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        The windows found, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    agreed : (h, w) ndarray of float32
        Agreed glass, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        The windows, 0-1; those that are not rectangles stay as they are.
    """
    slopes = measure_slopes(small)
    outlines, fitted = list_outlines(found)
    windows: list[WindowOutline] = []
    shutters: list[Plane] = []
    for outline in outlines:
        between, beside = cut_shutters(snap(outline, slopes), small, agreed)
        whole = complete_window(snap(between, slopes, SECOND_REACH), small, agreed)
        window, more = cut_shutters(whole, small, agreed)
        shutters += [each.fill(found.shape) for each in beside + more]
        windows.append(window)
    windows = [each for each in windows if not _is_covered(each.fill(found.shape), shutters)]
    for window in windows:
        fitted = plane(np.maximum(fitted, window.fill(found.shape)))
    return fitted


def _is_covered(window: Plane, shutters: list[Plane]) -> bool:
    return any((shutter * window).sum() > MIN_COVERED * window.sum() for shutter in shutters)


def complete_window(outline: WindowOutline, small: Plane, agreed: Plane) -> WindowOutline:
    """Extend a window, of which only a part was found, to the next edge across it.

    Parameters
    ----------
    outline : WindowOutline
        The window.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    agreed : (h, w) ndarray of float32
        Agreed glass, 0-1.

    Returns
    -------
    WindowOutline
        The whole window: its added part has the same color, and the two edges along the window continue there.
    """
    corners = outline.corners
    for order in DIRECTIONS:
        indices = list(order)
        strip, height = _make_strip(corners[indices], small, agreed, (0.0, MAX_GROWTH))
        end = _find_end(strip)
        if end is not None:
            moved = corners.copy()
            moved[indices] = strip.locate((strip.start, end), height)
            corners = moved
    return WindowOutline(plane(corners))


def _find_end(strip: _Strip) -> int | None:
    """The column where a window that is larger than found ends."""
    size = strip.end - strip.start
    inner = np.median(strip.colors[strip.start + size // 8 : strip.end - size // 8], axis=0)
    most = min(MAX_PART_CONTRAST, DARK_PART_CONTRAST[0] + DARK_PART_CONTRAST[1] * float(inner.mean()))
    best, strongest = None, MIN_EDGE
    for column in range(strip.end + max(3, round(MIN_GROWTH * size)), len(strip.edges) - 2):
        part = slice(strip.end + max(1, size // 16), column - 1)
        if (
            strip.edges[column] > strongest
            and min(strip.upper[part].mean(), strip.lower[part].mean()) > MIN_EDGE
            and _measure_gap(np.abs(strip.colors[part] - inner).max(-1) > most) <= MAX_GAP * size
            and strip.agreed[part].mean() > MIN_PART_AGREED
        ):
            best, strongest = column, float(strip.edges[column])
    return best


def _measure_gap(is_other: Mask) -> int:
    """Length of the longest run."""
    ends = np.flatnonzero(np.diff(np.concatenate([[False], is_other, [False]])))
    return int((ends[1::2] - ends[::2]).max(initial=0))


def cut_shutters(outline: WindowOutline, small: Plane, agreed: Plane) -> tuple[WindowOutline, list[WindowOutline]]:
    """Cut off the shutters of a window: two parts beside it that have the same color, other than the window's.

    Parameters
    ----------
    outline : WindowOutline
        The window, perhaps with shutters.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    agreed : (h, w) ndarray of float32
        Agreed glass, 0-1.

    Returns
    -------
    WindowOutline
        The window without shutters.
    list of WindowOutline
        The two shutters, or the areas beside the window in their place; empty if they are not known.
    """
    strip, height = _make_strip(outline.corners, small, agreed, (0.6, 0.6))
    found = _find_shutters(strip)
    if found is None:
        return outline, []
    first, last, width = found
    parts = ((first, last), (first - width, first), (last, last + width))
    window, *shutters = (WindowOutline(strip.locate(each, height)) for each in parts)
    return window, shutters


def _find_shutters(strip: _Strip) -> tuple[int, int, int] | None:
    """First and last column of a window between shutters, and their width."""
    size, count = strip.end - strip.start, len(strip.edges)
    peaks = [*np.flatnonzero(strip.is_peak & (strip.edges >= MIN_EDGE)).tolist(), strip.start, strip.end]
    best, clearest = None, MIN_SHUTTER_CONTRAST
    for outer, first, last in product(peaks, repeat=3):
        width = first - outer
        most = MAX_CUT * width
        if not (
            width >= MIN_SHUTTER_WIDTH
            and -MIN_SHUTTER_WIDTH < first - strip.start <= most
            and -MIN_SHUTTER_WIDTH < strip.end - last <= most
            and MIN_MIDDLE * size <= last - first
            and SHUTTER_WIDTHS[0] * (last - first) <= width <= SHUTTER_WIDTHS[1] * (last - first)
            and last + width + 3 <= count
            and strip.edges[last + width - 2 : last + width + 3].max() >= MIN_EDGE
        ):
            continue
        contrast = _compare(strip, slice(outer, first), slice(last, last + width), slice(first, last))
        if contrast > clearest:
            best, clearest = (first, last, width), contrast
    return best


def _compare(strip: _Strip, one: slice, other: slice, inner: slice) -> float:
    """Contrast of two parts of like color with the window between them; 0 if they differ or are as likely glass."""
    colors = [np.median(strip.colors[each.start + 1 : each.stop - 1], axis=0) for each in (one, other, inner)]
    agreed = [float(strip.agreed[each].mean()) for each in (one, other, inner)]
    are_alike = np.abs(colors[0] - colors[1]).max() <= MAX_TWIN_CONTRAST
    if not are_alike or min(agreed) < MIN_SHUTTER_AGREED or max(agreed[:2]) > agreed[2] - MIN_AGREED_DROP:
        return 0.0
    return float(min(np.abs(each - colors[2]).max() for each in colors[:2]))


def _make_strip(corners: Plane, small: Plane, agreed: Plane, beside: tuple[float, float]) -> tuple[_Strip, float]:
    """Rectify a window and its surroundings (`beside`: shares of its width); also return its height."""
    width, height = (max(4, round(float(np.linalg.norm(corners[each] - corners[0])))) for each in (1, 3))
    start, rim = round(beside[0] * width), max(2, round(MARGIN * height))
    size = (start + width + round(beside[1] * width), height + 2 * rim)
    flat = plane([(0, 0), (width, 0), (width, height), (0, height)])
    to_picture = cv2.getPerspectiveTransform(flat, corners)
    in_strip = plane(flat + np.array([start - 0.5, rim - 0.5]))
    to_strip = cv2.getPerspectiveTransform(plane(corners - 0.5), in_strip)
    picture, glass = (
        cv2.warpPerspective(each, to_strip, size, borderMode=cv2.BORDER_REPLICATE) for each in (small, agreed)
    )
    soft = cv2.GaussianBlur(picture, (0, 0), 0.7)
    across, down = (np.abs(cv2.Sobel(soft, cv2.CV_32F, 1 - axis, axis, scale=1 / 8)).max(-1) for axis in (0, 1))
    middle = slice(rim + height // 10, rim + height - height // 10)
    is_edge = cv2.dilate((across[middle] > EDGE_SLOPE).astype(np.float32), np.ones((1, 3), np.uint8))
    steepness = plane(across[middle].mean(0))[None]
    is_peak = np.asarray(steepness >= cv2.dilate(steepness, np.ones((1, 5), np.uint8)), np.bool_)[0]
    ends = [plane((down[each - 2 : each + 2] > EDGE_SLOPE).any(0)) for each in (rim, rim + height)]
    strip = _Strip(
        plane(np.median(picture[middle], axis=0)), plane(is_edge.mean(0)), is_peak, ends[0], ends[1],
        plane(glass[middle].mean(0)), start, start + width, plane(to_picture),
    )  # fmt: skip
    return strip, height
