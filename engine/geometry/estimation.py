"""Measures the room in one photo: its camera from edges, its walls from surfaces, its scale from known heights."""

import math
from dataclasses import replace
from enum import StrEnum
from itertools import pairwise

import numpy as np

from engine.arrays import Pixels, Plane
from engine.geometry.camera import Camera
from engine.geometry.columns import Columns, sample_columns
from engine.geometry.hinted_view import HintsDisagree, estimate_hinted_view, measure_height
from engine.geometry.hinted_walls import find_wall_borders, keep_edges_of_floor, place_walls
from engine.geometry.outline import BACK, Outline, OutlineWall, find_outline, join_walls, snap_outline
from engine.geometry.room import Room, Wall
from engine.geometry.scale import HINT, USUAL, Scale, estimate_scale
from engine.geometry.segments import LineSegments, detect_segments
from engine.geometry.surface import PLACE, Surface
from engine.geometry.vanishing_points import FOCAL_SPREAD, USUAL_FOCAL, CameraView, estimate_view
from engine.types.hints import NO_HINTS, HintedSurface, LengthHint, SceneHints

MIN_SIDE, MAX_ASPECT = 64, 2.4
"""Pixels of the short side, and long side by short side: beyond them a room is not measured."""
MIN_FLOOR_SHARE, MIN_CEILING_SHARE = 0.02, 0.01
"""Shares of the picture with which floor and ceiling count as visible."""
MIN_EDGES, MIN_AGREEMENT, MIN_DIRECTION_AGREEMENT = 12, 0.33, 0.02
"""Least number of edges, share of their weight in the main directions, and in the second weakest of them."""
MIN_FIT, MIN_CONFIDENCE = 0.3, 0.45
"""Least `Outline.fit` and confidence of a room that is not refused."""
MAX_WALL_DISTANCE = 60.0
"""Distance from the camera, in camera heights, at which walls are cut off."""
MAX_GUESSED_DEPTH, MIN_GUESSED_HEIGHT = 9.0, 0.8
"""In meters: the largest distance of a wall where the scale is a guess, and the lowest camera that may be guessed.
"""
MAX_USUAL_LENS = 2.2
"""Multiple of FOCAL_SPREAD from which on an estimated focal length is probably wrong."""


class Obstacle(StrEnum):
    """The reasons why a photo's room cannot be measured."""

    TOO_SMALL = "too_small"
    TOO_WIDE = "too_wide"
    BENT = "bent"
    NO_FLOOR = "no_floor"
    NO_DIRECTIONS = "no_directions"
    NO_WALLS = "no_walls"
    UNSURE = "unsure"
    HINTS_DISAGREE = "hints_disagree"


MESSAGES = {
    Obstacle.TOO_SMALL: "The photo is too small to measure the room in it.",
    Obstacle.TOO_WIDE: "The photo is a panorama; the room can only be measured in a usual photo.",
    Obstacle.BENT: "Straight edges are bent in the photo, as by a fisheye lens; the room cannot be measured in it.",
    Obstacle.NO_FLOOR: "Too little of the floor is in view to measure the room.",
    Obstacle.NO_DIRECTIONS: "The photo shows too few straight edges along the room to work out its perspective.",
    Obstacle.NO_WALLS: "The room's walls are not straight, or too hidden to find where they stand.",
    Obstacle.UNSURE: "The room's perspective is not clear enough in the photo.",
    Obstacle.HINTS_DISAGREE: (
        "The lines and corners given do not fit one room, or the length is not on its floor or a wall."
    ),
}


class RoomUnclear(Exception):
    """The room in a photo cannot be measured; `reason` is a stable code, `message` a sentence for customers."""

    def __init__(self, reason: Obstacle) -> None:
        super().__init__(MESSAGES[reason])
        self.reason = reason
        self.message = MESSAGES[reason]


