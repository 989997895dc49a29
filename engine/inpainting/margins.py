"""Finds the edges of things by the photo's colors: parts that a mask misses beside them and in its small holes."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Pixels
from engine.filters.morphology import dilate, erode
from engine.inpainting.things import split_into_parts

SIDE = 448
"""The long side, in pixels, at which edges are searched for."""
BAND = 0.016
"""How far a thing may reach outside its mask, as a share of the long side."""
CORE = 0.006
"""How far a thing's mask may reach outside the thing, as a share of the long side."""
HOLE = 0.004
"""Share of the picture: a hole in a thing that is smaller than this may belong to the thing."""
AROUND = 0.06
"""How far around a thing colors are compared, as a share of the long side."""
LEAST_PART = 0.002
"""Share of the picture above which a thing's mask is grown."""
ROUNDS = 3
"""Iterations of GrabCut."""
LEAST_CORE = 60
"""Least number of pixels that certainly show the thing, and that certainly do not, to model their colors."""
SEED = 7
"""Seed of OpenCV's random numbers, so that the same photo gives the same mask."""


def grow_things(things: Mask, picture: Pixels, may: Mask) -> Mask:
    """Grow the mask of things over pixels beside them, or in small holes, that have their colors.

    GrabCut [1]_ runs in a narrow band around each thing, with its own color models. No pixel leaves the mask.

    Parameters
    ----------
    things : (h, w) ndarray of bool
        The mask.
    picture : (h, w, 3) ndarray of uint8
        The picture, gamma-coded sRGB.
    may : (h, w) ndarray of bool
        Where the mask may grow.

    Returns
    -------
    (h, w) ndarray of bool
        The grown mask.

    References
    ----------
    .. [1] Rother, Kolmogorov, Blake, "GrabCut", 2004.
    """
    scale = min(1.0, SIDE / max(things.shape))
    size = (max(8, round(things.shape[1] * scale)), max(8, round(things.shape[0] * scale)))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    mask, allowed = (
        np.asarray(cv2.resize(each.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)
        for each in (things, may)
    )
    more = np.zeros_like(mask)
    for part in split_into_parts(mask):
        if part.mean() > LEAST_PART:
            more |= _find_thing_margin(part, mask, small) & allowed
    whole = (things.shape[1], things.shape[0])
    back = cv2.resize(more.astype(np.float32), whole, interpolation=cv2.INTER_LINEAR)
    return np.asarray(things | ((back > 0.5) & may))


def _find_thing_margin(part: Mask, things: Mask, picture: Pixels) -> Mask:
    """The pixels beside one thing, or in its holes, that belong to it by their colors."""
    side = max(part.shape)
    reach = max(4, round(AROUND * side))
    rows, columns = (np.flatnonzero(part.any(axis)) for axis in (1, 0))
    box = (
        slice(max(0, int(rows[0]) - reach), int(rows[-1]) + reach + 1),
        slice(max(0, int(columns[0]) - reach), int(columns[-1]) + reach + 1),
    )
    own, others = part[box], np.asarray(things[box] & ~part[box])
    core = erode(own, max(1, round(CORE * side)))
    band = np.asarray((dilate(own, max(2, round(BAND * side))) | _holes(own, part.size)) & ~own & ~others)
    around = np.asarray(~own & ~others & ~band)
    result = np.zeros_like(part)
    if np.count_nonzero(core) < LEAST_CORE or np.count_nonzero(around) < LEAST_CORE or not band.any():
        return result
    result[box] = _cut_graph(picture[box], core, own, band, others) & band
    return result


def _holes(own: Mask, size: int) -> Mask:
    """The small gaps within a thing."""
    count, parts, stats, _ = cv2.connectedComponentsWithStats((~own).astype(np.uint8), connectivity=4)
    height, width = own.shape
    inner = [
        number
        for number in range(1, count)
        if stats[number][4] < HOLE * size
        and stats[number][0] > 0
        and stats[number][1] > 0
        and stats[number][0] + stats[number][2] < width
        and stats[number][1] + stats[number][3] < height
    ]
    return np.asarray(np.isin(parts, inner))


def _cut_graph(picture: Pixels, core: Mask, own: Mask, band: Mask, others: Mask) -> Mask:
    """Where the thing is, by the cheapest cut between its colors and the colors around it."""
    state = np.full(own.shape, cv2.GC_BGD, np.uint8)
    state[band] = cv2.GC_PR_BGD
    state[own] = cv2.GC_PR_FGD
    state[core] = cv2.GC_FGD
    # Other things are painted over: their colors are no sample of this thing's surroundings.
    plain = picture.copy()
    plain[others] = np.median(picture[~own & ~others & ~band], axis=0).astype(np.uint8)
    models: list[NDArray[np.float64]] = [np.zeros((1, 65)), np.zeros((1, 65))]
    cv2.setRNGSeed(SEED)
    cv2.grabCut(plain, state, (0, 0, 1, 1), models[0], models[1], ROUNDS, cv2.GC_INIT_WITH_MASK)
    return np.asarray((state == cv2.GC_FGD) | (state == cv2.GC_PR_FGD))
