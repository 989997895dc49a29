"""Makes the full-size matte of the sky, exact at twigs, wires and roof lines, from the small map of the sky."""

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane
from engine.filters.guided import refine_mask
from engine.filters.morphology import dilate
from engine.filters.strips import enlarge_map, map_rows, round_to_bytes, run_strips
from engine.segmentation.chroma_key import KeyMaps, key_sky
from engine.segmentation.labels import Kind
from engine.segmentation.thin_things import keep_thin_things

MIN_SHARE = 0.1
"""Share of sky from which on a pixel of the small picture may show sky through a gap."""
REACH = 0.012
"""Half the longest way from one gap to the next, or to the sky, as a share of the long side."""
MAX_SHARE = 0.9
"""Share of sky up to which a pixel of the small picture may show a thing in front of the sky."""
SPECK_REACH = 2
"""Pixels of the small picture: half the longest way from one thing in front of the sky to the next."""
MIN_WIRE = 0.2
"""Share of wires from which on a thing may hang in the sky."""


def make_sky_matte(pixels: Pixels, small: Plane, picture: Pixels, shares: Plane, sky: Plane, wires: Plane) -> Matte:
    """Make the matte of the sky.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in its own color space.
    small : (h, w, 3) ndarray of float32
        The small picture, 0-1, in the same color space.
    picture : ndarray of uint8
        The photo with a long side of up to 1600 pixels, in the same color space.
    shares : (h, w, len(Kind)) ndarray of float32
        The net's shares of each kind, 0-1.
    sky, wires : (h, w) ndarray of float32
        The sky, with the wires in front of it, and the wires, 0-1.

    Returns
    -------
    (H, W) ndarray of uint8
        The share of sky in each pixel, 0-255.
    """
    outlined = refine_mask(sky, small, pixels, radius=4, softness=2e-4)
    things = (plane(shares[..., kind]) for kind in (Kind.TREES, Kind.BUILDING, Kind.GROUND))
    keyed = key_sky(outlined, pixels, small, KeyMaps(sky, *things))
    found = keep_thin_things(keyed, pixels, picture, sky, wires)
    share = plane(cv2.resize(found, sky.shape[::-1], interpolation=cv2.INTER_AREA)) / np.float32(255)
    _set(found, _find_unreached(share, sky), 0)
    _set(found, _find_specks(share, sky, wires), 255)
    return found


def _find_unreached(share: Plane, sky: Plane) -> Mask:
    """Find, in the small picture, things far from the sky that have its color, such as a hill or a fence.

    Sky shows through a tree in many gaps, from its outline inwards.
    """
    open_sky = np.asarray(sky > 0.5)
    seen = np.asarray((share > MIN_SHARE) | open_sky)
    return _find_apart(seen, open_sky, max(2, round(REACH * max(sky.shape))))


def _find_specks(share: Plane, sky: Plane, wires: Plane) -> Mask:
    """Find, in the small picture, single specks in the open sky: they are dark rims of clouds, not things."""
    things = np.asarray((sky < 0.5) | (wires > MIN_WIRE))
    things[[0, -1]] = True
    things[:, [0, -1]] = True
    return _find_apart(np.asarray((share < MAX_SHARE) | things), things, SPECK_REACH)


def _find_apart(seen: Mask, anchor: Mask, reach: int) -> Mask:
    """The parts of `seen`, widened by `reach`, that do not touch the anchor, a part of it."""
    joined = dilate(seen, reach)
    count, parts = cv2.connectedComponents(joined.astype(np.uint8))
    is_reached = np.zeros(count, np.bool_)
    is_reached[np.unique(parts[anchor])] = True
    return np.asarray(joined & ~is_reached[parts])


def _set(found: Matte, places: Mask, value: int) -> None:
    """Set a matte to the value in places of the small picture."""
    height, width = found.shape
    changed = plane(places)

    def fill(rows: slice) -> None:
        if places[map_rows(rows, height, len(places))].any():
            weight = enlarge_map(changed, (height, width), rows)
            found[rows] = round_to_bytes(plane(found[rows] + weight * (np.float32(value) - found[rows])))

    if places.any():
        run_strips(found.shape, fill)
