"""A room's surfaces brought into agreement with its geometry: floor lies on the floor, walls stand on its edge."""

import cv2
import numpy as np

from app.engine.arrays import Plane, blurred, plane
from app.engine.room.geometry import Room
from app.engine.room.planes import FLOOR, NOTHING, ceiling_number, plane_numbers
from app.engine.room.surface import PLACE, Surface

LEAST_LEFT = 0.12
"""What is left of a share where geometry speaks against it, in a room that is quite sure."""
SOFT = 0.004
"""Of the long side: how far edges of planes may be off."""
FLAT = (Surface.FLOOR, Surface.RUG)
UPRIGHT = (Surface.WALL, Surface.WINDOW, Surface.DOOR)
ABOVE = (Surface.CEILING,)


def surfaces_agreed(room: Room, surfaces: Plane) -> Plane:
    """The shares (height x width x len(Surface), 0-1, summing to 1) of a picture that `room.camera` took, agreed.

    What geometry forbids is lessened the more the surer the room is: floor above a wall's foot, walls and ceiling
    below it, walls over the ceiling's edge. Things may stand anywhere.
    """
    height, width = surfaces.shape[:2]
    numbers = plane_numbers(room, width, height)
    floor, ceiling = numbers == FLOOR, (numbers == ceiling_number(room)) | (numbers == NOTHING)
    softness = max(SOFT * max(height, width), 0.5)
    on_floor, on_ceiling = (blurred(plane(each), softness) for each in (floor, ceiling))
    on_wall = np.maximum(1 - on_floor - on_ceiling, 0)
    left = LEAST_LEFT ** np.float32(room.confidence)
    layers = [np.ascontiguousarray(each) for each in np.moveaxis(surfaces, -1, 0)]
    for allowed, group in ((on_floor, FLAT), (on_wall, UPRIGHT), (on_ceiling, ABOVE)):
        gain = left + (1 - left) * allowed
        for surface in group:
            layers[PLACE[surface]] = layers[PLACE[surface]] * gain
    total = np.maximum(sum(layers[1:], layers[0]), 1e-6)
    return plane(cv2.merge([plane(each / total) for each in layers]))
