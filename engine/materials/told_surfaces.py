"""Finds the share of a surface that hints outline: traced along its edges, without what is before it."""

from collections.abc import Mapping

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.canvas import Declined
from engine.filters.morphology import dilate
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
BEFORE: Mapping[ChangeType, tuple[Label, ...]] = {
    ChangeType.WALLS: (
        Label.PICTURE, Label.MIRROR, Label.LAMP, Label.CURTAIN, Label.PLANT, Label.APPLIANCE, Label.FIXTURE,
        Label.CLUTTER, Label.BED, Label.SOFA, Label.CHAIR, Label.TABLE, Label.FURNITURE, Label.SANITARY,
    ),
    ChangeType.FLOOR: (
        Label.RUG, Label.CHAIR, Label.TABLE, Label.BED, Label.SOFA, Label.FURNITURE, Label.PLANT, Label.CLUTTER,
    ),
    ChangeType.BACKSPLASH: (Label.APPLIANCE, Label.FIXTURE, Label.CLUTTER, Label.PLANT, Label.LAMP),
    ChangeType.COUNTERTOPS: (Label.APPLIANCE, Label.FIXTURE, Label.CLUTTER, Label.PLANT, Label.SANITARY),
}  # fmt: skip
"""What hangs on or stands before surfaces; an outline drawn in seconds goes over it."""
SET_IN = (Label.SANITARY, Label.FIXTURE)
"""What is set into worktops; it may have their color."""


def find_told_share(kind: ChangeType, scene: Scene, small: Plane) -> Plane | None:
    """Find the share of an outlined surface in each pixel, without things on it or before it.

    Parameters
    ----------
    kind : ChangeType
        FLOOR, WALLS, CABINETS, COUNTERTOPS or BACKSPLASH.
    scene : Scene
        The photo with its hints.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.

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
    if kind in BEFORE:
        before = scene.label_share(*BEFORE[kind]) > 0.5
        before = trace_outline(before, np.zeros_like(before), small) > 0.5 if before.any() else before
        for part in _split_by_outline(hint, share):
            share = plane(share * ~find_unlike_pieces(part, small, before, alone=kind is not ChangeType.FLOOR))
    if kind is ChangeType.COUNTERTOPS:
        share = plane(share * (scene.label_share(*SET_IN) < 0.5))
    if float(share.mean()) < MIN_SHARES[kind]:
        raise Declined(Reason.SURFACE_NOT_FOUND, explain_missing(kind))
    return share


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
