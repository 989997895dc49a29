"""Places the walls of a room by hints: by the corners of its floor, or aided by the outlines of its walls."""

import math
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np

from engine.geometry.camera import Camera
from engine.geometry.columns import Columns
from engine.geometry.hinted_view import HintsDisagree
from engine.geometry.outline import BACK, LEFT, RIGHT, Outline, OutlineWall, WallBorders, score_outline
from engine.geometry.segments import LineSegments, Numbers
from engine.types.hints import Point, Polygon

CEILINGS: Numbers = np.exp(np.linspace(np.log(1.2), np.log(3.4), 60))
"""The heights of the ceiling that are tried, in camera heights."""
MAX_CORNER_ERROR = math.radians(3.0)
"""Radians by which a given corner may be off the corner of walls at right angles."""
EDGE_OF_PICTURE = 0.02
"""Distance from the picture's edge, as a share of its sides; a wall's foot that ends nearer continues beyond it."""
OUT_OF_VIEW = math.radians(20.0)
"""Radians by which a wall that continues is extended beyond the picture."""
MAX_BORDER_GAP = 0.012
"""Gap between the outlines of two walls, as a share of the picture's width, up to which they share a border."""
MAX_BORDER_TILT = math.radians(6.0)
"""Radians from upright, in the picture, up to which a side of an outline counts as upright."""
MIN_BORDER_LENGTH = 0.06
"""Shortest border of two walls, as a share of the picture's height; shorter borders are beside things."""
MAX_OUTLINE_ERROR = 0.008
"""Distance by which an outline of the floor, drawn by hand, may be wrong, as a share of the long side."""
CHANGE_COST, STAY_COST = 25.0, 3.0
"""Costs as log likelihoods: of a corner within an outlined wall, and of no corner between two outlined walls."""


def place_walls(camera: Camera, corners: Sequence[Point], columns: Columns, size: tuple[int, int]) -> Outline:
    """Place walls at right angles to one another by the corners of the floor.

    Parameters
    ----------
    camera : Camera
        The camera, one unit over the floor.
    corners : Sequence of Point
        Two or more points of the floor from left to right: the ends of the visible foot of the walls, and the
        corners between them. A foot that ends at the edge of the picture continues beyond it.
    columns : Columns
        The evidence of the surfaces along upright lines, for the height of the ceiling.
    size : (int, int)
        Width and height of the camera's picture, in pixels.

    Returns
    -------
    Outline
        One wall between any two neighboring corners.

    Raises
    ------
    HintsDisagree
        Where a corner is not below the horizon, or no walls at right angles have these corners.
    """
    rays = camera.rays(np.array(corners) * np.array(size, float))
    if (rays[:, 2] > -1e-3).any():
        raise HintsDisagree
    spots = rays[:, :2] / -rays[:, 2:]
    walls, errors = zip(*(_fit_walls(spots, first_is_back=each) for each in (False, True)), strict=True)
    best = int(np.argmin(errors))
    if errors[best] > MAX_CORNER_ERROR:
        raise HintsDisagree
    extended = _extend_walls(walls[best], corners)
    scores = [score_outline(columns, extended, each) for each in CEILINGS]
    return Outline(extended, float(CEILINGS[int(np.argmax(scores))]), max(scores))


def _fit_walls(spots: Numbers, *, first_is_back: bool) -> tuple[tuple[OutlineWall, ...], float]:
    """Walls through spots of the floor, in camera heights, and the largest error of a corner in radians.

    Walls to the back and to the sides alternate.
    """
    planes = []
    for number, ends in enumerate(pairwise(spots)):
        axis = 1 if (number % 2 == 0) == first_is_back else 0
        # The same error of the hand moves a far spot by more than a near one.
        weights = 1 / (1 + (np.array(ends) ** 2).sum(1))
        planes.append((axis, float(np.average([end[axis] for end in ends], weights=weights))))
    if any(abs(offset) < 1e-2 or (axis == 1 and offset < 0) for axis, offset in planes):
        return (), math.inf
    fitted = spots.copy()
    for number, (axis, offset) in enumerate(planes):
        fitted[number : number + 2, axis] = offset
    azimuths = np.arctan2(fitted[:, 0], fitted[:, 1])
    if (np.diff(azimuths) <= 0).any():
        return (), math.inf
    walls = []
    for (axis, offset), ends in zip(planes, pairwise(azimuths), strict=True):
        side = BACK if axis else RIGHT if offset > 0 else LEFT
        walls.append(OutlineWall(side, abs(offset), float(ends[0]), float(ends[1])))
    return tuple(walls), float(_measure_angles(spots, fitted).max())


def _measure_angles(spots: Numbers, others: Numbers) -> Numbers:
    """The angles at the lens, in radians, between pairs of spots on the floor."""
    one, other = (np.column_stack([each, -np.ones(len(each))]) for each in (spots, others))
    cosines = (one * other).sum(1) / (np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1))
    return np.asarray(np.arccos(np.clip(cosines, -1, 1)))


