"""Measures whether a new floor covers legs of furniture: narrow pieces below things that only the photo shows."""

import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.color.srgb import srgb_to_linear
from engine.segmentation.floor_things import find_leg_contrast, list_legs, measure_narrow_contrast

MAX_KEPT = 0.4
"""Largest contrast of a leg in the result, as a share of that in the photo, for the leg to be lost."""


def measure_lost_legs(before: Pixels, after: Pixels, floor: Mask, surfaces: Plane) -> float:
    """Measure the height of the highest leg that a new floor covered.

    Parameters
    ----------
    before, after : (h, w, 3) ndarray of uint8
        Photo and result, gamma-coded sRGB.
    floor : (h, w) ndarray of bool
        Where there is a new floor.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The photo's surfaces: shares, 0-1.

    Returns
    -------
    float
        As a share of the long side; 0 if no leg was lost.
    """
    if not floor.any():
        return 0.0
    was, now = (
        measure_narrow_contrast(floor, rgb_to_gray(srgb_to_linear(plane(each) / np.float32(255))), within=True)
        for each in (before, after)
    )
    lost = [
        leg
        for old, new in zip(was, now, strict=True)
        for leg in list_legs(floor & (old > find_leg_contrast(old[floor])) & (new < MAX_KEPT * old), surfaces)
    ]
    height = max((np.count_nonzero(each.any(1)) for each in lost), default=0)
    return float(height / max(floor.shape))
