"""Measures whether the fixed parts of a room stayed: doors, windows, and the edges between walls, floor and
ceiling.
"""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gaussian_blur, gradient_magnitude
from engine.geometry.surface import PLACE, Surface
from engine.quality.changes import PictureChange
from engine.quality.smearing import MIN_FAINT_CONTRAST, find_soft_contrast

OPENINGS = (Surface.WINDOW, Surface.DOOR)
FIXED_SURFACES = (*OPENINGS, Surface.WALL, Surface.FLOOR, Surface.CEILING, Surface.CABINET, Surface.COUNTERTOP)
"""Surfaces whose common edges must stay in place."""
MIN_OPENING_SHARE = 0.004
"""Least share of the picture for a door or window to be checked."""
OPENING_MARGIN = 0.015
"""Width of the surroundings that belong to the searched pattern of an opening, as a share of the long side."""
SEARCH_ACROSS = 0.08
"""How far to the left and right an opening is searched for, as a share of the long side."""
SEARCH_DOWN = 0.03
"""How far up and down an opening is searched for, as a share of the long side."""
MIN_MOVED_CORRELATION = 0.45
"""Least correlation of another place with an opening for the opening to count as moved there."""
MIN_CORRELATION_GAIN = 0.15
"""Least difference between that correlation and the correlation at the opening's own place."""
MIN_GRADIENT = 0.03
"""Least gradient (luma of 0-1 per pixel) of an edge."""
MAX_UNMOVED_DISTANCE = 2
"""Most pixels by which an edge may move and still count as unmoved."""
MAX_MOVED_DISTANCE = 8
"""Distance in pixels from its old place in which a moved edge is searched for."""
PART_SIDE = 0.12
"""Side of the square in which the length of edges is added up, as a share of the long side."""


def measure_moved_openings(before: Plane, after: Plane, surfaces: Plane) -> float:
    """The farthest that any door or window moved.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.

    Returns
    -------
    float
        Share of the long side; 0 if none was found at another place.
    """
    was, now = gradient_magnitude(before), gradient_magnitude(after)
    farthest = 0.0
    for surface in OPENINGS:
        share = (surfaces[..., PLACE[surface]] > 0.5).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(share)
        for number in range(1, count):
            if stats[number, cv2.CC_STAT_AREA] >= MIN_OPENING_SHARE * share.size:
                left, top, width, height = (int(each) for each in stats[number, :4])
                farthest = max(farthest, _measure_move(was, now, (left, top, left + width, top + height)))
    return farthest


def _measure_move(was: Plane, now: Plane, box: tuple[int, int, int, int]) -> float:
    """How far the opening in the box (left, top, right, bottom) moved, as a share of the long side."""
    height, width = was.shape
    side = max(was.shape)
    around, across, down = (round(share * side) for share in (OPENING_MARGIN, SEARCH_ACROSS, SEARCH_DOWN))
    left, top = max(0, box[0] - around), max(0, box[1] - around)
    right, bottom = min(width, box[2] + around), min(height, box[3] + around)
    pattern = was[top:bottom, left:right]
    first_column, first_row = max(0, left - across), max(0, top - down)
    searched = now[first_row : min(height, bottom + down), first_column : min(width, right + across)]
    if pattern.std() < 1e-3:
        return 0.0
    likeness = plane(cv2.matchTemplate(searched, pattern, cv2.TM_CCOEFF_NORMED))
    row, column = np.unravel_index(int(likeness.argmax()), likeness.shape)
    own_row, own_column = top - first_row, left - first_column
    best, own = float(likeness.max()), float(_read_own_likeness(likeness, own_row, own_column))
    if best < MIN_MOVED_CORRELATION or best < own + MIN_CORRELATION_GAIN:
        return 0.0
    distance = float(np.hypot(row - own_row, column - own_column))
    return distance / float(side)


def _read_own_likeness(likeness: Plane, row: int, column: int) -> float:
    """The likeness at the opening's own place, or one pixel beside it."""
    return float(likeness[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].max())


