"""Traces a surface that somebody outlined roughly: near the outline, edges and colors of the picture decide."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.difference import srgb_to_lab
from engine.filters.edge_aware import spread_known
from engine.filters.smoothing import gaussian_blur

TOLERANCE = 5
"""Distance, in pixels of the small picture, by which an outline may still be wrong beside straight edges."""
CORE = 0.5
"""Share of the thickness of a narrow surface from which on a pixel surely belongs to it."""
NEAR = 12.0
"""Sigma, in pixels, of the surroundings whose colors are compared."""
LEAST_DEVIATION = (3.0, 1.5, 1.5)
"""Least standard deviation of lightness, a and b, in CIELAB: noise and compression."""
NOISE = 1.5
"""Sigma, in pixels, over which the odds by color are averaged: borders are smooth, noise is not."""
LEAST_DENSITY = -10.0
"""Logarithm of the density assumed for colors that neither side has: about that at four standard deviations."""
MAX_ODDS = 4.0
"""Greatest logarithm of the odds by color; it is limited so that edges count as well."""
DRAWN_ODDS = 3.0
"""Logarithm of the odds, at TOLERANCE from the outline, that a pixel is on the side on which it was drawn."""
COLOR_WEIGHT = 0.4
"""Weight of a pixel that is decided by color; a pixel that surely belongs to a side has 1."""
STEEPNESS = 3.0
"""Factor by which the edge of the traced surface becomes steeper."""
_REACH = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * TOLERANCE + 1, 2 * TOLERANCE + 1))


def trace_outline(inside: Mask, taken: Mask, small: Plane) -> Plane:
    """Move the border of an outlined surface to the edge that it stands for.

    Away from the outline, everything is as drawn. Near it, each pixel belongs to the side whose colors it has, or
    on whose side of the nearest edges it lies; without any edge the outline counts.

    Parameters
    ----------
    inside : (h, w) ndarray of bool
        True within the outline.
    taken : (h, w) ndarray of bool
        True within outlines of other surfaces.
    small : (h, w, 3) ndarray of float32
        The picture, gamma-coded sRGB, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        The share of the surface in each pixel, 0-1.
    """
    depth, distance = _measure_distance(inside), _measure_distance(~inside)
    thickness = cv2.dilate(depth, _REACH)
    own = inside & (depth >= np.minimum(TOLERANCE, CORE * thickness))
    # Narrow surfaces are outlined more carefully, so their outlines are assumed to be less wrong.
    other = ~inside & (distance >= np.minimum(TOLERANCE, np.maximum(cv2.dilate(thickness, _REACH), 2)))
    beside = taken & ~inside
    other |= beside & (_measure_distance(beside) >= TOLERANCE * CORE)
    picture = np.asarray(np.round(small * 255), np.uint8)
    lab = plane(srgb_to_lab(np.asarray(cv2.medianBlur(picture, 3), np.uint8)))
    odds = gaussian_blur(plane(_fit_colors(lab, own) - _fit_colors(lab, other)), NOISE)
    odds = odds + (depth - distance) * (DRAWN_ODDS / TOLERANCE)
    likely = plane(1 / (1 + np.exp(-np.clip(odds, -MAX_ODDS, MAX_ODDS))))
    values = np.where(own, np.float32(1), np.where(other, np.float32(0), likely))
    weight = np.where(own | other, np.float32(1), np.abs(2 * likely - 1) * np.float32(COLOR_WEIGHT))
    share = spread_known(plane(values), plane(weight), picture, TOLERANCE)
    share = plane(np.clip((share - 0.5) * STEEPNESS + 0.5, 0, 1))
    share = np.where(own, 1, np.where(other, 0, share))
    _, parts = cv2.connectedComponents((share > 0.5).astype(np.uint8))
    joined = np.isin(parts, np.unique(parts[own])) | (share <= 0.5)
    return plane(share * joined)


def _measure_distance(side: Mask) -> Plane:
    """The distance of each pixel of a side from the other side; the picture's border is no border of the side."""
    padded = np.pad(side, TOLERANCE, mode="edge").astype(np.uint8)
    distance = cv2.distanceTransform(padded, cv2.DIST_L2, 5)
    return plane(distance[TOLERANCE:-TOLERANCE, TOLERANCE:-TOLERANCE])


def _fit_colors(lab: Plane, known: Mask) -> Plane:
    """The logarithm of the density of the known pixels around each pixel at its color (a normal distribution)."""
    weight = np.maximum(gaussian_blur(plane(known), NEAR), np.float32(1e-6))[..., None]
    mean = gaussian_blur(plane(lab * known[..., None]), NEAR) / weight
    square = gaussian_blur(plane(lab * lab * known[..., None]), NEAR) / weight
    variance = np.maximum(square - mean * mean, 0) + np.square(np.array(LEAST_DEVIATION, np.float32))
    density = -((lab - mean) ** 2 / variance + np.log(variance)).sum(-1) / 2
    return plane(np.where(weight[..., 0] > 1e-3, np.logaddexp(density, LEAST_DENSITY), LEAST_DENSITY))
