"""The floor that stays free in front of things people use: kitchens, baths, fireplaces, stairs, doors, passages."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane
from engine.geometry.camera import Camera, Points
from engine.segmentation.labels import Label

USED = (
    Label.CABINET,
    Label.APPLIANCE,
    Label.WORKTOP,
    Label.SANITARY,
    Label.FIREPLACE,
    Label.STAIRS,
    Label.DOOR,
    Label.PASSAGE,
)
"""Things that people stand in front of to use them, or walk through."""
CLEARANCE = 0.8
"""Depth of the floor that stays free in front of these things, meters."""
MIN_SHARE = 0.5
"""Least share of a thing in a pixel for the pixel to count as showing it."""
MAX_ROWS_TO_FLOOR = 3
"""Greatest number of pixels between a thing and the floor below it for the thing to count as standing there."""
GRID_REACH = 9.0
"""How far the grid of floor cells extends from the camera to each side, ahead and behind, meters."""
CELL = 0.05
"""Side of a cell of that grid, meters."""


def find_used_fronts(camera: Camera, used: Plane, floor: Mask) -> Mask:
    """Find the cells of the floor that stay free because they are in front of things that people use.

    Parameters
    ----------
    camera : Camera
        For a picture of the size of `used`.
    used : (h, w) ndarray of float32
        Share of each pixel that shows a thing of USED, 0-1.
    floor : (h, w) ndarray of bool
        Where the picture shows floor.

    Returns
    -------
    (2 * GRID_REACH / CELL, 2 * GRID_REACH / CELL) ndarray of bool
        True where the floor stays free. Rows go ahead, from GRID_REACH behind the camera; columns go from left to
        right.
    """
    cells = np.full((round(2 * GRID_REACH / CELL),) * 2, 255, np.uint8)
    at, known = _locate_cells(find_feet(camera, used, floor))
    cells[at[known, 1], at[known, 0]] = 0
    if cells.all():
        return np.zeros(cells.shape, np.bool_)
    return np.asarray(cv2.distanceTransform(cells, cv2.DIST_L2, 5) * CELL < CLEARANCE, np.bool_)


def find_feet(camera: Camera, seen: Plane, floor: Mask) -> Points:
    """Find the spots of the floor where a thing stands on it.

    Parameters
    ----------
    camera : Camera
        For a picture of the size of `seen`.
    seen : (h, w) ndarray of float32
        Share of each pixel that shows the thing, 0-1.
    floor : (h, w) ndarray of bool
        Where the picture shows floor.

    Returns
    -------
    (N, 2) ndarray of float64
        Meters in the room; NaN for pixels at and above the horizon.
    """
    under = np.zeros_like(floor)
    for down in range(1, MAX_ROWS_TO_FLOOR + 1):
        under[:-down] |= floor[down:]
    rows, columns = np.nonzero(np.asarray((seen > MIN_SHARE) & under))
    if not rows.size:
        return np.zeros((0, 2))
    return np.asarray(camera.intersect_floor(np.column_stack([columns, rows + 1.0]) + 0.5)[:, :2])


def are_blocked(cells: Mask, spots: Points) -> Mask:
    """Find which spots of the floor lie on cells that stay free of furniture.

    Parameters
    ----------
    cells : (n, n) ndarray of bool
        The result of `find_used_fronts`.
    spots : (N, 2) ndarray of float64
        Meters in the room.

    Returns
    -------
    (N,) ndarray of bool
        Also False beyond the grid.
    """
    at, known = _locate_cells(spots)
    result = np.zeros(len(spots), np.bool_)
    result[known] = cells[at[known, 1], at[known, 0]]
    return result


def _locate_cells(spots: Points) -> tuple[NDArray[np.intp], Mask]:
    """The cell (column, row) of each spot, and whether the spot lies on the grid."""
    known = np.asarray(np.isfinite(spots).all(1) & (np.abs(spots) < GRID_REACH).all(1))
    cells = np.floor((np.where(known[:, None], spots, 0) + GRID_REACH) / CELL)
    return cells.astype(np.intp), np.asarray(known, np.bool_)
