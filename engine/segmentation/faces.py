"""Finds faces: a detector looks at tiles of a picture at several sizes, and once more at each face that it found.

The detector is the full-range BlazeFace of MediaPipe (Apache License 2.0), which deploy/frontend/assets.py puts in
place; without its file no faces can be found.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.segmentation.box import Box
from engine.segmentation.scene import shrink_to
from engine.types.usable_options import FACE_DETECTOR

SIDES = (1024, 512, 256)
"""Long sides, in pixels, of the pictures that are searched; faces of 8 to 100 pixels are found in each."""
TILE = 192
"""Side of the detector's input, in pixels."""
OVERLAP = 48
"""Minimum pixels that neighboring tiles have in common: a face of that size is whole in one of them."""
STRIDE = 4
"""Pixels of the input per cell of the detector's output."""
BATCH = 8
"""Number of tiles that the detector searches at once."""
MIN_FIRST = 0.3
"""Minimum probability of a face at the first look."""
SECOND_LOOKS = (3.2, 4.5)
"""Sides of the pictures of the second look, in widths of the face; each is also mirrored."""
MIN_SECOND = 0.52
"""Minimum mean probability of a face at the second looks."""
MAX_MOVED = 0.35
"""Maximum distance, in widths of the face, between the places of a face at the first and the second look."""
MAX_GROWN = 1.8
"""Maximum ratio of a face's widths at both looks."""
MAX_COMMON = 0.5
"""Maximum share of the smaller of two faces that is in the larger; beyond it they are one face."""


@dataclass(frozen=True, slots=True)
class _Tile:
    """A square of TILE pixels a side, its upper left corner in the resized picture, and the picture's scale."""

    pixels: Pixels
    x: int
    y: int
    scale: float


def find_faces(picture: Pixels) -> list[Box]:
    """Find faces of people, also on pictures on walls, from about 1/100 of the picture's long side on.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        Gamma-coded sRGB. A long side of more than SIDES[0] pixels is of no use.

    Returns
    -------
    list of Box
        The faces from eyebrows to chin, in pixels of `picture`, the most probable first.

    Raises
    ------
    FileNotFoundError
        Where the detector is not in place.

    References
    ----------
    V. Bazarevsky et al., BlazeFace: Sub-millisecond neural face detection on mobile GPUs, 2019 (arXiv:1907.05047).
    """
    # A new net for every call: OpenCV's nets keep state and must not be shared between threads.
    net = cv2.dnn.readNetFromTFLite(str(FACE_DETECTOR), cv2.dnn.ENGINE_CLASSIC)
    tiles = [tile for side in SIDES for tile in _cut(picture, side)]
    found: list[tuple[float, Box]] = []
    for tile, (scores, boxes) in zip(tiles, _look(net, [each.pixels for each in tiles]), strict=True):
        for place in np.flatnonzero(scores > MIN_FIRST):
            x, y, width, height = map(float, boxes[place])
            inside = Box(x + tile.x, y + tile.y, max(width, 1.0), max(height, 1.0))
            found.append((float(scores[place]), inside.scale(1 / tile.scale)))
    return [each for each in _join(found) if _look_again(net, picture, each) >= MIN_SECOND]


def _cut(picture: Pixels, side: int) -> list[_Tile]:
    """Tiles of a picture that is enlarged or reduced to a long side; what is missing at its border is black."""
    height, width = picture.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if scale < 1:
        resized = shrink_to(picture, side)
    else:
        resized = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    missing = (max(0, TILE - resized.shape[0]), max(0, TILE - resized.shape[1]))
    padded = np.pad(resized, ((0, missing[0]), (0, missing[1]), (0, 0)))
    return [
        _Tile(padded[y : y + TILE, x : x + TILE], x, y, scale)
        for y in _place_tiles(padded.shape[0])
        for x in _place_tiles(padded.shape[1])
    ]


def _place_tiles(length: int) -> list[int]:
    count = 1 + int(np.ceil((length - TILE) / (TILE - OVERLAP)))
    return [round(each) for each in np.linspace(0, length - TILE, count)]


def _look(net: cv2.dnn.Net, tiles: Sequence[Pixels]) -> list[tuple[Plane, Plane]]:
    """For each tile the probability of a face in each cell, and its box: x, y of the center, width, height."""
    looks = []
    for start in range(0, len(tiles), BATCH):
        part = tiles[start : start + BATCH]
        net.setInput(cv2.dnn.blobFromImages(part, 1 / 127.5, (TILE, TILE), (127.5, 127.5, 127.5)))
        logits, shapes = net.forward(["reshaped_classifier_face_4", "reshaped_regressor_face_4"])
        scores = plane(1 / (1 + np.exp(-np.clip(plane(logits), -80, 80)))).reshape(len(part), -1)
        boxes = plane(shapes).reshape(len(part), scores.shape[1], -1)[..., :4] + _list_cells()
        looks += list(zip(scores, boxes, strict=True))
    return looks


@cache
def _list_cells() -> Plane:
    centers = (np.arange(TILE // STRIDE) + 0.5) * STRIDE
    x, y = np.meshgrid(centers, centers)
    nothing = np.zeros_like(x)
    return plane(np.stack([x, y, nothing, nothing], axis=-1).reshape(-1, 4))


def _join(found: Sequence[tuple[float, Box]]) -> list[Box]:
    """The most probable box of each face, where several boxes show the same face."""
    kept: list[Box] = []
    for _, box in sorted(found, key=lambda each: -each[0]):
        if all(box.measure_common(other) <= MAX_COMMON for other in kept):
            kept.append(box)
    return kept


def _look_again(net: cv2.dnn.Net, picture: Pixels, face: Box) -> float:
    """The mean probability of the face where it is in the middle, at two sizes, and mirrored.

    The first look also takes knobs, chimneys and fruit for faces.
    """
    views = [_cut_around(picture, face, looks) for looks in SECOND_LOOKS]
    looks = _look(net, [each for view in views for each in (view, np.ascontiguousarray(view[:, ::-1]))])
    seen = []
    for (scores, boxes), widths in zip(looks, np.repeat(SECOND_LOOKS, 2), strict=True):
        moved = np.abs(boxes[:, :2] / TILE - 0.5).max(1) * widths
        grown = boxes[:, 2] / TILE * widths
        same = (moved < MAX_MOVED) & (grown < MAX_GROWN) & (grown > 1 / MAX_GROWN)
        seen.append(float(scores[same].max(initial=0)))
    return float(np.mean(seen))


def _cut_around(picture: Pixels, face: Box, widths: float) -> Pixels:
    """The square around a face, `widths` times as wide as the face, resized to TILE pixels a side."""
    side = widths * max(face.width, face.height)
    scale = TILE / side
    # Reduced pictures are blurred first, so that nothing flickers.
    soft = cv2.GaussianBlur(picture, (0, 0), 0.4 / scale) if scale < 0.7 else picture
    matrix = np.array([[scale, 0, TILE / 2 - face.x * scale], [0, scale, TILE / 2 - face.y * scale]])
    return np.asarray(cv2.warpAffine(soft, matrix, (TILE, TILE), flags=cv2.INTER_LINEAR), np.uint8)
