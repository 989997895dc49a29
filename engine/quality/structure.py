"""Measures whether edges stayed in place, independently of light."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.filters.smoothing import gradient_magnitude

SQUARE_RADIUS = 12
"""Half the side, in pixels, of the squares in which structure is compared."""
SQUARE_DISTANCE = 8
"""Distance, in pixels, between the centers of the squares that are sampled over the picture."""
NORMALIZING_RADIUS = 8
"""Half the side, in pixels, of the squares over which light and contrast are normalized."""
GRAIN_STD = 0.015
"""Standard deviation (luma of 0-1) added when contrast is normalized, so that grain is not amplified."""
MIN_EDGE_STRENGTH = 0.012
"""Least mean edge strength (luma of 0-1 per pixel) for a square to have structure."""
MAX_BRIGHTENING = 4
"""Greatest factor by which the edge strength of a brightened place is scaled."""
MIN_KEPT_CORRELATION = 0.5
"""Correlation below which a square has lost its structure.

A change of light leaves 0.7 and more; things that are bent or moved by 2 pixels have 0 to 0.4.
"""
PART_AREA = 0.016
"""Area of a part in which loss is averaged, as a share of the picture."""
PART_SQUARE_DISTANCE = 4
"""Distance, in pixels, between the centers of the squares that are sampled in such parts."""
WHOLE_CORRELATION = 0.85
"""Correlation below which a shape begins to bend."""
GONE_CORRELATION = 0.4
"""Correlation below which a shape is lost."""


def correlate_edges(before: Plane, after: Plane) -> Plane:
    """Measure how similar the edges around each pixel of two gray planes are, by strength and direction.

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
    energy = cv2.multiply(
        _average_around(_multiply_pairs(first, first)), _average_around(_multiply_pairs(second, second))
    )
    return plane(_average_around(_multiply_pairs(first, second)) / np.sqrt(energy + np.float32(1e-8)))


def find_structure(before: Plane, after: Plane, compared: Mask) -> Mask:
    """Find where the photo has structure; weaker structure is enough where the result is lighter.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    compared : (h, w) ndarray of bool
        Where the pictures are compared; squares that lie mostly outside are left out.

    Returns
    -------
    (h, w) ndarray of bool
        True at the centers of squares with structure.
    """
    # Shapes in brightened dark places count more, because their changes become visible.
    lifted = np.clip(_average_around(after) / np.maximum(_average_around(before), 0.01), 1, MAX_BRIGHTENING)
    return np.asarray(
        (_average_around(gradient_magnitude(before)) * lifted > MIN_EDGE_STRENGTH)
        & (_average_around(plane(compared)) > 0.6)
    )


@dataclass(frozen=True, slots=True)
class KeptStructure:
    """How well structure was kept.

    `median` is the median correlation of the squares with structure, `lost_share` the share of these squares that
    lost it. `worst_loss` is the share of the picture's worst part that lost its shapes, `worst_change` the share
    that lost or bent them.
    """

    median: float = 1.0
    lost_share: float = 0.0
    worst_loss: float = 0.0
    worst_change: float = 0.0


def measure_structure(before: Plane, after: Plane, compared: Mask) -> KeptStructure:
    """Measure how much of the structure of a photo is kept in its result.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    compared : (h, w) ndarray of bool
        Where the pictures are compared.

    Returns
    -------
    KeptStructure
        All structure counts as kept if there is too little to compare.
    """
    structured, correlation = find_structure(before, after, compared), correlate_edges(before, after)
    squares = np.s_[::SQUARE_DISTANCE, ::SQUARE_DISTANCE]
    sampled = correlation[squares][structured[squares]]
    if sampled.size < 8:
        return KeptStructure()
    part_squares = np.s_[::PART_SQUARE_DISTANCE, ::PART_SQUARE_DISTANCE]
    structured, correlation = structured[part_squares], correlation[part_squares]
    # Loss begins at a high correlation, because bent parallel lines keep their direction and over half of it.
    bent = np.clip((WHOLE_CORRELATION - correlation) / (WHOLE_CORRELATION - GONE_CORRELATION), 0, 1)
    return KeptStructure(
        float(np.median(sampled)),
        float((sampled < MIN_KEPT_CORRELATION).mean()),
        find_worst_part(plane(structured & (correlation < GONE_CORRELATION))),
        find_worst_part(plane(structured * bent)),
    )


def find_worst_part(loss: Plane) -> float:
    """The mean loss in the square part of the picture that lost most.

    The worst part distinguishes melted shapes, which are lost in one place, from changes of light everywhere.

    Parameters
    ----------
    loss : (h, w) ndarray of float32
        0-1.

    Returns
    -------
    float
        Mean over the part, 0-1.
    """
    side = max(1, round(float(np.sqrt(PART_AREA * loss.size))))
    return float(np.max(cv2.blur(loss, (side, side), borderType=cv2.BORDER_CONSTANT)))


def measure_kept_edges(before: Plane, after: Plane, compared: Mask, min_gradient: float = 0.008) -> float:
    """Measure how much of the photo's strong edges is still an edge at the same place.

    An edge counts as kept if the result's gradient there is about as large as the largest nearby.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    compared : (h, w) ndarray of bool
        Where the pictures are compared.
    min_gradient : float, default 0.008
        Least gradient of an edge that counts, in luma per pixel.

    Returns
    -------
    float
        Share, weighted by strength: 1 if all are kept or there are too few, about 0.3 in an unrelated picture.
    """
    strong = gradient_magnitude(before)
    ridge = (strong >= _find_maximum(strong, 1) * 0.999) & (
        strong > max(float(np.quantile(strong, 0.9)), min_gradient)
    )
    ridge &= compared
    if ridge.sum() < 20:
        return 1.0
    now = gradient_magnitude(after)
    near = _find_maximum(now, 4)
    kept = np.clip((now / np.maximum(near, 1e-6) - 0.2) / 0.5, 0, 1) * (near > 0.003)
    return float((kept * strong)[ridge].sum() / strong[ridge].sum())


def _normalize_contrast(gray: Plane) -> Plane:
    """The plane with the light and the contrast of each pixel's surroundings normalized."""
    mean = _box_mean(gray, NORMALIZING_RADIUS)
    variance = _box_mean(gray * gray, NORMALIZING_RADIUS) - mean * mean
    return plane((gray - mean) / np.sqrt(np.maximum(variance, 0) + GRAIN_STD * GRAIN_STD))


def _double_angles(values: Plane) -> tuple[Plane, Plane]:
    """The gradient's x and y, with its angle doubled and its length kept."""
    across = cv2.Sobel(values, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    down = cv2.Sobel(values, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    steep = cv2.magnitude(across, down) + np.float32(1e-6)
    return plane((across * across - down * down) / steep), plane(2 * across * down / steep)


def _multiply_pairs(one: tuple[Plane, Plane], other: tuple[Plane, Plane]) -> Plane:
    return plane(cv2.multiply(one[0], other[0]) + cv2.multiply(one[1], other[1]))


def _average_around(values: Plane) -> Plane:
    return _box_mean(values, SQUARE_RADIUS)


def _box_mean(values: Plane, radius: int) -> Plane:
    side = 2 * radius + 1
    return plane(cv2.blur(values, (side, side)))


def _find_maximum(values: Plane, radius: int) -> Plane:
    side = 2 * radius + 1
    return plane(cv2.dilate(values, np.ones((side, side), np.uint8)))
