"""Finds the pixels to be removed: things by the segmentation, with soft edges; and the things' backgrounds."""

from collections.abc import Iterator, Set

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.canvas import Declined
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import dilate
from engine.filters.smoothing import gaussian_blur
from engine.geometry.surface import PLACE, Surface
from engine.types.report import Reason

EDGE = 0.004
"""Share of the long side by which a mask is widened, for soft edges and parts that the mask misses."""
ENCLOSED = 0.008
"""Share of the picture below which a blot may be part of the thing around it."""
MOSTLY = 0.7
"""Share of such a blot's border that things must exceed."""
LEAST_PART = 1e-4
"""Share of the picture up to which a part is noise of the mask."""
LEAST_SEEN = 0.002
"""Share of the picture that a piece of a cupboard must exceed to count."""
MOST_BORDER = 0.65
"""Most share of its border that things may take for the piece's shape to be seen."""
EMPTY = (Surface.FLOOR, Surface.WALL, Surface.CEILING, Surface.WINDOW, Surface.DOOR)
"""Surfaces of an empty room."""
BUILT_IN = (Surface.CABINET, Surface.COUNTERTOP)
"""Surfaces of cupboards that are fixed to the room."""
HOLDING = (*BUILT_IN, Surface.FURNITURE, Surface.RUG)
"""Surfaces that are not flat parts of the room and that things stand before or on, if these surfaces stay."""


def find_things(surfaces: Plane, which: Set[Surface]) -> Mask:
    """The mask of things to be removed, widened for their soft edges.

    Parameters
    ----------
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.
    which : Set of Surface
        What is to be removed.

    Returns
    -------
    (h, w) ndarray of bool
        Without specks, and without pixels that mostly show Surface.OTHER.
    """
    share = plane(surfaces[..., [PLACE[each] for each in sorted(which)]].sum(2))
    staying = np.asarray(surfaces[..., PLACE[Surface.OTHER]] > 0.5)
    side = max(share.shape)
    radius = max(1, round(EDGE * side))
    kernel = np.ones((2 * radius + 1, 2 * radius + 1), np.uint8)
    closed = np.asarray(cv2.morphologyEx((share > 0.5).astype(np.uint8), cv2.MORPH_CLOSE, kernel) > 0)
    kept = np.zeros_like(closed)
    for part in split_into_parts(np.asarray(closed & ~staying)):
        if np.count_nonzero(part) > LEAST_PART * part.size:
            kept |= part
    return np.asarray(dilate(kept, radius) & ~staying)


def split_into_parts(mask: Mask) -> Iterator[Mask]:
    """Iterate over the connected parts of a mask.

    Parameters
    ----------
    mask : (h, w) ndarray of bool
        The mask.

    Yields
    ------
    (h, w) ndarray of bool
        One part.
    """
    count, parts = cv2.connectedComponents(mask.astype(np.uint8))
    for number in range(1, count):
        yield np.asarray(parts == number)


def measure_share_around(part: Mask, things: Mask, labels: NDArray[np.uint8], kinds: tuple[Surface, ...]) -> float:
    """The share of some surfaces in the surroundings of a part.

    Parameters
    ----------
    part : (h, w) ndarray of bool
        One of the things.
    things : (h, w) ndarray of bool
        All things, which do not count as surroundings.
    labels : (h, w) ndarray of uint8
        The surface that each pixel shows, numbered by PLACE.
    kinds : tuple of Surface
        The surfaces.

    Returns
    -------
    float
        0-1; 1 if only other things are around the part.
    """
    reach = max(3, round(EDGE * 2 * max(part.shape)))
    ring = dilate(part, reach) & ~things
    if not ring.any():
        return 1.0
    return float(np.isin(labels[ring], [PLACE[each] for each in kinds]).mean())


def are_hardly_seen(things: Mask, labels: NDArray[np.uint8], kinds: tuple[Surface, ...]) -> bool:
    """Whether things take up most of the border of a visible piece of some surfaces.

    Parameters
    ----------
    things : (h, w) ndarray of bool
        All things.
    labels : (h, w) ndarray of uint8
        The surface that each pixel shows, numbered by PLACE.
    kinds : tuple of Surface
        The surfaces.

    Returns
    -------
    bool
        True if there is such a piece; pieces up to LEAST_SEEN do not count.
    """
    kept = np.asarray(np.isin(labels, [PLACE[each] for each in kinds]) & ~things)
    for part in split_into_parts(kept):
        ring = dilate(part, 2) & ~part
        if part.mean() > LEAST_SEEN and things[ring].mean() > MOST_BORDER:
            return True
    return False


