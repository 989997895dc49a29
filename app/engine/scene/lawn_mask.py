"""Where the lawn is: green to straw-coloured, finely but not coarsely textured, wide and low in the picture."""

import cv2
import numpy as np

from app.engine.arrays import (
    Mask,
    Plane,
    blurred,
    box_mean,
    grown,
    like_neutral_light,
    luminance,
    plane,
    shrunk,
    spread,
)

LEAST_SHARE = 0.008
# Lawns lie below this share of the height and reach down to the second one.
HIGHEST, REACHED = 0.6, 0.78
# Blades vary this little at least, and bushes and trees this much relative to their light.
FINEST, COARSEST = 0.008, 0.17


def lawn_mask(small: Plane, sky: Plane) -> Plane:
    """Share of lawn, height x width, 0-1, of a small sRGB picture (x 3, 0-1); all 0 when no lawn is found."""
    side = max(small.shape[:2])
    rows = np.arange(small.shape[0])[:, None] / small.shape[0]
    no_water = small[..., 0] > small[..., 2] * 0.95
    grassy = _grass_like(like_neutral_light(small)) & no_water & (sky < 0.2) & (rows > HIGHEST)
    radius = max(1, side // 250)
    core = _lying(grown(shrunk(grassy & ~_bushy(small), 2 * radius), 2 * radius))
    around = grassy & grown(core, side // 30)
    lawn = shrunk(grown(core | around, 2 * radius), 2 * radius) & _coloured(small)
    if lawn.mean() < LEAST_SHARE:
        return np.zeros(small.shape[:2], np.float32)
    return blurred(plane(lawn), 1.0)


def _grass_like(small: Plane) -> Mask:
    soft = blurred(small, 1.5)
    red, green, blue = soft[..., 0], soft[..., 1], soft[..., 2]
    value = soft.max(-1)
    saturation = (value - soft.min(-1)) / np.maximum(value, 1e-3)
    fresh = (green > red * 0.99) & (green > blue * 1.12) & (red > blue * 0.9)
    dry = (green > red * 0.88) & (green > blue * 1.16) & (saturation > 0.2)
    textured = blurred(spread(luminance(small), 1), 3) > FINEST
    return np.asarray((fresh | dry) & (value > 0.07) & textured, dtype=np.bool_)


def _coloured(small: Plane) -> Mask:
    """Not the grey stones and white walls a closed region may have swallowed."""
    soft = blurred(small, 1.0)
    return np.asarray(soft[..., 1] > soft[..., 2] * 1.08, dtype=np.bool_)


def _bushy(small: Plane) -> Mask:
    """Coarse light and dark side by side, as leaves and branches have and mown grass has not."""
    side = max(small.shape[:2])
    grey = blurred(luminance(small), 1.2)
    radius = max(2, side // 130)
    coarse = plane(spread(grey, radius) > COARSEST * (box_mean(grey, radius) + 0.04))
    # The edge of one shadow on a lawn is coarse as well, but only along a line.
    return np.asarray(box_mean(coarse, max(2, side // 45)) > 0.5, dtype=np.bool_)


def _lying(mask: Mask) -> Mask:
    """Regions that lie before the camera: wide or large, reaching far down."""
    height = mask.shape[0]
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    wide, tall = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    bottom = stats[:, cv2.CC_STAT_TOP] + tall
    keep = (wide > 1.1 * tall) & (bottom > height * REACHED) & (stats[:, cv2.CC_STAT_AREA] > mask.size * 0.003)
    keep[0] = False
    return np.asarray(keep[labels], dtype=np.bool_)