def _extend_walls(walls: tuple[OutlineWall, ...], corners: Sequence[Point]) -> tuple[OutlineWall, ...]:
    """The walls; the first and the last one are extended beyond the picture's edge if their foot ends there."""
    ends = [[wall.start_azimuth, wall.end_azimuth] for wall in walls]
    if _is_at_edge(corners[0]):
        ends[0][0] -= OUT_OF_VIEW
    if _is_at_edge(corners[-1]):
        ends[-1][1] += OUT_OF_VIEW
    return tuple(OutlineWall(wall.side, wall.offset, *each) for wall, each in zip(walls, ends, strict=True))


def _is_at_edge(point: Point) -> bool:
    return min(point) < EDGE_OF_PICTURE or max(point) > 1 - EDGE_OF_PICTURE


def find_wall_borders(
    camera: Camera, outlines: Sequence[Polygon], columns: Columns, size: tuple[int, int]
) -> WallBorders | None:
    """Find where the outlines of walls meet: corners are there, and not within outlines.

    Parameters
    ----------
    camera : Camera
        The camera.
    outlines : Sequence of Polygon
        The outlines of walls.
    columns : Columns
        The upright lines between which walls are found.
    size : (int, int)
        Width and height of the camera's picture, in pixels.

    Returns
    -------
    WallBorders or None
        None where no outlines meet.
    """
    azimuths = []
    for one, other in combinations(outlines, 2):
        border = _find_border(one, other)
        if border is not None:
            ray = camera.rays(np.array([border]) * np.array(size, float))[0]
            azimuths.append(math.atan2(ray[0], ray[1]))
    if not azimuths:
        return None
    lines = columns.azimuths
    change, stay = np.zeros(len(lines)), np.zeros(len(lines))
    for outline in outlines:
        rays = camera.rays(np.array(outline) * np.array(size, float))
        covered = np.arctan2(rays[:, 0], rays[:, 1])
        change[(lines > covered.min()) & (lines < covered.max())] = CHANGE_COST
    for azimuth in azimuths:
        # The sampled line next to the corner and its neighbors, because outlines drawn by hand are not exact.
        place = int(np.searchsorted(lines, azimuth))
        change[max(0, place - 1) : place + 2] = 0
        if 0 < place < len(lines):
            stay[place] = STAY_COST
    return WallBorders(tuple(azimuths), change, stay)


def _find_border(one: Polygon, other: Polygon) -> Point | None:
    """The middle of the upright border that two outlines share; None if they share none."""
    longest, found = MIN_BORDER_LENGTH, None
    for first in _list_upright_sides(one):
        for second in _list_upright_sides(other):
            low, high = max(first[0][1], second[0][1]), min(first[1][1], second[1][1])
            places = [_find_x(each, (low + high) / 2) for each in (first, second)]
            if high - low > longest and abs(places[0] - places[1]) < MAX_BORDER_GAP:
                longest, found = high - low, (sum(places) / 2, (low + high) / 2)
    return found


def _list_upright_sides(outline: Polygon) -> list[tuple[Point, Point]]:
    """The upright sides of an outline, each from its upper to its lower end."""
    sides = [sorted(each, key=lambda point: point[1]) for each in pairwise((*outline, outline[0]))]
    return [
        (upper, lower)
        for upper, lower in sides
        if abs(lower[0] - upper[0]) < math.tan(MAX_BORDER_TILT) * (lower[1] - upper[1])
    ]


def _find_x(side: tuple[Point, Point], y: float) -> float:
    (x, top), (low_x, bottom) = side
    return x + (low_x - x) * (y - top) / max(bottom - top, 1e-9)


def keep_edges_of_floor(segments: LineSegments, floor: Sequence[Polygon], size: tuple[int, int]) -> LineSegments:
    """Keep the edges along the outlines of the floor; others, such as edges of skirting, are no foot of a wall.

    Parameters
    ----------
    segments : LineSegments
        The straight edges of the picture, in pixels.
    floor : Sequence of Polygon
        The outlines of the floor.
    size : (int, int)
        Width and height of the picture, in pixels.

    Returns
    -------
    LineSegments
        The edges with both ends within MAX_OUTLINE_ERROR of a side of an outline.
    """
    points = segments.ends.reshape(-1, 2)
    nearest = np.full(len(points), np.inf)
    for outline in floor:
        for start, end in pairwise(np.array((*outline, outline[0])) * np.array(size, float)):
            along = end - start
            share = np.clip((points - start) @ along / max(float(along @ along), 1e-9), 0, 1)
            nearest = np.minimum(nearest, np.linalg.norm(points - start - share[:, None] * along, axis=1))
    kept = (nearest.reshape(-1, 2) < MAX_OUTLINE_ERROR * max(size)).all(1)
    return LineSegments(segments.ends[kept], segments.weights[kept], segments.axes[kept])
