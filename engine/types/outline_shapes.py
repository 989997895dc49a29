"""Shapes of outlines that hints give: their areas, crossings, turns, and what is inside."""

import math
from collections.abc import Iterator
from itertools import islice, pairwise

from engine.types.hints import Point, Polygon

MAX_SLIP_AREA, MAX_SLIP_SHARE = 5e-4, 0.03
"""Largest area of a loop that counts as a slip of the hand, as shares of the picture and of the rest of the
polygon.
"""
MAX_SLIPS = 8
"""Most crossings of one outline that count as slips of the hand; each takes time to examine."""
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
    """Whether an outline crosses itself so that it encloses two separate areas.

    Small loops by a slip of the hand do not count, nor does a hole that is joined to the outside by a cut. An
    outline with more than MAX_SLIPS crossings is not examined any further and counts as crossing itself.

    Parameters
    ----------
    polygon : Polygon
        Its corners.

    Returns
    -------
    bool
        True if it crosses itself.
    """
    crossings = list(islice(_list_crossings(polygon), MAX_SLIPS + 1))
    if len(crossings) > MAX_SLIPS:
        return True
    for first, second, crossing in crossings:
        inner = (crossing, *polygon[first + 1 : second + 1])
        outer = (crossing, *polygon[second + 1 :], *polygon[: first + 1])
        if _is_figure_of_eight(inner, outer):
            return True
    return False


def _list_crossings(polygon: Polygon) -> Iterator[tuple[int, int, Point]]:
    """The crossings of an outline, each with the indices of its two sides, the lower index first.

    Most sides are far apart, so only those that overlap from left to right, and in height, are compared.
    """
    sides = list(_list_sides(polygon))
    spans = [(*sorted((start[0], end[0])), *sorted((start[1], end[1]))) for start, end in sides]
    from_left = sorted(range(len(sides)), key=spans.__getitem__)
    for place, one in enumerate(from_left):
        _, right, top, bottom = spans[one]
        for other in from_left[place + 1 :]:
            left, _, other_top, other_bottom = spans[other]
            if left > right:
                break
            if other_top > bottom or other_bottom < top or abs(one - other) < 2:
                continue
            first, second = min(one, other), max(one, other)
            crossing = find_crossing(sides[first], sides[second])
            if crossing is not None:
                yield first, second, crossing


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
    before, after = _cross_product(other_start, other_end, start), _cross_product(other_start, other_end, end)
    if before * after >= 0:
        return None
    if _cross_product(start, end, other_start) * _cross_product(start, end, other_end) >= 0:
        return None
    share = before / (before - after)
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _is_figure_of_eight(one: Polygon, other: Polygon) -> bool:
    """Whether two loops lie beside each other, turn opposite ways, and the smaller one is too large for a slip."""
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
