"""Finds windows, doors and curtains on a rectified wall, and which of their edges are visible."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, plane
from engine.geometry.rectified_plane import NEAREST, Box, RectifiedPlane

MIN_AREA = 0.03
"""Minimum area of an opening, in square meters."""
MIN_VISIBLE_SHARE = 0.12
"""Minimum visible share of an edge that counts as SEEN."""
MIN_HIDDEN_SHARE = 0.03
"""Minimum share of an edge behind things if the edge counts as HIDDEN."""
MAX_GAP = 0.1
"""Maximum gap, in meters, between panes of one window."""
MAX_PIECES = 40
"""Maximum number of pieces of openings in a wall; the largest are used."""
MIN_OVERLAP = 0.5
"""Minimum overlap of two pieces of one opening, as a share of the shorter piece's width or height."""
MIN_HIDDEN_GAP = 0.6
"""Minimum share of a wider gap between two pieces that things cover if both belong to one opening."""


class OpeningKind(Enum):
    """Parts of a wall that stay: panes of windows, doors, and things that hang on the wall, such as curtains."""

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
        """The edge on the other side."""
        return Side(self ^ 1)


class Edge(Enum):
    """Whether an edge is visible (SEEN), behind a thing (HIDDEN) or outside the picture (OUT)."""

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
    """One opening: its visible cells (`own`), the rectangle around these, and the state of each edge, by Side."""

    kind: OpeningKind
    rect: Rect
    own: Mask
    edges: tuple[Edge, Edge, Edge, Edge]

    @property
    def touched(self) -> bool:
        """Whether things hide at least one of its edges."""
        return Edge.HIDDEN in self.edges


@dataclass(frozen=True, slots=True)
class WallOpenings:
    """A rectified wall: cells where it or its openings are visible (`clear`), cells to be filled, and openings."""

    rectified: RectifiedPlane
    clear: Mask
    to_fill: Mask
    openings: tuple[Opening, ...]


def find_openings(
    rectified: RectifiedPlane, clear: Mask, masks: tuple[Mask, Mask, Mask], to_fill: Mask
) -> WallOpenings:
    """Find the openings of a wall, and which of their edges are visible.

    Parameters
    ----------
    rectified : RectifiedPlane
        The wall.
    clear : (H, W) ndarray of bool
        Where the picture shows this wall, or something in front of it that stays.
    masks : tuple of three (H, W) ndarrays of bool
        Where the picture shows windows, where doors, and where curtains and other hangings.
    to_fill : (h, w) ndarray of bool
        The cells of the rectified plane to be filled.

    Returns
    -------
    WallOpenings
        The wall with its openings; openings smaller than MIN_AREA are left out.
    """
    usable = np.asarray((rectified.depth > NEAREST) & ~to_fill)
    seen = np.asarray((rectified.rectify(plane(clear)) > 0.99) & usable)
    found: list[Opening] = []
    for kind, mask in zip(OpeningKind, masks, strict=True):
        part = np.asarray((rectified.rectify(plane(mask)) > 0.5) & usable)
        parts = _find_parts(part, rectified.cell, to_fill, upright_only=kind is OpeningKind.HANGING)
        found += [_make_opening(kind, np.asarray(own & seen), box, rectified, seen, to_fill) for own, box in parts]
    return WallOpenings(rectified, seen, to_fill, tuple(found))


