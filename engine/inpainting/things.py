"""Finds the pixels of things to be removed, from the segmentation, and the surfaces behind the things."""

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

EDGE_WIDTH = 0.004
"""Width, as a share of the long side, by which a mask is widened: it then contains soft edges and missed parts."""
MAX_ENCLOSED = 0.008
"""Share of the picture; a smaller patch of another surface may be part of the thing around it."""
MIN_ENCLOSED_BORDER = 0.7
"""Minimum share of the border of such a patch that touches things."""
MIN_PART = 1e-4
"""Share of the picture; a part of the mask up to this size is noise."""
MIN_CUPBOARD = 0.002
"""Share of the picture; a visible piece of a cupboard up to this size is ignored."""
MAX_BORDER = 0.65
"""Maximum share of a piece's border that touches things; with more, the shape of the piece is unknown."""
FURNITURE = frozenset({Surface.FURNITURE, Surface.RUG, Surface.CLUTTER})
"""Surfaces that furniture removal removes."""
BARE = (Surface.FLOOR, Surface.WALL, Surface.CEILING)
"""Surfaces of an empty room without openings."""
BUILT_IN = (Surface.CABINET, Surface.COUNTERTOP)
"""Surfaces of cupboards that are fixed to the room."""


def find_things(surfaces: Plane, which: Set[Surface]) -> Mask:
    """Find the mask of things to be removed, widened for their soft edges.

    Parameters
    ----------
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.
    which : Set of Surface
        The surfaces to be removed.

    Returns
    -------
    (h, w) ndarray of bool
        Without small specks, and without pixels that mostly show Surface.OTHER.
    """
    share = plane(surfaces[..., [PLACE[each] for each in sorted(which)]].sum(2))
    staying = np.asarray(surfaces[..., PLACE[Surface.OTHER]] > 0.5)
    side = max(share.shape)
    radius = max(1, round(EDGE_WIDTH * side))
    kernel = np.ones((2 * radius + 1, 2 * radius + 1), np.uint8)
    closed = np.asarray(cv2.morphologyEx((share > 0.5).astype(np.uint8), cv2.MORPH_CLOSE, kernel) > 0)
    kept = np.zeros_like(closed)
    for part in split_into_parts(np.asarray(closed & ~staying)):
        if np.count_nonzero(part) > MIN_PART * part.size:
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
    """Measure the share of some surfaces in the surroundings of a part.

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
    reach = max(3, round(EDGE_WIDTH * 2 * max(part.shape)))
    ring = dilate(part, reach) & ~things
    if not ring.any():
        return 1.0
    return float(np.isin(labels[ring], [PLACE[each] for each in kinds]).mean())


def are_hardly_seen(things: Mask, labels: NDArray[np.uint8], kinds: tuple[Surface, ...]) -> bool:
    """Whether things touch most of the border of a visible piece of some surfaces.

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
        True if there is such a piece; pieces up to MIN_CUPBOARD are ignored.
    """
    kept = np.asarray(np.isin(labels, [PLACE[each] for each in kinds]) & ~things)
    for part in split_into_parts(kept):
        ring = dilate(part, 2) & ~part
        if part.mean() > MIN_CUPBOARD and things[ring].mean() > MAX_BORDER:
            return True
    return False


def add_enclosed(things: Mask, labels: NDArray[np.uint8]) -> Mask:
    """Add small patches of windows, doors and Surface.OTHER enclosed by things: they are errors of the labels.

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
        The things with these patches.
    """
    result = things.copy()
    reach = max(2, round(EDGE_WIDTH * max(things.shape)))
    for kind in (Surface.WINDOW, Surface.DOOR, Surface.OTHER):
        for part in split_into_parts(np.asarray((labels == PLACE[kind]) & ~things)):
            if part.mean() < MAX_ENCLOSED and things[dilate(part, reach) & ~part].mean() > MIN_ENCLOSED_BORDER:
                result |= part
    return result


def find_pixels_before(part: Mask, things: Mask, labels: NDArray[np.uint8], kinds: tuple[Surface, ...]) -> Mask:
    """Find the pixels of a part whose nearest pixel outside all things shows some surfaces, such as cupboards.

    Parameters
    ----------
    part : (h, w) ndarray of bool
        One of the things.
    things : (h, w) ndarray of bool
        All things.
    labels : (h, w) ndarray of uint8
        The surface that each pixel shows, numbered by PLACE.
    kinds : tuple of Surface
        The surfaces.

    Returns
    -------
    (h, w) ndarray of bool
        Empty if the surfaces have fewer visible pixels than these, because their labels are then probably wrong.
    """
    supports = np.asarray(np.isin(labels, [PLACE[each] for each in kinds]) & ~things)
    nothing = np.zeros_like(part)
    if not (dilate(part, 3) & supports).any():
        return nothing
    supports_distance, other_distance = (
        cv2.distanceTransform((~each).astype(np.uint8), cv2.DIST_L2, 5)
        for each in (supports, np.asarray(~things & ~supports))
    )
    found = np.asarray(part & (supports_distance < other_distance))
    return found if np.count_nonzero(found) < np.count_nonzero(supports) else nothing


BEHIND = (Surface.FLOOR, Surface.WALL)
"""Surfaces that are continued behind things."""
RING_START = 3
"""Distance from a thing, in pixels of the small picture, at which its surroundings begin."""
RING_END = 12
"""Distance from a thing, in pixels of the small picture, at which its surroundings end."""
MIN_CERTAINTY = 0.6
"""Minimum mean share of the removed surfaces in the pixels of a thing that is certain."""
MIN_BARE = 0.85
"""Minimum share of floor and wall around a thing with a plain background."""
MIN_BESIDE_EDGE = 0.15
"""Minimum share of floor, and of wall, around a thing that hides the edge between them."""
MAX_ROUGHNESS = 0.04
"""A background is plain if nine tenths of its pixels differ in luminance (0-1) from their surroundings by less."""
MAX_NOT_PLAIN = 0.3
"""Maximum share of the pixels of things with a background that is not plain."""
MAX_HIDDEN = 0.16
"""Maximum share of the picture that things may hide."""
_NOT_PLAIN_MESSAGE = (
    "Things were not taken away: they stand before edges, patterns and each other, and this photo does not show "
    "what is behind them."
)


def find_plain_parts(small: Plane, surfaces: Plane, which: Set[Surface]) -> Mask:
    """Find the things that the net is certain of and that are in front of plain floor and wall.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.
    which : Set of Surface
        The surfaces to be removed.

    Returns
    -------
    (h, w) ndarray of bool
        A part of the mask of `find_things`.
    """
    things = find_things(surfaces, which)
    share = surfaces[..., [PLACE[each] for each in sorted(which)]].sum(2)
    roughness = _measure_roughness(small)
    plain = np.zeros_like(things)
    for part in split_into_parts(things):
        around = _find_ring(part, things)
        if around.any() and float(share[part].mean()) >= MIN_CERTAINTY and _is_plain(around, roughness, surfaces):
            plain |= part
    return plain


def find_parts_at_edges(small: Plane, surfaces: Plane, things: Mask) -> Mask:
    """Find the things in front of plain floor and plain wall, which hide the edge between both.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.
    things : (h, w) ndarray of bool
        All things.

    Returns
    -------
    (h, w) ndarray of bool
        A part of `things`.
    """
    roughness = _measure_roughness(small)
    found = np.zeros_like(things)
    for part in split_into_parts(things):
        around = _find_ring(part, things)
        hides_edge = around.any() and min(_measure_shares(around, surfaces)) > MIN_BESIDE_EDGE
        if hides_edge and _is_plain(around, roughness, surfaces):
            found |= part
    return found


def _find_ring(part: Mask, things: Mask) -> Mask:
    """The pixels around a part that are not too near to it and do not show things."""
    return np.asarray(dilate(part, RING_END) & ~dilate(part, RING_START) & ~things)


def _measure_roughness(small: Plane) -> Plane:
    light = rgb_to_gray(small)
    return plane(np.abs(light - gaussian_blur(light, 2)))


def _measure_shares(around: Mask, surfaces: Plane) -> list[float]:
    """The share of each of BEHIND."""
    return [float(surfaces[..., PLACE[each]][around].mean()) for each in BEHIND]


def _is_plain(around: Mask, roughness: Plane, surfaces: Plane) -> bool:
    is_bare = sum(_measure_shares(around, surfaces)) > MIN_BARE
    return is_bare and float(np.quantile(roughness[around], 0.9)) < MAX_ROUGHNESS


def check_backgrounds(small: Plane, surfaces: Plane) -> None:
    """Decline a photo unless most of its furniture is in front of plain floor and wall.

    Of 88 results made without this check, only results in which almost nothing was removed were fit to sell.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.

    Raises
    ------
    Declined
        TOO_MUCH_HIDDEN, if too many things have no plain background, or if things hide more than MAX_HIDDEN.
    """
    things = find_things(surfaces, FURNITURE)
    plain = find_plain_parts(small, surfaces, FURNITURE)
    too_many = np.count_nonzero(plain) < (1 - MAX_NOT_PLAIN) * np.count_nonzero(things)
    if too_many or things.mean() > MAX_HIDDEN:
        raise Declined(Reason.TOO_MUCH_HIDDEN, _NOT_PLAIN_MESSAGE)
