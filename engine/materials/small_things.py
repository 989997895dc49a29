"""Finds small things on walls and cabinets, which stay when the surface changes: handles, sockets."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import dilate, erode

EDGE_WIDTH = 5
"""Width, in pixels, of a surface's edge; a thing that lies only in this edge does not count."""
MIN_THING_CONTRAST = 0.15
"""Least difference in luminance between a thing and the surface around it; gamma-coded, 0-1."""
MAX_THINGS = 0.012
"""Greatest share of a surface that things cover; if there are more, they are a pattern of the surface."""
MIN_WOOD_COLOR = 0.15
"""Least saturation of a colored surface, 0-1."""
MAX_THING_COLOR = 0.6
"""Greatest saturation of a thing on a colored surface, as a share of the surface's."""
MAX_SOFT = 0.45
"""Greatest contrast right beside a thing, as a share of its own: reflected lamps have soft edges."""
AROUND_THINGS = 0.5
"""Value, in a map of things, of pixels beside a thing."""
ROUND = 2.5
"""Ratio of the spreads of a thing in its two directions up to which it is round."""
BEYOND = 5
"""Number of pixels beyond the end of a thing in which it may continue."""
SAME_LINE = 0.35
"""Contrast beyond the end of a thing, as a share of its own, from which on it is a piece of a line."""


def find_things_on_surface(share: Plane, small: Plane) -> Plane:
    """Find small things on a surface that are much darker or lighter than it: handles, sockets.

    Long dark lines are gaps between fronts; neither these nor pieces of them are things. On a colored surface,
    which is mostly wood, only less colored places are things, because dark and light wood is not a thing.

    Parameters
    ----------
    share : (h, w) ndarray of float32
        The share of each pixel that shows the surface, 0-1.
    small : (h, w, 3) ndarray of float32
        The picture, gamma-coded sRGB, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        1 on a thing, AROUND_THINGS beside it, where its edge may be, else 0; all 0 if the things are a pattern.
    """
    side = max(share.shape)
    reach = max(5, side // 28) | 1
    inside, gray = np.asarray(share > 0.5), rgb_to_gray(small)
    mean = float(gray[inside].mean()) if inside.any() else 0.5
    usual = np.asarray(np.where(inside, gray, mean) * 255, np.uint8)
    apart = plane((gray - plane(cv2.medianBlur(usual, reach)) / np.float32(255)) * inside)
    odd = np.abs(apart) > MIN_THING_CONTRAST
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(odd.astype(np.uint8), connectivity=8)
    sizes = boxes[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(1)
    # Pixels along the surface's edge also show other surfaces, so they are not things.
    deep = np.zeros(count, np.bool_)
    deep[labels[erode(inside, EDGE_WIDTH)]] = True
    # Handles and sockets fill their boxes; pieces of joints and lines do not.
    full = boxes[:, cv2.CC_STAT_AREA] > 0.3 * boxes[:, cv2.CC_STAT_WIDTH] * boxes[:, cv2.CC_STAT_HEIGHT]
    few = (sizes < 0.05 * side) & deep & full
    few[0] = False
    saturation = (small.max(-1) - small.min(-1)) / (small.max(-1) + np.float32(0.1))
    colored = float(np.median(saturation[inside])) if inside.any() else 0.0
    # One pixel to each side, because pieces of one line may be a little askew.
    brighter, darker = (plane(cv2.dilate(plane(sign * apart), np.ones((3, 3), np.uint8))) for sign in (1, -1))
    for number in np.flatnonzero(few):
        piece = labels == number
        contrast = float(apart[piece].mean())
        is_wood = colored > MIN_WOOD_COLOR and float(np.median(saturation[piece])) > MAX_THING_COLOR * colored
        beside = np.asarray(dilate(piece, 3) & ~dilate(piece, 1) & inside)
        is_soft = beside.any() and float(np.abs(apart[beside]).mean()) > MAX_SOFT * abs(contrast)
        alike = (brighter if contrast > 0 else darker) > SAME_LINE * abs(contrast)
        few[number] = not (is_wood or is_soft or _continues(piece, alike))
    # Many things are a pattern: tiles, boards.
    if float(few[labels].sum()) > MAX_THINGS * float(inside.sum()):
        few[:] = False
    things = cv2.morphologyEx(few[labels].astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    around = cv2.dilate(things, np.ones((5, 5), np.uint8)) * np.float32(AROUND_THINGS)
    return plane(np.maximum(things, around))


def _continues(piece: Mask, alike: Mask) -> bool:
    """Whether a piece continues beyond one of its ends, like pieces of gaps, edges and trim.

    `alike` is where pixels differ from the surface in the same way as the piece.
    """
    rows, columns = np.nonzero(piece)
    places = np.stack([columns, rows], 1).astype(np.float64)
    middle = places.mean(0)
    spreads, ways = np.linalg.eigh(np.cov((places - middle).T, bias=True) + 0.1 * np.eye(2))
    # A round thing has no direction, so it is a piece if it continues at both ends of any direction.
    long = spreads[1] > ROUND * spreads[0]
    for way in ways.T[1:] if long else ways.T:
        along = (places - middle) @ way
        ends = []
        for end, sign in ((along.max(), 1), (along.min(), -1)):
            steps = end + sign * np.arange(3, 3 + BEYOND)
            x, y = np.rint(middle[:, None] + way[:, None] * steps).astype(int)
            seen = (x >= 0) & (y >= 0) & (x < alike.shape[1]) & (y < alike.shape[0])
            ends.append(float(alike[y[seen], x[seen]].sum()) > 0.5 * len(steps))
        if any(ends) if long else all(ends):
            return True
    return False
