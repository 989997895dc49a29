"""The drift gate: checks that an edit shows the same room from the same viewpoint.

The sRGB picture that was sent is compared with the part of the answer that shows the photo; view, lines, edges and
openings at a long side of at most GATE_SIDE.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import dilate, erode
from engine.generative.block_matching import match_blocks
from engine.generative.edit_comparison import Agreement
from engine.geometry.lines import Gradients, detect_lines, measure_kept_lines
from engine.quality.limits import Limit, make_figure
from engine.quality.openings import count_new_openings
from engine.quality.structure import measure_kept_edges
from engine.segmentation.scene import shrink_to
from engine.types.figures import FigureCode
from engine.types.report import Figure, Reason

GATE_SIDE = 768
"""Longest side, in pixels, of the pictures that are compared."""
STRAYED = 0.0011
"""Most that a part may have moved to count as in place, as a share of the long side: 0.8 pixels at GATE_SIDE."""
LONG_LINE = 0.08
"""Least length, as a share of the long side, for a straight line to count as one of the room's."""
ABOVE_FURNITURE = 0.45
"""Share of the height, from the top, in which most lines belong to the room: walls, ceiling, windows, doors."""

CROSSED = 0.01
"""Least distance outside a region, as a share of the long side, for a change to count as crossing its edge.

Changes closer to the edge are normal: models blend new content into its surroundings.
"""
MOVED = 12.0
"""Least mean difference, in levels over 3 x 3 pixels, for a changed pixel to count at the region's edge.

Pixels that differ less are gaps that were closed between two changes.
"""
PLAIN_EDGE = 0.03
"""Least change of luma a pixel for an edge to count; weaker edges may be grain, which models remove."""

SHAPE, VARIETY, CHANGED, REPAINTED, FOUND, IN_PLACE, LINES, EDGES, OPENINGS, CUT = (
    FigureCode.ANSWER_SHAPE_ERROR,
    FigureCode.ANSWER_TONAL_VARIETY,
    FigureCode.EDITED_SHARE,
    FigureCode.EDITED_SHARE_AT_MOST,
    FigureCode.PARTS_FOUND,
    FigureCode.PARTS_IN_PLACE,
    FigureCode.LONG_LINES_KEPT,
    FigureCode.FIXED_EDGES_KEPT,
    FigureCode.NEW_OPENINGS,
    FigureCode.REGION_EDGE_CUT,
)
LIMITS: Mapping[str, Limit] = {
    # Sizes are rounded to 16 pixels or so by some servers; cropping to a common shape takes 10 % and more.
    SHAPE: Limit(Reason.SIZE_CHANGED, maximum=0.02),
    VARIETY: Limit(Reason.BLANK, minimum=4),
    # A cup on a table is about 0.1 %; nobody pays for less than a few of them.
    CHANGED: Limit(Reason.NOT_CHANGED, minimum=0.003),
    REPAINTED: Limit(Reason.TOO_MUCH_CHANGED, maximum=0.95),
    # Real edits keep 0.5 to 0.7 of the parts, another picture 0.02.
    FOUND: Limit(Reason.STRUCTURE_CHANGED, minimum=0.25),
    # Real edits leave 0.98 and more of the parts in place; a zoom of 1 % or a shift of 0.3 % leaves 0 to 0.4.
    IN_PLACE: Limit(Reason.DRIFTED, minimum=0.6),
    # Real edits keep 0.93 and more of the upper lines; replacing a wall with its windows keeps 0 to 0.4.
    LINES: Limit(Reason.STRUCTURE_CHANGED, minimum=0.6),
    EDGES: Limit(Reason.STRUCTURE_CHANGED, minimum=0.6),
    OPENINGS: Limit(Reason.OPENING_ADDED, maximum=0),
    # A lamp's cord may cross; a wardrobe that loses its top may not.
    CUT: Limit(Reason.CUT_OFF, maximum=0.02),
}
MODEST: Mapping[str, Limit] = {REPAINTED: Limit(Reason.TOO_MUCH_CHANGED, maximum=0.6)}
"""Limits for edits of single objects: a customer who asks for a tidy table does not ask for new walls."""
EMPTYING: Mapping[str, Limit] = {LINES: Limit(Reason.STRUCTURE_CHANGED, minimum=0.5)}
"""Limits for the removal of furniture: the long lines of tall furniture disappear with it."""
REBUILDING: Mapping[str, Limit] = {LINES: Limit(Reason.STRUCTURE_CHANGED, minimum=0.45)}
"""Limits for renovation: new cabinets and walls have other lines; the lines of corners and windows stay."""
UNBOUND: Mapping[str, Limit] = {**REBUILDING, OPENINGS: Limit(Reason.OPENING_ADDED)}
"""Limits where the customer may have asked for a new door: openings are counted but not limited."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The limits of an edit. `free` (h, w), 0-1: where the sent picture may change; `own` overrides LIMITS."""

    free: Plane
    own: Mapping[str, Limit] = field(default_factory=dict)

    def measure_shape(self, misshape: float) -> Figure:
        """The figure for the shape of an answer.

        Parameters
        ----------
        misshape : float
            By which share the answer's width over height differs from the frame's.

        Returns
        -------
        Figure
            The value, and whether it is within the limit.
        """
        return self._figure(SHAPE, misshape)

    def measure(self, sent: Pixels, edit: Pixels, seen: Agreement) -> tuple[Figure, ...]:
        """The figures of an edit, all except the one for its shape.

        Parameters
        ----------
        sent : (h, w, 3) ndarray of uint8
            The picture that was sent, gamma-coded sRGB.
        edit : (h, w, 3) ndarray of uint8
            The edit of it, gamma-coded sRGB, its tone not matched.
        seen : Agreement
            The comparison of the two.

        Returns
        -------
        tuple of Figure
            The most obvious faults first.
        """
        before, after = shrink_to(sent, GATE_SIDE), shrink_to(edit, GATE_SIDE)
        gray_before, gray_after = _gray(before), _gray(after)
        blocks = match_blocks(gray_before, gray_after)
        kept = erode(np.asarray(_shrink_plane(self.free, before.shape) < 0.5, dtype=np.bool_), 3)
        changed = np.asarray(seen.changed > 0.5, dtype=np.bool_)
        free = np.asarray(self.free > 0.5, dtype=np.bool_)
        values = {
            VARIETY: float(after.std()),
            # Changes outside `free` are not pasted into the photo.
            CHANGED: float((changed & free).mean()),
            REPAINTED: seen.share,
            FOUND: blocks.found,
            IN_PLACE: blocks.in_place(STRAYED * max(before.shape)),
            LINES: measure_kept_lines(_detect_room_lines(before), Gradients(gray_after)),
            EDGES: measure_kept_edges(gray_before, gray_after, kept, PLAIN_EDGE),
            CUT: measure_cut_edge(np.asarray(changed & _find_different(sent, seen.edit)), free),
            OPENINGS: float(count_new_openings(before, after)),
        }
        return tuple(self._figure(name, value) for name, value in values.items())

    def _figure(self, name: str, value: float) -> Figure:
        return make_figure(name, value, {**LIMITS, **self.own})


