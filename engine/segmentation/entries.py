"""Finds the entries of a house, beside which a lamp usually hangs: its doors and garage doors."""

from typing import NamedTuple

import cv2
import numpy as np

from engine.arrays import Mask, Plane

MIN_DOOR, MIN_GARAGE_DOOR = 0.5, 0.5
"""Minimum share of doors and of garage doors in a pixel of one."""
DOOR_HEIGHTS, GARAGE_HEIGHTS = (0.08, 0.6), (0.06, 0.35)
"""Minimum and maximum height of doors and of garage doors, as shares of the picture's height."""
DOOR_ASPECTS, GARAGE_ASPECTS = (1.2, 4.5), (0.25, 1.15)
"""Minimum and maximum ratio of height to width of doors and of garage doors."""
MIN_FILLED = 0.6
"""Minimum share of its box that a door fills."""
MAX_ENTRIES = 4
"""Maximum number of entries of one photo; the largest are kept."""
ABOVE_DOOR = 0.06
"""Distance of the lamp above a door, in heights of the door."""
BESIDE_GARAGE, BELOW_TOP = 0.16, 0.1
"""Distance of the lamps from both sides of a garage door, and below its top, in its heights."""


class EntryPlace(NamedTuple):
    """Where a lamp of an entry would hang on a small map, the row of the ground below, and a door's height."""

    row: float
    column: float
    foot: float
    tall: float


def find_entries(door: Plane, garage_door: Plane) -> list[EntryPlace]:
    """Find where lamps of entries would hang.

    Parameters
    ----------
    door, garage_door : (h, w) ndarray of float32
        Shares of doors and of garage doors in each pixel, 0-1.

    Returns
    -------
    list of EntryPlace
        One place above each door, two beside each garage door, of at most MAX_ENTRIES of both.
    """
    height = len(door)
    found: list[tuple[int, list[EntryPlace]]] = []
    for left, top, wide, tall in _list_boxes(np.asarray(door > MIN_DOOR, np.bool_)):
        if _is_within(tall / height, DOOR_HEIGHTS) and _is_within(tall / wide, DOOR_ASPECTS):
            place = EntryPlace(top - ABOVE_DOOR * tall, left + wide / 2, top + tall, tall)
            found.append((wide * tall, [place]))
    for left, top, wide, tall in _list_boxes(np.asarray(garage_door > MIN_GARAGE_DOOR, np.bool_)):
        if _is_within(tall / height, GARAGE_HEIGHTS) and _is_within(tall / wide, GARAGE_ASPECTS):
            row, aside = top + BELOW_TOP * tall, BESIDE_GARAGE * tall
            columns = left - aside, left + wide + aside
            found.append((wide * tall, [EntryPlace(row, column, top + tall, tall) for column in columns]))
    largest = sorted(found, key=lambda each: -each[0])[:MAX_ENTRIES]
    return [place for _, places in largest for place in places]


def _list_boxes(marked: Mask) -> list[tuple[int, int, int, int]]:
    """Left, top, width and height of each region that fills its box."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(marked.astype(np.uint8))
    boxes = [tuple(map(int, stats[part])) for part in range(1, count)]
    return [(left, top, wide, tall) for left, top, wide, tall, area in boxes if area > MIN_FILLED * wide * tall]


def _is_within(value: float, limits: tuple[float, float]) -> bool:
    return limits[0] <= value <= limits[1]
