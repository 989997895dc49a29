"""Whether one can still walk through a furnished room: from each door to where the photo was taken."""

from collections.abc import Sequence

import cv2
import numpy as np

from app.engine.staging.ground import DOOR_CLEAR, Ground
from app.engine.staging.placing import Placed

CELL = 0.1
WAY = 0.6
"""Metres that a way between pieces is wide at least."""
_REACH = 7.0


def ways_stay_open(ground: Ground, placed: Sequence[Placed]) -> bool:
    """Whether every door in view can be reached from below the camera on ways of WAY metres."""
    doors = [opening for opening in ground.openings if opening.way]
    if not doors:
        return True
    across, along = np.meshgrid(np.arange(-_REACH, _REACH, CELL), np.arange(-0.5, 2 * _REACH, CELL))
    spots = np.column_stack([across.ravel(), along.ravel()])
    free = ground.inside(spots).reshape(across.shape).astype(np.uint8)
    for piece in placed:
        if not piece.flat and not piece.raised:
            corners = (piece.corners - [-_REACH, -0.5]) / CELL
            cv2.fillConvexPoly(free, np.round(corners).astype(np.int32), 0)
    clear = cv2.distanceTransform(
        cv2.copyMakeBorder(free, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1), cv2.DIST_L2, 3
    )
    wide = (clear[1:-1, 1:-1] * CELL > WAY / 2).astype(np.uint8)
    _, parts = cv2.connectedComponents(wide)
    near = np.hypot(across, along)
    start = parts[(wide > 0) & (near < 1.6)]
    if not start.size:
        return True
    home = np.bincount(start[start > 0]).argmax() if (start > 0).any() else 0
    for door in doors:
        middle = np.array(door.wall.start) + door.wall.along[:2] * (door.left + door.right) / 2
        spot = middle + door.wall.inward[:2] * (DOOR_CLEAR * 0.6)
        around = np.hypot(across - spot[0], along - spot[1]) < DOOR_CLEAR
        if (wide[around] > 0).any() and not (parts[around] == home).any():
            return False
    return True
