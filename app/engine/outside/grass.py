"""Green lawn: brown or patchy grass reads lush and green, blade by blade."""

import cv2
import numpy as np

from app.domain.quality import Reason
from app.engine.arrays import Pixels, plane
from app.engine.fullsize import rounded, tripled, worked
from app.engine.outside.sky import require_outdoors
from app.engine.step import Canvas, Declined, Worked

LEAST_LAWN = 0.008
# Chroma (Cr, Cb offsets per unit of luma) of healthy turf in sun; dry grass lies at about (+0.05, -0.15).
LUSH_RED, LUSH_BLUE = -0.085, -0.20
STRENGTH = 0.8
KEPT_VARIETY = 0.45
DARKENED = 0.93


def green_lawn(canvas: Canvas) -> Worked:
    """Move the lawn's colour towards lush green, keeping its light, its shadows and some of its variety.

    Declines without lawn (NO_LAWN) and indoors (NOT_EXTERIOR).
    """
    require_outdoors(canvas)
    scene = canvas.scene
    if scene.lawn.mean() < LEAST_LAWN:
        raise Declined(Reason.NO_LAWN, "No lawn was found in this photo.")
    return Worked(_greened(canvas), region=scene.lawn, matte=scene.lawn_matte)


def _greened(canvas: Canvas) -> Pixels:
    matte = canvas.scene.lawn_matte

    def strip_of(strip: Pixels, rows: slice) -> Pixels:
        inside = matte[rows]
        if not (inside > 7).any():
            return strip
        share = np.clip((plane(inside) / 255 - 0.03) / 0.9, 0, 1)
        coded = plane(cv2.cvtColor(strip, cv2.COLOR_RGB2YCrCb))
        luma, red, blue = coded[..., 0], coded[..., 1] - 128, coded[..., 2] - 128
        red_move = (LUSH_RED * luma + KEPT_VARIETY * np.minimum(red, 0) - red) * STRENGTH
        blue_move = (LUSH_BLUE * luma + KEPT_VARIETY * 0.5 * blue - blue) * STRENGTH
        coded[..., 1] += red_move * share
        coded[..., 2] += np.minimum(blue_move, 4) * share
        coded[..., 0] *= 1 - (1 - DARKENED) * share
        turned = cv2.cvtColor(rounded(coded), cv2.COLOR_YCrCb2RGB)
        return np.where(tripled(plane(share)) > 0, np.asarray(turned, np.uint8), strip)

    return worked(canvas.pixels, strip_of)
