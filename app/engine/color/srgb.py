"""Gamma-coded sRGB values as linear light, and back (IEC 61966-2-1)."""

import numpy as np

from app.engine.arrays import Plane, plane

TABLE = 1 << 14


def decoded(values: Plane) -> Plane:
    """Gamma-coded sRGB values of 0-1 as linear light."""
    return plane(np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4))


def coded(values: Plane) -> Plane:
    """Linear light of 0-1 as gamma-coded sRGB values."""
    safe = np.clip(values, 0, 1)
    return plane(np.where(safe <= 0.0031308, safe * 12.92, 1.055 * safe ** (1 / 2.4) - 0.055))


def coded_levels(values: Plane) -> Plane:
    """Linear light of 0-1 as gamma-coded sRGB values of 0-255, from a table: many times as fast as `coded`."""
    places = np.sqrt(np.clip(values, 0, 1)) * np.float32(TABLE - 1) + np.float32(0.5)
    return plane(np.take(_CODED, places.astype(np.uint16)))


# By square roots, which are nearly as evenly spaced to the eye as the coded values.
_CODED = plane(coded(plane(np.linspace(0, 1, TABLE) ** 2)) * np.float32(255))