def find_box(rect: Rect, rectified: RectifiedPlane, margin: float = 0.0) -> Box:
    """Find the cells of a rectangle on a wall, clipped to its rectified plane.

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


def _find_parts(seen: Mask, cell: float, to_fill: Mask, *, upright_only: bool) -> Iterator[tuple[Mask, Box]]:
    """Yield each opening with its box; pieces with only a bar or a thing between them are one opening.

    With `upright_only`, pieces above each other are joined, but pieces beside each other are not.
    """
    gap = max(1, round(MAX_GAP / cell))
    joined = cv2.morphologyEx(seen.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((2 * gap + 1, 2 * gap + 1), np.uint8))
    count, parts, boxes, _ = cv2.connectedComponentsWithStats(joined)
    largest = sorted(range(1, count), key=lambda each: -int(boxes[each][4]))[:MAX_PIECES]
    pieces = [(_make_box(boxes[number]), {number}) for number in largest]
    merged = True
    while merged:
        merged = False
        for (place, first_piece), (other_place, second_piece) in combinations(enumerate(pieces), 2):
            if _belong_together(first_piece[0], second_piece[0], to_fill, gap, (1,) if upright_only else (0, 1)):
                pieces[place] = _join_boxes(first_piece[0], second_piece[0]), first_piece[1] | second_piece[1]
                del pieces[other_place]
                merged = True
                break
    for box, numbers in pieces:
        own = np.asarray(np.isin(parts, list(numbers)))
        if np.count_nonzero(own) * cell**2 > MIN_AREA:
            yield own, box


def _make_box(stats: NDArray[np.int32]) -> Box:
    left, top, width, height = (int(each) for each in stats[:4])
    return slice(top, top + height), slice(left, left + width)


def _join_boxes(first_piece: Box, second_piece: Box) -> Box:
    rows, columns = (
        slice(min(first.start, second.start), max(first.stop, second.stop))
        for first, second in zip(first_piece, second_piece, strict=True)
    )
    return rows, columns


def _belong_together(first_piece: Box, second_piece: Box, to_fill: Mask, gap: int, axes: tuple[int, ...]) -> bool:
    """Whether two pieces lie beside or above each other with only a narrow gap or a thing between them."""
    intervals = list(zip(first_piece, second_piece, strict=True))
    overlap = [slice(max(first.start, second.start), min(first.stop, second.stop)) for first, second in intervals]
    lengths = [each.stop - each.start for each in overlap]
    if min(lengths) > 0 and 0 in axes:
        return True
    shorter = [min(first.stop - first.start, second.stop - second.start) for first, second in intervals]
    for axis in axes:
        if lengths[axis] >= MIN_OVERLAP * shorter[axis] and lengths[1 - axis] <= 0:
            between = slice(overlap[1 - axis].stop, overlap[1 - axis].start)
            strip = to_fill[(overlap[0], between) if axis == 0 else (between, overlap[1])]
            return -lengths[1 - axis] <= gap or bool(strip.mean() > MIN_HIDDEN_GAP)
    return False


def _make_opening(
    kind: OpeningKind, own: Mask, box: Box, rectified: RectifiedPlane, seen: Mask, to_fill: Mask
) -> Opening:
    rows, columns = box
    depth = max(2, round(0.06 * min(rows.stop - rows.start, columns.stop - columns.start)))
    wide = tuple(slice(part.start, part.stop + 2 * depth) for part in box)
    around = [np.pad(each, depth)[wide] for each in (own, seen & ~own, to_fill)]
    # For each side in the order of Side, the arrays are turned so that this side comes first.
    turned = (
        [each.T for each in around],
        [each.T[::-1] for each in around],
        around,
        [each[::-1] for each in around],
    )
    edges = [_classify_edge(mine, plain, hiding, depth) for mine, plain, hiding in turned]
    rect = Rect(
        rectified.left + columns.start * rectified.cell,
        rectified.left + columns.stop * rectified.cell,
        rectified.low + rows.start * rectified.cell,
        rectified.low + rows.stop * rectified.cell,
    )
    return Opening(kind, rect, own, (edges[0], edges[1], edges[2], edges[3]))


def _classify_edge(own: Mask, seen: Mask, to_fill: Mask, depth: int) -> Edge:
    """The state of the edge that lies `depth` rows below the first row."""
    inner: Mask = np.asarray(own[depth : 2 * depth].any(0))
    length = max(1, len(inner) - 2 * depth)
    clear = inner & (seen[:depth].mean(0) > 0.5)
    covered = inner & to_fill[:depth].any(0)
    if clear.sum() >= MIN_VISIBLE_SHARE * length:
        return Edge.SEEN
    return Edge.HIDDEN if covered.sum() >= MIN_HIDDEN_SHARE * length else Edge.OUT
