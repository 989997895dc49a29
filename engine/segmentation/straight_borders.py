"""Moves the straight pieces of a roughly drawn outline to straight edges of the picture nearby."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Plane, plane
from engine.types.hints import Polygon

REACH = 14
"""Distance, in pixels of the small picture, by which a quickly drawn outline may be wrong: 2 % of the long side."""
STEPS = 2
"""Distance, in pixels, between the places that are tried for each end."""
MIN_LENGTH = 12
"""Least length, in pixels, of a piece that is moved: shorter ones follow curves."""
SIGMAS = (1.0, 3.0)
"""Sigmas, in pixels, of the blurs before slopes are measured: thin lines have no slope in the second."""
STRONG = 0.06
"""Change of a color from pixel to pixel, gamma-coded 0-1, from which on an edge counts fully."""
LEAST = 0.004
"""The same change that paper-white noise has, and that counts as nothing."""
FAR = 0.2
"""Strength that an edge at REACH needs more than one on the outline."""
CLOSE, SURE = 4, 0.3
"""Distance, in pixels, within which an edge of this strength is the one that was drawn: trim has several edges, and
farther ones are often stronger."""
MIN_GAIN = 0.05
"""Least gain in strength for which a piece is moved."""
MIN_SINE = 0.2
"""Least sine of the angle between neighboring pieces whose crossing is their corner."""

Corners = NDArray[np.float64]


def straighten_polygon(polygon: Polygon, small: Plane) -> Polygon:
    """Move each straight piece of an outline to the strongest straight edge of the picture near it.

    Parameters
    ----------
    polygon : Polygon
        Its corners as shares of the picture's width and height, 0-1.
    small : (h, w, 3) ndarray of float32
        The picture, gamma-coded sRGB, 0-1.

    Returns
    -------
    Polygon
        As many corners; pieces without an edge near them, and those along the picture's border, stay.
    """
    height, width = small.shape[:2]
    size = np.array([width, height], np.float64)
    corners = np.array(polygon, np.float64) * size
    slopes = [
        plane(cv2.Sobel(cv2.GaussianBlur(small, (0, 0), sigma), cv2.CV_32F, *way, ksize=3, scale=sigma / 8))
        for sigma in SIGMAS
        for way in ((1, 0), (0, 1))
    ]
    starts, ends = corners.copy(), np.roll(corners, -1, axis=0)
    for number in range(len(corners)):
        starts[number], ends[number] = _move_piece(starts[number], ends[number], slopes)
    pieces = list(zip(starts, ends, strict=True))
    moved = [_find_corner(*pieces[each - 1], *pieces[each]) for each in range(len(corners))]
    near = np.linalg.norm(np.array(moved) - corners, axis=1, keepdims=True) <= 2 * REACH
    found = np.clip(np.where(near, np.array(moved), corners) / size, 0, 1)
    return tuple((float(x), float(y)) for x, y in found)


def _move_piece(start: Corners, end: Corners, slopes: list[Plane]) -> tuple[Corners, Corners]:
    """The piece at the strongest edge within REACH on either side."""
    length = float(np.linalg.norm(end - start))
    height, width = slopes[0].shape[:2]
    size = np.array([width, height])
    on_border = (np.abs(start - end) < 2) & ((np.minimum(start, end) < 2) | (np.maximum(start, end) > size - 3))
    if length < MIN_LENGTH or on_border.any():
        return start, end
    along = (end - start) / length
    normal = np.array([-along[1], along[0]])
    fine, coarse = (np.abs(x * normal[0] + y * normal[1]).max(-1) for x, y in (slopes[:2], slopes[2:]))
    strength = np.minimum(fine, coarse)
    strength = np.clip((strength - LEAST) / (STRONG - LEAST), 0, 1)
    offsets = np.arange(-REACH, REACH + 1, STEPS, dtype=np.float64)
    one, two = (each.ravel() for each in np.meshgrid(offsets, offsets))
    # The ends are left out: a corner may be cut or go over.
    at = np.linspace(0.08, 0.92, max(8, round(length / 2)))
    shift = one[:, None] * (1 - at) + two[:, None] * at
    places = start + at[:, None] * (end - start) + shift[..., None] * normal
    x, y = (np.clip(np.rint(places[..., axis]), 0, size[axis] - 1).astype(int) for axis in (0, 1))
    strengths = strength[y, x].mean(1)
    gains = strengths - FAR * (np.abs(one) + np.abs(two)) / (2 * REACH)
    close = np.maximum(np.abs(one), np.abs(two)) <= CLOSE
    if strengths[close].max() > SURE:
        gains[~close] = -np.inf
    best = int(np.argmax(gains))
    if gains[best] < gains[(one == 0) & (two == 0)][0] + MIN_GAIN:
        return start, end
    return start + one[best] * normal, end + two[best] * normal


def _find_corner(start: Corners, end: Corners, next_start: Corners, next_end: Corners) -> Corners:
    """Where two neighboring pieces cross; the middle of their ends if they are nearly parallel."""
    one, two = end - start, next_end - next_start
    cross = one[0] * two[1] - one[1] * two[0]
    if abs(cross) < MIN_SINE * max(float(np.linalg.norm(one) * np.linalg.norm(two)), 1e-6):
        return np.asarray((end + next_start) / 2)
    gap = next_start - start
    return np.asarray(start + one * (gap[0] * two[1] - gap[1] * two[0]) / cross)
