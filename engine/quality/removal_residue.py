"""Measures what is left of things that were to be removed: pieces beside what was made new, shapes within it."""

import cv2
import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.color.difference import compute_delta_e, srgb_to_lab
from engine.filters.morphology import dilate
from engine.geometry.surface import PLACE, Surface

INSIDE, OUTSIDE = 0.9, 0.03
"""Shares of change from which a place is new, and up to which it is the photo's."""
BESIDE, AROUND = 0.005, 0.035
"""Shares of the long side: what lies right at the border, and how far what is usual on a surface is looked for."""
LEAST_BESIDE, LEAST_AROUND, MOSTLY = 0.12, 0.02, 0.7
"""How much of a square must lie on a side of the border to be compared, and around it; of it, on bare surfaces."""
STEP, ON = 6.0, 0.5
"""CIEDE2000 across the border from which something ends there, beyond what is usual around; how much of it there
may have been before for the thing to have gone on.
"""
BARE = (Surface.FLOOR, Surface.WALL, Surface.CEILING)
"""What remains of a room when things are gone."""


def measure_cut_things(
    pictures: tuple[Pixels, Pixels], free: Plane, surfaces: Plane, removes: tuple[Surface, ...]
) -> float:
    """How long the border of what was changed cuts through something.

    Such a thing went on across the border before, still stands beside it, and ends there.

    Parameters
    ----------
    pictures : tuple of (h, w, 3) ndarray of uint8
        Photo and result, gamma-coded sRGB.
    free : (h, w) ndarray of float32
        How much of each pixel was changed, 0-1.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.
    removes : tuple of Surface
        What was to be removed. Only this, floor, walls, ceilings and rugs are looked at beside the border, for all
        else may stay.

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
    # The band along the border in which it is seen is two squares' halves wide.
    length: float = np.count_nonzero(cut) / (2 * beside * side)
    return length


def measure_unclear(seen: Plane, free: Plane) -> float:
    """How much of what was changed does not look like floor, wall or ceiling.

    Parameters
    ----------
    seen : (h, w, S) ndarray of float32
        The result's surfaces in the order of `Surface`: shares, 0-1.
    free : (h, w) ndarray of float32
        How much of each pixel was changed, 0-1.

    Returns
    -------
    float
        Share, 0-1; 0 where nothing was changed.
    """
    made = free > 0.5
    if not made.any():
        return 0.0
    return float(1 - seen[..., [PLACE[each] for each in BARE]].sum(-1)[made].mean())


def _measure_spread(lab: Plane, free: Plane, beside: int) -> tuple[Plane, Mask]:
    """How far colors lie apart around each place, the border itself left out; and where that is known."""
    away = plane(~dilate(np.asarray(free > OUTSIDE), 2 * beside))
    reach = max(8, round(AROUND * max(free.shape)))
    mean, squares = _average(lab, away, reach), _average(plane(lab * lab), away, reach)
    spread = np.sqrt(np.maximum(squares - mean * mean, 0).sum(-1))
    return plane(spread), np.asarray(_blur(away, reach) > LEAST_AROUND)


def _average(values: Plane, weight: Plane, radius: int) -> Plane:
    """The mean of values (x 3) around each place, by weight."""
    total = _blur(plane(values * gray_to_rgb(weight)), radius)
    return plane(total / gray_to_rgb(plane(np.maximum(_blur(weight, radius), 1e-4))))


def _blur(values: Plane, radius: int) -> Plane:
    return plane(cv2.blur(values, (2 * radius + 1, 2 * radius + 1)))
