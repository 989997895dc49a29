"""Finds rugs and thin legs of furniture that were taken for floor."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.color.srgb import srgb_to_linear
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gaussian_blur
from engine.geometry.surface import PLACE, Surface

MIN_LIGHT = 0.008
"""Linear light that is added before colors are compared: the color of dark pixels is noise."""
MIN_COLOR_DISTANCE = 0.8
"""Least distance of a rug's color from the floor's: logarithms of the ratios of red and blue to green.

Two lights of other colors on one carpet differ by up to 0.5.
"""
UNUSUAL = 2.5
"""Least distance of a rug's color, as a multiple of the distance that most of the other floor has: floors may have
many colors.
"""
RUG_AREAS = (0.0015, 0.4)
"""Least area of a rug, as a share of the picture, and greatest area, as a share of the floor."""
MAX_RUGS = 4
"""Greatest number of rugs; if there are more such patches, they are pieces of a pattern."""
MIN_SHARP = 0.9
"""Least share of a rug's outline where its color changes within a few pixels; reflected colors fade slowly."""
STEP_REACH = 3
"""Pixels to each side of an outline between which colors are compared."""
LEG_WIDTH = 1 / 36
"""Greatest width of a leg, as a share of the picture's long side."""
MIN_LEG_HEIGHT = 1 / 64
"""Least height of a leg, as a share of the picture's long side."""
MIN_LEG_CONTRAST = 0.3
"""Least difference between a leg and the floor on both sides, in natural logarithms of luminance."""
USUAL_QUANTILE, USUAL_FACTOR = 0.96, 1.3
"""A leg's difference is larger than that of nearly all places of the floor, by this factor."""
STANDING = (Surface.FURNITURE, Surface.CLUTTER, Surface.OTHER, Surface.CABINET, Surface.COUNTERTOP)
"""Surfaces that stand on legs."""


def find_floor_things(share: Plane, small: Plane, surfaces: Plane) -> Mask:
    """Find rugs and legs of furniture within the area that was taken for floor.

    Parameters
    ----------
    share : (h, w) ndarray of float32
        The share of floor in each pixel, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.

    Returns
    -------
    (h, w) ndarray of bool
        Where they are.
    """
    floor = np.asarray(share > 0.5)
    if not floor.any():
        return floor
    light = srgb_to_linear(small)
    legs = _find_legs(floor, rgb_to_gray(light), surfaces)
    return np.asarray(_find_rugs(floor, light) | legs)