def measure_strayed_edges(
    before: Plane, after: Plane, surfaces: Plane, hidden: Mask, pattern: Mask | None = None
) -> float:
    """The length of edges between fixed surfaces that moved a few pixels, in the worst part of the picture.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.
    hidden : (h, w) ndarray of bool
        Where new things stand; edges there are left out.
    pattern : (h, w) ndarray of bool, optional
        Where a surface has a new material; lines well within this area belong to the material.

    Returns
    -------
    float
        Length of the edges divided by the side of the part; more than 1 if several edges moved.
    """
    was, now = gradient_magnitude(before), gradient_magnitude(after)
    ridge = _find_sharp_edges(was, surfaces, hidden)
    stayed = _find_maximum(now, MAX_UNMOVED_DISTANCE) > 0.4 * np.minimum(was, 0.1)
    is_new = (now > MIN_GRADIENT) & (_find_maximum(was, MAX_UNMOVED_DISTANCE) < MIN_GRADIENT / 2)
    if pattern is not None:
        is_new &= ~erode(pattern, MAX_UNMOVED_DISTANCE + 1)
    new_edges = plane(now * is_new)
    moved_nearby = _find_maximum(new_edges, MAX_MOVED_DISTANCE) > MIN_GRADIENT
    return _measure_longest(np.asarray(ridge & ~stayed & moved_nearby))


def measure_softened_edges(before: Plane, after: Plane, surfaces: Plane, hidden: Mask) -> float:
    """The length of edges between fixed surfaces that were sharp and became soft, in the picture's worst part.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.
    hidden : (h, w) ndarray of bool
        Where new things stand; edges there are left out.

    Returns
    -------
    float
        Length of the edges divided by the side of the part.
    """
    ridge = _find_sharp_edges(gradient_magnitude(before), surfaces, hidden)
    return _measure_longest(
        np.asarray(
            ridge & find_soft_contrast(after, MIN_FAINT_CONTRAST) & ~find_soft_contrast(before, MIN_FAINT_CONTRAST)
        )
    )


def _find_sharp_edges(was: Plane, surfaces: Plane, hidden: Mask) -> Mask:
    """The sharp edges between fixed surfaces, one pixel wide, except near hidden places."""
    labels = surfaces.argmax(-1).astype(np.uint8)
    fixed = np.isin(labels, [PLACE[each] for each in FIXED_SURFACES]).astype(np.uint8)
    border = cv2.morphologyEx(labels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    border &= cv2.erode(fixed, np.ones((5, 5), np.uint8)) > 0
    sharp = np.asarray((was >= _find_maximum(was, 1)) & (was > MIN_GRADIENT))
    return np.asarray(sharp & dilate(border, 3) & ~dilate(hidden, 2 + MAX_MOVED_DISTANCE))


def _measure_longest(edges: Mask) -> float:
    """The length of edges (one pixel wide) in the part with most of them, divided by its side."""
    size = round(PART_SIDE * max(edges.shape))
    return float(cv2.blur(plane(edges), (size, size), borderType=cv2.BORDER_CONSTANT).max()) * float(size)


def _find_maximum(values: Plane, radius: int) -> Plane:
    return plane(cv2.dilate(values, np.ones((2 * radius + 1,) * 2, np.uint8)))


WINDOW_RIM = 2
"""Pixels along a window's outline that are ignored."""
BEYOND_WINDOW = 0.012
"""Distance outside a window, as a share of the long side, at which a thing in front of it must still be visible."""
MAX_OVERHANG = 0.04
"""How much wider a thing, such as a lamp, may be in front of a window than below it, on each side: a share of the
picture's long side.
"""
MIN_VIEW_DIFFERENCE = 10.0
"""Least difference, in levels, between two different views."""
MIN_COVERED_SHARE = 0.02
"""Least share of a pixel that a new thing must cover for the pixel to count as part of the thing."""
THING_RIM = 2
"""Pixels around a new thing that are ignored, because they are mixed with it."""
LIGHT_REACH = 0.01
"""Sigma, as a share of the long side, of the blur over which light is compared."""
MIN_LIGHT_FACTOR = 0.6
"""Least factor of a shadow for sRGB bytes; a view that is darkened more counts as another view."""
MAX_LIGHT_FACTOR = 1.15
"""Greatest factor of a reflection for sRGB bytes; a view that is brightened more counts as another view."""


def measure_changed_view(
    change: PictureChange, surfaces: Plane, things: Plane | None = None, *, furnished: bool = False
) -> float:
    """The share of a window that shows another view and is not covered by a new thing, for the worst window.

    Parameters
    ----------
    change : PictureChange
        The small photo and its result.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.
    things : (h, w) ndarray of float32, optional
        Where new things are, 0-1. If None, changes that continue above or below the window count as new things.
    furnished : bool, default False
        Whether new things may be wider in front of the window than below it; ignored if `things` is given.

    Returns
    -------
    float
        Share of the window, 0-1; 0 without windows.
    """
    windows = np.asarray(surfaces[..., PLACE[Surface.WINDOW]] > 0.6, np.bool_)
    changed_view = _find_other_view(change)
    if things is not None:
        changed_view &= ~dilate(np.asarray(things > MIN_COVERED_SHARE, np.bool_), THING_RIM)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(windows.astype(np.uint8))
    worst = 0.0
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] >= MIN_OPENING_SHARE * windows.size:
            window = np.asarray(parts == number, np.bool_)
            pane = erode(window, WINDOW_RIM)
            uncovered = (
                changed_view
                if things is not None
                else changed_view & ~_find_covering(window, change, MAX_OVERHANG if furnished else 0.0)
            )
            worst = max(worst, float(uncovered[pane].mean()) if pane.any() else 0.0)
    return worst


