"""Fills floors without lines, such as carpets: grain is copied by patches in the picture, as on walls.

In the rectified plane of a floor, cells have very different sharpness, so a carpet that is copied there becomes
blurred or coarse. In the picture, its grain is about the same everywhere.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gaussian_blur
from engine.geometry.segments import detect_segments
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.patch_match import copy_texture

ANALYSIS_SIDE = 768
"""Long side, in pixels, of the copy of the picture in which lines are found."""
MAX_LINES = 1.6
"""Length of all lines of a floor without lines, in units of the square root of its area: carpets have up to 1.2,
boards and tiles 4 and more.
"""
BORDER = 4
"""Pixels of that copy along the floor's border, in which lines do not belong to the floor."""
GRAIN_SIGMA = 4.0
"""Sigma, in pixels, of the blur that separates light from grain."""
SOURCE_MARGIN = 0.01
"""Distance from filled pixels, as a share of the long side, within which grain is not copied, because of shadows.
"""


def has_lines(picture: Plane, labels: NDArray[np.uint8], things: Mask) -> bool:
    """Whether the visible floor of a picture has lines: joints of boards or tiles, or a pattern.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of float32
        The picture, gamma-coded, 0-1.
    labels : (h, w) ndarray of uint8
        The surface that each pixel shows, numbered by PLACE.
    things : (h, w) ndarray of bool
        The pixels of things.

    Returns
    -------
    bool
        False also where no floor is visible.
    """
    scale = min(1.0, ANALYSIS_SIDE / max(labels.shape))
    size = (round(labels.shape[1] * scale), round(labels.shape[0] * scale))
    small = np.rint(255 * cv2.resize(picture, size, interpolation=cv2.INTER_AREA)).astype(np.uint8)
    kinds = cv2.resize(labels, size, interpolation=cv2.INTER_NEAREST)
    hidden = cv2.resize(things.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    floor = erode(np.asarray((kinds == PLACE[Surface.FLOOR]) & ~hidden), BORDER)
    if not floor.any():
        return False
    segments = detect_segments(np.asarray(small), np.eye(len(Surface), dtype=np.float32)[kinds])
    points = np.hstack([segments.ends, segments.middles]).reshape(-1, 3, 2)
    spots = np.clip(points, 0, np.array(size) - 1).astype(int)
    on_floor = floor[spots[..., 1], spots[..., 0]].all(1)
    return float(segments.lengths[on_floor].sum()) > MAX_LINES * float(np.sqrt(np.count_nonzero(floor)))


def add_grain(fill: Plane, logs: Plane, filled: Mask, visible: Mask) -> Plane:
    """Give a smooth filling the grain of the visible floor.

    Parameters
    ----------
    fill : (h, w, 3) ndarray of float32
        Logarithms of colors; only the filled pixels are used.
    logs : (h, w, 3) ndarray of float32
        Logarithms of the picture's colors.
    filled : (h, w) ndarray of bool
        The filled pixels of the floor.
    visible : (h, w) ndarray of bool
        The other pixels that show the floor.

    Returns
    -------
    (h, w, 3) ndarray of float32
        `fill` with grain; `fill` itself where no floor is visible.
    """
    margin = max(2, round(SOURCE_MARGIN * max(filled.shape)))
    source = np.asarray(erode(np.asarray(visible | filled), 2) & visible & ~dilate(filled, margin))
    if not source.any() or not filled.any():
        return fill
    weight = plane(visible)
    light = gaussian_blur(plane(logs * gray_to_rgb(weight)), GRAIN_SIGMA)
    light = plane(light / gray_to_rgb(plane(np.maximum(gaussian_blur(weight, GRAIN_SIGMA), 1e-3))))
    grain = copy_texture(plane(logs - light), filled, np.asarray(~source & ~filled))
    return plane(np.where(filled[..., None], fill + grain, fill))
