"""Completes windows, doors and curtains that things partly hide.

A window or a door is an upright rectangle. An edge stays where it is if any part of it is seen. A hidden edge is
put where the room's other windows have the same edge, else where most rooms have it, and never where the wall is
seen.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from engine.inpainting.openings import Edge, Opening, OpeningKind, Rect, Side, Walls, find_box

CLEAR_SHARE = 0.12
"""Share of a row below an opening that shows the wall, above which the opening has ended."""
MOST_HIDDEN = 0.85
"""Most hidden share of an opening with a visible left or right edge for it to be completed."""
MOST_UNBOUND = 0.65
"""Most hidden share of an opening without such an edge for it to be completed."""
SAME_HEAD = 0.15
"""Difference of two windows' heads, in meters, below which their sills have the same height, too."""
SILLS = (0.9, 0.4)
"""Usual heights of sills above the floor, in meters."""
NEAR_FLOOR = 0.38
"""Height, in meters: panes seen lower than this reach down to the floor."""
ON_FLOOR = 0.05
"""Height, in meters, of the lower edge of panes that reach down to the floor; also a tolerance of lower edges."""
HEAD = 2.1
"""Usual height of an opening's head above the floor, in meters."""
DOOR_WIDTH = 0.85
"""Usual width of a door, in meters."""
TALL_CLOTH = 0.6
"""Least height, in meters, of a hanging that counts as a curtain."""
CLOTH_SHARE = 0.5
"""Share of its box above which a hanging fills enough of it to count as a curtain."""
UNSEEN_JAMB = 0.04
"""Least distance, in meters, of a hidden left or right edge from the visible part of the opening."""


@dataclass(frozen=True, slots=True)
class OpeningHabits:
    """The rectangles of a room's windows and curtains (`cloths`) whose lower and upper edges are both seen."""

    windows: tuple[Rect, ...] = ()
    cloths: tuple[Rect, ...] = ()


def learn_habits(walls: Iterable[Walls]) -> OpeningHabits:
    """Collect the openings whose lower and upper edges are both seen, as models for hidden openings.

    Parameters
    ----------
    walls : Iterable of Walls
        The walls of one room, with what is seen of their openings.

    Returns
    -------
    OpeningHabits
        The rectangles of windows and of curtains.
    """
    every = [each for wall in walls for each in wall.openings]
    whole = [each for each in every if each.edges[Side.LOW] is each.edges[Side.HIGH] is Edge.SEEN]
    windows = tuple(each.rect for each in whole if each.kind is OpeningKind.PANE)
    return OpeningHabits(windows, tuple(each.rect for each in whole if _is_cloth(each)))


def complete_opening(opening: Opening, wall: Walls, habits: OpeningHabits) -> Rect | None:
    """The whole rectangle of an opening that things partly hide.

    A hanging is continued down to where the room's other curtains end, else to the floor.

    Parameters
    ----------
    opening : Opening
        What is seen of the opening.
    wall : Walls
        The wall it is in.
    habits : OpeningHabits
        The room's openings that are models for hidden ones.

    Returns
    -------
    Rect or None
        The rectangle in meters; None if too much of it is hidden.
    """
    rect = _continue_edges(opening, habits)
    if opening.kind is OpeningKind.HANGING:
        return rect
    rect = _clip_to_wall(rect, opening, wall)
    hidden = float(wall.wanted[find_box(rect, wall.rectified)].mean())
    bound = Edge.SEEN in opening.edges[:2]
    return rect if hidden <= (MOST_HIDDEN if bound else MOST_UNBOUND) else None


def is_continued(opening: Opening, wall: Walls) -> bool:
    """Whether a part of the opening is hidden and has to be filled.

    Parameters
    ----------
    opening : Opening
        What is seen of the opening.
    wall : Walls
        The wall it is in.

    Returns
    -------
    bool
        True for a hanging only if it is a curtain whose lower edge is hidden.
    """
    if opening.kind is OpeningKind.HANGING:
        return _is_cloth(opening) and opening.edges[Side.LOW] is Edge.HIDDEN
    return opening.touched or bool(wall.wanted[find_box(opening.rect, wall.rectified)].any())


def _is_cloth(opening: Opening) -> bool:
    if opening.kind is not OpeningKind.HANGING or opening.rect.high - opening.rect.low < TALL_CLOTH:
        return False
    rows, columns = opening.own.any(1), opening.own.any(0)
    return bool(opening.own.sum() > CLOTH_SHARE * rows.sum() * columns.sum())


def _continue_edges(opening: Opening, habits: OpeningHabits) -> Rect:
    """The rectangle with each hidden edge at its most likely place."""
    rect, hidden = opening.rect, [each is Edge.HIDDEN for each in opening.edges]
    if hidden[Side.LOW]:
        rect = replace(rect, low=min(rect.low, _lowest(opening, habits)))
    if hidden[Side.HIGH]:
        heads = [each.high for each in habits.windows] or [HEAD]
        rect = replace(rect, high=max(rect.high, heads[0]))
    width = DOOR_WIDTH if opening.kind is OpeningKind.DOOR else 0.0
    if hidden[Side.LEFT]:
        rect = replace(rect, left=min(rect.left - UNSEEN_JAMB, rect.right - width))
    if hidden[Side.RIGHT]:
        rect = replace(rect, right=max(rect.right + UNSEEN_JAMB, rect.left + width))
    return rect


def _lowest(opening: Opening, habits: OpeningHabits) -> float:
    """The most likely height of a hidden lower edge above the floor, in meters."""
    rect = opening.rect
    if opening.kind is OpeningKind.DOOR:
        return 0.0
    if opening.kind is OpeningKind.HANGING:
        feet = [each.low for each in habits.cloths if each.low < rect.low + ON_FLOOR]
        return feet[0] if feet else 0.0
    alike = [each for each in habits.windows if abs(each.high - rect.high) < SAME_HEAD]
    alike = [each for each in alike if each.low < rect.low + ON_FLOOR]
    if alike:
        return min(alike, key=lambda each: abs(each.high - rect.high)).low
    if rect.low < NEAR_FLOOR:
        return ON_FLOOR
    return next((each for each in SILLS if each <= rect.low), rect.low)


def _clip_to_wall(rect: Rect, opening: Opening, wall: Walls) -> Rect:
    """The rectangle, ending above the rows below its visible part in which the wall is in view."""
    seen, rectified = opening.rect, wall.rectified
    plain = wall.clear & ~opening.own
    if opening.edges[Side.LOW] is Edge.HIDDEN and rect.low < seen.low:
        rows, _ = find_box(Rect(seen.left, seen.right, rect.low, seen.low), rectified)
        _, columns = find_box(seen, rectified)
        shown = np.flatnonzero(plain[rows, columns].mean(1) > CLEAR_SHARE)
        if len(shown):
            rect = replace(rect, low=rectified.low + (rows.start + int(shown[-1]) + 1) * rectified.cell)
    return rect
