"""Computes how reflections of the sky, in water and window panes, change when the sky is exchanged."""

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, rgb_to_gray, scale_channels
from engine.filters.smoothing import gaussian_blur
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene
from engine.sky.view import estimate_focal

MIN_WEIGHT = 0.02
"""Minimum share of mirrored sky in the light of a pixel that counts as a mirror."""
MIN_WATER = 0.1
"""Minimum weight of water in a pixel that belongs to a body of water."""
WATER_SHARES = (0.4, 0.7)
"""Shares of water in a pixel: up to the first its weight is 0, from the second on it is the share itself."""
PANE_SHARES = (0.4, 0.7)
"""Shares of glass in a pixel: up to the first its weight is 0, from the second on it is the share itself."""
BRIGHTER_THAN_SKY = 0.0, 0.1
"""Luma minus the luma of the old sky's brightest parts: the weight of water and panes falls from 1 at the first
value to 0 at the second.
"""
HORIZON_TOLERANCE = 0.05
"""Tolerance, as a share of the height, by which level water may reach above the estimated horizon."""
PANE_REFLECTANCE = 0.32
"""Maximum share of mirrored sky in the light of a pane; the rest comes from the room behind it."""


def compute_mirrored_change(scene: Scene, horizon: float, old: Plane, new: Plane) -> tuple[Plane, Plane] | None:
    """Compute how the exchange of the sky changes water and panes that mirror it.

    Parameters
    ----------
    scene : Scene
        The photo, whose water and panes mirror the sky.
    horizon : float
        The row of the photo's horizon, as a share of the height.
    old, new : (h, w, 3) ndarray of float32
        The skies of the whole frame, 0-255, in the photo's own color space, of any size.

    Returns
    -------
    change : (h, w, 3) ndarray of float32
        The levels (positive or negative) to add to each pixel, as large as `scene.sky`.
    weight : (h, w) ndarray of float32
        How much each pixel mirrors the sky, 0-1. If nothing mirrors it, None is returned instead of both.
    """
    shape = scene.sky.shape
    share = scene.share(Kind.WATER)
    # Wet or shaded ground looks similar to water; a surface brighter than the sky does not mirror the sky.
    brightest = float(np.quantile(rgb_to_gray(old), 0.95)) / 255
    dim = 1 - smoothstep(rgb_to_gray(scene.small) - np.float32(brightest), *BRIGHTER_THAN_SKY)
    water = _exclude_waterfalls(
        plane(share * smoothstep(share, *WATER_SHARES) * dim), horizon
    ) * _compute_reflectance(shape, horizon)
    panes = scene.share(Kind.GLASS)
    # White doors and blinds look similar to panes, and outshine a deep blue sky.
    glass = (
        panes
        * smoothstep(panes, *PANE_SHARES)
        * smoothstep(rgb_to_gray(scene.small), 0.25, 0.75)
        * dim
        * np.float32(PANE_REFLECTANCE)
    )
    if max(float(water.max()), float(glass.max())) < MIN_WEIGHT:
        return None
    difference = _resize(new, shape) - _resize(old, shape)
    rows = np.arange(shape[0]) + 0.5
    # For each row of level water, the row of the sky that it mirrors.
    source = np.clip(2 * horizon * shape[0] - rows, 0, horizon * shape[0]).astype(np.int64)
    in_water = gaussian_blur(plane(difference[np.minimum(source, shape[0] - 1)]), max(shape) / 60)
    # Panes mirror the sky in front of the house, which the photo does not show; the top of the sky replaces it.
    in_panes = plane(difference[: max(1, shape[0] // 8)].mean((0, 1)))
    change = in_water * gray_to_rgb(water) + scale_channels(glass, in_panes.tolist())
    return plane(change), plane(np.minimum(water + glass, 1))


def _exclude_waterfalls(water: Plane, horizon: float) -> Plane:
    """Exclude bodies of water that reach above the horizon: they are waterfalls, whose foam mirrors nothing."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats((water > MIN_WATER).astype(np.uint8))
    falls = np.flatnonzero(stats[:, cv2.CC_STAT_TOP] < (horizon - HORIZON_TOLERANCE) * len(water))
    return plane(water * ~np.isin(labels, falls[falls > 0]))


def _compute_reflectance(shape: tuple[int, ...], horizon: float) -> Plane:
    """The reflectance of level water at each row, by Schlick's approximation of Fresnel's law (1994)."""
    height, width = shape[:2]
    down = np.maximum(np.arange(height) + 0.5 - horizon * height, 0) / estimate_focal(height, width)
    sine = down / np.sqrt(1 + down * down)
    return plane(0.02 + 0.98 * (1 - sine) ** 5)[:, None]


def _resize(sky: Plane, shape: tuple[int, ...]) -> Plane:
    return plane(cv2.resize(sky, (shape[1], shape[0]), interpolation=cv2.INTER_AREA))
