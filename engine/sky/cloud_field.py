"""The cloud layer seen from above: how high the cumulus are at each place, where sun reaches them, and cirrus.

All fields are tiles that repeat without a seam.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane, plane

TILE = 512
"""Side of a tile, in pixels."""
METERS = 30.0
"""Meters that one pixel of a tile spans."""
TALLEST = 440.0
"""Meters from the base of the clouds to the highest top."""
Sun = tuple[float, float, float]
"""Unit vector to the sun: right, up, ahead."""


@dataclass(frozen=True, slots=True)
class CloudField:
    """`tops` (TILE x TILE x 2): the heights, in meters above the base, of the cloud tops and of the shadow's top.

    `puffs` (TILE x TILE), 0-1: the noise that makes the clouds' surface puffy.
    """

    tops: Plane
    puffs: Plane


def make_cumulus_field(noise: np.random.Generator, cover: float, sun: Sun) -> CloudField:
    """A field of fair-weather cumulus.

    The puffs are inverted cell noise [1]_ on fractal value noise, as in [2]_.

    Parameters
    ----------
    noise : numpy.random.Generator
        Source of chance.
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
    lumps = plane(0.5 * _cells(noise, 22) + 0.3 * _cells(noise, 46) + 0.2 * _cells(noise, 96))
    broad = make_fractal_noise(noise, 15, 4, 0.5)
    patches = make_fractal_noise(noise, 4, 2, 0.5)
    puffs = plane(0.62 * _cells(noise, 42) + 0.38 * _cells(noise, 96))
    rough = plane(broad + 0.5 * patches)
    edge = float(np.quantile(rough[::8, ::8], 1 - min(cover, 1.0)))
    dome = np.clip((rough - edge) / max(float(rough.max()) * 0.9 - edge, 0.5), 0, 1) * (cover > 0)
    tops = plane(TALLEST * np.sqrt(dome) * (0.28 + 0.72 * dome) * (0.35 + 0.95 * lumps))
    tops = plane(np.where(dome > 0, tops, -80.0))
    return CloudField(plane(cv2.merge([tops, _shadow(tops, sun)])), puffs)


def _shadow(tops: Plane, sun: Sun) -> Plane:
    """The height below which each place lies in the shadow of tops between it and the sun."""
    right, up, ahead = sun
    level = max(float(np.hypot(right, ahead)), 1e-3)
    climb = max(up / level, 0.12)
    highest = tops.copy()
    for meters in (40, 80, 130, 190, 270, 370, 500, 700):
        shift = (-round(ahead / level * meters / METERS), -round(right / level * meters / METERS))
        np.maximum(highest, np.roll(tops, shift, (0, 1)) - np.float32(meters * climb), out=highest)
    return plane(cv2.blur(highest, (3, 3), borderType=cv2.BORDER_REFLECT))


def make_cirrus(noise: np.random.Generator) -> Plane:
    """Cirrus: strands stretched along one direction.

    Parameters
    ----------
    noise : numpy.random.Generator
        Source of chance.

    Returns
    -------
    (TILE, TILE) ndarray of float32
        How thick the veil is, 0-1; repeats without a seam.
    """
    strands = make_fractal_noise(noise, 12, 5, 0.62, longer=5)
    bend, where = make_fractal_noise(noise, 3, 2, 0.5), make_fractal_noise(noise, 3, 3, 0.5)
    rows, columns = np.mgrid[0:TILE, 0:TILE].astype(np.float32)
    bent = plane(rows + 26 * bend), plane(columns + 16 * where)
    combed = cv2.remap(strands, bent[1], bent[0], cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return plane(np.clip(0.5 + 0.22 * combed, 0, 1) * np.clip(0.45 + 0.4 * where, 0, 1))


def make_fractal_noise(noise: np.random.Generator, cells: int, octaves: int, fade: float, longer: int = 1) -> Plane:
    """Fractal value noise that repeats without a seam.

    Parameters
    ----------
    noise : numpy.random.Generator
        Source of chance.
    cells : int
        Cells from top to bottom of the tile in the first octave; each further octave has twice as many.
    octaves : int
        The number of octaves.
    fade : float
        The amplitude of each octave as a share of the one before it.
    longer : int, default 1
        The width of a cell over its height.

    Returns
    -------
    (TILE, TILE) ndarray of float32
        Mean 0, standard deviation 1.
    """
    total = np.zeros((TILE, TILE), np.float32)
    for octave in range(octaves):
        down, across = cells * 2**octave, max(1, cells * 2**octave // longer)
        grid = np.pad(noise.standard_normal((down, across), dtype=np.float32), 3, mode="wrap")
        rows, columns = (plane((np.arange(TILE) + 0.5) * count / TILE + 2.5) for count in (down, across))
        total += cv2.remap(grid, *np.meshgrid(columns, rows), cv2.INTER_CUBIC) * np.float32(fade**octave)
    return plane((total - total.mean()) / total.std())


def _cells(noise: np.random.Generator, count: int) -> Plane:
    """1 at scattered points, falling to 0 half-way between them: round puffs of TILE / count pixels."""
    size = TILE / count
    jittered = (np.mgrid[0:count, 0:count] + noise.uniform(0.05, 0.95, (2, count, count))) * size
    rows, columns = jittered.astype(np.int64).reshape(2, -1) % TILE
    free = np.ones((TILE, TILE), np.uint8)
    free[rows, columns] = 0
    margin = int(2 * size)
    free = np.pad(free, margin, mode="wrap")
    distance = cv2.distanceTransform(free, cv2.DIST_L2, 5)[margin:-margin, margin:-margin]
    return plane(1 - np.clip(distance / (0.85 * size), 0, 1) ** 2)
