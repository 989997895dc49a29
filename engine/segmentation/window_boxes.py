"""Upright boxes that may be windows: even regions that differ from their surroundings, and pairs of upright edges.

Regions are maximally stable ones (Matas et al. 2002); edges come from the line segment detector of Grompone von
Gioi et al. (2010).
"""

from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Matte, Plane, matte, plane
from engine.color.channels import rgb_to_gray
from engine.filters.strips import THREADS

# Left, top, right, bottom in pixels, the last two exclusive; n x 4.
Boxes = NDArray[np.int32]

LEAST_SIDE = 5
"""Shortest side of a box, in pixels."""
MOST_UNEVEN = 4.5
"""Largest ratio of a box's long side to its short side."""
MOST_SHARE = 0.045
"""Largest share of the picture that a box may cover."""
LEAST_FILLED = 0.7
"""Least share of its bounding box that an even region must fill."""
LEAST_AREA = 24
"""Smallest area of an even region, in pixels."""
BAR = 5
"""Widest bar or frame, in pixels, that divides the panes of one window."""
LEVELS = (0.3, 0.45, 0.6, 0.75)
"""Probabilities of glass: each connected region above one of them is proposed as a box."""
LEAST_SHARED_ROWS = 0.7
"""Two upright edges are paired if they have at least this share of the longer one's rows in common."""
MOST_EDGES = 400
"""The most upright edges that are paired; the longest are kept."""


def propose_boxes(small: Plane, glass: Plane) -> Boxes:
    """All boxes that may be windows; many overlap.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    glass : (h, w) ndarray of float32
        The probability of glass, 0-1.

    Returns
    -------
    (N, 4) ndarray of int32
        Left, top, right, bottom in pixels, the last two exclusive; within the picture, each box once.
    """
    gray = matte(rgb_to_gray(small))
    square = np.ones((BAR, BAR), np.uint8)
    without_dark_bars = np.asarray(cv2.morphologyEx(gray, cv2.MORPH_CLOSE, square), np.uint8)
    with ThreadPoolExecutor(THREADS) as threads:
        edges = threads.submit(_find_between_edges, gray)
        found = list(threads.map(_find_even_regions, (gray, without_dark_bars)))
    seen = [_islands(glass, level) for level in LEVELS]
    return _window_shaped(np.concatenate([*found, *seen, edges.result()]), gray.shape)


def _islands(glass: Plane, level: float) -> Boxes:
    """Bounding boxes of the connected regions whose probability of glass is above the level."""
    _, _, stats, _ = cv2.connectedComponentsWithStats((glass > level).astype(np.uint8), connectivity=4)
    left, top, wide, tall = (stats[1:, column] for column in range(4))
    return np.asarray(np.stack([left, top, left + wide, top + tall], -1), np.int32)


def _find_even_regions(gray: Matte) -> Boxes:
    most = max(LEAST_AREA + 1, int(MOST_SHARE * gray.size))
    detector = cv2.MSER.create(4, LEAST_AREA, most, 0.5, 0.3)
    if min(gray.shape) < LEAST_SIDE:
        return np.empty((0, 4), np.int32)
    regions, boxes = detector.detectRegions(gray)
    filled = [
        (left, top, left + wide, top + tall)
        for region, (left, top, wide, tall) in zip(regions, boxes, strict=True)
        if len(region) >= LEAST_FILLED * wide * tall
    ]
    return np.array(filled, np.int32).reshape(-1, 4)


def _find_between_edges(gray: Matte) -> Boxes:
    """Boxes spanned by two upright edges that stand side by side."""
    if min(gray.shape) < 2 * LEAST_SIDE:
        return np.empty((0, 4), np.int32)
    lines = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE).detect(gray)[0]
    if lines is None:
        return np.empty((0, 4), np.int32)
    edges = _upright(np.asarray(lines, np.float32).reshape(-1, 4))
    across, top, bottom = (plane(each) for each in edges.T)
    shared = np.minimum(bottom[:, None], bottom) - np.maximum(top[:, None], top)
    longest = np.maximum(bottom - top, (bottom - top)[:, None])
    apart = across[None] - across[:, None]
    fitting = np.logical_and(shared > LEAST_SHARED_ROWS * longest, apart >= LEAST_SIDE)
    first, second = np.nonzero(np.logical_and(fitting, apart < MOST_UNEVEN * longest))
    left, right = across[first], across[second]
    highest, lowest = (top[first] + top[second]) / 2, (bottom[first] + bottom[second]) / 2
    spanned = plane(np.stack((left, highest, right, lowest), -1))
    return np.asarray(spanned + 0.5, np.int32).reshape(-1, 4)


def _upright(lines: Plane) -> Plane:
    """Column, top and bottom of the longest lines that stand upright."""
    left, top, right, bottom = lines.T
    tall = np.abs(bottom - top)
    keep = (np.abs(right - left) < 0.12 * tall) & (tall >= LEAST_SIDE)
    edges = np.stack([(left + right) / 2, np.minimum(top, bottom), np.maximum(top, bottom)], -1)[keep]
    order = np.argsort(edges[:, 1] - edges[:, 2], kind="stable")
    return np.asarray(edges[order[:MOST_EDGES]], np.float32)


def _window_shaped(boxes: Boxes, shape: tuple[int, ...]) -> Boxes:
    boxes = np.unique(np.clip(boxes, 0, [shape[1], shape[0], shape[1], shape[0]]), axis=0)
    wide, tall = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    short, long = np.minimum(wide, tall), np.maximum(wide, tall)
    keep = (short >= LEAST_SIDE) & (long <= MOST_UNEVEN * short) & (wide * tall <= MOST_SHARE * shape[0] * shape[1])
    return np.asarray(boxes[keep], np.int32)
