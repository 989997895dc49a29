"""Composites the inpainted content into the photo at full size, with the photo's own grain, strip by strip."""

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.strips import enlarge_map, enlarge_picture, round_to_bytes, run_strips
from engine.inpainting.emptying import DARKEST, Emptied

TILE = 256
"""Side, in pixels, of the tile of grain that is repeated over the photo."""
LEAST_LIFT = 0.004
"""Least lightening (logarithms) of a shadow; fainter shadows are left alone."""
CROPS = 24
"""Number of crops in which grain is measured, of the photo and of the filling each."""
CROP = 96
"""Side, in pixels, of such a crop."""
LEAST_PIXELS = 400


def composite_filling(
    pixels: Pixels, done: Emptied, plain: Mask, noise: np.random.Generator
) -> tuple[Pixels, Matte]:
    """Blend the filling into the full-size photo, with the photo's own grain; all other bytes stay the same.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in its own color space.
    done : Emptied
        The filling of a smaller copy of the photo, in the same color space.
    plain : (h, w) ndarray of bool
        Where the smaller copy shows floor, walls and ceiling, on which the grain is measured.
    noise : numpy.random.Generator
        For the grain.

    Returns
    -------
    pixels : (H, W, 3) ndarray of uint8
        The new photo.
    matte : (H, W) ndarray of uint8
        Where it changed, 0-255: filled or lightened.
    """
    missing = _missing_grain(pixels, done, plain)
    tile = plane(cv2.GaussianBlur(noise.standard_normal((TILE, TILE, 3), dtype=np.float32), (0, 0), 0.5))
    tile *= missing / max(float(tile.std()), 1e-6)
    result = pixels.copy()
    matte = np.zeros(pixels.shape[:2], np.uint8)
    lift = plane(np.where(done.lift > LEAST_LIFT, done.lift, 0))

    def lay(rows: slice) -> None:
        share, light = enlarge_map(done.share, pixels.shape, rows), enlarge_map(lift, pixels.shape, rows)
        changed = round_to_bytes(plane(255 * np.maximum(share, np.minimum(light / 0.02, 1))))
        if not changed.any():
            return
        part = plane(pixels[rows])
        lit = (part + 255 * DARKEST) * gray_to_rgb(plane(cv2.exp(light))) - np.float32(255 * DARKEST)
        new = enlarge_picture(done.fill, pixels.shape, rows) * 255
        lines = np.arange(rows.start, rows.stop) % TILE
        new += np.tile(tile[lines], (1, -(-pixels.shape[1] // TILE), 1))[:, : pixels.shape[1]]
        mixed = lit + (new - lit) * gray_to_rgb(share)
        result[rows] = np.where(changed[..., None] > 0, round_to_bytes(plane(np.clip(mixed, 0, 254))), pixels[rows])
        matte[rows] = changed

    run_strips(pixels.shape, lay)
    return result, matte


def _missing_grain(pixels: Pixels, done: Emptied, plain: Mask) -> float:
    """The standard deviation, in levels, of the noise that the filling lacks compared with plain surfaces."""
    own: list[float] = []
    made: list[float] = []
    times = pixels.shape[0] / plain.shape[0]
    for mask, found in ((plain, own), (done.share > 0.99, made)):
        spots = np.argwhere(mask)
        for row, column in spots[np.linspace(0, len(spots) - 1, CROPS).astype(int)] if len(spots) else ():
            top, left = int(row * times), int(column * times)
            rows = slice(max(0, top - CROP // 2), min(top + CROP // 2, pixels.shape[0]))
            columns = slice(max(0, left - CROP // 2), min(left + CROP // 2, pixels.shape[1]))
            if mask is plain:
                part = plane(pixels[rows, columns])
            else:
                part = enlarge_picture(done.fill, pixels.shape, rows)[:, columns] * 255
            found.append(_roughness(plane(part[..., 1])))
    if not own or not made:
        return 0.0
    return float(np.sqrt(max(np.quantile(own, 0.3) ** 2 - np.median(made) ** 2, 0)))


def _roughness(values: Plane) -> float:
    """A robust standard deviation of noise, from each pixel's difference to all its neighbors (Immerkaer, 1996)."""
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    return 1.48 * float(np.median(np.abs(cv2.filter2D(values, -1, kernel)))) / 6
