"""Grows the masks of things, by the photo's colors, over parts that they lack at edges and in small holes."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Pixels
from engine.filters.morphology import dilate, erode
from engine.inpainting.things import split_into_parts

WORKING_SIDE = 448
"""Long side, in pixels, of the copy of the photo in which edges are found."""
OUTER_MARGIN = 0.016
"""Maximum distance that a thing reaches outside its mask, as a share of the long side."""
INNER_MARGIN = 0.006
"""Maximum distance that a mask reaches outside its thing, as a share of the long side."""
MAX_HOLE = 0.004
"""Share of the picture; a smaller hole in a thing's mask may belong to the thing."""
SURROUNDINGS = 0.06
"""Distance around a thing, as a share of the long side, in which the colors of its surroundings are sampled."""
MIN_PART = 0.002
"""Minimum share of the picture that a thing covers if its mask is grown."""
ITERATIONS = 3
"""Iterations of GrabCut."""
MIN_COLOR_SAMPLES = 60
"""Minimum number of pixels that certainly show the thing, and that certainly do not, to model both colors."""
SEED = 7
"""Seed of OpenCV's random numbers, so that the same photo gives the same mask."""


def grow_things(things: Mask, picture: Pixels, allowed_area: Mask) -> Mask:
    """Grow the mask of things over pixels beside them, or in small holes, that have the things' colors.

    GrabCut [1]_ runs in a narrow band around each thing, with its own color models. The mask never shrinks.

    Parameters
    ----------
    things : (h, w) ndarray of bool
        The mask.
    picture : (h, w, 3) ndarray of uint8
        The picture, gamma-coded sRGB.
    allowed_area : (h, w) ndarray of bool
        Where the mask may grow.

    Returns
    -------
    (h, w) ndarray of bool
        The grown mask.

    References
    ----------
    .. [1] Rother, Kolmogorov, Blake, "GrabCut", 2004.
    """
    scale = min(1.0, WORKING_SIDE / max(things.shape))
    size = (max(8, round(things.shape[1] * scale)), max(8, round(things.shape[0] * scale)))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    mask, allowed = (
        np.asarray(cv2.resize(each.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)
        for each in (things, allowed_area)
    )
    grown = np.zeros_like(mask)
    for part in split_into_parts(mask):
        if part.mean() > MIN_PART:
            grown |= _find_thing_margin(part, mask, small) & allowed
    whole = (things.shape[1], things.shape[0])
    enlarged = cv2.resize(grown.astype(np.float32), whole, interpolation=cv2.INTER_LINEAR)
    return np.asarray(things | ((enlarged > 0.5) & allowed_area))


def _find_thing_margin(part: Mask, things: Mask, picture: Pixels) -> Mask:
    """The pixels beside one thing, or in its holes, whose colors show that they belong to the thing."""
    side = max(part.shape)
    reach = max(4, round(SURROUNDINGS * side))
    rows, columns = (np.flatnonzero(part.any(axis)) for axis in (1, 0))
    box = (
        slice(max(0, int(rows[0]) - reach), int(rows[-1]) + reach + 1),
        slice(max(0, int(columns[0]) - reach), int(columns[-1]) + reach + 1),
    )
    own, others = part[box], np.asarray(things[box] & ~part[box])
    core = erode(own, max(1, round(INNER_MARGIN * side)))
    band = np.asarray(
        (dilate(own, max(2, round(OUTER_MARGIN * side))) | _find_holes(own, part.size)) & ~own & ~others
    )
    around = np.asarray(~own & ~others & ~band)
    result = np.zeros_like(part)
    if np.count_nonzero(core) < MIN_COLOR_SAMPLES or np.count_nonzero(around) < MIN_COLOR_SAMPLES or not band.any():
        return result
    result[box] = _cut_graph(picture[box], core, own, band, others) & band
    return result


def _find_holes(own: Mask, size: int) -> Mask:
    """The small gaps within a thing."""
    count, parts, stats, _ = cv2.connectedComponentsWithStats((~own).astype(np.uint8), connectivity=4)
    height, width = own.shape
    inner = [
        number
        for number in range(1, count)
        if stats[number][cv2.CC_STAT_AREA] < MAX_HOLE * size
        and stats[number][cv2.CC_STAT_LEFT] > 0
        and stats[number][cv2.CC_STAT_TOP] > 0
        and stats[number][cv2.CC_STAT_LEFT] + stats[number][cv2.CC_STAT_WIDTH] < width
        and stats[number][cv2.CC_STAT_TOP] + stats[number][cv2.CC_STAT_HEIGHT] < height
    ]
    return np.asarray(np.isin(parts, inner))


def _cut_graph(picture: Pixels, core: Mask, own: Mask, band: Mask, others: Mask) -> Mask:
    """The pixels of the thing, by the cheapest graph cut between its colors and the colors around it."""
    state = np.full(own.shape, cv2.GC_BGD, np.uint8)
    state[band] = cv2.GC_PR_BGD
    state[own] = cv2.GC_PR_FGD
    state[core] = cv2.GC_FGD
    # Other things are painted over, because their colors are not those of this thing's surroundings.
    repainted = picture.copy()
    repainted[others] = np.median(picture[~own & ~others & ~band], axis=0).astype(np.uint8)
    models: list[NDArray[np.float64]] = [np.zeros((1, 65)), np.zeros((1, 65))]
    cv2.setRNGSeed(SEED)
    cv2.grabCut(repainted, state, (0, 0, 1, 1), models[0], models[1], ITERATIONS, cv2.GC_INIT_WITH_MASK)
    return np.asarray((state == cv2.GC_FGD) | (state == cv2.GC_PR_FGD))
