"""Finds where a result looks like a surface that hints outline, which is surer than what the net finds there."""

from collections.abc import Set

import cv2
import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane
from engine.color.difference import srgb_to_lab
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gaussian_blur
from engine.geometry.agreement import MOVABLE
from engine.geometry.planes import FLOOR, NO_PLANE, get_ceiling_number, number_planes
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface

RIM = 4
"""Pixels left out at the borders of surfaces and beside the changed area."""
MIN_VISIBLE = 0.01
"""Share of the picture outside the changed area that must show a plane for changes to be compared with it."""
BANDS = ((1.0, 3.0), (3.0, 8.0), (8.0, 20.0))
"""Sigmas, in pixels, between which differences are compared: from grain to the size of the parts of things."""
AVERAGE = 5.0
"""Sigma, in pixels, over which these differences and colors are averaged."""
USUAL = (0.01, 0.99)
"""Quantiles of the values of the visible surface; values between them are usual."""
MAX_EXCESS = 1.25
"""A place with differences of up to this multiple of the usual ones looks like the surface."""
MAX_GHOST = 0.1
"""A thing is still visible if the result has this share or more of its differences in light."""
COLOR_MARGIN = 4.0
"""CIELAB by which colors may exceed the usual ones, on either side."""


def find_as_told(
    pictures: tuple[Pixels, Pixels], changed: Mask, surfaces: Plane, room: Room, told: Set[Surface]
) -> Mask:
    """Find the changed pixels that look like the unchanged part of the outlined surface of their plane.

    Remaining parts of things differ from the surface in color, or by edges that the surface does not have
    elsewhere. A thing that is still faintly visible does not count at all: the result has its light and dark
    places.

    Parameters
    ----------
    pictures : tuple of (h, w, 3) ndarray of uint8
        Photo and result, gamma-coded sRGB.
    changed : (h, w) ndarray of bool
        The changed area.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The photo's surfaces: shares, 0-1.
    room : Room
        The room, with the camera of the small picture.
    told : Set of Surface
        The surfaces that hints outline.

    Returns
    -------
    (h, w) ndarray of bool
        True at such pixels; False on planes whose surface is not outlined, or is hardly visible.
    """
    height, width = changed.shape
    numbers, labels = number_planes(room, width, height), surfaces.argmax(-1)
    before, lab = (plane(srgb_to_lab(each)) for each in pictures)
    values = _measure_bands(lab)
    colors = gaussian_blur(lab, AVERAGE)
    beside = dilate(changed, RIM)
    found = np.zeros((height, width), bool)
    for number in np.unique(numbers[changed]):
        kind = Surface.FLOOR if number == FLOOR else Surface.WALL
        kind = Surface.CEILING if number == get_ceiling_number(room) else kind
        own = numbers == number
        visible = erode(np.asarray(own & (labels == PLACE[kind])), RIM) & ~beside
        if number == NO_PLANE or kind not in told or visible.mean() < MIN_VISIBLE:
            continue
        most = np.quantile(values[visible], USUAL[1], axis=0) * MAX_EXCESS
        low, high = np.quantile(colors[visible], USUAL, axis=0) + np.array([[-COLOR_MARGIN], [COLOR_MARGIN]])
        alike = (values <= most).all(-1) & (colors >= low).all(-1) & (colors <= high).all(-1)
        # The edge between two planes is no fault of the filling.
        inner = erode(np.asarray(own), RIM)
        found |= own & changed & (alike | ~inner)
    things = np.isin(labels, [PLACE[each] for each in MOVABLE]) & changed
    return np.asarray(found & ~_find_ghosts(before[..., 0], lab[..., 0], np.asarray(things)))


def _find_ghosts(before: Plane, after: Plane, things: Mask) -> Mask:
    """The things that are still faintly visible: the result has a part of their differences in light."""
    _, parts = cv2.connectedComponents(things.astype(np.uint8))
    found, inner = np.zeros_like(things), erode(things, RIM)
    for fine, coarse in BANDS:
        was, now = (gaussian_blur(each, fine) - gaussian_blur(each, coarse) for each in (before, after))
        for number in np.unique(parts[inner]):
            own = inner & (parts == number)
            one, other = was[own] - was[own].mean(), now[own] - now[own].mean()
            if float((one * other).sum()) > MAX_GHOST * float((one * one).sum()):
                found |= parts == number
    return dilate(np.asarray(found), RIM)


def _measure_bands(lab: Plane) -> Plane:
    """The mean difference in each of BANDS around each pixel (h, w, len(BANDS))."""
    bands = []
    for fine, coarse in BANDS:
        difference = np.linalg.norm(gaussian_blur(lab, fine) - gaussian_blur(lab, coarse), axis=-1)
        bands.append(gaussian_blur(plane(difference), AVERAGE))
    return plane(cv2.merge(bands))
