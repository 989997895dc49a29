"""Mixes, stains and tones colors in CIE L*a*b*, which is perceptually uniform."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.color.srgb import srgb_to_linear
from engine.materials.finish import Color
from engine.materials.plain_words import TONES

MAX_REFLECTANCE = 0.88
"""Greatest share of light that a surface in a room reflects, linear."""
MIN_REFLECTANCE = 0.022
"""Share of light that a black surface reflects, linear."""


def estimate_reflectance(color: Color) -> Plane:
    """The share of red, green and blue light that a surface of this color reflects.

    Parameters
    ----------
    color : tuple of float
        Gamma-coded sRGB, 0-1.

    Returns
    -------
    (3,) ndarray of float32
        Linear sRGB, at most MAX_REFLECTANCE; this limit makes light saturated colors a little darker.
    """
    share = srgb_to_linear(plane(np.asarray(color))) + np.float32(1e-4)
    gray = float(share @ np.array([0.299, 0.587, 0.114], np.float32))
    return plane(
        np.minimum(share * ((MIN_REFLECTANCE + gray * (MAX_REFLECTANCE - MIN_REFLECTANCE)) / gray), MAX_REFLECTANCE)
    )


def mix_colors(colors: Sequence[Color]) -> Color:
    """The mean of colors, in CIE L*a*b*.

    Parameters
    ----------
    colors : Sequence of tuple of float
        At least one, gamma-coded sRGB, 0-1.

    Returns
    -------
    tuple of float
        Gamma-coded sRGB, 0-1.
    """
    return colors[0] if len(colors) == 1 else _to_srgb(np.mean([_to_lab(each) for each in colors], axis=0))


def stain_color(own: Color, stain: Color) -> Color:
    """The color of stained wood or stone: mostly the stain's color and a little its own, mixed in CIE L*a*b*.

    Parameters
    ----------
    own : tuple of float
        The material's own color, gamma-coded sRGB, 0-1.
    stain : tuple of float
        The color of the stain, gamma-coded sRGB, 0-1.

    Returns
    -------
    tuple of float
        Gamma-coded sRGB, 0-1.
    """
    return _to_srgb(0.22 * _to_lab(own) + 0.78 * _to_lab(stain))


def tone_color(color: Color, tones: Sequence[str]) -> Color:
    """Make a color lighter or darker, stronger or paler, warmer or cooler.

    Parameters
    ----------
    color : tuple of float
        Gamma-coded sRGB, 0-1.
    tones : Sequence of str
        Words of `plain_words.TONES`, applied one after the other.

    Returns
    -------
    tuple of float
        Gamma-coded sRGB, 0-1; `color` itself without tones.
    """
    if not tones:
        return color
    lightness, a_star, b_star = _to_lab(color)
    for tone in tones:
        lighter, stronger, warmer = TONES[tone]
        # A dark color has little headroom to become darker: dark navy is almost navy.
        headroom = 97 - lightness if lighter > 0 else (lightness - 8) * min(1.0, lightness / 50)
        lightness += lighter * max(headroom, 0)
        a_star, b_star = a_star * stronger + 12 * warmer, b_star * stronger + 30 * warmer
    return _to_srgb(np.array([lightness, a_star, b_star]))


def _to_lab(color: Color) -> Plane:
    values = np.asarray(color, dtype=np.float32).reshape(1, 1, 3)
    return plane(cv2.cvtColor(values, cv2.COLOR_RGB2Lab)[0, 0])


def _to_srgb(lab: object) -> Color:
    values = np.asarray(lab, dtype=np.float32).reshape(1, 1, 3)
    red, green, blue = np.clip(cv2.cvtColor(values, cv2.COLOR_Lab2RGB)[0, 0], 0, 1)
    return float(red), float(green), float(blue)
