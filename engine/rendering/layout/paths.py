"""Whether people can still walk through a furnished room: to each door and to the floor behind the furniture."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.rendering.layout.ground import DOOR_CLEAR, Ground
from engine.rendering.layout.placed import PlacedPiece

CELL = 0.1
WAY = 0.6
"""The least width of a way between pieces, meters."""
MOST_CUT_OFF = 0.4
"""Square meters that pieces may leave out of reach, as between a sofa and its table."""
NEAR = 1.6
_REACH = 7.0
_ACROSS, _ALONG = np.meshgrid(np.arange(-_REACH, _REACH, CELL), np.arange(-0.5, 2 * _REACH, CELL))
_NEAR = np.hypot(_ACROSS, _ALONG)
Cells = NDArray[np.integer]


def are_paths_open(ground: Ground, placed: Sequence[PlacedPiece]) -> bool:
    """Whether people can still reach every door in view and the floor behind the furniture.

    From below the camera ways of WAY meters lead to each door, and to all but MOST_CUT_OFF square meters of the
    floor that could be reached in the empty room.

    Parameters
    ----------
    ground : Ground
        The room.
    placed : Sequence of PlacedPiece
        The furniture; what is flat or on a wall bars no way.

    Returns
    -------
    bool
        False where the furniture leaves nowhere to stand near the camera; True where the empty room has nowhere
        either, as from a doorway: ways are not known then.
    """
    wide, parts, home = _find_walkable(ground, placed)
    if home is None:
        return _find_walkable(ground, ())[2] is None
    lost = np.count_nonzero((wide > 0) & (parts != home)) * CELL**2
    if lost > MOST_CUT_OFF:
        bare, before, start = _find_walkable(ground, ())
        if lost - np.count_nonzero((bare > 0) & (before != start)) * CELL**2 > MOST_CUT_OFF:
            return False
    for door in (opening for opening in ground.openings if opening.way):
        middle = np.array(door.wall.start) + door.wall.along[:2] * (door.left + door.right) / 2
        spot = middle + door.wall.inward[:2] * (DOOR_CLEAR * 0.6)
        around = np.hypot(_ACROSS - spot[0], _ALONG - spot[1]) < DOOR_CLEAR
        if (wide[around] > 0).any() and not (parts[around] == home).any():
            return False
    return True


def _find_walkable(ground: Ground, placed: Sequence[PlacedPiece]) -> tuple[Cells, Cells, int | None]:
    """Where one can stand, in which part of it, and the part below the camera; None where that is not known."""
    spots = np.column_stack([_ACROSS.ravel(), _ALONG.ravel()])
    free = ground.inside(spots).reshape(_ACROSS.shape).astype(np.uint8)
    for piece in placed:
        if not piece.flat and not piece.raised:
            corners = (piece.corners - [-_REACH, -0.5]) / CELL
            cv2.fillConvexPoly(free, np.round(corners).astype(np.int32), 0)
    clear = cv2.distanceTransform(
        cv2.copyMakeBorder(free, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1), cv2.DIST_L2, 3
    )
    wide = (clear[1:-1, 1:-1] * CELL > WAY / 2).astype(np.uint8)
    parts = np.asarray(cv2.connectedComponents(wide)[1], np.int32)
    start = parts[(wide > 0) & (_NEAR < NEAR)]
    return wide, parts, int(np.bincount(start).argmax()) if start.size else None
