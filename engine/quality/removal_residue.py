"""Measures remains of removed things: pieces beside the changed area, and shapes in it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Pixels, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.color.difference import compute_delta_e, srgb_to_lab
from engine.filters.morphology import dilate
from engine.geometry.surface import PLACE, Surface

MIN_INSIDE_SHARE = 0.9
"""Least share of change for a pixel to count as inside the changed area."""
MAX_OUTSIDE_SHARE = 0.03
"""Largest share of change for a pixel to count as outside the changed area."""
SIDE_RADIUS = 0.005
"""Radius, as a share of the long side, over which colors on both sides of the area's border are averaged."""
VARIATION_RADIUS = 0.035
"""Radius, as a share of the long side, over which the usual variation of colors is measured."""
MIN_SIDE_SHARE = 0.12
"""Least share of a square of radius SIDE_RADIUS that must lie on each side of the border for it to be compared."""
MIN_KNOWN_SHARE = 0.02
"""Least share of a square of radius VARIATION_RADIUS that must lie away from the border to measure variation."""
MIN_JUDGED_SHARE = 0.7
"""Least share of the outer side with surfaces that are judged."""
MIN_COLOR_STEP = 6.0
"""Least CIEDE2000 across the border, above the usual variation, if a thing ends there."""
MAX_OLD_STEP = 0.5
"""Largest CIEDE2000 across the border in the photo, as a share of that in the result, if a thing continued there.
"""
BARE_SURFACES = (Surface.FLOOR, Surface.WALL, Surface.CEILING)
"""Surfaces that remain in a room when everything is removed."""


def measure_cut_things(
    pictures: tuple[Pixels, Pixels],
    changed_share: Plane,
    surfaces: Plane,
    removes: tuple[Surface, ...],
    numbers: NDArray[np.uint8] | None = None,
) -> float:
    """The length over which the border of the changed area cuts through things.

    In the photo, such a thing continued across the border. In the result, its part outside the area remains and
    ends at the border.

    Parameters
    ----------
    pictures : tuple of (h, w, 3) ndarray of uint8
        Photo and result, gamma-coded sRGB.
    changed_share : (h, w) ndarray of float32
        How much of each pixel was changed, 0-1.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.
    removes : tuple of Surface
        What was to be removed. Beside the border, only these surfaces, floors, walls, ceilings and rugs are judged,
        because everything else may stay.
    numbers : (h, w) ndarray of uint8, optional
        The plane of the room that each pixel shows: at the foot of a door or window, a surface ends, which is no
        cut.

    Returns
    -------
    float
        Length of the border that cuts, as a share of the long side.
    """
    inside, outside = plane(changed_share > MIN_INSIDE_SHARE), plane(changed_share < MAX_OUTSIDE_SHARE)
    side = max(changed_share.shape)
    beside = max(2, round(SIDE_RADIUS * side))
    was, now = (plane(srgb_to_lab(each)) for each in pictures)
    steps = []
    for picture in (was, now):
        inside_mean, outside_mean = _average(picture, inside, beside), _average(picture, outside, beside)
        steps.append(compute_delta_e(inside_mean, outside_mean))
    usual, known = _measure_spread(now, changed_share, beside)
    judged = np.isin(surfaces.argmax(-1), [PLACE[each] for each in (*BARE_SURFACES, Surface.RUG, *removes)])
    border, outside_share = _blur(inside, beside) > MIN_SIDE_SHARE, _blur(outside, beside)
    compared = (
        border
        & (outside_share > MIN_SIDE_SHARE)
        & known
        & (_blur(plane(judged) * outside, beside) > MIN_JUDGED_SHARE * outside_share)
    )
    if numbers is not None:
        kernel = np.ones((4 * beside + 1,) * 2, np.uint8)
        opening = plane(np.isin(surfaces.argmax(-1), [PLACE[Surface.DOOR], PLACE[Surface.WINDOW]]))
        in_plane = cv2.dilate(numbers, kernel) == cv2.erode(numbers, kernel)
        compared &= in_plane | (cv2.dilate(opening, kernel) == 0)
    cut = compared & (steps[1] > MIN_COLOR_STEP + usual) & (steps[0] < MAX_OLD_STEP * steps[1])
    # A cut is found in a band along the border that is two radii wide.
    length: float = np.count_nonzero(cut) / (2 * beside * side)
    return length


def measure_unclear(surfaces: Plane, changed_share: Plane, as_told: Mask | None = None) -> float:
    """Measure how much of the changed area does not look like floor, wall or ceiling.

    Parameters
    ----------
    surfaces : (h, w, S) ndarray of float32
        The result's surfaces in the order of `Surface`: shares, 0-1.
    changed_share : (h, w) ndarray of float32
        How much of each pixel was changed, 0-1.
    as_told : (h, w) ndarray of bool, optional
        Where the result looks like a surface that hints outline; these pixels count as clear.

    Returns
    -------
    float
        Share, 0-1; 0 if nothing was changed.
    """
    changed = changed_share > 0.5
    if not changed.any():
        return 0.0
    unclear = 1 - surfaces[..., [PLACE[each] for each in BARE_SURFACES]].sum(-1)
    return float((unclear if as_told is None else unclear * ~as_told)[changed].mean())


def _measure_spread(lab: Plane, changed_share: Plane, beside: int) -> tuple[Plane, Mask]:
    """The standard deviation of colors around each place, measured away from the border, and where it is known."""
    away = plane(~dilate(np.asarray(changed_share > MAX_OUTSIDE_SHARE), 2 * beside))
    reach = max(8, round(VARIATION_RADIUS * max(changed_share.shape)))
    mean, squares = _average(lab, away, reach), _average(plane(lab * lab), away, reach)
    spread = np.sqrt(np.maximum(squares - mean * mean, 0).sum(-1))
    return plane(spread), np.asarray(_blur(away, reach) > MIN_KNOWN_SHARE)


def _average(values: Plane, weight: Plane, radius: int) -> Plane:
    """The weighted mean of values (three channels) around each place."""
    total = _blur(plane(values * gray_to_rgb(weight)), radius)
    return plane(total / gray_to_rgb(plane(np.maximum(_blur(weight, radius), 1e-4))))


def _blur(values: Plane, radius: int) -> Plane:
    return plane(cv2.blur(values, (2 * radius + 1, 2 * radius + 1)))
