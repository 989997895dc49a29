"""Segmentation of the parts of a room; for photos taken outdoors the nearest equivalents."""

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.filters.edge_aware import snap_to_edges
from engine.geometry.surface import PLACE, Surface
from engine.segmentation.labels import NUMBER, Kind, Label, labels_to_surfaces
from engine.segmentation.network import NetworkOutput, run_network
from engine.segmentation.shares import resize_shares

LAMP = 0.4
"""Least share of lamp for a pixel to count as a lamp."""
MOSTLY = 0.4
"""A lamp stands on what is right below it if more than this share of it can carry one (CARRYING)."""
CARRYING = (Surface.FURNITURE, Surface.CLUTTER, Surface.FLOOR, Surface.RUG, Surface.COUNTERTOP, Surface.CABINET)
_OUTSIDE = {
    Kind.FLOOR: Surface.FLOOR,
    Kind.WALL: Surface.WALL,
    Kind.CEILING: Surface.CEILING,
    Kind.WINDOW: Surface.WINDOW,
    Kind.THINGS: Surface.FURNITURE,
}


def segment_room(picture: Pixels, known: NetworkOutput | None = None) -> Plane:
    """Segment the parts of a room, their borders along the picture's edges.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        The small picture, gamma-coded sRGB.
    known : NetworkOutput, optional
        The net's output for this picture; None: the net is run.

    Returns
    -------
    (h, w, len(Surface)) ndarray of float32
        Shares of each surface, 0-1, summing to 1.
    """
    labels = (known or run_network(picture)).labels
    return snap_to_edges(resize_shares(_assign_lamps(labels_to_surfaces(labels), labels), picture.shape), picture)


def _assign_lamps(surfaces: Plane, labels: Plane) -> Plane:
    """Count lamps that stand on something as furniture; lamps on walls and ceilings stay OTHER."""
    share = labels[..., NUMBER[Label.LAMP]]
    carried = surfaces[..., [PLACE[each] for each in CARRYING]].sum(-1) > 0.5
    count, parts = cv2.connectedComponents((share > LAMP).astype(np.uint8))
    result = surfaces.copy()
    for number in range(1, count):
        part = parts == number
        lowest = np.flatnonzero(part.any(1))[-1]
        below = np.zeros_like(part)
        below[lowest + 1 : lowest + 4] = part[max(0, lowest - 2) : lowest + 1].any(0)
        if below.any() and carried[below].mean() > MOSTLY:
            moved = np.where(cv2.dilate(part.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, share, 0)
            result[..., PLACE[Surface.FURNITURE]] += moved
            result[..., PLACE[Surface.OTHER]] -= moved
    return plane(np.maximum(result, 0))


def kinds_to_surfaces(kinds: Plane) -> Plane:
    """The nearest surfaces of a room for each kind in a photo taken outdoors.

    Parameters
    ----------
    kinds : (h, w, len(Kind)) ndarray of float32
        Shares of each kind, 0-1, summing to 1.

    Returns
    -------
    (h, w, len(Surface)) ndarray of float32
        Shares of each surface, 0-1, summing to 1.
    """
    parts = np.zeros((len(Surface), *kinds.shape[:2]), np.float32)
    for kind in Kind:
        parts[PLACE[_OUTSIDE.get(kind, Surface.OTHER)]] += kinds[..., kind]
    return plane(np.moveaxis(parts, 0, -1))
