"""Follows long edges that are straight or slightly bent, exact to fractions of a pixel."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Plane, plane
from engine.geometry.segments import Numbers

MAX_SEEDS = 160
"""Only the longest detected edges are followed: more cost time and add little."""
MIN_SEED, MIN_LENGTH = 0.02, 0.12
"""Minimum length of a detected edge and of a followed one, as shares of the picture's diagonal."""
PLACES = 48
"""Places along an edge at which its position is measured."""
REACH, STEP, WINDOW = 2.5, 0.5, 1.2
"""Pixels across an edge: how far it is searched, in which steps, and the sigma of the window around it."""
SMOOTHING = 0.8
"""Sigma of the blur against noise, in pixels."""
GROWTH, GROWTHS = 1.35, 9
"""Factor by which an edge may grow at once, and the number of times that it may grow."""
MIN_STRENGTH = 0.3
"""Change of gray at a place, as a share of the median along its edge, below which the edge is not visible there."""
MAX_OFFSET, USUAL_OFFSET = 1.5, 0.5
"""Distances from the fit, in pixels: from the first on, a place does not count; from the second on, it counts
little.
"""
MAX_GAP = 3
"""Number of places without a visible edge after which the edge ends."""
MIN_SEEN = 0.75
"""Minimum share of places at which an edge is visible."""
MAX_ROUGHNESS = 0.35
"""Maximum distance from the fit, in pixels, of nine of ten places; rougher edges belong to leaves or textiles."""
SAME = 2.5
"""Distance, in pixels, within which two edges count as the same edge."""


@dataclass(frozen=True, slots=True)
class Curves:
    """N edges: `places` (N, PLACES, 2) in pixels, `weights` (N, PLACES) how far each place counts, 0-1."""

    places: Numbers
    weights: Numbers


def follow_edges(gray: NDArray[np.uint8], ends: Numbers) -> Curves:
    """Follow detected edges as far as they continue as parabolas.

    Parameters
    ----------
    gray : (H, W) ndarray of uint8
        The picture.
    ends : (N, 4) ndarray of float64
        x, y, x, y of detected edges, in pixels; the center of the first pixel is (0.5, 0.5).

    Returns
    -------
    Curves
        The long edges, the longest first, each once.
    """
    diagonal = float(np.hypot(*gray.shape))
    lengths = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    chosen = np.argsort(-lengths, kind="stable")[:MAX_SEEDS]
    ends = ends[chosen[lengths[chosen] >= MIN_SEED * diagonal]]
    if not len(ends):
        return Curves(np.zeros((0, PLACES, 2)), np.zeros((0, PLACES)))
    smooth = plane(cv2.GaussianBlur(gray.astype(np.float32), (0, 0), SMOOTHING))
    knots = np.stack([ends[:, :2], (ends[:, :2] + ends[:, 2:]) / 2, ends[:, 2:]], axis=1)
    for _ in range(GROWTHS):
        knots = _fit(smooth, knots, np.linspace(-GROWTH, GROWTH, PLACES))[0]
    way = np.linspace(-1, 1, PLACES)
    _, offsets, weights = _fit(smooth, knots, way)
    places = _find_places(knots, way) + _find_normals(knots)[:, None] * offsets[..., None]
    lengths = np.hypot(*(knots[:, 2] - knots[:, 0]).T)
    away = np.abs(_bend_away(offsets, weights, way))
    rough = np.quantile(np.where(weights > 0, away, 0), 0.9, axis=1)
    good = (lengths >= MIN_LENGTH * diagonal) & ((weights > 0).mean(1) >= MIN_SEEN) & (rough < MAX_ROUGHNESS)
    order = np.flatnonzero(good)[np.argsort(-lengths[good], kind="stable")]
    order = order[_keep_once(knots[order])]
    return Curves(places[order], weights[order])


