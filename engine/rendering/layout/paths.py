"""Checks whether people can still walk through a furnished room: to each door and to the floor behind furniture."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.rendering.layout.ground import DOOR_CLEARANCE, Ground
from engine.rendering.layout.placed import PlacedPiece

CELL = 0.1
"""Side of a cell of the floor grid, meters."""
MIN_PATH_WIDTH = 0.6
"""Least width of a gap between pieces for people to walk through, meters."""
MAX_CUT_OFF_AREA = 0.4
"""Largest area that pieces may make unreachable, such as the floor between a sofa and its table; square meters."""
START_DISTANCE = 1.6
"""Greatest distance, on the floor, between the camera and the cells where people start to walk, meters."""
_REACH = 7.0
"""How far the floor grid extends to the left and right of the camera, meters; it extends twice as far ahead."""
_ACROSS, _ALONG = np.meshgrid(np.arange(-_REACH, _REACH, CELL), np.arange(-0.5, 2 * _REACH, CELL))
# Distance of each cell from the spot below the camera, meters.
_DISTANCES = np.hypot(_ACROSS, _ALONG)
Cells = NDArray[np.integer]


def are_paths_open(ground: Ground, placed: Sequence[PlacedPiece]) -> bool:
    """Whether people can still reach every door in view and the floor behind the furniture.

    People start near the camera and need gaps of MIN_PATH_WIDTH. They must reach each door, and the floor that they
    could reach in the empty room, except for up to MAX_CUT_OFF_AREA.

    Parameters
    ----------
    ground : Ground
        The room.
    placed : Sequence of PlacedPiece
        The furniture; flat pieces and pieces on a wall are no obstacles.

    Returns
    -------
    bool
        False if nobody can stand near the camera because of the furniture. True if nobody could stand there even in
        the empty room, for example in a photo taken from a doorway, because paths cannot be checked then.
    """
    walkable, parts, start = _find_walkable(ground, placed)
    if start is None:
        return _find_walkable(ground, ())[2] is None
    lost = np.count_nonzero((walkable > 0) & (parts != start)) * CELL**2
    if lost > MAX_CUT_OFF_AREA:
        empty_walkable, empty_parts, empty_start = _find_walkable(ground, ())
        lost_before = np.count_nonzero((empty_walkable > 0) & (empty_parts != empty_start)) * CELL**2
        if lost - lost_before > MAX_CUT_OFF_AREA:
            return False
    for door in (opening for opening in ground.openings if opening.is_passage):
        middle = np.array(door.wall.start) + door.wall.along[:2] * (door.left + door.right) / 2
        spot = middle + door.wall.inward[:2] * (DOOR_CLEARANCE * 0.6)
        around = np.hypot(_ACROSS - spot[0], _ALONG - spot[1]) < DOOR_CLEARANCE
        if (walkable[around] > 0).any() and not (parts[around] == start).any():
            return False
    return True


def _find_walkable(ground: Ground, placed: Sequence[PlacedPiece]) -> tuple[Cells, Cells, int | None]:
    """The cells on which people can stand (1, others 0), the number of each cell's connected part, and the number
    of the part near the camera (None if nobody can stand near it)."""
    spots = np.column_stack([_ACROSS.ravel(), _ALONG.ravel()])
    free = ground.are_inside(spots).reshape(_ACROSS.shape).astype(np.uint8)
    for piece in placed:
        if not piece.flat and not piece.raised:
            corners = (piece.corners - [-_REACH, -0.5]) / CELL
            cv2.fillConvexPoly(free, np.round(corners).astype(np.int32), 0)
    clearance = cv2.distanceTransform(
        cv2.copyMakeBorder(free, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1), cv2.DIST_L2, 3
    )
    walkable = (clearance[1:-1, 1:-1] * CELL > MIN_PATH_WIDTH / 2).astype(np.uint8)
    parts = np.asarray(cv2.connectedComponents(walkable)[1], np.int32)
    near = parts[(walkable > 0) & (_DISTANCES < START_DISTANCE)]
    return walkable, parts, int(np.bincount(near).argmax()) if near.size else None
