"""The parts of a room in a photo: learnt for rooms; outside, where there are none, what comes closest."""

import numpy as np

from app.engine.arrays import Pixels, Plane, plane
from app.engine.room.surface import PLACE, Surface
from app.engine.scene.edge_aware import at_edges
from app.engine.scene.kinds import Kind
from app.engine.scene.labels import surfaces_of
from app.engine.scene.net import Seen, seen
from app.engine.scene.shares import shares

_OUTSIDE = {
    Kind.FLOOR: Surface.FLOOR,
    Kind.WALL: Surface.WALL,
    Kind.CEILING: Surface.CEILING,
    Kind.WINDOW: Surface.WINDOW,
    Kind.THINGS: Surface.FURNITURE,
}


def room_surfaces(picture: Pixels, known: Seen | None = None) -> Plane:
    """Height x width x len(Surface) shares, 0-1, summing to 1, of a small sRGB picture of a room.

    `known` is what the net made of this picture where it was asked before.
    """
    return at_edges(shares(surfaces_of((known or seen(picture)).labels), picture.shape), picture)


def outside_surfaces(kinds: Plane) -> Plane:
    """The same from the shares of the kinds (height x width x len(Kind)) of a photo taken outside."""
    parts = np.zeros((len(Surface), *kinds.shape[:2]), np.float32)
    for kind in Kind:
        parts[PLACE[_OUTSIDE.get(kind, Surface.OTHER)]] += kinds[..., kind]
    return plane(np.moveaxis(parts, 0, -1))
