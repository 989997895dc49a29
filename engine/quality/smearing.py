"""Measures smearing: generative models blur and bend the parts of a picture that they redraw."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gradient_magnitude
from engine.geometry.planes import NO_PLANE, number_planes
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface
from engine.quality.structure import find_worst_part

NEAR = 7
"""Pixels around a place in which its steepest edge is searched for."""
WIDE = 6
"""Pixels around a place in which its lightest and darkest pixels are searched for."""
CONTRAST = 0.12
"""Least difference between light and dark (luma of 0-1) that needs a sharp edge; light that falls off has less."""
FAINT = 0.06
"""Least difference between light and dark at faint edges, and in light that falls off."""
JOINTS = 15
"""Side, in pixels, of the median filter that removes joints and grain, which would hide light that falls off."""
SOFT = 0.17
"""Steepest gradient over the difference between light and dark, below which there is no sharp edge; sharp edges
have 0.35 and more.
"""


def measure_smearing(before: Plane, after: Plane, inside: Mask) -> float:
    """How much of the worst part of a result has light and dark, but no sharp edge between them.

    Places that were soft in the photo may stay soft: light that falls off on a wall, a gleam across floor joints.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    inside : (h, w) ndarray of bool
        The new area, which is judged.

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
"""Surfaces with similar detail everywhere."""
FINE = 1.6
"""Sigma, in pixels, of the blur that is subtracted to leave fine detail."""
MOST = 0.15
"""Most that one pixel counts (logarithm of light), so that a few lines do not count for a whole place."""
LIGHT = 0.02
"""Light added before taking the logarithm, so that black places count little."""
AROUND = 0.012
"""Radius, as a share of the width, over which the detail of a place is averaged."""
RIM = 4
"""Pixels left out along a plane's border."""
LEAST_PLANE = 0.02
"""Least share of the picture for a plane to be judged."""
SEEN = 0.006
"""Least detail of a plane (logarithm of light) whose loss can be seen."""
HALF = np.log(0.5)
"""Remaining share of the expected detail (logarithm) below which loss begins."""
GONE = np.log(0.3)
"""Remaining share of the expected detail (logarithm) below which all detail is lost."""
SAMPLED = 4
"""Distance, in pixels, between the places to which detail is fitted."""
ROUNDS = 8
"""Iterations of the reweighted least squares."""
OUTLYING = 0.05
"""Least residual that a weight is computed from; larger residuals get less weight."""


def measure_lost_detail(
    before: Plane, after: Plane, made: Mask, surfaces: Plane, room: Room, *, renewed: bool
) -> float:
    """How much of the new area's worst part lacks the detail that its floor, wall or ceiling has elsewhere.

    Detail may grow or fall evenly with distance, and may be missing where the photo had as little on that plane.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    made : (h, w) ndarray of bool
        The new area; each pixel belongs to the plane that the room's geometry has there.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.
    room : Room
        With the camera of the small pictures.
    renewed : bool
        Whether surfaces got a new material: then only the new area is compared, not the rest of its plane.

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
        if number != NO_PLANE and own.mean() >= LEAST_PLANE:
            lost = np.maximum(lost, _measure_lost(now, own) * (1 - _measure_lost(was, own) * even))
    return find_worst_part(plane(lost * made))


def _fine(gray: Plane) -> Plane:
    """Fine detail, as the logarithm of each pixel's light over the light around it."""
    light = np.log(gray + np.float32(LIGHT))
    return plane(np.clip(light - cv2.GaussianBlur(light, (0, 0), FINE), -MOST, MOST))


def _measure_lost(fine: Plane, own: Mask) -> Plane:
    """How much of its detail is missing at each pixel of a plane, 0-1."""
    side = 2 * max(4, round(AROUND * fine.shape[1])) + 1
    weight = plane(own)
    share = cv2.blur(weight, (side, side))
    energy = cv2.blur(plane(fine * fine * weight), (side, side)) / np.maximum(share, 1e-3)
    detail = plane(np.log(energy + 1e-8) / 2)
    known = own & (share > 0.3)
    expected = _fit_even_detail(detail, known)
    gone = np.clip((HALF - (detail - expected)) / (HALF - GONE), 0, 1)
    return plane(gone * (known & (expected > np.log(SEEN))))


def _fit_even_detail(detail: Plane, known: Mask) -> Plane:
    """The expected detail if it only changes linearly across the picture: a robust linear fit."""
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
