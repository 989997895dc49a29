"""A plane of the room as the picture sees it: meters along and across it, and how many a pixel sees."""

from dataclasses import dataclass

import numpy as np

from engine.arrays import Plane, plane
from engine.geometry.camera import Camera, Points

FARTHEST = 60.0
"""Meters: what lies farther is seen as if it lay there."""


@dataclass(frozen=True, slots=True)
class Spots:
    """Height x width each: meters `along` and `across` the plane, meters a pixel sees of it from left to right and
    from top to bottom. `before`: whether the plane is met before the lens.
    """

    along: Plane
    across: Plane
    level: Plane
    upright: Plane
    before: Plane


@dataclass(frozen=True, slots=True)
class SeenPlane:
    """Rows of three numbers each, for (x, y, 1) of a pixel: meters along times depth, across times depth, depth."""

    along: Points
    across: Points
    depth: Points

    def rescale(self, scale: float) -> "SeenPlane":
        """The same plane in a picture `scale` times as large."""
        shrink = np.array([1 / scale, 1 / scale, 1.0])
        return SeenPlane(self.along * shrink, self.across * shrink, self.depth * shrink)

    def spots(self, rows: slice, columns: slice, shift: tuple[float, float] = (0.5, 0.5)) -> Spots:
        """The spots that these pixels see at `shift` (x, y) from their upper left corners."""
        x = (np.arange(columns.start, columns.stop) + shift[0])[None, :]
        y = (np.arange(rows.start, rows.stop) + shift[1])[:, None]
        depth = self.depth[0] * x + self.depth[1] * y + self.depth[2]
        before = depth > 1 / FARTHEST
        safe = np.maximum(depth, 1 / FARTHEST)
        along = (self.along[0] * x + self.along[1] * y + self.along[2]) / safe
        across = (self.across[0] * x + self.across[1] * y + self.across[2]) / safe
        level = np.hypot(self.along[0] - along * self.depth[0], self.across[0] - across * self.depth[0]) / safe
        upright = np.hypot(self.along[1] - along * self.depth[1], self.across[1] - across * self.depth[1]) / safe
        return Spots(plane(along), plane(across), plane(level), plane(upright), plane(before))


def project_plane(camera: Camera, normal: Points, distance: float, along: Points, across: Points) -> SeenPlane:
    """The plane normal * point = distance; `along` and `across` are directions in it. `normal` points to the lens.

    Meters are counted from where they are 0 in the room.
    """
    focal, (left, top) = camera.focal, camera.center
    # The rows of `look` give the ray of the pixel (x, y, 1), in the room.
    look = camera.turn.T @ np.array([[1 / focal, 0, -left / focal], [0, 1 / focal, -top / focal], [0, 0, 1.0]])
    slope = normal @ look
    away = distance - float(camera.eye @ normal)
    # One over the depth is what is even across the picture: it is slope / away.
    depth = slope / away
    return SeenPlane(
        along @ look + float(along @ camera.eye) * depth, across @ look + float(across @ camera.eye) * depth, depth
    )
