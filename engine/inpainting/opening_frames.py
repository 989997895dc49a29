"""Draws the hidden parts of windows, doors and curtains on a rectified wall: frames, panes, cloth."""

from dataclasses import dataclass

import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.filters.morphology import dilate
from engine.geometry.rectified_plane import RectifiedPlane
from engine.inpainting.hidden_openings import OpeningHabits, complete_opening, is_continued
from engine.inpainting.openings import Opening, OpeningKind, Rect, Side, WallOpenings, find_box
from engine.inpainting.patch_offsets import InpaintingHole, Offset
from engine.inpainting.texture import inpaint

FRAME_INSIDE = 0.06
"""Width of the frame, in meters, inside an opening's edge."""
FRAME_OUTSIDE = 0.26
"""Width of frame, reveal and trim, in meters, outside an opening's edge."""
DRAWN_OUTSIDE = 0.14
"""Width of frame and trim, in meters, outside an opening's edge that is drawn."""
HANGING_MARGIN = 0.12
"""Margin around a hanging, in meters, that does not count as wall."""
MIN_FRAME_EDGE = 0.05
"""Minimum difference within EDGE_WIDTH (logarithms) at the outer edge of a frame; beyond it is wall."""
EDGE_WIDTH = 0.03
"""Meters within which the outer edge of a frame changes from frame to wall."""
MIN_PROFILE_CELLS = 8
"""Minimum number of visible cells, at one distance from the edge, from which the frame is measured there."""
OFFSET_LENGTHS = 24
"""Number of distances tried for copying content, from 2 cells to the hole's size."""
UNUSED_MIN_OFFSET = 3
"""Shortest offset, in cells: an argument that `inpaint` ignores here, because offsets are given."""


@dataclass(frozen=True, slots=True)
class CompletedOpenings:
    """The openings of a wall that are to be drawn (`made`), each with its whole rectangle.

    `doubtful` are the hidden cells around openings that cannot be completed.
    """

    wall: WallOpenings
    made: tuple[tuple[Opening, Rect], ...]
    doubtful: Mask

    @property
    def covered(self) -> Mask:
        """The cells of all openings and their frames. They do not show the surface of the wall."""
        found = np.zeros(self.wall.rectified.shape, bool)
        for each in self.wall.openings:
            margin = HANGING_MARGIN if each.kind is OpeningKind.HANGING else FRAME_OUTSIDE
            found |= dilate(each.own, max(1, round(margin / self.wall.rectified.cell)))
        return found


