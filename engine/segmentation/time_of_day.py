"""Estimates from the light whether a photo of a house was taken by day, under a low sun, or at dusk or night.

In front of a bright sky, the visible side of a house is dark at noon as well as at dusk, so its brightness alone
proves nothing. The brightness of the whole picture and of the sky, and lit windows, decide. If the camera recorded
an exposure, a clear value decides alone.
"""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import erode
from engine.filters.smoothing import gaussian_blur
from engine.segmentation.labels import Kind

MIN_SKY = 0.01
"""Minimum share of sky in the picture if the sky is considered."""
DARK_GROUND = 0.19
"""A photo with less sky than MIN_SKY was taken in the dark if the median luma (0-1) of the rest is below this."""
MAX_DUSKY_SKY = 0.5
"""A sky with a lower mean luma (0-1) may be one at dusk or night; then the next four values decide."""
MIN_BLOWN_SKY = 0.9
"""Lit windows prove dusk only under a sky of a lower mean luma: a brighter sky would outshine lamps."""
MAX_DIM_MEAN = 0.28
"""Under a dusky sky the picture is dark if its mean luma is lower and MAX_DIM_GROUND is met too."""
MAX_DIM_GROUND = 0.6
"""Limit, with MAX_DIM_MEAN, of the 90th percentile of luma outside the sky."""
MAX_DULL_MEAN = 0.35
"""The picture is dark too if its mean luma is lower and MAX_DULL_HIGHLIGHTS is met."""
MAX_DULL_HIGHLIGHTS = 0.6
"""Limit, with MAX_DULL_MEAN, of the 98th percentile of luma in the whole picture."""
MIN_LAMP_WARMTH = 0.15
"""Minimum red minus blue (0-1) in a pixel of glass with the color of a lamp."""
MIN_LAMP_BRIGHTNESS = 0.5
"""Minimum of the brightest channel (0-1) in a bright pixel of glass."""
MIN_LIT = 0.28
"""Minimum share of warm and bright pixels in lit windows, together with MIN_LIT_RATIO."""
MIN_LIT_RATIO = 1.2
"""Minimum ratio of the median luma of lit windows to that of everything except the sky."""
MIN_MOSTLY_LIT = 0.7
"""Minimum share of warm and bright pixels in lit windows, together with MIN_MOSTLY_LIT_RATIO."""
MIN_MOSTLY_LIT_RATIO = 1.05
"""The same ratio as MIN_LIT_RATIO; lower, because more pixels are warm: lamps at nightfall are hardly brighter than
walls.
"""
MIN_PANE_SHARE = 0.4
"""Minimum share of glass in a pixel that counts as glass."""
MIN_PANES = 0.003
"""Minimum share of the picture that is glass if windows are considered."""
MIN_GLOW_WARMTH = 0.1
"""Minimum red minus blue, as a share of the brightest channel, in a pixel of sky that a low sun colors."""
MIN_GLOW_SHARE = 0.1
"""Minimum share of such pixels in the open sky if the sun is low."""
MAX_NIGHT_EXPOSURE = 5.5
"""Maximum exposure value at ISO 100 that proves dusk or night."""
MIN_DAY_EXPOSURE = 11.0
"""Minimum exposure value at ISO 100 that proves that the sun is up."""


def is_taken_in_dark(small: Plane, sky: Plane, shares: Plane, exposure_value: float | None = None) -> bool:
    """Whether a photo taken outdoors was taken at dusk or night.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    sky : (h, w) ndarray of float32
        Share of sky, 0-1.
    shares : (h, w, len(Kind)) ndarray of float32
        Shares of each kind, 0-1.
    exposure_value : float, optional
        Exposure value at ISO 100 of the camera's settings; None if unknown. A value of at most MAX_NIGHT_EXPOSURE
        or at least MIN_DAY_EXPOSURE decides alone.

    Returns
    -------
    bool
        True at dusk or night.
    """
    if exposure_value is not None and not MAX_NIGHT_EXPOSURE < exposure_value < MIN_DAY_EXPOSURE:
        return exposure_value <= MAX_NIGHT_EXPOSURE
    luma = rgb_to_gray(small)
    open_sky, ground = _find_open_sky(sky), np.asarray(sky < 0.5, np.bool_)
    if sky.mean() < MIN_SKY or not open_sky.any() or not ground.any():
        return bool(np.median(luma[ground] if ground.any() else luma) < DARK_GROUND)
    panes = np.asarray((shares[..., Kind.GLASS] > MIN_PANE_SHARE) & ground, np.bool_)
    sky_luma = float(luma[open_sky].mean())
    return (sky_luma < MAX_DUSKY_SKY and _is_dim(luma, ground)) or (
        sky_luma < MIN_BLOWN_SKY and _are_windows_lit(small, luma, panes, ground)
    )


def _is_dim(luma: Plane, ground: Mask) -> bool:
    """Whether the picture is as dark as at dusk; `ground` is everything except the sky."""
    mean = float(luma.mean())
    if mean < MAX_DIM_MEAN and np.quantile(luma[ground], 0.9) < MAX_DIM_GROUND:
        return True
    return bool(mean < MAX_DULL_MEAN and np.quantile(luma, 0.98) < MAX_DULL_HIGHLIGHTS)


def _are_windows_lit(small: Plane, luma: Plane, panes: Mask, ground: Mask) -> bool:
    """Whether windows have the color of lamps and are brighter than everything except the sky (`ground`)."""
    if panes.mean() < MIN_PANES:
        return False
    colors = cv2.GaussianBlur(small, (0, 0), 1.0)[panes]
    warm = (colors[:, 0] - colors[:, 2] > MIN_LAMP_WARMTH) & (colors.max(1) > MIN_LAMP_BRIGHTNESS)
    share = float(plane(warm).mean())
    ratio = float(np.median(luma[panes]) / max(float(np.median(luma[ground])), 0.01))
    return (share > MIN_LIT and ratio > MIN_LIT_RATIO) or (share > MIN_MOSTLY_LIT and ratio > MIN_MOSTLY_LIT_RATIO)


def is_low_sun(small: Plane, sky: Plane) -> bool:
    """Whether a low sun colors a part of the sky yellow or red. Haze and clouds by day never have these colors.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    sky : (h, w) ndarray of float32
        Share of sky, 0-1.

    Returns
    -------
    bool
        True at sunrise or sunset; False if less than MIN_SKY of the picture is open sky.
    """
    open_sky = _find_open_sky(sky)
    if open_sky.mean() < MIN_SKY:
        return False
    colors = gaussian_blur(small, 2.0)[open_sky]
    warm = colors[:, 0] - colors[:, 2] > MIN_GLOW_WARMTH * np.maximum(colors.max(1), 0.05)
    return bool(plane(warm).mean() > MIN_GLOW_SHARE)


def _find_open_sky(sky: Plane) -> Mask:
    """The sky except pixels next to things: JPEG compression mixes the colors of things into the sky there."""
    return erode(np.asarray(sky > 0.9, np.bool_), 2)
