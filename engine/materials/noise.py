"""Generates tileable noise, for grain, veins and clouds."""

import cv2
import numpy as np

from engine.arrays import Plane, plane

Shape = tuple[int, int]
# Grid points per shortest wave; the noise is computed on the coarsest grid that has them, then enlarged.
POINTS_PER_WAVE = 3.0


def make_waves(
    rng: np.random.Generator, shape: Shape, across: float, down: float, fall: float = 1.5, octaves: float = 3.0
) -> Plane:
    """Generate tileable noise with a mean of 0 and a standard deviation of 1.

    Parameters
    ----------
    rng : numpy.random.Generator
        For the noise.
    shape : tuple of int
        Height and width, in pixels.
    across, down : float
        Length of the longest waves from left to right and from top to bottom, in pixels.
    fall : float, default 1.5
        The amplitude is the frequency to the power of -`fall`.
    octaves : float, default 3.0
        The shortest waves are 2 ** octaves times shorter than the longest.

    Returns
    -------
    (h, w) ndarray of float32
        The noise.
    """
    height, width = shape
    short = 2.0**octaves
    rows = _count_grid_points(height, down / short)
    columns = _count_grid_points(width, across / short)
    white = rng.standard_normal((rows, columns), dtype=np.float32)
    first = np.fft.fftfreq(rows)[:, None] * rows * down / height
    second = np.fft.rfftfreq(columns)[None] * columns * across / width
    frequency = np.hypot(first, second)
    kept = np.maximum(frequency, 0.3) ** -fall * (frequency > 0) * (frequency < short)
    # Waves much longer than `across` and `down` are damped.
    kept = kept / (1 + 0.3 / (frequency + 1e-6)) ** 2
    values = plane(np.fft.irfft2(np.fft.rfft2(white) * kept, s=(rows, columns)))
    values = plane((values - values.mean()) / max(float(values.std()), 1e-9))
    return enlarge_tile(values, shape)


def _count_grid_points(pixels: int, shortest: float) -> int:
    return int(np.clip(round(pixels * POINTS_PER_WAVE / max(shortest, POINTS_PER_WAVE)), 8, pixels))


def enlarge_tile(values: Plane, shape: Shape) -> Plane:
    """Resize a repeating plane bilinearly.

    Parameters
    ----------
    values : (h, w) or (h, w, C) ndarray of float32
        A plane that repeats at its edges.
    shape : tuple of int
        New height and width, in pixels.

    Returns
    -------
    ndarray of float32
        The plane at that size; `values` itself if it already has that size.
    """
    if values.shape[:2] == shape:
        return values
    (rows, columns), (height, width) = values.shape[:2], shape
    y = (np.arange(height) + 0.5) * rows / height - 0.5
    x = (np.arange(width) + 0.5) * columns / width - 0.5
    return sample_tile(values, *np.meshgrid(plane(x), plane(y)))


def sample_tile(values: Plane, x: Plane, y: Plane) -> Plane:
    """Sample a repeating plane bilinearly.

    Parameters
    ----------
    values : (h, w) or (h, w, C) ndarray of float32
        A plane that repeats at its edges.
    x, y : (H, W) ndarray of float32
        Columns and rows in pixels; the center of the first pixel is at 0.

    Returns
    -------
    (H, W) or (H, W, C) ndarray of float32
        The values there.
    """
    return plane(cv2.remap(values, plane(x), plane(y), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP))


def warp_tile(values: Plane, x: Plane, y: Plane) -> Plane:
    """Warp a repeating plane by a displacement field.

    Parameters
    ----------
    values : (h, w) or (h, w, C) ndarray of float32
        A plane that repeats at its edges.
    x, y : (h, w) ndarray of float32
        Columns and rows from each pixel to the place where its new value is read.

    Returns
    -------
    ndarray of float32
        As large as `values`.
    """
    columns, rows = np.meshgrid(
        np.arange(values.shape[1], dtype=np.float32), np.arange(values.shape[0], dtype=np.float32)
    )
    return sample_tile(values, plane(columns + x), plane(rows + y))


def rank_values(values: Plane) -> Plane:
    """Estimate the share of all values that are smaller, by a logistic approximation of the normal distribution.

    Parameters
    ----------
    values : ndarray of float32
        Of zero mean and a standard deviation of one.

    Returns
    -------
    ndarray of float32
        0-1, of the same shape.
    """
    return plane(1 / (1 + np.exp(-1.702 * values)))
