"""Edge-aware smoothing of surface shares, so that their borders follow the picture's edges."""

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane

REACH, EDGE = 600.0, 0.02
"""How far evidence is spread along what is even, and the step of color (0-1) across which hardly any goes."""
PASSES, ROUNDS = 3, 2
OWN_WORD, LEAST = 0.5, 1e-3
FAINT = 0.05
"""A surface that is nowhere likelier than this is not there."""
SURE, NEAR_A_BORDER = 0.8, 8.0
"""The lead of one surface over the next that counts as sure, and the pixels from a border within which none is."""


def snap_to_edges(shares: Plane, picture: Pixels) -> Plane:
    """Surface shares with their borders moved to the edges of the picture.

    Rows and columns are smoothed in turn by solving tridiagonal systems whose weights are small across edges.
    Between rounds the network's own shares count again, so that nothing leaks far where an edge is faint.

    Parameters
    ----------
    shares : (h, w, S) ndarray of float32
        What each of S surfaces covers of each pixel, 0-1, summing to 1.
    picture : (h, w, 3) ndarray of uint8
        The picture that the shares were found on, gamma-coded sRGB.

    Returns
    -------
    (h, w, S) ndarray of float32
        The new shares, 0-1, summing to 1; surfaces that are nowhere likely are 0. `shares` itself where fewer than
        two surfaces are likely anywhere.

    References
    ----------
    .. [1] Min, Choi, Lu, Ham, Sohn, Do, "Fast Global Smoother", 2014.
    """
    seen = np.flatnonzero(shares.max((0, 1)) >= FAINT)
    if seen.size < 2:
        return shares
    result = np.zeros_like(shares)
    result[..., seen] = _list_alike(np.ascontiguousarray(shares[..., seen]), picture)
    return result


def _list_alike(shares: Plane, picture: Pixels) -> Plane:
    guide = plane(cv2.bilateralFilter(picture, 5, 12, 3)) / np.float32(255)
    down, across = (np.exp(-np.linalg.norm(np.diff(guide, axis=axis), axis=2) / EDGE) for axis in (0, 1))
    word = plane(cv2.log(shares + np.float32(LEAST)) * np.float32(OWN_WORD))
    result = shares
    for _ in range(ROUNDS):
        sure = _sureness(result)
        spread = _smooth(np.dstack([result * sure[..., None], sure]), plane(down), plane(across))
        known = spread[..., :-1] / spread[..., -1:]
        raised = cv2.exp(plane(word + cv2.log(known + np.float32(LEAST))))
        result = plane(raised / raised.sum(2, keepdims=True))
    return result


def _sureness(shares: Plane) -> Plane:
    """0-1: the weight of each pixel as evidence; little where two surfaces are as likely, or next to a border."""
    ordered = np.partition(shares, -2, axis=2)
    lead = np.clip((ordered[..., -1] - ordered[..., -2]) / SURE, 0, 1)
    labels = shares.argmax(2).astype(np.uint8)
    border = cv2.morphologyEx(labels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    away = cv2.distanceTransform((~border).astype(np.uint8), cv2.DIST_L2, 3)
    return plane((lead**2 + LEAST) * np.clip(away / NEAR_A_BORDER, 0.02, 1) ** 2)


def _smooth(values: Plane, down: Plane, across: Plane) -> Plane:
    """Values (height x width x count) smoothed; `down` and `across` say how much neighbors are alike, 0-1."""
    for number in range(PASSES):
        reach = np.float32(1.5 * REACH * 4 ** (PASSES - number - 1) / (4**PASSES - 1))
        values = _filter_axis(values.transpose(1, 0, 2), across.T * reach).transpose(1, 0, 2)
        values = _filter_axis(values, down * reach)
    return plane(values)


def _filter_axis(values: Plane, alike: Plane) -> Plane:
    """Along the first axis (count x others x channels): each value near its own and, by `alike`, to neighbors'."""
    values = np.ascontiguousarray(values)
    diagonal = np.ones(values.shape[:2], np.float32)
    diagonal[1:] += alike
    diagonal[:-1] += alike
    ahead = np.zeros_like(diagonal)
    result = np.empty_like(values)
    result[0] = values[0] / diagonal[0][:, None]
    for line in range(1, len(values)):
        before = alike[line - 1]
        ahead[line - 1] = before / diagonal[line - 1]
        diagonal[line] -= before * ahead[line - 1]
        result[line] = (values[line] + before[:, None] * result[line - 1]) / diagonal[line][:, None]
    for line in range(len(values) - 2, -1, -1):
        result[line] += ahead[line][:, None] * result[line + 1]
    return plane(result)
