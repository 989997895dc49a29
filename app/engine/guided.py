"""The guided filter: a small map follows the real edges of the full-size picture.

After He, Sun and Tang, "Guided Image Filtering" (2010), and its fast form of He and Sun (2015): the local
linear model is found at a small size and applied at full size.
"""

import numpy as np

from app.engine.arrays import Matte, Pixels, Plane, box_mean, plane
from app.engine.fullsize import stretch, strips


def refined(mask: Plane, guide: Plane, pixels: Pixels, radius: int, softness: float) -> Matte:
    """A full-size matte (height x width, 0-255) from a small mask of 0-1, its edges where the picture has them.

    `guide` is the small picture (0-1, x 3) the mask was found on, in the colour space of `pixels`.
    """
    slope, offset = colour_model(mask, guide, radius, softness)
    result = np.empty(pixels.shape[:2], np.uint8)
    for rows in strips(pixels.shape):
        strip_slope = stretch(slope, pixels.shape, rows)
        value = stretch(offset, pixels.shape, rows)
        strip = pixels[rows]
        for channel in range(3):
            value += strip_slope[..., channel] * strip[..., channel] * np.float32(1 / 255)
        result[rows] = np.clip(value * 255 + 0.5, 0, 255)
    return result


def colour_model(mask: Plane, guide: Plane, radius: int, softness: float) -> tuple[Plane, Plane]:
    """Slope (x 3) and offset of the local model mask = slope . colour + offset; `softness` is the paper's epsilon."""
    mean = box_mean(guide, radius)
    mask_mean = box_mean(mask, radius)
    covariance = np.empty((*guide.shape[:2], 3, 3), np.float32)
    for one in range(3):
        for other in range(one, 3):
            product = box_mean(plane(guide[..., one] * guide[..., other]), radius)
            covariance[..., one, other] = product - mean[..., one] * mean[..., other]
            covariance[..., other, one] = covariance[..., one, other]
    covariance += softness * np.eye(3, dtype=np.float32)
    shared = box_mean(plane(guide * mask[..., None]), radius) - mean * mask_mean[..., None]
    slope = plane(np.linalg.solve(covariance, shared[..., None])[..., 0])
    offset = plane(mask_mean - (slope * mean).sum(-1))
    return box_mean(slope, radius), box_mean(offset, radius)


def grey_model(values: Plane, radius: int, softness: float) -> tuple[Plane, Plane]:
    """Slope and offset of the edge-keeping smoothing of a grey plane by itself: base = slope * value + offset."""
    mean = box_mean(values, radius)
    variance = box_mean(values * values, radius) - mean * mean
    slope = plane(variance / (variance + softness))
    offset = plane(mean * (1 - slope))
    return box_mean(slope, radius), box_mean(offset, radius)
