"""Finds the windows of a house: boxes that are glass by the net, by edges and by light, without their bars."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.segmentation.labels import Kind
from engine.segmentation.window_boxes import Boxes, propose_boxes
from engine.segmentation.window_features import (
    PixelMaps,
    WindowFeatures,
    compute_features,
    find_common_colors,
    normalize_by_local_maximum,
    select_best_boxes,
)

# Scores of boxes (see `_score_boxes`) are about 1 for a clear window before bonuses. Agreed glass is the mean of
# the net's two outputs: for the whole photo and for crops of the house.
MIN_HEIGHT, MAX_HEIGHT = 0.04, 0.78
"""Heights, 0-1 from the picture's top, between which the middle of a window is; elsewhere boxes are mostly fences
and cars.
"""
MIN_SCORE = 1.6
"""Minimum score of a window."""
MIN_FALLBACK_SCORE = 0.9
"""Minimum score of a window if no box of the photo reaches MIN_SCORE."""
MAX_FALLBACK = 3
"""Maximum number of such windows."""
SMALL_AREAS = 0.5, 0.1
"""Areas relative to the typical window of the house: below the first a box is small, at the second very small."""
MIN_CLEAR_SCORE = 1.65
"""Minimum score of a box that is not small; the score includes a bonus for glass above TYPICAL_GLASS."""
SMALL_EXTRA_SCORE = 1.55
"""Added to MIN_CLEAR_SCORE for a very small box, because plates, lamps and posts are as small."""
TYPICAL_GLASS = 0.75
"""Probability of glass in a typical window."""
GLASS_WITHOUT_BUILDING = 0.27
"""Probability of glass that is assumed everywhere in a photo in which the net found no building."""
TOP_SHARE = 0.012
"""Share of the photo that has a probability of glass of 1 after probabilities are rescaled."""
MIN_TOP_GLASS = 0.45
"""Minimum probability that is rescaled to 1, because a photo may have no glass."""
MIN_WALL_DIFFERENCE = 0.09
"""Minimum difference (0-1), in one channel, between the wall beside a box and a pixel that is not wall."""
MIN_DIFFERENT = 0.55
"""Minimum share of such pixels in the box of a window."""
WALL_WIDTH = 9
"""Minimum width, in pixels, of an area with the house's common colors that counts as wall."""
MIN_RELATIVE_GLASS = 0.33
"""Probability of glass, relative to the highest one nearby, up to which a pixel in a box is not glass."""
# The next six limits: windows of agreed glass, which are used even if edges and light do not show them.
MIN_AGREED = 0.45
"""Minimum agreed glass in a pixel of such a window."""
MIN_AGREED_PEAK = 0.68
"""Minimum of the highest agreed glass in such a window."""
AGREED_AREAS = 0.0002, 0.045
"""Minimum and maximum area of such a window, as shares of the photo."""
MIN_HOUSE_AROUND = 0.45
"""Minimum share of house around such a window."""
MIN_OVERLAP = 0.62
"""Minimum overlap (intersection over union) of such a window with the best proposed box."""
MIN_AGREED_IN_BOX = 0.5
"""Minimum mean of agreed glass in that box."""
MIN_ROW_GLASS = 0.4
"""Minimum glass in a row or column, relative to the one with most glass, that is completed to glass."""
MIN_PANE_FILL = 0.6
"""Minimum share of glass in all completed rows and columns together; with less, nothing is completed."""


class GlassMaps(NamedTuple):
    """Small maps, 0-1: panes found in the whole photo, glass found in crops, and the house with its glass."""

    panes: Plane
    glass: Plane
    house: Plane

    @property
    def agreed(self) -> Plane:
        """Agreed glass: the mean of panes and glass."""
        return plane((self.panes + self.glass) / 2)


