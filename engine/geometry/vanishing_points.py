"""Estimates the camera of a room's photo from straight edges, which mostly run in the room's three main directions.

Such a room is called a Manhattan world: Coughlan and Yuille, "Manhattan World" (1999).

First all likely cameras are tried: the vanishing point of upright edges, then focal length, shift and yaw. The best
of them are refined, so that edges point to the vanishing points of their directions. Where the edges allow several
cameras, a usual one is preferred.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from engine.arrays import Plane, plane
from engine.geometry.pose import Pose, estimate_upright_pose, read_pose
from engine.geometry.segments import LineSegments, Numbers

USUAL_FOCAL, FOCAL_SPREAD = 1.05, 0.3
"""The usual focal length in halves of the diagonal (23 mm for 35 mm film), and its deviation, as a logarithm."""
MAX_FOCAL_SPREADS = 2.5
"""Multiple of FOCAL_SPREAD beyond which a focal length costs much more: no usual lens for rooms has it."""
EXIF_SPREAD = 0.05
"""The deviation of the logarithm of a focal length that the photo's file states."""
SHIFT_SPREAD, PITCH_SPREAD, ROLL_SPREAD = 0.12, 0.2, 0.018
"""Usual deviations: of the center's shift in halves of the diagonal, of pitch and roll in radians."""
MIN_SHIFT_SPREAD, UNSHIFTED_PITCH = 0.015, 0.03
"""The shift's deviation for a tilted camera, and the pitch in radians from which on a camera counts as tilted."""
END_ERROR = 0.6
"""Pixels by which an end of a detected edge is usually off."""
END_ERROR_BY_HAND = 2.0
"""Pixels by which an end of an edge that a person drew is usually off."""
MIN_ANGLE_ERROR = np.radians(0.25)
"""The error of the longest edges: real edges are not perfectly straight or parallel."""
MAX_ERRORS = 3.0
"""Multiple of an edge's error beyond which the edge hardly counts, because it runs in no main direction."""
AGREEMENT_ANGLE = np.radians(2.0)
"""Twice the greatest angle at which an edge without error agrees with a vanishing point."""
SEARCH_ANGLE = np.radians(3.0)
"""Twice that angle in the search, larger because its grid of cameras is coarse."""
TRIED_DISTORTION, MAX_STRAIGHTENED_COST, MIN_UNEXPLAINED_COST = 0.3, 0.95, 0.3
"""The photo counts as bent if removing this barrel distortion reduces the cost to less than the second number times
the cost, and the cost is at least the third number times the edges' weight.
"""
REFINED_POSES = 10
"""Number of poses of the search that are refined."""
UPRIGHT = 2
"""The axis of upright edges."""
SEARCH_EDGES = 150
"""Number of the longest edges that the search uses; the others are left out to save time."""
VERTICAL_CANDIDATES = 5
"""Number of vanishing points of upright edges that the search tries."""
MAX_REFINEMENT_STEPS = 14


@dataclass(frozen=True, slots=True)
class CameraView:
    """A camera's pose and how well the edges agree with it.

    `agreeing` is the share of the edges' weight that runs in the room's x, y and z. `chance` is the share that
    edges in random directions would reach in all three together. `bent`: the edges would agree better after
    removing a fisheye's distortion.
    """

    pose: Pose
    agreeing: Numbers
    chance: float
    bent: bool


class Edges:
    """Segments, in halves of the diagonal from the picture's middle, and their angles to many points at once."""

    def __init__(self, segments: LineSegments, width: int, height: int) -> None:
        """`width` and `height` are the picture's, in pixels."""
        unit = float(np.hypot(width, height)) / 2
        self.middles = (segments.middles - np.array([width, height]) / 2) / unit
        self.directions = segments.directions
        lengths = segments.lengths
        # Only edges that a person drew have a known axis.
        ends = np.where(segments.axes < 0, END_ERROR, END_ERROR_BY_HAND)
        self.errors = np.hypot(MIN_ANGLE_ERROR, 2 * ends / np.maximum(lengths, 1))
        self.weights = segments.weights * np.minimum(lengths / unit, 0.5)
        normals = np.column_stack([self.directions[:, 1], -self.directions[:, 0]])
        self.lines = np.column_stack([normals, -(normals * self.middles).sum(1)])
        self._square = np.column_stack([self.middles, (self.middles**2).sum(1)])
        self.axes = segments.axes

    def measure_sines(self, points: Numbers) -> Numbers:
        """Measure the sine of the angle between each edge and the line from its middle to each point.

        Parameters
        ----------
        points : (..., N, 3) ndarray of float64
            Homogeneous points, in halves of the diagonal from the picture's middle.

        Returns
        -------
        (..., N, E) ndarray of float64
            Signed sines, for each point and edge.
        """
        across = points @ self.lines.T
        x, y, w = np.moveaxis(points, -1, 0)
        far = np.stack([-2 * x * w, -2 * y * w, w * w], -1) @ self._square.T + (x * x + y * y)[..., None]
        return np.asarray(across / np.sqrt(np.maximum(far, 1e-12)))

    def measure_closeness(self, points: Numbers, spread: Numbers) -> Plane:
        """Measure how closely each edge points to each point; faster and less exact than `measure_sines`.

        Parameters
        ----------
        points : (N, 3) ndarray of float64
            Homogeneous points, in halves of the diagonal from the picture's middle.
        spread : (E,) ndarray of float64
            The sine for each edge; from it on the result is 0.

        Returns
        -------
        (N, E) ndarray of float32
            0-1, 1 where the edge points exactly to the point.
        """
        few, lines, square = plane(points), plane(self.lines / spread[:, None]), plane(self._square)
        x, y, w = few.T
        far = np.column_stack([-2 * x * w, -2 * y * w, w * w]) @ square.T
        far += (x * x + y * y)[:, None]
        across = few @ lines.T
        np.multiply(across, across, out=across)
        np.divide(across, np.maximum(far, 1e-9, out=far), out=across)
        return plane(np.maximum(1 - across, 0, out=across))


