"""Measures smearing and missing detail in the parts of a picture that were redrawn."""

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

EDGE_RADIUS = 7
"""Radius, in pixels, in which the steepest gradient near a place is searched for."""
CONTRAST_RADIUS = 6
"""Radius, in pixels, in which the lightest and darkest pixel near a place are searched for."""
MIN_CONTRAST = 0.12
"""Least difference between light and dark (luma of 0-1) that needs a sharp edge; gradients of light have less."""
MIN_FAINT_CONTRAST = 0.06
"""Least difference between light and dark at faint edges and in gradients of light."""
MEDIAN_SIDE = 15
"""Side, in pixels, of the median filter that removes joints and grain, which would hide gradients of light."""
MAX_SOFT_GRADIENT = 0.17
"""Ratio of the steepest gradient to the contrast; below it, an edge is soft. Sharp edges have 0.35 and more."""


def measure_smearing(before: Plane, after: Plane, inside: Mask) -> float:
    """The share of a result's worst part that has light and dark without a sharp edge between them.

    Places that were soft in the photo may stay soft, such as a gradient of light on a wall.

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
    light = plane(cv2.medianBlur(levels, MEDIAN_SIDE)) / np.float32(255)
    was = find_soft_contrast(before) | find_soft_contrast(light, MIN_FAINT_CONTRAST)
    return find_worst_part(plane(find_soft_contrast(after) & ~dilate(was, EDGE_RADIUS) & inside))


def find_soft_contrast(picture: Plane, contrast: float = MIN_CONTRAST) -> Mask:
    """Find where light and dark lie beside each other without a sharp edge.

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
    step = _find_maximum(picture, CONTRAST_RADIUS) - _find_minimum(picture, CONTRAST_RADIUS)
    steepest = _find_maximum(gradient_magnitude(picture), EDGE_RADIUS)
    return np.asarray((step > contrast) & (steepest < MAX_SOFT_GRADIENT * step), np.bool_)


def _find_maximum(values: Plane, radius: int) -> Plane:
    return plane(cv2.dilate(values, np.ones((2 * radius + 1,) * 2, np.uint8)))


def _find_minimum(values: Plane, radius: int) -> Plane:
    return plane(cv2.erode(values, np.ones((2 * radius + 1,) * 2, np.uint8)))


EVEN_SURFACES = (Surface.FLOOR, Surface.RUG, Surface.WALL, Surface.CEILING)
"""Surfaces with similar detail everywhere."""
FINE_SIGMA = 1.6
"""Sigma, in pixels, of the blur that is subtracted to leave fine detail."""
MAX_PIXEL_DETAIL = 0.15
"""Limit of the detail of one pixel (logarithm of light), so that a few lines do not stand for a whole place."""
LIGHT_OFFSET = 0.02
"""Light added before taking the logarithm, so that black places count little."""
DETAIL_RADIUS = 0.012
"""Radius, as a share of the width, over which the detail of a place is averaged."""
PLANE_RIM = 4
"""Pixels left out along a plane's border."""
MIN_PLANE_SHARE = 0.02
"""Least share of the picture for a plane to be judged."""
MIN_VISIBLE_DETAIL = 0.006
"""Least detail of a plane (logarithm of light) whose loss can be seen."""
LOSS_START = np.log(0.5)
"""Logarithm of the remaining share of expected detail below which detail counts as partly lost."""
LOSS_END = np.log(0.3)
"""Logarithm of the remaining share of expected detail below which detail counts as fully lost."""
SAMPLE_DISTANCE = 4
"""Distance, in pixels, between the places to which detail is fitted."""
FIT_ITERATIONS = 8
"""Iterations of the reweighted least squares."""
MIN_RESIDUAL = 0.05
"""Least residual in the weights of the fit, which are 1 / residual."""


def measure_lost_detail(
    before: Plane, after: Plane, new_area: Mask, surfaces: Plane, room: Room, *, renewed: bool
) -> float:
    """The share of the new area's worst part without the detail that its floor, wall or ceiling has elsewhere.

    Detail may change linearly with position, and may be missing where the photo had little detail on that plane.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    new_area : (h, w) ndarray of bool
        The new area; the room's geometry gives the plane of each pixel.
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
    even = np.isin(surfaces.argmax(-1), [PLACE[each] for each in EVEN_SURFACES])
    counted = even & new_area if renewed else even | new_area
    was, now = _extract_fine_detail(before), _extract_fine_detail(after)
    lost = np.zeros(after.shape, np.float32)
    for number in np.unique(numbers):
        area = erode(np.asarray((numbers == number) & counted), PLANE_RIM)
        if number != NO_PLANE and area.mean() >= MIN_PLANE_SHARE:
            lost = np.maximum(lost, _measure_lost(now, area) * (1 - _measure_lost(was, area) * even))
    return find_worst_part(plane(lost * new_area))


def _extract_fine_detail(gray: Plane) -> Plane:
    """Fine detail, as the logarithm of each pixel's light over the light around it."""
    light = np.log(gray + np.float32(LIGHT_OFFSET))
    return plane(np.clip(light - cv2.GaussianBlur(light, (0, 0), FINE_SIGMA), -MAX_PIXEL_DETAIL, MAX_PIXEL_DETAIL))


def _measure_lost(fine: Plane, area: Mask) -> Plane:
    """The share of detail that is missing at each pixel of a plane, 0-1."""
    side = 2 * max(4, round(DETAIL_RADIUS * fine.shape[1])) + 1
    weight = plane(area)
    share = cv2.blur(weight, (side, side))
    energy = cv2.blur(plane(fine * fine * weight), (side, side)) / np.maximum(share, 1e-3)
    detail = plane(np.log(energy + 1e-8) / 2)
    known = area & (share > 0.3)
    expected = _fit_even_detail(detail, known)
    gone = np.clip((LOSS_START - (detail - expected)) / (LOSS_START - LOSS_END), 0, 1)
    return plane(gone * (known & (expected > np.log(MIN_VISIBLE_DETAIL))))


def _fit_even_detail(detail: Plane, known: Mask) -> Plane:
    """The expected detail at each pixel, by a robust linear fit over the known pixels."""
    rows, columns = (
        each.astype(np.float64) * SAMPLE_DISTANCE
        for each in np.nonzero(known[::SAMPLE_DISTANCE, ::SAMPLE_DISTANCE])
    )
    values = detail[::SAMPLE_DISTANCE, ::SAMPLE_DISTANCE][known[::SAMPLE_DISTANCE, ::SAMPLE_DISTANCE]]
    if len(values) < 40:
        return np.full_like(detail, -np.inf)
    terms = np.column_stack([np.ones_like(rows), rows, columns])
    weights: NDArray[np.float64] = np.ones(len(values))
    for _ in range(FIT_ITERATIONS):
        root = np.sqrt(weights)
        slope = np.linalg.lstsq(terms * root[:, None], values * root, rcond=None)[0]
        weights = 1 / np.maximum(np.abs(values - terms @ slope), MIN_RESIDUAL)
    height, width = detail.shape
    return plane(slope[0] + slope[1] * np.arange(height)[:, None] + slope[2] * np.arange(width))
