"""Estimates how a camera was tilted from the edges that are upright in reality: of walls, doors, windows, posts."""

import numpy as np

from engine.geometry.pose import Pose
from engine.geometry.segments import LineSegments, Numbers
from engine.geometry.vanishing_points import UPRIGHT, USUAL_FOCAL, Edges, compute_vanishing_points

MAX_ANGLE = 8.0
"""Maximum pitch and roll that are estimated, in degrees."""
GRID_STEP = 0.5
"""Step of the search in pitch and roll, in degrees."""
SEARCH_DEGREES, AGREEMENT_DEGREES = 1.0, 0.5
"""Angle to the vanishing point up to which an edge counts in the search, and up to which it agrees, in degrees."""
PRIOR_DEGREES = 4.0
"""Usual deviation of pitch and roll, in degrees; a search with few edges prefers small angles."""
PRIOR_WEIGHT = 0.01
"""How much the prior counts in the search, beside scores of 0-1."""
REFINEMENTS = 12
GROUPS, GROUP_REFINEMENTS = 12, 4
"""The standard error is measured by leaving out one of GROUPS groups of neighboring edges at a time, with this
number of refining steps.
"""
MAX_STANDARD_ERROR, MAX_ROLL_ERROR = 0.25, 0.15
"""Maximum standard error, in degrees, of pitch and roll, and of roll alone where pitch is uncertain."""
MAX_CHANGE, MAX_ROLL_CHANGE = 0.35, 0.15
"""Maximum difference, in degrees, between the final pitch and roll and those by all edges within SEARCH_DEGREES,
and that of roll alone where pitch is uncertain.
"""
MIN_EDGES = 6
"""Minimum number of agreeing edges."""
MIN_LENGTH = 0.6
"""Minimum length of all agreeing edges together, in halves of the diagonal."""
MIN_SPREAD = 0.3
"""Minimum distance between the outer tenths of agreeing edges, as a share of the picture's width."""
MIN_AGREEING, MIN_AGREEING_ON_ROLL = 0.5, 0.45
"""Minimum share of the weight of all edges that may be upright, and the same for roll alone."""


def estimate_tilt(
    segments: LineSegments, width: int, height: int, focal: float | None = None, errors: Numbers | None = None
) -> Pose | None:
    """Estimate pitch and roll from nearly upright edges.

    Parameters
    ----------
    segments : LineSegments
        Edges of the picture that lean by few degrees, in pixels.
    width, height : int
        Size of the picture, in pixels.
    focal : float, optional
        Focal length in pixels, where the photo's file states it; None for that of a usual lens.
    errors : (N,) ndarray of float64, optional
        The standard error of the angle of each edge, in radians, where it was measured.

    Returns
    -------
    Pose or None
        Yaw and shift are 0, and pitch is 0 where only roll is certain. None if there are too few edges, if they
        disagree or lie in a narrow part of the picture, or if the tilt is beyond MAX_ANGLE.
    """
    counts = segments.weights > 0
    if counts.sum() < MIN_EDGES:
        return None
    upright = LineSegments(segments.ends[counts], segments.weights[counts])
    edges = Edges(upright, width, height)
    if errors is not None:
        edges.errors = errors[counts]
    unit = float(np.hypot(width, height)) / 2
    known_focal = USUAL_FOCAL if focal is None else focal / unit
    wide = _refine(edges, _search(edges, known_focal), known_focal, SEARCH_DEGREES, REFINEMENTS)
    angles = _refine(edges, wide, known_focal, AGREEMENT_DEGREES, REFINEMENTS)
    agrees = np.abs(_measure_sines(edges, angles, known_focal)) < _find_spread(edges, AGREEMENT_DEGREES)
    agreeing = float(edges.weights[agrees].sum()) / max(float(edges.weights.sum()), 1e-9)
    lengths = upright.lengths[agrees] / unit
    tilted = np.abs(angles).max() > np.radians(MAX_ANGLE)
    if tilted or agrees.sum() < MIN_EDGES or lengths.sum() < MIN_LENGTH or agreeing < MIN_AGREEING_ON_ROLL:
        return None
    left, right = np.quantile(upright.middles[agrees, 0], (0.1, 0.9))
    if right - left < MIN_SPREAD * width:
        return None
    errors, change = (
        np.degrees(_measure_standard_errors(edges, angles, known_focal)),
        np.degrees(np.abs(angles - wide)),
    )
    if errors.max() <= MAX_STANDARD_ERROR and change.max() <= MAX_CHANGE and agreeing >= MIN_AGREEING:
        return Pose(known_focal, 0.0, float(angles[0]), float(angles[1]), 0.0)
    if errors[1] <= MAX_ROLL_ERROR and change[1] <= MAX_ROLL_CHANGE:
        return Pose(known_focal, 0.0, 0.0, float(angles[1]), 0.0)
    return None


