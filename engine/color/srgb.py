"""sRGB to linear light and back, by the transfer functions of IEC 61966-2-1.

Exact and fast variants differ in their last bits: a caller keeps to one, so that pictures stay the same byte for
byte.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Pixels, Plane, plane

LINEAR_TOE = 0.0031308
"""Linear light up to which sRGB is proportional to it."""
TABLE = 1 << 14


def srgb_to_linear(values: NDArray[np.floating[Any]]) -> Plane:
    """sRGB values of 0-1, of any shape, as linear light of 0-1 (float32); float64 is cut only at the end."""
    return plane(np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4))


def srgb_bytes_to_linear(pixels: Pixels) -> Plane:
    """sRGB bytes (height x width x 3) as linear light of 0-1, from a table."""
    return plane(cv2.LUT(np.ascontiguousarray(pixels), _LINEAR))


def linear_to_srgb(values: Plane) -> Plane:
    """Linear light, of any shape, cut to 0-1, as sRGB values of 0-1 (float32)."""
    safe = np.clip(values, 0, 1)
    return plane(np.where(safe <= LINEAR_TOE, safe * 12.92, 1.055 * safe ** (1 / 2.4) - 0.055))


def linear_to_srgb_by_opencv(values: Plane) -> Plane:
    """The same for two or three axes, with OpenCV's power function: faster, and not always the same last bits."""
    light = np.clip(values, 0, 1)
    root = plane(cv2.pow(plane(np.maximum(light, LINEAR_TOE)), 1 / 2.4))
    return plane(np.where(light <= LINEAR_TOE, light * 12.92, 1.055 * root - 0.055))


def linear_to_srgb_levels(values: Plane) -> Plane:
    """Linear light as sRGB values of 0-255 (float32), from a table: many times as fast as `linear_to_srgb`."""
    places = np.sqrt(np.clip(values, 0, 1)) * np.float32(TABLE - 1) + np.float32(0.5)
    return plane(np.take(_LEVELS, places.astype(np.uint16)))


def bright_linear_to_srgb_levels(values: Plane) -> Plane:
    """Linear light that is nowhere below LINEAR_TOE as sRGB values of 0-255 (float32); no table, no branch."""
    return plane(cv2.pow(values, 1 / 2.4) * np.float32(255 * 1.055) - np.float32(255 * 0.055))


_LINEAR = srgb_to_linear(np.arange(256) / 255)
# By square roots, which are nearly as evenly spaced to the eye as sRGB values.
_LEVELS = plane(linear_to_srgb(plane(np.linspace(0, 1, TABLE) ** 2)) * np.float32(255))
