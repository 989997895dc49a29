"""Judges places that look like windows: openings, fences and doors are left out, windows seen by the net added."""

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.segmentation.labels import Label

MIN_PANE = 0.22
"""Minimum mean share of panes in a window."""
MIN_PANE_RATIO = 1.1
"""Minimum ratio of the share of panes to that of NO_PANES in a window."""
NO_PANES = (Label.SHUTTER, Label.DOOR, Label.GARAGE_DOOR, Label.CAR, Label.FENCE, Label.BIN, Label.PERSON)
"""Labels of things that can be mistaken for windows."""
BARRIERS = (Label.CAR, Label.FENCE, Label.BIN, Label.PERSON)
"""The labels among these of things that stand in front of the house."""
MAX_BARRIERS = 0.2
"""Maximum mean share of BARRIERS in a window that the closer look decides on."""
MIN_CLOSE_GLASS, MIN_CLOSE_AGREED, MIN_CLOSE_AREA = 0.45, 0.33, 0.0008
"""Minimum mean of the closer look's glass and of agreed glass, and area (share of the photo), of such a window."""
MIN_HOUSE_AROUND = 0.8
"""Minimum share of house around such a window."""
OPENING_LIGHT = 0.08
"""A place whose luma (0-1) is higher than that around it by this is an opening with daylight behind it, or a white
door, unless the net is sure of glass.
"""
BRIGHT_PANES, BRIGHT_BOTH = 0.55, (0.42, 0.65)
"""Mean share of panes from which on a bright place is a window, or of panes and of the closer look's glass."""
MIN_WOOD_RED, MAX_WOOD_BLUE = 0.2, 0.67
"""Minimum red (0-1) of brown, and maximum blue relative to it."""
MIN_DOOR_ASPECT = 1.5
"""Minimum ratio of height to width of a door."""
MAX_WOOD = 0.6, 0.4
"""Maximum share of brown in a window, and in one with the shape of a door."""
RING = 2, 7
"""Distances in pixels between which something is around a window."""
MIN_WHOLE = 0.4
"""Minimum agreed glass in a pixel that belongs to a whole window."""
MIN_FOUND = 0.4
"""Minimum share of a whole window that was found; with less the window stays dark: a partly lit one looks wrong."""
SURE_PANES, SURE_GLASS, CERTAIN_PANES = 0.4, 0.5, 0.8
"""Means of the first and the closer look from which on a region is a window that no box fits; with the last one the
closer look may be unsure.
"""
SURE_AREAS = 0.0012, 0.12
"""Minimum and maximum area of such a window, as shares of the photo."""
MIN_FILLED = 0.72
"""Minimum share of its box that such a window fills."""
MAX_SURE_RISE, MAX_SURE_LIGHT = 0.04, 0.7
"""Maximum luma of such a window above that around it, and maximum luma."""
MIN_SIDE = 5
"""Minimum width and height, in pixels, of all parts of such a window."""
MIN_ROW = 0.5
"""Minimum share of such a window in a row or column, relative to the fullest one, that is completed to a pane."""


class Looks(NamedTuple):
    """Small maps, 0-1: panes in the whole photo, glass in crops, house, NO_PANES, BARRIERS, the luma, and wood."""

    panes: Plane
    glass: Plane
    house: Plane
    others: Plane
    barriers: Plane
    gray: Plane
    wood: Plane

    @property
    def agreed(self) -> Plane:
        """Agreed glass: the mean of panes and glass."""
        return plane((self.panes + self.glass) / 2)


class _Place(NamedTuple):
    """A region that may be a window: its slices with surroundings, itself and its surroundings in them."""

    around: tuple[slice, slice]
    inside: Mask
    ring: Mask

    def average(self, values: Plane) -> float:
        return float(values[self.around][self.inside].mean())

    def measure_light(self, gray: Plane) -> float:
        """Mean luma minus the median of that around it."""
        return self.average(gray) - float(np.median(gray[self.around][self.ring])) if self.ring.any() else 0.0


def keep_windows(found: Plane, looks: Looks) -> Plane:
    """Keep the windows that both looks confirm, and add windows that both are sure of but that were not found.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        The windows found, 0-1.
    looks : Looks
        Maps of the same size.

    Returns
    -------
    (h, w) ndarray of float32
        The windows, 0-1.
    """
    return exclude_partial_windows(add_sure_windows(exclude_other_glass(found, looks), looks), looks.agreed)


def exclude_other_glass(found: Plane, looks: Looks) -> Plane:
    """Remove found windows that are other things, by the net's labels, or openings through which daylight shines.

    A window that stays dark is a smaller fault than a lit door, vent or car.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        The windows found, 0-1.
    looks : Looks
        Maps of the same size.

    Returns
    -------
    (h, w) ndarray of float32
        The windows that remain, 0-1.
    """
    kept = np.zeros_like(found)
    for place in _list_places(np.asarray(found > 0, np.bool_)):
        if _is_window(place, looks):
            kept[place.around][place.inside] = found[place.around][place.inside]
    return kept


