"""Estimates the camera of a room's photo from edges of hinted direction, and its height from a hinted length."""

import math
from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np

from engine.geometry.camera import Camera
from engine.geometry.outline import Outline
from engine.geometry.segments import LineSegments, Numbers
from engine.geometry.vanishing_points import CameraView, estimate_view, measure_errors, refine_view
from engine.types.hints import Direction, LengthHint, LineHint, Point

HINT_WEIGHT = 5.0
"""Weight of a hinted edge; a detected edge of the same length has at most 1."""
MAX_DEVIATION = math.radians(4.0)
"""Radians, as root mean square, by which the hinted edges may be off their directions."""
MIN_AGREEING_LINES = 4
"""Least number of lines that must agree with one another if a line that disagrees is left out."""
SURE_DEVIATION = math.radians(1.5)
"""Radians below which the other order of the level directions is not tried: it is off by ten degrees and more."""
MAX_CONFIRMED_DEVIATION = math.radians(2.0)
"""Radians by which the lines that agree, and detected edges that confirm them, may be off their directions."""
MIN_CONFIRMED = 0.5
"""Least share of the detected edges, by length and weight, that must confirm the view if a line is left out."""
MAX_UPRIGHT_DEVIATION = math.radians(12.0)
"""Radians in the picture by which a hinted length may be off the upright direction and still count as upright."""


class HintsDisagree(Exception):
    """The hinted edges fit no camera, or the hinted length is not on the floor or at a wall."""


def estimate_hinted_view(
    lines: Sequence[LineHint],
    corners: Sequence[Point],
    detected: LineSegments,
    size: tuple[int, int],
    focal: float | None = None,
) -> CameraView:
    """Estimate the likeliest view of a picture in which some edges have hinted directions.

    Parameters
    ----------
    lines : Sequence of LineHint
        The hinted edges, in two directions or more; none if there are three corners or more.
    corners : Sequence of Point
        Hinted corners of the floor: the edges from one to the next are level and at right angles in turn.
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
        Where no camera fits the hinted edges.
    """
    deviation, hinted, view = _fit_view(lines, corners, detected, size, focal)
    if deviation <= MAX_DEVIATION:
        return refine_view(_join_segments(hinted, detected), view.pose, *size, focal)
    # A wall that is not at right angles, or a lens that bends lines, often spoils a single line.
    few = [(*lines[:place], *lines[place + 1 :]) for place in range(len(lines))]
    found = [
        found
        for kept in few
        if len(kept) >= MIN_AGREEING_LINES and len({each.direction for each in kept}) > 1 and not corners
        if (found := _confirm_view(kept, detected, size, focal)) is not None
    ]
    if not found:
        raise HintsDisagree
    return max(found, key=lambda each: each[0])[1]


Fit = tuple[float, LineSegments, CameraView]


def _fit_view(
    lines: Sequence[LineHint],
    corners: Sequence[Point],
    detected: LineSegments,
    size: tuple[int, int],
    focal: float | None,
) -> Fit:
    """The deviation of the hinted edges from the view that fits them best, these edges in pixels, and the view."""
    views: list[Fit] = []
    for along, first in product((0, 1) if lines else (0,), (0, 1) if corners else (0,)):
        axes = {Direction.UP: 2, Direction.ALONG: along, Direction.ACROSS: 1 - along}
        edges = [(*each.start, *each.end, axes[each.direction]) for each in lines]
        edges += [(*each, *other, (first + turn) % 2) for turn, (each, other) in enumerate(pairwise(corners))]
        hinted = _convert_to_segments(edges, size)
        view = estimate_view(hinted if lines else _join_segments(hinted, detected), *size, focal)
        views.append((float(np.sqrt((measure_errors(hinted, view.pose, *size) ** 2).mean())), hinted, view))
        if views[-1][0] < SURE_DEVIATION:
            break
    return min(views, key=lambda each: each[0])


