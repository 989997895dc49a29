"""Makes the segmented surfaces of a room agree with its geometry: floor below the walls' foot, walls above."""

from collections.abc import Set

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.filters.smoothing import gaussian_blur
from engine.geometry.planes import FLOOR, NOTHING, get_ceiling_number, number_planes
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface

LEAST_LEFT = 0.12
"""What is left of a share that the geometry rules out, in a room of confidence 1."""
SOFT = 0.004
"""Of the long side: how far edges of planes may be off."""
FLAT = (Surface.FLOOR, Surface.RUG)
UPRIGHT = (Surface.WALL, Surface.WINDOW, Surface.DOOR)
ABOVE = (Surface.CEILING,)


def fit_surfaces_to_room(room: Room, surfaces: Plane, kept: Set[Surface] = frozenset()) -> Plane:
    """The surfaces of a room with what its geometry rules out reduced.

    Reduced are floor above a wall's foot, walls and ceiling below it, and walls above the ceiling's edge, the more
    the higher the room's confidence. Things may stand anywhere.

    Parameters
    ----------
    room : Room
        The room, its camera that of a picture of the size of `surfaces`.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1, summing to 1.
    kept : Set of Surface, optional
        Surfaces that are known and keep their shares.

    Returns
    -------
    (h, w, len(Surface)) ndarray of float32
        The shares that agree with the room, summing to 1.
    """
    height, width = surfaces.shape[:2]
    numbers = number_planes(room, width, height)
    floor, ceiling = numbers == FLOOR, (numbers == get_ceiling_number(room)) | (numbers == NOTHING)
    softness = max(SOFT * max(height, width), 0.5)
    on_floor, on_ceiling = (gaussian_blur(plane(each), softness) for each in (floor, ceiling))
    on_wall = np.maximum(1 - on_floor - on_ceiling, 0)
    left = LEAST_LEFT ** np.float32(room.confidence)
    layers = [np.ascontiguousarray(each) for each in np.moveaxis(surfaces, -1, 0)]
    for allowed, group in ((on_floor, FLAT), (on_wall, UPRIGHT), (on_ceiling, ABOVE)):
        gain = left + (1 - left) * allowed
        for surface in (each for each in group if each not in kept):
            layers[PLACE[surface]] = layers[PLACE[surface]] * gain
    total = np.maximum(sum(layers[1:], layers[0]), 1e-6)
    return plane(cv2.merge([plane(each / total) for each in layers]))


MOVABLE = (Surface.FURNITURE, Surface.RUG, Surface.CLUTTER)


def uncover_surfaces(room: Room, surfaces: Plane, gone: Plane) -> Plane:
    """The surfaces of a room with floor, wall or ceiling where movable things were removed.

    Parameters
    ----------
    room : Room
        The room, its camera that of a picture of the size of `surfaces`.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1, summing to 1.
    gone : ndarray of float32
        Where the picture was emptied, 0-1; two-dimensional, of any size.

    Returns
    -------
    (h, w, len(Surface)) ndarray of float32
        The shares after the removal, summing to 1.
    """
    height, width = surfaces.shape[:2]
    share = plane(cv2.resize(gone, (width, height), interpolation=cv2.INTER_LINEAR))
    numbers = number_planes(room, width, height)
    floor, ceiling = numbers == FLOOR, numbers == get_ceiling_number(room)
    faces = {Surface.FLOOR: floor, Surface.CEILING: ceiling, Surface.WALL: ~floor & ~ceiling}
    result = surfaces.copy()
    taken = np.zeros((height, width), np.float32)
    for movable in MOVABLE:
        taken += surfaces[..., PLACE[movable]] * share
        result[..., PLACE[movable]] *= 1 - share
    for face, here in faces.items():
        result[..., PLACE[face]] += np.where(here, taken, np.float32(0))
    return plane(result)
