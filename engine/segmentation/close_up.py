"""A second look at parts of a house at a larger scale: glass and lamps are too small for the whole photo."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane, smoothstep
from engine.filters.strips import THREADS
from engine.segmentation.labels import Kind, labels_to_kinds
from engine.segmentation.network import run_network
from engine.segmentation.shares import resize_shares

HOUSE = 0.4
"""Least share of building and glass for a pixel to count as the house."""
STRAY = 0.01
"""Share of the house's pixels that its box leaves out at each side: they may be wrong."""
MARGIN = 0.05
"""What is added to the box at each side, as a share of the picture's height or width."""
LEAST_HOUSE = 0.004
"""Least share of the picture that must be house for a closer look."""
PART = 200_000
"""Pixels of one part, about as many as the net's input has."""
MOST_PARTS = 2
"""The most rows and the most columns of parts."""
SHARED = 0.12
"""Share of a part's length by which it extends into its neighbors."""
TRACE = 0.02, 0.12
"""Shares of glass in the whole picture nearby: glass found close up counts not at all, and in full."""
CLOSE = 0.02
"""How far "nearby" extends to each side, as a share of the picture's long side."""
CLOSER = [Kind.GLASS, Kind.LAMP]


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
        Glass counts only near a trace of it in the whole picture, where the net sees the surroundings too. Outside
        of the crops, and without a house, the shares of `kinds` stay.
    """
    first = plane(kinds[..., CLOSER])
    parts = _parts(plane(kinds[..., Kind.BUILDING] + kinds[..., Kind.GLASS]))
    if not parts:
        return CloseUp(plane(first[..., 0]), plane(first[..., 1]))

    def look(part: tuple[slice, slice]) -> Plane:
        crop = np.ascontiguousarray(picture[part])
        # The net may take a crop of a facade for a room.
        return resize_shares(
            plane(labels_to_kinds(run_network(crop).labels, outside=True)[..., CLOSER]), crop.shape
        )

    with ThreadPoolExecutor(THREADS) as threads:
        looks = list(threads.map(look, parts))
    total, weight = np.zeros_like(first), np.zeros((*first.shape[:2], 1), np.float32)
    for part, found in zip(parts, looks, strict=True):
        share = _make_fading_weights(found.shape)[..., None]
        total[part] += share * found
        weight[part] += share
    joined = np.where(weight > 0, total / np.maximum(weight, 1e-6), first)
    side = 2 * round(CLOSE * max(first.shape)) + 1
    traced = smoothstep(plane(cv2.dilate(plane(first[..., 0]), np.ones((side, side), np.uint8))), *TRACE)
    glass = np.where(weight[..., 0] > 0, traced * joined[..., 0], first[..., 0])
    return CloseUp(plane(glass), plane(joined[..., 1]))


def _parts(house: Plane) -> list[tuple[slice, slice]]:
    """The box of the house in overlapping parts about as large as the net's input; empty without a house."""
    where = house > HOUSE
    if where.mean() < LEAST_HOUSE:
        return []
    down, across = _ends(where.sum(1)), _ends(where.sum(0))
    wide, tall = across[1] - across[0], down[1] - down[0]
    wanted = min(wide * tall / PART, MOST_PARTS)
    columns = round(float(np.clip(np.sqrt(wanted * wide / tall), 1, MOST_PARTS)))
    rows = round(float(np.clip(wanted / columns, 1, MOST_PARTS)))
    return [(each, other) for each in _pieces(*down, rows) for other in _pieces(*across, columns)]


def _pieces(first: int, last: int, number: int) -> list[slice]:
    """A stretch divided into slices of equal length, each extended into its neighbors by SHARED."""
    length = (last - first) / number
    shared = 0.0 if number == 1 else SHARED * length
    return [
        slice(
            max(first, int(first + each * length - shared)),
            min(last, int(first + (each + 1) * length + shared) + 1),
        )
        for each in range(number)
    ]


def _ends(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[int, int]:
    """First and last index between which all but a few (STRAY) of the counts lie, with a margin."""
    held = np.cumsum(counts) / counts.sum()
    first, last = int(np.searchsorted(held, STRAY)), int(np.searchsorted(held, 1 - STRAY)) + 1
    margin = round(MARGIN * len(counts))
    return max(0, first - margin), min(len(counts), last + margin)


def _make_fading_weights(shape: tuple[int, ...]) -> Plane:
    """Weights that fall towards the border of a crop, where the net sees least of the surroundings."""
    down, across = (np.minimum(np.arange(side) + 1, np.arange(side)[::-1] + 1) for side in shape[:2])
    return plane(np.minimum(np.minimum(down[:, None], across), 24))
