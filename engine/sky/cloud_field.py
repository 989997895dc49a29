"""Makes maps of clouds, seen from above: the heights of cumulus and of their shadows, and cirrus.

All maps are tiles that repeat without a seam.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane, plane

TILE = 512
"""Side of a tile, in pixels."""
METERS_PER_PIXEL = 30.0
"""Meters that one pixel of a tile spans."""
MAX_CLOUD_HEIGHT = 440.0
"""Maximum height, in meters, of cumulus above their base."""
Sun = tuple[float, float, float]
"""Unit vector to the sun: right, up, ahead."""


@dataclass(frozen=True, slots=True)
class CloudField:
    """`tops` (TILE x TILE x 2), in meters above the base: the cloud tops, and the upper edge of their shadows.

    `puffs` (TILE x TILE), 0-1: noise for the round shapes on the surface of the clouds.
    """

    tops: Plane
    puffs: Plane


def make_cumulus_field(rng: np.random.Generator, cover: float, sun: Sun) -> CloudField:
    """Make a field of fair-weather cumulus.

    The puffs are inverted cell noise [1]_ over fractal value noise, as in [2]_.

    Parameters
    ----------
    rng : numpy.random.Generator
        Random number generator.
    cover : float
        The share of the sky that clouds cover; values above 1 count as 1.
    sun : tuple of float
        Unit vector to the sun: right, up, ahead.

    Returns
    -------
    CloudField
        The tops with their shadows, and the puffs.

    References
    ----------
    .. [1] Worley, 1996.
    .. [2] Schneider and Vos, "The Real-Time Volumetric Cloudscapes of Horizon Zero Dawn", 2015.
    """
    lumps = plane(
        0.5 * _make_cell_noise(rng, 22) + 0.3 * _make_cell_noise(rng, 46) + 0.2 * _make_cell_noise(rng, 96)
    )
    broad = make_fractal_noise(rng, 15, 4, 0.5)
    patches = make_fractal_noise(rng, 4, 2, 0.5)
    puffs = plane(0.62 * _make_cell_noise(rng, 42) + 0.38 * _make_cell_noise(rng, 96))
    density = plane(broad + 0.5 * patches)
    threshold = float(np.quantile(density[::8, ::8], 1 - min(cover, 1.0)))
    dome = np.clip((density - threshold) / max(float(density.max()) * 0.9 - threshold, 0.5), 0, 1) * (cover > 0)
    tops = plane(MAX_CLOUD_HEIGHT * np.sqrt(dome) * (0.28 + 0.72 * dome) * (0.35 + 0.95 * lumps))
    tops = plane(np.where(dome > 0, tops, -80.0))
    return CloudField(plane(cv2.merge([tops, _compute_shadow_tops(tops, sun)])), puffs)


def _compute_shadow_tops(tops: Plane, sun: Sun) -> Plane:
    """The height up to which each place lies in the shadow of tops between it and the sun."""
    right, up, ahead = sun
    level_length = max(float(np.hypot(right, ahead)), 1e-3)
    slope = max(up / level_length, 0.12)
    highest = tops.copy()
    for meters in (40, 80, 130, 190, 270, 370, 500, 700):
        shift = (
            -round(ahead / level_length * meters / METERS_PER_PIXEL),
            -round(right / level_length * meters / METERS_PER_PIXEL),
        )
        np.maximum(highest, np.roll(tops, shift, (0, 1)) - np.float32(meters * slope), out=highest)
    return plane(cv2.blur(highest, (3, 3), borderType=cv2.BORDER_REFLECT))


def make_cirrus(rng: np.random.Generator) -> Plane:
    """Make cirrus: strands in one direction.

    Parameters
    ----------
    rng : numpy.random.Generator
        Random number generator.

    Returns
    -------
    (TILE, TILE) ndarray of float32
        The density of the veil, 0-1; repeats without a seam.
    """
    strands = make_fractal_noise(rng, 12, 5, 0.62, elongation=5)
    row_shift, column_shift = make_fractal_noise(rng, 3, 2, 0.5), make_fractal_noise(rng, 3, 3, 0.5)
    rows, columns = np.mgrid[0:TILE, 0:TILE].astype(np.float32)
    shifted = plane(rows + 26 * row_shift), plane(columns + 16 * column_shift)
    strands_shifted = cv2.remap(strands, shifted[1], shifted[0], cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return plane(np.clip(0.5 + 0.22 * strands_shifted, 0, 1) * np.clip(0.45 + 0.4 * column_shift, 0, 1))


def make_fractal_noise(
    rng: np.random.Generator, cells: int, octaves: int, persistence: float, elongation: int = 1
) -> Plane:
    """Make fractal value noise that repeats without a seam.

    Parameters
    ----------
    rng : numpy.random.Generator
        Random number generator.
    cells : int
        Number of cells from top to bottom of the tile in the first octave; each further octave has twice as many.
    octaves : int
        The number of octaves.
    persistence : float
        The amplitude of each octave as a share of that of the previous octave.
    elongation : int, default 1
        The width of a cell divided by its height.

    Returns
    -------
    (TILE, TILE) ndarray of float32
        Mean 0, standard deviation 1.
    """
    total = np.zeros((TILE, TILE), np.float32)
    for octave in range(octaves):
        down, across = cells * 2**octave, max(1, cells * 2**octave // elongation)
        grid = np.pad(rng.standard_normal((down, across), dtype=np.float32), 3, mode="wrap")
        rows, columns = (plane((np.arange(TILE) + 0.5) * count / TILE + 2.5) for count in (down, across))
        total += cv2.remap(grid, *np.meshgrid(columns, rows), cv2.INTER_CUBIC) * np.float32(persistence**octave)
    return plane((total - total.mean()) / total.std())


def _make_cell_noise(rng: np.random.Generator, count: int) -> Plane:
    """Make round puffs of TILE / count pixels: 1 at scattered points, falling to 0 half-way between them."""
    size = TILE / count
    jittered = (np.mgrid[0:count, 0:count] + rng.uniform(0.05, 0.95, (2, count, count))) * size
    rows, columns = jittered.astype(np.int64).reshape(2, -1) % TILE
    is_free = np.ones((TILE, TILE), np.uint8)
    is_free[rows, columns] = 0
    margin = int(2 * size)
    is_free = np.pad(is_free, margin, mode="wrap")
    distance = cv2.distanceTransform(is_free, cv2.DIST_L2, 5)[margin:-margin, margin:-margin]
    return plane(1 - np.clip(distance / (0.85 * size), 0, 1) ** 2)
