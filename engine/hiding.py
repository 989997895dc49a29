"""Hides faces and number plates of a photo: nothing of them can be made out or computed back."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Pixels, plane, smoothstep
from engine.segmentation.box import Box
from engine.segmentation.faces import find_faces
from engine.segmentation.plates import find_plates
from engine.segmentation.scene import Scene, shrink_to

FACES_SIDE = 1024
"""Long side, in pixels, of the picture in which faces are found."""
FACE_GROWTH = 1.5, 1.9
"""Width and height of what is hidden, in those of a face from eyebrows to chin: hair and ears are included."""
PLATE_GROWTH = 1.25, 1.5
"""Width and height of what is hidden, in those of a plate."""
CELLS = 5
"""Mean colors across the longer side that remain of what is hidden, of which one or two are around it."""
FADE = 1.3
"""Where the soft edge ends, in half sizes of what is hidden; it begins at 1."""
ELLIPSE, ROUNDED = 2.0, 6.0
"""Exponents of the outline: an ellipse for faces, a rectangle with round corners for plates."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A photo without its faces and plates, and how many of each were found."""

    pixels: Pixels
    faces: int
    plates: int


def hide_faces_and_plates(scene: Scene) -> Hidden:
    """Hide the faces and the number plates of a photo.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    Hidden
        The very pixels of the scene where there is nothing to hide, else a changed copy, in the same color space.

    Raises
    ------
    FileNotFoundError
        Where the detector of faces is not in place.
    """
    picture = scene.profile.to_srgb(shrink_to(scene.pixels, FACES_SIDE))
    scale = max(scene.pixels.shape[:2]) / max(picture.shape[:2])
    faces = [each.scale(scale) for each in find_faces(picture)]
    plates = find_plates(scene)
    pixels = scene.pixels
    if faces or plates:
        pixels = pixels.copy()
        _hide(pixels, faces, FACE_GROWTH, ELLIPSE)
        _hide(pixels, plates, PLATE_GROWTH, ROUNDED)
    return Hidden(pixels, len(faces), len(plates))


def _hide(pixels: Pixels, boxes: Sequence[Box], growth: tuple[float, float], exponent: float) -> None:
    """Replace what is in the boxes, each grown, by a few mean colors that run into each other."""
    height, width = pixels.shape[:2]
    for box in boxes:
        across, down = box.width * growth[0] / 2, box.height * growth[1] / 2
        left, right = (int(np.clip(box.x + side * across * FADE, 0, width)) for side in (-1, 1))
        top, bottom = (int(np.clip(box.y + side * down * FADE, 0, height)) for side in (-1, 1))
        part = pixels[top:bottom, left:right]
        if part.size == 0:
            continue
        x = (np.arange(left, right) + 0.5 - box.x) / across
        y = (np.arange(top, bottom) + 0.5 - box.y) / down
        radius = (np.abs(x) ** exponent + np.abs(y[:, None]) ** exponent) ** (1 / exponent)
        share = smoothstep(plane(radius), FADE, 1.0)[..., None]
        part[:] = np.round(part + (_coarsen(part) - part) * share).astype(np.uint8)


def _coarsen(part: Pixels) -> Pixels:
    """The part as CELLS mean colors across its longer side, softly joined. What was between them is gone."""
    height, width = part.shape[:2]
    cell = max(1.0, max(height, width) / CELLS)
    size = (max(1, round(width / cell)), max(1, round(height / cell)))
    means = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(means, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