def segment_windows(small: Plane, sky: Plane, shares: Plane, glass_maps: GlassMaps) -> Plane:
    """Segment the window glass of a house seen from outside.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    sky : (h, w) ndarray of float32
        Share of sky, 0-1.
    shares : (h, w, len(Kind)) ndarray of float32
        Shares of each kind, 0-1; if there is no building, windows are found by light and edges alone.
    glass_maps : GlassMaps
        The net's output for the whole picture and for crops. Its glass is used instead of the glass of `shares`;
        agreed glass is a window if a box fits it.

    Returns
    -------
    (h, w) ndarray of float32
        1 on glass, else 0.
    """
    known = _find_known_shares(shares, glass_maps.glass)
    boxes = propose_boxes(small, known.glass)
    if not len(boxes):
        return np.zeros(small.shape[:2], np.float32)
    wall = find_common_colors(small, plane(known.building * (1 - known.glass) * (sky < 0.3)))
    features = compute_features(boxes, small, PixelMaps(sky, known.building, known.glass, wall))
    own_scores = _score_boxes(boxes, features, small.shape)
    scores = plane(own_scores + 0.35 * _rate_regularity(boxes, own_scores))
    candidates = _select_windows(scores)
    chosen = candidates[select_best_boxes(boxes[candidates], known.glass, plane(features.sides[candidates]))]
    chosen = chosen[
        _are_large_or_clear(boxes[chosen], plane(scores + 2 * (features.glass - TYPICAL_GLASS))[chosen])
    ]
    broad_wall = cv2.morphologyEx(wall, cv2.MORPH_OPEN, np.ones((WALL_WIDTH, WALL_WIDTH), np.uint8)) > 0
    found = _mark_glass(boxes[chosen], small, np.asarray(broad_wall, np.bool_), known.glass)
    return add_agreed_panes(found, small, boxes, glass_maps)


