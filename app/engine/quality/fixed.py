"""Whether what is fixed in a room stayed: doors and windows, and the edges between them and the walls."""

import cv2
import numpy as np

from app.engine.arrays import Mask, Plane, edge_strength, grown, plane
from app.engine.quality.melting import FAINT, soft
from app.engine.room.surface import PLACE, Surface

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


def openings_moved(before: Plane, after: Plane, surfaces: Plane) -> float:
    """How far the door or window went that moved most, as a share of the long side; grey planes 0-1."""
    was, now = edge_strength(before), edge_strength(after)
    most = 0.0
    for surface in OPENINGS:
        share = (surfaces[..., PLACE[surface]] > 0.5).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(share)
        for number in range(1, count):
            if stats[number, cv2.CC_STAT_AREA] >= LEAST_OPENING * share.size:
                left, top, wide, high = (int(each) for each in stats[number, :4])
                most = max(most, _moved(was, now, (left, top, left + wide, top + high)))
    return most


def _moved(was: Plane, now: Plane, box: tuple[int, int, int, int]) -> float:
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
    best, here = float(alike.max()), float(_own(alike, top - high, left - first))
    if best < SURELY or best < here + BETTER:
        return 0.0
    gone = float(np.hypot(row - (top - high), column - (left - first)))
    return gone / float(side)


def _own(alike: Plane, row: int, column: int) -> float:
    """The likeness at its own place or a pixel beside it."""
    return float(alike[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].max())


def edges_strayed(before: Plane, after: Plane, surfaces: Plane, hidden: Mask) -> float:
    """The length of edges between fixed surfaces that lie beside their place now, in the worst part of the picture,
    as a share of that part's side. Grey planes 0-1; what is `hidden` by new things is left out.
    """
    was, now = edge_strength(before), edge_strength(after)
    ridge = _ridge(was, surfaces, hidden)
    stayed = _highest(now, STAYED) > 0.4 * np.minimum(was, 0.1)
    fresh = plane(now * (now > STEEP) * (_highest(was, STAYED) < STEEP / 2))
    beside = _highest(fresh, STRAYED) > STEEP
    return _longest(np.asarray(ridge & ~stayed & beside))


def edges_softened(before: Plane, after: Plane, surfaces: Plane, hidden: Mask) -> float:
    """The length of edges between fixed surfaces that were sharp and are rubbed out now; measured likewise."""
    ridge = _ridge(edge_strength(before), surfaces, hidden)
    return _longest(np.asarray(ridge & soft(after, FAINT) & ~soft(before, FAINT)))


def _ridge(was: Plane, surfaces: Plane, hidden: Mask) -> Mask:
    """The sharp edges between fixed surfaces, a pixel wide, those away from what is hidden."""
    labels = surfaces.argmax(-1).astype(np.uint8)
    fixed = np.isin(labels, [PLACE[each] for each in FIXED]).astype(np.uint8)
    border = cv2.morphologyEx(labels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    border &= cv2.erode(fixed, np.ones((5, 5), np.uint8)) > 0
    sharp = np.asarray((was >= _highest(was, 1)) & (was > STEEP))
    return np.asarray(sharp & grown(border, 3) & ~grown(hidden, 2 + STRAYED))


def _longest(edges: Mask) -> float:
    """The length of edges a pixel wide in the part that has most of them, as a share of its side."""
    size = round(PART * max(edges.shape))
    return float(cv2.blur(plane(edges), (size, size), borderType=cv2.BORDER_CONSTANT).max()) * float(size)


def _highest(values: Plane, radius: int) -> Plane:
    return plane(cv2.dilate(values, np.ones((2 * radius + 1,) * 2, np.uint8)))
