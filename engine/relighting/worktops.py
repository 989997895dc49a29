"""The light on worktops: its color, from white things near them, and the shade of their front edges."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.color.srgb import srgb_to_linear
from engine.filters.morphology import dilate
from engine.filters.smoothing import gaussian_blur
from engine.relighting.shading import WHITE_ALBEDO, Lamp

NEAR = 1 / 8
"""Distance from a worktop, as a share of the long side, up to which things have its light."""
MIN_WHITE_LIGHT = 0.3
"""Linear luminance, as a share of the lightest tenth near a worktop, from which on gray things count as white."""
MAX_WHITE_DEVIATION = 0.3
"""Greatest deviation of red and blue from green, as a share, of things that count as white or gray."""
MIN_WHITE_SHARE = 0.004
"""Least share of the picture that white things near a worktop must have for its light to get their color."""
EDGE_HEIGHT = 0.038
"""Height of a worktop's front edge, in meters."""
EDGE_SHADE = 0.72
"""Light on the front edge as a share of that on top: less of the light of the ceiling falls on it."""
MAX_GAP = 3
"""Greatest number of rows between a worktop and the cabinet below it."""


def find_nearby_lamp(lamp: Lamp, small: Plane, share: Plane) -> Lamp:
    """Estimate the light on a worktop from white and gray things near it.

    The room's typical color is less certain: a beige wall does not make a white worktop beige.

    Parameters
    ----------
    lamp : Lamp
        The light of the whole room.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    share : (h, w) ndarray of float32
        The share of the worktop in each pixel, 0-1.

    Returns
    -------
    Lamp
        With the color of those things, and at least their brightness; `lamp` itself if there are too few.
    """
    light = srgb_to_linear(small)
    near = dilate(np.asarray(share > 0.5), round(NEAR * max(share.shape)))
    if not near.any():
        return lamp
    gray = rgb_to_gray(light)
    bright = near & (gray > MIN_WHITE_LIGHT * float(np.quantile(gray[near], 0.9))) & (light.max(-1) < 0.98)
    ratios = light[..., [0, 2]] / np.maximum(light[..., 1:2], 1e-3)
    white = bright & (np.abs(ratios - 1).max(-1) < MAX_WHITE_DEVIATION)
    if float(white.mean()) < MIN_WHITE_SHARE:
        return lamp
    color = plane(np.median(light[white] / gray[white][:, None], axis=0))
    # The ceiling lights a worktop at least as well as the lighter of the white things beside it.
    level = max(lamp.level, float(np.quantile(gray[white], 0.8)) / WHITE_ALBEDO)
    return Lamp(plane(color / float(rgb_to_gray(color.reshape(1, 1, 3))[0, 0])), level)


def shade_front_edges(share: Plane, cabinets: Mask, per_meter: Plane, luminance: Plane) -> Plane:
    """Compute how much less light falls on the front edges of worktops.

    Parameters
    ----------
    share : (h, w) ndarray of float32
        The share of the worktop in each pixel, 0-1.
    cabinets : (h, w) ndarray of bool
        Where cabinets are: an edge is above them.
    per_meter : (h, w) ndarray of float32
        Pixels per meter of the worktop.
    luminance : (h, w) ndarray of float32
        Luminance of the old worktop; if its edges were darker, the light is not changed.

    Returns
    -------
    (h, w) ndarray of float32
        Light as a share of the light on top, EDGE_SHADE to 1.
    """
    top = np.asarray(share > 0.5)
    height, width = top.shape
    # Counted from the bottom up: the rows since the cabinet, and the rows of the worktop above it.
    since, rows = np.full(width, MAX_GAP + 1), np.full(width, np.inf)
    edge = np.zeros_like(top)
    for row in range(height - 1, -1, -1):
        starts = top[row] & (since <= MAX_GAP)
        rows = np.where(top[row], np.where(starts, 1, rows + 1), np.inf)
        since = np.where(cabinets[row] & ~top[row], 0, np.where(top[row], MAX_GAP + 1, since + 1))
        edge[row] = rows <= EDGE_HEIGHT * per_meter[row]
    # Single columns, in which the cabinet was not recognized, belong to the edge as well.
    closed = cv2.morphologyEx(edge.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 9), np.uint8)) > 0
    front, rest = closed & top, top & ~closed
    if not front.any() or not rest.any():
        return plane(np.ones(top.shape))
    shade = min(1.0, EDGE_SHADE * float(np.median(luminance[rest]) / np.median(luminance[front])))
    return plane(1 - (1 - shade) * gaussian_blur(plane(front), 0.7))
