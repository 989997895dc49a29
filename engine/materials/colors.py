"""Colors mixed, stained and toned, in CIE L*a*b*, where steps look alike."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.color.srgb import srgb_to_linear
from engine.materials.finish import Color
from engine.materials.plain_words import TONES

BRIGHTEST, DARKEST = 0.88, 0.022
"""The most of the light that surfaces in rooms throw back, and what even black ones do; linear."""


def estimate_reflectance(color: Color) -> Plane:
    """What the color throws back of red, green and blue light: 3 values, linear, at most BRIGHTEST."""
    share = srgb_to_linear(plane(np.asarray(color))) + np.float32(1e-4)
    gray = float(share @ np.array([0.299, 0.587, 0.114], np.float32))
    return plane(share * ((DARKEST + gray * (BRIGHTEST - DARKEST)) / gray))


def mix_colors(colors: Sequence[Color]) -> Color:
    """The color half-way between those given."""
    return colors[0] if len(colors) == 1 else _color(np.mean([_lab(each) for each in colors], axis=0))


def stain_color(own: Color, asked: Color) -> Color:
    """Wood or stone of a color: mostly the color, a little of its own."""
    return _color(0.22 * _lab(own) + 0.78 * _lab(asked))


def tone_color(color: Color, tones: Sequence[str]) -> Color:
    """The color lighter or darker, stronger or paler, warmer or cooler, as the words say."""
    if not tones:
        return color
    lightness, first, second = _lab(color)
    for tone in tones:
        lighter, stronger, warmer = TONES[tone]
        # Navy is dark already: a dark one is little darker.
        room = 97 - lightness if lighter > 0 else (lightness - 8) * min(1.0, lightness / 50)
        lightness += lighter * max(room, 0)
        first, second = first * stronger + 12 * warmer, second * stronger + 30 * warmer
    return _color(np.array([lightness, first, second]))


def _lab(color: Color) -> Plane:
    values = np.asarray(color, dtype=np.float32).reshape(1, 1, 3)
    return plane(cv2.cvtColor(values, cv2.COLOR_RGB2Lab)[0, 0])


def _color(lab: object) -> Color:
    values = np.asarray(lab, dtype=np.float32).reshape(1, 1, 3)
    red, green, blue = np.clip(cv2.cvtColor(values, cv2.COLOR_Lab2RGB)[0, 0], 0, 1)
    return float(red), float(green), float(blue)
