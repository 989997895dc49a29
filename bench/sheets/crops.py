"""Where to look closely: the places of a picture in which a step's faults would show."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.arrays import Matte, Pixels, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.filters.smoothing import gradient_magnitude

SMALL_SIDE = 512

Box = tuple[slice, slice]


def interesting(before: Pixels, after: Pixels, matte: Matte, side: int, count: int) -> list[Box]:
    """`count` squares of `side` pixels where most is to be seen, apart from each other as far as there is room.

    At the mask's edges that run through detail; where a mask covers all, where detail was changed most.
    """
    side = min(side, *before.shape[:2])
    scale = min(1.0, SMALL_SIDE / max(before.shape))
    score = _score(*(_small(each, scale) for each in (before, after, matte)))
    window = max(1, round(side * scale))
    summed = plane(cv2.boxFilter(score, -1, (window, window), normalize=False, borderType=cv2.BORDER_CONSTANT))
    boxes = []
    for _ in range(count):
        row, column = np.unravel_index(int(summed.argmax()), summed.shape)
        boxes.append(_box(row / scale, column / scale, side, before.shape))
        apart = 3 * window // 2
        summed[max(0, row - apart) : row + apart, max(0, column - apart) : column + apart] = -1
    return boxes


def _small(pixels: Pixels | Matte, scale: float) -> Plane:
    return plane(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)) / np.float32(255)


def _score(before: Plane, after: Plane, matte: Plane) -> Plane:
    detail = gradient_magnitude(rgb_to_gray(before)) + np.float32(0.02)
    if matte.min() > 0.9:
        return plane(np.abs(after - before).mean(-1) * detail)
    return plane(gradient_magnitude(matte) * detail)


def _box(row: float, column: float, side: int, shape: Sequence[int]) -> Box:
    top = int(np.clip(row - side / 2, 0, shape[0] - side))
    left = int(np.clip(column - side / 2, 0, shape[1] - side))
    return slice(top, top + side), slice(left, left + side)