def estimate_view(segments: LineSegments, width: int, height: int, focal: float | None = None) -> CameraView:
    """Estimate the most likely view of a picture from its straight edges.

    Parameters
    ----------
    segments : LineSegments
        The edges, in pixels.
    width, height : int
        Size of the picture, in pixels.
    focal : float, optional
        Focal length in pixels, where the photo's file states it; with None a usual lens is likeliest.

    Returns
    -------
    CameraView
        The pose, and how the edges agree with it.
    """
    edges = Edges(segments, width, height)
    few = Edges(segments.keep_longest(SEARCH_EDGES), width, height)
    prior = _make_lens_prior(focal, width, height)
    found = [_refine_pose(edges, pose, prior) for pose in _search_views(few, prior)]
    best = min(found, key=lambda pose: _measure_cost(edges, pose.as_array(), prior)).facing()
    straight = Edges(segments.remove_distortion(TRIED_DISTORTION, width, height), width, height)
    straight.weights, straight.errors = edges.weights, edges.errors
    straight_cost = _measure_cost(straight, _refine_pose(straight, best, prior).as_array(), prior)
    cost = _measure_cost(edges, best.as_array(), prior)
    # A small cost is noise and proves no distortion.
    bent = (
        cost > MIN_UNEXPLAINED_COST * float(_weigh_edges(edges).sum())
        and straight_cost < MAX_STRAIGHTENED_COST * cost
    )
    return CameraView(best, _find_agreeing(edges, best), _measure_chance_agreement(edges), bent)


def refine_view(
    segments: LineSegments, pose: Pose, width: int, height: int, focal: float | None = None
) -> CameraView:
    """Refine a pose that is nearly right.

    Parameters
    ----------
    segments : LineSegments
        The edges, in pixels.
    pose : Pose
        The pose to begin with.
    width, height : int
        Size of the picture, in pixels.
    focal : float, optional
        Focal length in pixels, where the photo's file states it.

    Returns
    -------
    CameraView
        The pose of least cost nearby, and how the edges agree with it; `bent` is not examined and false.
    """
    edges = Edges(segments, width, height)
    best = _refine_pose(edges, pose, _make_lens_prior(focal, width, height)).facing()
    return CameraView(best, _find_agreeing(edges, best), _measure_chance_agreement(edges), bent=False)


def measure_errors(segments: LineSegments, pose: Pose, width: int, height: int) -> Numbers:
    """Measure how far each edge is off its main direction or, where that is unknown, off the nearest one.

    Parameters
    ----------
    segments : LineSegments
        The edges, in pixels.
    pose : Pose
        The camera's pose.
    width, height : int
        Size of the picture, in pixels.

    Returns
    -------
    (N,) ndarray of float64
        Sines of the angles in the picture.
    """
    edges = Edges(segments, width, height)
    return np.asarray(_measure_residuals(edges, pose.as_array()[None])[0] * edges.errors)


def _make_lens_prior(focal: float | None, width: int, height: int) -> tuple[float, float]:
    """The most likely focal length, in halves of the diagonal, and the deviation of its logarithm."""
    unit = float(np.hypot(width, height)) / 2
    return (USUAL_FOCAL, FOCAL_SPREAD) if focal is None else (focal / unit, EXIF_SPREAD)