def estimate_room(
    picture: Pixels, surfaces: Plane, focal: float | None = None, hints: SceneHints = NO_HINTS
) -> Room:
    """Measure the room in a small picture.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        Gamma-coded sRGB, its long side about 768 pixels.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.
    focal : float, optional
        Focal length in pixels of `picture`, where the photo's file states it.
    hints : SceneHints, optional
        Known edges, corners of the floor, outlines of walls and a known length; with known edges or corners no
        room is refused as uncertain.

    Returns
    -------
    Room
        The room in meters, its camera in pixels of `picture`.

    Raises
    ------
    RoomUnclear
        Where the picture is too small, a panorama or bent as by a fisheye lens, shows too little floor or too few
        straight edges, or where walls or scale are uncertain.
    """
    height, width = picture.shape[:2]
    if min(height, width) < MIN_SIDE:
        raise RoomUnclear(Obstacle.TOO_SMALL)
    if max(height, width) > MAX_ASPECT * min(height, width):
        raise RoomUnclear(Obstacle.TOO_WIDE)
    if _measure_floor_share(surfaces) < MIN_FLOOR_SHARE:
        raise RoomUnclear(Obstacle.NO_FLOOR)
    segments = detect_segments(picture, surfaces)
    is_told = bool(hints.lines or hints.corners)
    view = _find_view(segments, (width, height), focal, hints)
    camera = view.pose.camera(width, height)
    if _measure_floor_below_horizon(camera, surfaces) < MIN_FLOOR_SHARE:
        raise RoomUnclear(Obstacle.NO_FLOOR)
    columns = sample_columns(camera, surfaces)
    outline = _find_outline(columns, camera, segments, (width, height), hints)
    if not outline.walls or (outline.fit < MIN_FIT and not is_told):
        raise RoomUnclear(Obstacle.NO_WALLS)
    ceiling = outline.ceiling if _is_ceiling_visible(surfaces) else None
    scale = _find_scale(camera, surfaces, ceiling, outline, hints.length)
    confidence = 1.0 if is_told else _measure_confidence(view, outline) * (0.8 + 0.2 * scale.certainty)
    if confidence < MIN_CONFIDENCE:
        raise RoomUnclear(Obstacle.UNSURE)
    return _scale_to_meters(camera, outline, ceiling, scale, confidence)


def _find_view(segments: LineSegments, size: tuple[int, int], focal: float | None, hints: SceneHints) -> CameraView:
    """The camera, found by known edges and corners or by detected edges."""
    if hints.lines or hints.corners:
        try:
            return estimate_hinted_view(hints.lines, hints.corners, segments, size, focal)
        except HintsDisagree:
            raise RoomUnclear(Obstacle.HINTS_DISAGREE) from None
    if len(segments.ends) < MIN_EDGES:
        raise RoomUnclear(Obstacle.NO_DIRECTIONS)
    view = estimate_view(segments, *size, focal)
    if view.agreeing.sum() < MIN_AGREEMENT or np.sort(view.agreeing)[1] < MIN_DIRECTION_AGREEMENT:
        raise RoomUnclear(Obstacle.NO_DIRECTIONS)
    if view.bent:
        raise RoomUnclear(Obstacle.BENT)
    return view


def _find_outline(
    columns: Columns, camera: Camera, segments: LineSegments, size: tuple[int, int], hints: SceneHints
) -> Outline:
    """The walls, found by known corners or by the surfaces, which may be outlined."""
    if hints.corners:
        try:
            return place_walls(camera, hints.corners, columns, size)
        except HintsDisagree:
            raise RoomUnclear(Obstacle.HINTS_DISAGREE) from None
    borders = find_wall_borders(camera, hints.get_outlines(HintedSurface.WALL), columns, size)
    floor = hints.get_outlines(HintedSurface.FLOOR)
    feet = keep_edges_of_floor(segments, floor, size) if floor else segments
    outline = snap_outline(find_outline(columns, borders), columns, camera, feet)
    return outline if borders is None else join_walls(outline, columns, borders)


def _find_scale(
    camera: Camera, surfaces: Plane, ceiling: float | None, outline: Outline, length: LengthHint | None
) -> Scale:
    """The scale, found by a known length or by things of usual height."""
    if length is None:
        return _limit_scale(estimate_scale(camera, surfaces, ceiling), outline)
    size = surfaces.shape[1], surfaces.shape[0]
    try:
        return Scale(measure_height(camera, outline, length, size), HINT, 1.0)
    except HintsDisagree:
        raise RoomUnclear(Obstacle.HINTS_DISAGREE) from None


def _scale_to_meters(
    camera: Camera, outline: Outline, ceiling: float | None, scale: Scale, confidence: float
) -> Room:
    max_distance = MAX_GUESSED_DEPTH if scale.source == USUAL else MAX_WALL_DISTANCE * scale.height
    walls = tuple(_make_wall(*each, scale.height, max_distance) for each in _find_corners(outline.walls))
    walls = tuple(wall for wall in walls if wall.length > 0.05)
    if not walls:
        raise RoomUnclear(Obstacle.NO_WALLS)
    high = None if ceiling is None else ceiling * scale.height
    return Room(camera.with_height(scale.height), walls, high, round(confidence, 3), scale.source, scale.disputed)


