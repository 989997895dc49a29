"""Where water and window panes mirror the sky, and how they change when the sky is exchanged."""

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, rgb_to_gray, scale_channels
from engine.filters.smoothing import gaussian_blur
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene
from engine.sky.view import estimate_focal

LEAST_WEIGHT = 0.02
"""Least part of a pixel's light that is mirrored sky for the pixel to count as mirroring."""
LEAST_WATER = 0.1
"""Least weight of water for a pixel to belong to a body of water."""
SURE_WATER = (0.4, 0.7)
"""Shares of water in a pixel between which its weight rises from 0 to 1 of the share."""
SURE_PANE = (0.4, 0.7)
"""Shares of glass in a pixel between which its weight rises from 0 to 1 of the share."""
OUTSHINES = 0.0, 0.1
"""Luma above that of the old sky's brightest parts over which the weight of water falls from 1 to 0."""
FALL = 0.05
"""How far, as a share of the height, level water may reach above the estimated horizon, which may be too low."""
PANE = 0.32
"""Most of a pane's light that is mirrored sky, as a share; the rest is the room behind it."""


def compute_mirrored_change(scene: Scene, horizon: float, old: Plane, new: Plane) -> tuple[Plane, Plane] | None:
    """How the exchange of the sky changes the picture where the sky is mirrored.

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
        The signed levels that each pixel gains, as large as `scene.sky`.
    weight : (h, w) ndarray of float32
        How much each pixel mirrors the sky, 0-1. Where nothing mirrors, None is returned instead of both.
    """
    shape = scene.sky.shape
    share = scene.share(Kind.WATER)
    # Wet or shaded ground looks a little like water; anything brighter than the sky does not mirror the sky.
    brightest = float(np.quantile(rgb_to_gray(old), 0.95)) / 255
    dim = 1 - smoothstep(rgb_to_gray(scene.small) - np.float32(brightest), *OUTSHINES)
    water = _exclude_falls(plane(share * smoothstep(share, *SURE_WATER) * dim), horizon) * _shine(shape, horizon)
    panes = scene.share(Kind.GLASS)
    # White doors and blinds look a little like panes.
    glass = (
        panes * smoothstep(panes, *SURE_PANE) * smoothstep(rgb_to_gray(scene.small), 0.25, 0.75) * np.float32(PANE)
    )
    if max(float(water.max()), float(glass.max())) < LEAST_WEIGHT:
        return None
    difference = _resize(new, shape) - _resize(old, shape)
    rows = np.arange(shape[0]) + 0.5
    # The row of the sky that each row of level water mirrors.
    source = np.clip(2 * horizon * shape[0] - rows, 0, horizon * shape[0]).astype(np.int64)
    in_water = gaussian_blur(plane(difference[np.minimum(source, shape[0] - 1)]), max(shape) / 60)
    # Panes mirror the sky in front of the house, which the photo does not show: the sky's top stands for it.
    in_panes = plane(difference[: max(1, shape[0] // 8)].mean((0, 1)))
    change = in_water * gray_to_rgb(water) + scale_channels(glass, in_panes.tolist())
    return plane(change), plane(np.minimum(water + glass, 1))


def _exclude_falls(water: Plane, horizon: float) -> Plane:
    """The water without bodies of water that reach above the horizon: these fall, and foam mirrors nothing."""
    _, labels, found, _ = cv2.connectedComponentsWithStats((water > LEAST_WATER).astype(np.uint8))
    falls = np.flatnonzero(found[:, cv2.CC_STAT_TOP] < (horizon - FALL) * len(water))
    return plane(water * ~np.isin(labels, falls[falls > 0]))


def _shine(shape: tuple[int, ...], horizon: float) -> Plane:
    """The share of light that level water mirrors at each row, by Schlick's form of Fresnel's law (1994)."""
    height, width = shape[:2]
    down = np.maximum(np.arange(height) + 0.5 - horizon * height, 0) / estimate_focal(height, width)
    steep = down / np.sqrt(1 + down * down)
    return plane(0.02 + 0.98 * (1 - steep) ** 5)[:, None]


def _resize(sky: Plane, shape: tuple[int, ...]) -> Plane:
    return plane(cv2.resize(sky, (shape[1], shape[0]), interpolation=cv2.INTER_AREA))
