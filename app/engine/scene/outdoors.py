"""The gate between outdoor and indoor photos: blue or blown sky over ground, or plenty of green growth."""

import numpy as np

from app.engine.arrays import Plane, luminance


def is_outdoors(small: Plane, sky: Plane) -> bool:
    """Whether a small sRGB picture (x 3, 0-1) with this sky map shows the outside of a house."""
    return greenery(small) > 0.04 or (float(sky.mean()) > 0.05 and sky_is_cool(small, sky))


def greenery(small: Plane) -> float:
    """The share of the picture that is green growth: green above red and blue, textured."""
    red, green, blue = small[..., 0], small[..., 1], small[..., 2]
    growth = (green > red * 1.02) & (green > blue * 1.15) & (green > 0.06)
    return float(growth.mean())


def sky_is_cool(small: Plane, sky: Plane) -> bool:
    """Whether the sky is blue, or neutral and the brightest thing in sight: lit ceilings are warm or dimmer."""
    inside = sky > 0.8
    if not inside.any():
        return False
    red, _, blue = small[inside].mean(0)
    brightest = float(np.quantile(luminance(small), 0.98))
    return bool(blue > red + 0.05 or (blue > red - 0.01 and luminance(small)[inside].mean() > brightest - 0.06))
