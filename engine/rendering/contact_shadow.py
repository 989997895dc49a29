"""Draws the dark line where furniture stands on the floor: a room's light comes from everywhere but from below."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.smoothing import gaussian_blur
from engine.rendering.layout.placed import PlacedPiece
from engine.rendering.render import RenderedFurniture

CELL = 0.02
"""Side of a cell of the map of the floor, meters."""
MAX_GAP = 0.12
"""Parts of furniture up to this height above the floor darken the floor around them, meters."""
REACHES = (0.03, 0.1)
"""Distances over which the darkness fades, meters: one for feet, one for whole pieces."""
MAX_DARKNESS = 0.65
"""Share of the light that is missing right under a wide piece that lies on the floor; at its edge it is half."""
MARGIN = 0.5
"""How far the map extends beyond the furniture, meters."""
MAX_SIDE = 15.0
"""Greatest side of the map, meters; parts farther away get no dark line."""


def add_contact_shadow(
    rendered: RenderedFurniture, placed: Sequence[PlacedPiece], floor: Plane
) -> RenderedFurniture:
    """Darken the floor where furniture stands on it, unless the traced shadow is already as dark.

    Parameters
    ----------
    rendered : RenderedFurniture
        The furniture in its traced light.
    placed : Sequence of PlacedPiece
        The pieces.
    floor : (h, w) ndarray of float32
        Share of each pixel of the whole picture that shows floor, 0-1; of any size.

    Returns
    -------
    RenderedFurniture
        The same furniture with a darker `shadow`.
    """
    standing = [each for each in placed if not each.flat and not each.raised]
    if not standing:
        return rendered
    corner, map_of_floor = _map_low_parts(standing)
    dark = sum(gaussian_blur(map_of_floor, reach / CELL) for reach in REACHES) / np.float32(len(REACHES))
    left, top, right, bottom = rendered.box
    columns, rows = np.meshgrid(np.arange(left, right) + 0.5, np.arange(top, bottom) + 0.5)
    spots = rendered.camera.intersect_floor(np.column_stack([columns.ravel(), rows.ravel()]))[:, :2]
    at = np.nan_to_num((spots - corner) / CELL - 0.5, nan=-1e6).clip(-1e6, 1e6).reshape(*rows.shape, 2)
    seen = cv2.remap(plane(dark), plane(at[..., 0]), plane(at[..., 1]), cv2.INTER_LINEAR)
    share = cv2.resize(floor, (rendered.width, rendered.height), interpolation=cv2.INTER_LINEAR)
    darkness = plane(seen * share[top:bottom, left:right] * np.float32(MAX_DARKNESS))
    return replace(rendered, shadow=plane(np.minimum(rendered.shadow, gray_to_rgb(1 - darkness))))


def _map_low_parts(standing: Sequence[PlacedPiece]) -> tuple[np.ndarray, Plane]:
    """The map's corner (x, y), and how much of each cell (rows along y) has furniture close above it, 0-1."""
    around = np.concatenate([each.corners for each in standing])
    corner = around.min(0) - MARGIN
    size = np.ceil(np.minimum(np.ptp(around, axis=0) + 2 * MARGIN, MAX_SIDE) / CELL).astype(int)
    found = np.zeros((size[1], size[0]), np.uint8)
    for piece in standing:
        for polygon in _list_low_polygons(piece):
            cv2.fillConvexPoly(found, np.round((polygon - corner) / CELL - 0.5).astype(np.int32), 1)
    # Blocks have no bottom, so the area that their sides enclose is filled.
    outlines, _ = cv2.findContours(found, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return corner, plane(cv2.drawContours(found, outlines, -1, 1, cv2.FILLED))


def _list_low_polygons(piece: PlacedPiece) -> Iterator[np.ndarray]:
    """The part of each triangle of a piece that lies below MAX_GAP, seen from above: corners (count x 2)."""
    points = np.concatenate([mesh.points for _, mesh in piece.parts])
    points = points[points[..., 2].min(1) < MAX_GAP]
    is_cut = points[..., 2].max(1) > MAX_GAP
    yield from points[~is_cut][..., :2]
    for triangle in points[is_cut]:
        corners = []
        for one, other in zip(triangle, np.roll(triangle, -1, axis=0), strict=True):
            if one[2] <= MAX_GAP:
                corners.append(one[:2])
            if (one[2] <= MAX_GAP) != (other[2] <= MAX_GAP):
                share = (MAX_GAP - one[2]) / (other[2] - one[2])
                corners.append(one[:2] + share * (other[:2] - one[:2]))
        yield np.array(corners)
