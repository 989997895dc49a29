"""Measures whether lines of a room that a removed thing interrupted go on straight behind it."""

import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.geometry.lines import Gradients, detect_lines, measure_lengths
from engine.geometry.room import Room

LEAST = 0.04
"""Least length of a stretch that is judged, as a share of the long side."""
MOST = 0.35
"""Most length of a stretch that is judged, as a share of the long side."""
LEAST_LINE = 0.03
"""Least length of a detected line, as a share of the long side."""
NEAR = 0.012
"""Most distance of a line from a wall's foot, as a share of the long side, for the line to run along the foot."""
ASKEW = 0.04
"""Most sine of the angle between a line and a wall's foot for the line to run along the foot."""
SURE = 2.0
"""How many times its own length a line along a foot is continued at most."""
BEFORE_CORNER = 0.95
"""Share of the way to the corner at which such a continued line ends."""
FRAME = 3
"""Pixels left out along the border of the picture."""
STEPS = 200
"""Number of points along a wall's foot that are projected into the picture."""
Spot = NDArray[np.float64]


def measure_continued_lines(before: Plane, after: Plane, free: Mask, room: Room | None) -> float | None:
    """How much of a line that continues into the changed area is an edge there, for the worst line.

    Lines are judged that leave the area again on the other side, or run along a wall's foot (where the wall meets
    the floor) towards its corner.

    Parameters
    ----------
    before, after : (h, w) ndarray of float32
        Luma of photo and result, 0-1.
    free : (h, w) ndarray of bool
        The changed area.
    room : Room or None
        With the camera of the small pictures; with None, lines along the feet of walls are not judged.

    Returns
    -------
    float or None
        Share of the line, 0-1; None if there are no such lines.
    """
    gray = np.asarray(np.clip(before * 255, 0, 255), np.uint8)
    side = max(gray.shape)
    lines = detect_lines(gray, LEAST_LINE * side)
    if not len(lines):
        return None
    middle = ((lines[:, :2] + lines[:, 2:]) / 2).astype(int)
    lines = lines[~free[np.clip(middle[:, 1], 0, gray.shape[0] - 1), np.clip(middle[:, 0], 0, gray.shape[1] - 1)]]
    slopes = Gradients(after)
    gaps = [gap for gap in _gaps(lines, side) if _share(free, gap) > 0.8]
    if room is not None:
        gaps += [gap for foot in _feet(room, free.shape) for gap in _towards_corners(lines, foot, free)]
    return min((slopes.measure_edge_share(gap) for gap in gaps), default=None)


def _feet(room: Room, shape: tuple[int, ...]) -> list[tuple[Spot, Spot]]:
    """Both ends (x, y) of the part of each wall's foot that lies in the picture."""
    found = []
    for wall in room.walls:
        way = np.linspace(0, 1, STEPS)[:, None]
        spots = np.array([*wall.start, 0.0]) + (np.array([*wall.end, 0.0]) - np.array([*wall.start, 0.0])) * way
        seen, depth = room.camera.project(spots)
        inside = (depth > 0.2) & (seen >= 0).all(1) & (seen[:, 0] < shape[1]) & (seen[:, 1] < shape[0])
        places = np.flatnonzero(inside)
        if len(places) > 1:
            found.append((seen[places[0]], seen[places[-1]]))
    return found


def _towards_corners(lines: Plane, foot: tuple[Spot, Spot], free: Mask) -> list[Plane]:
    """The stretches of the changed area in which lines along a wall's foot continue towards its corners."""
    side = max(free.shape)
    length = float(np.linalg.norm(foot[1] - foot[0]))
    if length < LEAST * side:
        return []
    along = (foot[1] - foot[0]) / length
    across = np.array([-along[1], along[0]])
    found = []
    for line in lines.astype(np.float64):
        ends = sorted((line[:2], line[2:]), key=lambda spot: float(spot @ along))
        own = float(np.linalg.norm(ends[1] - ends[0]))
        way = (ends[1] - ends[0]) / own
        if max(abs((end - foot[0]) @ across) for end in ends) > NEAR * side or abs(way @ across) > ASKEW:
            continue
        for start, on, left in ((ends[1], way, foot[1] - ends[1]), (ends[0], -way, foot[0] - ends[0])):
            reach = min(abs(float(left @ along)) * BEFORE_CORNER, SURE * own, MOST * side)
            gap = _first_stretch(start, on, reach, free) if float(left @ on) > 0 else None
            found += [gap] if gap is not None else []
    return found


def _first_stretch(start: Spot, way: Spot, reach: float, free: Mask) -> Plane | None:
    """The first stretch of the changed area on the way, if it is long enough."""
    height, width = free.shape
    spots = start + np.arange(0, max(reach, 1))[:, None] * way
    inside = ((spots >= FRAME) & (spots < np.array([width - FRAME, height - FRAME]))).all(1)
    x, y = (np.clip(spots.T, 0, [[width - 1], [height - 1]])).astype(int)
    inside &= free[y, x]
    if not inside.any():
        return None
    first = int(inside.argmax())
    outside = ~inside[first:]
    last = first + (int(outside.argmax()) if outside.any() else len(outside))
    if last - first < LEAST * max(free.shape):
        return None
    return plane(np.concatenate([spots[first], spots[last - 1]]))


def _gaps(lines: Plane, side: int) -> list[Plane]:
    """The gaps between pieces of one line."""
    order = measure_lengths(lines).argsort()[::-1][:200]
    lines = lines[order]
    result = []
    for place, one in enumerate(lines):
        for other in lines[place + 1 :]:
            gap = _gap(one, other, side)
            if gap is not None:
                result.append(gap)
    return result


def _gap(one: Plane, other: Plane, side: int) -> Plane | None:
    """The gap between two pieces, from the end of one to the end of the other, if they lie in one line."""
    ends = [(first, second) for first in (one[:2], one[2:]) for second in (other[:2], other[2:])]
    near, far = min(ends, key=lambda pair: float(np.hypot(*(pair[0] - pair[1]))))
    length = float(np.hypot(*(near - far)))
    if not LEAST * side < length < MOST * side:
        return None
    way = (far - near) / length
    across = np.array([-way[1], way[0]])
    spots = np.concatenate([one.reshape(2, 2), other.reshape(2, 2)])
    off = np.abs((spots - near) @ across)
    along = (spots - near) @ way
    # Ends of floorboards line up by chance. A line that continues behind a thing shows more than the thing hides.
    shown = float(measure_lengths(plane(np.stack([one, other]))).sum())
    if shown < length or off.max() > 1.2 or not (along[:2].max() <= 1 and along[2:].min() >= length - 1):
        return None
    return plane(np.concatenate([near, far]))


def _share(mask: Mask, line: Plane) -> float:
    steps = max(2, int(measure_lengths(line[None])[0]))
    way = (np.arange(steps) + 0.5) / steps
    x, y = line[0] + (line[2] - line[0]) * way, line[1] + (line[3] - line[1]) * way
    height, width = mask.shape
    return float(mask[np.clip(y, 0, height - 1).astype(int), np.clip(x, 0, width - 1).astype(int)].mean())
