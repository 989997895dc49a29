"""Measures sharpness, noise and the position of fine detail in full-size tiles."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane
from engine.filters.morphology import erode
from engine.filters.smoothing import gradient_magnitude, local_std
from engine.quality.structure import SQUARE_RADIUS, correlate_edges, find_structure


@dataclass(frozen=True, slots=True)
class Tiles:
    """Square gray samples of photo and result; the tiles are stacked vertically (bytes, count * side x side)."""

    before: Matte
    after: Matte
    side: int

    def __len__(self) -> int:
        return len(self.before) // self.side if self.side else 0

    def make_inner_mask(self, margin: int) -> Mask:
        """The pixels at which a filter's window lies within one tile.

        Parameters
        ----------
        margin : int
            The filter's reach, in pixels.

        Returns
        -------
        (N * side, side) ndarray of bool
            False within `margin` of each tile's border.
        """
        within = np.zeros((self.side, self.side), np.bool_)
        within[margin : self.side - margin, margin : self.side - margin] = True
        return np.tile(within, (len(self), 1))

    def split_by_tile(self, values: Plane) -> Plane:
        """The values of all tiles, one tile a row.

        Parameters
        ----------
        values : (N * side, side) ndarray of float32
            A value for each pixel of the tiles.

        Returns
        -------
        (N, side * side) ndarray of float32
            The same values.
        """
        return values.reshape(len(self), -1)


DETAILED_SIDE = 96
"""Side of a tile with structure, in pixels of the full size."""
DETAILED_PARTS = (4, 6)
"""Number of parts of the picture, down and across; each has at most one such tile."""
SMOOTH_SIDE = 64
"""Side of a smooth tile, in pixels of the full size."""
SMOOTH_PARTS = (6, 8)
"""Number of parts of the picture, down and across; each has at most one smooth tile."""
MAX_SMOOTH_STD = 0.03
"""Largest standard deviation (luma of 0-1) of a smooth place."""
GRAIN_KERNEL = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
"""Immerkær's kernel, which removes linear gradients and keeps grain."""


def sample_detailed_tiles(
    before: Pixels, after: Pixels, small_before: Plane, small_after: Plane, compared: Mask
) -> Tiles:
    """Full-size samples where the photo has most structure.

    Parameters
    ----------
    before, after : (H, W, 3) ndarray of uint8
        Photo and result, gamma-coded, of one size.
    small_before, small_after : (h, w) ndarray of float32
        Luma of their small copies, 0-1.
    compared : (h, w) ndarray of bool
        Where the pictures are compared; the samples lie within this area.

    Returns
    -------
    Tiles
        At most one for each of 4 x 6 parts of the picture.
    """
    half = round(DETAILED_SIDE / 2 * max(compared.shape) / max(before.shape))
    compared = compared if compared.all() else erode(compared, half)
    strength = plane(np.minimum(gradient_magnitude(small_before), 0.1))
    score = plane(cv2.blur(strength, (9, 9))) * find_structure(small_before, small_after, compared)
    return sample_best_tiles(before, after, score, DETAILED_SIDE, DETAILED_PARTS)


def sample_smooth_tiles(before: Pixels, after: Pixels, small_before: Plane, small_after: Plane) -> Tiles:
    """Full-size samples where both pictures are smoothest.

    Parameters
    ----------
    before, after : (H, W, 3) ndarray of uint8
        Photo and result, gamma-coded, of one size.
    small_before, small_after : (h, w) ndarray of float32
        Luma of their small copies, 0-1.

    Returns
    -------
    Tiles
        At most one for each of 6 x 8 parts of the picture.
    """
    unevenness = np.maximum(local_std(small_before, 4), local_std(small_after, 4))
    return sample_best_tiles(before, after, plane(MAX_SMOOTH_STD - unevenness), SMOOTH_SIDE, SMOOTH_PARTS)


def measure_fine_detail(tiles: Tiles) -> float:
    """The median correlation of edges in the samples.

    Parameters
    ----------
    tiles : Tiles
        Samples with structure.

    Returns
    -------
    float
        1 where nothing moved; 1 without samples.
    """
    if not len(tiles):
        return 1.0
    found = correlate_edges(_scale_to_unit(tiles.before), _scale_to_unit(tiles.after))
    return float(np.median(found[tiles.make_inner_mask(SQUARE_RADIUS + 8)]))


def measure_sharpness(tiles: Tiles) -> float:
    """The ratio of fine to coarse detail in the result, divided by the same ratio in the photo.

    Parameters
    ----------
    tiles : Tiles
        Samples with structure.

    Returns
    -------
    float
        Below 1 where the result is softer; 1 without samples.
    """
    if not len(tiles):
        return 1.0
    inner = tiles.make_inner_mask(4)
    return _measure_fineness(tiles.after, inner) / max(_measure_fineness(tiles.before, inner), 1e-6)


