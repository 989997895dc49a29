"""Windows, doors and curtains partly hidden: whether what is hidden of them follows from what is seen."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

import cv2
import numpy as np

from app.engine.arrays import Mask, grown, plane
from app.engine.removal.moves import Offset
from app.engine.removal.sheets import NEAREST, Box, Sheet

MOVES = 24
LEAST_AREA = 0.03
"""Square metres."""
CLEAR_SHARE = 0.12
"""Share of an edge that must be in view where a thing hides the rest of it, for the edge to be known."""
MOST_HIDDEN = 0.5
FRAME = 0.1
"""Metres around panes that belong to the window."""


class Kind(Enum):
    """What stays before or in a wall."""

    PANE = auto()
    DOOR = auto()
    HANGING = auto()


@dataclass(frozen=True, slots=True)
class Openings:
    """On a wall's sheet: what of openings is hidden but follows, and what is hidden and does not."""

    known: Mask
    follows: Mask
    doubtful: Mask
    moves: tuple[Offset, ...] = ()


def openings_on(sheet: Sheet, clear: Mask, masks: tuple[Mask, Mask, Mask], wanted: Mask) -> Openings:
    """The openings of a wall behind `wanted` (its sheet), by `masks` of the picture: windows, doors, curtains.

    `clear` is where the picture shows this wall, or what stays before it.
    """
    before = np.asarray((sheet.depth > NEAREST) & ~wanted)
    kinds = [np.asarray((sheet.taken(plane(each)) > 0.5) & before) for each in masks]
    follows, doubtful = np.zeros_like(wanted), np.zeros_like(wanted)
    moves: set[Offset] = set()
    near = grown(wanted, max(2, round(0.04 / sheet.cell)))
    for kind, part in zip(Kind, kinds, strict=True):
        for own, box in _parts(part, sheet.cell, near):
            hidden, around = _hidden(box, wanted, sheet.cell)
            if kind is Kind.HANGING:
                doubtful |= around & grown(np.asarray(own & near), 3) if _hangs_on(own, near, box, sheet) else False
            elif hidden < MOST_HIDDEN and _edges_follow(own[box], near[box], to_floor=kind is Kind.DOOR):
                follows |= around
                moves |= set(_moves(near[box]))
            else:
                doubtful |= around | np.asarray(grown(np.asarray(own & near), 6) & wanted)
    known = np.asarray((sheet.taken(plane(clear)) > 0.99) & before)
    return Openings(known, np.asarray(follows & ~doubtful), doubtful, tuple(sorted(moves)))


def _parts(seen: Mask, cell: float, near: Mask) -> Iterator[tuple[Mask, Box]]:
    """The openings that a thing touches, each with its box; panes apart by a bar are one."""
    gap = max(1, round(FRAME / cell))
    joined = cv2.morphologyEx(seen.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((2 * gap + 1, 2 * gap + 1), np.uint8))
    count, parts, boxes, _ = cv2.connectedComponentsWithStats(joined)
    for number in range(1, count):
        left, top, width, height, area = (int(each) for each in boxes[number])
        own = np.asarray(parts == number)
        if area * cell**2 > LEAST_AREA and (own & near).any():
            yield own, (slice(top, top + height), slice(left, left + width))


def _hidden(box: Box, wanted: Mask, cell: float) -> tuple[float, Mask]:
    """The share of an opening that is hidden, and what is hidden of it and of its frame."""
    rows, columns = box
    gap = max(1, round(FRAME / cell))
    frame = np.zeros_like(wanted)
    frame[max(0, rows.start - gap) : rows.stop + gap, max(0, columns.start - gap) : columns.stop + gap] = True
    return float(wanted[box].mean()), np.asarray(frame & wanted)


def _hangs_on(own: Mask, near: Mask, box: Box, sheet: Sheet) -> bool:
    """Whether this is cloth before the wall that a thing cuts off: tall, straight, hidden below over its width."""
    rows, columns = box
    tall = (rows.stop - rows.start) * sheet.cell
    filled = float(own[box].mean())
    # Rows are counted from the floor.
    foot = near[rows.start : rows.start + 3, columns].any(0).mean()
    return tall > 0.6 and filled > 0.65 and bool(foot > 0.6)


def _moves(hidden: Mask) -> list[Offset]:
    """Along the edges of which something is hidden: sills and heads go on level, jambs upright."""
    height, width = hidden.shape
    depth = max(2, round(0.06 * min(hidden.shape)))
    level = hidden[:depth].any() or hidden[-depth:].any()
    upright = hidden[:, :depth].any() or hidden[:, -depth:].any()
    across = _lengths(width) if level or not upright else []
    along = _lengths(height) if upright else []
    moves = [(0, sign * by) for by in across for sign in (1, -1)]
    return moves + [(sign * by, 0) for by in along for sign in (1, -1)]


def _lengths(longest: int) -> list[int]:
    return sorted({round(each) for each in np.linspace(2, longest, MOVES)})


def _edges_follow(own: Mask, covered: Mask, *, to_floor: bool) -> bool:
    """Whether each edge of an opening that is partly hidden is clear somewhere; a door ends at the floor."""
    depth = max(2, round(0.06 * min(own.shape)))
    first, last = slice(0, depth), slice(-depth, None)
    lines = [(own[last].any(0), covered[last].any(0))]
    lines += [(own[:, edge].any(1), covered[:, edge].any(1)) for edge in (first, last)]
    if not to_floor:
        lines.append((own[first].any(0), covered[first].any(0)))
    return all(not over.any() or (seen & ~over).mean() >= CLEAR_SHARE for seen, over in lines)
