"""Aligns the frames of one photo: motion is estimated at a small size and applied at full size strip by strip."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Pixels, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.filters.smoothing import gaussian_blur

Motion = NDArray[np.float32]
SMALL_SIDE = 800
"""Longest side, in pixels, of the small frames on which motion is estimated."""
SHRINK_FACTORS = (16, 4, 1)
"""Factors by which the small frames are shrunk in successive searches; the first search finds large movements."""
MAX_ITERATIONS = 40
"""Most iterations of each search."""
MIN_IMPROVEMENT = 1e-5
"""Increase of the correlation below which a search ends."""
MIN_LUMA, MAX_LUMA = 0.02, 0.98
"""Lumas (0-1) between which a pixel counts as well exposed."""
MIN_COMMON_SHARE = 0.02
"""Least share of pixels that must be well exposed in both frames for their movement to be estimated."""
MIN_LIKENESS = 0.3
"""Least correlation for two frames to count as the same view.

After alignment, neighbors in exposure of one photo reach 0.6 and more, other photos of the same house 0.1.
"""
MIN_MOVEMENT = 0.8
"""Least movement that is corrected, in full-size pixels: a smaller one is invisible, but its correction would blur.
"""
CUBIC_REACH = 3
"""Pixels on each side of a position that cubic interpolation may use: two, and one more for rounding."""

_ALL = slice(None)


@dataclass(frozen=True, slots=True)
class AlignmentFrame:
    """A frame and its movement: `motion` (2 x 3) maps pixels of the result to pixels of the frame.

    `top` is the row of the whole frame where a cropped frame begins.
    """

    pixels: Pixels
    motion: Motion | None = None
    top: int = 0

    def warp_part(self, rows: slice, columns: slice = _ALL) -> Pixels:
        """A part of the frame, warped onto the result; beyond the frame its border is repeated.

        Parameters
        ----------
        rows : slice
            Rows of the result, start and stop given; a cropped frame must have been cropped to these or more rows.
        columns : slice, optional
            Columns of the result; all of them by default.

        Returns
        -------
        (h, w, 3) ndarray of uint8
            These rows and columns, in the color space of the frame; without a motion, a view of its pixels.
        """
        if self.motion is None:
            return self.pixels[rows.start - self.top : rows.stop - self.top, columns]
        left, right, _ = columns.indices(self.pixels.shape[1])
        motion = self.motion.copy()
        motion[:, 2] += motion[:, 0] * left + motion[:, 1] * rows.start
        # Double precision is used, so that a cropped frame is moved by exactly as much as a whole frame.
        from_top = motion.astype(np.float64)
        from_top[1, 2] -= self.top
        size = (right - left, rows.stop - rows.start)
        flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpAffine(self.pixels, from_top, size, flags=flags, borderMode=cv2.BORDER_REPLICATE),
            dtype=np.uint8,
        )

    def crop_to(self, rows: slice) -> "AlignmentFrame":
        """A copy of a whole frame with only the pixels that some rows of the result need.

        Parameters
        ----------
        rows : slice
            Rows of the result, start and stop given.

        Returns
        -------
        AlignmentFrame
            The cropped frame, with the same motion.
        """
        needed = find_source_rows(self.motion, rows, self.pixels.shape)
        return AlignmentFrame(self.pixels[needed].copy(), self.motion, needed.start)


def find_source_rows(motion: Motion | None, rows: slice, shape: tuple[int, ...]) -> slice:
    """The rows of a frame that some rows of the result need.

    Parameters
    ----------
    motion : (2, 3) ndarray of float32 or None
        Maps pixels of the result to pixels of the frame, at full size; None: the frame did not move.
    rows : slice
        Rows of the result, start and stop given.
    shape : tuple of int
        Shape of the frame, height and width first.

    Returns
    -------
    slice
        At least one row, with the margin for cubic interpolation; `rows` where there is no motion.
    """
    if motion is None:
        return rows
    height, width = shape[:2]
    corners = np.array([(x, y, 1) for x in (0, width) for y in (rows.start, rows.stop)], np.float64)
    down = corners @ motion[1]
    first = int(np.clip(np.floor(down.min()) - CUBIC_REACH, 0, height - 1))
    return slice(first, int(np.clip(np.ceil(down.max()) + CUBIC_REACH, first + 1, height)))


def warp_frame(small: Pixels, motion: Motion | None, shape: tuple[int, ...]) -> Pixels:
    """Warp a small version of a frame in the same way as the frame.

    Parameters
    ----------
    small : (h, w, 3) ndarray of uint8
        The frame at a small size.
    motion : (2, 3) ndarray of float32 or None
        Maps pixels of the result to pixels of the frame, at full size; None: the frame did not move.
    shape : tuple of int
        Shape of the frame at full size.

    Returns
    -------
    (h, w, 3) ndarray of uint8
        The warped picture, its border repeated; `small` itself where there is no motion.
    """
    if motion is None:
        return small
    return AlignmentFrame(small, _rescale_motion(motion, 1 / _compute_scale(shape, small))).warp_part(
        slice(0, len(small))
    )


def warp_coverage(small: Pixels, motion: Motion | None, shape: tuple[int, ...]) -> Mask:
    """Find where a small version of a frame still has pixels after it is warped in the same way as the frame.

    Parameters
    ----------
    small : (h, w, 3) ndarray of uint8
        The frame at a small size.
    motion : (2, 3) ndarray of float32 or None
        Maps pixels of the result to pixels of the frame, at full size; None: the frame did not move.
    shape : tuple of int
        Shape of the frame at full size.

    Returns
    -------
    (h, w) ndarray of bool
        False where the result lies beyond the frame.
    """
    full = np.ones(small.shape[:2], np.uint8)
    if motion is None:
        return full > 0
    small_motion = _rescale_motion(motion, 1 / _compute_scale(shape, small))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(full, small_motion, full.shape[::-1], flags=flags) > 0, dtype=np.bool_)


def estimate_motion(reference: Pixels, other: Pixels, shape: tuple[int, ...]) -> tuple[Motion | None, float]:
    """Estimate the rotation and shift between two frames, and how alike the aligned frames are.

    Parameters
    ----------
    reference, other : (h, w, 3) ndarray of uint8
        The frames at one small size, long side at most SMALL_SIDE.
    shape : tuple of int
        Shape of the frames at full size.

    Returns
    -------
    motion : (2, 3) ndarray of float32 or None
        Maps pixels of the reference to pixels of the other frame, at full size; None if nothing moved, or if too
        few pixels are well exposed in both frames.
    likeness : float
        Correlation of the local contrast where both frames are well exposed, -1 to 1; 1 where it is unknown.
    """
    one, two = _to_gray(reference), _to_gray(other)
    common = (_find_well_exposed(one) & _find_well_exposed(two)).astype(np.uint8)
    if common.mean() < MIN_COMMON_SHARE or min(one.shape) < 2 * SHRINK_FACTORS[0]:
        return None, 1.0
    one, two = _local_contrast(one), _local_contrast(two)
    found = np.eye(2, 3, dtype=np.float32)
    for step in SHRINK_FACTORS:
        found = _search_motion(one, two, common, found, step)
    unaligned = _measure_likeness(one, two, common, np.eye(2, 3, dtype=np.float32))
    aligned = _measure_likeness(one, two, common, found)
    motion = _rescale_motion(found, _compute_scale(shape, reference))
    if aligned <= unaligned + 1e-3 or _measure_largest_shift(motion, shape) < MIN_MOVEMENT:
        return None, unaligned
    return motion, aligned


def compose_motions(first: Motion | None, second: Motion | None) -> Motion | None:
    """Compose two movements, one after the other, into one.

    Parameters
    ----------
    first : (2, 3) ndarray of float32 or None
        Maps pixels of a frame to pixels of its neighbor; None: no movement.
    second : (2, 3) ndarray of float32 or None
        Maps pixels of this neighbor to pixels of the next frame, at the same size; None: no movement.

    Returns
    -------
    (2, 3) ndarray of float32 or None
        Maps pixels of the first frame to pixels of the last frame; None where neither frame moved.
    """
    if first is None or second is None:
        return first if second is None else second
    whole = _to_square_matrix(second) @ _to_square_matrix(first)
    return np.asarray(whole[:2], dtype=np.float32)


def _to_square_matrix(motion: Motion) -> NDArray[np.float64]:
    return np.vstack([motion.astype(np.float64), [0, 0, 1]])


def _to_gray(pixels: Pixels) -> Plane:
    return rgb_to_gray(plane(pixels) / np.float32(255))


def _find_well_exposed(gray: Plane) -> Mask:
    return (gray > MIN_LUMA) & (gray < MAX_LUMA)


def _local_contrast(gray: Plane) -> Plane:
    """Gray minus the mean around it, divided by the contrast around it: independent of the exposure."""
    sigma = max(2.0, max(gray.shape) / 60)
    deviation = plane(gray - gaussian_blur(gray, sigma))
    return plane(deviation / (np.sqrt(gaussian_blur(plane(deviation * deviation), sigma)) + 0.01))


def _search_motion(one: Plane, two: Plane, common: NDArray[np.uint8], start: Motion, step: int) -> Motion:
    """Search the movement from `start` on pictures shrunk by `step`; return `start` if none is found.

    Implements Evangelidis and Psarakis, "Parametric Image Alignment using Enhanced Correlation Coefficient
    Maximization" (2008).
    """
    size = (one.shape[1] // step, one.shape[0] // step)
    if min(size) < 16:
        return start
    parts = [cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in (one, two)]
    mask = np.asarray(cv2.resize(common, size, interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, MAX_ITERATIONS, MIN_IMPROVEMENT)
    small_start = _rescale_motion(start, 1 / step)
    try:
        _, found = cv2.findTransformECC(parts[0], parts[1], small_start, cv2.MOTION_EUCLIDEAN, criteria, mask, 5)
    except cv2.error:
        # The search does not converge: the frames have nothing in common at this size.
        return start
    return _rescale_motion(np.asarray(found, dtype=np.float32), step)


def _measure_likeness(one: Plane, two: Plane, common: NDArray[np.uint8], motion: Motion) -> float:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = plane(cv2.warpAffine(two, motion, one.shape[::-1], flags=flags))
    first, second = one[common > 0], moved[common > 0]
    first, second = first - first.mean(), second - second.mean()
    strength = float(np.sqrt((first * first).sum() * (second * second).sum()))
    return float((first * second).sum() / strength) if strength > 1e-6 else 1.0


def _rescale_motion(motion: Motion, scale: float) -> Motion:
    """The same movement for pictures `scale` times as large; pixel centers stay centers."""
    result = motion.copy()
    center = motion[:, :2] @ np.full(2, 0.5, np.float32) + motion[:, 2] - 0.5
    result[:, 2] = center * scale + 0.5 - motion[:, :2] @ np.full(2, 0.5, np.float32)
    return result


def _compute_scale(shape: tuple[int, ...], small: Pixels) -> float:
    return float(max(shape) / max(small.shape))


def _measure_largest_shift(motion: Motion, shape: tuple[int, ...]) -> float:
    """The largest shift of a corner along either axis, in pixels."""
    height, width = shape[:2]
    corners = np.array([(0, 0, 1), (width, 0, 1), (0, height, 1), (width, height, 1)], np.float32)
    return float(np.abs(corners @ motion.T - corners[:, :2]).max())
