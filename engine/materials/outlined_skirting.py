"""Finds the skirting at the foot of an outlined wall: people outline walls down to the floor, painters leave it."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.difference import srgb_to_lab
from engine.filters.smoothing import normalized_convolution

MAX_HEIGHT = 0.22
"""Greatest height of a skirting, in meters."""
SAMPLE_HEIGHT = 0.8
"""The wall's color is measured between MAX_HEIGHT and this height, in meters."""
SAMPLE_SIGMA = 12.0
"""Sigma, in pixels, of the surroundings that give the wall's color."""
MIN_CONTRAST = 7.0
"""Least difference between a skirting and its wall, in CIELAB."""
MIN_WIDTH = 25
"""Number of neighboring columns of which most must show the skirting."""
MIN_PIXELS = 2
"""Least height of a skirting in pixels."""
MIN_SEEN = 0.4
"""Least share of columns in which a room's skirting must be seen; less are stains and shadows."""
SPREAD = (0.8, 1.12)
"""Least and greatest height of a skirting, as shares of the usual height in its room."""
MAX_GAP = 3
"""Greatest number of pixels of the wall's color within or below the skirting: profiles have shadows and glare."""


def find_outlined_skirting(share: Plane, small: Plane, heights: Plane) -> Mask:
    """Find the skirting of walls: a strip above the floor whose color differs from the wall above it.

    Parameters
    ----------
    share : (h, w) ndarray of float32
        The share of each pixel that shows the outlined wall, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    heights : (h, w) ndarray of float32
        Height above the floor of each pixel on the walls, in meters.

    Returns
    -------
    (h, w) ndarray of bool
        Where it is; its upper edge is as smooth as the wall is straight.
    """
    inside = np.asarray(share > 0.5)
    found = np.zeros_like(inside)
    beside = plane(inside & (heights > MAX_HEIGHT) & (heights < SAMPLE_HEIGHT))
    foot = inside & (heights < MAX_HEIGHT)
    if not beside.any() or not foot.any():
        return found
    lab = plane(srgb_to_lab(np.asarray(cv2.medianBlur(np.asarray(np.round(small * 255), np.uint8), 3), np.uint8)))
    wall = normalized_convolution(lab, beside, SAMPLE_SIGMA)
    unlike = foot & (np.linalg.norm(lab - wall, axis=-1) > MIN_CONTRAST)
    bottoms = np.where(foot.any(0), foot.shape[0] - 1 - np.argmax(foot[::-1], axis=0), -1)
    columns = np.flatnonzero(bottoms >= 0)
    rows = np.array([_measure_run(unlike[: bottoms[column] + 1, column]) for column in columns])
    seen = rows >= MIN_PIXELS
    if seen.mean() < MIN_SEEN:
        return found
    above = np.maximum(bottoms[columns] - rows, 0)
    meters = np.median((heights[above, columns] - heights[bottoms[columns], columns])[seen])
    # Columns behind furniture continue their neighbors.
    spread = np.interp(np.arange(foot.shape[1]), columns, rows)
    usual = cv2.medianBlur(np.clip(np.round(spread), 0, 255).astype(np.uint8)[None], MIN_WIDTH)[0]
    for column in columns:
        bottom = bottoms[column]
        higher = heights[: bottom + 1, column][::-1] - heights[bottom, column]
        least, most = (int(np.count_nonzero(np.cumprod(higher < share * meters))) for share in SPREAD)
        found[bottom - int(np.clip(usual[column], least, most)) + 1 : bottom + 1, column] = True
    return np.asarray(found & inside)


def _measure_run(unlike: Mask) -> int:
    """The number of pixels from the last one up that differ from the wall; gaps do not end the run."""
    places = np.flatnonzero(unlike[::-1])
    ends = np.flatnonzero(np.diff(places, prepend=-1) > MAX_GAP)
    run = places[: ends[0]] if len(ends) else places
    return int(run[-1]) + 1 if len(run) else 0