def complete_openings(wall: WallOpenings, habits: OpeningHabits) -> CompletedOpenings:
    """Complete the openings of a wall that things partly hide, if enough of them is visible.

    Parameters
    ----------
    wall : WallOpenings
        The wall and its openings.
    habits : OpeningHabits
        The room's openings that are models for partly hidden ones.

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
                box = find_box(each.rect, wall.rectified, FRAME_OUTSIDE)
                doubtful[box] |= wall.to_fill[box]
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
    hangings = np.zeros(wall.rectified.shape, bool)
    for each in wall.openings:
        if each.kind is OpeningKind.HANGING:
            hangings |= each.own
    visible = np.asarray(wall.clear & ~dilate(hangings, 2))
    for opening, rect in openings.made:
        if opening.kind is not OpeningKind.HANGING:
            _draw_frame(result, plane(own - smooth), smooth, (opening, rect, visible), wall)
            _draw_panes(result, own, (opening, rect, visible), wall)
    for opening, rect in openings.made:
        if opening.kind is OpeningKind.HANGING:
            _draw_curtain(result, own, opening, rect, wall)
    return result


_Part = tuple[Opening, Rect, Mask]
"""An opening, its whole rectangle, and the cells in which the wall and its openings are visible."""


def _measure_distance_outside(
    rect: Rect, rectified: RectifiedPlane, box: tuple[slice, slice]
) -> tuple[Plane, np.ndarray]:
    """For each cell of a box: meters outside the rectangle (negative inside), and the nearest edge."""
    up, across = rectified.up[box[0]][:, None], rectified.across[box[1]][None]
    distances = np.stack(
        np.broadcast_arrays(rect.left - across, across - rect.right, rect.low - up, up - rect.high)
    )
    return plane(distances.max(0)), distances.argmax(0)


def _draw_frame(result: Plane, residual: Plane, smooth: Plane, part: _Part, wall: WallOpenings) -> None:
    """Draw the hidden parts of a frame like the visible part of the same edge, the opposite edge or another one."""
    opening, rect, visible = part
    box = find_box(rect, wall.rectified, FRAME_OUTSIDE)
    outside, nearest = _measure_distance_outside(rect, wall.rectified, box)
    band = (outside > -FRAME_INSIDE) & (outside < DRAWN_OUTSIDE)
    depth = np.clip(
        ((outside + FRAME_INSIDE) / wall.rectified.cell).astype(int),
        0,
        int((FRAME_INSIDE + DRAWN_OUTSIDE) / wall.rectified.cell),
    )
    profiles = {
        side: _measure_frame_profile(
            residual[box],
            depth,
            np.asarray(band & (nearest == side) & visible[box]),
            max(1, round(EDGE_WIDTH / wall.rectified.cell)),
        )
        for side in Side
    }
    for side in Side:
        profile = next(
            (found for each in (side, side.opposite, *Side) if (found := profiles[each]) is not None), None
        )
        hidden = band & (nearest == side) & wall.to_fill[box]
        if profile is not None and hidden.any() and not (opening.kind is OpeningKind.DOOR and side is Side.LOW):
            result[box][hidden] = smooth[box][hidden] + profile[depth[hidden]]


def _measure_frame_profile(residual: Plane, depth: np.ndarray, visible: Mask, edge_width: int) -> Plane | None:
    """The frame's median difference from the wall (x 3) from inside to outside; None if too little is visible.

    The difference is 0 beyond the outermost edge, `edge_width` cells wide.
    """
    steps = int(depth.max()) + 1
    found, is_known = np.zeros((steps, 3), np.float32), np.zeros(steps, bool)
    values, places = residual[visible], depth[visible]
    for step in np.unique(places).tolist():
        here = values[places == step]
        if len(here) >= MIN_PROFILE_CELLS:
            found[step], is_known[step] = np.median(here, axis=0), True
    if is_known.mean() < 0.7:
        return None
    steps_known = np.flatnonzero(is_known)
    columns = [np.interp(np.arange(steps), steps_known, found[is_known, channel]) for channel in range(3)]
    profile = plane(np.column_stack(columns))
    steps_across = np.abs(profile[edge_width:] - profile[:-edge_width]).max(1)
    edges = np.flatnonzero(steps_across > MIN_FRAME_EDGE)
    profile[(edges[-1] if len(edges) else 0) + edge_width :] = 0
    return profile


def _draw_panes(result: Plane, own: Plane, part: _Part, wall: WallOpenings) -> None:
    """Fill the hidden part of the panes from their visible part, with the view and the bars."""
    opening, rect, visible = part
    box = find_box(rect, wall.rectified, FRAME_INSIDE)
    outside, _ = _measure_distance_outside(rect, wall.rectified, box)
    to_fill = np.asarray(wall.to_fill[box] & (outside <= 0))
    inside = np.asarray(opening.own[box] & visible[box])
    if not to_fill.any() or not inside.any():
        return
    drawn = np.asarray(wall.to_fill[box] & (outside > -FRAME_INSIDE) & (outside < 0))
    to_fill &= ~drawn
    if to_fill.any():
        result[box] = _fill_from(result[box], own[box], inside, to_fill, _list_offsets(to_fill, upright_only=False))


def _draw_curtain(result: Plane, own: Plane, opening: Opening, rect: Rect, wall: WallOpenings) -> None:
    """Continue a curtain straight down."""
    box = find_box(rect, wall.rectified)
    inside = opening.own[box]
    rows = np.arange(inside.shape[0])[:, None]
    lowest = np.where(inside.any(0), np.argmax(inside, axis=0), inside.shape[0])
    # Only columns that end at a thing are continued; in other columns the curtain itself ends, at its slanting
    # sides.
    is_cut = np.array([_is_cut_off(wall.to_fill[box][:, each], int(low)) for each, low in enumerate(lowest)])
    to_fill = np.asarray(wall.to_fill[box] & (rows < lowest) & is_cut)
    if to_fill.any():
        result[box] = _fill_from(result[box], own[box], inside, to_fill, _list_offsets(to_fill, upright_only=True))


def _is_cut_off(to_fill: Mask, lowest: int) -> bool:
    return lowest < len(to_fill) and bool(to_fill[max(0, lowest - 4) : lowest + 1].any())


def _fill_from(values: Plane, own: Plane, inside: Mask, to_fill: Mask, offsets: list[Offset]) -> Plane:
    source = np.asarray(inside & ~dilate(to_fill, 1))
    if not source.any():
        return values
    hole = InpaintingHole(plane(np.where(inside[..., None], own, values)), source, to_fill)
    return plane(np.where(to_fill[..., None], inpaint(hole, UNUSED_MIN_OFFSET, offsets), values))


def _list_offsets(to_fill: Mask, *, upright_only: bool) -> list[Offset]:
    """Vertical offsets and, unless `upright_only`, horizontal ones, along which bars and views continue."""
    lengths = [
        sorted({round(each) for each in np.linspace(2, longest, OFFSET_LENGTHS)}) for longest in to_fill.shape
    ]
    offsets = [(sign * by, 0) for by in lengths[0] for sign in (1, -1)]
    return offsets if upright_only else offsets + [(0, sign * by) for by in lengths[1] for sign in (1, -1)]
