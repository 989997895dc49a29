"""The camera of a room's photo from edges whose directions somebody named, its scale from a length they know."""

import math
from collections.abc import Sequence

import numpy as np

from engine.geometry.camera import Camera
from engine.geometry.outline import Outline
from engine.geometry.segments import LineSegments, Numbers
from engine.geometry.vanishing_points import CameraView, estimate_view, measure_errors, refine_view
from engine.types.hints import Direction, LengthHint, LineHint, Point

TRUSTED = 5.0
"""What a named edge counts for, in detected ones of its length."""
MOST_OFF = math.radians(4.0)
"""How far the edges named may run from their directions, as the root of the mean square."""
UPRIGHT = math.radians(12.0)
"""How far from its direction a length may run in the picture and still be upright."""


class HintsDisagree(Exception):
    """The edges named fit no camera, or the length is not where one could be measured."""


def estimate_hinted_view(
    lines: Sequence[LineHint], detected: LineSegments, size: tuple[int, int], focal: float | None = None
) -> CameraView:
    """The likeliest view of a picture in which some edges run in the directions named.

    Parameters
    ----------
    lines : Sequence of LineHint
        Edges in two directions or more.
    detected : LineSegments
        The straight edges found in the picture, in pixels; they make the view more exact.
    size : (int, int)
        Width and height of the picture, in pixels.
    focal : float, optional
        Focal length in pixels, where the photo's file states it.

    Returns
    -------
    CameraView
        The pose, and how all edges agree with it.

    Raises
    ------
    HintsDisagree
        Where no camera sees the edges so.
    """
    views = []
    for along in (0, 1):
        axes = {Direction.UP: 2, Direction.ALONG: along, Direction.ACROSS: 1 - along}
        named = _draw(lines, axes, size)
        view = estimate_view(named, *size, focal)
        views.append((float(np.sqrt((measure_errors(named, view.pose, *size) ** 2).mean())), named, view))
    off, named, view = min(views, key=lambda each: each[0])
    if off > MOST_OFF:
        raise HintsDisagree
    return refine_view(_join(named, detected), view.pose, *size, focal)


def _draw(lines: Sequence[LineHint], axes: dict[Direction, int], size: tuple[int, int]) -> LineSegments:
    ends = np.array([(*each.start, *each.end) for each in lines]) * np.array([*size, *size], float)
    return LineSegments(
        ends, np.full(len(ends), TRUSTED), np.array([axes[each.direction] for each in lines], np.intp)
    )


def _join(named: LineSegments, detected: LineSegments) -> LineSegments:
    return LineSegments(
        np.concatenate([named.ends, detected.ends]),
        np.concatenate([named.weights, detected.weights]),
        np.concatenate([named.axes, detected.axes]),
    )


def measure_height(camera: Camera, outline: Outline, length: LengthHint, size: tuple[int, int]) -> float:
    """The camera's height over the floor that makes a length as long as it is.

    Parameters
    ----------
    camera : Camera
        One unit over the floor.
    outline : Outline
        The walls, in heights of the camera: an upright length may begin above the floor, at a wall.
    length : LengthHint
        Upright, standing on the floor or at a wall; or level, on the floor.
    size : (int, int)
        Width and height of the camera's picture, in pixels.

    Returns
    -------
    float
        Meters.

    Raises
    ------
    HintsDisagree
        Where the length is not on floor or wall.
    """
    ends = [_ray(camera, each, size) for each in (length.start, length.end)]
    low, high = sorted(ends, key=lambda ray: float(ray[2] / np.hypot(ray[0], ray[1])))
    if _is_upright(camera, length, size):
        near = _reach(low, outline)
        measured = near * (_slope(high) - _slope(low))
    else:
        spots = [ray[:2] / -ray[2] for ray in (low, high) if ray[2] < -1e-3]
        if len(spots) < 2:
            raise HintsDisagree
        measured = float(np.linalg.norm(spots[0] - spots[1]))
    if not 1e-3 < measured < 1e3:
        raise HintsDisagree
    return length.meters / measured


def _ray(camera: Camera, point: Point, size: tuple[int, int]) -> Numbers:
    return np.asarray(camera.rays(np.array([point]) * np.array(size, float))[0])


def _slope(ray: Numbers) -> float:
    return float(ray[2] / np.hypot(ray[0], ray[1]))


def _is_upright(camera: Camera, length: LengthHint, size: tuple[int, int]) -> bool:
    """Whether the length runs in the picture as an upright edge does there."""
    start, end = (np.array(each) * np.array(size, float) for each in (length.start, length.end))
    middle = (start + end) / 2
    foot = camera.eye + camera.rays(middle[None])[0]
    ends, _ = camera.project(np.stack([foot, foot + np.array([0.0, 0.0, 0.05])]))
    one, other = end - start, ends[1] - ends[0]
    across = one[0] * other[1] - one[1] * other[0]
    return abs(float(across)) < math.sin(UPRIGHT) * float(np.linalg.norm(one) * np.linalg.norm(other))


def _reach(ray: Numbers, outline: Outline) -> float:
    """Heights of the camera from it to the foot of an upright length: on the floor, or at a nearer wall."""
    azimuth = math.atan2(ray[0], ray[1])
    wall = next((each for each in outline.stretches if each.first <= azimuth <= each.last), None)
    far = math.inf if wall is None else float(wall.distance(np.array([azimuth]))[0])
    floor = -1 / _slope(ray) if _slope(ray) < -1e-3 else math.inf
    near = min(far, floor)
    if not math.isfinite(near):
        raise HintsDisagree
    return near
