"""Outlines parts of a picture as polygons of few corners that hints accept."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.arrays import Mask
from engine.types.hint_document import MAX_POINTS, HintError, read_hints
from engine.types.hints import Point, Polygon

MIN_HOLE = 0.002
"""Least share of the picture of a hole that is kept; smaller holes are filled."""
MAX_CORNERS = 60
"""Most corners of a polygon, without its holes."""
TOLERANCES = (1.2, 2.0, 3.0, 4.5, 7.0, 10.0)
"""Pixels by which an outline may be simplified; the first that gives few enough corners is taken."""


def outline(part: Mask, *, min_hole: float = MIN_HOLE, tolerances: Sequence[float] = TOLERANCES) -> Polygon | None:
    """Outline a part of a picture.

    Parameters
    ----------
    part : (h, w) ndarray of bool
        One connected part.
    min_hole : float, optional
        Share of the picture; smaller holes are filled, others are cut open to the outline.
    tolerances : sequence of float, optional
        Pixels by which the outline may be simplified; the first that gives few enough corners is taken.

    Returns
    -------
    tuple of (float, float) or None
        Corners, 0-1, that hints accept; None if no outline of few corners is found.
    """
    contours, levels = cv2.findContours(part.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    outer = next(each for each, level in zip(contours, levels[0], strict=True) if level[3] < 0)
    holes = [each for each, level in zip(contours, levels[0], strict=True) if level[3] >= 0]
    polygon = _simplify(outer, part.shape, tolerances)
    if polygon is None:
        return None
    for hole in sorted(holes, key=cv2.contourArea, reverse=True):
        if cv2.contourArea(hole) < min_hole * part.size:
            break
        inner = _simplify(hole, part.shape, tolerances)
        joined = None if inner is None else _cut_open(polygon, inner)
        if joined is not None and _is_valid(joined):
            polygon = joined
    return polygon


def _simplify(contour: cv2.typing.MatLike, shape: tuple[int, ...], tolerances: Sequence[float]) -> Polygon | None:
    """A contour with few corners, each 0-1."""
    height, width = shape
    for tolerance in tolerances:
        corners = cv2.approxPolyDP(contour, tolerance, True)[:, 0]
        if 3 <= len(corners) <= MAX_CORNERS:
            polygon = tuple((float(x), float(y)) for x, y in (corners + 0.5) / (width, height))
            if _is_valid(polygon):
                return polygon
    return None


def _cut_open(outer: Sequence[Point], hole: Sequence[Point]) -> Polygon | None:
    """One outline of both, joined by a cut between their nearest corners; None if it has too many corners."""
    if len(outer) + len(hole) + 2 > MAX_POINTS:
        return None
    distances = np.linalg.norm(np.array(outer)[:, None] - np.array(hole)[None], axis=2)
    first, second = divmod(int(distances.argmin()), len(hole))
    inner = (*hole[second:], *hole[: second + 1])
    return (*outer[: first + 1], *inner, *outer[first:])


def _is_valid(polygon: Polygon) -> bool:
    """Whether hints may have this outline."""
    try:
        read_hints({"clear": [[list(point) for point in polygon]]})
    except HintError:
        return False
    return True