def compute_vanishing_points(poses: Numbers) -> Numbers:
    """Compute the vanishing points of the room's x, y and z.

    Parameters
    ----------
    poses : (N, 5) ndarray of float64
        Poses as `Pose.as_array` gives them.

    Returns
    -------
    (3, N, 3) ndarray of float64
        For x, y and z the homogeneous points, in halves of the diagonal from the picture's middle.
    """
    focal, shift = np.exp(poses[:, 0]), poses[:, 4]
    (sy, cy), (sp, cp), (sr, cr) = ((np.sin(poses[:, each]), np.cos(poses[:, each])) for each in (1, 2, 3))
    zero = np.zeros_like(sy)
    # The directions x, y and z, each as right, down and forward of a camera that is not tilted.
    axes = np.stack(
        [np.stack([cy, zero, sy], 1), np.stack([-sy, zero, cy], 1), np.stack([zero, zero - 1, zero], 1)]
    )
    right, below, ahead = axes[..., 0], axes[..., 1], axes[..., 2]
    down, forward = cp * below - sp * ahead, cp * ahead + sp * below
    x, y = cr * right + sr * down, cr * down - sr * right
    return np.stack([focal * x, focal * y + shift * forward, forward], -1)


def _search_views(edges: Edges, prior: tuple[float, float]) -> list[Pose]:
    """The likeliest poses on a grid, at most REFINED_POSES, no two of them alike."""
    poses = np.concatenate([_make_poses(each, prior) for each in _find_verticals(edges)])
    scores = np.concatenate([_score_poses(edges, some) for some in np.array_split(poses, 1 + len(poses) // 2000)])
    scores = scores - _measure_prior_cost(poses, prior) * PRIOR_WEIGHT
    chosen: list[int] = []
    for place in np.argsort(-scores, kind="stable"):
        difference = np.abs(poses[chosen] - poses[place]) / np.array([0.25, 0.06, 0.1, 0.1, 0.12])
        if not chosen or (difference.max(1) > 1).all():
            chosen.append(int(place))
        if len(chosen) == REFINED_POSES:
            break
    return [read_pose(poses[place]) for place in chosen]


PRIOR_WEIGHT = 0.02
"""How much the prior counts in the search, beside scores of 0-1."""


def _find_verticals(edges: Edges) -> list[Numbers]:
    """The likeliest vanishing points of upright edges, homogeneous; the first is infinitely far down."""
    rolls, convergences = np.tan(np.radians(np.arange(-7, 7.1, 0.5))), np.linspace(-0.9, 0.9, 91)
    grid = np.array([(roll, 1.0, convergence) for roll, convergence in product(rolls, convergences)])
    weights = np.where((edges.axes < 0) | (edges.axes == UPRIGHT), edges.weights, 0)
    closeness = edges.measure_closeness(grid, 2 * np.hypot(np.radians(1.0), edges.errors)) @ weights
    scores = closeness / max(float(edges.weights.sum()), 1e-9) - 0.03 * (grid[:, 0] / 0.05) ** 2 / 2
    scores -= 0.01 * (grid[:, 2] / 0.2) ** 2 / 2
    found = [np.array([0.0, 1.0, 0.0])]
    while len(found) < VERTICAL_CANDIDATES:
        best = int(scores.argmax())
        found.append(grid[best])
        # A single upright edge agrees with many tilts, so the next candidate must differ from this one.
        scores[np.abs(grid - grid[best]) @ np.array([8.0, 0, 5.0]) < 1] = -np.inf
    return found


def _make_poses(vertical: Numbers, prior: tuple[float, float]) -> Numbers:
    """Poses (N x 5) of all focal lengths, shifts and yaws in which upright edges meet at the point."""
    usual_focal, spread = prior
    focals = usual_focal * np.exp(spread * np.linspace(-2.4, 2.4, 9))
    shifts = np.linspace(-0.3, 0.3, 13)
    yaws = np.radians(np.arange(-45, 45, 1.5))
    rows = []
    for focal, shift in product(focals, shifts):
        pitch, roll = estimate_upright_pose(vertical, focal, shift)
        rows.append(
            np.column_stack(
                [np.full(len(yaws), np.log(focal)), yaws, np.tile([pitch, roll, shift], (len(yaws), 1))]
            )
        )
    return np.concatenate(rows)


def _score_poses(edges: Edges, poses: Numbers) -> Numbers:
    """For each of N poses, the share of the edges' weight that runs roughly in one of the three main directions."""
    spread = np.hypot(SEARCH_ANGLE / 2, edges.errors) * 2
    closeness = [edges.measure_closeness(points, spread) for points in compute_vanishing_points(poses)]
    for axis, each in enumerate(closeness):
        each[:, (edges.axes >= 0) & (edges.axes != axis)] = 0
    nearest = np.maximum(np.maximum(closeness[0], closeness[1]), closeness[2])
    return np.asarray(nearest @ edges.weights / max(float(edges.weights.sum()), 1e-9))


def _measure_oddness(poses: Numbers, prior: tuple[float, float]) -> Numbers:
    """N x 4: how far focal length, pitch, roll and shift are from usual, in multiples of their deviations."""
    focal, pitch, roll, shift = poses[:, 0], poses[:, 2], poses[:, 3], poses[:, 4]
    # A lens is shifted, or a picture straightened, to keep upright edges upright, so the camera is then not tilted.
    spread = MIN_SHIFT_SPREAD + SHIFT_SPREAD / (1 + (pitch / UNSHIFTED_PITCH) ** 2)
    return np.stack(
        [(focal - np.log(prior[0])) / prior[1], pitch / PITCH_SPREAD, roll / ROLL_SPREAD, shift / spread], 1
    )


def _measure_prior_cost(poses: Numbers, prior: tuple[float, float]) -> Numbers:
    """For each of N poses how unusual it is: half the sum of squared deviations."""
    errors = _measure_oddness(poses, prior)
    excess = np.maximum(np.abs(errors[:, 0]) - MAX_FOCAL_SPREADS, 0)
    return np.asarray((errors**2).sum(1) / 2 + 20 * excess**2)


EDGE_STRENGTH = 12.0
"""Weight, in the cost, of edges with a total length of half a diagonal; it is low because neighbors depend on
each other.
"""


def _measure_residuals(edges: Edges, poses: Numbers) -> Numbers:
    """For N poses and each edge, the sine to the known or nearest direction, as a multiple of the edge's error."""
    # Each point is computed separately, because the rounding of a matrix product depends on the sizes of the
    # matrices.
    sines = edges.measure_sines(compute_vanishing_points(poses)[:, :, None])[:, :, 0]
    nearest = np.where(edges.axes < 0, np.abs(sines).argmin(0), edges.axes)
    return np.asarray(np.take_along_axis(sines, nearest[None], 0)[0] / edges.errors)


def _measure_cost(edges: Edges, numbers: Numbers, prior: tuple[float, float]) -> float:
    # The cost of Geman and McClure: beyond MAX_ERRORS it hardly grows, so that wrong edges count little.
    square = _measure_residuals(edges, numbers[None])[0] ** 2
    return float(_weigh_edges(edges) @ (square / (1 + square / MAX_ERRORS**2))) / 2 + float(
        _measure_prior_cost(numbers[None], prior)[0]
    )


def _weigh_edges(edges: Edges) -> Numbers:
    return np.asarray(edges.weights * EDGE_STRENGTH)


def _refine_pose(edges: Edges, pose: Pose, prior: tuple[float, float]) -> Pose:
    """The pose of least cost near this one, by the method of Levenberg and Marquardt, reweighted in each step."""
    numbers, damping = pose.as_array(), 1e-3
    cost = _measure_cost(edges, numbers, prior)
    for _ in range(MAX_REFINEMENT_STEPS):
        steps = np.eye(5) * 1e-5
        now, *moved = _measure_residuals(edges, np.concatenate([numbers[None], numbers + steps]))
        weights = _weigh_edges(edges) / (1 + now**2 / MAX_ERRORS**2) ** 2
        slope = np.column_stack([(each - now) / 1e-5 for each in moved])
        slope[np.abs(slope) > 1e4] = 0
        odd = _measure_oddness(numbers[None], prior)[0]
        bias = ((_measure_oddness(numbers + steps, prior) - odd) / 1e-5).T
        hessian = slope.T @ (slope * weights[:, None]) + bias.T @ bias + np.eye(5) * 1e-6
        descent = slope.T @ (now * weights) + bias.T @ odd
        while damping < 1e6:
            tried = numbers - np.linalg.solve(hessian + damping * np.diag(np.diag(hessian)), descent)
            tried_cost = (
                _measure_cost(edges, tried, prior) if np.abs(tried[2]) < 1.3 and np.abs(tried[0]) < 2 else np.inf
            )
            if tried_cost < cost:
                numbers, cost, damping = tried, tried_cost, damping / 5
                break
            damping *= 6
        else:
            break
    return read_pose(numbers)


def _find_agreeing(edges: Edges, pose: Pose) -> Numbers:
    """For each of the three directions the share of the edges' weight that runs in it."""
    sines = np.abs(
        np.stack([edges.measure_sines(points)[0] for points in compute_vanishing_points(pose.as_array()[None])])
    )
    closeness = (sines.min(0) < np.sin(np.hypot(AGREEMENT_ANGLE / 2, 2 * edges.errors))) * edges.weights
    total = max(float(edges.weights.sum()), 1e-9)
    return np.array([float(closeness[sines.argmin(0) == each].sum()) / total for each in range(3)])


def _measure_chance_agreement(edges: Edges) -> float:
    """The share of the edges' weight that would agree if their directions were random."""
    share = np.minimum(1, 3 * 2 * np.hypot(AGREEMENT_ANGLE / 2, 2 * edges.errors) / np.pi)
    return float(share @ edges.weights) / max(float(edges.weights.sum()), 1e-9)
