"""Divides a photo into segments on real edges: a person taps those that show a surface or a thing."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.arrays import Mask
from engine.outlook.outlines import TOLERANCES, outline
from engine.outlook.regions import LabeledPhoto
from engine.outlook.superpixels import Numbers, cut_picture, merge_pieces
from engine.segmentation.scene import Scene
from engine.types.hints import Polygon
from engine.types.outlook import LABELS, Segment

FEWEST, MOST = 50, 110
"""Number of segments; more than FEWEST only where the picture has more details."""
MAX_DIFFERENCE = 6.0
"""Segments that differ less are merged. The unit is about a difference of colors; see `superpixels`."""
MAX_POINTS = 3000
"""Most points of all outlines together."""
MIN_HOLE = 0.0002
"""Least share of the picture of a hole in a segment that is kept; smaller holes are filled."""
OVERLAP = 3
"""Side, in pixels, of the square by which each segment is grown, so that no gaps remain between neighbors."""


def find_segments(scene: Scene, labeled: LabeledPhoto) -> tuple[Segment, ...]:
    """Divide a photo into segments that lie on real edges.

    Parameters
    ----------
    scene : Scene
        The photo.
    labeled : LabeledPhoto
        What each pixel of it shows.

    Returns
    -------
    tuple of Segment
        The largest first. Neighbors overlap by about two pixels of the small picture; together they cover nearly
        the whole picture.
    """
    pieces = cut_picture(scene.small_srgb)
    numbers = merge_pieces(pieces, scene.label_shares, (FEWEST, MOST, MAX_DIFFERENCE))
    areas = np.bincount(numbers.ravel())
    order = np.argsort(-areas, kind="stable").tolist()
    outlines = _outline_all(numbers, order)
    segments = []
    for number, polygon in zip(order, outlines, strict=True):
        if polygon is not None:
            segments.append(Segment(polygon, *_find_content(labeled, numbers == number)))
    return tuple(segments)


def _outline_all(numbers: Numbers, order: Sequence[int]) -> list[Polygon | None]:
    """The outlines of all pieces, as exact as MAX_POINTS permits; None for the smallest ones beyond it."""
    masks = [_grow(numbers == number) for number in order]
    found: list[Polygon | None] = []
    for first in range(len(TOLERANCES)):
        found = [outline(mask, min_hole=MIN_HOLE, tolerances=TOLERANCES[first:]) for mask in masks]
        if sum(len(each or ()) for each in found) <= MAX_POINTS:
            return found
    total, kept = 0, []
    for each in found:
        total += len(each or ())
        kept.append(each if total <= MAX_POINTS else None)
    return kept


def _grow(piece: Mask) -> Mask:
    return np.asarray(cv2.dilate(piece.astype(np.uint8), np.ones((OVERLAP, OVERLAP), np.uint8)) > 0)


def _find_content(labeled: LabeledPhoto, piece: Mask) -> tuple[str, float]:
    """What most of a piece shows, and the certainty that the whole piece shows it."""
    labels = labeled.labels[piece]
    most = int(np.bincount(labels, minlength=len(LABELS)).argmax())
    certainty = float(labeled.certainty[piece][labels == most].sum()) / labels.size
    return str(LABELS[most]), certainty
