"""Shapes of outlines that hints give: their areas, crossings, turns, and what is inside."""

import math
from collections.abc import Iterator
from itertools import pairwise

from engine.types.hints import Point, Polygon

MAX_SLIP_AREA, MAX_SLIP_SHARE = 5e-4, 0.03
"""Area of a loop that counts as a mistake of the hand: as share of the picture, and of the rest of the polygon."""
Line = tuple[Point, Point]


def compute_area(polygon: Polygon) -> float:
    """Compute the area of a polygon.

    Parameters
    ----------
    polygon : Polygon
        Its corners.

    Returns
    -------
    float
        Share of the picture.
    """
    return abs(_compute_signed_area(polygon))


def _compute_signed_area(polygon: Polygon) -> float:
    return sum(x * v - u * y for (x, y), (u, v) in _list_sides(polygon)) / 2


def _list_sides(polygon: Polygon) -> Iterator[Line]:
    return pairwise((*polygon, polygon[0]))


def crosses_itself(polygon: Polygon) -> bool:
    """Whether an outline crosses itself so that it has two separate insides.

    Small loops by a mistake of the hand do not count, nor does a hole that is joined to the outside by a cut.

    Parameters
    ----------
    polygon : Polygon
        Its corners.

    Returns
    -------
    bool
        Whether it does.
    """
    sides = list(_list_sides(polygon))
    for first, one in enumerate(sides):
        for second in range(first + 2, len(sides)):
            crossing = find_crossing(one, sides[second])
            if crossing is None:
                continue
            inner = (crossing, *polygon[first + 1 : second + 1])
            outer = (crossing, *polygon[second + 1 :], *polygon[: first + 1])
            if _is_figure_of_eight(inner, outer):
                return True
    return False


def measure_turn(one: Line, other: Line) -> float:
    """Measure by how much a line turns from one part to the next.

    Parameters
    ----------
    one, other : tuple of Point
        The ends of the parts.

    Returns
    -------
    float
        0 to pi radians.
    """
    angles = [math.atan2(end[1] - start[1], end[0] - start[0]) for start, end in (one, other)]
    return abs(math.remainder(angles[1] - angles[0], math.tau))


def find_crossing(one: Line, other: Line) -> Point | None:
    """Find where two lines cross each other.

    Parameters
    ----------
    one, other : tuple of Point
        The ends of the lines.

    Returns
    -------
    Point or None
        None where they do not cross, or only touch.
    """
    (start, end), (other_start, other_end) = one, other
    sides = [_cross_product(other_start, other_end, point) for point in one]
    other_sides = [_cross_product(start, end, point) for point in other]
    if sides[0] * sides[1] >= 0 or other_sides[0] * other_sides[1] >= 0:
        return None
    share = sides[0] / (sides[0] - sides[1])
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _is_figure_of_eight(one: Polygon, other: Polygon) -> bool:
    """Whether two loops are beside each other, turn opposite ways, and the smaller is too large to be a mistake."""
    small, large = sorted((one, other), key=compute_area)
    if _compute_signed_area(small) * _compute_signed_area(large) > 0 or compute_area(small) <= max(
        MAX_SLIP_AREA, MAX_SLIP_SHARE * compute_area(large)
    ):
        return False
    return sum(contains(large, point) for point in small[1:]) < len(small[1:]) / 2


def contains(polygon: Polygon, point: Point) -> bool:
    """Whether a point is inside a polygon.

    Parameters
    ----------
    polygon : Polygon
        Its corners.
    point : Point
        The point.

    Returns
    -------
    bool
        By the even-odd rule.
    """
    x, y = point
    crossed = [u + (y - v) / (b - v) * (a - u) for (u, v), (a, b) in _list_sides(polygon) if (v > y) != (b > y)]
    return sum(each > x for each in crossed) % 2 == 1


def _cross_product(start: Point, end: Point, point: Point) -> float:
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])
