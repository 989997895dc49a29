"""The flat faces of a room (floor, walls, ceiling) with coordinates in meters, and which face each pixel shows."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.camera import Points
from engine.geometry.room import Room
from engine.geometry.surface import Surface

NO_FACE = 255
"""In a map of faces, the number of a pixel that shows no face."""
OUTER_WALL_METERS = 40.0
"""Meters by which the first and the last wall in view are extended out of the picture."""
ROWS_AT_ONCE = 32
"""Rows of the picture that are processed at a time, to limit the memory."""


@dataclass(frozen=True, slots=True)
class Face:
    """A flat face of a room: its points are `origin` + u * `across` + v * `up`, with u and v in meters.

    A wall extends from u = `low` to u = `high`; floor and ceiling are not limited.
    """

    surface: Surface
    origin: Points
    across: Points
    up: Points
    low: float = -np.inf
    high: float = np.inf

    def compute_homography(self, room: Room) -> Points:
        """Compute the homography from meters on the face to pixels.

        Parameters
        ----------
        room : Room
            The room of which this is a face.

        Returns
        -------
        (3, 3) ndarray of float64
            Maps (u, v, 1) to homogeneous pixels; the third number of its result is the depth in meters.
        """
        turn, camera = room.camera.turn, room.camera
        columns = [turn @ self.across, turn @ self.up, turn @ (self.origin - camera.eye)]
        lens = np.array([[camera.focal, 0, camera.center[0]], [0, camera.focal, camera.center[1]], [0, 0, 1.0]])
        return np.asarray(lens @ np.column_stack(columns))


def list_faces(room: Room) -> tuple[Face, ...]:
    """List the floor, the walls from left to right, and the ceiling where it is known.

    The first and the last wall are extended out of the picture.

    Parameters
    ----------
    room : Room
        The room.

    Returns
    -------
    tuple of Face
        The faces, in that order.
    """
    x, y, z = np.eye(3)
    faces = [Face(Surface.FLOOR, np.zeros(3), x, y)]
    last = len(room.walls) - 1
    for number, wall in enumerate(room.walls):
        low = -OUTER_WALL_METERS if number == 0 else 0.0
        high = OUTER_WALL_METERS if number == last else wall.length
        faces.append(Face(Surface.WALL, np.array([*wall.start, 0.0]), wall.along, z, low, high))
    if room.ceiling is not None:
        faces.append(Face(Surface.CEILING, np.array([0, 0, room.ceiling]), x, y))
    return tuple(faces)


def number_faces(room: Room, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Number the face that each pixel of the empty room shows.

    Parameters
    ----------
    room : Room
        The room; its camera is for a picture of this shape.
    shape : tuple of int
        Rows and columns of the picture; further numbers are ignored.

    Returns
    -------
    (H, W) ndarray of uint8
        Index of the face in `list_faces`, or NOTHING.
    """
    faces = list_faces(room)
    height, width = shape[:2]
    result = np.empty((height, width), np.uint8)
    for top in range(0, height, ROWS_AT_ONCE):
        rows = np.arange(top, min(top + ROWS_AT_ONCE, height)) + 0.5
        across, down = np.meshgrid(np.arange(width) + 0.5, rows)
        rays = room.camera.rays(np.column_stack([across.ravel(), down.ravel()]))
        result[top : top + len(rows)] = _find_first_faces(faces, room, rays).reshape(len(rows), width)
    return result


def _find_first_faces(faces: tuple[Face, ...], room: Room, rays: Points) -> NDArray[np.uint8]:
    """The number of the face that each ray meets first."""
    nearest = np.full(len(rays), np.inf)
    numbers = np.full(len(rays), NO_FACE, np.uint8)
    for number, far in _measure_distances(faces, room, rays):
        nearer = far < nearest
        nearest[nearer] = far[nearer]
        numbers[nearer] = number
    return numbers


def _measure_distances(
    faces: tuple[Face, ...], room: Room, rays: Points
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """The distance of each face along each ray; infinite where the ray does not meet it from inside the room."""
    eye = room.camera.eye
    for number, face in enumerate(faces):
        normal = np.cross(face.across, face.up)
        with np.errstate(divide="ignore", invalid="ignore"):
            far = ((face.origin - eye) @ normal) / (rays @ normal)
        far = np.where(np.isfinite(far) & (far > 0), far, np.inf)
        if face.surface is Surface.WALL:
            places = np.where(np.isfinite(far), far, 0)[:, None] * rays + eye - face.origin
            along = places @ face.across
            seen_from_inside = rays @ normal < 0
            far = np.where((along >= face.low) & (along <= face.high) & seen_from_inside, far, np.inf)
        yield number, far
