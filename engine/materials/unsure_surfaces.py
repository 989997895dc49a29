"""Measures whether a surface that the net found goes on beyond its border, or parts of it show something else."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.difference import srgb_to_lab
from engine.materials.unlike_pieces import find_unlike_pieces

BAND = (3, 12)
"""Distances, in pixels, of the strips on both sides of the border whose colors are compared."""
MEAN_SIDE = 15
"""Side, in pixels, of the square over which the colors of a strip are averaged."""
SAME_COLOR = 6.0
"""Difference in CIELAB below which both strips show the same floor."""
OTHER_COLOR = 40.0
"""Difference in CIELAB from which on a part apart from the rest is something else, whatever the light."""
BORDER = 8
"""Width, in pixels, of the picture's border, where nothing is compared."""
MIN_OUTLINE = 30
"""Least number of pixels of an outline that is judged."""


def measure_continued(share: Plane, small: Plane) -> float:
    """Measure how much of a floor's outline has the same color on both sides: there, the floor goes on.

    Tiles and boards have edges of their own, so an edge at the outline does not show that the floor ends.

    Parameters
    ----------
    share : (h, w) ndarray of float32
        The share of each pixel that shows the floor, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.

    Returns
    -------
    float
        Share of the outline within the picture, 0-1; 0 if it is too short to tell.
    """
    inside = np.asarray(share > 0.5)
    lab = plane(srgb_to_lab(_smooth(small)))
    depth, distance = (cv2.distanceTransform(side.astype(np.uint8), cv2.DIST_L2, 5) for side in (inside, ~inside))
    inner, own = _average(lab, np.asarray((depth > BAND[0]) & (depth < BAND[1])))
    outer, other = _average(lab, np.asarray((distance > BAND[0]) & (distance < BAND[1])))
    outline = (depth > 0) & (depth <= 1.5) & own & other
    outline[:BORDER] = outline[-BORDER:] = outline[:, :BORDER] = outline[:, -BORDER:] = False
    if np.count_nonzero(outline) < MIN_OUTLINE:
        return 0.0
    return float((np.linalg.norm(inner - outer, axis=-1)[outline] < SAME_COLOR).mean())


def find_things(share: Plane, small: Plane, *, cornered: bool = False) -> Mask:
    """Find pieces of another color with sharp outlines within a surface: lamps on walls, furniture on floors.

    Parameters
    ----------
    share : (h, w) ndarray of float32
        The share of each pixel that shows the surface, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    cornered : bool, default False
        Whether the surface has corners, as walls have, whose sides have other light.

    Returns
    -------
    (h, w) ndarray of bool
        Where they are.
    """
    inside = np.asarray(share > 0.5)
    nothing = np.zeros_like(inside)
    return find_unlike_pieces(inside, small, nothing, nothing, alone=True, cornered=cornered)


def find_strange_parts(share: Plane, small: Plane) -> Mask:
    """Find parts of a surface, apart from the rest, whose color is another one: the net took something else for it.

    Parameters
    ----------
    share : (h, w) ndarray of float32
        The share of each pixel that shows the surface, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.

    Returns
    -------
    (h, w) ndarray of bool
        Where these parts are; the largest part is never among them.
    """
    lab = plane(srgb_to_lab(_smooth(small)))
    count, parts, stats, _ = cv2.connectedComponentsWithStats((share > 0.5).astype(np.uint8))
    found = np.zeros(share.shape, np.bool_)
    if count < 3:
        return found
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    own = np.median(lab[parts == largest], axis=0)
    for number in set(range(1, count)) - {largest}:
        part = parts == number
        if float(np.linalg.norm(np.median(lab[part], axis=0) - own)) > OTHER_COLOR:
            found |= part
    return found


def _smooth(small: Plane) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.asarray(cv2.medianBlur(np.asarray(np.round(small * 255), np.uint8), 3), np.uint8)


def _average(lab: Plane, strip: Mask) -> tuple[Plane, Mask]:
    """The mean color of a strip around each pixel, and where the strip is near."""
    side = (MEAN_SIDE, MEAN_SIDE)
    near = cv2.blur(plane(strip), side)
    mean = cv2.blur(plane(lab * strip[..., None]), side) / np.maximum(near, np.float32(1e-3))[..., None]
    return plane(mean), np.asarray(near > 0.05)
