"""Finds the share of a surface that hints outline: traced along its edges, without what is before it."""

from collections.abc import Mapping

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.canvas import Declined
from engine.filters.morphology import dilate
from engine.filters.smoothing import gaussian_blur
from engine.materials.outlined_skirting import find_outlined_skirting
from engine.materials.regions import MIN_SHARES, explain_missing
from engine.materials.unlike_pieces import find_unlike_pieces
from engine.segmentation.hinted_surfaces import SURFACES, draw_polygons, draw_surface
from engine.segmentation.labels import Label
from engine.segmentation.scene import Scene
from engine.segmentation.straight_borders import straighten_polygon
from engine.segmentation.traced_outlines import TOLERANCE, trace_outline
from engine.types.enhancements import ChangeType
from engine.types.hints import HintedSurface, MaskHint, SurfaceHint
from engine.types.report import Reason

HINTED: Mapping[ChangeType, HintedSurface] = {
    ChangeType.FLOOR: HintedSurface.FLOOR,
    ChangeType.WALLS: HintedSurface.WALL,
    ChangeType.CABINETS: HintedSurface.CABINET,
    ChangeType.COUNTERTOPS: HintedSurface.WORKTOP,
    ChangeType.BACKSPLASH: HintedSurface.BACKSPLASH,
}
"""The hint that outlines the surface of each change."""
CLOSED = (
    Label.PICTURE, Label.MIRROR, Label.CURTAIN, Label.APPLIANCE, Label.RUG, Label.BED, Label.SOFA, Label.SANITARY,
)  # fmt: skip
"""Things without gaps that hang on or stand before surfaces; an outline drawn in seconds goes over them."""
PIERCED = (Label.CHAIR, Label.TABLE, Label.FURNITURE, Label.PLANT, Label.CLUTTER, Label.FIXTURE)
"""Things through which the surface behind may be seen: between the legs of chairs, and among leaves."""
SET_IN = (Label.SANITARY, Label.FIXTURE)
"""What is set into worktops; it may have their color."""
MIN_SET_IN = 0.3
"""Share of these labels from which on a pixel of a worktop shows them: a sink is small for the net."""
MAX_SET_IN = 0.25
"""Share of a worktop from which on the net took its top for a sink."""
EDGE_SIGMA = 0.8
"""Sigma, in pixels, of the blur that makes the edges of outlines even."""


def find_told_share(kind: ChangeType, scene: Scene, small: Plane, heights: Plane | None = None) -> Plane | None:
    """Find the share of an outlined surface in each pixel, without things on it or before it.

    Parameters
    ----------
    kind : ChangeType
        FLOOR, WALLS, CABINETS, COUNTERTOPS or BACKSPLASH.
    scene : Scene
        The photo with its hints.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    heights : (h, w) ndarray of float32, or None, optional
        Height above the floor of each pixel on the walls, in meters; without it, walls go down to the floor.

    Returns
    -------
    (h, w) ndarray of float32, or None
        0-1; None if the hints do not outline it.

    Raises
    ------
    Declined
        SURFACE_NOT_FOUND, if the surface covers less than MIN_SHARES.
    """
    surfaces = scene.hints.surfaces
    hint = surfaces.get(HINTED[kind])
    if hint is None:
        return None
    height, width = small.shape[:2]
    if not isinstance(hint, MaskHint):
        hint = tuple(straighten_polygon(each, small) for each in hint)
    inside = draw_surface(hint, width, height) > 0
    taken, over = np.zeros_like(inside), False
    for each in SURFACES:
        over |= each is HINTED[kind]
        if each in surfaces and each is not HINTED[kind]:
            drawn = draw_surface(surfaces[each], width, height) > 0
            taken |= drawn
            # Later surfaces are drawn over earlier ones: a window over its wall.
            inside &= ~drawn if over else inside
    share = trace_outline(inside, taken, small) if inside.any() else plane(inside)
    if kind is ChangeType.WALLS and heights is not None:
        share = plane(share * ~find_outlined_skirting(share, small, heights))
    if kind is not ChangeType.CABINETS:
        closed, pierced = (np.asarray(scene.label_share(*some) > 0.5) for some in (CLOSED, PIERCED))
        closed = trace_outline(closed, np.zeros_like(closed), small) > 0.5 if closed.any() else closed
        for part in _split_by_outline(hint, share):
            unlike = find_unlike_pieces(
                part,
                small,
                closed,
                pierced,
                alone=kind is not ChangeType.FLOOR,
                cornered=kind is ChangeType.WALLS,
            )
            share = plane(share * ~unlike)
            if kind is ChangeType.COUNTERTOPS:
                share = plane(share * ~find_set_in(part, scene.label_share(*SET_IN)))
    share = gaussian_blur(share, EDGE_SIGMA)
    if float(share.mean()) < MIN_SHARES[kind]:
        raise Declined(Reason.SURFACE_NOT_FOUND, explain_missing(kind))
    return share


def find_set_in(part: Mask, likely: Plane) -> Mask:
    """Find sinks within a worktop, which may have its color.

    Parameters
    ----------
    part : (h, w) ndarray of bool
        The worktop within one outline.
    likely : (h, w) ndarray of float32
        The net's share of sinks and taps in each pixel, 0-1.

    Returns
    -------
    (h, w) ndarray of bool
        Where they are.
    """
    _, numbers, stats, _ = cv2.connectedComponentsWithStats((part & (likely > MIN_SET_IN)).astype(np.uint8))
    small = stats[:, cv2.CC_STAT_AREA] < MAX_SET_IN * np.count_nonzero(part)
    small[0] = False
    return np.asarray(small[numbers])


def _split_by_outline(hint: SurfaceHint, share: Plane) -> list[Mask]:
    """The surface within and beside each outline: each may have a color of its own."""
    left = np.asarray(share > 0.5)
    if isinstance(hint, MaskHint):
        count, numbers = cv2.connectedComponents(left.astype(np.uint8))
        return [np.asarray(numbers == number) for number in range(1, count)]
    drawn = [draw_polygons((polygon,), *share.shape[::-1]) > 0 for polygon in hint]
    parts = []
    for number, each in enumerate(drawn):
        others = np.logical_or.reduce([np.zeros_like(each), *drawn[:number], *drawn[number + 1 :]])
        parts.append(np.asarray(left & (each | (dilate(each, TOLERANCE) & ~others))))
    return parts
