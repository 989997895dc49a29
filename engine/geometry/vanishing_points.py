"""The camera of a room's photo from its straight edges, which run in the room's three main directions.

The room is a Manhattan world: Coughlan and Yuille, "Manhattan World" (1999).

A search of all likely cameras (uprights first, then focal length, shift and yaw together), the best of them
refined on the angles between edges and the points where their direction vanishes; what is usual of cameras
decides where the edges leave it open.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from engine.arrays import Plane, plane
from engine.geometry.pose import Pose, estimate_upright_pose, read_pose
from engine.geometry.segments import LineSegments, Numbers

USUAL_FOCAL, FOCAL_SPREAD = 1.05, 0.3
"""Halves of the diagonal (a 23 mm lens for 35 mm film), and how far lenses lie from it, as a logarithm."""
FARTHEST_FOCAL = 2.5
"""Spreads, beyond which no lens of a photographer of rooms lies."""
EXIF_SPREAD = 0.05
SHIFT_SPREAD, PITCH_SPREAD, ROLL_SPREAD = 0.12, 0.2, 0.018
SHIFT_LEFT, SMALL_PITCH = 0.015, 0.03
END_ERROR = 0.6
"""Pixels by which an end of an edge may be off."""
END_ERROR_BY_HAND = 2.0
LEAST_ANGLE = np.radians(0.25)
MOST_APART = 3.0
"""Errors, beyond which an edge runs in no main direction."""
AGREES = np.radians(2.0)
COARSE = np.radians(3.0)
BEND, LESS_BENT, UNEXPLAINED = 0.3, 0.95, 0.3
REFINED = 10
UPRIGHT = 2
"""The axis of upright edges."""
SEARCHED_WITH = 150
VERTICALS = 5
STEPS = 14


@dataclass(frozen=True, slots=True)
class CameraView:
    """A camera's pose and how the edges agree with it: 0-1 of their weighted length, for each main direction.

    The directions are the room's x, y and z. `chance` is what edges without any order would reach in all. `bent`
    says that the edges would agree better after a fisheye's bend was taken out.
    """

    pose: Pose
    agreeing: Numbers
    chance: float
    bent: bool


class Edges:
    """Segments in halves of the diagonal from the picture's middle, to be held against many points at once."""

    def __init__(self, segments: LineSegments, width: int, height: int) -> None:
        """`segments` of a picture of this size."""
        unit = float(np.hypot(width, height)) / 2
        self.middles = (segments.middles - np.array([width, height]) / 2) / unit
        self.directions = segments.directions
        lengths = segments.lengths
        # By hand an end is less exact than a detected one.
        ends = np.where(segments.axes < 0, END_ERROR, END_ERROR_BY_HAND)
        self.errors = np.hypot(LEAST_ANGLE, 2 * ends / np.maximum(lengths, 1))
        self.weights = segments.weights * np.minimum(lengths / unit, 0.5)
        normals = np.column_stack([self.directions[:, 1], -self.directions[:, 0]])
        self.lines = np.column_stack([normals, -(normals * self.middles).sum(1)])
        self._square = np.column_stack([self.middles, (self.middles**2).sum(1)])
        self.axes = segments.axes

    def sines(self, points: Numbers) -> Numbers:
        """The sine of the angle between each edge and the way from its middle to each point.

        Parameters
        ----------
        points : (N, 3) ndarray of float64
            Homogeneous points, in halves of the diagonal from the picture's middle.

        Returns
        -------
        (N, E) ndarray of float64
            Signed sines, for each point and edge.
        """
        across = points @ self.lines.T
        x, y, w = points.T
        far = np.column_stack([-2 * x * w, -2 * y * w, w * w]) @ self._square.T + (x * x + y * y)[:, None]
        return np.asarray(across / np.sqrt(np.maximum(far, 1e-12)))

    def near(self, points: Numbers, spread: Numbers) -> Plane:
        """How nearly each edge runs to each point; a faster, rougher measure than `sines`.

        Parameters
        ----------
        points : (N, 3) ndarray of float64
            Homogeneous points, in halves of the diagonal from the picture's middle.
        spread : (E,) ndarray of float64
            For each edge the sine from which on the result is 0.

        Returns
        -------
        (N, E) ndarray of float32
            0-1, 1 where the edge runs exactly to the point.
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
    """The most likely view of a picture, from its straight edges.

    Parameters
    ----------
    segments : LineSegments
        The edges, in pixels.
    width, height : int
        Size of the picture, in pixels.
    focal : float, optional
        Focal length in pixels, where the photo's file states it; None where it does not: usual lenses are likelier.

    Returns
    -------
    CameraView
        The pose, and how the edges agree with it.
    """
    edges = Edges(segments, width, height)
    few = Edges(segments.longest(SEARCHED_WITH), width, height)
    usual = _usual(focal, width, height)
    found = [_refine_pose(edges, pose, usual) for pose in _search_views(few, usual)]
    best = min(found, key=lambda pose: _cost(edges, pose.as_array(), usual)).facing()
    straight = Edges(segments.unbent(BEND, width, height), width, height)
    straight.weights, straight.errors = edges.weights, edges.errors
    without = _cost(straight, _refine_pose(straight, best, usual).as_array(), usual)
    cost = _cost(edges, best.as_array(), usual)
    # Where next to nothing is left unexplained, what is left proves nothing.
    bent = cost > UNEXPLAINED * float(_counts(edges).sum()) and without < LESS_BENT * cost
    return CameraView(best, _find_agreeing(edges, best), _chance(edges), bent)


def refine_view(
    segments: LineSegments, pose: Pose, width: int, height: int, focal: float | None = None
) -> CameraView:
    """The view of least cost near a pose that is nearly right.

    Parameters
    ----------
    segments : LineSegments
        The edges, in pixels.
    pose : Pose
        Where to begin.
    width, height : int
        Size of the picture, in pixels.
    focal : float, optional
        Focal length in pixels, where the photo's file states it.

    Returns
    -------
    CameraView
        Never `bent`.
    """
    edges = Edges(segments, width, height)
    best = _refine_pose(edges, pose, _usual(focal, width, height)).facing()
    return CameraView(best, _find_agreeing(edges, best), _chance(edges), bent=False)


def measure_errors(segments: LineSegments, pose: Pose, width: int, height: int) -> Numbers:
    """How far each edge runs from its main direction, or the nearest where that is not known.

    Parameters
    ----------
    segments : LineSegments
        The edges, in pixels.
    pose : Pose
        The camera's.
    width, height : int
        Size of the picture, in pixels.

    Returns
    -------
    (N,) ndarray of float64
        Sines of the angles in the picture.
    """
    edges = Edges(segments, width, height)
    return np.asarray(_residuals(edges, pose.as_array()) * edges.errors)


def _usual(focal: float | None, width: int, height: int) -> tuple[float, float]:
    unit = float(np.hypot(width, height)) / 2
    return (USUAL_FOCAL, FOCAL_SPREAD) if focal is None else (focal / unit, EXIF_SPREAD)


def compute_vanishing_points(poses: Numbers) -> Numbers:
    """Where the room's x, y and z vanish in the picture.

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
    # In the level camera's own right, down, forward.
    axes = np.stack(
        [np.stack([cy, zero, sy], 1), np.stack([-sy, zero, cy], 1), np.stack([zero, zero - 1, zero], 1)]
    )
    right, below, ahead = axes[..., 0], axes[..., 1], axes[..., 2]
    down, forward = cp * below - sp * ahead, cp * ahead + sp * below
    x, y = cr * right + sr * down, cr * down - sr * right
    return np.stack([focal * x, focal * y + shift * forward, forward], -1)


