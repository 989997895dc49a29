"""Makes the segmented surfaces of a room agree with its geometry: floor below the walls' foot, walls above."""

from collections.abc import Set

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.filters.smoothing import gaussian_blur
from engine.geometry.planes import FLOOR, NO_PLANE, get_ceiling_number, number_planes
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface

MIN_KEPT_SHARE = 0.12
"""A share that the geometry rules out is multiplied by this, in a room of confidence 1."""
EDGE_SOFTNESS = 0.004
"""Share of the picture's long side by which the edges of planes are blurred, because they may be off."""
FLOOR_SURFACES = (Surface.FLOOR, Surface.RUG)
WALL_SURFACES = (Surface.WALL, Surface.WINDOW, Surface.DOOR)
CEILING_SURFACES = (Surface.CEILING,)


def fit_surfaces_to_room(room: Room, surfaces: Plane, kept: Set[Surface] = frozenset()) -> Plane:
    """Reduce the shares of surfaces that the geometry of the room rules out.

    These are floor above a wall's foot, walls and ceiling below it, and walls above the ceiling's edge. A higher
    confidence of the room reduces them more. Things may stand anywhere, so theirs are not reduced.

    Parameters
    ----------
    room : Room
        The room; its camera is for a picture of the size of `surfaces`.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1, summing to 1.
    kept : Set of Surface, optional
        Surfaces that are not reduced, because hints name them.

    Returns
    -------
    (h, w, len(Surface)) ndarray of float32
        The shares that agree with the room, summing to 1.
    """
    height, width = surfaces.shape[:2]
    numbers = number_planes(room, width, height)
    floor, ceiling = numbers == FLOOR, (numbers == get_ceiling_number(room)) | (numbers == NO_PLANE)
    softness = max(EDGE_SOFTNESS * max(height, width), 0.5)
    on_floor, on_ceiling = (gaussian_blur(plane(each), softness) for each in (floor, ceiling))
    on_wall = np.maximum(1 - on_floor - on_ceiling, 0)
    kept_share = MIN_KEPT_SHARE ** np.float32(room.confidence)
    layers = [np.ascontiguousarray(each) for each in np.moveaxis(surfaces, -1, 0)]
    for allowed, group in ((on_floor, FLOOR_SURFACES), (on_wall, WALL_SURFACES), (on_ceiling, CEILING_SURFACES)):
        gain = kept_share + (1 - kept_share) * allowed
        for surface in (each for each in group if each not in kept):
            layers[PLACE[surface]] = layers[PLACE[surface]] * gain
    total = np.maximum(sum(layers[1:], layers[0]), 1e-6)
    return plane(cv2.merge([plane(each / total) for each in layers]))


MOVABLE = (Surface.FURNITURE, Surface.RUG, Surface.CLUTTER)


def uncover_surfaces(room: Room, surfaces: Plane, gone: Plane) -> Plane:
    """Replace the shares of removed movable things by floor, wall or ceiling.

    Parameters
    ----------
    room : Room
        The room; its camera is for a picture of the size of `surfaces`.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1, summing to 1.
    gone : ndarray of float32
        Where things were removed, 0-1; two-dimensional, of any size.

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
