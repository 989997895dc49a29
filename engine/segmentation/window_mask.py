"""Where the windows of a house are: boxes that are glass by the net, by edges and by light, without their bars."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.segmentation.labels import Kind, Label
from engine.segmentation.window_boxes import Boxes, propose_boxes
from engine.segmentation.window_features import (
    Maps,
    WindowFeatures,
    compute_features,
    find_common_colors,
    normalize_by_surest,
    select_best_boxes,
)

# Scores of boxes (see `_score_boxes`) are about 1 for a clear window before bonuses; "looks" are the two outputs of
# the net, for the whole photo and close up.
TOP, BOTTOM = 0.04, 0.78
"""Heights in the picture, 0-1 from its top, between which windows are: beyond them glass is that of fences and
cars.
"""
FAIR = 1.6
"""Least score for a box to be a window."""
POOR = 0.9
"""Least score for a box to be a window where none reaches FAIR."""
FEW = 3
"""The most such windows."""
SMALL = 0.5, 0.1
"""Areas relative to the usual window of the house: below the first a box is small, from the second down very
small.
"""
CLEAR = 1.65
"""Least score of a box that is not small, more for a lower probability of glass (TYPICAL)."""
CLEARER = 1.55
"""What is added to CLEAR for a very small box: plates, lamps and posts are as small."""
TYPICAL = 0.75
"""Probability of glass in a typical window."""
UNKNOWN = 0.27
"""Probability of glass in a photo without any building, where the net does not count."""
SUREST = 0.012
"""Probabilities of glass are rescaled so that this share of the photo has 1."""
LEAST_SURE = 0.45
"""Lowest probability that is rescaled to 1: the photo may have no glass."""
UNLIKE = 0.09
"""Least difference (0-1) of a channel from the wall beside a box for a pixel not to look like the wall."""
LEAST_UNLIKE = 0.55
"""Least share of such pixels in the box of a window."""
BROAD = 9
"""Least width, in pixels, of an area in the house's common colors that counts as wall."""
UNLIKELY = 0.33
"""Up to this share of the highest probability of glass nearby a pixel of a window's box is shutter, wall or
post.
"""
NO_PANES = (Label.SHUTTER, Label.DOOR, Label.GARAGE_DOOR, Label.CAR, Label.FENCE, Label.BIN, Label.PERSON)
"""Labels of things that are mistaken for windows."""
LEAST_PANE = 0.22
"""Least mean share of panes in a window."""
LIKELIER = 1.1
"""Least ratio of panes to NO_PANES in a window."""
# The next six: windows that both looks are sure of, though edges and light do not show them.
SEEN = 0.45
"""Least mean of both looks for a pixel of such glass."""
SEEN_SURELY = 0.68
"""Least mean of both looks at the surest pixel of such a window."""
SEEN_SHARES = 0.0002, 0.045
"""Smallest and largest area of such a window, as shares of the photo."""
IN_HOUSE = 0.45
"""Least share of house around such a window."""
FITTING = 0.62
"""Least overlap (intersection over union) with a box that fits such a window."""
FULL = 0.5
"""Least mean of both looks within that box."""
WHOLE = 0.4
"""Least mean of both looks for a pixel to belong to one whole window."""
LEAST_HELD = 0.4
"""Least share of a whole window that must be found; else it stays dark, because a partly lit window looks
broken.
"""
ENOUGH = 0.4
"""Least glass in a row or column of a window, relative to the fullest one, to make it glass from end to end."""
MOSTLY = 0.6
"""Least share of glass in all such rows and columns together; with less, the pixels stay as they are."""


class GlassMaps(NamedTuple):
    """Small maps, 0-1: panes by the net on the whole photo, glass by the net close up, the house with its glass."""

    panes: Plane
    glass: Plane
    house: Plane

    @property
    def seen(self) -> Plane:
        """The mean of both looks."""
        return plane((self.panes + self.glass) / 2)