def add_enclosed(things: Mask, labels: NDArray[np.uint8]) -> Mask:
    """Add to the things small blots of windows, doors and Surface.OTHER that they enclose: no thing contains these.

    Gaps through which floor, wall or cupboards are seen are not added.

    Parameters
    ----------
    things : (h, w) ndarray of bool
        All things.
    labels : (h, w) ndarray of uint8
        The surface that each pixel shows, numbered by PLACE.

    Returns
    -------
    (h, w) ndarray of bool
        The things with these blots.
    """
    result = things.copy()
    reach = max(2, round(EDGE * max(things.shape)))
    for kind in (Surface.WINDOW, Surface.DOOR, Surface.OTHER):
        for part in split_into_parts(np.asarray((labels == PLACE[kind]) & ~things)):
            if part.mean() < ENCLOSED and things[dilate(part, reach) & ~part].mean() > MOSTLY:
                result |= part
    return result


def find_before_holding(
    part: Mask, things: Mask, labels: NDArray[np.uint8], kinds: tuple[Surface, ...] = HOLDING
) -> Mask:
    """The pixels of a part whose nearest pixel outside all things shows some surfaces, such as cupboards.

    Parameters
    ----------
    part : (h, w) ndarray of bool
        One of the things.
    things : (h, w) ndarray of bool
        All things.
    labels : (h, w) ndarray of uint8
        The surface that each pixel shows, numbered by PLACE.
    kinds : tuple of Surface, default HOLDING
        The surfaces.

    Returns
    -------
    (h, w) ndarray of bool
        Empty if there are no fewer than visible pixels of these surfaces, whose labels are then probably wrong.
    """
    built = np.asarray(np.isin(labels, [PLACE[each] for each in kinds]) & ~things)
    none = np.zeros_like(part)
    if not (dilate(part, 3) & built).any():
        return none
    near, other = (
        cv2.distanceTransform((~each).astype(np.uint8), cv2.DIST_L2, 5)
        for each in (built, np.asarray(~things & ~built))
    )
    found = np.asarray(part & (near < other))
    return found if np.count_nonzero(found) < np.count_nonzero(built) else none


BEHIND = (Surface.FLOOR, Surface.WALL, Surface.RUG)
"""Surfaces that are continued behind things."""
BESIDE = 3
"""Distance from a thing, in pixels of the small picture, at which its surroundings begin."""
AROUND = 12
"""Distance from a thing, in pixels of the small picture, at which its surroundings end."""
SURE = 0.6
"""Least mean share of the removed surfaces in a thing's own pixels for the thing to be certain."""
BARE = 0.85
"""Share of floor, wall and rug around a thing that its background must exceed to be plain."""
PLAIN = 0.04
"""Difference of luminance from its surroundings (0-1) below which nine tenths of a plain background's pixels
lie.
"""
MOST_NOT_PLAIN = 0.3
"""Most share of all things' pixels that may have another background."""
MOST_HIDDEN = 0.16
"""Most share of the picture that things may hide."""
_NOT_PLAIN = (
    "Things were not taken away: they stand before edges, patterns and each other, and this photo does not show "
    "what is behind them."
)


def check_places(small: Plane, surfaces: Plane, which: Set[Surface]) -> None:
    """Refuse a photo unless most of its things stand before plain floor and wall.

    Of 88 results made without this check, only those in which almost nothing had been removed were fit to sell.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.
    which : Set of Surface
        What is to be removed.

    Raises
    ------
    Declined
        TOO_MUCH_HIDDEN, if too many things stand elsewhere, or if things hide more than MOST_HIDDEN.
    """
    things = find_things(surfaces, which)
    share = surfaces[..., [PLACE[each] for each in sorted(which)]].sum(2)
    light = rgb_to_gray(small)
    rough = np.abs(light - gaussian_blur(light, 2))
    plain = np.intp(0)
    for part in split_into_parts(things):
        around = np.asarray(dilate(part, AROUND) & ~dilate(part, BESIDE) & ~things)
        if not around.any() or float(share[part].mean()) < SURE:
            continue
        bare = sum(float(surfaces[..., PLACE[each]][around].mean()) for each in BEHIND if each not in which)
        if bare > BARE and float(np.quantile(rough[around], 0.9)) < PLAIN:
            plain += np.count_nonzero(part)
    hidden = float(things.mean())
    if hidden > MOST_HIDDEN or plain < (1 - MOST_NOT_PLAIN) * np.count_nonzero(things):
        raise Declined(Reason.TOO_MUCH_HIDDEN, _NOT_PLAIN)
