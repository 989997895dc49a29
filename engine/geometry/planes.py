"""Finds which plane of a room (floor, wall, ceiling) each pixel shows.

Planes are numbered: FLOOR is 0, then the room's walls from left to right from 1, then the ceiling.
"""

import numpy as np
from numpy.typing import NDArray

from engine.geometry.camera import Points
from engine.geometry.room import Room, Wall
from engine.geometry.segments import Numbers

FLOOR = 0
NO_PLANE = 255
"""The number of pixels that show no plane: above a room whose ceiling is not known, or past its walls."""
ROWS_AT_ONCE = 256
"""Rows of the picture that are processed at a time, to limit the memory."""


def get_ceiling_number(room: Room) -> int:
    """Return the number of the ceiling's plane, even where the ceiling is not known.

    Parameters
    ----------
    room : Room
        The room.

    Returns
    -------
    int
        The number after that of the last wall.
    """
    return len(room.walls) + 1


def number_planes(room: Room, width: int, height: int) -> NDArray[np.uint8]:
    """Number the plane that each pixel would show in the empty room.

    The first and the last wall are extended out of the picture.

    Parameters
    ----------
    room : Room
        The room; its camera is for a picture of this size.
    width, height : int
        Size of the picture, in pixels.

    Returns
    -------
    (H, W) ndarray of uint8
        FLOOR, the number of a wall or of the ceiling, or NOTHING.
    """
    result = np.empty((height, width), np.uint8)
    for first in range(0, height, ROWS_AT_ONCE):
        rows = np.arange(first, min(first + ROWS_AT_ONCE, height))
        x, y = np.meshgrid(np.arange(width) + 0.5, rows + 0.5)
        found = _find_first_planes(room, room.camera.rays(np.column_stack([x.ravel(), y.ravel()])))
        result[first : first + len(rows)] = found.reshape(len(rows), width)
    return result


def _find_first_planes(room: Room, rays: Points) -> NDArray[np.uint8]:
    """The number of the plane that each ray (N x 3) from the lens meets first."""
    level = np.hypot(rays[:, 0], rays[:, 1])
    rise = rays[:, 2] / np.maximum(level, 1e-9)
    azimuths = np.arctan2(rays[:, 0], rays[:, 1])
    nearest = np.full(len(rays), np.inf)
    numbers = np.full(len(rays), NO_PLANE, np.uint8)
    for number, wall in enumerate(room.walls):
        distances = _measure_distances(wall, azimuths, number == 0, number == len(room.walls) - 1)
        nearer = distances < nearest
        nearest[nearer], numbers[nearer] = distances[nearer], number + 1
    with np.errstate(invalid="ignore"):
        numbers[(rise < 0) & (rise * nearest < -room.camera.height)] = FLOOR
        if room.ceiling is not None:
            numbers[(rise > 0) & (rise * nearest > room.ceiling - room.camera.height)] = get_ceiling_number(room)
    return numbers


def _measure_distances(wall: Wall, azimuths: Numbers, first: bool, last: bool) -> Numbers:
    """The horizontal distances of a wall at azimuths; infinite beside it, except beyond the outermost ends."""
    start, end = (float(np.arctan2(*spot)) for spot in (wall.start, wall.end))
    slack = 1e-6
    inside = (azimuths >= start - slack) & (azimuths <= end + slack)
    if first:
        inside |= azimuths < start
    if last:
        inside |= azimuths > end
    slope = np.sin(azimuths) * wall.inward[0] + np.cos(azimuths) * wall.inward[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        distances = wall.distance / slope
    return np.where(inside & np.isfinite(distances) & (distances > 0), distances, np.inf)
