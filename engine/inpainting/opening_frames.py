"""Draws the hidden parts of windows, doors and curtains on a rectified wall: frames, panes, cloth."""

from dataclasses import dataclass

import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.filters.morphology import dilate
from engine.geometry.rectified_plane import RectifiedPlane
from engine.inpainting.hidden_openings import OpeningHabits, complete_opening, is_continued
from engine.inpainting.openings import Opening, OpeningKind, Rect, Side, Walls, find_box
from engine.inpainting.patch_offsets import InpaintingHole, Offset
from engine.inpainting.texture import inpaint

INSIDE = 0.06
"""Meters inside an opening's edge that belong to its frame."""
OUTSIDE = 0.26
"""Meters outside an opening's edge that belong to its frame, reveal and trim."""
BESIDE_CLOTH = 0.12
"""Meters around a hanging that do not count as wall."""
LEAST_CELLS = 8
"""Least number of visible cells, at one distance from the edge, for the frame to be known there."""
MOVES = 24
"""Number of distances between 2 cells and the hole's size at which content is copied from."""
SEAM = 3
"""Shortest offset, in cells, for `inpaint`, which does not use it here because offsets are given."""


@dataclass(frozen=True, slots=True)
class CompletedOpenings:
    """A wall's openings to be drawn (`made`), each with its whole rectangle.

    `doubtful` are the hidden cells around openings that cannot be completed.
    """

    wall: Walls
    made: tuple[tuple[Opening, Rect], ...]
    doubtful: Mask

    @property
    def covered(self) -> Mask:
        """The cells of all openings and their frames, which are not the wall's own surface."""
        found = np.zeros(self.wall.rectified.shape, bool)
        for each in self.wall.openings:
            wide = BESIDE_CLOTH if each.kind is OpeningKind.HANGING else OUTSIDE
            found |= dilate(each.own, max(1, round(wide / self.wall.rectified.cell)))
        return found


def complete_openings(wall: Walls, habits: OpeningHabits) -> CompletedOpenings:
    """Complete the openings of a wall that things partly hide, if enough of them is seen.

    Parameters
    ----------
    wall : Walls
        The wall and its openings.
    habits : OpeningHabits
        The room's openings that are models for hidden ones.

    Returns
    -------
    CompletedOpenings
        The openings to be drawn, and the hidden cells around openings that cannot be completed.
    """
    made: list[tuple[Opening, Rect]] = []
    doubtful = np.zeros(wall.rectified.shape, bool)
    for each in wall.openings:
        if is_continued(each, wall):
            rect = complete_opening(each, wall, habits)
            if rect is None:
                box = find_box(each.rect, wall.rectified, OUTSIDE)
                doubtful[box] |= wall.wanted[box]
            else:
                made.append((each, rect))
    return CompletedOpenings(wall, tuple(made), doubtful)


def draw_openings(values: Plane, own: Plane, smooth: Plane, openings: CompletedOpenings) -> Plane:
    """Draw the hidden parts of a wall's openings: frames, panes, then curtains.

    Parameters
    ----------
    values : (h, w, 3) ndarray of float32
        The filled wall, in logarithms.
    own : (h, w, 3) ndarray of float32
        The wall as the photo shows it, in logarithms.
    smooth : (h, w, 3) ndarray of float32
        The wall's base layer, in logarithms: frames keep their difference from it.
    openings : CompletedOpenings
        The openings to be drawn.

    Returns
    -------
    (h, w, 3) ndarray of float32
        A copy of `values` with the openings; only cells to be filled differ.
    """
    result = values.copy()
    wall = openings.wall
    cloth = np.zeros(wall.rectified.shape, bool)
    for each in wall.openings:
        if each.kind is OpeningKind.HANGING:
            cloth |= each.own
    shown = np.asarray(wall.clear & ~dilate(cloth, 2))
    for opening, rect in openings.made:
        if opening.kind is not OpeningKind.HANGING:
            _frame(result, plane(own - smooth), smooth, (opening, rect, shown), wall)
            _panes(result, own, (opening, rect, shown), wall)
    for opening, rect in openings.made:
        if opening.kind is OpeningKind.HANGING:
            _cloth(result, own, opening, rect, wall)
    return result


_Part = tuple[Opening, Rect, Mask]
"""An opening, its whole rectangle, and where the wall and its openings are in view."""


def _outward(rect: Rect, rectified: RectifiedPlane, box: tuple[slice, slice]) -> tuple[Plane, np.ndarray]:
    """For each cell of a box: meters outside the rectangle (negative inside), and the nearest edge."""
    up, across = rectified.up[box[0]][:, None], rectified.across[box[1]][None]
    apart = np.stack(np.broadcast_arrays(rect.left - across, across - rect.right, rect.low - up, up - rect.high))
    return plane(apart.max(0)), apart.argmax(0)