def measure_added_noise(tiles: Tiles) -> float:
    """Grain of smooth places, minus the photo's own grain scaled to the new light; the median of the samples.

    Parameters
    ----------
    tiles : Tiles
        Samples of smooth places.

    Returns
    -------
    float
        Standard deviation in levels of 255; below 0 where the result has less grain; 0 without samples.
    """
    if not len(tiles):
        return 0.0
    gain = np.maximum(
        _compute_tile_means(tiles, tiles.after) / np.maximum(_compute_tile_means(tiles, tiles.before), 4), 1
    )
    return float(np.median(_measure_grain(tiles, tiles.after) - 1.3 * gain * _measure_grain(tiles, tiles.before)))


def _compute_tile_means(tiles: Tiles, values: object) -> Plane:
    return plane(tiles.split_by_tile(plane(values)).mean(1))


def _measure_grain(tiles: Tiles, values: object) -> Plane:
    """The standard deviation of the grain in each sample, in levels.

    Implements Immerkær, "Fast Noise Variance Estimation" (1996), with the median instead of the mean, so that a
    line through the sample does not count as grain.
    """
    response = np.abs(cv2.filter2D(plane(values), cv2.CV_32F, GRAIN_KERNEL))
    return plane(np.median(tiles.split_by_tile(plane(response)), axis=1) * (1.4826 / 6))


def _measure_fineness(values: object, inner: Mask) -> float:
    gray = _scale_to_unit(values)
    fine = np.abs(cv2.Laplacian(gray, cv2.CV_32F, ksize=1))[inner].mean()
    coarse = gradient_magnitude(plane(cv2.blur(gray, (5, 5))))[inner].mean()
    return float(fine / max(float(coarse), 1e-5))


def _scale_to_unit(values: object) -> Plane:
    return plane(values) / np.float32(255)


def sample_best_tiles(before: Pixels, after: Pixels, score: Plane, side: int, parts: tuple[int, int]) -> Tiles:
    """Sample, from each part of the picture, the square where a small map scores highest.

    Parameters
    ----------
    before, after : (H, W, 3) ndarray of uint8
        Photo and result, gamma-coded, of one size.
    score : (h, w) ndarray of float32
        The score of each place; a part without a score above 0 gives no tile.
    side : int
        Side of the squares, in pixels of the full size.
    parts : tuple of int
        How many parts the picture is divided into, down and across.

    Returns
    -------
    Tiles
        At most one for each part; empty for a picture smaller than a tile.
    """
    if min(before.shape[:2]) < side:
        empty = np.zeros((0, side), np.uint8)
        return Tiles(empty, empty, side)
    corners = _choose_corners(score, before.shape, side, parts)
    return Tiles(_cut_tiles(before, corners, side), _cut_tiles(after, corners, side), side)


def _choose_corners(
    score: Plane, shape: tuple[int, ...], side: int, parts: tuple[int, int]
) -> list[tuple[int, int]]:
    corners = []
    rows = np.linspace(0, score.shape[0], parts[0] + 1).astype(int)
    columns = np.linspace(0, score.shape[1], parts[1] + 1).astype(int)
    for top, bottom in pairwise(rows):
        for left, right in pairwise(columns):
            part = score[top:bottom, left:right]
            if not part.size or part.max() <= 0:
                continue
            row, column = np.unravel_index(int(part.argmax()), part.shape)
            place = (top + row + 0.5) / score.shape[0], (left + column + 0.5) / score.shape[1]
            corners.append(
                tuple(_compute_start(share, size, side) for share, size in zip(place, shape, strict=False))
            )
    return [(corner[0], corner[1]) for corner in corners]


def _compute_start(share: float, size: int, side: int) -> int:
    return min(max(0, round(share * size - side / 2)), size - side)


def _cut_tiles(pixels: Pixels, corners: Sequence[tuple[int, int]], side: int) -> Matte:
    result = np.zeros((len(corners) * side, side), np.uint8)
    for number, (top, left) in enumerate(corners):
        tile = np.ascontiguousarray(pixels[top : top + side, left : left + side])
        result[number * side : (number + 1) * side] = cv2.cvtColor(tile, cv2.COLOR_RGB2GRAY)
    return result


def thin_pixels(pixels: Pixels, side: int) -> Pixels:
    """The picture subsampled, not averaged: every n-th row and column.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The picture.
    side : int
        Least long side of the result, in pixels, unless the picture is smaller; it is less than twice as long.

    Returns
    -------
    (h, w, 3) ndarray of uint8
        `pixels` itself if every row and column is kept.
    """
    step = max(1, max(pixels.shape[:2]) // side)
    return pixels if step == 1 else np.ascontiguousarray(pixels[::step, ::step])
