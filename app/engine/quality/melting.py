"""Whether what a step made is as sharp and as straight as rooms are: models smear and bend what they redraw."""

import cv2
import numpy as np

from app.engine.arrays import Mask, Plane, edge_strength, grown, plane
from app.engine.quality.structure import worst_part

NEAR, WIDE = 7, 6
"""Pixels around a place in which its steepest edge and its light and dark are looked for."""
CONTRAST = 0.12
"""The step of tones (luma of 0-1) that has an edge somewhere; light that falls off is weaker."""
FAINT, JOINTS = 0.06, 15
"""The step of tones of faint edges and falling light; pixels across which joints and grain do not hide it."""
SOFT = 0.17
"""The steepest edge over the step: 0.35 and more at sharp edges."""


def smeared(before: Plane, after: Plane, inside: Mask) -> float:
    """How much of the worst part of what was made is without sharp edges though it has light and dark.

    What was soft there before may be so again: light that falls off on a wall, a gleam across joints of a floor.
    Grey planes, 0-1.
    """
    levels = np.asarray(np.rint(np.clip(before, 0, 1) * 255), np.uint8)
    light = plane(cv2.medianBlur(levels, JOINTS)) / np.float32(255)
    was = soft(before) | soft(light, FAINT)
    return worst_part(plane(soft(after) & ~grown(was, NEAR) & inside))


def soft(picture: Plane, contrast: float = CONTRAST) -> Mask:
    """Where light and dark, `contrast` (luma of 0-1) apart at least, lie beside each other without a sharp edge."""
    step = _highest(picture, WIDE) - _lowest(picture, WIDE)
    steepest = _highest(edge_strength(picture), NEAR)
    return np.asarray((step > contrast) & (steepest < SOFT * step), np.bool_)


def _highest(values: Plane, radius: int) -> Plane:
    return plane(cv2.dilate(values, np.ones((2 * radius + 1,) * 2, np.uint8)))


def _lowest(values: Plane, radius: int) -> Plane:
    return plane(cv2.erode(values, np.ones((2 * radius + 1,) * 2, np.uint8)))
