"""Smooths surface shares without crossing edges, so that the borders of surfaces follow the picture's edges."""

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane

SMOOTHING_STRENGTH = 600.0
"""Strength of the smoothing (lambda of the Fast Global Smoother); larger values spread shares farther."""
EDGE_STEP = 0.02
"""Color difference (0-1) between neighbors at which the weight between them is 1/e."""
PASSES = 3
"""Passes of smoothing over rows and columns in each round, each weaker than the previous one."""
ROUNDS = 2
"""Rounds of smoothing; each ends by multiplying the smoothed shares by the network's own shares."""
NETWORK_WEIGHT = 0.5
"""Exponent of the network's own shares in that product."""
SHARE_FLOOR = 1e-3
"""Added to shares before their logarithm is taken, and to the weight of pixels."""
MIN_SURFACE_SHARE = 0.05
"""Least share that a surface must have in at least one pixel; other surfaces are removed."""
SURE_LEAD = 0.8
"""Least difference between the two largest shares of a pixel for the pixel to have full weight."""
BORDER_DISTANCE = 8.0
"""Distance from a border, in pixels, below which pixels have less weight."""


def snap_to_edges(shares: Plane, picture: Pixels, rounds: int = ROUNDS) -> Plane:
    """Move the borders of surface shares to the edges of the picture.

    Rows and columns are smoothed in turn by solving tridiagonal systems whose weights are small across edges [1]_.
    After each round, the result is multiplied by the network's own shares, so that little leaks across faint edges.

    Parameters
    ----------
    shares : (h, w, S) ndarray of float32
        The share of each of S surfaces in each pixel, 0-1, summing to 1.
    picture : (h, w, 3) ndarray of uint8
        The picture in which the shares were found, gamma-coded sRGB.
    rounds : int, optional
        Rounds of smoothing: one is enough for borders that are drawn near their edges.

    Returns
    -------
    (h, w, S) ndarray of float32
        The new shares, 0-1, summing to 1; surfaces below MIN_SURFACE_SHARE everywhere are 0. `shares` itself if
        fewer than two surfaces reach MIN_SURFACE_SHARE.

    References
    ----------
    .. [1] Min, Choi, Lu, Ham, Sohn, Do, "Fast Global Smoother", 2014.
    """
    surfaces = np.flatnonzero(shares.max((0, 1)) >= MIN_SURFACE_SHARE)
    if surfaces.size < 2:
        return shares
    result = np.zeros_like(shares)
    # There is a map for each surface, so that the sweeps below work on whole rows at once.
    maps = np.ascontiguousarray(np.moveaxis(shares, 2, 0)[surfaces])
    result[..., surfaces] = np.moveaxis(_snap(maps, picture, rounds), 0, 2)
    return result


def spread_known(values: Plane, weight: Plane, picture: Pixels, reach: float) -> Plane:
    """Spread known values over the pixels beside them, but hardly across edges of the picture.

    Parameters
    ----------
    values : (h, w) ndarray of float32
        In any range.
    weight : (h, w) ndarray of float32
        How well each value is known, 0-1.
    picture : (h, w, 3) ndarray of uint8
        The picture whose edges count, gamma-coded sRGB.
    reach : float
        About how many pixels a value spreads where there is no edge.

    Returns
    -------
    (h, w) ndarray of float32
        The weighted means, in the range of `values`.
    """
    weight = plane(weight + np.float32(SHARE_FLOOR**2))
    spread = _smooth(np.stack([values * weight, weight]), *_weigh_neighbors(picture), reach**2)
    return plane(spread[0] / spread[1])


def _weigh_neighbors(picture: Pixels) -> tuple[Plane, Plane]:
    """The weights (0-1) between neighbors in a column, and in a row."""
    guide = plane(cv2.bilateralFilter(picture, 5, 12, 3)) / np.float32(255)
    down, across = (np.exp(-np.linalg.norm(np.diff(guide, axis=axis), axis=2) / EDGE_STEP) for axis in (0, 1))
    return plane(down), plane(across)


