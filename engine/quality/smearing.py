"""Measures smearing: generative models blur and bend what they redraw."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gradient_magnitude
from engine.geometry.planes import NOTHING, number_planes
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface
from engine.quality.structure import find_worst_part

NEAR, WIDE = 7, 6
"""Pixels around a place in which its steepest edge and its light and dark are looked for."""
CONTRAST = 0.12
"""The step of tones (luma of 0-1) that has an edge somewhere; light that falls off is weaker."""
FAINT, JOINTS = 0.06, 15
"""The step of tones of faint edges and falling light; pixels across which joints and grain do not hide it."""
SOFT = 0.17
"""The steepest edge over the step: 0.35 and more at sharp edges."""


def measure_smearing(before: Plane, after: Plane, inside: Mask) -> float:
    """How much of the worst part of a result has light and dark, but no sharp edge between them.

    What was soft before may still be: light that falls off on a wall, a gleam across joints of a floor.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    inside : (h, w) ndarray of bool
        What was made new and is judged.

    Returns
    -------
    float
        Share of the worst part, 0-1.
    """
    levels = np.asarray(np.rint(np.clip(before, 0, 1) * 255), np.uint8)
    light = plane(cv2.medianBlur(levels, JOINTS)) / np.float32(255)
    was = find_soft_contrast(before) | find_soft_contrast(light, FAINT)
    return find_worst_part(plane(find_soft_contrast(after) & ~dilate(was, NEAR) & inside))


def find_soft_contrast(picture: Plane, contrast: float = CONTRAST) -> Mask:
    """Where light and dark lie beside each other without a sharp edge.

    Parameters
    ----------
    picture : (h, w) ndarray of float32
        Luma, 0-1.
    contrast : float, optional
        The least step between light and dark, in luma of 0-1.

    Returns
    -------
    (h, w) ndarray of bool
        True at such places.
    """
    step = _highest(picture, WIDE) - _lowest(picture, WIDE)
    steepest = _highest(gradient_magnitude(picture), NEAR)
    return np.asarray((step > contrast) & (steepest < SOFT * step), np.bool_)


def _highest(values: Plane, radius: int) -> Plane:
    return plane(cv2.dilate(values, np.ones((2 * radius + 1,) * 2, np.uint8)))


def _lowest(values: Plane, radius: int) -> Plane:
    return plane(cv2.erode(values, np.ones((2 * radius + 1,) * 2, np.uint8)))


EVEN = (Surface.FLOOR, Surface.RUG, Surface.WALL, Surface.CEILING)
FINE, MOST, LIGHT = 1.6, 0.15, 0.02
"""Pixels from which on detail is coarse; the most one pixel counts (logarithm of light), so that lines do not stand
for a whole place; light that is added so that black says nothing.
"""
AROUND, RIM, LEAST_PLANE = 0.012, 4, 0.02
"""Share of the width around a place that is its own; pixels left out along a plane's border; the least share of the
picture that is a plane.
"""
SEEN = 0.006
"""The detail of a plane (logarithm of light) from which its loss can be seen."""
HALF, GONE = np.log(0.5), np.log(0.3)
"""What is left of the detail that a place should have, where loss begins and where all is lost."""
SAMPLED, ROUNDS, OUTLYING = 4, 8, 0.05


def measure_lost_detail(
    before: Plane, after: Plane, made: Mask, surfaces: Plane, room: Room, *, renewed: bool
) -> float:
    """How much of the worst part of what was made lacks the detail that its floor, wall or ceiling has elsewhere.

    Detail may grow or fall evenly with distance, and may be missing where the photo's own plane had as little.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    made : (h, w) ndarray of bool
        What was made new; it belongs to the plane that the room's geometry has there.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.
    room : Room
        With the camera of the small pictures.
    renewed : bool
        Whether surfaces got a new material: then only what was made is compared, not the rest of its plane.

    Returns
    -------
    float
        Share of the worst part, 0-1.
    """
    height, width = after.shape
    numbers = number_planes(room, width, height)
    even = np.isin(surfaces.argmax(-1), [PLACE[each] for each in EVEN])
    counted = even & made if renewed else even | made
    was, now = _fine(before), _fine(after)
    lost = np.zeros(after.shape, np.float32)
    for number in np.unique(numbers):
        own = erode(np.asarray((numbers == number) & counted), RIM)
        if number != NOTHING and own.mean() >= LEAST_PLANE:
            lost = np.maximum(lost, _measure_lost(now, own) * (1 - _measure_lost(was, own) * even))
    return find_worst_part(plane(lost * made))


def _fine(gray: Plane) -> Plane:
    light = np.log(gray + np.float32(LIGHT))
    return plane(np.clip(light - cv2.GaussianBlur(light, (0, 0), FINE), -MOST, MOST))


def _measure_lost(fine: Plane, own: Mask) -> Plane:
    """0-1 for each pixel of a plane: how much of its detail is missing."""
    side = 2 * max(4, round(AROUND * fine.shape[1])) + 1
    weight = plane(own)
    share = cv2.blur(weight, (side, side))
    energy = cv2.blur(plane(fine * fine * weight), (side, side)) / np.maximum(share, 1e-3)
    detail = plane(np.log(energy + 1e-8) / 2)
    known = own & (share > 0.3)
    wanted = _fit_even_detail(detail, known)
    gone = np.clip((HALF - (detail - wanted)) / (HALF - GONE), 0, 1)
    return plane(gone * (known & (wanted > np.log(SEEN))))


def _fit_even_detail(detail: Plane, known: Mask) -> Plane:
    """What the detail would be everywhere if it only grew or fell with distance: the plane most places lie near."""
    rows, columns = (each.astype(np.float64) * SAMPLED for each in np.nonzero(known[::SAMPLED, ::SAMPLED]))
    values = detail[::SAMPLED, ::SAMPLED][known[::SAMPLED, ::SAMPLED]]
    if len(values) < 40:
        return np.full_like(detail, -np.inf)
    terms = np.column_stack([np.ones_like(rows), rows, columns])
    weights: NDArray[np.float64] = np.ones(len(values))
    for _ in range(ROUNDS):
        root = np.sqrt(weights)
        slope = np.linalg.lstsq(terms * root[:, None], values * root, rcond=None)[0]
        weights = 1 / np.maximum(np.abs(values - terms @ slope), OUTLYING)
    height, width = detail.shape
    return plane(slope[0] + slope[1] * np.arange(height)[:, None] + slope[2] * np.arange(width))
