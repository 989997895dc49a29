"""Recognizes photos that cannot take a new sky or light: without colors, bent, on their side, in fog."""

import cv2
import numpy as np

from engine.arrays import Mask, Pixels, Plane
from engine.color.difference import srgb_to_lab

COLOR_SIDE = 256
"""Long side, in pixels, of the picture in which colors are compared: noise of a gray photo averages out."""
TONES = 16
"""Steps of lightness; in a photo without colors, also in a tinted one, pixels of one step have one color."""
COLORED_QUANTILE, MIN_COLOR = 0.98, 4.0
"""A photo has colors if this quantile of the a*b* distance from the step's median color is at least MIN_COLOR.

Gray and tinted ones have up to 3.3, 617 photos of houses and fronts 7.4 and more.
"""
MAX_TINT = 32.0
"""A photo also has colors if the same quantile of its chroma is larger; sepia has 25."""
MAX_BLACK = 14
"""Maximum of the brightest channel, 0-255, of black around a picture."""
MIN_CORNER = 0.005
"""Minimum share of the picture that is black at each of its corners."""
MAX_FILLED = 0.97
"""Maximum share of its bounding box that a bent picture fills: black bars leave a rectangle, which fills it."""
MIN_CONVEX = 0.98
"""Minimum share of its convex hull that a bent picture fills: things in the dark have ragged outlines."""
EDGE = 3
"""Pixels at an edge of the small picture in which sky is counted."""
MIN_SIDE_SKY, MAX_OTHER_SKY, MAX_TOP_SKY = 0.85, 0.05, 0.7
"""Shares of sky at the edges of a photo on its side: at the one above, the one below, and those beside it."""

MIN_GROUND = 0.02
"""Minimum share of the picture that is not sky if fog is considered."""
FOG_QUANTILE, MIN_FOG = 0.05, 0.3
"""In fog this quantile of the darkest channel around, outside the sky, is at least MIN_FOG: nothing is dark.

Of 214 photos of houses and fronts none taken outdoors has more than 0.21.
"""
MAX_FOG_COLOR = 0.2
"""Maximum of COLORED_QUANTILE of the difference between the channels (0-1) in fog, which is gray."""
FOG_AREA = 3
"""Side, in pixels, of the area in which the darkest channel is looked for."""


def is_colorless(small: Pixels) -> bool:
    """Whether a photo is black and white, or of a single tint as sepia is.

    Parameters
    ----------
    small : (h, w, 3) ndarray of uint8
        The small picture, gamma-coded sRGB.

    Returns
    -------
    bool
        True if pixels of the same lightness hardly differ in color.
    """
    scale = min(1.0, COLOR_SIDE / max(small.shape[:2]))
    size = tuple(max(1, round(side * scale)) for side in small.shape[1::-1])
    shrunk = cv2.resize(small, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    # At night, colors are as strong relative to the light as by day, but dark.
    gain = 255 / max(float(np.quantile(shrunk.max(-1), COLORED_QUANTILE)), 1.0)
    colors = srgb_to_lab(np.asarray((shrunk * gain).clip(0, 255), np.uint8))
    if np.quantile(np.linalg.norm(colors[..., 1:], axis=-1), COLORED_QUANTILE) > MAX_TINT:
        return False
    tones = np.clip(colors[..., 0] / 100 * TONES, 0, TONES - 1).astype(np.uint8)
    distances = np.zeros(tones.shape, np.float32)
    for tone in np.unique(tones):
        same = colors[tones == tone, 1:]
        distances[tones == tone] = np.linalg.norm(same - np.median(same, axis=0), axis=1)
    return bool(np.quantile(distances, COLORED_QUANTILE) < MIN_COLOR)


def is_bent(small: Pixels) -> bool:
    """Whether a photo is a circle or a bulging frame on black, as of a fisheye lens.

    Parameters
    ----------
    small : (h, w, 3) ndarray of uint8
        The small picture, gamma-coded sRGB.

    Returns
    -------
    bool
        True if black lies at all four corners around one convex picture that is no rectangle.
    """
    picture = ~_find_black_corners(small)
    if picture.all() or not picture.any():
        return False
    points = cv2.findNonZero(picture.astype(np.uint8))
    _, _, width, height = cv2.boundingRect(points)
    area = float(picture.sum())
    hull = np.zeros(picture.shape, np.uint8)
    cv2.fillConvexPoly(hull, cv2.convexHull(points), 1)
    return area < MAX_FILLED * width * height and area > MIN_CONVEX * float(hull.sum())


def _find_black_corners(small: Pixels) -> Mask:
    """The black that reaches the corners; nothing unless each corner has enough of it."""
    black = (small.max(-1) <= MAX_BLACK).astype(np.uint8)
    height, width = black.shape
    _, parts = cv2.connectedComponents(black, connectivity=4)
    found = np.zeros(black.shape, np.bool_)
    for corner, quarter in (
        ((0, 0), np.s_[: height // 2, : width // 2]),
        ((0, -1), np.s_[: height // 2, width // 2 :]),
        ((-1, 0), np.s_[height // 2 :, : width // 2]),
        ((-1, -1), np.s_[height // 2 :, width // 2 :]),
    ):
        reached = parts == parts[corner]
        if not black[corner] or reached[quarter].sum() < MIN_CORNER * black.size:
            return np.zeros(black.shape, np.bool_)
        found |= reached
    return found


def is_turned(sky: Plane) -> bool:
    """Whether a photo lies on its side, by the edge of the picture that the sky fills.

    Parameters
    ----------
    sky : (h, w) ndarray of float32
        Share of sky, 0-1.

    Returns
    -------
    bool
        True if the sky fills the left or right edge, nothing of the opposite edge, and a part of the upper edge.
    """
    edges = sky[:EDGE], sky[:, :EDGE], sky[:, -EDGE:], sky[-EDGE:]
    top, left, right, bottom = (float((each > 0.5).mean()) for each in edges)
    fullest, opposite = max(left, right), min(left, right)
    return fullest > MIN_SIDE_SKY and opposite < MAX_OTHER_SKY and top < MAX_TOP_SKY and bottom < MAX_TOP_SKY


def is_foggy(small: Plane, sky: Plane) -> bool:
    """Whether a photo was taken in fog, by its dark channel: fog lightens everything, also dark things.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    sky : (h, w) ndarray of float32
        Share of sky, 0-1.

    Returns
    -------
    bool
        True if nothing outside the sky is dark or colorful.

    References
    ----------
    K. He, J. Sun and X. Tang, "Single Image Haze Removal Using Dark Channel Prior" (2009).
    """
    ground = sky < 0.2
    if ground.mean() < MIN_GROUND:
        return False
    colors = (small.max(-1) - small.min(-1))[ground]
    if np.quantile(colors, COLORED_QUANTILE) > MAX_FOG_COLOR:
        return False
    darkest = cv2.erode(small.min(-1), np.ones((FOG_AREA, FOG_AREA), np.uint8))
    return bool(np.quantile(darkest[ground], FOG_QUANTILE) > MIN_FOG)
