"""Measures whether edges stayed in their place, whatever the light on them is."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.filters.smoothing import gradient_magnitude

REACH = 12
"""Half the side, in pixels, of the squares in which structure is compared."""
STEP = 8
EVENED, GRAIN = 8, 0.015
STRUCTURED = 0.012
"""The mean edge strength (luma of 0-1 a pixel) from which there is a shape to lose."""
MOST_LIFTED = 4
LOST_BELOW = 0.5
"""Other light leaves 0.7 and more; what is moved by 2 pixels or bent keeps 0 to 0.4."""
PART, PART_STEP = 0.016, 4
"""The share of the picture in which loss is looked for in one place, and how far apart its squares lie."""
WHOLE, GONE = 0.85, 0.4
"""Correlations: what bends begins to leave the first, what keeps less than the second has lost its shape."""


def correlate_edges(before: Plane, after: Plane) -> Plane:
    """How alike the edges around each pixel of two gray planes are, by their strength and direction.

    Directions are compared as doubled angles, so that an edge that turned from dark-to-light to light-to-dark
    counts as the same.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        Correlation: 1 the same, 0 nothing in common, -1 at right angles.

    References
    ----------
    .. [1] Bigün, Granlund, "Optimal Orientation Detection of Linear Symmetry", 1987.
    """
    first, second = _double_angles(_normalize_contrast(before)), _double_angles(_normalize_contrast(after))
    energy = cv2.multiply(_sum_around(_dot(first, first)), _sum_around(_dot(second, second)))
    return plane(_sum_around(_dot(first, second)) / np.sqrt(energy + np.float32(1e-8)))


def find_structure(before: Plane, after: Plane, compared: Mask) -> Mask:
    """Where the squares of a photo have structure, as strong as the result's light shows it.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    compared : (h, w) ndarray of bool
        Where they are compared; squares that lie mostly elsewhere are left out.

    Returns
    -------
    (h, w) ndarray of bool
        True at the centers of squares with structure.
    """
    # What stood in the dark and was lifted out of it can be seen to melt as well.
    lifted = np.clip(_sum_around(after) / np.maximum(_sum_around(before), 0.01), 1, MOST_LIFTED)
    return np.asarray(
        (_sum_around(gradient_magnitude(before)) * lifted > STRUCTURED) & (_sum_around(plane(compared)) > 0.6)
    )


@dataclass(frozen=True, slots=True)
class KeptStructure:
    """How well structure was kept: `median` correlation of the squares that have any, share of them that `lost` it,
    and the shares of the worst part of the picture that are `gone`, and that are bent or gone (`bent`).
    """

    median: float = 1.0
    lost: float = 0.0
    gone: float = 0.0
    bent: float = 0.0


def measure_structure(before: Plane, after: Plane, compared: Mask) -> KeptStructure:
    """How much of the structure of a photo is kept in its result.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    compared : (h, w) ndarray of bool
        Where they are compared.

    Returns
    -------
    KeptStructure
        All kept where there is too little structure to compare.
    """
    counted, found = find_structure(before, after, compared), correlate_edges(before, after)
    sampled = found[::STEP, ::STEP][counted[::STEP, ::STEP]]
    if sampled.size < 8:
        return KeptStructure()
    counted, found = counted[::PART_STEP, ::PART_STEP], found[::PART_STEP, ::PART_STEP]
    # Parallel lines keep their direction when they are bent, and so more than half of the correlation.
    bent = np.clip((WHOLE - found) / (WHOLE - GONE), 0, 1)
    return KeptStructure(
        float(np.median(sampled)),
        float((sampled < LOST_BELOW).mean()),
        find_worst_part(plane(counted & (found < GONE))),
        find_worst_part(plane(counted * bent)),
    )


def find_worst_part(loss: Plane) -> float:
    """The mean loss of the square part of the picture that lost most.

    Other hours take shadows and light windows all over a house; what melts goes in one place.

    Parameters
    ----------
    loss : (h, w) ndarray of float32
        0-1.

    Returns
    -------
    float
        Mean over the part, 0-1.
    """
    side = max(1, round(float(np.sqrt(PART * loss.size))))
    return float(np.max(cv2.blur(loss, (side, side), borderType=cv2.BORDER_CONSTANT)))


def measure_kept_edges(before: Plane, after: Plane, compared: Mask, least: float = 0.008) -> float:
    """How much of the photo's strong edges is still an edge at its place.

    An edge counts as kept when the result is about as steep there as anywhere nearby.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    compared : (h, w) ndarray of bool
        Where they are compared.
    least : float, default 0.008
        The least steep edge that counts, in luma per pixel.

    Returns
    -------
    float
        Share, weighted by strength: 1 all, about 0.3 in an unrelated picture; 1 without enough edges.
    """
    strong = gradient_magnitude(before)
    ridge = (strong >= _highest(strong, 1) * 0.999) & (strong > max(float(np.quantile(strong, 0.9)), least))
    ridge &= compared
    if ridge.sum() < 20:
        return 1.0
    now = gradient_magnitude(after)
    near = _highest(now, 4)
    held = np.clip((now / np.maximum(near, 1e-6) - 0.2) / 0.5, 0, 1) * (near > 0.003)
    return float((held * strong)[ridge].sum() / strong[ridge].sum())


def _normalize_contrast(gray: Plane) -> Plane:
    """The plane with the light and the contrast of its surroundings taken out."""
    mean = _box_mean(gray, EVENED)
    variance = _box_mean(gray * gray, EVENED) - mean * mean
    return plane((gray - mean) / np.sqrt(np.maximum(variance, 0) + GRAIN * GRAIN))


def _double_angles(values: Plane) -> tuple[Plane, Plane]:
    """Across and down: as long as the gradient is steep, turned by twice its angle."""
    across = cv2.Sobel(values, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    down = cv2.Sobel(values, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    steep = cv2.magnitude(across, down) + np.float32(1e-6)
    return plane((across * across - down * down) / steep), plane(2 * across * down / steep)


def _dot(one: tuple[Plane, Plane], other: tuple[Plane, Plane]) -> Plane:
    return plane(cv2.multiply(one[0], other[0]) + cv2.multiply(one[1], other[1]))


def _sum_around(values: Plane) -> Plane:
    return _box_mean(values, REACH)


def _box_mean(values: Plane, radius: int) -> Plane:
    side = 2 * radius + 1
    return plane(cv2.blur(values, (side, side)))


def _highest(values: Plane, radius: int) -> Plane:
    side = 2 * radius + 1
    return plane(cv2.dilate(values, np.ones((side, side), np.uint8)))