def _snap(maps: Plane, picture: Pixels, rounds: int) -> Plane:
    neighbors = _weigh_neighbors(picture)
    own = _take_log(maps) * np.float32(NETWORK_WEIGHT)
    result = maps
    for _ in range(rounds):
        weight = _weigh_evidence(result)
        spread = _smooth(np.concatenate([result * weight, weight[None]]), *neighbors, SMOOTHING_STRENGTH)
        own_and_known = own + _take_log(plane(spread[:-1] / spread[-1]))
        combined = plane(cv2.exp(own_and_known.reshape(len(maps), -1))).reshape(maps.shape)
        # The sum is taken for each pixel at once, because a sum of floats depends on their order.
        result = plane(combined / np.ascontiguousarray(np.moveaxis(combined, 0, 2)).sum(2))
    return result


def _take_log(maps: Plane) -> Plane:
    return plane(cv2.log((maps + np.float32(SHARE_FLOOR)).reshape(len(maps), -1))).reshape(maps.shape)


def _weigh_evidence(maps: Plane) -> Plane:
    """The weight of each pixel: small where two surfaces are nearly equally likely, or near a border."""
    first, second, labels = maps[0].copy(), np.zeros_like(maps[0]), np.zeros(maps[0].shape, np.uint8)
    for number, share in enumerate(maps[1:], 1):
        labels[share > first] = number
        np.maximum(second, np.minimum(first, share), out=second)
        np.maximum(first, share, out=first)
    lead = np.clip((first - second) / SURE_LEAD, 0, 1)
    border = cv2.morphologyEx(labels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    distance = cv2.distanceTransform((~border).astype(np.uint8), cv2.DIST_L2, 3)
    return plane((lead**2 + SHARE_FLOOR) * np.clip(distance / BORDER_DISTANCE, 0.02, 1) ** 2)


def _smooth(maps: Plane, down: Plane, across: Plane, strength: float) -> Plane:
    """Smooth maps (count x height x width).

    `down` and `across` are the weights (0-1) between neighbors in a column and in a row.
    """
    across = np.ascontiguousarray(across.T)
    for number in range(PASSES):
        reach = np.float32(1.5 * strength * 4 ** (PASSES - number - 1) / (4**PASSES - 1))
        maps = _turn(_filter_lines(_turn(maps), across * reach))
        maps = _filter_lines(maps, down * reach)
    return maps


def _turn(maps: Plane) -> Plane:
    turned = np.empty((len(maps), maps.shape[2], maps.shape[1]), np.float32)
    for each, result in zip(maps, turned, strict=True):
        cv2.transpose(each, dst=result)
    return turned


def _filter_lines(maps: Plane, weights: Plane) -> Plane:
    """Smooth maps (count x lines x others) across their lines, in place; `weights` are those between neighbors.

    Solves a tridiagonal system for each column: one sweep forwards, one sweep backwards.
    """
    diagonal = np.ones(maps.shape[1:], np.float32)
    diagonal[1:] += weights
    diagonal[:-1] += weights
    factors = np.zeros_like(diagonal)
    carried = np.empty_like(maps[:, 0])
    maps[:, 0] /= diagonal[0]
    for line in range(1, len(diagonal)):
        weight = weights[line - 1]
        np.divide(weight, diagonal[line - 1], out=factors[line - 1])
        diagonal[line] -= weight * factors[line - 1]
        np.multiply(maps[:, line - 1], weight, out=carried)
        np.add(carried, maps[:, line], out=carried)
        np.divide(carried, diagonal[line], out=maps[:, line])
    for line in range(len(diagonal) - 2, -1, -1):
        np.multiply(maps[:, line + 1], factors[line], out=carried)
        maps[:, line] += carried
    return maps
