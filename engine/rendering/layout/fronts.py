"""The floor that stays free before what is used in a room: kitchens, baths, fireplaces, stairs, doors, passages."""

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
"""What one stands or walks before."""
CLEAR = 0.8
"""Meters of floor before it that stay free."""
SURE = 0.5
"""The share from which a pixel counts as one of them."""
BELOW = 3
"""Pixels under a foot within which there must be floor."""
REACH, CELL = 9.0, 0.05
"""The floor that is looked at, meters to each side and ahead, and how finely."""


def find_used_fronts(camera: Camera, used: Plane, floor: Mask) -> Mask:
    """Which cells of the floor stay free: rows go ahead from REACH behind the lens, columns from left to right.

    `used` (height x width, 0-1, the picture of the camera) is the share of USED, `floor` where floor is seen.
    """
    cells = np.full((round(2 * REACH / CELL),) * 2, 255, np.uint8)
    at, known = _cells(find_feet(camera, used, floor))
    cells[at[known, 1], at[known, 0]] = 0
    if cells.all():
        return np.zeros(cells.shape, np.bool_)
    return np.asarray(cv2.distanceTransform(cells, cv2.DIST_L2, 5) * CELL < CLEAR, np.bool_)


def find_feet(camera: Camera, seen: Plane, floor: Mask) -> Points:
    """The spots of the floor (count x 2, meters) where what is `seen` (height x width, 0-1) stands on it."""
    under = np.zeros_like(floor)
    for down in range(1, BELOW + 1):
        under[:-down] |= floor[down:]
    rows, columns = np.nonzero(np.asarray((seen > SURE) & under))
    if not rows.size:
        return np.zeros((0, 2))
    return np.asarray(camera.intersect_floor(np.column_stack([columns, rows + 1.0]) + 0.5)[:, :2])


def are_blocked(cells: Mask, spots: Points) -> Mask:
    """Which spots of the floor (count x 2, meters) lie on cells that stay free."""
    at, known = _cells(spots)
    result = np.zeros(len(spots), np.bool_)
    result[known] = cells[at[known, 1], at[known, 0]]
    return result


def _cells(spots: Points) -> tuple[NDArray[np.intp], Mask]:
    """The cells (column, row) of spots, and which of them there are."""
    known = np.asarray(np.isfinite(spots).all(1) & (np.abs(spots) < REACH).all(1))
    cells = np.floor((np.where(known[:, None], spots, 0) + REACH) / CELL)
    return cells.astype(np.intp), np.asarray(known, np.bool_)
