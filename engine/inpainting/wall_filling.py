"""Fills the hidden parts of a room's walls in the picture: smooth light from visible wall, texture by patches."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gaussian_blur
from engine.inpainting.patch_match import copy_texture

MARGIN = 0.03
"""Width of the strip around things, as a share of the long side, that is also filled, because it has shadows."""
BORDER = 2
"""Pixels at the wall's borders that are not copied, because they are mixed with the surface beside the wall."""
MIN_VISIBLE = 0.1
"""Minimum visible pixels of a wall, per hidden pixel, for the wall to have its own light."""
GRAIN_SIGMA = 4.0
"""Sigma, in pixels, of the blur that separates the light of a wall from its texture."""
SMOOTHING_SIGMA = 6.0
"""Sigma, in pixels, of the blur that removes the steps of the pyramid from the light."""
EDGE_SIGMA = 1.5
"""Sigma, in pixels, of the blur before edges of frames are found."""
MIN_EDGE = 0.025
"""Minimum difference of pixels beside each other (logarithms) at the edge of a frame; light changes more slowly."""
EDGE_WIDTH = 4
"""Pixels beside things that may be mixed with or darkened by them, and count as the plain wall around."""
MAX_CHROMA = 0.1
"""Maximum difference of colors (logarithms, without brightness) on one wall."""


@dataclass(frozen=True, slots=True)
class WallAreas:
    """Where a picture (h, w) shows walls: masks, and the number of each pixel's wall (uint8).

    `hidden`: things to be removed hide the wall. `plain`: visible wall without skirting and without the margins of
    openings; `beside_frames`: the plain part of these margins, whose texture is not copied. `replaceable`: both of
    these, and skirting.
    """

    hidden: Mask
    plain: Mask
    beside_frames: Mask
    replaceable: Mask
    wall_numbers: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class WallFilling:
    """Filled walls: `logs` (h, w, 3) is the picture with filled hidden parts, `filled` (h, w) where these are.

    `light` (h, w, 3) is the color of plain wall at every pixel, also where windows and doors are.
    """

    logs: Plane
    light: Plane
    filled: Mask


def fill_walls(logs: Plane, areas: WallAreas) -> WallFilling:
    """Fill the hidden parts of the plain walls of a room.

    The light is the membrane through the visible parts of each wall [1]_, or of all walls if too little of a wall
    is visible. A strip around things is replaced together with them.

    Parameters
    ----------
    logs : (h, w, 3) ndarray of float32
        Logarithms of the picture's colors.
    areas : WallAreas
        Where walls are.

    Returns
    -------
    WallFilling
        Nothing is filled if no wall is visible away from things.

    References
    ----------
    .. [1] Gortler, Grzeszczuk, Szeliski, Cohen, "The Lumigraph", 1996: its pull-push algorithm.
    """
    hidden = areas.hidden
    lit = np.asarray(areas.plain | areas.beside_frames)
    clear = np.asarray(erode(np.asarray(lit | hidden), BORDER) & lit)
    strip = dilate(hidden, max(3, round(MARGIN * max(hidden.shape)))) & areas.replaceable
    filled = np.asarray(hidden | strip)
    known = np.asarray(clear & ~filled)
    if not known.any() or not hidden.any():
        return WallFilling(logs.copy(), logs, np.zeros_like(hidden))
    light = _spread_light(logs, known)
    for number in np.unique(areas.wall_numbers[hidden]):
        own = np.asarray(areas.wall_numbers == number)
        if np.count_nonzero(known & own) > MIN_VISIBLE * np.count_nonzero(hidden & own):
            light[own] = _spread_light(logs, np.asarray(known & own))[own]
    result = light + copy_texture(plane(logs - light), filled, np.asarray(~(known & areas.plain) & ~filled))
    return WallFilling(plane(np.where(filled[..., None], result, logs)), light, filled)


def find_plain_beside_frames(logs: Plane, plain: Mask, margins: Mask, hidden: Mask) -> Mask:
    """Find the parts of the margins of openings that show plain wall: no edge separates these from the wall.

    Parameters
    ----------
    logs : (h, w, 3) ndarray of float32
        Logarithms of the picture's colors.
    plain : (h, w) ndarray of bool
        Where the wall is surely plain.
    margins : (h, w) ndarray of bool
        The visible margins of openings, with frames or without.
    hidden : (h, w) ndarray of bool
        Where things hide the wall.

    Returns
    -------
    (h, w) ndarray of bool
        The plain part of `margins`.
    """
    if not margins.any() or not plain.any():
        return np.zeros_like(margins)
    smooth = gaussian_blur(logs, EDGE_SIGMA)
    across, down = (cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=3, scale=1 / 8) for way in ((1, 0), (0, 1)))
    edges = dilate(np.asarray(np.hypot(across, down).max(2) > MIN_EDGE), 1)
    free = np.asarray((plain | margins) & ~edges)
    _, parts = cv2.connectedComponents(free.astype(np.uint8), connectivity=4)
    reached = np.isin(parts, np.unique(parts[plain & free]))
    difference = smooth - _spread_light(logs, plain)
    chroma = np.abs(difference - difference.mean(2, keepdims=True)).max(2)
    found = np.asarray(margins & free & reached & (chroma < MAX_CHROMA))
    closed = erode(dilate(np.asarray(plain | found | hidden), EDGE_WIDTH), EDGE_WIDTH)
    return np.asarray(found | (margins & closed & dilate(hidden, 2 * EDGE_WIDTH)))


def _spread_light(logs: Plane, known: Mask) -> Plane:
    """The light of the known pixels, continued smoothly to all others."""
    weight = plane(known)
    blurred_weight = gray_to_rgb(plane(np.maximum(gaussian_blur(weight, GRAIN_SIGMA), 1e-3)))
    mean = plane(gaussian_blur(plane(logs * gray_to_rgb(weight)), GRAIN_SIGMA) / blurred_weight)
    return gaussian_blur(_pull_and_push(mean, weight), SMOOTHING_SIGMA)


def _pull_and_push(values: Plane, weight: Plane) -> Plane:
    """Fill values of weight 0 from coarser and coarser means of the other values."""
    if min(weight.shape) < 2 or weight.min() == 1:
        mean = (values * gray_to_rgb(weight)).sum((0, 1)) / max(float(weight.sum()), 1e-6)
        return plane(np.where(weight[..., None] > 0, values, mean))
    height, width = weight.shape
    half = ((width + 1) // 2, (height + 1) // 2)
    share = cv2.resize(weight, half, interpolation=cv2.INTER_AREA)
    total = cv2.resize(plane(values * gray_to_rgb(weight)), half, interpolation=cv2.INTER_AREA)
    means = plane(total / gray_to_rgb(plane(np.maximum(share, 1e-6))))
    coarse = _pull_and_push(means, plane(np.minimum(4 * share, 1)))
    enlarged = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    return plane(values * gray_to_rgb(weight) + enlarged * gray_to_rgb(plane(1 - weight)))
