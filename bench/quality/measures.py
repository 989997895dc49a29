"""The measures: masks against labels, colors outside a region, new clipping, overshoot along an edge."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Matte, Pixels, Plane, plane
from engine.color.difference import compute_delta_e, srgb_to_lab
from engine.filters.morphology import dilate

HALF = 128
# Share of the diagonal by which an outline may be off and still count as found, as in the DAVIS benchmark.
TOLERANCE = 0.008
# Below a twentieth of the full effect a pixel counts as outside.
LEAST_WORKED = 13
MOST_COMPARED = 300_000


def overlap(found: Mask, truth: Mask) -> float:
    """Intersection over union; 1 when both are empty."""
    either = np.count_nonzero(found | truth)
    return float(np.count_nonzero(found & truth) / either) if either else 1.0


def outline_score(found: Mask, truth: Mask) -> float:
    """F measure of the outlines: how much of each lies within TOLERANCE of the other. 1 when neither has one."""
    radius = max(1, round(TOLERANCE * float(np.hypot(*truth.shape))))
    one, other = _outline(found), _outline(truth)
    if not one.any() and not other.any():
        return 1.0
    if not one.any() or not other.any():
        return 0.0
    precision = np.count_nonzero(one & dilate(other, radius)) / np.count_nonzero(one)
    recall = np.count_nonzero(other & dilate(one, radius)) / np.count_nonzero(other)
    return float(2 * precision * recall / (precision + recall)) if precision + recall else 0.0


def _outline(mask: Mask) -> Mask:
    inner = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8), borderType=cv2.BORDER_REPLICATE)
    return mask & (inner == 0)


def color_differences(before: Pixels, after: Pixels, region: Mask) -> Plane:
    """CIEDE2000 in the region, in one row; both pictures are sRGB bytes of one size. 0 for an empty region.

    Of a large region an even sample of at least MOST_COMPARED / 2 pixels is taken.
    """
    places = np.flatnonzero(region)
    if not len(places):
        return plane([0.0])
    sample = places[:: max(1, -(-len(places) // MOST_COMPARED))]
    one, other = (srgb_to_lab(each.reshape(1, -1, 3)[:, sample]) for each in (before, after))
    return plane(compute_delta_e(one, other)[0])


def outside(matte: Matte) -> Mask:
    """Where a step did not work, by its mask."""
    return np.asarray(matte < LEAST_WORKED, dtype=np.bool_)


def newly_clipped(before: Pixels, after: Pixels) -> float:
    """The share of pixels that are pure white or pure black now and were not within 4 levels of it."""
    lost = (after.min(-1) == 255) & (before.min(-1) < 251) | (after.max(-1) == 0) & (before.max(-1) > 4)
    return float(lost.mean())


def overshoot(before: Pixels, after: Pixels, sky: Matte) -> float:
    """How far the result leaves the photo's own tones just below the sky's edge: 99th percentile, share of 0-255.

    Looked at is what lies within 1 % of the picture's diagonal of the sky without being sky. A pixel overshoots by
    what its luma is above the highest or below the lowest that the photo has in it and near it outside the sky.
    The whole foreground may be lit anew: its median change of luma along the edge is allowed for.
    """
    reach = max(2, round(0.01 * float(np.hypot(*sky.shape))))
    ground = outside(sky)
    band = ground & dilate(np.asarray(sky > HALF, dtype=np.bool_), reach)
    if not band.any():
        return 0.0
    old, new = _luma(before), _luma(after)
    near = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    highest = cv2.dilate(np.where(ground, old, 0).astype(np.uint8), near)[band].astype(np.int16)
    lowest = cv2.erode(np.where(ground, old, 255).astype(np.uint8), near)[band].astype(np.int16)
    relit = float(np.median(new[band].astype(np.int16) - old[band]))
    values = new[band] - relit
    beyond = np.maximum(values - highest, lowest - values).clip(0)
    return float(np.quantile(beyond, 0.99)) / 255


def _luma(pixels: Pixels) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def scales_apart(one: Pixels, other: Pixels, levels: int = 5) -> float:
    """Mean CIEDE2000 between sRGB pictures of one size, averaged over sizes of 1/2, 1/4 … : what the eye takes in
    from afar counts as much as what it sees near, and noise hardly.
    """
    found = []
    for level in range(1, levels + 1):
        size = (max(1, one.shape[1] >> level), max(1, one.shape[0] >> level))
        first, second = (np.asarray(cv2.resize(each, size, interpolation=cv2.INTER_AREA)) for each in (one, other))
        found.append(float(compute_delta_e(srgb_to_lab(first), srgb_to_lab(second)).mean()))
    return float(np.mean(found))