def measure_cut_edge(changed: Mask, free: Mask) -> float:
    """The share of the region's edge that an edit crosses.

    An edge counts as at least as long as the picture is wide, so that cutting off an object weighs as much at a
    small region as at the top of a large one.

    Parameters
    ----------
    changed : (h, w) ndarray of bool
        Where the edit changed the picture.
    free : (h, w) ndarray of bool
        The region: where the picture may change.

    Returns
    -------
    float
        0-1; 0 where the region is empty or the whole picture.
    """
    if free.all() or not free.any():
        return 0.0
    reach = max(4, round(CROSSED * max(free.shape)))
    within, beyond = free & dilate(~free, reach), dilate(free, 2 * reach) & ~dilate(free, reach)
    crossing = changed & within & dilate(changed & beyond, 2 * reach)
    # Both bands are `reach` wide, so that area is proportional to length, whichever way the edge runs.
    return float(crossing.sum() / max(within.sum(), reach * free.shape[1]))


def _find_different(sent: Pixels, edit: Pixels) -> Mask:
    difference = cv2.absdiff(sent, edit).max(-1).astype(np.float32)
    return np.asarray(cv2.blur(difference, (3, 3)) > MOVED)


def _shrink_plane(values: Plane, shape: tuple[int, ...]) -> Plane:
    """A plane resized to a smaller picture's `shape`."""
    return plane(cv2.resize(values, (shape[1], shape[0]), interpolation=cv2.INTER_AREA))


def _detect_room_lines(picture: Pixels) -> Plane:
    gray = np.asarray(np.rint(_gray(picture) * 255), dtype=np.uint8)
    lines = detect_lines(gray, LONG_LINE * max(gray.shape))
    above = (lines[:, 1] + lines[:, 3]) / 2 < ABOVE_FURNITURE * gray.shape[0]
    return plane(lines[above])


def _gray(picture: Pixels) -> Plane:
    return rgb_to_gray(plane(picture) / np.float32(255))
