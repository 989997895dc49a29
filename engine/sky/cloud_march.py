"""Renders cumulus from the camera: cuts the cloud layer into slices and sums light along each line of sight."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Plane, plane
from engine.filters.strips import make_dither
from engine.sky.cloud_field import MAX_CLOUD_HEIGHT, METERS_PER_PIXEL, TILE, CloudField
from engine.sky.view import SkyView, ViewRays

Offset = NDArray[np.float64]

CLOUD_BASE = 1400.0
"""Height, in meters, of the flat bases of the cumulus above the camera."""
SLICES = 28
"""Number of slices into which the cloud layer is cut, from base to top."""
BAND_ROWS = 32
"""Number of rows of one band in `run_bands`."""
CURL_SIZE = 2.2
"""Standard deviation, in pixels of the small cloud maps, of the displacement of cloud edges high in the sky."""


def march_clouds(rays: ViewRays, field: CloudField, offset: Offset) -> Plane:
    """Render the cumulus along each line of sight.

    Parameters
    ----------
    rays : ViewRays
        The direction of each of the (h, w) pixels.
    field : CloudField
        The cloud layer, as `make_cumulus_field` gives it.
    offset : (2,) ndarray of float64
        The camera's position under the tile, in tile pixels: right, ahead.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Three values of about 0-1: the opacity of the clouds, the sunlit part of the opacity, and the opacity times
        the mean height of the clouds divided by MAX_CLOUD_HEIGHT.
    """
    result = np.empty((*rays.up.shape, 3), np.float32)
    field = CloudField(pad_repeating(field.tops), pad_repeating(field.puffs))

    def fill(rows: slice) -> None:
        band_rays = ViewRays(rays.right[rows], rays.up[rows], rays.ahead[rows])
        result[rows] = _march(band_rays, field, offset, rows)

    run_bands(len(result), fill)
    return result


def _march(rays: ViewRays, field: CloudField, offset: Offset, rows: slice) -> Plane:
    """Compute the maps of `march_clouds` for some rows, slice by slice from base to top."""
    up = np.maximum(rays.up, 0.018)
    right, ahead = plane(rays.right / up / METERS_PER_PIXEL), plane(rays.ahead / up / METERS_PER_PIXEL)
    slice_height = MAX_CLOUD_HEIGHT / SLICES
    opacity = plane(np.minimum(slice_height / up, 300) / -55)
    jitter = make_dither(rows, slice(0, up.shape[1])) * np.float32(0.5 * slice_height)
    transmitted = np.ones(up.shape, np.float32)
    sunlit, height_sum = np.zeros_like(transmitted), np.zeros_like(transmitted)
    for number in range(SLICES):
        height = jitter + np.float32((number + 0.5) * slice_height)
        distance = height + np.float32(CLOUD_BASE)
        tops, shadow = cv2.split(sample_repeating(field.tops, right * distance, ahead * distance, offset))
        distance *= np.float32(2.3)
        puff = sample_repeating(field.puffs, right * distance, ahead * distance, offset + number * 1.3)
        density = (tops - height + (puff - np.float32(0.55)) * np.float32(170)) * np.float32(1 / 110)
        density = np.clip(density, 0, min(1.0, 0.4 * (number + 1)))
        transmittance = plane(cv2.exp(density * opacity))
        visible = transmitted * (1 - transmittance)
        depth = np.maximum(shadow - height - np.float32(15), 0)
        sunlit += visible * plane(0.10 + 0.90 * cv2.exp(depth * np.float32(-1 / 110)))
        height_sum += visible * height
        transmitted *= transmittance
    return plane(cv2.merge([1 - transmitted, sunlit, height_sum * np.float32(1 / MAX_CLOUD_HEIGHT)]))


def sample_repeating(tile: Plane, columns: Plane, rows: Plane, offset: Offset) -> Plane:
    """Sample a repeating tile by bilinear interpolation.

    Parameters
    ----------
    tile : (TILE + 1, TILE + 1) or (TILE + 1, TILE + 1, 2) ndarray of float32
        The tile after `pad_repeating`.
    columns, rows : (h, w) ndarray of float32
        Positions in tile pixels; they may lie outside the tile.
    offset : (2,) ndarray of float64
        Added to the columns and rows, in tile pixels.

    Returns
    -------
    (h, w) or (h, w, 2) ndarray of float32
        The tile's values at these positions.
    """
    across, down = _wrap(plane(columns + np.float32(offset[0]))), _wrap(plane(rows + np.float32(offset[1])))
    return plane(cv2.remap(tile, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def pad_repeating(tile: Plane) -> Plane:
    """Repeat the first row and column of a tile at its end, so that sampling can interpolate there.

    Parameters
    ----------
    tile : (TILE, TILE) or (TILE, TILE, 2) ndarray of float32
        Repeats without a seam.

    Returns
    -------
    (TILE + 1, TILE + 1) or (TILE + 1, TILE + 1, 2) ndarray of float32
        The padded tile.
    """
    return plane(cv2.copyMakeBorder(tile, 0, 1, 0, 1, cv2.BORDER_WRAP))


def _wrap(positions: Plane) -> Plane:
    """Move positions into the first tile: several times faster than `cv2.remap` with wrapping borders."""
    return plane(positions - np.floor(positions * np.float32(1 / TILE)) * np.float32(TILE))


def curl_edges(clouds: Plane, view: SkyView, noise: Plane) -> Plane:
    """Enlarge the small cloud maps to a view, and curl their edges by fine noise.

    Parameters
    ----------
    clouds : (h, w, 3) ndarray of float32
        The maps that `march_clouds` returned for the small view.
    view : SkyView
        The full view.
    noise : (TILE, TILE, 2) ndarray of float32
        Displacement across and down, mean 0, standard deviation 1; repeats without a seam.

    Returns
    -------
    (H, W, 3) ndarray of float32
        The maps, H the drawn rows and W the width of the view.
    """
    scale = clouds.shape[1] / view.width
    columns, rows = np.meshgrid(
        np.arange(view.width, dtype=np.float32), np.arange(view.drawn_rows, dtype=np.float32)
    )
    noise_scale = np.float32(1400 / max(view.width, view.height))
    displacement = plane(
        cv2.remap(noise, columns * noise_scale, rows * noise_scale, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    )
    # Clouds look smaller towards the horizon, and so do their curls.
    reach = np.clip((view.horizon - (rows + 0.5) / view.height) * 2, 0.06, 1) * np.float32(CURL_SIZE)
    half = np.float32(0.5)
    across = plane((columns + half) * np.float32(scale) - half + displacement[..., 0] * reach)
    down = plane((rows + half) * np.float32(scale) - half + displacement[..., 1] * reach)
    return plane(cv2.remap(clouds, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def run_bands(height: int, fill: Callable[[slice], None], threads: int = 1) -> None:
    """Fill the rows of a picture in bands that are small enough for the processor's cache.

    The bands must not depend on each other. By default one thread fills them, because other work runs in parallel
    with the drawing of the sky.

    Parameters
    ----------
    height : int
        The number of rows.
    fill : callable
        Fills the rows of a slice.
    threads : int, default 1
        Number of threads.
    """
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(fill, (slice(top, min(top + BAND_ROWS, height)) for top in range(0, height, BAND_ROWS))))
