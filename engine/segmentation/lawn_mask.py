"""Finds the lawn: pixels that the net classifies as lawn and that look like grass."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import max_channel, min_channel, neutralize_highlights, rgb_to_gray
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import box_filter, gaussian_blur, local_std
from engine.segmentation.labels import Kind

MIN_LAWN = 0.012
"""Minimum share of the picture that a lawn covers; enhancing a smaller one is not worth its price."""
MIN_PIECE = 0.011
"""Minimum share of the picture that a separate piece of lawn covers."""
MIN_TEXTURE = 0.008
"""Minimum standard deviation of luma (0-1) among neighboring pixels of grass, caused by its blades."""
BUSH_CONTRAST = 0.17
"""Minimum standard deviation of luma, relative to the luma, in bushes and trees."""
MIN_POSSIBLE_SHARE = 0.06
"""Minimum share of lawn, by the net, in a pixel near certain lawn that is lawn if it looks like grass."""
MIN_CERTAIN_SHARE = 0.5
"""Minimum share of lawn, by the net, in a pixel that is certain lawn if its piece looks like grass."""
MAX_TREES = 0.15
"""A pixel with this share of trees or more is not certain lawn."""
MIN_LAWN_TO_TREES = 1.2
"""Minimum ratio of lawn to trees, by the net, in a pixel near certain lawn that is lawn."""
MIN_GRASSY = 0.35
"""Minimum share of a piece of lawn that looks like grass; gravel, bare earth and paving do not."""
STONE_YELLOWNESS, GRASS_YELLOWNESS = 0.09, 0.19
"""Green minus blue, as a share of green: at most the first in stones, paths and walls, at least the second in grass
and straw.
"""
SHADE_COOLNESS = 0.08
"""The same value is lower by this in deep shade, because the light there is bluer."""


def segment_lawn(small: Plane, shares: Plane) -> Plane:
    """Segment the lawn of a photo taken outdoors.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    shares : (h, w, len(Kind)) ndarray of float32
        The net's shares of each kind, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        Share of lawn, 0-1; all 0 if the lawn covers less than MIN_LAWN of the picture.
    """
    neutral = neutralize_highlights(small)
    mask = plane(gaussian_blur(plane(_find_lawn_by_net(neutral, shares)), 1.0) * _weigh_grass_color(neutral))
    return mask if mask.mean() >= MIN_LAWN else np.zeros(small.shape[:2], np.float32)


def _find_lawn_by_net(small: Plane, shares: Plane) -> Mask:
    """Find certain lawn, and possible lawn near it with the color and the fine texture of grass."""
    side = max(small.shape[:2])
    share = shares[..., Kind.LAWN]
    is_bushy, trees = _find_bushy(small), shares[..., Kind.TREES]
    certain = _remove_small_pieces(np.asarray((share > MIN_CERTAIN_SHARE) & (trees < MAX_TREES), dtype=np.bool_))
    is_grassy = _find_grass_like(small)
    certain = _keep_mostly_grassy(certain, is_grassy)
    possible = (share > MIN_POSSIBLE_SHARE) & (share > MIN_LAWN_TO_TREES * trees)
    around = possible & is_grassy & ~is_bushy & _find_within(certain, side // 12)
    return np.asarray(erode(dilate(certain | around, 2), 2), dtype=np.bool_)


def _find_within(mask: Mask, reach: int) -> Mask:
    """The pixels within `reach` pixels of the mask; none where the mask is empty."""
    distance = cv2.distanceTransform(np.asarray(~mask, dtype=np.uint8), cv2.DIST_L2, 5)
    return np.asarray((distance <= reach) & mask.any(), dtype=np.bool_)


def _keep_mostly_grassy(mask: Mask, is_grassy: Mask) -> Mask:
    """Keep the separate pieces of the mask of which at least MIN_GRASSY looks like grass."""
    _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    sizes, grass = np.bincount(labels.ravel()), np.bincount(labels.ravel(), weights=is_grassy.ravel())
    is_kept = grass >= MIN_GRASSY * sizes
    is_kept[0] = False
    return np.asarray(is_kept[labels], dtype=np.bool_)


def _remove_small_pieces(mask: Mask) -> Mask:
    """Keep the separate pieces of the mask that are larger than MIN_PIECE."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    is_kept = stats[:, cv2.CC_STAT_AREA] > mask.size * MIN_PIECE
    is_kept[0] = False
    return np.asarray(is_kept[labels], dtype=np.bool_)


def _find_grass_like(small: Plane) -> Mask:
    blurred = gaussian_blur(small, 1.5)
    red, green, blue = blurred[..., 0], blurred[..., 1], blurred[..., 2]
    value = max_channel(blurred)
    saturation = (value - min_channel(blurred)) / np.maximum(value, 1e-3)
    is_fresh = (green > red * 0.99) & (green > blue * 1.12) & (red > blue * 0.9)
    is_dry = (green > red * 0.88) & (green > blue * 1.16) & (saturation > 0.2)
    textured = gaussian_blur(local_std(rgb_to_gray(small), 1), 3) > MIN_TEXTURE
    return np.asarray((is_fresh | is_dry) & (value > 0.07) & textured, dtype=np.bool_)


def _weigh_grass_color(small: Plane) -> Plane:
    """Weights: 1 at grass, 0 at gray stones, pale paths and white walls, which the filled mask may contain."""
    blurred = gaussian_blur(small, 1.0)
    yellowness = 1 - blurred[..., 2] / np.maximum(blurred[..., 1], 0.01)
    reddish = blurred[..., 0] / np.maximum(blurred[..., 1], 0.01)
    # The light in shadows is bluer, so grass in shadows is bluer too.
    shade_correction = SHADE_COOLNESS * smoothstep(rgb_to_gray(blurred), 0.35, 0.2)
    return plane(
        smoothstep(plane(yellowness + shade_correction), STONE_YELLOWNESS, GRASS_YELLOWNESS)
        * smoothstep(plane(reddish), 1.3, 1.16)
    )


def _find_bushy(small: Plane) -> Mask:
    """Find pixels where light and dark alternate coarsely, as in leaves and branches but not in mown grass."""
    side = max(small.shape[:2])
    gray = gaussian_blur(rgb_to_gray(small), 1.2)
    radius = max(2, side // 130)
    coarse = plane(local_std(gray, radius) > BUSH_CONTRAST * (box_filter(gray, radius) + 0.04))
    # The edge of a shadow on a lawn has a high contrast too, but only along a line.
    return np.asarray(box_filter(coarse, max(2, side // 45)) > 0.5, dtype=np.bool_)
