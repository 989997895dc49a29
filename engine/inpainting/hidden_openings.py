"""Completes windows, doors and curtains that things partly hide.

A window or a door is an upright rectangle. An edge that is partly visible stays where it is. A hidden edge is put
where the room's other windows have this edge, else where most rooms have it, but never where the wall is visible.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from engine.inpainting.openings import Edge, Opening, OpeningKind, Rect, Side, WallOpenings, find_box

MIN_WALL_SHARE = 0.12
"""Minimum share of a row that shows the wall if the row is below the end of an opening."""
MAX_HIDDEN = 0.85
"""Maximum hidden share of an opening that is completed, if its left or right edge is visible."""
MAX_HIDDEN_WITHOUT_SIDE = 0.65
"""Maximum hidden share of an opening that is completed, if neither its left nor its right edge is visible."""
MAX_HEAD_DIFFERENCE = 0.15
"""Two windows whose heads differ by less, in meters, are taken to have the same sill height."""
SILL_HEIGHTS = (0.9, 0.4)
"""Usual heights of sills above the floor, in meters."""
MAX_FLOOR_GAP = 0.38
"""Height, in meters; panes that are visible below it are taken to reach down to the floor."""
FLOOR_GAP = 0.05
"""Height, in meters, of the lower edge of panes that reach the floor; also a tolerance of lower edges."""
HEAD_HEIGHT = 2.1
"""Usual height of an opening's head above the floor, in meters."""
DOOR_WIDTH = 0.85
"""Usual width of a door, in meters."""
MIN_CLOTH_HEIGHT = 0.6
"""Minimum height, in meters, of a hanging that counts as a curtain."""
MIN_CLOTH_SHARE = 0.5
"""Minimum share of its bounding box that a hanging fills if it counts as a curtain."""
MIN_FREE_END = 0.05
"""Minimum width, in meters, of the visible lower end of a curtain below which the wall is visible."""
MAX_WINDOW_GAP = 0.15
"""Maximum distance, in meters, from a curtain to its window; pictures hang farther away."""
MIN_LONE_HEIGHT = 1.0
"""Minimum height, in meters, of a curtain in front of a hidden window; it hangs from HEAD_HEIGHT or above."""
HIDDEN_EDGE_GAP = 0.04
"""Minimum distance, in meters, from the visible part of an opening to its hidden left or right edge."""


@dataclass(frozen=True, slots=True)
class OpeningHabits:
    """The rectangles of a room's windows and hangings at windows whose lower and upper edges are both visible."""

    windows: tuple[Rect, ...] = ()
    curtains: tuple[Rect, ...] = ()


def learn_habits(walls: Iterable[WallOpenings]) -> OpeningHabits:
    """Collect the openings whose lower and upper edges are both visible, as models for partly hidden ones.

    Parameters
    ----------
    walls : Iterable of WallOpenings
        The walls of one room, with the visible parts of their openings.

    Returns
    -------
    OpeningHabits
        The rectangles of windows and of curtains.
    """
    openings = [(each, wall) for wall in walls for each in wall.openings]
    complete = [pair for pair in openings if pair[0].edges[Side.LOW] is pair[0].edges[Side.HIGH] is Edge.SEEN]
    windows = tuple(each.rect for each, _ in complete if each.kind is OpeningKind.PANE)
    # Curtains that are tied to one side count too, because their lower end is known although they are no
    # rectangles.
    return OpeningHabits(windows, tuple(each.rect for each, wall in complete if _hangs_at_window(each, wall)))


def complete_opening(opening: Opening, wall: WallOpenings, habits: OpeningHabits) -> Rect | None:
    """Estimate the whole rectangle of an opening that things partly hide.

    A hanging is continued down to the height at which the room's other curtains end, else to the floor.

    Parameters
    ----------
    opening : Opening
        The opening, as far as it is visible.
    wall : WallOpenings
        The wall that has the opening.
    habits : OpeningHabits
        The room's openings that are models for partly hidden ones.

    Returns
    -------
    Rect or None
        The rectangle in meters; None if too much of it is hidden.
    """
    rect = _continue_edges(opening, habits)
    if opening.kind is OpeningKind.HANGING:
        return rect
    rect = _clip_to_wall(rect, opening, wall)
    hidden = float(wall.to_fill[find_box(rect, wall.rectified)].mean())
    has_side = Edge.SEEN in opening.edges[:2]
    return rect if hidden <= (MAX_HIDDEN if has_side else MAX_HIDDEN_WITHOUT_SIDE) else None


