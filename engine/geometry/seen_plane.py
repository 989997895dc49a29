"""A plane of the room as the picture sees it: meters along and across it, and how many a pixel sees."""

from dataclasses import dataclass

import numpy as np

from engine.arrays import Plane, plane
from engine.geometry.camera import Camera, Points

FARTHEST = 60.0
"""Meters: what lies farther is seen as if it lay there."""


@dataclass(frozen=True, slots=True)
class Spots:
    """What pixels see of a plane, (H, W) each.

    Meters `along` and `across` it, and meters of it that a pixel covers from left to right (`level`) and from top
    to bottom (`upright`). `before`: 1 where the plane is met in front of the lens and nearer than FARTHEST, else 0.
    """

    along: Plane
    across: Plane
    level: Plane
    upright: Plane
    before: Plane


@dataclass(frozen=True, slots=True)
class SeenPlane:
    """Rows of three numbers, for (x, y, 1) of a pixel: along over depth, across over depth, one over depth."""

    along: Points
    across: Points
    inverse_depth: Points

    def rescale(self, scale: float) -> "SeenPlane":
        """The same plane in a picture of another size.

        Parameters
        ----------
        scale : float
            Size of that picture, as a multiple of this one's.

        Returns
        -------
        SeenPlane
            The plane for pixels of that picture.
        """
        shrink = np.array([1 / scale, 1 / scale, 1.0])
        return SeenPlane(self.along * shrink, self.across * shrink, self.inverse_depth * shrink)

    def spots(self, rows: slice, columns: slice, shift: tuple[float, float] = (0.5, 0.5)) -> Spots:
        """The spots of the plane that pixels see.

        Parameters
        ----------
        rows, columns : slice
            The pixels; each slice needs a start and a stop.
        shift : tuple of float, default (0.5, 0.5)
            x and y of the point in each pixel, from its upper left corner, in pixels.

        Returns
        -------
        Spots
            The spots, (rows, columns) each.
        """
        x = (np.arange(columns.start, columns.stop) + shift[0])[None, :]
        y = (np.arange(rows.start, rows.stop) + shift[1])[:, None]
        inverse = self.inverse_depth[0] * x + self.inverse_depth[1] * y + self.inverse_depth[2]
        before = inverse > 1 / FARTHEST
        safe = np.maximum(inverse, 1 / FARTHEST)
        along = (self.along[0] * x + self.along[1] * y + self.along[2]) / safe
        across = (self.across[0] * x + self.across[1] * y + self.across[2]) / safe
        right, down, _ = self.inverse_depth
        level = np.hypot(self.along[0] - along * right, self.across[0] - across * right) / safe
        upright = np.hypot(self.along[1] - along * down, self.across[1] - across * down) / safe
        return Spots(plane(along), plane(across), plane(level), plane(upright), plane(before))


def project_plane(camera: Camera, normal: Points, distance: float, along: Points, across: Points) -> SeenPlane:
    """The plane normal * point = distance of a room, as a camera sees it.

    Parameters
    ----------
    camera : Camera
        The camera.
    normal : (3,) ndarray of float64
        Unit normal of the plane, in the room.
    distance : float
        Of the plane from the room's origin along `normal`, in meters; the lens must not lie in the plane.
    along, across : (3,) ndarray of float64
        Unit directions in the plane; meters along them are counted from the room's origin.

    Returns
    -------
    SeenPlane
        The plane for pixels of the camera's picture.
    """
    focal, (left, top) = camera.focal, camera.center
    # The rows of `look` give the ray of the pixel (x, y, 1), in the room.
    look = camera.turn.T @ np.array([[1 / focal, 0, -left / focal], [0, 1 / focal, -top / focal], [0, 0, 1.0]])
    slope = normal @ look
    away = distance - float(camera.eye @ normal)
    # One over the depth is what is even across the picture: it is slope / away.
    inverse = slope / away
    return SeenPlane(
        along @ look + float(along @ camera.eye) * inverse,
        across @ look + float(across @ camera.eye) * inverse,
        inverse,
    )
