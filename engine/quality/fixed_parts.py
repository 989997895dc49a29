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
from engine.quality.smearing import FAINT, find_soft_contrast

OPENINGS = (Surface.WINDOW, Surface.DOOR)
FIXED = (*OPENINGS, Surface.WALL, Surface.FLOOR, Surface.CEILING, Surface.CABINET, Surface.COUNTERTOP)
LEAST_OPENING = 0.004
"""Share of the picture from which a door or window is looked for."""
AROUND, ACROSS, DOWN = 0.015, 0.08, 0.03
"""Shares of the long side: what is looked for around an opening, and how far aside, up and down."""
SURELY, BETTER = 0.45, 0.15
"""How alike the place must be where an opening is found again, and how much more than its own."""
STEEP, STAYED, STRAYED = 0.03, 2, 8
"""Luma a pixel of an edge; pixels up to which it stayed and up to which it can be found beside its place."""
PART = 0.12
"""Share of the long side: the part of the picture in which moved edges are counted together."""


def measure_moved_openings(before: Plane, after: Plane, surfaces: Plane) -> float:
    """How far the door or window moved that moved most.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.

    Returns
    -------
    float
        Share of the long side; 0 where none was found elsewhere.
    """
    was, now = gradient_magnitude(before), gradient_magnitude(after)
    most = 0.0
    for surface in OPENINGS:
        share = (surfaces[..., PLACE[surface]] > 0.5).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(share)
        for number in range(1, count):
            if stats[number, cv2.CC_STAT_AREA] >= LEAST_OPENING * share.size:
                left, top, wide, high = (int(each) for each in stats[number, :4])
                most = max(most, _distance_moved(was, now, (left, top, left + wide, top + high)))
    return most


def _distance_moved(was: Plane, now: Plane, box: tuple[int, int, int, int]) -> float:
    """How far what is in the box (left, top, right, bottom) is from its place, as a share of the long side."""
    height, width = was.shape
    side = max(was.shape)
    around, across, down = (round(share * side) for share in (AROUND, ACROSS, DOWN))
    left, top = max(0, box[0] - around), max(0, box[1] - around)
    right, bottom = min(width, box[2] + around), min(height, box[3] + around)
    sought = was[top:bottom, left:right]
    first, high = max(0, left - across), max(0, top - down)
    where = now[high : min(height, bottom + down), first : min(width, right + across)]
    if sought.std() < 1e-3:
        return 0.0
    alike = plane(cv2.matchTemplate(where, sought, cv2.TM_CCOEFF_NORMED))
    row, column = np.unravel_index(int(alike.argmax()), alike.shape)
    best, here = float(alike.max()), float(_read_own_likeness(alike, top - high, left - first))
    if best < SURELY or best < here + BETTER:
        return 0.0
    gone = float(np.hypot(row - (top - high), column - (left - first)))
    return gone / float(side)


def _read_own_likeness(alike: Plane, row: int, column: int) -> float:
    """The likeness at its own place or a pixel beside it."""
    return float(alike[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].max())


def measure_strayed_edges(before: Plane, after: Plane, surfaces: Plane, hidden: Mask) -> float:
    """The length of edges between fixed surfaces that now lie beside their place, in the worst part of the picture.

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
        Pixels of edge over the side of the part; more than 1 where several strayed.
    """
    was, now = gradient_magnitude(before), gradient_magnitude(after)
    ridge = _ridge(was, surfaces, hidden)
    stayed = _highest(now, STAYED) > 0.4 * np.minimum(was, 0.1)
    fresh = plane(now * (now > STEEP) * (_highest(was, STAYED) < STEEP / 2))
    beside = _highest(fresh, STRAYED) > STEEP
    return _longest(np.asarray(ridge & ~stayed & beside))


def measure_softened_edges(before: Plane, after: Plane, surfaces: Plane, hidden: Mask) -> float:
    """The length of edges between fixed surfaces that were sharp and are soft now, in the picture's worst part.

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
        Pixels of edge over the side of the part.
    """
    ridge = _ridge(gradient_magnitude(before), surfaces, hidden)
    return _longest(np.asarray(ridge & find_soft_contrast(after, FAINT) & ~find_soft_contrast(before, FAINT)))


