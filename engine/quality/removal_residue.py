"""Measures remains of things that should be gone: pieces beside the changed area, and shapes within it."""

import cv2
import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.color.difference import compute_delta_e, srgb_to_lab
from engine.filters.morphology import dilate
from engine.geometry.surface import PLACE, Surface

INSIDE = 0.9
"""Least share of change for a pixel to count as inside the changed area."""
OUTSIDE = 0.03
"""Most share of change for a pixel to count as outside the changed area."""
BESIDE = 0.005
"""Radius, as a share of the long side, over which colors on both sides of the area's border are averaged."""
AROUND = 0.035
"""Radius, as a share of the long side, over which the usual variation of colors is measured."""
LEAST_BESIDE = 0.12
"""Least share of a square of radius BESIDE that must lie on each side of the border for it to be compared."""
LEAST_AROUND = 0.02
"""Least share of a square of radius AROUND that must lie away from the border for its variation to be known."""
MOSTLY = 0.7
"""Least share of the outer side that must show surfaces that are judged."""
STEP = 6.0
"""Least CIEDE2000 across the border, beyond the usual variation, for something to end there."""
ON = 0.5
"""Most difference in the photo, as a share of the result's, for a thing to have continued across the border."""
BARE = (Surface.FLOOR, Surface.WALL, Surface.CEILING)
"""Surfaces that remain in a room when everything is removed."""


def measure_cut_things(
    pictures: tuple[Pixels, Pixels], free: Plane, surfaces: Plane, removes: tuple[Surface, ...]
) -> float:
    """The length over which the border of the changed area cuts through things.

    Such a thing continued across the border in the photo; in the result it is still there outside, and ends at the
    border.

    Parameters
    ----------
    pictures : tuple of (h, w, 3) ndarray of uint8
        Photo and result, gamma-coded sRGB.
    free : (h, w) ndarray of float32
        How much of each pixel was changed, 0-1.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.
    removes : tuple of Surface
        What was to be removed. Beside the border, only these surfaces, floors, walls, ceilings and rugs are judged,
        because everything else may stay.

    Returns
    -------
    float
        Length of the border that cuts, as a share of the long side.
    """
    inside, outside = plane(free > INSIDE), plane(free < OUTSIDE)
    side = max(free.shape)
    beside = max(2, round(BESIDE * side))
    was, now = (plane(srgb_to_lab(each)) for each in pictures)
    steps = []
    for picture in (was, now):
        new, own = _average(picture, inside, beside), _average(picture, outside, beside)
        steps.append(compute_delta_e(new, own))
    usual, known = _measure_spread(now, free, beside)
    seen = np.isin(surfaces.argmax(-1), [PLACE[each] for each in (*BARE, Surface.RUG, *removes)])
    border, there = _blur(inside, beside) > LEAST_BESIDE, _blur(outside, beside)
    compared = border & (there > LEAST_BESIDE) & known & (_blur(plane(seen) * outside, beside) > MOSTLY * there)
    cut = compared & (steps[1] > STEP + usual) & (steps[0] < ON * steps[1])
    # A cut is seen in a band along the border that is two radii wide.
    length: float = np.count_nonzero(cut) / (2 * beside * side)
    return length


def measure_unclear(seen: Plane, free: Plane) -> float:
    """How much of the changed area does not look like floor, wall or ceiling.

    Parameters
    ----------
    seen : (h, w, S) ndarray of float32
        The result's surfaces in the order of `Surface`: shares, 0-1.
    free : (h, w) ndarray of float32
        How much of each pixel was changed, 0-1.

    Returns
    -------
    float
        Share, 0-1; 0 if nothing was changed.
    """
    made = free > 0.5
    if not made.any():
        return 0.0
    return float(1 - seen[..., [PLACE[each] for each in BARE]].sum(-1)[made].mean())


def _measure_spread(lab: Plane, free: Plane, beside: int) -> tuple[Plane, Mask]:
    """The standard deviation of colors around each place, without the border itself; and where it is known."""
    away = plane(~dilate(np.asarray(free > OUTSIDE), 2 * beside))
    reach = max(8, round(AROUND * max(free.shape)))
    mean, squares = _average(lab, away, reach), _average(plane(lab * lab), away, reach)
    spread = np.sqrt(np.maximum(squares - mean * mean, 0).sum(-1))
    return plane(spread), np.asarray(_blur(away, reach) > LEAST_AROUND)


def _average(values: Plane, weight: Plane, radius: int) -> Plane:
    """The weighted mean of values (three channels) around each place."""
    total = _blur(plane(values * gray_to_rgb(weight)), radius)
    return plane(total / gray_to_rgb(plane(np.maximum(_blur(weight, radius), 1e-4))))


def _blur(values: Plane, radius: int) -> Plane:
    return plane(cv2.blur(values, (2 * radius + 1, 2 * radius + 1)))
