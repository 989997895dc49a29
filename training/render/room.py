"""The box that a room is, and what an app makes of it."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.geometry.camera import Camera as Lens
from engine.geometry.room import Room as Measured
from engine.geometry.room import Wall
from training.render.picture import Camera


@dataclass(frozen=True, slots=True)
class Room:
    """A box: left, right (x), depth (y, from 0) and height, meters; `flat` says that its ceiling is level."""

    left: float
    right: float
    deep: float
    high: float
    flat: bool = True


def measured(room: Room, camera: Camera) -> Measured:
    """The truth about a rendered room, as the app would say it: seen from the spot below the lens."""
    x, y, height = camera.position
    corners = [(room.left, 0.0), (room.left, room.deep), (room.right, room.deep), (room.right, 0.0)]
    spots = [(across - x, along - y) for across, along in corners]
    walls = tuple(Wall(start, end) for start, end in pairwise(spots))
    forward = np.array(camera.target, float) - np.array(camera.position, float)
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(forward, right), forward])
    focal = camera.width / 2 / np.tan(np.radians(camera.angle) / 2)
    center = camera.width / 2, camera.height * (0.5 + camera.rise)
    lens = Lens(float(focal), (float(center[0]), float(center[1])), turn, float(height))
    return Measured(lens, walls, room.high if room.flat else None, 1.0, "truth")