def _find_other_view(change: PictureChange) -> Mask:
    """Where the result shows another view, not the same view in other light."""
    different = _find_different(plane(np.abs(plane(change.before) - plane(change.after)).max(-1)), change)
    return np.asarray(different & _find_different(_measure_difference(change), change))


def _find_different(difference: Plane, change: PictureChange) -> Mask:
    """Where a difference, after noise is smoothed, exceeds MIN_VIEW_DIFFERENCE and change was allowed."""
    return np.asarray(
        (cv2.GaussianBlur(difference, (0, 0), 0.8) > MIN_VIEW_DIFFERENCE) & (change.editable > 0.02), np.bool_
    )


def _measure_difference(change: PictureChange) -> Plane:
    """The levels by which each pixel differs from the photo after the photo's light is matched over LIGHT_REACH."""
    before, after = plane(change.before), plane(change.after)
    reach = LIGHT_REACH * max(before.shape)
    total = plane(gaussian_blur(plane((before * before).sum(-1)), reach) + np.float32(1))
    light = plane(
        np.clip(gaussian_blur(plane((before * after).sum(-1)), reach) / total, MIN_LIGHT_FACTOR, MAX_LIGHT_FACTOR)
    )
    return plane(np.abs(after - before * light[..., None]).max(-1))


def _find_covering(window: Mask, change: PictureChange, overhang: float) -> Mask:
    """The changed pixels that are connected, up or down their column, with changed pixels beyond the window.

    Changed pixels beside these are added along each row, up to the share `overhang` of the long side.
    """
    changed = _find_different(plane(np.abs(plane(change.before) - plane(change.after)).max(-1)), change)
    around = ~dilate(window, max(2, round(BEYOND_WINDOW * max(window.shape))))
    reached: Mask = _find_reached(changed, around, up=True) | _find_reached(changed, around, up=False)
    # Sideways along each row, through changed pixels only.
    for _ in range(round(overhang * max(window.shape))):
        beside = cv2.dilate(reached.astype(np.uint8), np.ones((1, 3), np.uint8)) > 0
        reached = np.asarray(changed & beside, np.bool_)
    return reached


def _find_reached(changed: Mask, around: Mask, *, up: bool) -> Mask:
    """The changed pixels that are connected, in one direction of their column, with changed pixels in `around`."""
    result = np.zeros_like(changed)
    connected = np.zeros(changed.shape[1], np.bool_)
    order = range(len(changed) - 1, -1, -1) if up else range(len(changed))
    for row in order:
        connected = changed[row] & (around[row] | connected)
        result[row] = connected
    return result
