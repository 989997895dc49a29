"""Runs the net on enlarged parts of a house: glass and lamps are too small in the whole photo."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane, smoothstep
from engine.filters.strips import THREADS
from engine.segmentation.labels import Kind, labels_to_kinds
from engine.segmentation.network import run_network
from engine.segmentation.shares import resize_shares

MIN_HOUSE_SHARE = 0.4
"""Minimum share of building and glass in a pixel that counts as house."""
OUTLIER_SHARE = 0.01
"""Share of the house's pixels that its box may leave out at each side, because they may be errors."""
MARGIN = 0.05
"""Margin around the box, as a share of the picture's height or width."""
MIN_HOUSE_AREA = 0.004
"""Minimum share of the picture that is house if crops are made."""
CROP_PIXELS = 200_000
"""Number of pixels of one crop, about as many as the net's input has."""
MAX_CROPS = 2
"""Maximum number of rows, and of columns, of crops."""
OVERLAP = 0.12
"""Share of a crop's length by which it extends into its neighbors."""
GLASS_TRACE = 0.02, 0.12
"""Shares of glass that the net found nearby in the whole picture: up to the first, glass in a crop does not count;
from the second on it counts fully.
"""
TRACE_REACH = 0.02
"""Distance to each side that counts as nearby for GLASS_TRACE, as a share of the picture's long side."""
CLOSE_UP_KINDS = [Kind.GLASS, Kind.LAMP]


class CloseUp(NamedTuple):
    """Small maps, (h, w), 0-1: the probability that a pixel is glass in a house's wall, or a lamp on it."""

    glass: Plane
    lamps: Plane


def look_closer(picture: Pixels, kinds: Plane) -> CloseUp:
    """Run the net on overlapping crops of a house, for its glass and lamps, and blend the results.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        The small picture, gamma-coded sRGB.
    kinds : (h, w, len(Kind)) ndarray of float32
        Shares of each kind, 0-1, that the net found on the whole picture.

    Returns
    -------
    CloseUp
        Glass in a crop counts only near glass in the whole picture, because there the net sees the surroundings
        too. Outside the crops, or without a house, the shares of `kinds` stay.
    """
    whole_shares = plane(kinds[..., CLOSE_UP_KINDS])
    crops = _list_crops(plane(kinds[..., Kind.BUILDING] + kinds[..., Kind.GLASS]))
    if not crops:
        return CloseUp(plane(whole_shares[..., 0]), plane(whole_shares[..., 1]))

    def run_on_crop(crop_slices: tuple[slice, slice]) -> Plane:
        crop = np.ascontiguousarray(picture[crop_slices])
        # The net may take a crop of a facade for a room.
        return resize_shares(
            plane(labels_to_kinds(run_network(crop).labels, outside=True)[..., CLOSE_UP_KINDS]), crop.shape
        )

    with ThreadPoolExecutor(THREADS) as threads:
        close_ups = list(threads.map(run_on_crop, crops))
    total, weight = np.zeros_like(whole_shares), np.zeros((*whole_shares.shape[:2], 1), np.float32)
    for crop_slices, found in zip(crops, close_ups, strict=True):
        share = _make_fading_weights(found.shape)[..., None]
        total[crop_slices] += share * found
        weight[crop_slices] += share
    blended = np.where(weight > 0, total / np.maximum(weight, 1e-6), whole_shares)
    side = 2 * round(TRACE_REACH * max(whole_shares.shape)) + 1
    trace_weight = smoothstep(
        plane(cv2.dilate(plane(whole_shares[..., 0]), np.ones((side, side), np.uint8))), *GLASS_TRACE
    )
    glass = np.where(weight[..., 0] > 0, trace_weight * blended[..., 0], whole_shares[..., 0])
    return CloseUp(plane(glass), plane(blended[..., 1]))


def _list_crops(house: Plane) -> list[tuple[slice, slice]]:
    """Overlapping crops of the house, each about as large as the net's input; empty without a house."""
    is_house = house > MIN_HOUSE_SHARE
    if is_house.mean() < MIN_HOUSE_AREA:
        return []
    down, across = _find_ends(is_house.sum(1)), _find_ends(is_house.sum(0))
    wide, tall = across[1] - across[0], down[1] - down[0]
    crop_count = min(wide * tall / CROP_PIXELS, MAX_CROPS)
    columns = round(float(np.clip(np.sqrt(crop_count * wide / tall), 1, MAX_CROPS)))
    rows = round(float(np.clip(crop_count / columns, 1, MAX_CROPS)))
    return [(each, other) for each in _divide(*down, rows) for other in _divide(*across, columns)]


def _divide(first: int, last: int, number: int) -> list[slice]:
    """Divide an interval into slices of equal length, each extended into its neighbors by OVERLAP."""
    length = (last - first) / number
    overlap = 0.0 if number == 1 else OVERLAP * length
    return [
        slice(
            max(first, int(first + each * length - overlap)),
            min(last, int(first + (each + 1) * length + overlap) + 1),
        )
        for each in range(number)
    ]


def _find_ends(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[int, int]:
    """First and last index, with a margin; OUTLIER_SHARE of the sum of counts may lie outside at each end."""
    cumulative = np.cumsum(counts) / counts.sum()
    first, last = (
        int(np.searchsorted(cumulative, OUTLIER_SHARE)),
        int(np.searchsorted(cumulative, 1 - OUTLIER_SHARE)) + 1,
    )
    margin = round(MARGIN * len(counts))
    return max(0, first - margin), min(len(counts), last + margin)


def _make_fading_weights(shape: tuple[int, ...]) -> Plane:
    """Weights that fall towards the border of a crop, where the net sees little of the surroundings."""
    down, across = (np.minimum(np.arange(side) + 1, np.arange(side)[::-1] + 1) for side in shape[:2])
    return plane(np.minimum(np.minimum(down[:, None], across), 24))
