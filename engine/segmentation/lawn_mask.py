"""Where the lawn is: places that the net takes for lawn and that look like grass."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import max_channel, min_channel, neutralize_highlights, rgb_to_gray
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import box_filter, gaussian_blur, local_std
from engine.segmentation.labels import Kind

LEAST_SHARE = 0.012
"""Least share of the picture for a lawn to be worth paying for."""
LEAST_PIECE = 0.011
"""Least share of the picture for a separate piece to count as lawn."""
FINEST = 0.008
"""Least standard deviation of luma (0-1) among neighboring pixels of grass: its blades vary at least this much."""
COARSEST = 0.17
"""Least standard deviation of luma, relative to the luma, for a place to be bushes or trees."""
POSSIBLE = 0.06
"""Least share of lawn by the net for a place beside a certain lawn to be lawn, if it looks like grass."""
CERTAIN = 0.5
"""Least share of lawn by the net for a place to be certain lawn, if its piece looks like grass."""
MOST_TREES = 0.15
"""With this share of trees or more no place is certain lawn."""
LEAST_OF_GREEN = 1.2
"""Least ratio of lawn to trees for a place beside a certain lawn to be lawn."""
LEAST_GRASSY = 0.35
"""Least share of a piece that must look like grass: gravel, bare earth and paving do not."""
STONE, TURF = 0.09, 0.19
"""How much less blue than green, as a share of green, stones, paths and walls are at most, grass and straw at
least.
"""
SHADE_BLUE = 0.08
"""How much bluer the light in deep shade is, in the same unit."""


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
        Share of lawn, 0-1; all 0 where no lawn of LEAST_SHARE of the picture is found.
    """
    neutral = neutralize_highlights(small)
    mask = plane(gaussian_blur(plane(_find_seen_by_net(neutral, shares)), 1.0) * _find_colored(neutral))
    return mask if mask.mean() >= LEAST_SHARE else np.zeros(small.shape[:2], np.float32)


def _find_seen_by_net(small: Plane, shares: Plane) -> Mask:
    """Certain lawn, and around it possible lawn with the color and the fine texture of grass."""
    side = max(small.shape[:2])
    share = shares[..., Kind.LAWN]
    bushy, trees = _find_bushy(small), shares[..., Kind.TREES]
    core = _remove_crumbs(np.asarray((share > CERTAIN) & (trees < MOST_TREES), dtype=np.bool_))
    grassy = _find_grass_like(small)
    core = _keep_mostly_grassy(core, grassy)
    possible = (share > POSSIBLE) & (share > LEAST_OF_GREEN * trees)
    around = possible & grassy & ~bushy & _find_near(core, side // 12)
    return np.asarray(erode(dilate(core | around, 2), 2), dtype=np.bool_)


def _find_near(mask: Mask, reach: int) -> Mask:
    """The pixels within `reach` pixels of the mask; none where the mask is empty."""
    distance = cv2.distanceTransform(np.asarray(~mask, dtype=np.uint8), cv2.DIST_L2, 5)
    return np.asarray((distance <= reach) & mask.any(), dtype=np.bool_)


def _keep_mostly_grassy(mask: Mask, grassy: Mask) -> Mask:
    """The separate pieces of the mask of which enough looks like grass (LEAST_GRASSY)."""
    _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    sizes, grass = np.bincount(labels.ravel()), np.bincount(labels.ravel(), weights=grassy.ravel())
    keep = grass >= LEAST_GRASSY * sizes
    keep[0] = False
    return np.asarray(keep[labels], dtype=np.bool_)


def _remove_crumbs(mask: Mask) -> Mask:
    """The separate pieces of the mask that are larger than LEAST_PIECE."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    keep = stats[:, cv2.CC_STAT_AREA] > mask.size * LEAST_PIECE
    keep[0] = False
    return np.asarray(keep[labels], dtype=np.bool_)


def _find_grass_like(small: Plane) -> Mask:
    soft = gaussian_blur(small, 1.5)
    red, green, blue = soft[..., 0], soft[..., 1], soft[..., 2]
    value = max_channel(soft)
    saturation = (value - min_channel(soft)) / np.maximum(value, 1e-3)
    fresh = (green > red * 0.99) & (green > blue * 1.12) & (red > blue * 0.9)
    dry = (green > red * 0.88) & (green > blue * 1.16) & (saturation > 0.2)
    textured = gaussian_blur(local_std(rgb_to_gray(small), 1), 3) > FINEST
    return np.asarray((fresh | dry) & (value > 0.07) & textured, dtype=np.bool_)


def _find_colored(small: Plane) -> Plane:
    """0 at the gray stones, pale paths and white walls that a closed region may contain, 1 at grass."""
    soft = gaussian_blur(small, 1.0)
    less_blue = 1 - soft[..., 2] / np.maximum(soft[..., 1], 0.01)
    reddish = soft[..., 0] / np.maximum(soft[..., 1], 0.01)
    # The light in shadows is bluer, and so is grass in it.
    in_shade = SHADE_BLUE * smoothstep(rgb_to_gray(soft), 0.35, 0.2)
    return plane(smoothstep(plane(less_blue + in_shade), STONE, TURF) * smoothstep(plane(reddish), 1.3, 1.16))


def _find_bushy(small: Plane) -> Mask:
    """Where light and dark alternate coarsely, as in leaves and branches, unlike mown grass."""
    side = max(small.shape[:2])
    gray = gaussian_blur(rgb_to_gray(small), 1.2)
    radius = max(2, side // 130)
    coarse = plane(local_std(gray, radius) > COARSEST * (box_filter(gray, radius) + 0.04))
    # The edge of a single shadow on a lawn is coarse too, but only along a line.
    return np.asarray(box_filter(coarse, max(2, side // 45)) > 0.5, dtype=np.bool_)
