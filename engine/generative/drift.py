"""The drift gate: checks that an edit shows the same room from the same viewpoint.

The gate compares the sRGB picture that was sent with the part of the answer that shows the photo. View, lines,
edges and openings are compared at a long side of at most GATE_SIDE.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import dilate, erode
from engine.generative.block_matching import match_blocks
from engine.generative.edit_comparison import EditComparison
from engine.geometry.lines import Gradients, detect_lines, measure_kept_lines
from engine.quality.limits import Limit, make_figure
from engine.quality.openings import count_new_openings
from engine.quality.structure import measure_kept_edges
from engine.segmentation.scene import shrink_to
from engine.types.figures import FigureCode
from engine.types.report import Figure, Reason

GATE_SIDE = 768
"""Longest side, in pixels, of the pictures that are compared."""
MAX_BLOCK_MOVE = 0.0011
"""Largest movement of a part that counts as in place, as a share of the long side: 0.8 pixels at GATE_SIDE."""
MIN_LINE_LENGTH = 0.08
"""Least length, as a share of the long side, of a straight line that is compared."""
ABOVE_FURNITURE = 0.45
"""Share of the height, from the top, in which most lines belong to the room: walls, ceiling, windows, doors."""

BLENDED_WIDTH = 0.01
"""Distance outside a region, as a share of the long side, from which a change counts as crossing its edge.

Closer changes are normal, because models blend new content into its surroundings.
"""
MIN_DIFFERENCE = 12.0
"""Least mean difference, in levels over 3 x 3 pixels, for a changed pixel to count at the region's edge.