def add_agreed_panes(found: Plane, small: Plane, boxes: Boxes, glass_maps: GlassMaps) -> Plane:
    """Add windows of agreed glass that one of the boxes fits.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        The windows found, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    boxes : (N, 4) ndarray of int32
        Left, top, right, bottom in pixels, the last two exclusive; at least one.
    glass_maps : GlassMaps
        The net's output for the whole picture and for crops.

    Returns
    -------
    (h, w) ndarray of float32
        The windows, 0-1, nowhere below `found`.
    """
    is_taken = cv2.dilate((found > 0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    fitting = []
    for place in _find_agreed_places(glass_maps, is_taken):
        overlaps = _compute_overlaps(boxes, place)
        best = boxes[int(np.argmax(overlaps))]
        inside = np.s_[best[1] : best[3], best[0] : best[2]]
        if (
            overlaps.max() > MIN_OVERLAP
            and glass_maps.agreed[inside].mean() > MIN_AGREED_IN_BOX
            and not is_taken[inside].any()
        ):
            fitting.append(best)
    chosen, no_wall = np.array(fitting, np.int32).reshape(-1, 4), np.zeros(found.shape, np.bool_)
    return plane(np.maximum(found, _mark_glass(chosen, small, no_wall, glass_maps.glass)))


def _find_agreed_places(glass_maps: GlassMaps, is_taken: Mask) -> Boxes:
    """Boxes around agreed glass of the house in which no window was found (`is_taken`)."""
    agreed, places = glass_maps.agreed, []
    count, parts, stats, _ = cv2.connectedComponentsWithStats(((agreed > MIN_AGREED) & ~is_taken).astype(np.uint8))
    for part in range(1, count):
        left, top, width, height, area = stats[part].tolist()
        around = np.s_[max(0, top - 3) : top + height + 3, max(0, left - 3) : left + width + 3]
        inside = parts[around] == part
        has_size = AGREED_AREAS[0] < area / is_taken.size < AGREED_AREAS[1]
        is_placed = (
            MIN_HEIGHT < (top + height / 2) / len(is_taken) < MAX_HEIGHT
            and glass_maps.house[around][~inside].mean() > MIN_HOUSE_AROUND
        )
        if has_size and is_placed and agreed[around][inside].max() > MIN_AGREED_PEAK:
            places.append((left, top, left + width, top + height))
    return np.array(places, np.int32).reshape(-1, 4)


def _compute_overlaps(boxes: Boxes, box: NDArray[np.int32]) -> Plane:
    """The intersection over union, 0-1, of each of the boxes with one box."""
    low, high = np.maximum(boxes[:, :2], box[:2]), np.minimum(boxes[:, 2:], box[2:])
    common = np.prod(np.clip(high - low, 0, None), axis=1)
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) + np.prod(box[2:] - box[:2])
    return plane(common / np.maximum(areas - common, 1))


class KnownShares(NamedTuple):
    """The net's shares of house and glass, 0-1, or constants if it found no building."""

    building: Plane
    glass: Plane


def _find_known_shares(shares: Plane, glass: Plane) -> KnownShares:
    if not shares[..., Kind.BUILDING].any():
        return KnownShares(np.ones_like(glass), np.full_like(glass, GLASS_WITHOUT_BUILDING))
    top_glass = float(np.clip(np.quantile(glass, 1 - TOP_SHARE), MIN_TOP_GLASS, 1))
    return KnownShares(
        plane(shares[..., Kind.BUILDING] + shares[..., Kind.GLASS]), plane(np.minimum(glass / top_glass, 1))
    )


def _score_boxes(boxes: Boxes, features: WindowFeatures, shape: tuple[int, ...]) -> Plane:
    """Score how much each box looks like glass in a wall: about 1 for a clear case, below 0 if it is not glass."""
    weakest, mean = features.sides.min(-1), features.sides.mean(-1)
    darker = features.wall_light - features.light
    scores = 0.9 * smoothstep(plane(weakest), 0.3, 0.85) + 0.5 * smoothstep(plane(mean), 0.6, 0.95)
    cooler = smoothstep(features.coolness, 0.02, 0.2)
    scores += 0.5 * smoothstep(darker, 0.02, 0.2) + 0.6 * cooler
    # Curtains, mirrored trees and bars look unlike glass, so these penalties are lower if the net is sure of glass.
    doubt = 1 - 0.6 * smoothstep(features.glass, 0.5, 0.8)
    penalty = 0.6 * smoothstep(darker, 0.0, -0.15) * (1 - cooler) + 0.5 * smoothstep(
        features.coolness, -0.02, -0.12
    )
    penalty += 1.2 * smoothstep(features.light, 0.5, 0.72) * (1 - 0.6 * cooler) + 0.8 * smoothstep(
        features.green, 0.3, 0.7
    )
    penalty += 1.0 * smoothstep(features.warm, 0.4, 0.8) + 0.7 * smoothstep(features.busy_around, 0.4, 0.8)
    penalty += 2.0 * smoothstep(features.wall, 0.2, 0.6)
    scores -= doubt * penalty + 1.0 * smoothstep(features.green_around, 0.15, 0.45)
    scores -= 2.0 * smoothstep(features.sky, 0.1, 0.4) + 1.0 * smoothstep(features.sky_around, 0.25, 0.5)
    scores += 2.0 * smoothstep(features.glass, 0.08, 0.4) - 1.5 * smoothstep(features.building, 0.5, 0.15)
    scores += 0.9 * smoothstep(plane(features.glass - features.glass_around), 0.02, 0.3) - 1.6 * smoothstep(
        features.no_glass, 0.1, 0.4
    )
    scores -= 2.6 * smoothstep(features.glass, 0.75, 0.55) * _measure_door_likeness(boxes, features, shape)
    agreement = np.maximum(features.steps.min(-1), -features.steps.max(-1))
    scores += 0.4 * smoothstep(plane(agreement), -0.02, 0.06) - 0.4 * smoothstep(plane(agreement), 0.0, -0.12) - 0.3
    middle = (boxes[:, 1] + boxes[:, 3]) / 2 / shape[0]
    scores -= 2.0 * ((middle < MIN_HEIGHT) | (middle > MAX_HEIGHT))
    return plane(scores - 1.0)


def _measure_door_likeness(boxes: Boxes, features: WindowFeatures, shape: tuple[int, ...]) -> Plane:
    """0-1: 1 for boxes that look like a door (tall, down to the ground) or a garage door (large, low or even)."""
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    low = smoothstep(plane(features.above_ground / height), 0.5, 0.25)
    door = low * smoothstep(plane(height / width), 1.35, 1.7)
    large = smoothstep(plane(width * height / (shape[0] * shape[1])), 0.006, 0.012) * smoothstep(
        plane(width / height), 1.2, 1.6
    )
    return plane(np.maximum(door, large * np.maximum(low, smoothstep(features.uneven, 0.09, 0.04))))


def _rate_regularity(boxes: Boxes, scores: Plane) -> Plane:
    """Rate how many good boxes of the same size are in one row or column with each box.

    The rate is 0 for none and 1 for three or more.
    """
    good = boxes[scores > MIN_SCORE - 0.25]
    if not len(good):
        return np.zeros(len(boxes), np.float32)
    width, height = (boxes[:, 2] - boxes[:, 0])[:, None], (boxes[:, 3] - boxes[:, 1])[:, None]
    good_width, good_height = good[:, 2] - good[:, 0], good[:, 3] - good[:, 1]
    same_size = np.maximum(height / good_height, good_height / height) < 1.25
    same_size &= np.maximum(width / good_width, good_width / width) < 1.35
    across = np.abs((boxes[:, 0] + boxes[:, 2])[:, None] - good[:, 0] - good[:, 2]) / 2
    down = np.abs((boxes[:, 1] + boxes[:, 3])[:, None] - good[:, 1] - good[:, 3]) / 2
    row = (down < 0.35 * height) & (across > 0.8 * width)
    column = (across < 0.3 * width) & (down > 0.9 * height)
    return smoothstep(plane((same_size & (row | column)).sum(1)), 0.0, 3.0)


def _select_windows(scores: Plane) -> NDArray[np.intp]:
    """The indices of boxes above MIN_SCORE; if there are none, the best ones above MIN_FALLBACK_SCORE."""
    is_window = np.flatnonzero(scores > MIN_SCORE)
    if is_window.size:
        return is_window
    best = np.argsort(-scores, kind="stable")[:MAX_FALLBACK]
    return np.asarray(best[scores[best] > MIN_FALLBACK_SCORE], np.intp)


def _are_large_or_clear(boxes: Boxes, scores: Plane) -> Mask:
    """Which boxes are large compared with the house's other windows, or clear cases.

    Plates, lamps and posts are neither.
    """
    areas = plane((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))
    order = np.argsort(areas, kind="stable")
    found_share = np.cumsum(areas[order])
    typical = areas[order[np.searchsorted(found_share, found_share[-1] / 2)]] if len(boxes) else np.float32(1)
    return np.asarray(
        scores > MIN_CLEAR_SCORE + SMALL_EXTRA_SCORE * smoothstep(plane(areas / typical), *SMALL_AREAS), np.bool_
    )


def _mark_glass(boxes: Boxes, small: Plane, wall: Mask, glass: Plane) -> Plane:
    """Mark the pixels in boxes that differ from the wall beside the box and are not in a broad piece of wall."""
    found = np.zeros(small.shape[:2], np.bool_)
    may_be_glass = np.asarray(normalize_by_local_maximum(glass) > MIN_RELATIVE_GLASS, np.bool_)
    for left, top, right, bottom in boxes:
        place = np.s_[top:bottom, left:right]
        inside = _differs_from_wall(small, (left, top, right, bottom))
        if inside.mean() > MIN_DIFFERENT:
            found[place] |= _complete_panes(np.asarray(inside & may_be_glass[place] & ~wall[place], np.bool_))
    return plane(found)


def _complete_panes(marked: Mask) -> Mask:
    """Complete the marked pixels of a window to whole panes: all rows and columns with enough marked pixels."""
    rows, columns = marked.mean(1), marked.mean(0)
    rows, columns = rows > MIN_ROW_GLASS * rows.max(), columns > MIN_ROW_GLASS * columns.max()
    complete = rows[:, None] & columns[None]
    return np.asarray(complete if marked[complete].mean() > MIN_PANE_FILL else marked, np.bool_)


def _differs_from_wall(small: Plane, box: tuple[int, int, int, int]) -> Mask:
    """The pixels of a box that differ from the wall left and right of it, with small gaps closed."""
    left, top, right, bottom = box
    reach = max(3, (right - left) // 6)
    beside = [small[top:bottom, max(0, left - reach) : left], small[top:bottom, right : right + reach]]
    wall = np.concatenate(beside, axis=1)
    inside = small[top:bottom, left:right]
    if not wall.size:
        return np.zeros(inside.shape[:2], np.bool_)
    typical = np.median(wall.reshape(-1, 3), axis=0)
    is_different = (np.abs(inside - typical).max(-1) > MIN_WALL_DIFFERENCE).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(is_different, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0, np.bool_)
