"""Lights wall, door and ground at the entries of a house at dusk, as lamps would, where no lamp is visible."""

from collections.abc import Sequence

import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import scale_channels
from engine.segmentation.entries import EntryPlace

COLOR = (1.0, 0.64, 0.31)
"""Color, in linear light, of the lamps."""
ON_WALL, ON_GROUND = 0.75, 0.32
"""Light on the wall right at the lamp, and on the ground below it, linear."""
WALL_REACH, GROUND_REACH = 0.4, (0.25, 0.6)
"""Distances, in heights of the door, at which the light has fallen to half: on the wall; on the ground, down the
picture and across it.
"""
END = 3.0
"""Distance at which the light ends, as a multiple of WALL_REACH or GROUND_REACH."""
MAX_LIGHT = 0.8
"""Maximum light of several lamps together, linear."""


def compute_entry_light(places: Sequence[EntryPlace], wall: Plane, ground: Plane) -> Plane:
    """Compute the light of lamps that hang at these places, by the inverse square of their distance.

    Parameters
    ----------
    places : Sequence of EntryPlace
        Where the lamps hang.
    wall, ground : (h, w) ndarray of float32
        The shares of the house's walls and doors, and of the ground, 0-1. Nothing else is lit.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Linear light.
    """
    total = np.zeros_like(wall)
    rows, columns = (np.arange(side, dtype=np.float32) for side in wall.shape)
    for place in places:
        aside = (columns[None] - place.column) / place.tall
        height = (rows[:, None] - place.row) / place.tall
        below = np.maximum(rows[:, None] - place.foot, 0) / place.tall
        total += ON_WALL * wall * _fall_off(plane(np.hypot(aside, height) / WALL_REACH))
        down, across = GROUND_REACH
        total += ON_GROUND * ground * _fall_off(plane(np.hypot(aside / across, below / down)))
    return scale_channels(plane(np.minimum(total, MAX_LIGHT)), COLOR)


def _fall_off(distance: Plane) -> Plane:
    """1 at the lamp, a half at distance 1, and nothing from END on."""
    return plane(smoothstep(distance, END, END / 2) / (1 + distance**2))