def is_continued(opening: Opening, wall: WallOpenings) -> bool:
    """Whether a part of the opening is hidden and has to be filled.

    Parameters
    ----------
    opening : Opening
        The opening, as far as it is visible.
    wall : WallOpenings
        The wall that has the opening.

    Returns
    -------
    bool
        True for a hanging only if it is a curtain whose lower edge is hidden.
    """
    if opening.kind is OpeningKind.HANGING:
        is_cut = opening.edges[Side.LOW] is Edge.HIDDEN and not _has_free_end(opening, wall)
        return is_cut and _is_curtain(opening, wall)
    return opening.touched or bool(wall.to_fill[find_box(opening.rect, wall.rectified)].any())


def _is_curtain(opening: Opening, wall: WallOpenings) -> bool:
    height = opening.rect.high - opening.rect.low
    if opening.kind is not OpeningKind.HANGING or height < MIN_CLOTH_HEIGHT:
        return False
    rows, columns = opening.own.any(1), opening.own.any(0)
    if opening.own.sum() <= MIN_CLOTH_SHARE * rows.sum() * columns.sum():
        return False
    # Other hangings, such as pictures, end above the floor.
    is_high = opening.rect.high >= HEAD_HEIGHT and height >= MIN_LONE_HEIGHT
    return is_high or _hangs_at_window(opening, wall)


def _has_free_end(opening: Opening, wall: WallOpenings) -> bool:
    """Whether the wall is visible right below the lowest part of a hanging, so that no thing hides its end."""
    depth = max(2, round(FLOOR_GAP / wall.rectified.cell))
    low = int(np.flatnonzero(opening.own.any(1))[0])
    lowest = opening.own[low : low + depth].any(0)
    below = (wall.clear & ~opening.own)[max(0, low - depth) : low]
    if not len(below):
        return False
    return bool(np.count_nonzero(lowest & (below.mean(0) > 0.5)) * wall.rectified.cell > MIN_FREE_END)


def _hangs_at_window(opening: Opening, wall: WallOpenings) -> bool:
    """Whether a hanging is beside or in front of a window or a door of its wall."""
    rect = opening.rect
    return opening.kind is OpeningKind.HANGING and any(
        max(other.rect.left - rect.right, rect.left - other.rect.right) < MAX_WINDOW_GAP
        and max(other.rect.low, rect.low) < min(other.rect.high, rect.high)
        for other in wall.openings
        if other.kind is not OpeningKind.HANGING
    )


def _continue_edges(opening: Opening, habits: OpeningHabits) -> Rect:
    """The rectangle with each hidden edge at its most likely place."""
    rect, hidden = opening.rect, [each is Edge.HIDDEN for each in opening.edges]
    if hidden[Side.LOW]:
        rect = replace(rect, low=min(rect.low, _estimate_low_edge(opening, habits)))
    if hidden[Side.HIGH]:
        heads = [each.high for each in habits.windows] or [HEAD_HEIGHT]
        rect = replace(rect, high=max(rect.high, heads[0]))
    width = DOOR_WIDTH if opening.kind is OpeningKind.DOOR else 0.0
    if hidden[Side.LEFT]:
        rect = replace(rect, left=min(rect.left - HIDDEN_EDGE_GAP, rect.right - width))
    if hidden[Side.RIGHT]:
        rect = replace(rect, right=max(rect.right + HIDDEN_EDGE_GAP, rect.left + width))
    return rect


def _estimate_low_edge(opening: Opening, habits: OpeningHabits) -> float:
    """The most likely height of a hidden lower edge above the floor, in meters."""
    rect = opening.rect
    if opening.kind is OpeningKind.DOOR:
        return 0.0
    if opening.kind is OpeningKind.HANGING:
        feet = [each.low for each in habits.curtains if each.low < rect.low + FLOOR_GAP]
        return feet[0] if feet else 0.0
    similar = [each for each in habits.windows if abs(each.high - rect.high) < MAX_HEAD_DIFFERENCE]
    similar = [each for each in similar if each.low < rect.low + FLOOR_GAP]
    if similar:
        return min(similar, key=lambda each: abs(each.high - rect.high)).low
    if rect.low < MAX_FLOOR_GAP:
        return FLOOR_GAP
    return next((each for each in SILL_HEIGHTS if each <= rect.low), rect.low)


def _clip_to_wall(rect: Rect, opening: Opening, wall: WallOpenings) -> Rect:
    """The rectangle, cut off above the lower rows in which the wall is visible instead of the opening."""
    seen, rectified = opening.rect, wall.rectified
    bare_wall = wall.clear & ~opening.own
    if opening.edges[Side.LOW] is Edge.HIDDEN and rect.low < seen.low:
        rows, _ = find_box(Rect(seen.left, seen.right, rect.low, seen.low), rectified)
        _, columns = find_box(seen, rectified)
        wall_rows = np.flatnonzero(bare_wall[rows, columns].mean(1) > MIN_WALL_SHARE)
        if len(wall_rows):
            rect = replace(rect, low=rectified.low + (rows.start + int(wall_rows[-1]) + 1) * rectified.cell)
    return rect
