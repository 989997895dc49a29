"""The hour at which a house was photographed, judged by the light: by day, under a low sun, or in the dark.

A house in front of a bright sky is dark on the side in view, at noon as at dusk. So the house alone proves nothing:
the light of the whole picture, the light of the sky and shining windows decide. An exposure that the camera noted
comes before all of them.
"""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import erode
from engine.filters.smoothing import gaussian_blur
from engine.segmentation.labels import Kind

LEAST_SKY = 0.01
"""Least share of sky in the picture for the sky to be judged."""
UNLIT = 0.19
"""A photo with less sky was taken in the dark if the median luma (0-1) outside of the sky is below this."""
DUSKY_SKY = 0.5
"""A sky whose mean luma is below this may be a sky at dusk or night; DIM and DULL decide."""
BLOWN_SKY = 0.9
"""Below this mean luma of the sky shining windows prove dusk; beside a brighter sky no lamp would show."""
DIM = 0.28
"""Under a dusky sky: the picture is dark if its mean luma is below this and DIM_GROUND holds too."""
DIM_GROUND = 0.6
"""For DIM: the 90th percentile of luma outside of the sky is below this."""
DULL = 0.35
"""It is also dark if its mean luma is below this and NOTHING_BRIGHT holds too."""
NOTHING_BRIGHT = 0.6
"""For DULL: the 98th percentile of luma in the whole picture is below this."""
WARM = 0.15
"""Least red minus blue for a pixel of glass to have the color of a lamp."""
SHINING = 0.5
"""Least value of the brightest channel for a pixel of glass to be bright."""
LIT = 0.28
"""Least share of warm and bright pixels for windows to shine, if they are BRIGHTER than the rest."""
BRIGHTER = 1.2
"""Least ratio of the median luma of windows to that of everything but the sky, for LIT."""
MOSTLY_LIT = 0.7
"""Least share of warm and bright pixels for windows to shine that are hardly brighter (NO_DARKER) than the rest."""
NO_DARKER = 1.05
"""Least ratio of lumas for MOSTLY_LIT: lamps at nightfall are hardly brighter than a wall."""
PANE = 0.4
"""Least share of glass for a pixel to count as glass."""
LEAST_PANES = 0.003
"""Least share of the picture that must be glass for windows to be judged."""
AFTERGLOW = 0.1
"""Least red minus blue, as a share of the brightest channel, for a pixel of sky to be colored by a low sun."""
GLOWING = 0.1
"""Least share of such pixels in the open sky for the sun to be low."""
NIGHTLY = 5.5
"""Highest exposure value at ISO 100 that proves dusk or night."""
DAILY = 11.0
"""Lowest exposure value at ISO 100 that proves that the sun is up."""


def is_taken_in_dark(small: Plane, sky: Plane, shares: Plane, light: float | None = None) -> bool:
    """Whether a photo taken outdoors was taken at dusk or night.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    sky : (h, w) ndarray of float32
        Share of sky, 0-1.
    shares : (h, w, len(Kind)) ndarray of float32
        Shares of each kind, 0-1.
    light : float, optional
        Exposure value at ISO 100 of the camera's settings; None: unknown. A value of at most NIGHTLY or at least
        DAILY decides alone.

    Returns
    -------
    bool
        True at dusk or night.
    """
    if light is not None and not NIGHTLY < light < DAILY:
        return light <= NIGHTLY
    luma = rgb_to_gray(small)
    open_sky, ground = _find_open_sky(sky), np.asarray(sky < 0.5, np.bool_)
    if sky.mean() < LEAST_SKY or not open_sky.any() or not ground.any():
        return bool(np.median(luma[ground] if ground.any() else luma) < UNLIT)
    panes = np.asarray((shares[..., Kind.GLASS] > PANE) & ground, np.bool_)
    sky_luma = float(luma[open_sky].mean())
    return (sky_luma < DUSKY_SKY and _is_dim(luma, ground)) or (
        sky_luma < BLOWN_SKY and _are_windows_lit(small, luma, panes, ground)
    )


def _is_dim(luma: Plane, ground: Mask) -> bool:
    """Whether the picture is as dark as at dusk; `ground` is everything but the sky."""
    mean = float(luma.mean())
    if mean < DIM and np.quantile(luma[ground], 0.9) < DIM_GROUND:
        return True
    return bool(mean < DULL and np.quantile(luma, 0.98) < NOTHING_BRIGHT)


def _are_windows_lit(small: Plane, luma: Plane, panes: Mask, ground: Mask) -> bool:
    """Whether windows shine: brighter than everything else but the sky (`ground`), and in the color of lamps."""
    if panes.mean() < LEAST_PANES:
        return False
    colors = cv2.GaussianBlur(small, (0, 0), 1.0)[panes]
    warm = (colors[:, 0] - colors[:, 2] > WARM) & (colors.max(1) > SHINING)
    share = float(plane(warm).mean())
    brighter = float(np.median(luma[panes]) / max(float(np.median(luma[ground])), 0.01))
    return (share > LIT and brighter > BRIGHTER) or (share > MOSTLY_LIT and brighter > NO_DARKER)


def is_low_sun(small: Plane, sky: Plane) -> bool:
    """Whether a low sun colors the sky: part of it is yellow or red, which haze and clouds by day never are.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    sky : (h, w) ndarray of float32
        Share of sky, 0-1.

    Returns
    -------
    bool
        True at sunrise or sunset; False where less than LEAST_SKY of the picture is open sky.
    """
    open_sky = _find_open_sky(sky)
    if open_sky.mean() < LEAST_SKY:
        return False
    colors = gaussian_blur(small, 2.0)[open_sky]
    warm = colors[:, 0] - colors[:, 2] > AFTERGLOW * np.maximum(colors.max(1), 0.05)
    return bool(plane(warm).mean() > GLOWING)


def _find_open_sky(sky: Plane) -> Mask:
    """The sky at some distance from things in front of it: there a JPEG mixes their colors into the sky's."""
    return erode(np.asarray(sky > 0.9, np.bool_), 2)
