"""What one photo says of its light, for the look that all photos of an order share."""

from typing import BinaryIO

import numpy as np

from app.domain.look import Colour, Glimpse
from app.engine.arrays import Plane, plane, ramp
from app.engine.io import decode
from app.engine.scene.analysis import Scene

# A picture with this share of fully counted white pixels tells its cast for certain.
CERTAIN_SHARE = 0.06
LEAST_SIDE = 512


def glimpse_of(photo: BinaryIO) -> Glimpse:
    """What a stored photo says of the light it was taken in; a large JPEG is not read in full for it.

    Raises UnusablePhotoError when the photo cannot be decoded within the limits.
    """
    source = decode(photo, least_side=LEAST_SIDE)
    return glimpsed(Scene(source.pixels, source.profile, source.digest))


def glimpsed(scene: Scene) -> Glimpse:
    """The photo's cast with its certainty, its brightness, and whether it was taken outside."""
    weight = _whiteness(scene.small) * plane(scene.sky < 0.5)
    return Glimpse(
        outdoors=scene.outdoors,
        cast=_mean_colour(scene.small, weight),
        certainty=float(np.clip(weight.mean() / CERTAIN_SHARE, 0, 1)),
        brightness=scene.ground_brightness,
    )


def _whiteness(small: Plane) -> Plane:
    """How much each pixel of a small sRGB picture may be white under coloured light: light and nearly neutral."""
    value = small.max(-1)
    chroma = (value - small.min(-1)) / np.maximum(value, 1e-3)
    return plane(ramp(plane(chroma), 0.42, 0.08) * ramp(value, 0.2, 0.7) * ramp(value, 0.995, 0.95))


def _mean_colour(small: Plane, weight: Plane) -> Colour:
    total = max(float(weight.sum()), 1e-6)
    mean = (small * weight[..., None]).sum((0, 1)) / total
    if mean.sum() < 1e-6:
        return (1.0, 1.0, 1.0)
    red, green, blue = (float(each) for each in mean / mean.mean())
    return (red, green, blue)
