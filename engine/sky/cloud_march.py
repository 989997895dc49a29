"""Cumulus as the camera sees them: the cloud layer is cut in slices, and light summed along each line of sight."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Plane, plane
from engine.filters.strips import make_dither
from engine.sky.cloud_field import METERS, TALLEST, TILE, CloudField
from engine.sky.view import SkyView, ViewRays

Offset = NDArray[np.float64]

BASE = 1400.0
"""Meters from the camera up to the flat bases of the cumulus."""
SLICES = 28
"""Slices into which the cloud layer is cut, from base to top."""
BAND = 32
"""Rows that `run_bands` fills at a time."""
CURL = 2.2
"""Standard deviation of the curls of cloud edges high in the sky, in pixels of the small cloud maps."""


def march_clouds(rays: ViewRays, field: CloudField, offset: Offset) -> Plane:
    """The cumulus along each line of sight.

    Parameters
    ----------
    rays : ViewRays
        Where each of the (h, w) pixels looks.
    field : CloudField
        The cloud layer, as `make_cumulus_field` gives it.
    offset : (2,) ndarray of float64
        The camera's place under the tile, in tile pixels: right, ahead.

    Returns
    -------
    (h, w, 3) ndarray of float32
        About 0-1: the share of the line of sight that cloud covers, how much of this share is sunlit, and the share
        times the mean height of its cloud as a part of TALLEST.
    """
    result = np.empty((*rays.up.shape, 3), np.float32)
    field = CloudField(pad_repeating(field.tops), pad_repeating(field.puffs))

    def fill(rows: slice) -> None:
        part = ViewRays(rays.right[rows], rays.up[rows], rays.ahead[rows])
        result[rows] = _march(part, field, offset, rows)

    run_bands(len(result), fill)
    return result


def _march(rays: ViewRays, field: CloudField, offset: Offset, rows: slice) -> Plane:
    """The maps of `march_clouds` for some rows: light is summed over slices of the layer from base to top."""
    up = np.maximum(rays.up, 0.018)
    right, ahead = plane(rays.right / up / METERS), plane(rays.ahead / up / METERS)
    thick = TALLEST / SLICES
    opacity = plane(np.minimum(thick / up, 300) / -55)
    jitter = make_dither(rows, slice(0, up.shape[1])) * np.float32(0.5 * thick)
    through = np.ones(up.shape, np.float32)
    sunlit, high = np.zeros_like(through), np.zeros_like(through)
    for number in range(SLICES):
        height = jitter + np.float32((number + 0.5) * thick)
        far = height + np.float32(BASE)
        tops, shadow = cv2.split(sample_repeating(field.tops, right * far, ahead * far, offset))
        far *= np.float32(2.3)
        puff = sample_repeating(field.puffs, right * far, ahead * far, offset + number * 1.3)
        body = (tops - height + (puff - np.float32(0.55)) * np.float32(170)) * np.float32(1 / 110)
        body = np.clip(body, 0, min(1.0, 0.4 * (number + 1)))
        transmittance = plane(cv2.exp(body * opacity))
        seen = through * (1 - transmittance)
        depth = np.maximum(shadow - height - np.float32(15), 0)
        sunlit += seen * plane(0.10 + 0.90 * cv2.exp(depth * np.float32(-1 / 110)))
        high += seen * height
        through *= transmittance
    return plane(cv2.merge([1 - through, sunlit, high * np.float32(1 / TALLEST)]))


def sample_repeating(tile: Plane, columns: Plane, rows: Plane, offset: Offset) -> Plane:
    """Sample a repeating tile by bilinear interpolation.

    Parameters
    ----------
    tile : (TILE + 1, TILE + 1) or (TILE + 1, TILE + 1, 2) ndarray of float32
        The tile after `pad_repeating`.
    columns, rows : (h, w) ndarray of float32
        Places in tile pixels, of any size.
    offset : (2,) ndarray of float64
        Added to the columns and rows, in tile pixels.

    Returns
    -------
    (h, w) or (h, w, 2) ndarray of float32
        The tile's values at these places.
    """
    across, down = _within(plane(columns + np.float32(offset[0]))), _within(plane(rows + np.float32(offset[1])))
    return plane(cv2.remap(tile, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def pad_repeating(tile: Plane) -> Plane:
    """A repeating tile with its first row and column repeated at the end, so that sampling can interpolate there.

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


def _within(places: Plane) -> Plane:
    """The places moved into the first tile: several times faster than `cv2.remap` with wrapping borders."""
    return plane(places - np.floor(places * np.float32(1 / TILE)) * np.float32(TILE))


def curl_edges(clouds: Plane, view: SkyView, noise: Plane) -> Plane:
    """Enlarge the small cloud maps to a view, their edges curled by noise as fine as the view can show.

    Parameters
    ----------
    clouds : (h, w, 3) ndarray of float32
        The maps that `march_clouds` returns for the view made small.
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
    columns, lines = np.meshgrid(np.arange(view.width, dtype=np.float32), np.arange(view.drawn, dtype=np.float32))
    finer = np.float32(1400 / max(view.width, view.height))
    curl = plane(cv2.remap(noise, columns * finer, lines * finer, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP))
    # Clouds look smaller towards the horizon, and so do their curls.
    reach = np.clip((view.horizon - (lines + 0.5) / view.height) * 2, 0.06, 1) * np.float32(CURL)
    half = np.float32(0.5)
    across = plane((columns + half) * np.float32(scale) - half + curl[..., 0] * reach)
    down = plane((lines + half) * np.float32(scale) - half + curl[..., 1] * reach)
    return plane(cv2.remap(clouds, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def run_bands(height: int, fill: Callable[[slice], None], at_once: int = 1) -> None:
    """Fill the rows of a picture band by band, each small enough for the processor's cache.

    The bands must not depend on each other. By default they are filled one by one, because the sky is drawn in
    parallel with other work.

    Parameters
    ----------
    height : int
        The number of rows.
    fill : callable
        Fills the rows of the slice it is given.
    at_once : int, default 1
        How many bands are filled in parallel.
    """
    with ThreadPoolExecutor(at_once) as threads:
        list(threads.map(fill, (slice(top, min(top + BAND, height)) for top in range(0, height, BAND))))
