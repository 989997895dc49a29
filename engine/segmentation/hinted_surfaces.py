"""Brings surfaces and things that somebody outlined into the maps of a scene: what is given is believed."""

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
"""In the order in which they are drawn: where two overlap, the later one is seen."""
THINGS = {ThingKind.FURNITURE: Surface.FURNITURE, ThingKind.CLUTTER: Surface.CLUTTER}
PARTS = 4
"""Binary digits of a pixel to which corners are drawn."""
HAND = 6
"""Pixels of the small picture by which an outline by hand may be off."""


def draw_polygons(polygons: Iterable[Polygon], width: int, height: int) -> Plane:
    """Draw outlines as a mask.

    Parameters
    ----------
    polygons : iterable of Polygon
        Points of 0-1.
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
    """The surfaces of a room that the hints outline, or say that there are none of.

    Parameters
    ----------
    hints : SceneHints
        What was said of the photo.

    Returns
    -------
    frozenset of Surface
        Furniture and clutter among them where things are named.
    """
    named = {SURFACES[each] for each in hints.surfaces if each in SURFACES}
    return frozenset(named | (set(THINGS.values()) if hints.things else set()))


def apply_hints(surfaces: Plane, picture: Pixels, hints: SceneHints) -> Plane:
    """The surfaces of a room with those that are outlined, their borders moved to edges near by.

    Parameters
    ----------
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel as it was found, 0-1, summing to 1.
    picture : (h, w, 3) ndarray of uint8
        The small picture, gamma-coded sRGB.
    hints : SceneHints
        What was said of the photo.

    Returns
    -------
    (h, w, len(Surface)) ndarray of float32
        A surface outlined is seen inside its outlines and nowhere else; elsewhere the others share the rest.
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
    """0-1: how near each pixel is to an outline that was drawn."""
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
