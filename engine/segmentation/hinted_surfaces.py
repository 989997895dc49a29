"""Draws hints, the outlines of surfaces and things, into the maps of a scene; they replace what the net found.

Only things in front of an outlined sky are still found by the net and by color, because nobody outlines twigs.
"""

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.filters.edge_aware import snap_to_edges
from engine.filters.smoothing import gaussian_blur
from engine.geometry.surface import PLACE, Surface
from engine.segmentation.hinted_masks import draw_mask
from engine.segmentation.labels import Kind
from engine.types.hints import HintedSurface, MaskHint, Polygon, SceneHints, SurfaceHint, ThingKind

SURFACES: Mapping[HintedSurface, Surface] = {
    HintedSurface.FLOOR: Surface.FLOOR,
    HintedSurface.CEILING: Surface.CEILING,
    HintedSurface.WALL: Surface.WALL,
    HintedSurface.BACKSPLASH: Surface.WALL,
    HintedSurface.WINDOW: Surface.WINDOW,
    HintedSurface.DOOR: Surface.DOOR,
    HintedSurface.PASSAGE: Surface.DOOR,
    HintedSurface.CABINET: Surface.CABINET,
    HintedSurface.WORKTOP: Surface.COUNTERTOP,
    HintedSurface.OTHER: Surface.OTHER,
}
"""The surface in the maps for each hinted surface; later ones are drawn over earlier ones."""
THINGS = {ThingKind.FURNITURE: Surface.FURNITURE, ThingKind.CLUTTER: Surface.CLUTTER}
FRACTION_BITS = 4
"""Number of fractional bits of the corners' coordinates (the argument `shift` of OpenCV)."""
DRAWING_TOLERANCE = 6
"""Distance, in pixels of the small picture, by which an outline drawn by hand may be wrong."""

OUTLINED_SKY = 0.9
"""Probability of sky within its outline, except at trees: poles and wires there can still be found by color."""


def draw_polygons(polygons: Iterable[Polygon], width: int, height: int) -> Plane:
    """Draw outlines as a mask.

    Parameters
    ----------
    polygons : iterable of Polygon
        Corners as shares of the picture's width and height, 0-1.
    width, height : int
        Size of the mask, in pixels.

    Returns
    -------
    (height, width) ndarray of float32
        0 or 1.
    """
    mask = np.zeros((height, width), np.uint8)
    for polygon in polygons:
        corners = np.array(polygon) * (width, height) - 0.5
        cv2.fillPoly(mask, [np.round(corners * 2**FRACTION_BITS).astype(np.int32)], 1, shift=FRACTION_BITS)
    return plane(mask)


def draw_surface(hint: SurfaceHint, width: int, height: int) -> Plane:
    """Draw a hinted surface as a mask.

    Parameters
    ----------
    hint : SurfaceHint
        Its outlines or its mask, checked for the photo.
    width, height : int
        Size of the mask, in pixels.

    Returns
    -------
    (height, width) ndarray of float32
        0 or 1.
    """
    if isinstance(hint, MaskHint):
        return draw_mask(hint, width, height)
    return draw_polygons(hint, width, height)


def list_hinted(hints: SceneHints) -> frozenset[Surface]:
    """List the surfaces of a room that the hints mention: outlined, or not in the photo.

    Parameters
    ----------
    hints : SceneHints
        The hints for the photo.

    Returns
    -------
    frozenset of Surface
        With furniture and clutter if the hints mention things.
    """
    hinted = {SURFACES[each] for each in hints.surfaces if each in SURFACES}
    return frozenset(hinted | (set(THINGS.values()) if hints.things else set()))


def apply_sky_outline(shares: Plane, sky_hint: SurfaceHint) -> Plane:
    """Move the net's sky into its hinted outline.

    Parameters
    ----------
    shares : (h, w, len(Kind)) ndarray of float32
        The net's shares of each kind in each pixel, 0-1, summing to 1.
    sky_hint : SurfaceHint
        The sky; trees, wires and poles in front of it may be within the outline.

    Returns
    -------
    (h, w, len(Kind)) ndarray of float32
        No sky outside; inside, OUTLINED_SKY of what the net does not consider a tree is sky. The shares sum to 1.
    """
    height, width = shares.shape[:2]
    inside = gaussian_blur(draw_surface(sky_hint, width, height), DRAWING_TOLERANCE / 2)
    sky = inside * np.maximum(shares[..., Kind.SKY], OUTLINED_SKY * (1 - shares[..., Kind.TREES]))
    others = shares.copy()
    others[..., Kind.SKY] = 0
    others[..., Kind.THINGS] += 1e-3
    result = others * ((1 - sky) / others.sum(2))[..., None]
    result[..., Kind.SKY] = sky
    return plane(result)


