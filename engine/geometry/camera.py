"""Projects points of a room into a photo, and pixels of the photo back into the room.

The origin of the room is the spot of the floor below the lens. In meters, x is to the right and y away from the
camera, both along the room's main directions, and z is up. Pixel coordinates begin at the picture's upper left
corner, so that the center of the first pixel is at (0.5, 0.5).
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""Points or directions, (N, 2) or (N, 3), or a single one, (3,)."""
MIN_DEPTH = 1e-3
"""Meters in front of the lens; nearer points are not visible."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera without distortion. `focal` and `center` (x, y) are in pixels, `height` is in meters over the floor.

    The rows of `turn` (3 x 3) are the picture's directions right, down and forward, in the room's coordinates.
    """

    focal: float
    center: tuple[float, float]
    turn: Points
    height: float

    def rescale(self, scale: float) -> "Camera":
        """Convert the camera for a picture of another size.

        Parameters
        ----------
        scale : float
            Size of that picture, as a multiple of this one's.

        Returns
        -------
        Camera
            The camera in pixels of that picture.
        """
        return replace(self, focal=self.focal * scale, center=(self.center[0] * scale, self.center[1] * scale))

    def with_height(self, height: float) -> "Camera":
        """Set the camera's height; the same pixels then show a room whose lengths are larger in proportion.

        Parameters
        ----------
        height : float
            The new height over the floor, in meters.

        Returns
        -------
        Camera
            The camera at that height.
        """
        return replace(self, height=height)

    @property
    def eye(self) -> Points:
        """The position of the lens in the room, in meters."""
        return np.array([0.0, 0.0, self.height])

    def project(self, points: Points) -> tuple[Points, NDArray[np.float64]]:
        """Project points of the room into the picture.

        Parameters
        ----------
        points : (N, 3) ndarray of float64
            Points of the room, in meters.

        Returns
        -------
        places : (N, 2) ndarray of float64
            x and y in pixels; meaningless for points that are not in front of the lens.
        depth : (N,) ndarray of float64
            Meters in front of the lens along its axis; below MIN_DEPTH for points that are not in front of it.
        """
        in_camera = (points - self.eye) @ self.turn.T
        depth = in_camera[:, 2]
        safe = np.maximum(depth, MIN_DEPTH)[:, None]
        return in_camera[:, :2] / safe * self.focal + np.array(self.center), depth

    def rays(self, pixels: Points) -> Points:
        """Find the directions of the rays through pixels.

        Parameters
        ----------
        pixels : (N, 2) ndarray of float64
            x and y in pixels.

        Returns
        -------
        (N, 3) ndarray of float64
            Directions in the room; each is so long that it advances one meter along the lens's axis.
        """
        offsets = (pixels - np.array(self.center)) / self.focal
        return np.column_stack([offsets, np.ones(len(offsets))]) @ self.turn

    def intersect(self, pixels: Points, normal: Points, distance: float) -> Points:
        """Find the points where the rays of pixels meet the plane normal * point = distance.

        Parameters
        ----------
        pixels : (N, 2) ndarray of float64
            x and y in pixels.
        normal : (3,) ndarray of float64
            Unit normal of the plane, in the room.
        distance : float
            The plane's distance from the room's origin along `normal`, in meters.

        Returns
        -------
        (N, 3) ndarray of float64
            Points of the room, in meters; NaN where a ray does not meet the plane in front of the lens.
        """
        rays = self.rays(pixels)
        slope = rays @ normal
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (distance - float(self.eye @ normal)) / slope
        reach = np.where(np.isfinite(reach) & (reach > MIN_DEPTH), reach, np.nan)
        return self.eye + rays * reach[:, None]

    def intersect_floor(self, pixels: Points) -> Points:
        """Find the points of the floor that pixels show.

        Parameters
        ----------
        pixels : (N, 2) ndarray of float64
            x and y in pixels.

        Returns
        -------
        (N, 3) ndarray of float64
            Points of the room, in meters; NaN at and above the horizon.
        """
        return self.intersect(pixels, np.array([0.0, 0.0, 1.0]), 0.0)

    def as_json(self) -> dict[str, Any]:
        """The camera as plain numbers.

        Returns
        -------
        dict
            `focal`, `center`, `turn` and `height`, as `read_camera` expects them.
        """
        turn = [[float(value) for value in row] for row in self.turn]
        return {"focal": self.focal, "center": list(self.center), "turn": turn, "height": self.height}


def read_camera(content: dict[str, Any]) -> Camera:
    """Read the camera that `Camera.as_json` wrote.

    Parameters
    ----------
    content : dict
        `focal`, `center`, `turn` and `height`.

    Returns
    -------
    Camera
        The camera.
    """
    center = float(content["center"][0]), float(content["center"][1])
    return Camera(float(content["focal"]), center, np.array(content["turn"], float), float(content["height"]))
