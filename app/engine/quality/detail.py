"""Sharpness, grain and the place of fine detail, in samples at full size."""

import cv2
import numpy as np

from app.engine.arrays import Mask, Pixels, Plane, edge_strength, plane, shrunk, spread
from app.engine.quality.structure import REACH, correlation, structured
from app.engine.quality.tiles import Tiles, sampled

DETAILED_SIDE, DETAILED_PARTS = 96, (4, 6)
SMOOTH_SIDE, SMOOTH_PARTS = 64, (6, 8)
SMOOTH = 0.03
"""The most spread (luma of 0-1) of a smooth place in a small picture."""
GRAIN_KERNEL = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)


def detailed_tiles(before: Pixels, after: Pixels, small_before: Plane, small_after: Plane, compared: Mask) -> Tiles:
    """Samples where the small grey photo (0-1) has most structure, all of them where it is compared."""
    half = round(DETAILED_SIDE / 2 * max(compared.shape) / max(before.shape))
    compared = compared if compared.all() else shrunk(compared, half)
    strength = plane(np.minimum(edge_strength(small_before), 0.1))
    score = plane(cv2.blur(strength, (9, 9))) * structured(small_before, small_after, compared)
    return sampled(before, after, score, DETAILED_SIDE, DETAILED_PARTS)


def smooth_tiles(before: Pixels, after: Pixels, small_before: Plane, small_after: Plane) -> Tiles:
    """Samples where both small grey pictures (0-1) are smoothest."""
    unevenness = np.maximum(spread(small_before, 4), spread(small_after, 4))
    return sampled(before, after, plane(SMOOTH - unevenness), SMOOTH_SIDE, SMOOTH_PARTS)


def fine_detail_kept(tiles: Tiles) -> float:
    """The median correlation of edges in the samples; 1 without samples."""
    if not len(tiles):
        return 1.0
    found = correlation(_unit(tiles.before), _unit(tiles.after))
    return float(np.median(found[tiles.inner(REACH + 8)]))


def sharpness_ratio(tiles: Tiles) -> float:
    """Fine detail relative to coarse detail in the result over the same in the photo; 1 without samples."""
    if not len(tiles):
        return 1.0
    inner = tiles.inner(4)
    return _fineness(tiles.after, inner) / max(_fineness(tiles.before, inner), 1e-6)


def noise_added(tiles: Tiles) -> float:
    """Levels of grain in smooth places beyond the photo's own, grown as the light there grew; 0 without samples."""
    if not len(tiles):
        return 0.0
    gain = np.maximum(_means(tiles, tiles.after) / np.maximum(_means(tiles, tiles.before), 4), 1)
    return float(np.median(_grain(tiles, tiles.after) - 1.3 * gain * _grain(tiles, tiles.before)))


def _means(tiles: Tiles, values: object) -> Plane:
    return plane(tiles.by_tile(plane(values)).mean(1))


def _grain(tiles: Tiles, values: object) -> Plane:
    """The standard deviation of the grain in each sample, in levels.

    After Immerkær, "Fast Noise Variance Estimation" (1996), with the median for the mean: a line through the
    sample is no grain.
    """
    response = np.abs(cv2.filter2D(plane(values), cv2.CV_32F, GRAIN_KERNEL))
    return plane(np.median(tiles.by_tile(plane(response)), axis=1) * (1.4826 / 6))


def _fineness(values: object, inner: Mask) -> float:
    grey = _unit(values)
    fine = np.abs(cv2.Laplacian(grey, cv2.CV_32F, ksize=1))[inner].mean()
    coarse = edge_strength(plane(cv2.blur(grey, (5, 5))))[inner].mean()
    return float(fine / max(float(coarse), 1e-5))


def _unit(values: object) -> Plane:
    return plane(values) / np.float32(255)