def apply_hints(surfaces: Plane, picture: Pixels, hints: SceneHints) -> Plane:
    """Replace surfaces of a room by their hinted outlines, moved to nearby edges of the picture.

    Parameters
    ----------
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel as the net found it, 0-1, summing to 1.
    picture : (h, w, 3) ndarray of uint8
        The small picture, gamma-coded sRGB.
    hints : SceneHints
        The hints for the photo.

    Returns
    -------
    (h, w, len(Surface)) ndarray of float32
        A hinted surface is inside its outlines and nowhere else; elsewhere the shares of the others sum to 1.
        `surfaces` itself if the hints mention no surface.
    """
    hinted = list_hinted(hints)
    if not hinted:
        return surfaces
    height, width = surfaces.shape[:2]
    result = surfaces.copy()
    result[..., [PLACE[each] for each in hinted]] = 0
    result[..., PLACE[Surface.OTHER]] += 1e-3
    result /= result.sum(2, keepdims=True)
    drawn: list[tuple[Surface, SurfaceHint]]
    drawn = [(SURFACES[each], hints.surfaces[each]) for each in SURFACES if each in hints.surfaces]
    drawn += [(THINGS[each.kind], (each.polygon,)) for each in hints.things]
    for surface, hint in drawn:
        inside = draw_surface(hint, width, height) > 0
        result[inside] = 0
        result[inside, PLACE[surface]] = 1
    borders = _draw_borders([hint for _, hint in drawn], width, height)
    return _blend_snapped(
        result, _snap_hinted(result, sorted({PLACE[each] for each, _ in drawn}), picture), borders
    )


def _snap_hinted(shares: Plane, hinted: list[int], picture: Pixels) -> Plane:
    """Move the borders of hinted surfaces to edges; the other surfaces, moved before, share what is left."""
    others = [number for number in range(shares.shape[2]) if number not in hinted]
    found = np.ascontiguousarray(shares[..., others])
    rest = found.sum(2)
    snapped = snap_to_edges(plane(np.dstack([shares[..., hinted], rest])), picture, rounds=1)
    # Behind a drawn surface the others go on as beside it.
    beside = cv2.GaussianBlur(found, (0, 0), DRAWING_TOLERANCE) + 1e-6
    known = np.where((rest > 0.5)[..., None], found, beside)
    result = np.empty_like(shares)
    result[..., hinted] = snapped[..., :-1]
    result[..., others] = known * (snapped[..., -1] / known.sum(2))[..., None]
    return plane(result)


def _draw_borders(hints: Iterable[SurfaceHint], width: int, height: int) -> Plane:
    """A weight for each pixel: 1 near an outline, 0 beyond one and a half times DRAWING_TOLERANCE."""
    lines = np.full((height, width), 255, np.uint8)
    for hint in hints:
        if isinstance(hint, MaskHint):
            inside = draw_mask(hint, width, height).astype(np.uint8)
            lines[cv2.morphologyEx(inside, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0] = 0
            continue
        for polygon in hint:
            corners = np.round((np.array(polygon) * (width, height) - 0.5) * 2**FRACTION_BITS).astype(np.int32)
            cv2.polylines(lines, [corners], True, 0, shift=FRACTION_BITS)
    distance = cv2.distanceTransform(lines, cv2.DIST_L2, 5)
    return plane(np.clip(1.5 - distance / DRAWING_TOLERANCE, 0, 1))


def _blend_snapped(outlines: Plane, snapped: Plane, outline_weight: Plane) -> Plane:
    """Blend the snapped shares near outlines with the drawn shares elsewhere."""
    return plane(outlines + (snapped - outlines) * outline_weight[..., None])
