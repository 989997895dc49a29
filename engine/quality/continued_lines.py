"""Measures whether lines of a room continue straight where a removed thing interrupted them."""

import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.geometry.lines import Gradients, detect_lines, measure_lengths
from engine.geometry.room import Room

MIN_STRETCH = 0.04
"""Least length of a stretch that is judged, as a share of the long side."""
MAX_STRETCH = 0.35
"""Largest length of a stretch that is judged, as a share of the long side."""
MIN_LINE = 0.03
"""Least length of a detected line, as a share of the long side."""
MAX_FOOT_DISTANCE = 0.012
"""Largest distance of a line from a wall's foot, as a share of the long side, for the line to run along it."""
MAX_FOOT_ANGLE = 0.04
"""Largest sine of the angle between a line and a wall's foot for the line to run along it."""
MAX_CONTINUATION = 2.0
"""Largest length of the continuation of a line along a foot, as a multiple of the length of the line."""
SHARE_TO_CORNER = 0.95
"""Share of the distance to the corner over which such a line is continued."""
BORDER_WIDTH = 3
"""Pixels left out along the border of the picture."""
FOOT_POINTS = 200
"""Number of points along a wall's foot that are projected into the picture."""
Point = NDArray[np.float64]


def measure_continued_lines(
    before: Plane, after: Plane, changed: Mask, room: Room | None, openings: Mask | None = None
) -> float | None:
    """The share of a line in the changed area that is an edge, for the worst line.

    Two kinds of lines are judged: those that cross the area, and those that run along a wall's foot (where the wall
    meets the floor) towards its corner.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    changed : (h, w) ndarray of bool
        The changed area.
    room : Room or None
        With the camera of the small pictures; with None, lines along the feet of walls are not judged.
    openings : (h, w) ndarray of bool, optional
        Doors and windows down to the floor: a line along their sill ends with them.

    Returns
    -------
    float or None
        Share of the line, 0-1; None if there are no such lines.
    """
    gray = np.asarray(np.clip(before * 255, 0, 255), np.uint8)
    side = max(gray.shape)
    lines = detect_lines(gray, MIN_LINE * side)
    if not len(lines):
        return None
    # Only lines whose middle lies outside the changed area are continued.
    middle = ((lines[:, :2] + lines[:, 2:]) / 2).astype(int)
    lines = lines[
        ~changed[np.clip(middle[:, 1], 0, gray.shape[0] - 1), np.clip(middle[:, 0], 0, gray.shape[1] - 1)]
    ]
    slopes = Gradients(after)
    gaps = [gap for gap in _find_gaps(lines, side) if _measure_share(changed, gap) > 0.8]
    if room is not None:
        skirting = lines if openings is None else lines[~_find_sills(lines, openings)]
        feet = _find_feet(room, changed.shape)
        gaps += [gap for foot in feet for gap in _find_corner_stretches(skirting, foot, changed)]
    return min((slopes.measure_edge_share(gap) for gap in gaps), default=None)


def _find_sills(lines: Plane, openings: Mask) -> NDArray[np.bool_]:
    """Whether each line runs along the lower edge of an opening, or within the opening."""
    x, y = ((lines[:, :2] + lines[:, 2:]) / 2).astype(int).T
    above = np.clip(y - round(MAX_FOOT_DISTANCE * max(openings.shape)), 0, openings.shape[0] - 1)
    return np.asarray(openings[above, np.clip(x, 0, openings.shape[1] - 1)])


def _find_feet(room: Room, shape: tuple[int, ...]) -> list[tuple[Point, Point]]:
    """Both ends (x, y) of the part of each wall's foot that lies in the picture."""
    found = []
    for wall in room.walls:
        positions = np.linspace(0, 1, FOOT_POINTS)[:, None]
        points = (
            np.array([*wall.start, 0.0]) + (np.array([*wall.end, 0.0]) - np.array([*wall.start, 0.0])) * positions
        )
        seen, depth = room.camera.project(points)
        inside = (depth > 0.2) & (seen >= 0).all(1) & (seen[:, 0] < shape[1]) & (seen[:, 1] < shape[0])
        places = np.flatnonzero(inside)
        if len(places) > 1:
            found.append((seen[places[0]], seen[places[-1]]))
    return found


