"""The room in one photo: its camera from the edges, its walls from the surfaces, its scale from known heights."""

import math
from dataclasses import replace
from enum import StrEnum
from itertools import pairwise

import numpy as np

from engine.arrays import Pixels, Plane
from engine.geometry.camera import Camera
from engine.geometry.columns import sample_columns
from engine.geometry.hinted_view import HintsDisagree, estimate_hinted_view, measure_height
from engine.geometry.outline import BACK, Outline, Stretch, find_outline, snap_outline
from engine.geometry.room import Room, Wall
from engine.geometry.scale import HINT, USUAL, Scale, estimate_scale
from engine.geometry.segments import LineSegments, detect_segments
from engine.geometry.surface import PLACE, Surface
from engine.geometry.vanishing_points import FOCAL_SPREAD, USUAL_FOCAL, CameraView, estimate_view
from engine.types.hints import NO_HINTS, LengthHint, SceneHints

LEAST_SIDE = 64
WIDEST = 2.4
LEAST_FLOOR = 0.02
LEAST_EDGES = 12
LEAST_AGREEING = 0.33
LEAST_DIRECTION = 0.02
LEAST_FIT = 0.3
LEAST_CONFIDENCE = 0.45
CEILING_SHOWN = 0.01
FARTHEST = 60.0
"""Heights of the camera beyond which no wall is followed."""
DEEPEST_GUESSED, LOWEST_GUESSED = 9.0, 0.8
"""Meters: how far a wall may stand where the scale is a guess, and how low the camera may be brought for it."""
ODD_LENS = 2.2
"""Spreads from the usual focal length from which on a lens is rather an error."""


class Unclear(StrEnum):
    """Why a photo's room cannot be measured."""

    TOO_SMALL = "too_small"
    TOO_WIDE = "too_wide"
    BENT = "bent"
    NO_FLOOR = "no_floor"
    NO_DIRECTIONS = "no_directions"
    NO_WALLS = "no_walls"
    UNSURE = "unsure"
    HINTS_DISAGREE = "hints_disagree"


MESSAGES = {
    Unclear.TOO_SMALL: "The photo is too small to measure the room in it.",
    Unclear.TOO_WIDE: "The photo is a panorama; the room can only be measured in a usual photo.",
    Unclear.BENT: "Straight edges are bent in the photo, as by a fisheye lens; the room cannot be measured in it.",
    Unclear.NO_FLOOR: "Too little of the floor is in view to measure the room.",
    Unclear.NO_DIRECTIONS: "The photo shows too few straight edges along the room to work out its perspective.",
    Unclear.NO_WALLS: "The room's walls are not straight, or too hidden to find where they stand.",
    Unclear.UNSURE: "The room's perspective is not clear enough in the photo.",
    Unclear.HINTS_DISAGREE: "The lines given do not fit one room, or the length is not on its floor or a wall.",
}


class RoomUnclear(Exception):
    """The room in a photo cannot be measured; `reason` is a stable word, the message one for customers."""

    def __init__(self, reason: Unclear) -> None:
        super().__init__(MESSAGES[reason])
        self.reason = reason
        self.message = MESSAGES[reason]


def estimate_room(
    picture: Pixels, surfaces: Plane, focal: float | None = None, hints: SceneHints = NO_HINTS
) -> Room:
    """The room in a small picture.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        Gamma-coded sRGB, its long side about 768 pixels.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.
    focal : float, optional
        Focal length in pixels of `picture`, where the photo's file states it; None where it does not.
    hints : SceneHints, optional
        Edges and a length that are known; with edges nothing is refused as uncertain.

    Returns
    -------
    Room
        The room in meters, its camera in pixels of `picture`.

    Raises
    ------
    RoomUnclear
        Where the picture is too small, a panorama or bent as by a fisheye lens, shows too little floor or too few
        straight edges, or where walls or scale are not certain enough.
    """
    height, width = picture.shape[:2]
    if min(height, width) < LEAST_SIDE:
        raise RoomUnclear(Unclear.TOO_SMALL)
    if max(height, width) > WIDEST * min(height, width):
        raise RoomUnclear(Unclear.TOO_WIDE)
    if _floor_share(surfaces) < LEAST_FLOOR:
        raise RoomUnclear(Unclear.NO_FLOOR)
    segments = detect_segments(picture, surfaces)
    view = _find_view(segments, (width, height), focal, hints)
    camera = view.pose.camera(width, height)
    if _floor_below(camera, surfaces) < LEAST_FLOOR:
        raise RoomUnclear(Unclear.NO_FLOOR)
    columns = sample_columns(camera, surfaces)
    outline = snap_outline(find_outline(columns), columns, camera, segments)
    if not outline.stretches or (outline.fit < LEAST_FIT and not hints.lines):
        raise RoomUnclear(Unclear.NO_WALLS)
    ceiling = outline.ceiling if _ceiling_seen(surfaces) else None
    scale = _find_scale(camera, surfaces, ceiling, outline, hints.length)
    confidence = 1.0 if hints.lines else _confidence(view, outline) * (0.8 + 0.2 * scale.sure)
    if confidence < LEAST_CONFIDENCE:
        raise RoomUnclear(Unclear.UNSURE)
    return _scale_to_meters(camera, outline, ceiling, scale, confidence)