Pixels that differ less are in closed gaps between two changes.
"""
MIN_EDGE_GRADIENT = 0.03
"""Least change of luma per pixel for an edge to count; weaker edges may be grain, which models remove."""

LIMITS: Mapping[str, Limit] = {
    # Some servers round sizes to 16 pixels or so; cropping to a common shape removes 10 % and more.
    FigureCode.ANSWER_SHAPE_ERROR: Limit(Reason.SIZE_CHANGED, maximum=0.02),
    FigureCode.ANSWER_TONAL_VARIETY: Limit(Reason.BLANK, minimum=4),
    # About the size of three cups on a table; a smaller change is not worth its price.
    FigureCode.EDITED_SHARE: Limit(Reason.NOT_CHANGED, minimum=0.003),
    FigureCode.EDITED_SHARE_AT_MOST: Limit(Reason.TOO_MUCH_CHANGED, maximum=0.95),
    # Real edits keep 0.5 to 0.7 of the parts, another picture 0.02.
    FigureCode.PARTS_FOUND: Limit(Reason.STRUCTURE_CHANGED, minimum=0.25),
    # Real edits leave 0.98 and more of the parts in place; a zoom of 1 % or a shift of 0.3 % leaves 0 to 0.4.
    FigureCode.PARTS_IN_PLACE: Limit(Reason.DRIFTED, minimum=0.6),
    # Real edits keep 0.93 and more of the upper lines; replacing a wall with its windows keeps 0 to 0.4.
    FigureCode.LONG_LINES_KEPT: Limit(Reason.STRUCTURE_CHANGED, minimum=0.6),
    FigureCode.FIXED_EDGES_KEPT: Limit(Reason.STRUCTURE_CHANGED, minimum=0.6),
    FigureCode.NEW_OPENINGS: Limit(Reason.OPENING_ADDED, maximum=0),
    # The cord of a lamp may cross the edge, but not the top of a wardrobe.
    FigureCode.REGION_EDGE_CUT: Limit(Reason.CUT_OFF, maximum=0.02),
}
OBJECT_LIMITS: Mapping[str, Limit] = {FigureCode.EDITED_SHARE_AT_MOST: Limit(Reason.TOO_MUCH_CHANGED, maximum=0.6)}
"""Limits for edits of single objects, which must leave most of the picture unchanged."""
MIN_SHARE_OF_HINTED = 0.1
"""Least share of the region of hinted things that an edit must change, if the limit for the picture is higher."""
REMOVAL_LIMITS: Mapping[str, Limit] = {FigureCode.LONG_LINES_KEPT: Limit(Reason.STRUCTURE_CHANGED, minimum=0.5)}
"""Limits for the removal of furniture: the long lines of tall furniture disappear with it."""
RENOVATION_LIMITS: Mapping[str, Limit] = {FigureCode.LONG_LINES_KEPT: Limit(Reason.STRUCTURE_CHANGED, minimum=0.45)}
"""Limits for renovation: lines of cabinets and walls may change, lines of corners and windows must stay."""
NEW_OPENING_LIMITS: Mapping[str, Limit] = {
    **RENOVATION_LIMITS,
    FigureCode.NEW_OPENINGS: Limit(Reason.OPENING_ADDED),
}
"""Limits where the customer may have asked for a new door: openings are counted but not limited."""


def fit_to_hinted_things(limits: Mapping[str, Limit], editable: Plane) -> Mapping[str, Limit]:
    """Adapt limits to things that hints outline, which are removed even if they are small.

    Parameters
    ----------
    limits : Mapping of str to Limit
        The limits that replace some of LIMITS.
    editable : (h, w) ndarray of float32
        1 where the things and their surroundings are, else 0.

    Returns
    -------
    Mapping of str to Limit
        With a lower limit for EDITED_SHARE where the region is small.
    """
    least = min(LIMITS[FigureCode.EDITED_SHARE].minimum or 0, MIN_SHARE_OF_HINTED * float(editable.mean()))
    return {**limits, FigureCode.EDITED_SHARE: Limit(Reason.NOT_CHANGED, minimum=least)}


@dataclass(frozen=True, slots=True)
class Gate:
    """The limits of an edit. `editable` (h, w; 0-1): what may change; `overrides` replaces some LIMITS."""

    editable: Plane
    overrides: Mapping[str, Limit] = field(default_factory=dict)

    def measure_shape(self, shape_error: float) -> Figure:
        """The figure for the shape of an answer.

        Parameters
        ----------
        shape_error : float
            The relative difference between the answer's aspect ratio and the frame's.

        Returns
        -------
        Figure
            The value, and whether it is within the limit.
        """
        return self._figure(FigureCode.ANSWER_SHAPE_ERROR, shape_error)

    def measure(self, sent: Pixels, edit: Pixels, comparison: EditComparison) -> tuple[Figure, ...]:
        """All figures of an edit except the one for its shape.

        Parameters
        ----------
        sent : (h, w, 3) ndarray of uint8
            The picture that was sent, gamma-coded sRGB.
        edit : (h, w, 3) ndarray of uint8
            Its edit, gamma-coded sRGB, before its tone is matched.
        comparison : EditComparison
            The comparison of the two.

        Returns
        -------
        tuple of Figure
            The most obvious faults first.
        """
        before, after = shrink_to(sent, GATE_SIDE), shrink_to(edit, GATE_SIDE)
        gray_before, gray_after = _to_gray(before), _to_gray(after)
        blocks = match_blocks(gray_before, gray_after)
        kept = erode(np.asarray(_shrink_plane(self.editable, before.shape) < 0.5, dtype=np.bool_), 3)
        changed = np.asarray(comparison.changed > 0.5, dtype=np.bool_)
        editable = np.asarray(self.editable > 0.5, dtype=np.bool_)
        values = {
            FigureCode.ANSWER_TONAL_VARIETY: float(after.std()),
            # Changes outside `editable` are not pasted into the photo.
            FigureCode.EDITED_SHARE: float((changed & editable).mean()),
            FigureCode.EDITED_SHARE_AT_MOST: comparison.share,
            FigureCode.PARTS_FOUND: blocks.found_share,
            FigureCode.PARTS_IN_PLACE: blocks.measure_in_place(MAX_BLOCK_MOVE * max(before.shape)),
            FigureCode.LONG_LINES_KEPT: measure_kept_lines(_detect_room_lines(before), Gradients(gray_after)),
            FigureCode.FIXED_EDGES_KEPT: measure_kept_edges(gray_before, gray_after, kept, MIN_EDGE_GRADIENT),
            FigureCode.REGION_EDGE_CUT: measure_cut_edge(
                np.asarray(changed & _find_different(sent, comparison.edit)), editable
            ),
            FigureCode.NEW_OPENINGS: float(count_new_openings(before, after)),
        }
        return tuple(self._figure(name, value) for name, value in values.items())

    def _figure(self, name: str, value: float) -> Figure:
        return make_figure(name, value, {**LIMITS, **self.overrides})


def measure_cut_edge(changed: Mask, editable: Mask) -> float:
    """The share of the region's edge that an edit crosses.

    The edge's length is taken as at least the picture's width, so that a cut-off object has the same weight at a
    small region as at the top of a large region.

    Parameters
    ----------
    changed : (h, w) ndarray of bool
        Where the edit changed the picture.
    editable : (h, w) ndarray of bool
        The region: where the picture may change.

    Returns
    -------
    float
        0-1; 0 where the region is empty or the whole picture.
    """
    if editable.all() or not editable.any():
        return 0.0
    reach = max(4, round(BLENDED_WIDTH * max(editable.shape)))
    within, beyond = editable & dilate(~editable, reach), dilate(editable, 2 * reach) & ~dilate(editable, reach)
    crossing = changed & within & dilate(changed & beyond, 2 * reach)
    # Both bands are `reach` wide, so that area is proportional to length in any direction of the edge.
    return float(crossing.sum() / max(within.sum(), reach * editable.shape[1]))


def _find_different(sent: Pixels, edit: Pixels) -> Mask:
    difference = cv2.absdiff(sent, edit).max(-1).astype(np.float32)
    return np.asarray(cv2.blur(difference, (3, 3)) > MIN_DIFFERENCE)


def _shrink_plane(values: Plane, shape: tuple[int, ...]) -> Plane:
    """A plane resized to a smaller picture's `shape`."""
    return plane(cv2.resize(values, (shape[1], shape[0]), interpolation=cv2.INTER_AREA))


def _detect_room_lines(picture: Pixels) -> Plane:
    gray = np.asarray(np.rint(_to_gray(picture) * 255), dtype=np.uint8)
    lines = detect_lines(gray, MIN_LINE_LENGTH * max(gray.shape))
    above = (lines[:, 1] + lines[:, 3]) / 2 < ABOVE_FURNITURE * gray.shape[0]
    return plane(lines[above])


def _to_gray(picture: Pixels) -> Plane:
    return rgb_to_gray(plane(picture) / np.float32(255))
