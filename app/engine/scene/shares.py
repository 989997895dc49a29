"""What each pixel of a small picture shows, as a share of every kind of surface."""

import numpy as np

from app.engine.arrays import Plane, luminance, plane, spread
from app.engine.scene.kinds import Kind


def shares(small: Plane, sky: Plane, lawn: Plane, glass: Plane) -> Plane:
    """Height x width x len(Kind), 0-1, summing to 1, of a small sRGB picture (x 3, 0-1) and what is known of it."""
    found = np.zeros((*small.shape[:2], len(Kind)), np.float32)
    found[..., Kind.SKY], found[..., Kind.LAWN], found[..., Kind.GLASS] = sky, lawn, glass
    left = np.clip(1 - found.sum(-1), 0, 1)
    found[..., Kind.TREES] = _leaves(small) * left
    found[..., Kind.THINGS] = left - found[..., Kind.TREES]
    return plane(found)


def _leaves(small: Plane) -> Plane:
    red, green, blue = small[..., 0], small[..., 1], small[..., 2]
    green_growth = (green > red * 1.02) & (green > blue * 1.15)
    return plane(green_growth & (spread(luminance(small), 2) > 0.03))
