"""Where the windows of a house are: boxes that look like glass to the net, edges and light, without their bars."""

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

# Houses seldom have glass above or below these rows; fences and cars do.
TOP, BOTTOM = 0.04, 0.78
FAIR, POOR, FEW = 1.6, 0.9, 3
# Windows of this share of a house's usual one are small and must be clearer; how likely glass a typical one is.
SMALL, CLEARER, CLEAR, TYPICAL = (0.5, 0.1), 1.55, 1.65, 0.75
# How likely a place is glass when nobody has looked.
UNKNOWN = 0.27
# The share of a photo that is surely glass when any is, and how sure the net must be of it at least.
SUREST, LEAST_SURE = 0.012, 0.45
UNLIKE, LEAST_UNLIKE, BROAD = 0.09, 0.55, 9
# As a share of the surest glass nearby: there is none in a window's box where a shutter, a wall or a post is.
UNLIKELY = 0.33
# What a window may be taken for, the share of panes it has at least, and how much likelier it is to be one.
NO_PANES = (Label.SHUTTER, Label.DOOR, Label.GARAGE_DOOR, Label.CAR, Label.FENCE, Label.BIN, Label.PERSON)
LEAST_PANE, LIKELIER = 0.22, 1.1
# Glass that the looks are sure of is a window that the signs of light and edges missed: from which mean of theirs
# it is glass, and how sure they must be where they are surest; how much of the photo it fills, and how much of what
# is around it is the house's. An upright box must fit it so well (overlap) and hold so much glass.
SEEN, SEEN_SURELY, SEEN_SHARES, IN_HOUSE = 0.45, 0.68, (0.0002, 0.045), 0.45
FITTING, FULL = 0.62, 0.5
# Of what the looks take for one window (from this mean of theirs) so much must be found, or it stays dark: one that
# is lit in part looks broken.
WHOLE, LEAST_HELD = 0.4, 0.4
# A row or column of a window that holds this much of what its fullest does is glass from end to end, where most of
# all of them is.
ENOUGH, MOSTLY = 0.4, 0.6


class GlassMaps(NamedTuple):
    """Small maps, 0-1: panes by the look at the whole photo, glass by the closer one, the house with its glass."""

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
        What the net found on the whole picture and close up. Its glass counts instead of that of `shares`, and what
        both agree on is a window where a box fits it.

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
    alone = _strength(boxes, signs, small.shape)
    strength = plane(alone + 0.35 * _fellowship(boxes, alone))
    kept = _select_sure(strength)
    chosen = kept[select_best_boxes(boxes[kept], known.glass, plane(signs.sides[kept]))]
    chosen = chosen[_large_or_clear(boxes[chosen], plane(strength + 2 * (signs.glass - TYPICAL))[chosen])]
    broad = cv2.morphologyEx(wall, cv2.MORPH_OPEN, np.ones((BROAD, BROAD), np.uint8)) > 0
    found = _glass_in(boxes[chosen], small, np.asarray(broad, np.bool_), known.glass)
    return add_seen_panes(found, small, boxes, looks)


def exclude_other_glass(found: Plane, panes: Plane, others: Plane) -> Plane:
    """Leave out windows that the net, run on the whole picture, rather takes for something else.

    A pane left dark is a smaller fault than a door, a vent or a car that is lit.

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
    """Add windows that the net is sure of and that one of the boxes fits.

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
    """Boxes about what is surely glass in the house, and not `taken`."""
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
    """What is known of each pixel, as shares of 0-1."""

    building: Plane
    glass: Plane


def _find_known(shares: Plane, glass: Plane) -> KnownShares:
    if not shares[..., Kind.BUILDING].any():
        return KnownShares(np.ones_like(glass), np.full_like(glass, UNKNOWN))
    surest = float(np.clip(np.quantile(glass, 1 - SUREST), LEAST_SURE, 1))
    return KnownShares(
        plane(shares[..., Kind.BUILDING] + shares[..., Kind.GLASS]), plane(np.minimum(glass / surest, 1))
    )


def _strength(boxes: Boxes, signs: WindowFeatures, shape: tuple[int, ...]) -> Plane:
    """How much each box looks like glass in a wall: about 1 for a clear case, below 0 for what cannot be."""
    weakest, mean = signs.sides.min(-1), signs.sides.mean(-1)
    darker = signs.wall_light - signs.light
    strength = 0.9 * smoothstep(plane(weakest), 0.3, 0.85) + 0.5 * smoothstep(plane(mean), 0.6, 0.95)
    cooler = smoothstep(signs.coolness, 0.02, 0.2)
    strength += 0.5 * smoothstep(darker, 0.02, 0.2) + 0.6 * cooler
    # Curtains, mirrored trees and bars look like other things: what the net is sure of needs no such doubts.
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
    """How much each box looks like a door or a garage's, 0-1: down to the ground and tall, or large and even."""
    wide, tall = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    low = smoothstep(plane(signs.above_ground / tall), 0.5, 0.25)
    door = low * smoothstep(plane(tall / wide), 1.35, 1.7)
    large = smoothstep(plane(wide * tall / (shape[0] * shape[1])), 0.006, 0.012) * smoothstep(
        plane(wide / tall), 1.2, 1.6
    )
    return plane(np.maximum(door, large * np.maximum(low, smoothstep(signs.uneven, 0.09, 0.04))))


def _fellowship(boxes: Boxes, strength: Plane) -> Plane:
    """How many fair boxes of the same size stand in one row or column with each box, as 0-1."""
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
    """The boxes that are windows; where none is clear, the few that come nearest to it."""
    sure = np.flatnonzero(strength > FAIR)
    if sure.size:
        return sure
    nearest = np.argsort(-strength, kind="stable")[:FEW]
    return np.asarray(nearest[strength[nearest] > POOR], np.intp)


def _large_or_clear(boxes: Boxes, strength: Plane) -> Mask:
    """Which boxes are large beside the house's other windows or clear cases: plates, lamps and posts go."""
    areas = plane((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))
    order = np.argsort(areas, kind="stable")
    held = np.cumsum(areas[order])
    usual = areas[order[np.searchsorted(held, held[-1] / 2)]] if len(boxes) else np.float32(1)
    return np.asarray(strength > CLEAR + CLEARER * smoothstep(plane(areas / usual), *SMALL), np.bool_)


def _glass_in(boxes: Boxes, small: Plane, wall: Mask, glass: Plane) -> Plane:
    """Mark what in the boxes is neither like the wall beside them nor a broad piece of the house's walls."""
    found = np.zeros(small.shape[:2], np.bool_)
    likely = np.asarray(normalize_by_surest(glass) > UNLIKELY, np.bool_)
    for left, top, right, bottom in boxes:
        place = np.s_[top:bottom, left:right]
        inside = _unlike_wall(small, (left, top, right, bottom))
        if inside.mean() > LEAST_UNLIKE:
            found[place] |= _panes(np.asarray(inside & likely[place] & ~wall[place], np.bool_))
    return plane(found)


def _panes(marked: Mask) -> Mask:
    """Whole panes for what was marked of a window: the rows and columns that hold enough of it."""
    rows, columns = marked.mean(1), marked.mean(0)
    rows, columns = rows > ENOUGH * rows.max(), columns > ENOUGH * columns.max()
    whole = rows[:, None] & columns[None]
    return np.asarray(whole if marked[whole].mean() > MOSTLY else marked, np.bool_)


def _unlike_wall(small: Plane, box: tuple[int, int, int, int]) -> Mask:
    """Where a box differs from what stands left and right of it, small gaps closed."""
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