def _find_view(segments: LineSegments, size: tuple[int, int], focal: float | None, hints: SceneHints) -> CameraView:
    if hints.lines:
        try:
            return estimate_hinted_view(hints.lines, segments, size, focal)
        except HintsDisagree:
            raise RoomUnclear(Unclear.HINTS_DISAGREE) from None
    if len(segments.ends) < LEAST_EDGES:
        raise RoomUnclear(Unclear.NO_DIRECTIONS)
    view = estimate_view(segments, *size, focal)
    if view.agreeing.sum() < LEAST_AGREEING or np.sort(view.agreeing)[1] < LEAST_DIRECTION:
        raise RoomUnclear(Unclear.NO_DIRECTIONS)
    if view.bent:
        raise RoomUnclear(Unclear.BENT)
    return view


def _find_scale(
    camera: Camera, surfaces: Plane, ceiling: float | None, outline: Outline, length: LengthHint | None
) -> Scale:
    if length is None:
        return _limit_scale(estimate_scale(camera, surfaces, ceiling), outline)
    size = surfaces.shape[1], surfaces.shape[0]
    try:
        return Scale(measure_height(camera, outline, length, size), HINT, 1.0)
    except HintsDisagree:
        raise RoomUnclear(Unclear.HINTS_DISAGREE) from None


def _scale_to_meters(
    camera: Camera, outline: Outline, ceiling: float | None, scale: Scale, confidence: float
) -> Room:
    reach = DEEPEST_GUESSED if scale.measure == USUAL else FARTHEST * scale.height
    walls = tuple(_wall(*each, scale.height, reach) for each in _corners(outline.stretches))
    walls = tuple(wall for wall in walls if wall.length > 0.05)
    if not walls:
        raise RoomUnclear(Unclear.NO_WALLS)
    high = None if ceiling is None else ceiling * scale.height
    return Room(camera.raise_by(scale.height), walls, high, round(confidence, 3), scale.measure, scale.disputed)


def _limit_scale(scale: Scale, outline: Outline) -> Scale:
    """The scale, made smaller where it is a guess that puts a wall beyond DEEPEST_GUESSED: homes have few halls.

    Raises RoomUnclear where the camera would have to lie on the floor for it.
    """
    farthest = max(abs(stretch.offset) for stretch in outline.stretches)
    if scale.measure != USUAL or farthest * scale.height <= DEEPEST_GUESSED:
        return scale
    if DEEPEST_GUESSED / farthest < LOWEST_GUESSED:
        raise RoomUnclear(Unclear.UNSURE)
    return replace(scale, height=DEEPEST_GUESSED / farthest)


def _floor_share(surfaces: Plane) -> float:
    return float(surfaces[..., PLACE[Surface.FLOOR]].mean() + surfaces[..., PLACE[Surface.RUG]].mean())


def _floor_below(camera: Camera, surfaces: Plane) -> float:
    """The share of the picture that is floor and below the horizon."""
    few = surfaces[::4, ::4]
    rows, columns = np.indices(few.shape[:2]) * 4 + 0.5
    down = camera.rays(np.column_stack([columns.ravel(), rows.ravel()]))[:, 2].reshape(rows.shape) < 0
    floor = few[..., PLACE[Surface.FLOOR]] + few[..., PLACE[Surface.RUG]]
    return float((floor * down).mean())


def _ceiling_seen(surfaces: Plane) -> bool:
    return float(surfaces[..., PLACE[Surface.CEILING]].mean()) > CEILING_SHOWN


def _confidence(view: CameraView, outline: Outline) -> float:
    """0-1: edges agree beyond chance, each direction is well seen, surfaces fit the walls; the lens is usual."""
    agreeing = (float(view.agreeing.sum()) - view.chance) / (1 - view.chance)
    weakest = min(1.0, float(np.sort(view.agreeing)[0]) / 0.06)
    odd = abs(math.log(view.pose.focal / USUAL_FOCAL)) / FOCAL_SPREAD
    lens = math.exp(-max(0.0, abs(view.pose.shift) - 0.15) * 6 - max(0.0, odd - ODD_LENS))
    return float(np.clip(agreeing / 0.75, 0, 1) * (0.75 + 0.25 * weakest) * min(1.0, outline.fit / 0.7) * lens)


def _corners(stretches: tuple[Stretch, ...]) -> list[tuple[Stretch, float, float]]:
    """Each wall with the azimuths of its ends: where two of different direction meet, exactly there."""
    ends = [[wall.first, wall.last] for wall in stretches]
    for number, (one, other) in enumerate(pairwise(stretches)):
        if (one.side == BACK) == (other.side == BACK):
            continue
        across, deep = (other, one) if one.side == BACK else (one, other)
        meeting = math.atan2(across.side * across.offset, deep.offset)
        if abs(meeting - one.last) < math.radians(2.5):
            ends[number][1] = ends[number + 1][0] = meeting
    return [(wall, first, last) for wall, (first, last) in zip(stretches, ends, strict=True)]


def _wall(stretch: Stretch, first: float, last: float, height: float, reach: float) -> Wall:
    """The wall between two azimuths, cut off where it goes on beyond `reach` meters."""
    spots = []
    for azimuth in (first, last):
        far = min(float(stretch.distance(np.array([azimuth]))[0]), FARTHEST) * height
        across, ahead = far * math.sin(azimuth), far * math.cos(azimuth)
        if stretch.side == BACK:
            spots.append((float(np.clip(across, -reach, reach)), ahead))
        else:
            spots.append((across, min(ahead, reach)))
    return Wall(*spots)


def scale_room(room: Room, scale: float) -> Room:
    """The same room for a picture of another size.

    Parameters
    ----------
    room : Room
        The room.
    scale : float
        Size of that picture, as a multiple of the size of the one that the room's camera took.

    Returns
    -------
    Room
        The room with its camera in pixels of that picture; meters stay.
    """
    return replace(room, camera=room.camera.rescale(scale))
