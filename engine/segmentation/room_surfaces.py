"""Segments the surfaces of a room; in photos taken outdoors the most similar ones."""

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.filters.edge_aware import snap_to_edges
from engine.geometry.surface import PLACE, Surface
from engine.segmentation.labels import NUMBER, Kind, Label, labels_to_surfaces
from engine.segmentation.network import NetworkOutput, run_network
from engine.segmentation.shares import resize_shares

MIN_LAMP_SHARE = 0.4
"""Minimum share of lamp in a pixel that counts as a lamp."""
MIN_CARRYING_SHARE = 0.4
"""A lamp counts as standing if more than this share of the pixels right below it are CARRYING_SURFACES."""
CARRYING_SURFACES = (
    Surface.FURNITURE,
    Surface.CLUTTER,
    Surface.FLOOR,
    Surface.RUG,
    Surface.COUNTERTOP,
    Surface.CABINET,
)
_OUTSIDE = {
    Kind.FLOOR: Surface.FLOOR,
    Kind.WALL: Surface.WALL,
    Kind.CEILING: Surface.CEILING,
    Kind.WINDOW: Surface.WINDOW,
    Kind.THINGS: Surface.FURNITURE,
}


def segment_room(picture: Pixels, output: NetworkOutput | None = None) -> Plane:
    """Segment the surfaces of a room, with borders along edges of the picture.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        The small picture, gamma-coded sRGB.
    output : NetworkOutput, optional
        The net's output for this picture; if None, the net is run.

    Returns
    -------
    (h, w, len(Surface)) ndarray of float32
        Shares of each surface, 0-1, summing to 1.
    """
    labels = (output or run_network(picture)).labels
    return snap_to_edges(resize_shares(_assign_lamps(labels_to_surfaces(labels), labels), picture.shape), picture)


def _assign_lamps(surfaces: Plane, labels: Plane) -> Plane:
    """Make lamps that stand on something FURNITURE; lamps on walls and ceilings stay OTHER."""
    share = labels[..., NUMBER[Label.LAMP]]
    carried = surfaces[..., [PLACE[each] for each in CARRYING_SURFACES]].sum(-1) > 0.5
    count, parts = cv2.connectedComponents((share > MIN_LAMP_SHARE).astype(np.uint8))
    result = surfaces.copy()
    for number in range(1, count):
        lamp = parts == number
        lowest = np.flatnonzero(lamp.any(1))[-1]
        below = np.zeros_like(lamp)
        below[lowest + 1 : lowest + 4] = lamp[max(0, lowest - 2) : lowest + 1].any(0)
        if below.any() and carried[below].mean() > MIN_CARRYING_SHARE:
            moved_share = np.where(cv2.dilate(lamp.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, share, 0)
            result[..., PLACE[Surface.FURNITURE]] += moved_share
            result[..., PLACE[Surface.OTHER]] -= moved_share
    return plane(np.maximum(result, 0))


def kinds_to_surfaces(kinds: Plane) -> Plane:
    """Convert the kinds in a photo taken outdoors to the most similar surfaces of a room.

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