def _limit_scale(scale: Scale, outline: Outline) -> Scale:
    """The scale, reduced where it is a guess that puts a wall beyond MAX_GUESSED_DEPTH: few homes have halls.

    Raises RoomUnclear where the camera would then be below MIN_GUESSED_HEIGHT.
    """
    farthest = max(abs(wall.offset) for wall in outline.walls)
    if scale.source != USUAL or farthest * scale.height <= MAX_GUESSED_DEPTH:
        return scale
    if MAX_GUESSED_DEPTH / farthest < MIN_GUESSED_HEIGHT:
        raise RoomUnclear(Obstacle.UNSURE)
    return replace(scale, height=MAX_GUESSED_DEPTH / farthest)


def _measure_floor_share(surfaces: Plane) -> float:
    return float(surfaces[..., PLACE[Surface.FLOOR]].mean() + surfaces[..., PLACE[Surface.RUG]].mean())


def _measure_floor_below_horizon(camera: Camera, surfaces: Plane) -> float:
    """The share of the picture that is floor and below the horizon."""
    few = surfaces[::4, ::4]
    rows, columns = np.indices(few.shape[:2]) * 4 + 0.5
    down = camera.rays(np.column_stack([columns.ravel(), rows.ravel()]))[:, 2].reshape(rows.shape) < 0
    floor = few[..., PLACE[Surface.FLOOR]] + few[..., PLACE[Surface.RUG]]
    return float((floor * down).mean())


def _is_ceiling_visible(surfaces: Plane) -> bool:
    return float(surfaces[..., PLACE[Surface.CEILING]].mean()) > MIN_CEILING_SHARE


def _measure_confidence(view: CameraView, outline: Outline) -> float:
    """0-1: high where edges agree in all three directions, surfaces fit the walls, and the lens is usual."""
    agreeing = (float(view.agreeing.sum()) - view.chance) / (1 - view.chance)
    weakest = min(1.0, float(np.sort(view.agreeing)[0]) / 0.06)
    odd = abs(math.log(view.pose.focal / USUAL_FOCAL)) / FOCAL_SPREAD
    lens = math.exp(-max(0.0, abs(view.pose.shift) - 0.15) * 6 - max(0.0, odd - MAX_USUAL_LENS))
    return float(np.clip(agreeing / 0.75, 0, 1) * (0.75 + 0.25 * weakest) * min(1.0, outline.fit / 0.7) * lens)


def _find_corners(walls: tuple[OutlineWall, ...]) -> list[tuple[OutlineWall, float, float]]:
    """Each wall with the azimuths of its ends, moved to the corners where walls of different direction meet."""
    ends = [[wall.start_azimuth, wall.end_azimuth] for wall in walls]
    for number, (one, other) in enumerate(pairwise(walls)):
        if (one.side == BACK) == (other.side == BACK):
            continue
        side_wall, back_wall = (other, one) if one.side == BACK else (one, other)
        corner = math.atan2(side_wall.side * side_wall.offset, back_wall.offset)
        if abs(corner - one.end_azimuth) < math.radians(2.5):
            ends[number][1] = ends[number + 1][0] = corner
    return [(wall, first, last) for wall, (first, last) in zip(walls, ends, strict=True)]


def _make_wall(wall: OutlineWall, first: float, last: float, height: float, max_distance: float) -> Wall:
    """The wall between two azimuths, in meters, cut off beyond `max_distance`; `height` is the camera's."""
    spots = []
    for azimuth in (first, last):
        far = min(float(wall.distance(np.array([azimuth]))[0]), MAX_WALL_DISTANCE) * height
        across, ahead = far * math.sin(azimuth), far * math.cos(azimuth)
        if wall.side == BACK:
            spots.append((float(np.clip(across, -max_distance, max_distance)), ahead))
        else:
            spots.append((across, min(ahead, max_distance)))
    return Wall(*spots)


def scale_room(room: Room, scale: float) -> Room:
    """Convert a room for a picture of another size.

    Parameters
    ----------
    room : Room
        The room.
    scale : float
        Size of that picture, as a multiple of the current picture's.

    Returns
    -------
    Room
        The room with its camera in pixels of that picture; all meters stay the same.
    """
    return replace(room, camera=room.camera.rescale(scale))
