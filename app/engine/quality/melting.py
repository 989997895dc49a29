"""Whether what a step made is as sharp and as straight as rooms are: models smear and bend what they redraw."""

import cv2
import numpy as np

from app.engine.arrays import Mask, Plane, edge_strength, grown, plane
from app.engine.quality.structure import worst_part

NEAR, WIDE = 7, 6
"""Pixels around a place in which its steepest edge and its light and dark are looked for."""
CONTRAST = 0.12
"""The step of tones (luma of 0-1) that has an edge somewhere; light that falls off is weaker."""
SOFT = 0.17
"""The steepest edge over the step: 0.35 and more at sharp edges."""


def smeared(before: Plane, after: Plane, inside: Mask) -> float:
    """How much of the worst part of what was made is without sharp edges though it has light and dark.

    What was soft there before, light that falls off on a wall, may be so again. Grey planes, 0-1.
    """
    return worst_part(plane(_soft(after) & ~grown(_soft(before), NEAR) & inside))


def _soft(picture: Plane) -> Mask:
    step = _highest(picture, WIDE) - _lowest(picture, WIDE)
    steepest = _highest(edge_strength(picture), NEAR)
    return np.asarray((step > CONTRAST) & (steepest < SOFT * step), np.bool_)


def _highest(values: Plane, radius: int) -> Plane:
    return plane(cv2.dilate(values, np.ones((2 * radius + 1,) * 2, np.uint8)))


def _lowest(values: Plane, radius: int) -> Plane:
    return plane(cv2.erode(values, np.ones((2 * radius + 1,) * 2, np.uint8)))
