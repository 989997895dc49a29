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
"""Distance, as a share of the long side, of half the longest way from one gap to the next, or to the sky."""


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
        The sky, with the wires before it, and the wires, 0-1.

    Returns
    -------
    (H, W) ndarray of uint8
        The share of sky in each pixel, 0-255.
    """
    outlined = refine_mask(sky, small, pixels, radius=4, softness=2e-4)
    things = (plane(shares[..., kind]) for kind in (Kind.TREES, Kind.BUILDING, Kind.GROUND))
    keyed = key_sky(outlined, pixels, small, KeyMaps(sky, *things))
    found = keep_thin_things(keyed, pixels, picture, sky, wires)
    _clear(found, _find_unreached(found, sky))
    return found


def _find_unreached(found: Matte, sky: Plane) -> Mask:
    """Find, in the small picture, what has the color of the sky far from it, such as a hill or a fence.

    Sky shows through a tree in many gaps, from its outline inwards.
    """
    share = cv2.resize(found, sky.shape[::-1], interpolation=cv2.INTER_AREA) > 255 * MIN_SHARE
    open_sky = sky > 0.5
    joined = dilate(np.asarray(share | open_sky), max(2, round(REACH * max(sky.shape))))
    count, parts = cv2.connectedComponents(joined.astype(np.uint8))
    is_reached = np.zeros(count, np.bool_)
    is_reached[np.unique(parts[open_sky])] = True
    return np.asarray(joined & ~is_reached[parts])


def _clear(found: Matte, unreached: Mask) -> None:
    height, width = found.shape
    kept = plane(~unreached)

    def fill(rows: slice) -> None:
        if unreached[map_rows(rows, height, len(unreached))].any():
            found[rows] = round_to_bytes(plane(found[rows] * enlarge_map(kept, (height, width), rows)))

    if unreached.any():
        run_strips(found.shape, fill)
