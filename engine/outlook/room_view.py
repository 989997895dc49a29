"""Describes a measured room: its camera in numbers for people, and its edges in the picture as hints."""

import math
from collections.abc import Iterator

import numpy as np

from engine.geometry.camera import MIN_DEPTH, Camera, Points
from engine.geometry.room import Room
from engine.types.hint_document import MIN_DIRECTIONS, MIN_LINE_LENGTH
from engine.types.hints import Direction, LineHint, Point
from engine.types.outlook import RoomView

MAX_EDGES = 24
"""Most edges of a room that are described; the longest are kept."""
SAMPLES = 96
"""Number of points of an edge that are projected to find the part that is in the picture."""


def describe_camera(room: Room, size: tuple[int, int]) -> RoomView:
    """Describe the camera and the size of a room.

    Parameters
    ----------
    room : Room
        The measured room.
    size : (int, int)
        Width and height of the picture of its camera, in pixels.

    Returns
    -------
    RoomView
        Independent of the picture's number of pixels.
    """
    camera, (width, height) = room.camera, size
    right, _, ahead = camera.turn
    yaw = math.atan2(ahead[0], ahead[1])
    pitch = math.asin(float(np.clip(-ahead[2], -1, 1)))
    # The direction to the picture's right is level unless the camera is rolled.
    roll = math.asin(float(np.clip(-right[2] / max(math.cos(pitch), 1e-6), -1, 1)))
    return RoomView(
        focal=camera.focal / width,
        center=(camera.center[0] / width, camera.center[1] / height),
        yaw=math.degrees(yaw),
        pitch=math.degrees(pitch),
        roll=math.degrees(roll),
        height=camera.height,
        ceiling=room.ceiling,
        scale_source=room.scale_source,
        certainty=room.confidence,
    )


def find_room_lines(room: Room, size: tuple[int, int]) -> tuple[LineHint, ...]:
    """Find where the edges of a room are in the picture: along floor and ceiling, and between walls.

    Parameters
    ----------
    room : Room
        The measured room.
    size : (int, int)
        Width and height of the picture of its camera, in pixels.

    Returns
    -------
    tuple of LineHint
        The longest first, whether or not things hide them; none if they run in one direction only.
    """
    found = [
        LineHint(direction, *ends)
        for direction, start, end in _list_edges(room)
        if (ends := _find_visible_part(room.camera, start, end, size)) is not None
    ]
    found.sort(key=lambda each: -math.dist(each.start, each.end))
    kept = tuple(found[:MAX_EDGES])
    return kept if len({each.direction for each in kept}) >= MIN_DIRECTIONS else ()


def _list_edges(room: Room) -> Iterator[tuple[Direction, Points, Points]]:
    lengths = [0.0, 0.0]
    for wall in room.walls:
        lengths[_find_axis(wall.along)] += wall.length
    along = int(lengths[1] >= lengths[0])
    top = room.ceiling if room.ceiling is not None else 2 * room.camera.height
    for wall in room.walls:
        direction = Direction.ALONG if _find_axis(wall.along) == along else Direction.ACROSS
        for height in (0.0,) if room.ceiling is None else (0.0, room.ceiling):
            yield direction, np.array([*wall.start, height]), np.array([*wall.end, height])
    for left, right in zip(room.walls, room.walls[1:], strict=False):
        if math.dist(left.end, right.start) < 0.01:
            yield Direction.UP, np.array([*left.end, 0.0]), np.array([*left.end, top])


def _find_axis(along: Points) -> int:
    return int(abs(along[1]) > abs(along[0]))


def _find_visible_part(
    camera: Camera, start: Points, end: Points, size: tuple[int, int]
) -> tuple[Point, Point] | None:
    """The ends of the part of an edge that is in front of the lens and in the picture, 0-1; None if it is short."""
    shares = np.linspace(0, 1, SAMPLES)[:, None]
    places, depth = camera.project(start + shares * (end - start))
    places = places / np.array(size, float)
    inside = np.flatnonzero((depth > 2 * MIN_DEPTH) & (places >= 0).all(1) & (places <= 1).all(1))
    if len(inside) < 2:
        return None
    (x, y), (u, v) = places[inside[0]], places[inside[-1]]
    ends = (float(x), float(y)), (float(u), float(v))
    return ends if math.dist(*ends) >= 2 * MIN_LINE_LENGTH else None
