"""The flat parts of a room as the camera sees them: which one each pixel looks at.

Planes are numbered: FLOOR is 0, then the room's walls from left to right from 1, then the ceiling.
"""

import numpy as np
from numpy.typing import NDArray

from engine.geometry.camera import Points
from engine.geometry.room import Room, Wall
from engine.geometry.segments import Numbers

FLOOR = 0
NOTHING = 255
"""The number of pixels that look at no plane: above a room whose ceiling is not known, or past its walls."""
STRIP = 256


def get_ceiling_number(room: Room) -> int:
    """The number of the ceiling's plane, whether or not the ceiling is known.

    Parameters
    ----------
    room : Room
        The room.

    Returns
    -------
    int
        The number that follows the last wall's.
    """
    return len(room.walls) + 1


def number_planes(room: Room, width: int, height: int) -> NDArray[np.uint8]:
    """Which plane each pixel would look at in the empty room.

    The first and the last wall are taken to go on beyond their ends in view.

    Parameters
    ----------
    room : Room
        The room, its camera that of a picture of this size.
    width, height : int
        Size of the picture, in pixels.

    Returns
    -------
    (H, W) ndarray of uint8
        FLOOR, the number of a wall or of the ceiling, or NOTHING.
    """
    result = np.empty((height, width), np.uint8)
    for first in range(0, height, STRIP):
        rows = np.arange(first, min(first + STRIP, height))
        x, y = np.meshgrid(np.arange(width) + 0.5, rows + 0.5)
        found = _numbers(room, room.camera.rays(np.column_stack([x.ravel(), y.ravel()])))
        result[first : first + len(rows)] = found.reshape(len(rows), width)
    return result


def _numbers(room: Room, rays: Points) -> NDArray[np.uint8]:
    """Count: the plane that each ray (count x 3) from the lens meets first."""
    level = np.hypot(rays[:, 0], rays[:, 1])
    rise = rays[:, 2] / np.maximum(level, 1e-9)
    azimuths = np.arctan2(rays[:, 0], rays[:, 1])
    far = np.full(len(rays), np.inf)
    numbers = np.full(len(rays), NOTHING, np.uint8)
    for number, wall in enumerate(room.walls):
        reach = _reach(wall, azimuths, number == 0, number == len(room.walls) - 1)
        nearer = reach < far
        far[nearer], numbers[nearer] = reach[nearer], number + 1
    with np.errstate(invalid="ignore"):
        numbers[(rise < 0) & (rise * far < -room.camera.height)] = FLOOR
        if room.ceiling is not None:
            numbers[(rise > 0) & (rise * far > room.ceiling - room.camera.height)] = get_ceiling_number(room)
    return numbers


def _reach(wall: Wall, azimuths: Numbers, first: bool, last: bool) -> Numbers:
    """Count: how far away a wall is at azimuths; infinite beside it."""
    start, end = (float(np.arctan2(*spot)) for spot in (wall.start, wall.end))
    slack = 1e-6
    inside = (azimuths >= start - slack) & (azimuths <= end + slack)
    if first:
        inside |= azimuths < start
    if last:
        inside |= azimuths > end
    towards = np.sin(azimuths) * wall.inward[0] + np.cos(azimuths) * wall.inward[1]
    distance = wall.distance
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = distance / towards
    return np.where(inside & np.isfinite(reach) & (reach > 0), reach, np.inf)
