"""Where the lawn is: what the net takes for lawn and looks like grass."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import max_channel, min_channel, neutralize_highlights, rgb_to_gray
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import box_filter, gaussian_blur, local_std
from engine.segmentation.labels import Kind

# Shares of the picture: a whole lawn, and a piece of one by itself, that are worth paying for.
LEAST_SHARE, LEAST_PIECE = 0.012, 0.011
# Blades vary this little at least, and bushes and trees this much relative to their light.
FINEST, COARSEST = 0.008, 0.17
# The net's share of lawn from which a place may be lawn, and from which it is one if it looks like grass.
POSSIBLE, CERTAIN = 0.06, 0.5
# With more trees than this no place is lawn for certain; beside one, a place with less lawn than so many times its
# share of trees is none.
MOST_TREES, LEAST_OF_GREEN = 0.15, 1.2
# A piece of lawn looks like grass over this share of it at least: gravel, bare earth and paving do not.
LEAST_GRASSY = 0.35
# How much less blue than green: stones, paths and walls lie below, straw and grass above.
STONE, TURF, SHADE_BLUE = 0.09, 0.19, 0.08


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
    """What is lawn for certain, and around it what may be and has the color and the blades of grass."""
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
    """The pixels no farther from the mask than `reach` pixels; none where the mask is empty."""
    distance = cv2.distanceTransform(np.asarray(~mask, dtype=np.uint8), cv2.DIST_L2, 5)
    return np.asarray((distance <= reach) & mask.any(), dtype=np.bool_)


def _keep_mostly_grassy(mask: Mask, grassy: Mask) -> Mask:
    """The separate pieces of the mask that look like grass over enough of their pixels."""
    _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    sizes, grass = np.bincount(labels.ravel()), np.bincount(labels.ravel(), weights=grassy.ravel())
    keep = grass >= LEAST_GRASSY * sizes
    keep[0] = False
    return np.asarray(keep[labels], dtype=np.bool_)


def _remove_crumbs(mask: Mask) -> Mask:
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
    """Not the gray stones, pale paths and white walls that a closed region may have swallowed; 0-1."""
    soft = gaussian_blur(small, 1.0)
    less_blue = 1 - soft[..., 2] / np.maximum(soft[..., 1], 0.01)
    reddish = soft[..., 0] / np.maximum(soft[..., 1], 0.01)
    # The light in shadows is blue, and so is what it falls on.
    in_shade = SHADE_BLUE * smoothstep(rgb_to_gray(soft), 0.35, 0.2)
    return plane(smoothstep(plane(less_blue + in_shade), STONE, TURF) * smoothstep(plane(reddish), 1.3, 1.16))


def _find_bushy(small: Plane) -> Mask:
    """Coarse light and dark side by side, as leaves and branches have and mown grass has not."""
    side = max(small.shape[:2])
    gray = gaussian_blur(rgb_to_gray(small), 1.2)
    radius = max(2, side // 130)
    coarse = plane(local_std(gray, radius) > COARSEST * (box_filter(gray, radius) + 0.04))
    # The edge of one shadow on a lawn is coarse as well, but only along a line.
    return np.asarray(box_filter(coarse, max(2, side // 45)) > 0.5, dtype=np.bool_)
