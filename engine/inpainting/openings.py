"""Finds windows, doors and curtains on a rectified wall, and which of their edges are seen."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, plane
from engine.geometry.rectified_plane import NEAREST, Box, RectifiedPlane

LEAST_AREA = 0.03
"""Least area of an opening, in square meters."""
CLEAR_SHARE = 0.12
"""Least visible share of an edge for the edge to count as seen."""
HIDDEN_SHARE = 0.03
"""Least share of an edge behind things for the edge to count as hidden."""
JOINED = 0.1
"""Most meters between panes of one window."""
MOST_PIECES = 40
"""Most pieces of openings of a wall that are used; the largest are kept."""
SHARED = 0.5
"""Least share of their width or height that two pieces of one opening have in common."""
HIDES = 0.6
"""Share of the gap between two pieces that things must exceed for both to be one opening."""


class OpeningKind(Enum):
    """What is in a wall or hangs before it, and stays: panes of windows, doors, curtains and other hangings."""

    PANE = auto()
    DOOR = auto()
    HANGING = auto()


class Side(IntEnum):
    """The edges of a rectangle on a wall."""

    LEFT = 0
    RIGHT = 1
    LOW = 2
    HIGH = 3

    @property
    def opposite(self) -> "Side":
        """The edge across."""
        return Side(self ^ 1)


class Edge(Enum):
    """How an edge shows: in view, behind a thing, or outside of the picture."""

    SEEN = auto()
    HIDDEN = auto()
    OUT = auto()


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on a wall, in meters along and up the wall."""

    left: float
    right: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Opening:
    """One opening: where it is seen (`own`), the rectangle around that, and how each of its four edges shows."""

    kind: OpeningKind
    rect: Rect
    own: Mask
    edges: tuple[Edge, Edge, Edge, Edge]

    @property
    def touched(self) -> bool:
        """Whether things hide at least one of its edges."""
        return Edge.HIDDEN in self.edges


@dataclass(frozen=True, slots=True)
class Walls:
    """One rectified wall: where it or its openings are in view (`clear`), cells to be filled, and its openings."""

    rectified: RectifiedPlane
    clear: Mask
    wanted: Mask
    openings: tuple[Opening, ...]


def find_openings(rectified: RectifiedPlane, clear: Mask, masks: tuple[Mask, Mask, Mask], wanted: Mask) -> Walls:
    """Find the openings of a wall, and which of their edges are seen.

    Parameters
    ----------
    rectified : RectifiedPlane
        The wall.
    clear : (H, W) ndarray of bool
        Where the picture shows this wall, or something before it that stays.
    masks : tuple of three (H, W) ndarrays of bool
        Where the picture shows windows, doors, and curtains and the like.
    wanted : (h, w) ndarray of bool
        The cells of the rectified plane to be filled.

    Returns
    -------
    Walls
        The wall with its openings; openings smaller than LEAST_AREA are left out.
    """
    usable = np.asarray((rectified.depth > NEAREST) & ~wanted)
    seen = np.asarray((rectified.rectify(plane(clear)) > 0.99) & usable)
    found: list[Opening] = []
    for kind, mask in zip(OpeningKind, masks, strict=True):
        part = np.asarray((rectified.rectify(plane(mask)) > 0.5) & usable)
        parts = _parts(part, rectified.cell, wanted, upright_only=kind is OpeningKind.HANGING)
        found += [_make_opening(kind, np.asarray(own & seen), box, rectified, seen, wanted) for own, box in parts]
    return Walls(rectified, seen, wanted, tuple(found))


def find_box(rect: Rect, rectified: RectifiedPlane, margin: float = 0.0) -> Box:
    """The cells of a rectangle on a wall, clipped to its rectified plane.

    Parameters
    ----------
    rect : Rect
        Meters along and up the wall.
    rectified : RectifiedPlane
        The wall.
    margin : float, default 0.0
        Meters added on all sides.

    Returns
    -------
    tuple of slice
        Rows and columns.
    """
    rows = [(each - rectified.low) / rectified.cell for each in (rect.low - margin, rect.high + margin)]
    columns = [(each - rectified.left) / rectified.cell for each in (rect.left - margin, rect.right + margin)]
    ends = [(values, count) for values, count in zip((rows, columns), rectified.shape, strict=True)]
    first, last = (
        slice(int(np.clip(low, 0, count - 1)), int(np.clip(np.ceil(high), 1, count))) for (low, high), count in ends
    )
    return first, last