def _frame(result: Plane, rest: Plane, smooth: Plane, part: _Part, wall: Walls) -> None:
    """Draw the hidden parts of a frame: each edge like its visible part, else like the opposite or another edge."""
    opening, rect, shown = part
    box = find_box(rect, wall.rectified, OUTSIDE)
    far, nearest = _outward(rect, wall.rectified, box)
    band = (far > -INSIDE) & (far < OUTSIDE)
    depth = np.clip(
        ((far + INSIDE) / wall.rectified.cell).astype(int), 0, int((INSIDE + OUTSIDE) / wall.rectified.cell)
    )
    profiles = {
        side: _profile(rest[box], depth, np.asarray(band & (nearest == side) & shown[box])) for side in Side
    }
    for side in Side:
        profile = next(
            (found for each in (side, side.opposite, *Side) if (found := profiles[each]) is not None), None
        )
        hidden = band & (nearest == side) & wall.wanted[box]
        if profile is not None and hidden.any() and not (opening.kind is OpeningKind.DOOR and side is Side.LOW):
            result[box][hidden] = smooth[box][hidden] + profile[depth[hidden]]


def _profile(rest: Plane, depth: np.ndarray, shown: Mask) -> Plane | None:
    """The frame's median difference from the wall (x 3) at each depth, inside out; None if too little is seen."""
    steps = int(depth.max()) + 1
    found, is_known = np.zeros((steps, 3), np.float32), np.zeros(steps, bool)
    values, places = rest[shown], depth[shown]
    for step in np.unique(places).tolist():
        here = values[places == step]
        if len(here) >= LEAST_CELLS:
            found[step], is_known[step] = np.median(here, axis=0), True
    if is_known.mean() < 0.7:
        return None
    steps_known = np.flatnonzero(is_known)
    columns = [np.interp(np.arange(steps), steps_known, found[is_known, channel]) for channel in range(3)]
    return plane(np.column_stack(columns))


def _panes(result: Plane, own: Plane, part: _Part, wall: Walls) -> None:
    """Continue the visible part of the panes, with the view and the bars, into their hidden part."""
    opening, rect, shown = part
    box = find_box(rect, wall.rectified, INSIDE)
    far, _ = _outward(rect, wall.rectified, box)
    wanted = np.asarray(wall.wanted[box] & (far <= 0))
    inside = np.asarray(opening.own[box] & shown[box])
    if not wanted.any() or not inside.any():
        return
    drawn = np.asarray(wall.wanted[box] & (far > -INSIDE) & (far < 0))
    wanted &= ~drawn
    if wanted.any():
        result[box] = _fill(result[box], own[box], inside, wanted, _moves(wanted, upright_only=False))


def _cloth(result: Plane, own: Plane, opening: Opening, rect: Rect, wall: Walls) -> None:
    """Continue a curtain straight down."""
    box = find_box(rect, wall.rectified)
    inside = opening.own[box]
    rows = np.arange(inside.shape[0])[:, None]
    lowest = np.where(inside.any(0), np.argmax(inside, axis=0), inside.shape[0])
    # Only columns that a thing cuts off: at its slanting sides the curtain ends by itself.
    cut = np.array([_cut_below(wall.wanted[box][:, each], int(low)) for each, low in enumerate(lowest)])
    wanted = np.asarray(wall.wanted[box] & (rows < lowest) & cut)
    if wanted.any():
        result[box] = _fill(result[box], own[box], inside, wanted, _moves(wanted, upright_only=True))


def _cut_below(wanted: Mask, lowest: int) -> bool:
    return lowest < len(wanted) and bool(wanted[max(0, lowest - 4) : lowest + 1].any())


def _fill(values: Plane, own: Plane, inside: Mask, wanted: Mask, moves: list[Offset]) -> Plane:
    source = np.asarray(inside & ~dilate(wanted, 1))
    if not source.any():
        return values
    hole = InpaintingHole(plane(np.where(inside[..., None], own, values)), source, wanted)
    return plane(np.where(wanted[..., None], inpaint(hole, SEAM, moves), values))


def _moves(wanted: Mask, *, upright_only: bool) -> list[Offset]:
    """Vertical offsets and, unless `upright_only`, horizontal ones, along which bars and views continue."""
    lengths = [sorted({round(each) for each in np.linspace(2, longest, MOVES)}) for longest in wanted.shape]
    moves = [(sign * by, 0) for by in lengths[0] for sign in (1, -1)]
    return moves if upright_only else moves + [(0, sign * by) for by in lengths[1] for sign in (1, -1)]