def _search_views(edges: Edges, usual: tuple[float, float]) -> list[Pose]:
    """The likeliest of all views on a grid, each unlike the others."""
    poses = np.concatenate([_make_poses(each, usual) for each in _find_verticals(edges)])
    scores = np.concatenate([_score(edges, some) for some in np.array_split(poses, 1 + len(poses) // 2000)])
    scores = scores - _unusual(poses, usual) * SCORE_OF_PRIOR
    chosen: list[int] = []
    for place in np.argsort(-scores, kind="stable"):
        apart = np.abs(poses[chosen] - poses[place]) / np.array([0.25, 0.06, 0.1, 0.1, 0.12])
        if not chosen or (apart.max(1) > 1).all():
            chosen.append(int(place))
        if len(chosen) == REFINED:
            break
    return [read_pose(poses[place]) for place in chosen]


SCORE_OF_PRIOR = 0.02


def _find_verticals(edges: Edges) -> list[Numbers]:
    """The likeliest points where uprights meet, homogeneous; one is infinitely far down."""
    rolls, bends = np.tan(np.radians(np.arange(-7, 7.1, 0.5))), np.linspace(-0.9, 0.9, 91)
    grid = np.array([(roll, 1.0, bend) for roll, bend in product(rolls, bends)])
    weights = np.where((edges.axes < 0) | (edges.axes == UPRIGHT), edges.weights, 0)
    near = edges.near(grid, 2 * np.hypot(np.radians(1.0), edges.errors)) @ weights
    scores = near / max(float(edges.weights.sum()), 1e-9) - 0.03 * (grid[:, 0] / 0.05) ** 2 / 2
    scores -= 0.01 * (grid[:, 2] / 0.2) ** 2 / 2
    found = [np.array([0.0, 1.0, 0.0])]
    while len(found) < VERTICALS:
        best = int(scores.argmax())
        found.append(grid[best])
        # One upright alone agrees with many tilts: all of them are to be tried.
        scores[np.abs(grid - grid[best]) @ np.array([8.0, 0, 5.0]) < 1] = -np.inf
    return found


def _make_poses(vertical: Numbers, usual: tuple[float, float]) -> Numbers:
    """Poses (count x 5) of all focal lengths, shifts and yaws whose uprights meet at the point."""
    center, spread = usual
    focals = center * np.exp(spread * np.linspace(-2.4, 2.4, 9))
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


def _score(edges: Edges, poses: Numbers) -> Numbers:
    """Count: the share of the edges' weight that runs in one of the three directions, nearly."""
    spread = np.hypot(COARSE / 2, edges.errors) * 2
    near = [edges.near(points, spread) for points in compute_vanishing_points(poses)]
    for axis, each in enumerate(near):
        each[:, (edges.axes >= 0) & (edges.axes != axis)] = 0
    nearest = np.maximum(np.maximum(near[0], near[1]), near[2])
    return np.asarray(nearest @ edges.weights / max(float(edges.weights.sum()), 1e-9))


def _oddness(poses: Numbers, usual: tuple[float, float]) -> Numbers:
    """Count x 4: how unlike usual cameras focal length, pitch, roll and shift are, in their own spreads."""
    focal, pitch, roll, shift = poses[:, 0], poses[:, 2], poses[:, 3], poses[:, 4]
    # A lens is shifted, or a picture straightened, to keep uprights upright: never when the camera is tilted.
    spread = SHIFT_LEFT + SHIFT_SPREAD / (1 + (pitch / SMALL_PITCH) ** 2)
    return np.stack(
        [(focal - np.log(usual[0])) / usual[1], pitch / PITCH_SPREAD, roll / ROLL_SPREAD, shift / spread], 1
    )


def _unusual(poses: Numbers, usual: tuple[float, float]) -> Numbers:
    """Count: how unlike usual cameras, as halves of squared errors."""
    errors = _oddness(poses, usual)
    never = np.maximum(np.abs(errors[:, 0]) - FARTHEST_FOCAL, 0)
    return np.asarray((errors**2).sum(1) / 2 + 20 * never**2)


STRENGTH = 12.0
"""What all edges together count for, in edges of their own error: edges are many, and not independent."""


def _residuals(edges: Edges, numbers: Numbers) -> Numbers:
    """Edges: the error to the nearest of the three directions, in own errors."""
    sines = np.stack([edges.sines(points)[0] for points in compute_vanishing_points(numbers[None])])
    nearest = np.where(edges.axes < 0, np.abs(sines).argmin(0), edges.axes)
    return np.asarray(sines[nearest, np.arange(sines.shape[1])] / edges.errors)


def _cost(edges: Edges, numbers: Numbers, usual: tuple[float, float]) -> float:
    # Geman and McClure's: what is far off costs no more than what is off.
    square = _residuals(edges, numbers) ** 2
    return float(_counts(edges) @ (square / (1 + square / MOST_APART**2))) / 2 + float(
        _unusual(numbers[None], usual)[0]
    )


def _counts(edges: Edges) -> Numbers:
    return np.asarray(edges.weights * STRENGTH)


def _refine_pose(edges: Edges, pose: Pose, usual: tuple[float, float]) -> Pose:
    """The pose of least cost near this one: Levenberg and Marquardt's steps, edges weighted anew each time."""
    numbers, damping = pose.as_array(), 1e-3
    cost = _cost(edges, numbers, usual)
    for _ in range(STEPS):
        now = _residuals(edges, numbers)
        weights = _counts(edges) / (1 + now**2 / MOST_APART**2) ** 2
        steps = np.eye(5) * 1e-5
        slope = np.column_stack([(_residuals(edges, numbers + step) - now) / 1e-5 for step in steps])
        slope[np.abs(slope) > 1e4] = 0
        odd = _oddness(numbers[None], usual)[0]
        bias = ((_oddness(numbers + steps, usual) - odd) / 1e-5).T
        hessian = slope.T @ (slope * weights[:, None]) + bias.T @ bias + np.eye(5) * 1e-6
        descent = slope.T @ (now * weights) + bias.T @ odd
        while damping < 1e6:
            tried = numbers - np.linalg.solve(hessian + damping * np.diag(np.diag(hessian)), descent)
            price = _cost(edges, tried, usual) if np.abs(tried[2]) < 1.3 and np.abs(tried[0]) < 2 else np.inf
            if price < cost:
                numbers, cost, damping = tried, price, damping / 5
                break
            damping *= 6
        else:
            break
    return read_pose(numbers)


def _find_agreeing(edges: Edges, pose: Pose) -> Numbers:
    sines = np.abs(np.stack([edges.sines(points)[0] for points in compute_vanishing_points(pose.as_array()[None])]))
    near = (sines.min(0) < np.sin(np.hypot(AGREES / 2, 2 * edges.errors))) * edges.weights
    total = max(float(edges.weights.sum()), 1e-9)
    return np.array([float(near[sines.argmin(0) == each].sum()) / total for each in range(3)])


def _chance(edges: Edges) -> float:
    share = np.minimum(1, 3 * 2 * np.hypot(AGREES / 2, 2 * edges.errors) / np.pi)
    return float(share @ edges.weights) / max(float(edges.weights.sum()), 1e-9)
