"""Blends the inpainted content into the photo at full size, strip by strip, and adds the photo's own grain."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Matte, Pixels, Plane, plane
from engine.canvas import Canvas, EffectResult, create_photo_rng
from engine.color.channels import gray_to_rgb
from engine.filters.strips import enlarge_map, enlarge_picture, round_to_bytes, run_strips
from engine.geometry.surface import PLACE
from engine.inpainting.emptying import DARKEST, Emptied
from engine.inpainting.things import BARE

TILE = 256
"""Side, in pixels, of the tile of grain that is repeated over the photo."""
MIN_LIFT = 0.004
"""Minimum lightening (logarithms) of a shadow; fainter shadows are not changed."""
CROPS = 24
"""Maximum number of crops in which grain is measured: as many of the photo as of the filling."""
CROP = 96
"""Side, in pixels, of such a crop."""


def apply_filling(
    canvas: Canvas, emptied: Emptied, labels: NDArray[np.uint8], things: Mask, note: str = ""
) -> EffectResult:
    """Blend the filling into a canvas's photo.

    Parameters
    ----------
    canvas : Canvas
        The photo.
    emptied : Emptied
        The filling of a smaller copy of the photo, in the same color space.
    labels : (h, w) ndarray of uint8
        The surface that each pixel of the smaller copy shows, numbered by PLACE.
    things : (h, w) ndarray of bool
        All things in the smaller copy; grain is measured on the floor, walls and ceiling without them.
    note : str, optional
        A sentence about the result for the report.

    Returns
    -------
    EffectResult
        The new photo, the region of the small picture and the matte of the photo in which it changed.
    """
    bare = np.asarray(np.isin(labels, [PLACE[each] for each in BARE]) & ~things)
    pixels, matte = composite_filling(canvas.pixels, emptied, bare, create_photo_rng(canvas))
    size = canvas.scene.small.shape[1::-1]
    region = plane(cv2.resize(matte, size, interpolation=cv2.INTER_AREA)) / np.float32(255)
    return EffectResult(pixels, plane(region), matte=matte, note=note)


def composite_filling(
    pixels: Pixels, emptied: Emptied, plain: Mask, noise: np.random.Generator
) -> tuple[Pixels, Matte]:
    """Blend the filling into the full-size photo, with the photo's own grain; all other pixels stay the same.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in its own color space.
    emptied : Emptied
        The filling of a smaller copy of the photo, in the same color space.
    plain : (h, w) ndarray of bool
        Where the smaller copy shows floor, walls and ceiling, on which the grain is measured.
    noise : numpy.random.Generator
        The source of the added grain.

    Returns
    -------
    pixels : (H, W, 3) ndarray of uint8
        The new photo.
    matte : (H, W) ndarray of uint8
        Where it changed, 0-255: filled or lightened.
    """
    missing_grain = _missing_grain(pixels, emptied, plain)
    tile = plane(cv2.GaussianBlur(noise.standard_normal((TILE, TILE, 3), dtype=np.float32), (0, 0), 0.5))
    tile *= missing_grain / max(float(tile.std()), 1e-6)
    result = pixels.copy()
    matte = np.zeros(pixels.shape[:2], np.uint8)
    lift = plane(np.where(emptied.lift > MIN_LIFT, emptied.lift, 0))

    def blend_rows(rows: slice) -> None:
        share, light = enlarge_map(emptied.share, pixels.shape, rows), enlarge_map(lift, pixels.shape, rows)
        changed = round_to_bytes(plane(255 * np.maximum(share, np.minimum(light / 0.02, 1))))
        if not changed.any():
            return
        crop = plane(pixels[rows])
        lightened = (crop + 255 * DARKEST) * gray_to_rgb(plane(cv2.exp(light))) - np.float32(255 * DARKEST)
        new = enlarge_picture(emptied.fill, pixels.shape, rows) * 255
        lines = np.arange(rows.start, rows.stop) % TILE
        new += np.tile(tile[lines], (1, -(-pixels.shape[1] // TILE), 1))[:, : pixels.shape[1]]
        mixed = lightened + (new - lightened) * gray_to_rgb(share)
        result[rows] = np.where(changed[..., None] > 0, round_to_bytes(plane(np.clip(mixed, 0, 254))), pixels[rows])
        matte[rows] = changed

    run_strips(pixels.shape, blend_rows)
    return result, matte


def _missing_grain(pixels: Pixels, emptied: Emptied, plain: Mask) -> float:
    """The standard deviation (0-255) of the noise to add, so that the filling is as grainy as plain surfaces."""
    photo_grain: list[float] = []
    filling_grain: list[float] = []
    scale = pixels.shape[0] / plain.shape[0]
    for mask, found in ((plain, photo_grain), (emptied.share > 0.99, filling_grain)):
        positions = np.argwhere(mask)
        for row, column in (
            positions[np.linspace(0, len(positions) - 1, CROPS).astype(int)] if len(positions) else ()
        ):
            top, left = int(row * scale), int(column * scale)
            rows = slice(max(0, top - CROP // 2), min(top + CROP // 2, pixels.shape[0]))
            columns = slice(max(0, left - CROP // 2), min(left + CROP // 2, pixels.shape[1]))
            if mask is plain:
                crop = plane(pixels[rows, columns])
            else:
                crop = enlarge_picture(emptied.fill, pixels.shape, rows)[:, columns] * 255
            found.append(_measure_roughness(plane(crop[..., 1])))
    if not photo_grain or not filling_grain:
        return 0.0
    return float(np.sqrt(max(np.quantile(photo_grain, 0.3) ** 2 - np.median(filling_grain) ** 2, 0)))


def _measure_roughness(values: Plane) -> float:
    """A robust standard deviation of noise, from each pixel's difference to all its neighbors (Immerkaer, 1996)."""
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    return 1.48 * float(np.median(np.abs(cv2.filter2D(values, -1, kernel)))) / 6