def segment_windows(small: Plane, sky: Plane, shares: Plane, looks: GlassMaps) -> Plane:
    """Segment the window glass of a house seen from outside.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    sky : (h, w) ndarray of float32
        Share of sky, 0-1.
    shares : (h, w, len(Kind)) ndarray of float32
        Shares of each kind, 0-1; without any building windows are found by light and edges alone.
    looks : GlassMaps
        The net's output on the whole picture and close up. Its glass is used instead of the glass of `shares`;
        glass on which both agree is a window where a box fits it.

    Returns
    -------
    (h, w) ndarray of float32
        1 on glass, else 0.
    """
    known = _find_known(shares, looks.glass)
    boxes = propose_boxes(small, known.glass)
    if not len(boxes):
        return np.zeros(small.shape[:2], np.float32)
    wall = find_common_colors(small, plane(known.building * (1 - known.glass) * (sky < 0.3)))
    signs = compute_features(boxes, small, Maps(sky, known.building, known.glass, wall))
    alone = _score_boxes(boxes, signs, small.shape)
    strength = plane(alone + 0.35 * _count_alike(boxes, alone))
    kept = _select_sure(strength)
    chosen = kept[select_best_boxes(boxes[kept], known.glass, plane(signs.sides[kept]))]
    chosen = chosen[_are_large_or_clear(boxes[chosen], plane(strength + 2 * (signs.glass - TYPICAL))[chosen])]
    broad = cv2.morphologyEx(wall, cv2.MORPH_OPEN, np.ones((BROAD, BROAD), np.uint8)) > 0
    found = _glass_in(boxes[chosen], small, np.asarray(broad, np.bool_), known.glass)
    return add_seen_panes(found, small, boxes, looks)


def exclude_other_glass(found: Plane, panes: Plane, others: Plane) -> Plane:
    """Leave out windows that the net on the whole picture takes for something else.

    A window left dark is a smaller fault than a lit door, vent or car.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        The windows found, 0-1.
    panes, others : (h, w) ndarray of float32
        Shares of panes, and of all labels of NO_PANES together, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        The windows that remain, 0-1.
    """
    count, parts = cv2.connectedComponents((found > 0).astype(np.uint8))
    sizes = np.maximum(np.bincount(parts.ravel(), minlength=count), 1)
    pane, other = (np.bincount(parts.ravel(), each.ravel(), count) / sizes for each in (panes, others))
    sure = (pane >= LEAST_PANE) & (pane > other * LIKELIER)
    return plane(found * sure[parts])