def _confirm_view(
    lines: Sequence[LineHint], detected: LineSegments, size: tuple[int, int], focal: float | None
) -> tuple[float, CameraView] | None:
    """The share of the detected edges that agree with the view that fits the lines, and that view; None where the
    lines or these edges do not confirm the view."""
    deviation, hinted, view = _fit_view(lines, (), detected, size, focal)
    if deviation > MAX_CONFIRMED_DEVIATION:
        return None
    view = refine_view(_join_segments(hinted, detected), view.pose, *size, focal)
    weights = detected.weights * detected.lengths
    agree = np.abs(measure_errors(detected, view.pose, *size)) < math.sin(MAX_CONFIRMED_DEVIATION)
    share = float(weights @ agree) / max(float(weights.sum()), 1e-9)
    return (share, view) if share >= MIN_CONFIRMED else None


def _convert_to_segments(
    edges: Sequence[tuple[float, float, float, float, int]], size: tuple[int, int]
) -> LineSegments:
    """Edges in pixels; each is given by its ends, as shares of the picture's size, and its axis."""
    ends = np.array([each[:4] for each in edges]) * np.array([*size, *size], float)
    return LineSegments(ends, np.full(len(ends), HINT_WEIGHT), np.array([axis for *_, axis in edges], np.intp))


def _join_segments(hinted: LineSegments, detected: LineSegments) -> LineSegments:
    return LineSegments(
        np.concatenate([hinted.ends, detected.ends]),
        np.concatenate([hinted.weights, detected.weights]),
        np.concatenate([hinted.axes, detected.axes]),
    )


def measure_height(camera: Camera, outline: Outline, length: LengthHint, size: tuple[int, int]) -> float:
    """Measure the camera's height over the floor from a length that is known in meters.

    Parameters
    ----------
    camera : Camera
        The camera, one unit over the floor.
    outline : Outline
        The walls, in camera heights: an upright length may begin above the floor, at a wall.
    length : LengthHint
        The hinted length: upright on the floor or at a wall, or level on the floor.
    size : (int, int)
        Width and height of the camera's picture, in pixels.

    Returns
    -------
    float
        The height in meters.

    Raises
    ------
    HintsDisagree
        Where the length is neither on the floor nor at a wall.
    """
    ends = [_find_ray(camera, each, size) for each in (length.start, length.end)]
    low, high = sorted(ends, key=_compute_slope)
    if _is_upright(camera, length, size):
        distance = _measure_distance(low, outline)
        measured = distance * (_compute_slope(high) - _compute_slope(low))
    else:
        spots = [ray[:2] / -ray[2] for ray in (low, high) if ray[2] < -1e-3]
        if len(spots) < 2:
            raise HintsDisagree
        measured = float(np.linalg.norm(spots[0] - spots[1]))
    if not 1e-3 < measured < 1e3:
        raise HintsDisagree
    return length.meters / measured


def _find_ray(camera: Camera, point: Point, size: tuple[int, int]) -> Numbers:
    """The ray of the camera through a point, which is given in shares of the picture's size."""
    return np.asarray(camera.rays(np.array([point]) * np.array(size, float))[0])


def _compute_slope(ray: Numbers) -> float:
    """The rise of a ray per unit of horizontal distance."""
    return float(ray[2] / np.hypot(ray[0], ray[1]))


def _is_upright(camera: Camera, length: LengthHint, size: tuple[int, int]) -> bool:
    """Whether the length has the direction of an upright edge at its place in the picture."""
    start, end = (np.array(each) * np.array(size, float) for each in (length.start, length.end))
    middle = (start + end) / 2
    foot = camera.eye + camera.rays(middle[None])[0]
    ends, _ = camera.project(np.stack([foot, foot + np.array([0.0, 0.0, 0.05])]))
    one, other = end - start, ends[1] - ends[0]
    across = one[0] * other[1] - one[1] * other[0]
    return abs(float(across)) < math.sin(MAX_UPRIGHT_DEVIATION) * float(np.linalg.norm(one) * np.linalg.norm(other))


def _measure_distance(ray: Numbers, outline: Outline) -> float:
    """The distance to an upright length in camera heights: to its foot on the floor, or to a nearer wall."""
    azimuth = math.atan2(ray[0], ray[1])
    wall = next((each for each in outline.walls if each.start_azimuth <= azimuth <= each.end_azimuth), None)
    to_wall = math.inf if wall is None else float(wall.distance(np.array([azimuth]))[0])
    to_floor = -1 / _compute_slope(ray) if _compute_slope(ray) < -1e-3 else math.inf
    nearest = min(to_wall, to_floor)
    if not math.isfinite(nearest):
        raise HintsDisagree
    return nearest
