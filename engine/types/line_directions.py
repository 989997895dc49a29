"""Finds hinted lines that cannot run in their given direction."""

import math
from collections.abc import Sequence
from itertools import combinations

from engine.types.hints import Direction, LineHint
from engine.types.outline_shapes import find_crossing

MAX_LEAN = math.radians(60)
"""Angle from the picture's upright direction, measured in shares of its sides; beyond it a line cannot run up."""
MAX_STRAY = math.radians(15)
"""Angle, measured in shares of the sides, by which a line may miss the point where others of its direction meet."""

_Vector = tuple[float, float, float]


def find_level_line(lines: Sequence[LineHint]) -> int | None:
    """Find a line that is nearly level in the picture although its given direction is up.

    Parameters
    ----------
    lines : Sequence of LineHint
        The lines.

    Returns
    -------
    int or None
        The index of the first such line; None where there is none.
    """
    for place, line in enumerate(lines):
        across, up = (abs(end - start) for start, end in zip(line.start, line.end, strict=True))
        if line.direction is Direction.UP and math.atan2(across, up) > MAX_LEAN:
            return place
    return None


def find_stray_line(lines: Sequence[LineHint]) -> int | None:
    """Find a line that misses the point where the other lines of its direction meet, or crosses one of them.

    Edges that are parallel in a room are parallel in its picture, or meet in one point beyond their ends.

    Parameters
    ----------
    lines : Sequence of LineHint
        The lines.

    Returns
    -------
    int or None
        The index of the line that misses by most; None where all agree.
    """
    for direction in Direction:
        places = [place for place, line in enumerate(lines) if line.direction is direction]
        for first, second in combinations(places, 2):
            if find_crossing(*((lines[each].start, lines[each].end) for each in (first, second))) is not None:
                return second
        if len(places) > 2:
            points = [_intersect(lines[one], lines[other]) for one, other in combinations(places, 2)]
            misses = [[_measure_miss(lines[each], point) for each in places] for point in points]
            best = min(misses, key=sum)
            if max(best) > MAX_STRAY:
                return places[best.index(max(best))]
    return None


def _intersect(one: LineHint, other: LineHint) -> _Vector:
    """The point that is on both lines, in homogeneous coordinates; at infinity for parallel lines."""
    first, second = (_cross((*each.start, 1.0), (*each.end, 1.0)) for each in (one, other))
    return _cross(first, second)


def _cross(one: _Vector, other: _Vector) -> _Vector:
    return (
        one[1] * other[2] - one[2] * other[1],
        one[2] * other[0] - one[0] * other[2],
        one[0] * other[1] - one[1] * other[0],
    )


def _measure_miss(line: LineHint, point: _Vector) -> float:
    """The angle between a line and the direction from its middle to a point, 0 to pi / 2."""
    middle = [(start + end) / 2 for start, end in zip(line.start, line.end, strict=True)]
    to_point = [point[each] - point[2] * middle[each] for each in (0, 1)]
    run = [end - start for start, end in zip(line.start, line.end, strict=True)]
    across = run[0] * to_point[1] - run[1] * to_point[0]
    along = run[0] * to_point[0] + run[1] * to_point[1]
    return math.atan2(abs(across), abs(along))