def _find_corner_stretches(lines: Plane, foot: tuple[Point, Point], changed: Mask) -> list[Plane]:
    """The stretches of the changed area in which lines along a wall's foot continue towards its corners."""
    side = max(changed.shape)
    length = float(np.linalg.norm(foot[1] - foot[0]))
    if length < MIN_STRETCH * side:
        return []
    along = (foot[1] - foot[0]) / length
    across = np.array([-along[1], along[0]])
    found = []
    for line in lines.astype(np.float64):
        ends = sorted((line[:2], line[2:]), key=lambda point: float(point @ along))
        length_of_line = float(np.linalg.norm(ends[1] - ends[0]))
        line_direction = (ends[1] - ends[0]) / length_of_line
        if (
            max(abs((end - foot[0]) @ across) for end in ends) > MAX_FOOT_DISTANCE * side
            or abs(line_direction @ across) > MAX_FOOT_ANGLE
        ):
            continue
        for start, direction, to_corner in (
            (ends[1], line_direction, foot[1] - ends[1]),
            (ends[0], -line_direction, foot[0] - ends[0]),
        ):
            reach = min(
                abs(float(to_corner @ along)) * SHARE_TO_CORNER,
                MAX_CONTINUATION * length_of_line,
                MAX_STRETCH * side,
            )
            gap = (
                _find_first_stretch(start, direction, reach, changed) if float(to_corner @ direction) > 0 else None
            )
            found += [gap] if gap is not None else []
    return found


def _find_first_stretch(start: Point, direction: Point, reach: float, changed: Mask) -> Plane | None:
    """The first stretch of the changed area from `start` along `direction`; None if it is too short."""
    height, width = changed.shape
    points = start + np.arange(0, max(reach, 1))[:, None] * direction
    inside = ((points >= BORDER_WIDTH) & (points < np.array([width - BORDER_WIDTH, height - BORDER_WIDTH]))).all(1)
    x, y = (np.clip(points.T, 0, [[width - 1], [height - 1]])).astype(int)
    inside &= changed[y, x]
    if not inside.any():
        return None
    first = int(inside.argmax())
    outside = ~inside[first:]
    last = first + (int(outside.argmax()) if outside.any() else len(outside))
    if last - first < MIN_STRETCH * max(changed.shape):
        return None
    return plane(np.concatenate([points[first], points[last - 1]]))


def _find_gaps(lines: Plane, side: int) -> list[Plane]:
    """The gaps between pieces of one line."""
    order = measure_lengths(lines).argsort()[::-1][:200]
    lines = lines[order]
    result = []
    for place, one in enumerate(lines):
        for other in lines[place + 1 :]:
            gap = _find_gap(one, other, side)
            if gap is not None:
                result.append(gap)
    return result


def _find_gap(one: Plane, other: Plane, side: int) -> Plane | None:
    """The gap between two pieces, from the end of one to the end of the other, if they lie in one line."""
    ends = [(first, second) for first in (one[:2], one[2:]) for second in (other[:2], other[2:])]
    near, far = min(ends, key=lambda pair: float(np.hypot(*(pair[0] - pair[1]))))
    length = float(np.hypot(*(near - far)))
    if not MIN_STRETCH * side < length < MAX_STRETCH * side:
        return None
    direction = (far - near) / length
    across = np.array([-direction[1], direction[0]])
    points = np.concatenate([one.reshape(2, 2), other.reshape(2, 2)])
    off = np.abs((points - near) @ across)
    along = (points - near) @ direction
    # Ends of floorboards line up by chance. Of a real line behind a thing, more is visible than hidden.
    visible_length = float(measure_lengths(plane(np.stack([one, other]))).sum())
    if visible_length < length or off.max() > 1.2 or not (along[:2].max() <= 1 and along[2:].min() >= length - 1):
        return None
    return plane(np.concatenate([near, far]))


def _measure_share(mask: Mask, line: Plane) -> float:
    steps = max(2, int(measure_lengths(line[None])[0]))
    positions = (np.arange(steps) + 0.5) / steps
    x, y = line[0] + (line[2] - line[0]) * positions, line[1] + (line[3] - line[1]) * positions
    height, width = mask.shape
    return float(mask[np.clip(y, 0, height - 1).astype(int), np.clip(x, 0, width - 1).astype(int)].mean())