def _find_rugs(floor: Mask, light: Plane) -> Mask:
    """Patches of another color than the floor's, with a sharp outline; light alone does not change the color."""
    ratios = np.log(light + np.float32(MIN_LIGHT))
    color = np.stack([ratios[..., 0] - ratios[..., 1], ratios[..., 2] - ratios[..., 1]], -1)
    smooth = plane(np.stack([cv2.medianBlur(plane(color[..., each]), 5) for each in (0, 1)], -1))
    core = erode(floor, 3)
    usual = _find_mode(smooth[core if core.any() else floor])
    distance = plane(np.hypot(*np.moveaxis(smooth - usual, -1, 0)))
    far = np.asarray(floor & (distance > MIN_COLOR_DISTANCE)).astype(np.uint8)
    other = cv2.morphologyEx(far, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(other)
    areas = boxes[:, cv2.CC_STAT_AREA]
    large = [number for number in range(1, count) if areas[number] > RUG_AREAS[0] * floor.size]
    found, rest = np.zeros_like(floor), floor & (other == 0)
    if len(large) > MAX_RUGS or not rest.any():
        return found
    for number in large:
        patch = labels == number
        if (
            areas[number] < RUG_AREAS[1] * np.count_nonzero(floor)
            and float(np.median(distance[patch])) > UNUSUAL * float(np.quantile(distance[rest], 0.8))
            and _measure_sharpness(patch, floor, smooth) > MIN_SHARP
        ):
            found |= _fill_hull(patch)
    return found & floor


def _fill_hull(patch: Mask) -> Mask:
    """The convex hull of a patch: only the border of a rug may have another color than the floor."""
    hull = cv2.convexHull(np.argwhere(patch)[:, ::-1].astype(np.int32))
    return np.asarray(cv2.fillConvexPoly(np.zeros(patch.shape, np.uint8), hull, 1) > 0)


def _find_mode(colors: Plane) -> Plane:
    """The most common color: the median of the colors near the previous median, repeated."""
    usual = np.median(colors, axis=0)
    for _ in range(4):
        near = np.hypot(*(colors - usual).T)
        usual = np.median(colors[near <= np.median(near)], axis=0)
    return plane(usual)


def _measure_sharpness(patch: Mask, floor: Mask, color: Plane) -> float:
    """The share of a patch's outline within the floor where the color steps to that of the floor."""
    inner, outer = erode(patch, STEP_REACH), floor & ~dilate(patch, STEP_REACH)
    if not inner.any() or not outer.any():
        return 0.0
    reach = 2 * STEP_REACH
    outline = dilate(patch, 1) & ~patch & dilate(outer, reach) & floor
    if np.count_nonzero(outline) < 20:
        return 0.0
    sides = []
    for mask in (inner, outer):
        weight = gaussian_blur(plane(mask), reach / 2)
        blurred = np.stack([gaussian_blur(plane(color[..., each] * mask), reach / 2) for each in (0, 1)], -1)
        sides.append(blurred / np.maximum(weight, 1e-3)[..., None])
    step = np.hypot(*np.moveaxis(sides[0] - sides[1], -1, 0))
    whole = float(np.hypot(*(np.median(color[inner], axis=0) - np.median(color[outer], axis=0))))
    return float((step[outline] > 0.6 * whole).mean())


def _find_legs(floor: Mask, gray: Plane, surfaces: Plane) -> Mask:
    """Narrow, upright pieces below standing things that are darker or lighter than the floor beside them."""
    legs = np.zeros_like(floor)
    for contrast in measure_narrow_contrast(floor, gray):
        odd = floor & (contrast > find_leg_contrast(contrast[floor]))
        for leg in list_legs(odd, surfaces):
            legs |= leg
    return dilate(legs, 1) & floor


def measure_narrow_contrast(floor: Mask, gray: Plane, *, within: bool = False) -> tuple[Plane, Plane]:
    """Measure how much darker, and how much lighter, each pixel is than the floor to its left and right.

    Parameters
    ----------
    floor : (h, w) ndarray of bool
        Where the floor is.
    gray : (h, w) ndarray of float32
        Linear luminance, 0-1.
    within : bool, default False
        Whether only floor counts beside dark pieces; if not, legs at the floor's border count as well.

    Returns
    -------
    darker, lighter : (h, w) ndarray of float32
        In natural logarithms of luminance; 0 in pieces that are wider than a leg.
    """
    values = plane(np.log(np.maximum(gray, MIN_LIGHT / 2)))
    across = np.ones((1, max(5, round(LEG_WIDTH * max(floor.shape)))), np.uint8)
    dark = plane(np.where(floor, values, -10.0)) if within else values
    # Light floor between dark things is no light leg: beside light pieces, only floor counts.
    light = plane(np.where(floor, -values, -10.0))
    darker, lighter = (plane(cv2.morphologyEx(each, cv2.MORPH_CLOSE, across) - each) for each in (dark, light))
    return darker, lighter


def find_leg_contrast(contrast: Plane) -> float:
    """Find the contrast from which on a piece may be a leg: more than nearly all places of the floor have.

    Parameters
    ----------
    contrast : (n,) ndarray of float32
        Contrasts of the floor's pixels, as of `measure_narrow_contrast`.

    Returns
    -------
    float
        In natural logarithms of luminance.
    """
    return max(MIN_LEG_CONTRAST, USUAL_FACTOR * float(np.quantile(contrast, USUAL_QUANTILE)))


def list_legs(odd: Mask, surfaces: Plane) -> list[Mask]:
    """List the pieces that are as high and narrow as legs, and begin right below a thing that stands.

    Parameters
    ----------
    odd : (h, w) ndarray of bool
        Pixels that may be legs.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.

    Returns
    -------
    list of (h, w) ndarray of bool
        One mask for each leg.
    """
    things = surfaces[..., [PLACE[each] for each in STANDING]].sum(-1) > 0.5
    # Joints and noise are narrower than legs.
    wide = cv2.morphologyEx(odd.astype(np.uint8), cv2.MORPH_OPEN, np.ones((1, 2), np.uint8))
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(wide)
    found = []
    for number in range(1, count):
        left, top, box_width, high, area = boxes[number]
        # Pieces that lie down are shadows along things.
        narrow = high >= box_width and high > 1.5 * area / high and area >= 2 * high
        above = things[max(0, top - 4) : top + 2, max(0, left - 2) : left + box_width + 2]
        if narrow and high >= round(MIN_LEG_HEIGHT * max(odd.shape)) and above.any():
            found.append(np.asarray(labels == number))
    return found
