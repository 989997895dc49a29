"""A room's surfaces after things were taken away: what the geometry has behind them."""

import cv2
import numpy as np

from app.engine.arrays import Plane, plane
from app.engine.room.geometry import Room
from app.engine.room.planes import FLOOR, ceiling_number, plane_numbers
from app.engine.room.surface import PLACE, Surface

MOVABLE = (Surface.FURNITURE, Surface.RUG, Surface.CLUTTER)


def surfaces_behind(room: Room, surfaces: Plane, gone: Plane) -> Plane:
    """The shares (height x width x len(Surface), summing to 1) with floor, wall or ceiling where things are `gone`.

    `gone` (0-1, of any size) is where the picture was emptied; the room's camera is that of the surfaces' size.
    """
    height, width = surfaces.shape[:2]
    share = plane(cv2.resize(gone, (width, height), interpolation=cv2.INTER_LINEAR))
    numbers = plane_numbers(room, width, height)
    floor, ceiling = numbers == FLOOR, numbers == ceiling_number(room)
    faces = {Surface.FLOOR: floor, Surface.CEILING: ceiling, Surface.WALL: ~floor & ~ceiling}
    result = surfaces.copy()
    taken = np.zeros((height, width), np.float32)
    for movable in MOVABLE:
        taken += surfaces[..., PLACE[movable]] * share
        result[..., PLACE[movable]] *= 1 - share
    for face, here in faces.items():
        result[..., PLACE[face]] += np.where(here, taken, np.float32(0))
    return plane(result)
