"""Samples of a picture: small squares at full size, one from each part of it; and its pixels thinned out."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from app.engine.arrays import Mask, Matte, Pixels, Plane


@dataclass(frozen=True, slots=True)
class Tiles:
    """Grey samples of photo and result (bytes, count * side x side), each tile below the one before it."""

    before: Matte
    after: Matte
    side: int

    def __len__(self) -> int:
        return len(self.before) // self.side if self.side else 0

    def inner(self, margin: int) -> Mask:
        """Where a filter of this reach sees one tile only."""
        within = np.zeros((self.side, self.side), np.bool_)
        within[margin : self.side - margin, margin : self.side - margin] = True
        return np.tile(within, (len(self), 1))

    def by_tile(self, values: Plane) -> Plane:
        """The values (as large as all tiles) tile by tile: count x side * side."""
        return values.reshape(len(self), -1)


def sampled(before: Pixels, after: Pixels, score: Plane, side: int, parts: tuple[int, int]) -> Tiles:
    """From each of so many parts (down, across) the square of `side` pixels where the small map scores highest.

    Parts that score nowhere above 0 give no tile, and so does a picture smaller than a tile.
    """
    if min(before.shape[:2]) < side:
        empty = np.zeros((0, side), np.uint8)
        return Tiles(empty, empty, side)
    corners = _corners(score, before.shape, side, parts)
    return Tiles(_laid(before, corners, side), _laid(after, corners, side), side)


def _corners(score: Plane, shape: tuple[int, ...], side: int, parts: tuple[int, int]) -> list[tuple[int, int]]:
    corners = []
    rows = np.linspace(0, score.shape[0], parts[0] + 1).astype(int)
    columns = np.linspace(0, score.shape[1], parts[1] + 1).astype(int)
    for top, bottom in pairwise(rows):
        for left, right in pairwise(columns):
            part = score[top:bottom, left:right]
            if not part.size or part.max() <= 0:
                continue
            row, column = np.unravel_index(int(part.argmax()), part.shape)
            place = (top + row + 0.5) / score.shape[0], (left + column + 0.5) / score.shape[1]
            corners.append(tuple(_start(share, size, side) for share, size in zip(place, shape, strict=False)))
    return [(corner[0], corner[1]) for corner in corners]


def _start(share: float, size: int, side: int) -> int:
    return min(max(0, round(share * size - side / 2)), size - side)


def _laid(pixels: Pixels, corners: Sequence[tuple[int, int]], side: int) -> Matte:
    result = np.zeros((len(corners) * side, side), np.uint8)
    for number, (top, left) in enumerate(corners):
        tile = np.ascontiguousarray(pixels[top : top + side, left : left + side])
        result[number * side : (number + 1) * side] = cv2.cvtColor(tile, cv2.COLOR_RGB2GRAY)
    return result


def thinned(pixels: Pixels, side: int) -> Pixels:
    """Every so many pixels of the picture, so that its long side is `side` or little more."""
    step = max(1, max(pixels.shape[:2]) // side)
    return pixels if step == 1 else np.ascontiguousarray(pixels[::step, ::step])
