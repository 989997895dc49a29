"""Estimates how a camera was tilted from the edges that are upright in reality: of walls, doors, windows, posts."""

import numpy as np

from engine.geometry.pose import Pose
from engine.geometry.segments import LineSegments, Numbers
from engine.geometry.vanishing_points import UPRIGHT, USUAL_FOCAL, Edges, compute_vanishing_points

MAX_ANGLE = 8.0
"""Maximum pitch and roll that are estimated, in degrees."""
GRID_STEP = 0.5
"""Step of the search in pitch and roll, in degrees."""
MAX_LEAN = 14.0
"""Maximum angle between an edge and the picture's columns, in degrees, up to which it may be upright."""
SEARCH_DEGREES, AGREEMENT_DEGREES = 1.0, 0.5
"""Angle to the vanishing point up to which an edge counts in the search, and up to which it agrees, in degrees."""
PRIOR_DEGREES = 4.0
"""Usual deviation of pitch and roll, in degrees; a search with few edges prefers small angles."""
PRIOR_WEIGHT = 0.01
"""How much the prior counts in the search, beside scores of 0-1."""
REFINEMENTS = 12
MIN_EDGES = 6
"""Minimum number of agreeing edges."""
MIN_LENGTH = 0.6
"""Minimum length of all agreeing edges together, in halves of the diagonal."""
MIN_SPREAD = 0.3
"""Minimum distance between the outer tenths of agreeing edges, as a share of the picture's width."""
MIN_AGREEING = 0.5
"""Minimum share of the weight of all edges that may be upright."""


def estimate_tilt(segments: LineSegments, width: int, height: int, focal: float | None = None) -> Pose | None:
    """Estimate pitch and roll from nearly upright edges.

    Parameters
    ----------
    segments : LineSegments
        The edges of the picture, in pixels.
    width, height : int
        Size of the picture, in pixels.
    focal : float, optional
        Focal length in pixels, where the photo's file states it; with None that of a usual lens.

    Returns
    -------
    Pose or None
        With yaw and shift 0. None if there are too few edges, if they disagree or lie in a narrow part of the
        picture, or if the tilt is beyond MAX_ANGLE.
    """
    upright = _keep_nearly_upright(segments)
    if len(upright.ends) < MIN_EDGES:
        return None
    edges = Edges(upright, width, height)
    unit = float(np.hypot(width, height)) / 2
    known_focal = USUAL_FOCAL if focal is None else focal / unit
    angles = _refine(edges, _search(edges, known_focal), known_focal)
    if np.abs(angles).max() > np.radians(MAX_ANGLE):
        return None
    agrees = np.abs(_measure_sines(edges, angles, known_focal)) < np.hypot(
        np.sin(np.radians(AGREEMENT_DEGREES)), edges.errors
    )
    agreeing = float(edges.weights[agrees].sum()) / max(float(edges.weights.sum()), 1e-9)
    lengths = upright.lengths[agrees] / unit
    if agrees.sum() < MIN_EDGES or lengths.sum() < MIN_LENGTH or agreeing < MIN_AGREEING:
        return None
    left, right = np.quantile(upright.middles[agrees, 0], (0.1, 0.9))
    if right - left < MIN_SPREAD * width:
        return None
    return Pose(known_focal, 0.0, float(angles[0]), float(angles[1]), 0.0)


def _keep_nearly_upright(segments: LineSegments) -> LineSegments:
    """The edges that lean by at most MAX_LEAN and count at all."""
    directions = segments.directions
    kept = (np.abs(directions[:, 0]) <= np.sin(np.radians(MAX_LEAN))) & (segments.weights > 0)
    return LineSegments(segments.ends[kept], segments.weights[kept], segments.axes[kept])


def _search(edges: Edges, focal: float) -> Numbers:
    """The likeliest pitch and roll on a grid, in radians."""
    steps = np.radians(np.arange(-MAX_ANGLE - 2, MAX_ANGLE + 2 + GRID_STEP, GRID_STEP))
    angles = np.stack(np.meshgrid(steps, steps, indexing="ij"), -1).reshape(-1, 2)
    spread = np.hypot(np.sin(np.radians(SEARCH_DEGREES)), edges.errors)
    closeness = edges.measure_closeness(_find_nadirs(angles, focal), spread) @ edges.weights
    scores = closeness / max(float(edges.weights.sum()), 1e-9)
    scores -= PRIOR_WEIGHT * ((angles / np.radians(PRIOR_DEGREES)) ** 2).sum(1) / 2
    return np.asarray(angles[int(scores.argmax())])


def _refine(edges: Edges, angles: Numbers, focal: float) -> Numbers:
    """Pitch and roll of least error, by reweighted least squares: edges far off hardly count."""
    step = 1e-5
    for _ in range(REFINEMENTS):
        now = _measure_sines(edges, angles, focal)
        scaled = now / np.hypot(np.sin(np.radians(AGREEMENT_DEGREES)), edges.errors)
        weights = edges.weights / edges.errors**2 / (1 + scaled**2) ** 2
        slope = np.column_stack(
            [(_measure_sines(edges, angles + each, focal) - now) / step for each in np.eye(2) * step]
        )
        hessian = slope.T @ (slope * weights[:, None]) + np.eye(2) * 1e-9
        angles = angles - np.clip(np.linalg.solve(hessian, slope.T @ (now * weights)), -0.02, 0.02)
    return np.asarray(angles)


def _measure_sines(edges: Edges, angles: Numbers, focal: float) -> Numbers:
    return np.asarray(edges.measure_sines(_find_nadirs(angles[None], focal))[0])


def _find_nadirs(angles: Numbers, focal: float) -> Numbers:
    """The vanishing points of upright edges for N times pitch and roll, homogeneous."""
    poses = np.zeros((len(angles), 5))
    poses[:, 0], poses[:, 2:4] = np.log(focal), angles
    return np.asarray(compute_vanishing_points(poses)[UPRIGHT])
