"""Finds the things in the photo that stand nearer to the camera than new furniture, and so hide parts of it."""

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.geometry.camera import Camera
from engine.geometry.segments import Numbers
from engine.geometry.surface import PLACE, Surface
from engine.rendering.layout.placed import PlacedPiece

STANDING = (Surface.FURNITURE, Surface.CABINET, Surface.COUNTERTOP, Surface.OTHER, Surface.CLUTTER)
"""Surfaces of things that stand on the floor."""
MIN_DEPTH = 0.1
"""Least distance from the lens at which the foot of a piece can be located in the picture, meters."""


def find_things_in_front(placed: Sequence[PlacedPiece], surfaces: Plane, camera: Camera) -> Mask:
    """Find the things in the photo that stand in front of all new furniture in their columns of pixels.

    Parameters
    ----------
    placed : Sequence of PlacedPiece
        The new furniture.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.
    camera : Camera
        For a picture of the size of `surfaces`.

    Returns
    -------
    (h, w) ndarray of bool
        True where a thing ends lower in the picture than the furniture's feet. Each column of pixels is judged
        separately, because cabinets may begin beside the camera and end behind the furniture.
    """
    standing = plane(sum(surfaces[..., PLACE[each]] for each in STANDING)) > 0.5
    feet = _find_lowest_feet(placed, camera, standing.shape[1])
    count, parts = cv2.connectedComponents(standing.astype(np.uint8))
    mask: Mask = np.zeros(standing.shape, np.bool_)
    for number in range(1, count):
        part = parts == number
        columns = np.flatnonzero(part.any(0))
        lowest = len(part) - 1 - part[::-1, columns].argmax(0)
        in_front = columns[(feet[columns] >= 0) & (lowest > feet[columns])]
        mask[:, in_front] |= part[:, in_front]
    return mask


def _find_lowest_feet(placed: Sequence[PlacedPiece], camera: Camera, width: int) -> Numbers:
    """The lowest row that the floor under any piece reaches in each column of pixels; -1 where there is no piece.

    Where a piece is wider above its feet, the row of the nearest column with feet counts.
    """
    lowest = np.full(width, -1.0)
    for piece in placed:
        ends = [np.column_stack([piece.corners, np.full(4, z)]) for z in (piece.raised, piece.height)]
        pixels, depth = camera.project(np.concatenate(ends))
        if (depth < MIN_DEPTH).any():
            continue
        first, last = (int(np.clip(each, 0, width)) for each in (pixels[:, 0].min(), pixels[:, 0].max() + 1))
        around = pixels[[0, 1, 2, 3, 0]]
        for column in range(first, last):
            lowest[column] = max(lowest[column], _find_lowest_row(around, column + 0.5))
    return lowest


def _find_lowest_row(around: Numbers, x: float) -> float:
    """The lowest row of a polygon (corners, the first one repeated) at `x`, or at its nearest corner beside it."""
    x = float(np.clip(x, around[:, 0].min(), around[:, 0].max()))
    rows = []
    for (x0, y0), (x1, y1) in pairwise(around):
        if min(x0, x1) <= x <= max(x0, x1):
            rows.append(max(y0, y1) if x0 == x1 else y0 + (y1 - y0) * (x - x0) / (x1 - x0))
    return float(max(rows))
