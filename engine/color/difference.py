"""Measures how different two colors look: CIEDE2000.

Implements Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula: Implementation Notes, Supplementary Test
Data, and Mathematical Observations" (2005).
"""

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane

# 25 to the seventh power, a constant of CIEDE2000: near a chroma of 25, its correction for grays fades out.
_CHROMA_LIMIT_7 = np.float32(25.0**7)


def srgb_to_lab(pixels: Pixels) -> Plane:
    """Convert sRGB bytes to CIE L*a*b* for the white D65.

    Parameters
    ----------
    pixels : (h, w, 3) ndarray of uint8
        A picture in sRGB.

    Returns
    -------
    (h, w, 3) ndarray of float32
        L* of 0-100; a* and b* are 0 for gray, and positive or negative for colors.
    """
    return plane(cv2.cvtColor(plane(pixels) / np.float32(255), cv2.COLOR_RGB2Lab))


def compute_delta_e(one: Plane, other: Plane) -> Plane:
    """The CIEDE2000 difference between two arrays of colors.

    Parameters
    ----------
    one, other : (..., 3) ndarray of float32
        Colors in CIE L*a*b*, both of the same shape.

    Returns
    -------
    (...) ndarray of float32
        A difference of 1 is just noticeable.
    """
    stretched_one, stretched_other = _stretch_neutrals(one, other)
    chroma, hue = _compute_chroma_and_hue(stretched_one)
    other_chroma, other_hue = _compute_chroma_and_hue(stretched_other)
    hue_change = np.mod(other_hue - hue + 180, 360) - 180
    colored = (chroma * other_chroma) > 0
    mean_hue = np.where(colored, np.mod(hue + hue_change / 2, 360), hue + other_hue)
    lightness = (one[..., 0] + other[..., 0]) / 2 - 50
    mean_chroma = (chroma + other_chroma) / 2
    lightness_term = (other[..., 0] - one[..., 0]) / (1 + 0.015 * lightness**2 / np.sqrt(20 + lightness**2))
    chroma_term = (other_chroma - chroma) / (1 + 0.045 * mean_chroma)
    hue_term = 2 * np.sqrt(chroma * other_chroma) * np.sin(np.radians(np.where(colored, hue_change, 0) / 2))
    hue_term = hue_term / (1 + 0.015 * mean_chroma * _compute_hue_weight(plane(mean_hue)))
    rotation_term = _compute_rotation(plane(mean_chroma), plane(mean_hue)) * chroma_term * hue_term
    return plane(np.sqrt(np.maximum(lightness_term**2 + chroma_term**2 + hue_term**2 + rotation_term, 0)))


def _stretch_neutrals(one: Plane, other: Plane) -> tuple[Plane, Plane]:
    """The a* and b* of both arrays; a* of near-grays is multiplied by up to 1.5, as CIEDE2000 requires."""
    mean = (np.hypot(one[..., 1], one[..., 2]) + np.hypot(other[..., 1], other[..., 2])) / 2
    stretch = 1 + 0.5 * (1 - _saturate(plane(mean)))
    return _stretch(one, plane(stretch)), _stretch(other, plane(stretch))


def _stretch(colors: Plane, stretch: Plane) -> Plane:
    return plane(np.stack([colors[..., 1] * stretch, colors[..., 2]], -1))


def _saturate(chroma: Plane) -> Plane:
    """A weight from 0 for gray to 1 for high chroma."""
    squared = chroma * chroma
    seventh = squared * squared * squared * chroma
    return plane(np.sqrt(seventh / (seventh + _CHROMA_LIMIT_7)))


def _compute_chroma_and_hue(opponents: Plane) -> tuple[Plane, Plane]:
    """Chroma and hue angle (degrees, 0-360)."""
    first, second = opponents[..., 0], opponents[..., 1]
    return plane(np.hypot(first, second)), plane(np.mod(np.degrees(np.arctan2(second, first)), 360))


def _compute_hue_weight(hue: Plane) -> Plane:
    angles = np.radians(hue)
    return plane(
        1
        - 0.17 * np.cos(angles - np.radians(30))
        + 0.24 * np.cos(2 * angles)
        + 0.32 * np.cos(3 * angles + np.radians(6))
        - 0.20 * np.cos(4 * angles - np.radians(63))
    )


def _compute_rotation(chroma: Plane, hue: Plane) -> Plane:
    """The rotation term of CIEDE2000, which corrects blues: there, differences of chroma and hue interact."""
    rotation = 30 * np.exp(-(((hue - 275) / 25) ** 2))
    return plane(-2 * _saturate(chroma) * np.sin(np.radians(2 * rotation)))
