"""Proposes boxes that may be windows: even regions that differ from their surroundings, and pairs of edges.

Even regions are maximally stable extremal regions (Matas et al. 2002). Edges are found by the line segment detector
of Grompone von Gioi et al. (2010).
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

MIN_SIDE = 5
"""Minimum side of a box, in pixels."""
MAX_ASPECT = 4.5
"""Maximum ratio of a box's long side to its short side."""
MAX_AREA_SHARE = 0.045
"""Maximum share of the picture that a box covers."""
MIN_FILLED = 0.7
"""Minimum share of its bounding box that an even region fills."""
MIN_AREA = 24
"""Minimum area of an even region, in pixels."""
MAX_BAR = 5
"""Maximum width, in pixels, of a bar or frame that divides the panes of one window."""
GLASS_LEVELS = (0.3, 0.45, 0.6, 0.75)
"""Probabilities of glass; for each of them, the box of each connected region above it is proposed."""
MIN_OVERLAP = 0.7
"""Two vertical edges are paired only if they have more than this share of the longer one's rows in common."""
MAX_EDGES = 400
"""Maximum number of vertical edges that are paired; the longest are used."""


def propose_boxes(small: Plane, glass: Plane) -> Boxes:
    """Propose all boxes that may be windows; many overlap.

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
    kernel = np.ones((MAX_BAR, MAX_BAR), np.uint8)
    without_dark_bars = np.asarray(cv2.morphologyEx(gray, cv2.MORPH_CLOSE, kernel), np.uint8)
    with ThreadPoolExecutor(THREADS) as threads:
        edges = threads.submit(_pair_upright_edges, gray)
        found = list(threads.map(_find_even_regions, (gray, without_dark_bars)))
    glass_regions = [_find_glass_regions(glass, level) for level in GLASS_LEVELS]
    return _keep_window_shaped(np.concatenate([*found, *glass_regions, edges.result()]), gray.shape)


def _find_glass_regions(glass: Plane, level: float) -> Boxes:
    """Bounding boxes of the connected regions whose probability of glass is above the level."""
    _, _, stats, _ = cv2.connectedComponentsWithStats((glass > level).astype(np.uint8), connectivity=4)
    left, top, width, height = (stats[1:, column] for column in range(4))
    return np.asarray(np.stack([left, top, left + width, top + height], -1), np.int32)


def _find_even_regions(gray: Matte) -> Boxes:
    max_area = max(MIN_AREA + 1, int(MAX_AREA_SHARE * gray.size))
    detector = cv2.MSER.create(4, MIN_AREA, max_area, 0.5, 0.3)
    if min(gray.shape) < MIN_SIDE:
        return np.empty((0, 4), np.int32)
    regions, boxes = detector.detectRegions(gray)
    well_filled = [
        (left, top, left + width, top + height)
        for region, (left, top, width, height) in zip(regions, boxes, strict=True)
        if len(region) >= MIN_FILLED * width * height
    ]
    return np.array(well_filled, np.int32).reshape(-1, 4)


def _pair_upright_edges(gray: Matte) -> Boxes:
    """Make a box from each pair of vertical edges beside each other."""
    if min(gray.shape) < 2 * MIN_SIDE:
        return np.empty((0, 4), np.int32)
    lines = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE).detect(gray)[0]
    if lines is None:
        return np.empty((0, 4), np.int32)
    edges = _select_upright(np.asarray(lines, np.float32).reshape(-1, 4))
    columns, top, bottom = (plane(each) for each in edges.T)
    overlap = np.minimum(bottom[:, None], bottom) - np.maximum(top[:, None], top)
    longer = np.maximum(bottom - top, (bottom - top)[:, None])
    distances = columns[None] - columns[:, None]
    is_pair = np.logical_and(overlap > MIN_OVERLAP * longer, distances >= MIN_SIDE)
    first, second = np.nonzero(np.logical_and(is_pair, distances < MAX_ASPECT * longer))
    left, right = columns[first], columns[second]
    mean_top, mean_bottom = (top[first] + top[second]) / 2, (bottom[first] + bottom[second]) / 2
    boxes = plane(np.stack((left, mean_top, right, mean_bottom), -1))
    return np.asarray(boxes + 0.5, np.int32).reshape(-1, 4)


def _select_upright(lines: Plane) -> Plane:
    """Column, top and bottom of the longest vertical lines."""
    left, top, right, bottom = lines.T
    height = np.abs(bottom - top)
    is_kept = (np.abs(right - left) < 0.12 * height) & (height >= MIN_SIDE)
    edges = np.stack([(left + right) / 2, np.minimum(top, bottom), np.maximum(top, bottom)], -1)[is_kept]
    order = np.argsort(edges[:, 1] - edges[:, 2], kind="stable")
    return np.asarray(edges[order[:MAX_EDGES]], np.float32)


def _keep_window_shaped(boxes: Boxes, shape: tuple[int, ...]) -> Boxes:
    boxes = np.unique(np.clip(boxes, 0, [shape[1], shape[0], shape[1], shape[0]]), axis=0)
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    short_side, long_side = np.minimum(width, height), np.maximum(width, height)
    is_kept = (
        (short_side >= MIN_SIDE)
        & (long_side <= MAX_ASPECT * short_side)
        & (width * height <= MAX_AREA_SHARE * shape[0] * shape[1])
    )
    return np.asarray(boxes[is_kept], np.int32)