def _search(edges: Edges, focal: float) -> Numbers:
    """The likeliest pitch and roll on a grid, in radians."""
    steps = np.radians(np.arange(-MAX_ANGLE - 2, MAX_ANGLE + 2 + GRID_STEP, GRID_STEP))
    angles = np.stack(np.meshgrid(steps, steps, indexing="ij"), -1).reshape(-1, 2)
    nearness = edges.measure_closeness(_find_nadirs(angles, focal), _find_spread(edges, SEARCH_DEGREES))
    closeness = nearness @ edges.weights
    scores = closeness / max(float(edges.weights.sum()), 1e-9)
    scores -= PRIOR_WEIGHT * ((angles / np.radians(PRIOR_DEGREES)) ** 2).sum(1) / 2
    return np.asarray(angles[int(scores.argmax())])


def _refine(edges: Edges, angles: Numbers, focal: float, degrees: float, steps: int) -> Numbers:
    """Pitch and roll of least error, by reweighted least squares; edges that are off by `degrees` hardly count."""
    step = 1e-5
    for _ in range(steps):
        now = _measure_sines(edges, angles, focal)
        weights = _weigh(edges, now, degrees)
        slope = np.column_stack(
            [(_measure_sines(edges, angles + each, focal) - now) / step for each in np.eye(2) * step]
        )
        hessian = slope.T @ (slope * weights[:, None]) + np.eye(2) * 1e-9
        angles = angles - np.clip(np.linalg.solve(hessian, slope.T @ (now * weights)), -0.02, 0.02)
    return np.asarray(angles)


def _weigh(edges: Edges, sines: Numbers, degrees: float) -> Numbers:
    return np.asarray(edges.weights / edges.errors**2 / (1 + (sines / _find_spread(edges, degrees)) ** 2) ** 2)


def _find_spread(edges: Edges, degrees: float) -> Numbers:
    return np.asarray(np.hypot(np.sin(np.radians(degrees)), edges.errors))


def _measure_standard_errors(edges: Edges, angles: Numbers, focal: float) -> Numbers:
    """The standard errors of pitch and roll, in radians, by the jackknife.

    Groups are neighbors from left to right, all with about the same weight, because edges of one door or cabinet
    have similar errors.
    """
    weights = _weigh(edges, _measure_sines(edges, angles, focal), AGREEMENT_DEGREES)
    order = np.argsort(edges.middles[:, 0], kind="stable")
    share = (weights[order].cumsum() - weights[order] / 2) / max(float(weights.sum()), 1e-12)
    groups = np.empty(len(order), np.intp)
    groups[order] = (share * GROUPS).astype(np.intp)
    every, found = edges.weights, []
    for group in np.unique(groups):
        edges.weights = np.where(groups == group, 0, every)
        found.append(_refine(edges, angles, focal, AGREEMENT_DEGREES, GROUP_REFINEMENTS))
    edges.weights = every
    return np.asarray(np.sqrt((len(found) - 1) * np.var(found, axis=0)))


def _measure_sines(edges: Edges, angles: Numbers, focal: float) -> Numbers:
    return np.asarray(edges.measure_sines(_find_nadirs(angles[None], focal))[0])


def _find_nadirs(angles: Numbers, focal: float) -> Numbers:
    """The vanishing points of upright edges for N pairs of pitch and roll, homogeneous."""
    poses = np.zeros((len(angles), 5))
    poses[:, 0], poses[:, 2:4] = np.log(focal), angles
    return np.asarray(compute_vanishing_points(poses)[UPRIGHT])
