"""sRGB to linear light and back, by the transfer functions of IEC 61966-2-1.

Exact and fast variants differ in their last bits. So each caller always uses the same variant, to keep its pictures
the same byte for byte.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Pixels, Plane, plane

LINEAR_TOE = 0.0031308
"""Greatest linear light in the linear part of the transfer function; above it, the curve is a power."""
TABLE_SIZE = 1 << 14
"""Number of entries of the table from linear light to sRGB levels."""


def srgb_to_linear(values: NDArray[np.floating[Any]]) -> Plane:
    """Convert gamma-coded sRGB to linear light; float64 is rounded only at the end.

    Parameters
    ----------
    values : ndarray of float
        Gamma-coded, 0-1, of any shape.

    Returns
    -------
    ndarray of float32
        Linear, 0-1, in the same shape.
    """
    return plane(np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4))


def srgb_bytes_to_linear(pixels: Pixels) -> Plane:
    """Convert sRGB bytes to linear light with a table.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        Gamma-coded sRGB.

    Returns
    -------
    (H, W, 3) ndarray of float32
        Linear, 0-1.
    """
    return plane(cv2.LUT(np.ascontiguousarray(pixels), _LINEAR))


def linear_to_srgb(values: Plane) -> Plane:
    """Convert linear light to gamma-coded sRGB.

    Parameters
    ----------
    values : ndarray of float32
        Linear, clipped to 0-1, of any shape.

    Returns
    -------
    ndarray of float32
        Gamma-coded, 0-1, in the same shape.
    """
    safe = np.clip(values, 0, 1)
    return plane(np.where(safe <= LINEAR_TOE, safe * 12.92, 1.055 * safe ** (1 / 2.4) - 0.055))


def linear_to_srgb_by_opencv(values: Plane) -> Plane:
    """Convert as `linear_to_srgb` does, with OpenCV's faster power function; the last bits may differ.

    Parameters
    ----------
    values : (h, w) or (h, w, 3) ndarray of float32
        Linear, clipped to 0-1.

    Returns
    -------
    ndarray of float32
        Gamma-coded, 0-1, in the same shape.
    """
    light = np.clip(values, 0, 1)
    root = plane(cv2.pow(plane(np.maximum(light, LINEAR_TOE)), 1 / 2.4))
    return plane(np.where(light <= LINEAR_TOE, light * 12.92, 1.055 * root - 0.055))


def linear_to_srgb_levels(values: Plane) -> Plane:
    """Convert linear light to sRGB levels with a table, many times as fast as `linear_to_srgb`.

    Parameters
    ----------
    values : ndarray of float32
        Linear, clipped to 0-1, of any shape.

    Returns
    -------
    ndarray of float32
        Gamma-coded, 0-255, in the same shape.
    """
    places = np.sqrt(np.clip(values, 0, 1)) * np.float32(TABLE_SIZE - 1) + np.float32(0.5)
    return plane(np.take(_LEVELS, places.astype(np.uint16)))


def bright_linear_to_srgb_levels(values: Plane) -> Plane:
    """Convert linear light above LINEAR_TOE to sRGB levels, without a table or branch.

    Parameters
    ----------
    values : (h, w) or (h, w, 3) ndarray of float32
        Linear, nowhere below `LINEAR_TOE`; not clipped.

    Returns
    -------
    ndarray of float32
        Gamma-coded, in the same shape: 255 for a value of 1, more for larger ones.
    """
    return plane(cv2.pow(values, 1 / 2.4) * np.float32(255 * 1.055) - np.float32(255 * 0.055))


_LINEAR = srgb_to_linear(np.arange(256) / 255)
# Indexed by the square root of light, so that the steps between entries are nearly as even in sRGB.
_LEVELS = plane(linear_to_srgb(plane(np.linspace(0, 1, TABLE_SIZE) ** 2)) * np.float32(255))
