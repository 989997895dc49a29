"""The parts of a room from the kinds that the learnt eye tells apart: all things count as furniture."""

import numpy as np

from app.engine.arrays import Plane, plane
from app.engine.room.surface import PLACE, Surface
from app.engine.scene.kinds import Kind

_PARTS = {
    Kind.FLOOR: Surface.FLOOR,
    Kind.WALL: Surface.WALL,
    Kind.CEILING: Surface.CEILING,
    Kind.WINDOW: Surface.WINDOW,
    Kind.THINGS: Surface.FURNITURE,
}


def room_surfaces(shares: Plane) -> Plane:
    """Height x width x len(Surface) shares from those of the kinds (height x width x len(Kind)), 0-1; sums to 1."""
    parts = np.zeros((len(Surface), *shares.shape[:2]), np.float32)
    for kind in Kind:
        parts[PLACE[_PARTS.get(kind, Surface.OTHER)]] += shares[..., kind]
    return plane(np.moveaxis(parts, 0, -1))
