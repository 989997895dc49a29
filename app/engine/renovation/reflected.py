"""What a polished surface mirrors: what stands behind its far edge, upside down, more of it at a flat glance."""

import cv2
import numpy as np

from app.engine.arrays import Mask, Plane, blurred, plane, ramp

LEAST_GLOSS = 0.25
STRAIGHT_ON = 0.04
"""The share of light that polished stone or lacquer mirrors when looked at straight."""
ROUGHEST = 9.0


def reflected(light: Plane, own: Mask, glance: Plane, gloss: float) -> Plane:
    """The light (x 3, linear) that a level surface of this gloss mirrors at each of its pixels (small maps).

    `glance` is the sine of the angle at which it is looked at. What is mirrored is what stands in the same column
    as far above the surface's far edge as the pixel is below it.
    """
    if gloss < LEAST_GLOSS:
        return plane(np.zeros_like(light))
    height, width = own.shape
    rows = np.arange(height, dtype=np.float32)[:, None]
    # The last row above each pixel that is not of the surface.
    edge = np.maximum.accumulate(np.where(own, -1, rows), axis=0)
    source = 2 * edge + 1 - rows
    seen = own & (edge >= 0) & (source >= 0)
    columns = np.tile(np.arange(width, dtype=np.float32), (height, 1))
    mirrored = cv2.remap(light, columns, plane(source), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    weight = plane(seen)
    soft = 1.0 + ROUGHEST * (1 - gloss) ** 1.5
    # Rough surfaces draw mirrored things out, most of all upright.
    blur = (0, 0)
    top = cv2.GaussianBlur(mirrored * weight[..., None], blur, soft, sigmaY=2.2 * soft)
    under = np.maximum(cv2.GaussianBlur(weight, blur, soft, sigmaY=2.2 * soft), 1e-3)
    share = STRAIGHT_ON + (1 - STRAIGHT_ON) * (1 - np.clip(glance, 0, 1)) ** 5
    share = share * gloss**1.5 * blurred(weight, 1.5) * ramp(plane(source), 0, 4)
    return plane(top / under[..., None] * np.minimum(share, 0.5)[..., None])
