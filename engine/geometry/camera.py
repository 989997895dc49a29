"""The camera of a photo of a room: where a point of the room is in the picture, and what a pixel looks at.

The room is measured in meters from the spot of the floor below the lens: x to the right and y away from the camera,
both along the room's main directions, z up. Pixels are counted from the picture's upper left corner, so that the
middle of the first one is at (0.5, 0.5).
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""(N, 2) or (N, 3), or one point or direction of 3 numbers."""
NEAREST = 1e-3
"""Meters before the lens from which a point can be seen."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera without distortion. `focal` and `center` (x, y) are pixels, `height` meters over the floor.

    The rows of `turn` (3 x 3) are the directions right, down and forward of the picture, in the room's own.
    """

    focal: float
    center: tuple[float, float]
    turn: Points
    height: float

    def rescale(self, scale: float) -> "Camera":
        """The same camera for a picture of another size.

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

    def raise_by(self, height: float) -> "Camera":
        """The same view from another height: all lengths of the room grow in proportion.

        Parameters
        ----------
        height : float
            The new height over the floor, in meters; it replaces the present one.

        Returns
        -------
        Camera
            The camera at that height.
        """
        return replace(self, height=height)

    @property
    def eye(self) -> Points:
        """Where the lens is."""
        return np.array([0.0, 0.0, self.height])

    def project(self, points: Points) -> tuple[Points, NDArray[np.float64]]:
        """Where in the picture points of the room are, and how far in front of the lens.

        Parameters
        ----------
        points : (N, 3) ndarray of float64
            Points of the room, in meters.

        Returns
        -------
        places : (N, 2) ndarray of float64
            x and y in pixels; without meaning for points that are not in front of the lens.
        depth : (N,) ndarray of float64
            Meters in front of the lens along its axis; below NEAREST for points that are not in front of it.
        """
        before = (points - self.eye) @ self.turn.T
        depth = before[:, 2]
        safe = np.maximum(depth, NEAREST)[:, None]
        return before[:, :2] / safe * self.focal + np.array(self.center), depth

    def rays(self, pixels: Points) -> Points:
        """The directions in which pixels look.

        Parameters
        ----------
        pixels : (N, 2) ndarray of float64
            x and y in pixels.

        Returns
        -------
        (N, 3) ndarray of float64
            Directions in the room, each as long as it takes to go one meter forward.
        """
        level = (pixels - np.array(self.center)) / self.focal
        return np.column_stack([level, np.ones(len(level))]) @ self.turn

    def intersect(self, pixels: Points, normal: Points, distance: float) -> Points:
        """Where the rays of pixels meet the plane normal * point = distance.

        Parameters
        ----------
        pixels : (N, 2) ndarray of float64
            x and y in pixels.
        normal : (3,) ndarray of float64
            Unit normal of the plane, in the room.
        distance : float
            Of the plane from the room's origin along `normal`, in meters.

        Returns
        -------
        (N, 3) ndarray of float64
            Points of the room, in meters; NaN where a ray does not meet the plane in front of the lens.
        """
        rays = self.rays(pixels)
        slope = rays @ normal
        with np.errstate(divide="ignore", invalid="ignore"):
            far = (distance - float(self.eye @ normal)) / slope
        far = np.where(np.isfinite(far) & (far > NEAREST), far, np.nan)
        return self.eye + rays * far[:, None]

    def intersect_floor(self, pixels: Points) -> Points:
        """The points of the floor that pixels look at.

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
    """The camera that `Camera.as_json` wrote.

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
