"""The hour at which a house was photographed, as far as its light tells: by day, under a low sun, or in the dark.

A house that stands before a bright sky is dark on the side that is seen, at noon as at dusk; so what counts is the
light of the whole picture and its sky's, and whether windows shine. Where the camera says what light it
measured, that is believed first.
"""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import erode
from engine.filters.smoothing import gaussian_blur
from engine.segmentation.labels import Kind

LEAST_SKY = 0.01
UNLIT = 0.19
"""The median luma below which a photo without sky was taken in the dark."""
DUSKY_SKY, BLOWN_SKY = 0.5, 0.9
"""The mean luma of a sky: dusk at most, and that beside which no lamp would show."""
DIM, DIM_GROUND = 0.28, 0.6
"""At dusk and at night all of a photo is at most so light on average, and a tenth of what is no sky lighter."""
DULL, NOTHING_BRIGHT = 0.35, 0.6
"""Or it is a little lighter, but next to nothing in it is bright."""
LIT, WARM, SHINING, BRIGHTER = 0.28, 0.15, 0.5, 1.2
"""Windows shine where this share of them is warm (red over blue) and bright, and where they are lighter than what
is no sky by this factor.
"""
MOSTLY_LIT, NO_DARKER = 0.7, 1.05
"""Or where most of them are warm and bright, and a little lighter: lamps at nightfall hardly outshine a wall."""
PANE, LEAST_PANES = 0.4, 0.003
"""From which share a pixel is glass, and how much of the picture must be."""
AFTERGLOW, GLOWING = 0.1, 0.1
"""By how much red is over blue, as a share of the brightest, where a low sun colors the sky; in how much of it."""
NIGHTLY, DAILY = 5.5, 11.0
"""Light values (exposure values at ISO 100): dusk and night are below the first, the sun is up above the second."""


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
        Exposure value at ISO 100 that the camera measured; None: unknown. It decides alone up to NIGHTLY and from
        DAILY on.

    Returns
    -------
    bool
        True at dusk or night.
    """
    if light is not None and not NIGHTLY < light < DAILY:
        return light <= NIGHTLY
    luma = rgb_to_gray(small)
    above, below = _find_open_sky(sky), np.asarray(sky < 0.5, np.bool_)
    if sky.mean() < LEAST_SKY or not above.any() or not below.any():
        return bool(np.median(luma[below] if below.any() else luma) < UNLIT)
    panes = np.asarray((shares[..., Kind.GLASS] > PANE) & below, np.bool_)
    heaven = float(luma[above].mean())
    return (heaven < DUSKY_SKY and _dim(luma, below)) or (
        heaven < BLOWN_SKY and _are_windows_lit(small, luma, panes, below)
    )


def _dim(luma: Plane, below: Mask) -> bool:
    whole = float(luma.mean())
    if whole < DIM and np.quantile(luma[below], 0.9) < DIM_GROUND:
        return True
    return bool(whole < DULL and np.quantile(luma, 0.98) < NOTHING_BRIGHT)


def _are_windows_lit(small: Plane, luma: Plane, panes: Mask, below: Mask) -> bool:
    """Whether windows shine: brighter than the house, and in the color of lamps."""
    if panes.mean() < LEAST_PANES:
        return False
    colors = cv2.GaussianBlur(small, (0, 0), 1.0)[panes]
    warm = (colors[:, 0] - colors[:, 2] > WARM) & (colors.max(1) > SHINING)
    share = float(plane(warm).mean())
    brighter = float(np.median(luma[panes]) / max(float(np.median(luma[below])), 0.01))
    return (share > LIT and brighter > BRIGHTER) or (share > MOSTLY_LIT and brighter > NO_DARKER)


def is_low_sun(small: Plane, sky: Plane) -> bool:
    """Whether a low sun colors the sky: part of it is yellow or red, as neither haze nor clouds are by day.

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
    whole = _find_open_sky(sky)
    if whole.mean() < LEAST_SKY:
        return False
    colors = gaussian_blur(small, 2.0)[whole]
    warm = colors[:, 0] - colors[:, 2] > AFTERGLOW * np.maximum(colors.max(1), 0.05)
    return bool(plane(warm).mean() > GLOWING)


def _find_open_sky(sky: Plane) -> Mask:
    """The sky away from what stands before it, and from the colors that a JPEG mixes along edges."""
    return erode(np.asarray(sky > 0.9, np.bool_), 2)