def _fit(smooth: Plane, knots: Numbers, way: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The knots of edges as far as they are visible on `way`; the offset of each place from the old edge; weights.

    The knots of a parabola are its two ends, at -1 and 1 of the way, and its middle: N x 3 x 2.
    """
    change, steps = _measure_changes(smooth, knots, way)
    near = change * np.exp(-0.5 * (steps / WINDOW) ** 2)
    strength = near.sum(-1)
    offsets = (near @ steps) / np.maximum(strength, 1e-6)
    inner = np.abs(way) <= 1
    usual = np.median(strength[:, inner], axis=1, keepdims=True)
    seen = (strength > MIN_STRENGTH * usual) & (np.abs(offsets) < MAX_OFFSET)
    places = _find_places(knots, way)
    seen &= ((places > REACH) & (places < np.array(smooth.shape[::-1]) - REACH)).all(-1)
    seen &= _reach(seen)
    weights = seen * np.minimum(strength / np.maximum(usual, 1e-6), 2)
    weights = weights / (1 + (_bend_away(offsets, weights, way) / USUAL_OFFSET) ** 2)
    first, last = seen.argmax(1), len(way) - 1 - seen[:, ::-1].argmax(1)
    start, end = np.where(seen.any(1), way[first], -1), np.where(seen.any(1), way[last], 1)
    at = np.stack([start, (start + end) / 2, end], axis=1)
    moved = _evaluate(_solve(offsets, weights, way), at)
    return _find_places(knots, at) + _find_normals(knots)[:, None] * moved[..., None], offsets, weights


def _reach(seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The places that are reached from the middle of each edge without a gap of MAX_GAP."""
    middle = seen.shape[1] // 2
    reached = np.ones(seen.shape, np.bool_)
    for side in (slice(middle, None), slice(middle - 1, None, -1)):
        gaps = np.cumsum(~seen[:, side], axis=1, dtype=np.intp)
        gaps[:, MAX_GAP:] = gaps[:, MAX_GAP:] - gaps[:, :-MAX_GAP]
        reached[:, side] = ~np.logical_or.accumulate(gaps >= MAX_GAP, axis=1)
    return reached


def _solve(offsets: Numbers, weights: Numbers, way: Numbers) -> Numbers:
    """The parabola of least error through each edge's offsets, lowest power first: N x 3."""
    powers = np.stack([np.ones_like(way), way, way**2])
    normal = np.einsum("np,ip,jp->nij", weights, powers, powers) + np.eye(3) * 1e-6
    return np.asarray(np.linalg.solve(normal, ((weights * offsets) @ powers.T)[..., None])[..., 0])


def _evaluate(parabolas: Numbers, way: Numbers) -> Numbers:
    way = np.broadcast_to(way, (len(parabolas), way.shape[-1]))
    return np.asarray(parabolas[:, :1] + parabolas[:, 1:2] * way + parabolas[:, 2:] * way**2)


def _bend_away(offsets: Numbers, weights: Numbers, way: Numbers) -> Numbers:
    """The distance of each place from the edge's parabola."""
    return np.asarray(offsets - _evaluate(_solve(offsets, weights, way), way))


def _find_places(knots: Numbers, way: Numbers) -> Numbers:
    start, middle, end = np.moveaxis(knots[:, :, None], 1, 0)
    way = np.broadcast_to(way, (len(knots), way.shape[-1]))[..., None]
    return np.asarray(middle + way * (end - start) / 2 + way**2 * ((start + end) / 2 - middle))


def _find_normals(knots: Numbers) -> Numbers:
    along = knots[:, 2] - knots[:, 0]
    return np.asarray(np.column_stack([-along[:, 1], along[:, 0]]) / np.maximum(np.hypot(*along.T), 1e-9)[:, None])


def _measure_changes(smooth: Plane, knots: Numbers, way: Numbers) -> tuple[Numbers, Numbers]:
    """How strongly gray changes across each edge in the edge's own sense, N x PLACES x steps; and the steps."""
    steps = np.arange(-REACH - STEP, REACH + 1.5 * STEP, STEP)
    points = _find_places(knots, way)[:, :, None] + _find_normals(knots)[:, None, None] * steps[:, None]
    # In OpenCV, the centers of pixels have whole coordinates, here they end in .5.
    x, y = np.moveaxis(points.reshape(len(knots), -1, 2) - 0.5, -1, 0).astype(np.float32)
    values = cv2.remap(smooth, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = np.asarray(values, np.float64).reshape(len(knots), len(way), -1)
    change = values[..., 2:] - values[..., :-2]
    center, inner = change.shape[-1] // 2, np.abs(way) <= 0.8
    sense = np.sign(np.median(change[:, inner, center - 1 : center + 2].mean(-1), axis=1))
    return np.maximum(change * sense[:, None, None], 0), steps[1:-1]


def _keep_once(knots: Numbers) -> NDArray[np.intp]:
    """The indices of edges whose middle does not lie on an earlier one."""
    kept: list[int] = []
    for number, middle in enumerate(knots[:, 1]):
        others = knots[kept]
        half = (others[:, 2] - others[:, 0]) / 2
        way = ((middle - others[:, 1]) * half).sum(1) / np.maximum((half**2).sum(1), 1e-9)
        away = middle - _find_places(others, way[:, None])[:, 0]
        if not ((np.abs(way) < 1) & (np.hypot(*away.T) < SAME)).any():
            kept.append(number)
    return np.array(kept, np.intp)
