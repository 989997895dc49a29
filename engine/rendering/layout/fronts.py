"""The floor that stays free in front of what is used: kitchens, baths, fireplaces, stairs, doors, passages."""

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
"""What people stand or walk in front of."""
CLEAR = 0.8
"""Meters of floor in front of these that stay free."""
SURE = 0.5
"""The share from which a pixel counts as one of them."""
BELOW = 3
"""Pixels under a foot within which there must be floor."""
REACH, CELL = 9.0, 0.05
"""Extent of the grid of floor cells to each side, ahead and behind, and the size of a cell; meters."""


def find_used_fronts(camera: Camera, used: Plane, floor: Mask) -> Mask:
    """Which cells of the floor stay free, in front of what people use.

    Parameters
    ----------
    camera : Camera
        For a picture of the size of `used`.
    used : (h, w) ndarray of float32
        Share of USED in each pixel, 0-1.
    floor : (h, w) ndarray of bool
        Where floor is seen.

    Returns
    -------
    (2 * REACH / CELL, 2 * REACH / CELL) ndarray of bool
        True where it stays free; rows go ahead from REACH behind the lens, columns from left to right.
    """
    cells = np.full((round(2 * REACH / CELL),) * 2, 255, np.uint8)
    at, known = _cells(find_feet(camera, used, floor))
    cells[at[known, 1], at[known, 0]] = 0
    if cells.all():
        return np.zeros(cells.shape, np.bool_)
    return np.asarray(cv2.distanceTransform(cells, cv2.DIST_L2, 5) * CELL < CLEAR, np.bool_)


def find_feet(camera: Camera, seen: Plane, floor: Mask) -> Points:
    """The spots of the floor where what is seen stands on it.

    Parameters
    ----------
    camera : Camera
        For a picture of the size of `seen`.
    seen : (h, w) ndarray of float32
        Share of the thing in each pixel, 0-1.
    floor : (h, w) ndarray of bool
        Where floor is seen.

    Returns
    -------
    (N, 2) ndarray of float64
        Meters in the room; NaN for pixels at and above the horizon.
    """
    under = np.zeros_like(floor)
    for down in range(1, BELOW + 1):
        under[:-down] |= floor[down:]
    rows, columns = np.nonzero(np.asarray((seen > SURE) & under))
    if not rows.size:
        return np.zeros((0, 2))
    return np.asarray(camera.intersect_floor(np.column_stack([columns, rows + 1.0]) + 0.5)[:, :2])


def are_blocked(cells: Mask, spots: Points) -> Mask:
    """Which spots of the floor lie on cells that stay free.

    Parameters
    ----------
    cells : (n, n) ndarray of bool
        As `find_used_fronts` returns them.
    spots : (N, 2) ndarray of float64
        Meters in the room.

    Returns
    -------
    (N,) ndarray of bool
        False beyond the cells too.
    """
    at, known = _cells(spots)
    result = np.zeros(len(spots), np.bool_)
    result[known] = cells[at[known, 1], at[known, 0]]
    return result


def _cells(spots: Points) -> tuple[NDArray[np.intp], Mask]:
    """The cells (column, row) of spots, and which of them there are."""
    known = np.asarray(np.isfinite(spots).all(1) & (np.abs(spots) < REACH).all(1))
    cells = np.floor((np.where(known[:, None], spots, 0) + REACH) / CELL)
    return cells.astype(np.intp), np.asarray(known, np.bool_)