def add_seen_panes(found: Plane, small: Plane, boxes: Boxes, looks: GlassMaps) -> Plane:
    """Add windows of which the net is sure and which one of the boxes fits.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        The windows found, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    boxes : (N, 4) ndarray of int32
        Left, top, right, bottom in pixels, the last two exclusive; at least one.
    looks : GlassMaps
        What the net found on the whole picture and close up.

    Returns
    -------
    (h, w) ndarray of float32
        The windows, 0-1, nowhere below `found`.
    """
    taken = cv2.dilate((found > 0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    fitting = []
    for place in _find_seen_places(looks, taken):
        overlaps = _overlaps(boxes, place)
        best = boxes[int(np.argmax(overlaps))]
        inside = np.s_[best[1] : best[3], best[0] : best[2]]
        if overlaps.max() > FITTING and looks.seen[inside].mean() > FULL and not taken[inside].any():
            fitting.append(best)
    chosen, no_wall = np.array(fitting, np.int32).reshape(-1, 4), np.zeros(found.shape, np.bool_)
    return plane(np.maximum(found, _glass_in(chosen, small, no_wall, looks.glass)))


def _find_seen_places(looks: GlassMaps, taken: Mask) -> Boxes:
    """Boxes around sure glass of the house that is not `taken` yet."""
    seen, places = looks.seen, []
    count, parts, stats, _ = cv2.connectedComponentsWithStats(((seen > SEEN) & ~taken).astype(np.uint8))
    for part in range(1, count):
        left, top, wide, tall, area = stats[part].tolist()
        around = np.s_[max(0, top - 3) : top + tall + 3, max(0, left - 3) : left + wide + 3]
        one = parts[around] == part
        sized = SEEN_SHARES[0] < area / taken.size < SEEN_SHARES[1]
        placed = TOP < (top + tall / 2) / len(taken) < BOTTOM and looks.house[around][~one].mean() > IN_HOUSE
        if sized and placed and seen[around][one].max() > SEEN_SURELY:
            places.append((left, top, left + wide, top + tall))
    return np.array(places, np.int32).reshape(-1, 4)


def _overlaps(boxes: Boxes, box: NDArray[np.int32]) -> Plane:
    """The intersection over union of each box with one box, 0-1."""
    low, high = np.maximum(boxes[:, :2], box[:2]), np.minimum(boxes[:, 2:], box[2:])
    common = np.prod(np.clip(high - low, 0, None), axis=1)
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) + np.prod(box[2:] - box[:2])
    return plane(common / np.maximum(areas - common, 1))


def exclude_partial_windows(found: Plane, seen: Plane) -> Plane:
    """Leave out windows of which only a small part was found.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        The windows found, 0-1.
    seen : (h, w) ndarray of float32
        The probability of glass, 0-1, the mean of both looks.

    Returns
    -------
    (h, w) ndarray of float32
        The windows that remain, 0-1.
    """
    marked = found > 0.3
    count, parts = cv2.connectedComponents(((seen > WHOLE) | marked).astype(np.uint8))
    sizes = np.maximum(np.bincount(parts.ravel(), minlength=count), 1)
    held = np.bincount(parts.ravel(), plane(marked).ravel(), count) / sizes
    return plane(found * (held > LEAST_HELD)[parts])


class KnownShares(NamedTuple):
    """The net's shares of house and glass, 0-1, or constants where it found no building."""

    building: Plane
    glass: Plane


def _find_known(shares: Plane, glass: Plane) -> KnownShares:
    if not shares[..., Kind.BUILDING].any():
        return KnownShares(np.ones_like(glass), np.full_like(glass, UNKNOWN))
    surest = float(np.clip(np.quantile(glass, 1 - SUREST), LEAST_SURE, 1))
    return KnownShares(
        plane(shares[..., Kind.BUILDING] + shares[..., Kind.GLASS]), plane(np.minimum(glass / surest, 1))
    )


def _score_boxes(boxes: Boxes, signs: WindowFeatures, shape: tuple[int, ...]) -> Plane:
    """How much each box looks like glass in a wall: about 1 for a clear case, below 0 where it cannot be glass."""
    weakest, mean = signs.sides.min(-1), signs.sides.mean(-1)
    darker = signs.wall_light - signs.light
    strength = 0.9 * smoothstep(plane(weakest), 0.3, 0.85) + 0.5 * smoothstep(plane(mean), 0.6, 0.95)
    cooler = smoothstep(signs.coolness, 0.02, 0.2)
    strength += 0.5 * smoothstep(darker, 0.02, 0.2) + 0.6 * cooler
    # Curtains, mirrored trees and bars look like other things: where the net is sure of glass, they count less.
    doubt = 1 - 0.6 * smoothstep(signs.glass, 0.5, 0.8)
    against = 0.6 * smoothstep(darker, 0.0, -0.15) * (1 - cooler) + 0.5 * smoothstep(signs.coolness, -0.02, -0.12)
    against += 1.2 * smoothstep(signs.light, 0.5, 0.72) * (1 - 0.6 * cooler) + 0.8 * smoothstep(
        signs.green, 0.3, 0.7
    )
    against += 1.0 * smoothstep(signs.warm, 0.4, 0.8) + 0.7 * smoothstep(signs.busy_around, 0.4, 0.8)
    against += 2.0 * smoothstep(signs.wall, 0.2, 0.6)
    strength -= doubt * against + 1.0 * smoothstep(signs.green_around, 0.15, 0.45)
    strength -= 2.0 * smoothstep(signs.sky, 0.1, 0.4) + 1.0 * smoothstep(signs.sky_around, 0.25, 0.5)
    strength += 2.0 * smoothstep(signs.glass, 0.08, 0.4) - 1.5 * smoothstep(signs.building, 0.5, 0.15)
    strength += 0.9 * smoothstep(plane(signs.glass - signs.glass_around), 0.02, 0.3) - 1.6 * smoothstep(
        signs.no_glass, 0.1, 0.4
    )
    strength -= 2.6 * smoothstep(signs.glass, 0.75, 0.55) * _measure_door_likeness(boxes, signs, shape)
    agreeing = np.maximum(signs.steps.min(-1), -signs.steps.max(-1))
    strength += 0.4 * smoothstep(plane(agreeing), -0.02, 0.06) - 0.4 * smoothstep(plane(agreeing), 0.0, -0.12) - 0.3
    middle = (boxes[:, 1] + boxes[:, 3]) / 2 / shape[0]
    strength -= 2.0 * ((middle < TOP) | (middle > BOTTOM))
    return plane(strength - 1.0)


def _measure_door_likeness(boxes: Boxes, signs: WindowFeatures, shape: tuple[int, ...]) -> Plane:
    """How much each box looks like a door or garage door, 0-1: tall and down to the ground, or large and even."""
    wide, tall = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    low = smoothstep(plane(signs.above_ground / tall), 0.5, 0.25)
    door = low * smoothstep(plane(tall / wide), 1.35, 1.7)
    large = smoothstep(plane(wide * tall / (shape[0] * shape[1])), 0.006, 0.012) * smoothstep(
        plane(wide / tall), 1.2, 1.6
    )
    return plane(np.maximum(door, large * np.maximum(low, smoothstep(signs.uneven, 0.09, 0.04))))


def _count_alike(boxes: Boxes, strength: Plane) -> Plane:
    """How many good boxes of the same size are in one row or column with each box: 0 for none, 1 for three or
    more.
    """
    fair = boxes[strength > FAIR - 0.25]
    if not len(fair):
        return np.zeros(len(boxes), np.float32)
    wide, tall = (boxes[:, 2] - boxes[:, 0])[:, None], (boxes[:, 3] - boxes[:, 1])[:, None]
    other_wide, other_tall = fair[:, 2] - fair[:, 0], fair[:, 3] - fair[:, 1]
    alike = np.maximum(tall / other_tall, other_tall / tall) < 1.25
    alike &= np.maximum(wide / other_wide, other_wide / wide) < 1.35
    across = np.abs((boxes[:, 0] + boxes[:, 2])[:, None] - fair[:, 0] - fair[:, 2]) / 2
    down = np.abs((boxes[:, 1] + boxes[:, 3])[:, None] - fair[:, 1] - fair[:, 3]) / 2
    row = (down < 0.35 * tall) & (across > 0.8 * wide)
    column = (across < 0.3 * wide) & (down > 0.9 * tall)
    return smoothstep(plane((alike & (row | column)).sum(1)), 0.0, 3.0)


def _select_sure(strength: Plane) -> NDArray[np.intp]:
    """The indices of boxes that are windows (FAIR); where there are none, the FEW best above POOR."""
    sure = np.flatnonzero(strength > FAIR)
    if sure.size:
        return sure
    nearest = np.argsort(-strength, kind="stable")[:FEW]
    return np.asarray(nearest[strength[nearest] > POOR], np.intp)


def _are_large_or_clear(boxes: Boxes, strength: Plane) -> Mask:
    """Which boxes are large compared with the house's other windows, or clear cases; plates, lamps and posts are
    not.
    """
    areas = plane((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))
    order = np.argsort(areas, kind="stable")
    held = np.cumsum(areas[order])
    usual = areas[order[np.searchsorted(held, held[-1] / 2)]] if len(boxes) else np.float32(1)
    return np.asarray(strength > CLEAR + CLEARER * smoothstep(plane(areas / usual), *SMALL), np.bool_)


def _glass_in(boxes: Boxes, small: Plane, wall: Mask, glass: Plane) -> Plane:
    """Mark the pixels in boxes that look neither like the wall beside the box nor like a broad piece of wall."""
    found = np.zeros(small.shape[:2], np.bool_)
    likely = np.asarray(normalize_by_surest(glass) > UNLIKELY, np.bool_)
    for left, top, right, bottom in boxes:
        place = np.s_[top:bottom, left:right]
        inside = _unlike_wall(small, (left, top, right, bottom))
        if inside.mean() > LEAST_UNLIKE:
            found[place] |= _panes(np.asarray(inside & likely[place] & ~wall[place], np.bool_))
    return plane(found)


def _panes(marked: Mask) -> Mask:
    """The marked pixels of a window completed to whole panes: the rows and columns with enough marked pixels."""
    rows, columns = marked.mean(1), marked.mean(0)
    rows, columns = rows > ENOUGH * rows.max(), columns > ENOUGH * columns.max()
    whole = rows[:, None] & columns[None]
    return np.asarray(whole if marked[whole].mean() > MOSTLY else marked, np.bool_)


def _unlike_wall(small: Plane, box: tuple[int, int, int, int]) -> Mask:
    """Where a box differs from its surroundings left and right, small gaps closed."""
    left, top, right, bottom = box
    reach = max(3, (right - left) // 6)
    beside = [small[top:bottom, max(0, left - reach) : left], small[top:bottom, right : right + reach]]
    wall = np.concatenate(beside, axis=1)
    inside = small[top:bottom, left:right]
    if not wall.size:
        return np.zeros(inside.shape[:2], np.bool_)
    usual = np.median(wall.reshape(-1, 3), axis=0)
    unlike = (np.abs(inside - usual).max(-1) > UNLIKE).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(unlike, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0, np.bool_)