def _ridge(was: Plane, surfaces: Plane, hidden: Mask) -> Mask:
    """The sharp edges between fixed surfaces, a pixel wide, those away from what is hidden."""
    labels = surfaces.argmax(-1).astype(np.uint8)
    fixed = np.isin(labels, [PLACE[each] for each in FIXED]).astype(np.uint8)
    border = cv2.morphologyEx(labels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    border &= cv2.erode(fixed, np.ones((5, 5), np.uint8)) > 0
    sharp = np.asarray((was >= _highest(was, 1)) & (was > STEEP))
    return np.asarray(sharp & dilate(border, 3) & ~dilate(hidden, 2 + STRAYED))


def _longest(edges: Mask) -> float:
    """The length of edges a pixel wide in the part that has most of them, as a share of its side."""
    size = round(PART * max(edges.shape))
    return float(cv2.blur(plane(edges), (size, size), borderType=cv2.BORDER_CONSTANT).max()) * float(size)


def _highest(values: Plane, radius: int) -> Plane:
    return plane(cv2.dilate(values, np.ones((2 * radius + 1,) * 2, np.uint8)))


RIM, BEYOND, ASIDE = 2, 0.012, 0.04
"""Pixels left out along a window's edge; shares of the long side by which a thing reaches beyond it, and by which
it is wider before it than below, as a lampshade is wider than its pole.
"""
OTHER = 10.0
"""Levels between two views."""
COVERED, EDGE = 0.02, 2
"""The share of a pixel from which it is of a new thing, and the pixels around that are mixed with it."""
REACH, DIMMEST, BRIGHTEST = 0.01, 0.6, 1.15
"""Share of the long side over which light is even, and what a shadow leaves of a byte and a gleam makes of it: the
same view in other light is no other view.
"""


def measure_changed_view(
    change: PictureChange, surfaces: Plane, things: Plane | None = None, *, furnished: bool = False
) -> float:
    """The share of a window that shows something else though nothing new stands before it; the worst window's.

    Parameters
    ----------
    change : PictureChange
        The small photo and its result.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.
    things : (h, w) ndarray of float32, optional
        Where new things are known to be, 0-1. None where that is not known: then they are what reaches before a
        window from beyond it.
    furnished : bool, default False
        Whether such things may be wider before the window than below it; without effect where `things` are known.

    Returns
    -------
    float
        Share of the window, 0-1; 0 without windows.
    """
    glass = np.asarray(surfaces[..., PLACE[Surface.WINDOW]] > 0.6, np.bool_)
    other = _find_other(change)
    if things is not None:
        other &= ~dilate(np.asarray(things > COVERED, np.bool_), EDGE)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(glass.astype(np.uint8))
    worst = 0.0
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] >= LEAST_OPENING * glass.size:
            window = np.asarray(parts == number, np.bool_)
            pane = erode(window, RIM)
            seen = (
                other
                if things is not None
                else other & ~_find_covering(window, change, ASIDE if furnished else 0.0)
            )
            worst = max(worst, float(seen[pane].mean()) if pane.any() else 0.0)
    return worst


def _find_other(change: PictureChange) -> Mask:
    """Where the result shows something else, and not the same in other light."""
    moved = _find_moved(plane(np.abs(plane(change.before) - plane(change.after)).max(-1)), change)
    return np.asarray(moved & _find_moved(_measure_difference(change), change))


def _find_moved(apart: Plane, change: PictureChange) -> Mask:
    return np.asarray((cv2.GaussianBlur(apart, (0, 0), 0.8) > OTHER) & (change.free > 0.02), np.bool_)


def _measure_difference(change: PictureChange) -> Plane:
    """By how many levels each pixel of the result is not the photo's in another light, even over REACH."""
    before, after = plane(change.before), plane(change.after)
    reach = REACH * max(before.shape)
    total = plane(gaussian_blur(plane((before * before).sum(-1)), reach) + np.float32(1))
    light = plane(np.clip(gaussian_blur(plane((before * after).sum(-1)), reach) / total, DIMMEST, BRIGHTEST))
    return plane(np.abs(after - before * light[..., None]).max(-1))


def _find_covering(window: Mask, change: PictureChange, aside: float) -> Mask:
    """What hangs together, up or down its column, with changed pixels beyond the window.

    And what is beside it, up to the share `aside` of the long side.
    """
    changed = _find_moved(plane(np.abs(plane(change.before) - plane(change.after)).max(-1)), change)
    around = ~dilate(window, max(2, round(BEYOND * max(window.shape))))
    reached: Mask = _find_reached(changed, around, up=True) | _find_reached(changed, around, up=False)
    # So far along its row, not through what stayed as it was.
    for _ in range(round(aside * max(window.shape))):
        beside = cv2.dilate(reached.astype(np.uint8), np.ones((1, 3), np.uint8)) > 0
        reached = np.asarray(changed & beside, np.bool_)
    return reached


def _find_reached(other: Mask, around: Mask, *, up: bool) -> Mask:
    """Which changed pixels hang together, up or down their column, with changed ones beyond the window."""
    result = np.zeros_like(other)
    before = np.zeros(other.shape[1], np.bool_)
    order = range(len(other) - 1, -1, -1) if up else range(len(other))
    for row in order:
        before = other[row] & (around[row] | before)
        result[row] = before
    return result