def _parts(seen: Mask, cell: float, wanted: Mask, *, upright_only: bool) -> Iterator[tuple[Mask, Box]]:
    """The openings, each with its box; pieces with only a bar or a thing between them are one opening.

    `upright_only`: only pieces above each other are joined, not pieces beside each other.
    """
    gap = max(1, round(JOINED / cell))
    joined = cv2.morphologyEx(seen.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((2 * gap + 1, 2 * gap + 1), np.uint8))
    count, parts, boxes, _ = cv2.connectedComponentsWithStats(joined)
    largest = sorted(range(1, count), key=lambda each: -int(boxes[each][4]))[:MOST_PIECES]
    pieces = [(_box(boxes[number]), {number}) for number in largest]
    merged = True
    while merged:
        merged = False
        for (place, one), (other_place, other) in combinations(enumerate(pieces), 2):
            if _are_one(one[0], other[0], wanted, gap, (1,) if upright_only else (0, 1)):
                pieces[place] = _join_boxes(one[0], other[0]), one[1] | other[1]
                del pieces[other_place]
                merged = True
                break
    for box, numbers in pieces:
        own = np.asarray(np.isin(parts, list(numbers)))
        if np.count_nonzero(own) * cell**2 > LEAST_AREA:
            yield own, box


def _box(stats: NDArray[np.int32]) -> Box:
    left, top, width, height = (int(each) for each in stats[:4])
    return slice(top, top + height), slice(left, left + width)


def _join_boxes(one: Box, other: Box) -> Box:
    rows, columns = (
        slice(min(first.start, second.start), max(first.stop, second.stop))
        for first, second in zip(one, other, strict=True)
    )
    return rows, columns


def _are_one(one: Box, other: Box, wanted: Mask, gap: int, axes: tuple[int, ...]) -> bool:
    """Whether two pieces lie beside or above each other with little more than a thing or a bar between them."""
    sides = list(zip(one, other, strict=True))
    shared = [slice(max(first.start, second.start), min(first.stop, second.stop)) for first, second in sides]
    lengths = [each.stop - each.start for each in shared]
    if min(lengths) > 0 and 0 in axes:
        return True
    least = [min(first.stop - first.start, second.stop - second.start) for first, second in sides]
    for axis in axes:
        if lengths[axis] >= SHARED * least[axis] and lengths[1 - axis] <= 0:
            between = slice(shared[1 - axis].stop, shared[1 - axis].start)
            strip = wanted[(shared[0], between) if axis == 0 else (between, shared[1])]
            return -lengths[1 - axis] <= gap or bool(strip.mean() > HIDES)
    return False


def _make_opening(
    kind: OpeningKind, own: Mask, box: Box, rectified: RectifiedPlane, seen: Mask, wanted: Mask
) -> Opening:
    rows, columns = box
    depth = max(2, round(0.06 * min(rows.stop - rows.start, columns.stop - columns.start)))
    wide = tuple(slice(part.start, part.stop + 2 * depth) for part in box)
    around = [np.pad(each, depth)[wide] for each in (own, seen & ~own, wanted)]
    # The arrays are turned so that each edge, one after the other, comes first.
    turned = (
        [each.T for each in around],
        [each.T[::-1] for each in around],
        around,
        [each[::-1] for each in around],
    )
    edges = [_edge(mine, plain, hiding, depth) for mine, plain, hiding in turned]
    rect = Rect(
        rectified.left + columns.start * rectified.cell,
        rectified.left + columns.stop * rectified.cell,
        rectified.low + rows.start * rectified.cell,
        rectified.low + rows.stop * rectified.cell,
    )
    return Opening(kind, rect, own, (edges[0], edges[1], edges[2], edges[3]))


def _edge(own: Mask, seen: Mask, wanted: Mask, depth: int) -> Edge:
    """How an edge shows; it lies `depth` rows below the first row."""
    inner: Mask = np.asarray(own[depth : 2 * depth].any(0))
    length = max(1, len(inner) - 2 * depth)
    clear = inner & (seen[:depth].mean(0) > 0.5)
    covered = inner & wanted[:depth].any(0)
    if clear.sum() >= CLEAR_SHARE * length:
        return Edge.SEEN
    return Edge.HIDDEN if covered.sum() >= HIDDEN_SHARE * length else Edge.OUT
