"""Maps pixels to a plane of the room: where each pixel's ray meets it, in meters, and how much a pixel covers."""

from dataclasses import dataclass

import numpy as np

from engine.arrays import Plane, plane
from engine.geometry.camera import Camera, Points

MAX_DISTANCE = 60.0
"""Distance from the lens, in meters; farther points are treated as if they were at this distance."""


@dataclass(frozen=True, slots=True)
class Spots:
    """The spots where the rays of pixels meet a plane; each field is (H, W).

    `along` and `across` are a spot's coordinates on the plane in meters. `width` and `height` are the meters of the
    plane that one pixel covers from left to right and from top to bottom. `in_front` is 1 where the ray meets the
    plane in front of the lens and nearer than MAX_DISTANCE, else 0.
    """

    along: Plane
    across: Plane
    width: Plane
    height: Plane
    in_front: Plane


@dataclass(frozen=True, slots=True)
class SeenPlane:
    """A plane in a picture. For a pixel p = (x, y, 1), `inverse_depth` @ p is 1 / depth, `along` @ p is the spot's
    coordinate along the plane divided by its depth, and `across` @ p is the coordinate across it, divided likewise.
    """

    along: Points
    across: Points
    inverse_depth: Points

    def rescale(self, scale: float) -> "SeenPlane":
        """Convert the plane for a picture of another size.

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

    def find_spots(self, rows: slice, columns: slice, shift: tuple[float, float] = (0.5, 0.5)) -> Spots:
        """Find the spots where the rays of pixels meet the plane.

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
        in_front = inverse > 1 / MAX_DISTANCE
        limited_inverse = np.maximum(inverse, 1 / MAX_DISTANCE)
        along = (self.along[0] * x + self.along[1] * y + self.along[2]) / limited_inverse
        across = (self.across[0] * x + self.across[1] * y + self.across[2]) / limited_inverse
        right, down, _ = self.inverse_depth
        width = np.hypot(self.along[0] - along * right, self.across[0] - across * right) / limited_inverse
        height = np.hypot(self.along[1] - along * down, self.across[1] - across * down) / limited_inverse
        return Spots(plane(along), plane(across), plane(width), plane(height), plane(in_front))


def project_plane(camera: Camera, normal: Points, distance: float, along: Points, across: Points) -> SeenPlane:
    """Project the plane normal * point = distance of a room into a camera's picture.

    Parameters
    ----------
    camera : Camera
        The camera.
    normal : (3,) ndarray of float64
        Unit normal of the plane, in the room.
    distance : float
        The plane's distance from the room's origin along `normal`, in meters; the lens must not lie in the plane.
    along, across : (3,) ndarray of float64
        Unit directions in the plane; meters along them are counted from the room's origin.

    Returns
    -------
    SeenPlane
        The plane for pixels of the camera's picture.
    """
    focal, (center_x, center_y) = camera.focal, camera.center
    # rays @ (x, y, 1) is the direction of a pixel in the room.
    rays = camera.turn.T @ np.array(
        [[1 / focal, 0, -center_x / focal], [0, 1 / focal, -center_y / focal], [0, 0, 1.0]]
    )
    slope = normal @ rays
    distance_from_lens = distance - float(camera.eye @ normal)
    # Unlike the depth, one over the depth is a linear function of x and y.
    inverse = slope / distance_from_lens
    return SeenPlane(
        along @ rays + float(along @ camera.eye) * inverse,
        across @ rays + float(across @ camera.eye) * inverse,
        inverse,
    )
