"""Draws hints, the outlines of surfaces and things, into the maps of a scene: hints are believed."""

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.filters.edge_aware import snap_to_edges
from engine.geometry.surface import PLACE, Surface
from engine.types.hints import HintedSurface, Polygon, SceneHints, ThingKind

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
"""The surface of the maps for each hinted one, in the order of drawing: where two overlap, the later one wins."""
THINGS = {ThingKind.FURNITURE: Surface.FURNITURE, ThingKind.CLUTTER: Surface.CLUTTER}
PARTS = 4
"""Outlines are drawn with corners at fractions of a pixel with this many binary digits (OpenCV's `shift`)."""
HAND = 6
"""How far an outline drawn by hand may be off, in pixels of the small picture."""


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
        cv2.fillPoly(mask, [np.round(corners * 2**PARTS).astype(np.int32)], 1, shift=PARTS)
    return plane(mask)


def list_hinted(hints: SceneHints) -> frozenset[Surface]:
    """The surfaces of a room that the hints outline, or of which they say that the photo shows none.

    Parameters
    ----------
    hints : SceneHints
        The hints for the photo.

    Returns
    -------
    frozenset of Surface
        With furniture and clutter where the hints name things.
    """
    named = {SURFACES[each] for each in hints.surfaces if each in SURFACES}
    return frozenset(named | (set(THINGS.values()) if hints.things else set()))


def apply_hints(surfaces: Plane, picture: Pixels, hints: SceneHints) -> Plane:
    """Replace surfaces of a room by their hinted outlines, whose borders are moved to nearby edges of the picture.

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
        A hinted surface is inside its outlines and nowhere else; elsewhere the other surfaces share the rest.
        `surfaces` itself where the hints name none.
    """
    named = list_hinted(hints)
    if not named:
        return surfaces
    height, width = surfaces.shape[:2]
    result = surfaces.copy()
    result[..., [PLACE[each] for each in named]] = 0
    result[..., PLACE[Surface.OTHER]] += 1e-3
    result /= result.sum(2, keepdims=True)
    drawn = [(SURFACES[each], hints.surfaces[each]) for each in SURFACES if each in hints.surfaces]
    drawn += [(THINGS[each.kind], (each.polygon,)) for each in hints.things]
    for surface, polygons in drawn:
        inside = draw_polygons(polygons, width, height) > 0
        result[inside] = 0
        result[inside, PLACE[surface]] = 1
    return _snap(result, snap_to_edges(result, picture), _draw_borders(drawn, width, height))


def _draw_borders(drawn: Iterable[tuple[Surface, Iterable[Polygon]]], width: int, height: int) -> Plane:
    """How near each pixel is to a drawn outline, 0-1."""
    lines = np.full((height, width), 255, np.uint8)
    for _, polygons in drawn:
        for polygon in polygons:
            corners = np.round((np.array(polygon) * (width, height) - 0.5) * 2**PARTS).astype(np.int32)
            cv2.polylines(lines, [corners], True, 0, shift=PARTS)
    away = cv2.distanceTransform(lines, cv2.DIST_L2, 5)
    return plane(np.clip(1.5 - away / HAND, 0, 1))


def _snap(drawn: Plane, snapped: Plane, near: Plane) -> Plane:
    """The snapped shares near outlines, the drawn ones elsewhere."""
    return plane(drawn + (snapped - drawn) * near[..., None])
