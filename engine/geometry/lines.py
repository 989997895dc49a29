"""Long straight lines of a picture, and how much of one is still an edge in another picture."""

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Plane, plane

STEEP = 0.012
"""Luma (0-1) a pixel across a line from which it is an edge there; noise and grain stay below."""
OFF = 2
"""Pixels an edge may lie beside the line and still be that line."""


class Slopes:
    """How a gray picture rises to the right and downwards at each pixel."""

    def __init__(self, gray: Plane) -> None:
        """`gray` is height x width, luma 0-1."""
        self._right = _sobel(gray, 1, 0)
        self._down = _sobel(gray, 0, 1)

    def edge_along(self, line: Plane, off: int = OFF) -> Mask:
        """Where along a line there is an edge that runs with it.

        Parameters
        ----------
        line : (4,) ndarray of float32
            x and y of both ends, in pixels, (0, 0) the center of the first one.
        off : int, default OFF
            Pixels an edge may lie beside the line.

        Returns
        -------
        (N,) ndarray of bool
            True where there is an edge, for each of the line's N pixels.
        """
        x, y, across_x, across_y = _walk(line)
        steepest = np.zeros(len(x), np.float32)
        height, width = self._right.shape
        for beside in range(-off, off + 1):
            column = np.clip(np.rint(x + across_x * beside), 0, width - 1).astype(np.intp)
            row = np.clip(np.rint(y + across_y * beside), 0, height - 1).astype(np.intp)
            right, down = self._right[row, column], self._down[row, column]
            across = np.abs(right * across_x + down * across_y)
            along = np.abs(right * across_y - down * across_x)
            steepest = np.maximum(steepest, np.where(across > 2 * along, across, 0))
        return np.asarray(steepest > STEEP, dtype=np.bool_)

    def share_along(self, line: Plane, off: int = OFF) -> float:
        """The share of a line that is an edge.

        Parameters
        ----------
        line : (4,) ndarray of float32
            x and y of both ends, in pixels, (0, 0) the center of the first one.
        off : int, default OFF
            Pixels an edge may lie beside the line.

        Returns
        -------
        float
            The share of its pixels, 0-1.
        """
        return float(self.edge_along(line, off).mean())


def detect_lines(gray: Matte, least: float) -> Plane:
    """The straight lines of a picture, found with the line segment detector [1]_ of OpenCV.

    Parameters
    ----------
    gray : (H, W) ndarray of uint8
        Luma, 0-255.
    least : float
        Length in pixels below which lines are left out.

    Returns
    -------
    (N, 4) ndarray of float32
        x and y of both ends, in pixels, (0, 0) the center of the first one.

    References
    ----------
    .. [1] von Gioi, Jakubowicz, Morel, Randall, "LSD", 2010.
    """
    found = cv2.createLineSegmentDetector().detect(gray)[0]
    lines = plane(found if found is not None else ()).reshape(-1, 4)
    return lines[measure_lengths(lines) >= least]


def measure_lengths(lines: Plane) -> Plane:
    """The length of each line.

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


def measure_kept_lines(lines: Plane, now: Slopes) -> float:
    """How much of the lines of one picture is still an edge in another.

    Parameters
    ----------
    lines : (N, 4) ndarray of float32
        x and y of both ends, in pixels, (0, 0) the center of the first one.
    now : Slopes
        Of the other picture.

    Returns
    -------
    float
        The share by length, 0-1; 1 without lines.
    """
    if not len(lines):
        return 1.0
    kept = plane([now.share_along(line) for line in lines])
    return float(np.average(kept, weights=measure_lengths(lines)))


def _walk(line: Plane) -> tuple[Plane, Plane, float, float]:
    """A point for each pixel along the line, and the direction across it."""
    left, top, right, bottom = (float(value) for value in line)
    steps = max(1, round(float(np.hypot(right - left, bottom - top))))
    way = (np.arange(steps, dtype=np.float32) + 0.5) / steps
    length = max(float(np.hypot(right - left, bottom - top)), 1e-6)
    x, y = plane(left + (right - left) * way), plane(top + (bottom - top) * way)
    return x, y, -(bottom - top) / length, (right - left) / length


def _sobel(gray: Plane, across: int, down: int) -> Plane:
    return plane(cv2.Sobel(gray, cv2.CV_32F, across, down, ksize=3, scale=0.125, borderType=cv2.BORDER_REPLICATE))
