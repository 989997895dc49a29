"""Which of many overlapping boxes stand for windows: those that hold much glass, little else, and end at edges."""

import cv2
import numpy as np
from numpy.typing import NDArray

from app.engine.arrays import Plane, plane
from app.engine.scene.window_boxes import Boxes
from app.engine.scene.window_signs import Means, summed

MOST_WINDOWS = 160
# A place counts as glass from this share of the surest one near it; nearness in shares of the long side.
LEAST_GLASS, NEAR = 0.55, 0.09
# How much of a box must be glass that no box before it holds; what it costs to hold some twice.
LEAST_NEW, HELD = 0.04, -0.30


def best_boxes(boxes: Boxes, glass: Plane, sides: Plane) -> NDArray[np.intp]:
    """Where in the list the boxes are that explain most, one by one, each without what those before it hold.

    `glass`, height x width, 0-1, is how likely each pixel is glass; `sides` (n x 4) how much of each box's sides
    lies on edges.
    """
    if not len(boxes):
        return np.empty(0, np.intp)
    worth = near_surest(glass) - np.float32(LEAST_GLASS)
    means = Means(boxes, glass.shape)
    fit = plane(0.3 + 0.7 * sides.mean(-1))
    chosen: list[int] = []
    while len(chosen) < MOST_WINDOWS:
        sums = means.sums(summed(worth))
        best = int(np.argmax(sums * fit))
        if sums[best] < LEAST_NEW * means.area[best]:
            break
        chosen.append(best)
        left, top, right, bottom = boxes[best]
        worth[top:bottom, left:right] = HELD
    return np.array(chosen, np.intp)


def near_surest(glass: Plane) -> Plane:
    """Likelihood of glass as a share of the highest nearby, 0-1."""
    side = max(3, round(NEAR * max(glass.shape)))
    highest = cv2.dilate(glass, np.ones((side, side), np.uint8))
    return plane(glass / np.maximum(highest, 0.02))
