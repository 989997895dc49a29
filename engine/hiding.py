"""Hides faces, number plates and private parts named in hints, so that nobody can recognize or reconstruct them."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane, smoothstep
from engine.segmentation.box import Box
from engine.segmentation.faces import find_faces
from engine.segmentation.hinted_surfaces import draw_polygons
from engine.segmentation.plates import find_plates
from engine.segmentation.scene import Scene, shrink_to
from engine.types.hints import Polygon

FACES_SIDE = 1024
"""Long side, in pixels, of the picture in which faces are found."""
FACE_GROWTH = 1.5, 1.9
"""Width and height of the hidden part, as multiples of those of the face from eyebrows to chin: hair and ears are
included.
"""
PLATE_GROWTH = 1.25, 1.5
"""Width and height of the hidden part, as multiples of those of the plate."""
CELLS = 5
"""Number of mean colors across the longer side that replace a hidden part; one or two of them lie around it."""
FADE = 1.3
"""Distance from the middle at which the soft edge ends, in half sizes of the hidden part; it begins at 1."""
ELLIPSE, ROUNDED = 2.0, 6.0
"""Exponents of the outline: an ellipse for faces, a rectangle with round corners for plates."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A photo without its private parts, and the number of faces and plates that were found in it."""

    pixels: Pixels
    faces: int
    plates: int


def hide_private_parts(scene: Scene, *, find: bool) -> Hidden:
    """Hide the private parts that hints outline in a photo and, if asked for, its faces and number plates.

    Parameters
    ----------
    scene : Scene
        The photo.
    find : bool
        Whether faces and plates are looked for.

    Returns
    -------
    Hidden
        The same array as in the scene where there is nothing to hide, else a changed copy in the same color space.

    Raises
    ------
    FileNotFoundError
        Where faces are looked for and their detector is not in place.
    """
    faces, plates = (_find_faces(scene), find_plates(scene)) if find else ([], [])
    pixels = scene.pixels
    if faces or plates or scene.hints.private:
        pixels = pixels.copy()
    for boxes, growth, exponent in ((faces, FACE_GROWTH, ELLIPSE), (plates, PLATE_GROWTH, ROUNDED)):
        for box in boxes:
            _hide_box(pixels, box.x, box.y, box.width * growth[0] / 2, box.height * growth[1] / 2, exponent)
    for outline in scene.hints.private:
        _hide_outline(pixels, outline)
    return Hidden(pixels, len(faces), len(plates))


def _find_faces(scene: Scene) -> list[Box]:
    picture = scene.profile.to_srgb(shrink_to(scene.pixels, FACES_SIDE))
    scale = max(scene.pixels.shape[:2]) / max(picture.shape[:2])
    return [each.scale(scale) for each in find_faces(picture)]


def _hide_box(pixels: Pixels, x: float, y: float, across: float, down: float, exponent: float) -> None:
    """Hide the part around a point, up to the half sizes `across` and `down`."""
    height, width = pixels.shape[:2]
    left, right = (int(np.clip(x + side * across * FADE, 0, width)) for side in (-1, 1))
    top, bottom = (int(np.clip(y + side * down * FADE, 0, height)) for side in (-1, 1))
    columns = np.abs((np.arange(left, right) + 0.5 - x) / across) ** exponent
    rows = np.abs((np.arange(top, bottom) + 0.5 - y) / down) ** exponent
    radius = plane((columns + rows[:, None]) ** (1 / exponent))
    _blend(pixels[top:bottom, left:right], smoothstep(radius, FADE, 1.0))


def _hide_outline(pixels: Pixels, outline: Polygon) -> None:
    """Hide the part within an outline, with a soft edge outside of it."""
    size = np.array(pixels.shape[1::-1])
    corners = np.array(outline) * size
    soft = float(np.ptp(corners, axis=0).max()) * (FADE - 1) / 2
    (left, top), (right, bottom) = (
        np.clip(corners.min(0) - soft, 0, size).astype(int).tolist(),
        np.clip(np.ceil(corners.max(0) + soft), 0, size).astype(int).tolist(),
    )
    share = (corners - (left, top)) / (right - left, bottom - top)
    inside = draw_polygons([tuple(map(tuple, share.tolist()))], right - left, bottom - top)
    distance = cv2.distanceTransform((inside == 0).astype(np.uint8), cv2.DIST_L2, 5)
    _blend(pixels[top:bottom, left:right], smoothstep(plane(distance), soft, 0.0))


def _blend(part: Pixels, share: Plane) -> None:
    """Replace a part of the picture by a few mean colors, as far as `share` says."""
    if part.size:
        part[:] = np.round(part + (_coarsen(part) - plane(part)) * share[..., None]).astype(np.uint8)


def _coarsen(part: Pixels) -> Pixels:
    """The part as CELLS mean colors across its longer side, softly joined; all finer detail is removed."""
    height, width = part.shape[:2]
    cell = max(1.0, max(height, width) / CELLS)
    size = (max(1, round(width / cell)), max(1, round(height / cell)))
    means = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(means, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
