"""The guided filter: a small map follows the real edges of the full-size picture.

After He, Sun and Tang, "Guided Image Filtering" (2010), and its fast form of He and Sun (2015): the local
linear model is found at a small size and applied at full size.
"""

import cv2
import numpy as np

from app.engine.arrays import Matte, Pixels, Plane, box_mean, plane
from app.engine.fullsize import for_each_strip, stretch


def refined(mask: Plane, guide: Plane, pixels: Pixels, radius: int, softness: float) -> Matte:
    """A full-size matte (height x width, 0-255) from a small mask of 0-1, its edges where the picture has them.

    `guide` is the small picture (0-1, x 3) the mask was found on, in the colour space of `pixels`.
    """
    slope, offset = colour_model(mask, guide, radius, softness)
    # Beyond the filter's reach the mask is nothing, and so is the matte.
    reached = (np.abs(slope).max(-1) > 1e-6) | (np.abs(offset) > 1e-6)
    result = np.empty(pixels.shape[:2], np.uint8)

    def fill(rows: slice) -> None:
        if not (np.any(reached[_small_rows(rows, pixels.shape[0], len(mask))])):
            result[rows] = 0
            return
        value = cv2.multiply(plane(pixels[rows]), stretch(slope, pixels.shape, rows))
        total = plane(cv2.transform(value, np.ones((1, 3), np.float32)))
        result[rows] = np.clip(total + 255 * stretch(offset, pixels.shape, rows) + 0.5, 0, 255)

    for_each_strip(pixels.shape, fill)
    return result


def _small_rows(rows: slice, height: int, small_height: int) -> slice:
    """The rows of the small map that a strip's rows lie on, and one more on either side."""
    first, last = rows.start * small_height // height - 1, -(-rows.stop * small_height // height) + 1
    return slice(max(0, first), last)


def colour_model(mask: Plane, guide: Plane, radius: int, softness: float) -> tuple[Plane, Plane]:
    """Slope (x 3) and offset of the local model mask = slope . colour + offset; `softness` is their epsilon."""
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
    return grey_map_model(values, values, radius, softness)


def grey_map_model(mask: Plane, guide: Plane, radius: int, softness: float) -> tuple[Plane, Plane]:
    """Slope and offset of the local model mask = slope * guide + offset, both grey planes of one size."""
    mean, mask_mean = box_mean(guide, radius), box_mean(mask, radius)
    variance = box_mean(guide * guide, radius) - mean * mean
    slope = plane((box_mean(guide * mask, radius) - mean * mask_mean) / (variance + softness))
    offset = plane(mask_mean - slope * mean)
    return box_mean(slope, radius), box_mean(offset, radius)
