"""Tileable noise, for grain, veins and clouds."""

import cv2
import numpy as np

from engine.arrays import Plane, plane

Shape = tuple[int, int]
# Grid points for the shortest wave.
FINENESS = 3.0


def make_waves(
    rng: np.random.Generator, shape: Shape, across: float, down: float, fall: float = 1.5, octaves: float = 3.0
) -> Plane:
    """Height x width of zero mean and a deviation of one, repeating at its edges.

    Its longest waves are `across` and `down` pixels, its shortest 2 ** octaves times shorter; `fall` is how fast
    the strength falls with the frequency.
    """
    height, width = shape
    short = 2.0**octaves
    rows = _grid(height, down / short)
    columns = _grid(width, across / short)
    white = rng.standard_normal((rows, columns), dtype=np.float32)
    first = np.fft.fftfreq(rows)[:, None] * rows * down / height
    second = np.fft.rfftfreq(columns)[None] * columns * across / width
    frequency = np.hypot(first, second)
    kept = np.maximum(frequency, 0.3) ** -fall * (frequency > 0) * (frequency < short)
    # No wave is much longer than the longest asked for.
    kept = kept / (1 + 0.3 / (frequency + 1e-6)) ** 2
    values = plane(np.fft.irfft2(np.fft.rfft2(white) * kept, s=(rows, columns)))
    values = plane((values - values.mean()) / max(float(values.std()), 1e-9))
    return enlarge_tile(values, shape)


def _grid(pixels: int, shortest: float) -> int:
    return int(np.clip(round(pixels * FINENESS / max(shortest, FINENESS)), 8, pixels))


def enlarge_tile(values: Plane, shape: Shape) -> Plane:
    """A repeating plane at a larger size."""
    if values.shape[:2] == shape:
        return values
    (rows, columns), (height, width) = values.shape[:2], shape
    y = (np.arange(height) + 0.5) * rows / height - 0.5
    x = (np.arange(width) + 0.5) * columns / width - 0.5
    return sample_tile(values, *np.meshgrid(plane(x), plane(y)))


def sample_tile(values: Plane, x: Plane, y: Plane) -> Plane:
    """The repeating plane (x channels) at places in pixels, between them linear; the middle of the first is 0."""
    return plane(cv2.remap(values, plane(x), plane(y), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP))


def warp_tile(values: Plane, x: Plane, y: Plane) -> Plane:
    """The repeating plane with every place moved by x and y pixels."""
    columns, rows = np.meshgrid(
        np.arange(values.shape[1], dtype=np.float32), np.arange(values.shape[0], dtype=np.float32)
    )
    return sample_tile(values, plane(columns + x), plane(rows + y))


def rank_values(values: Plane) -> Plane:
    """About the share of all values that are smaller, 0-1; for values of zero mean and a deviation of one."""
    return plane(1 / (1 + np.exp(-1.702 * values)))