def _is_window(place: _Place, looks: Looks) -> bool:
    if _is_wood(place, looks):
        return False
    pane, other = place.average(looks.panes), place.average(looks.others)
    light = place.measure_light(looks.gray)
    if light > OPENING_LIGHT and not _is_bright_window(pane, place.average(looks.glass)):
        return False
    return (pane >= MIN_PANE and pane > other * MIN_PANE_RATIO) or (light < 0 and _is_seen_closer(place, looks))


def _is_wood(place: _Place, looks: Looks) -> bool:
    """Whether a place is brown like a wooden door or wall; doors are tall."""
    is_tall = bool(place.inside.any(1).sum() > MIN_DOOR_ASPECT * place.inside.any(0).sum())
    return place.average(looks.wood) > MAX_WOOD[is_tall]


def find_wood(small: Plane) -> Plane:
    """Find brown pixels.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        1 on brown, else 0; dark pixels are not brown, because they may be glass.
    """
    red, blue = small[..., 0], small[..., 2]
    return plane((red > MIN_WOOD_RED) & (blue < MAX_WOOD_BLUE * red))


def _is_bright_window(pane: float, glass: float) -> bool:
    return pane >= BRIGHT_PANES or (pane >= BRIGHT_BOTH[0] and glass >= BRIGHT_BOTH[1])


def _is_seen_closer(place: _Place, looks: Looks) -> bool:
    """Whether the closer look makes a place a window that the first one did not see."""
    return (
        place.average(looks.glass) >= MIN_CLOSE_GLASS
        and place.average(looks.agreed) >= MIN_CLOSE_AGREED
        and place.inside.sum() >= MIN_CLOSE_AREA * looks.gray.size
        and place.average(looks.barriers) < MAX_BARRIERS
        and bool(place.ring.any())
        and float(looks.house[place.around][place.ring].mean()) > MIN_HOUSE_AROUND
    )


def exclude_partial_windows(found: Plane, agreed: Plane) -> Plane:
    """Remove windows of which only a small part was found.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        The windows found, 0-1.
    agreed : (h, w) ndarray of float32
        Agreed glass, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        The windows that remain, 0-1.
    """
    marked = found > 0.3
    count, parts = cv2.connectedComponents(((agreed > MIN_WHOLE) | marked).astype(np.uint8))
    sizes = np.maximum(np.bincount(parts.ravel(), minlength=count), 1)
    found_share = np.bincount(parts.ravel(), plane(marked).ravel(), count) / sizes
    return plane(found * (found_share > MIN_FOUND)[parts])


def add_sure_windows(found: Plane, looks: Looks) -> Plane:
    """Add regions that both looks are sure of, in the shape of their agreed glass.

    Parameters
    ----------
    found : (h, w) ndarray of float32
        The windows found, 0-1.
    looks : Looks
        Maps of the same size.

    Returns
    -------
    (h, w) ndarray of float32
        The windows, 0-1, nowhere below `found`.
    """
    is_taken = cv2.dilate((found > 0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    seen = cv2.morphologyEx(
        ((looks.agreed > MIN_WHOLE) & ~is_taken).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5))
    )
    added = found.copy()
    for place in _list_places(np.asarray(seen > 0, np.bool_)):
        if _is_sure(place, looks):
            added[place.around][_complete(place.inside) & ~is_taken[place.around]] = 1
    return added


def _is_sure(place: _Place, looks: Looks) -> bool:
    area = place.inside.sum() / looks.gray.size
    rows, columns = place.inside.any(1).sum(), place.inside.any(0).sum()
    pane, glass = place.average(looks.panes), place.average(looks.glass)
    return not _is_wood(place, looks) and bool(
        SURE_AREAS[0] < area < SURE_AREAS[1]
        and place.inside.sum() > MIN_FILLED * rows * columns
        and ((pane > SURE_PANES and glass > SURE_GLASS) or pane > CERTAIN_PANES)
        and place.average(looks.barriers) < MAX_BARRIERS
        and place.average(looks.others) * MIN_PANE_RATIO < pane
        and place.measure_light(looks.gray) < MAX_SURE_RISE
        and place.average(looks.gray) < MAX_SURE_LIGHT
    )


def _complete(inside: Mask) -> Mask:
    """Complete a region with rounded corners to a rectangle."""
    rows, columns = inside.mean(1), inside.mean(0)
    full = (rows > MIN_ROW * rows.max())[:, None] & (columns > MIN_ROW * columns.max())[None]
    return np.asarray(inside | full, np.bool_)


def _list_places(marked: Mask) -> Iterator[_Place]:
    """The connected regions of a mask, each with what is around it."""
    count, parts, stats, _ = cv2.connectedComponentsWithStats(marked.astype(np.uint8))
    for part in range(1, count):
        left, top, width, height, _ = stats[part].tolist()
        around = np.s_[
            max(0, top - RING[1]) : top + height + RING[1], max(0, left - RING[1]) : left + width + RING[1]
        ]
        inside = np.asarray(parts[around] == part, np.bool_)
        near, far = (
            cv2.dilate(inside.astype(np.uint8), np.ones((2 * each + 1, 2 * each + 1), np.uint8)) for each in RING
        )
        yield _Place(around, inside, np.asarray((far > 0) & (near == 0), np.bool_))
