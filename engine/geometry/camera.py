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
"""Count x 2 or count x 3."""
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
        """The same camera for a picture `scale` times as large."""
        return replace(self, focal=self.focal * scale, center=(self.center[0] * scale, self.center[1] * scale))

    def raise_by(self, height: float) -> "Camera":
        """The same view from another height: all lengths of the room grow in proportion."""
        return replace(self, height=height)

    @property
    def eye(self) -> Points:
        """Where the lens is."""
        return np.array([0.0, 0.0, self.height])

    def project(self, points: Points) -> tuple[Points, NDArray[np.float64]]:
        """Where in the picture points of the room are (count x 2, pixels), and how far before the lens (meters).

        The places of points that are not before the lens mean nothing; their distance is below NEAREST.
        """
        before = (points - self.eye) @ self.turn.T
        depth = before[:, 2]
        safe = np.maximum(depth, NEAREST)[:, None]
        return before[:, :2] / safe * self.focal + np.array(self.center), depth

    def rays(self, pixels: Points) -> Points:
        """The directions (count x 3, in the room, one meter forward each) in which pixels (count x 2) look."""
        level = (pixels - np.array(self.center)) / self.focal
        return np.column_stack([level, np.ones(len(level))]) @ self.turn

    def intersect(self, pixels: Points, normal: Points, distance: float) -> Points:
        """Where the rays of pixels meet the plane normal * point = distance, before the lens; else NaN."""
        rays = self.rays(pixels)
        slope = rays @ normal
        with np.errstate(divide="ignore", invalid="ignore"):
            far = (distance - float(self.eye @ normal)) / slope
        far = np.where(np.isfinite(far) & (far > NEAREST), far, np.nan)
        return self.eye + rays * far[:, None]

    def intersect_floor(self, pixels: Points) -> Points:
        """The spots of the floor (count x 3) that pixels look at; NaN at and above the horizon."""
        return self.intersect(pixels, np.array([0.0, 0.0, 1.0]), 0.0)

    def as_json(self) -> dict[str, Any]:
        """The camera as plain numbers."""
        turn = [[float(value) for value in row] for row in self.turn]
        return {"focal": self.focal, "center": list(self.center), "turn": turn, "height": self.height}


def read_camera(content: dict[str, Any]) -> Camera:
    """The camera that `as_json` gave."""
    center = float(content["center"][0]), float(content["center"][1])
    return Camera(float(content["focal"]), center, np.array(content["turn"], float), float(content["height"]))
