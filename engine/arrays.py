"""The array types of the engine: pixels, mattes, planes and masks, and conversions to them."""

import numpy as np
from numpy.typing import NDArray

# Height x width x 3, red green blue, 0-255, gamma-coded in the photo's own color space unless said otherwise.
Pixels = NDArray[np.uint8]
# Height x width, 0-255: how much of each pixel belongs to a region.
Matte = NDArray[np.uint8]
# Height x width (or x 3), usually 0-1.
Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]


def plane(values: object) -> Plane:
    """Convert values to a float32 plane, without a copy if they are one already.

    Parameters
    ----------
    values : array_like
        Of any shape and number type.

    Returns
    -------
    ndarray of float32
        The same shape and values.
    """
    return np.asarray(values, dtype=np.float32)


def matte(values: object) -> Matte:
    """Convert values of 0-1 to a matte of 0-255, rounded.

    Parameters
    ----------
    values : array_like
        Of any shape; values outside 0-1 are clipped.

    Returns
    -------
    ndarray of uint8
        The same shape, 0-255.
    """
    return np.asarray(np.clip(np.asarray(values) * 255 + 0.5, 0, 255), dtype=np.uint8)


def smoothstep(values: Plane, low: float, high: float) -> Plane:
    """A smooth cubic step from 0 to 1.

    Parameters
    ----------
    values : ndarray of float32
        Of any shape.
    low, high : float
        Where the step starts and ends, different from each other; falling where `low` > `high`.

    Returns
    -------
    ndarray of float32
        The same shape, 0 at `low` and beyond, 1 at `high` and beyond.
    """
    share = np.clip((values - low) / (high - low), 0, 1)
    return plane(share * share * (3 - 2 * share))
