"""Where water and window panes mirror the sky, and how they change when it does."""

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, rgb_to_gray, scale_channels
from engine.filters.smoothing import gaussian_blur
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene
from engine.sky.view import estimate_focal

LEAST_WEIGHT = 0.02
LEAST_WATER, SURE_WATER, SURE_PANE = 0.1, (0.4, 0.7), (0.4, 0.7)
OUTSHINES = 0.0, 0.1
# A share of the height that the horizon may be told too low by.
FALL = 0.05
# How much of a pane's light is the mirrored sky where it shines most; the rest is the room behind it.
PANE = 0.32


def compute_mirrored_change(scene: Scene, horizon: float, old: Plane, new: Plane) -> tuple[Plane, Plane] | None:
    """What the exchange of the sky adds to the picture where it is mirrored.

    Parameters
    ----------
    scene : Scene
        The photo, whose water and panes mirror.
    horizon : float
        Its row, as a share of the height.
    old, new : (h, w, 3) ndarray of float32
        The skies of the whole frame, 0-255, in the photo's own color space, of any size.

    Returns
    -------
    change : (h, w, 3) ndarray of float32
        What each pixel gains or loses, in levels, signed, as large as `scene.sky`.
    weight : (h, w) ndarray of float32
        How much each pixel mirrors, 0-1. None instead of both where nothing mirrors.
    """
    shape = scene.sky.shape
    share = scene.share(Kind.WATER)
    # Wet or shaded ground looks a little like water; what outshines the sky mirrors none of it.
    brightest = float(np.quantile(rgb_to_gray(old), 0.95)) / 255
    dim = 1 - smoothstep(rgb_to_gray(scene.small) - np.float32(brightest), *OUTSHINES)
    water = _level(plane(share * smoothstep(share, *SURE_WATER) * dim), horizon) * _shine(shape, horizon)
    panes = scene.share(Kind.GLASS)
    # White doors and blinds look a little like panes.
    glass = (
        panes * smoothstep(panes, *SURE_PANE) * smoothstep(rgb_to_gray(scene.small), 0.25, 0.75) * np.float32(PANE)
    )
    if max(float(water.max()), float(glass.max())) < LEAST_WEIGHT:
        return None
    moved = _sized(new, shape) - _sized(old, shape)
    rows = np.arange(shape[0]) + 0.5
    above = np.clip(2 * horizon * shape[0] - rows, 0, horizon * shape[0]).astype(np.int64)
    below = gaussian_blur(plane(moved[np.minimum(above, shape[0] - 1)]), max(shape) / 60)
    before_house = plane(moved[: max(1, shape[0] // 8)].mean((0, 1)))
    change = below * gray_to_rgb(water) + scale_channels(glass, before_house.tolist())
    return plane(change), plane(np.minimum(water + glass, 1))


def _level(water: Plane, horizon: float) -> Plane:
    """The water without any that reaches above the horizon: it falls, and foam mirrors nothing."""
    _, labels, found, _ = cv2.connectedComponentsWithStats((water > LEAST_WATER).astype(np.uint8))
    falls = np.flatnonzero(found[:, cv2.CC_STAT_TOP] < (horizon - FALL) * len(water))
    return plane(water * ~np.isin(labels, falls[falls > 0]))


def _shine(shape: tuple[int, ...], horizon: float) -> Plane:
    """Share of light that level water mirrors at each row, after Schlick's form of Fresnel's law (1994)."""
    height, width = shape[:2]
    down = np.maximum(np.arange(height) + 0.5 - horizon * height, 0) / estimate_focal(height, width)
    steep = down / np.sqrt(1 + down * down)
    return plane(0.02 + 0.98 * (1 - steep) ** 5)[:, None]


def _sized(sky: Plane, shape: tuple[int, ...]) -> Plane:
    return plane(cv2.resize(sky, (shape[1], shape[0]), interpolation=cv2.INTER_AREA))
