"""Detects long straight lines of a picture, and measures how much of them is still an edge in another picture."""

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Plane, plane

MIN_GRADIENT = 0.012
"""Change of luma (0-1) per pixel across a line from which on it is an edge; noise and grain stay below."""
MAX_OFFSET = 2
"""Pixels by which an edge may lie beside the line."""


class Gradients:
    """The gradients of a gray picture to the right and downwards at each pixel."""

    def __init__(self, gray: Plane) -> None:
        """`gray` (H, W) is luma, 0-1."""
        self._right = _sobel(gray, 1, 0)
        self._down = _sobel(gray, 0, 1)

    def find_edge_along(self, line: Plane, max_offset: int = MAX_OFFSET) -> Mask:
        """Find the pixels of a line at which an edge runs along it.

        Parameters
        ----------
        line : (4,) ndarray of float32
            x and y of both ends, in pixels; (0, 0) is the center of the first pixel.
        max_offset : int, default MAX_OFFSET
            Pixels by which an edge may lie beside the line.

        Returns
        -------
        (N,) ndarray of bool
            True where there is an edge, for each of the line's N pixels.
        """
        x, y, across_x, across_y = _sample_line(line)
        steepest = np.zeros(len(x), np.float32)
        height, width = self._right.shape
        for beside in range(-max_offset, max_offset + 1):
            column = np.clip(np.rint(x + across_x * beside), 0, width - 1).astype(np.intp)
            row = np.clip(np.rint(y + across_y * beside), 0, height - 1).astype(np.intp)
            right, down = self._right[row, column], self._down[row, column]
            across = np.abs(right * across_x + down * across_y)
            along = np.abs(right * across_y - down * across_x)
            steepest = np.maximum(steepest, np.where(across > 2 * along, across, 0))
        return np.asarray(steepest > MIN_GRADIENT, dtype=np.bool_)

    def measure_edge_share(self, line: Plane, max_offset: int = MAX_OFFSET) -> float:
        """Measure the share of a line that is an edge.

        Parameters
        ----------
        line : (4,) ndarray of float32
            x and y of both ends, in pixels; (0, 0) is the center of the first pixel.
        max_offset : int, default MAX_OFFSET
            Pixels by which an edge may lie beside the line.

        Returns
        -------
        float
            The share of its pixels, 0-1.
        """
        return float(self.find_edge_along(line, max_offset).mean())


def detect_lines(gray: Matte, min_length: float) -> Plane:
    """Detect the straight lines of a picture with the line segment detector [1]_ of OpenCV.

    Parameters
    ----------
    gray : (H, W) ndarray of uint8
        Luma, 0-255.
    min_length : float
        Pixels; shorter lines are left out.

    Returns
    -------
    (N, 4) ndarray of float32
        x and y of both ends, in pixels; (0, 0) is the center of the first pixel.

    References
    ----------
    .. [1] von Gioi, Jakubowicz, Morel, Randall, "LSD", 2010.
    """
    found = cv2.createLineSegmentDetector().detect(gray)[0]
    lines = plane(found if found is not None else ()).reshape(-1, 4)
    return lines[measure_lengths(lines) >= min_length]


def measure_lengths(lines: Plane) -> Plane:
    """Measure the length of each line.

    Parameters
    ----------
    lines : (N, 4) ndarray of float32
        x and y of both ends, in pixels.

    Returns
    -------
    (N,) ndarray of float32
        Lengths in pixels.
    """
    return plane(np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1]))


def measure_kept_lines(lines: Plane, other: Gradients) -> float:
    """Measure how much of the lines of one picture is still an edge in another.

    Parameters
    ----------
    lines : (N, 4) ndarray of float32
        x and y of both ends, in pixels; (0, 0) is the center of the first pixel.
    other : Gradients
        The gradients of the other picture.

    Returns
    -------
    float
        The share by length, 0-1; 1 without lines.
    """
    if not len(lines):
        return 1.0
    kept = plane([other.measure_edge_share(line) for line in lines])
    return float(np.average(kept, weights=measure_lengths(lines)))


def _sample_line(line: Plane) -> tuple[Plane, Plane, float, float]:
    """A point for each pixel along the line, and the direction across it."""
    left, top, right, bottom = (float(value) for value in line)
    steps = max(1, round(float(np.hypot(right - left, bottom - top))))
    way = (np.arange(steps, dtype=np.float32) + 0.5) / steps
    length = max(float(np.hypot(right - left, bottom - top)), 1e-6)
    x, y = plane(left + (right - left) * way), plane(top + (bottom - top) * way)
    return x, y, -(bottom - top) / length, (right - left) / length


def _sobel(gray: Plane, across: int, down: int) -> Plane:
    return plane(cv2.Sobel(gray, cv2.CV_32F, across, down, ksize=3, scale=0.125, borderType=cv2.BORDER_REPLICATE))
