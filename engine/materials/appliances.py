"""Finds the cabinets without the appliances among them, because a room's surfaces count both as cabinets."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.canvas import Declined
from engine.geometry.surface import PLACE, Surface
from engine.materials.regions import MIN_SHARES, UNCERTAIN
from engine.types.enhancements import ChangeType
from engine.types.report import Reason

MAX_UNCERTAIN = 0.16
"""Greatest number of pixels that may be cabinet or appliance, per pixel that is certainly a cabinet."""
MIN_CHROMA = 14.0
"""Least chroma, in CIELAB, of cabinets from which fronts of another color can be distinguished."""
OTHER_CHROMA = 0.45
"""Share of the cabinets' chroma, along their hue, below which a pixel has another color than the cabinets."""
MIN_LIGHTNESS = 12.0
"""Least lightness, in CIELAB, of a pixel whose color is reliable."""
MIN_FRONT = 0.03
"""Least area of a front of another color, as a share of the cabinets."""
MIN_SOLID = 0.4
"""Least share of its bounding box that a front covers."""
GAP = 110
"""The picture's width divided by this is the greatest width of parts that are too narrow to be fronts."""
_UNCLEAR = "The cabinets cannot be told from the appliances well enough in this photo."


def exclude_appliances(share: Plane, surfaces: Plane, appliances: Plane, small: Plane) -> Plane:
    """Exclude appliances from cabinets: appliances that the net finds, and fronts of another color.

    Parameters
    ----------
    share : (h, w) ndarray of float32
        The share of each pixel that shows cabinets or appliances, 0-1.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.
    appliances : (h, w) ndarray of float32
        The net's share of appliances in each pixel, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        The share without them, 0-1.

    Raises
    ------
    Declined
        SURFACE_UNCLEAR, if too many pixels may be cabinet or appliance; SURFACE_NOT_FOUND, if hardly any cabinets
        are left.
    """
    own = plane(np.clip(surfaces[..., PLACE[Surface.CABINET]] - appliances, 0, 1))
    uncertain, certain = ((own > UNCERTAIN[0]) & (own < UNCERTAIN[1])).mean(), (own >= UNCERTAIN[1]).mean()
    if uncertain > certain * MAX_UNCERTAIN:
        raise Declined(Reason.SURFACE_UNCLEAR, _UNCLEAR)
    cabinets = plane(share * (own > 0.5))
    cabinets = plane(cabinets * ~_find_other_fronts(np.asarray(cabinets > 0.5), small))
    if float(cabinets.mean()) < MIN_SHARES[ChangeType.CABINETS]:
        raise Declined(Reason.SURFACE_NOT_FOUND, "Only appliances, no cabinets could be made out in this photo.")
    return cabinets


def _find_other_fronts(cabinets: Mask, small: Plane) -> Mask:
    """Find large parts that are much grayer than the cabinets, or of another hue; none among gray cabinets."""
    found = np.zeros_like(cabinets)
    if not cabinets.any():
        return found
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.5), cv2.COLOR_RGB2LAB)
    usual = np.median(lab[cabinets][:, 1:], axis=0)
    chroma = float(np.hypot(*usual))
    if chroma < MIN_CHROMA:
        return found
    other = cabinets & (lab[..., 1:] @ usual / chroma < OTHER_CHROMA * chroma) & (lab[..., 0] > MIN_LIGHTNESS)
    side = max(3, round(small.shape[1] / GAP))
    solid = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    _, numbers, stats, _ = cv2.connectedComponentsWithStats(solid)
    areas = stats[:, cv2.CC_STAT_AREA]
    boxes = stats[:, cv2.CC_STAT_WIDTH] * stats[:, cv2.CC_STAT_HEIGHT]
    fronts = (areas >= MIN_FRONT * np.count_nonzero(cabinets)) & (areas >= MIN_SOLID * boxes)
    fronts[0] = False
    return np.asarray(fronts[numbers])
