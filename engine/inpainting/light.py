"""Fits the light on one face of a room where the face is visible, and continues it smoothly to hidden places.

The light is the sum of a thin-plate spline with few knots and the darkening near corners. Values are logarithms of
colors, so that factors of light become sums.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.geometry.camera import Points

MAX_KNOTS = 60
"""Maximum number of knots of the spline."""
MIN_SAMPLES = 12
"""Minimum number of samples to which light is fitted."""
ITERATIONS = 4
"""Iterations of the robust fit."""
CHUNK = 4096
"""Number of places evaluated at a time, to limit memory."""
STIFFNESS = 0.02
"""Weight of the penalty on bending of the spline."""
CORNER_REACHES = (0.08, 0.3, 0.9)
"""Distances, in meters, over which darkening near a corner fades; the fitted darkening is a mixture of them."""
CORNER_WEIGHT = 0.3
"""Weight of the penalty on darkening near corners, in hundredths."""
SLOPE_WEIGHT = 0.05
"""Weight of the penalty on linear slopes, in hundredths."""
LUMA = np.array([0.3, 0.59, 0.11])
"""Weights of red, green and blue in a sample's residual."""
TOLERANCE = 0.04
"""Residual (logarithms) up to which a sample keeps at least half its weight, even if most residuals are smaller."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples of a face's light.

    `places` (N, 2) on the face and distances from its edges (`corners`, N x kinds of edge) are in meters, `values`
    (N, 3) in logarithms. `trust` (N) is the weight of each sample, 0-1.
    """

    places: Points
    corners: Points
    values: Points
    trust: Points


@dataclass(frozen=True, slots=True)
class Light:
    """The fitted light: `factors` of its basis functions, with spline knots in normalized coordinates."""

    middle: Points
    size: float
    knots: Points
    factors: Points

    def at(self, places: Points, corners: Points) -> Points:
        """Evaluate the light at places of the face.

        Parameters
        ----------
        places : (N, 2) ndarray of float64
            Meters along and up the face.
        corners : (N, K) ndarray of float64
            Meters from each place to the face's edges, one column for each kind of edge as in Samples.

        Returns
        -------
        (N, 3) ndarray of float64
            Logarithms of colors.
        """
        normalized = (places - self.middle) / self.size
        parts = [slice(first, first + CHUNK) for first in range(0, len(normalized), CHUNK)]
        return np.vstack(
            [_compute_basis(normalized[part], corners[part], self.knots) @ self.factors for part in parts]
        )


def fit_light(samples: Samples) -> Light:
    """Fit smooth light to the samples. The fit is robust: samples in shadow count less.

    Parameters
    ----------
    samples : Samples
        At least one.

    Returns
    -------
    Light
        A thin-plate spline with at most MAX_KNOTS knots, and the darkening near corners.

    References
    ----------
    .. [1] Wahba, "Spline Models for Observational Data", 1990.
    """
    middle = samples.places.mean(0)
    size = max(float(np.abs(samples.places - middle).max()), 0.1)
    normalized = (samples.places - middle) / size
    knots = normalized[np.linspace(0, len(normalized) - 1, min(len(normalized), MAX_KNOTS)).astype(int)]
    columns = _compute_basis(normalized, samples.corners, knots)
    penalty = _compute_penalty(knots, samples.corners.shape[1])
    trust = samples.trust.copy()
    factors = np.zeros((columns.shape[1], 3))
    for _ in range(ITERATIONS):
        weighted = columns * trust[:, None]
        normal = weighted.T @ columns + penalty * trust.sum()
        factors = np.linalg.solve(normal, weighted.T @ samples.values)
        error = (samples.values - columns @ factors) @ LUMA
        # Samples much darker than the fit are shadows; the tolerance of brighter samples is twice as large.
        spread = max(TOLERANCE, 1.5 * float(np.median(np.abs(error))))
        trust = samples.trust / (1 + (error / np.where(error < 0, spread, 2 * spread)) ** 2)
    return Light(middle, size, knots, factors)


def _compute_basis(normalized: Points, corners: Points, knots: Points) -> Points:
    distances = np.linalg.norm(normalized[:, None] - knots[None], axis=2)
    bends = distances**2 * np.log(np.maximum(distances, 1e-9))
    near = [np.exp(-corners / reach) for reach in CORNER_REACHES]
    return np.column_stack([np.ones(len(normalized)), normalized, *near, bends])


def _compute_penalty(knots: Points, corners: int) -> Points:
    """The penalty matrix: on bending, and slightly on slopes and corners, for places without samples."""
    straight = 3 + corners * len(CORNER_REACHES)
    result = np.zeros((straight + len(knots), straight + len(knots)))
    result[1:3, 1:3] = np.eye(2) * SLOPE_WEIGHT * 0.01
    result[3:straight, 3:straight] = np.eye(straight - 3) * CORNER_WEIGHT * 0.01
    distances = np.linalg.norm(knots[:, None] - knots[None], axis=2)
    bending = distances**2 * np.log(np.maximum(distances, 1e-9))
    # The kernel matrix has negative eigenvalues too; absolute values make it a penalty in every direction.
    values, vectors = np.linalg.eigh(bending)
    result[straight:, straight:] = (vectors * np.abs(values)) @ vectors.T * STIFFNESS
    result[straight:, straight:] += np.eye(len(knots)) * 1e-6
    return result


def compute_cell_means(values: Plane, known: Mask, side: int) -> tuple[Points, Points, Points]:
    """Compute the mean values of the squares of a grid that have enough known cells.

    Parameters
    ----------
    values : (h, w, 3) ndarray of float32
        Values of any range.
    known : (h, w) ndarray of bool
        The cells to average.
    side : int
        Side of a square, in cells; squares are a little larger if the grid's size is not a multiple of it.

    Returns
    -------
    middles : (N, 2) ndarray of float64
        Column and row of each square's center, in cells.
    means : (N, 3) ndarray of float64
        The mean of each square's known values.
    shares : (N,) ndarray of float64
        The known share of each square, above 0.3.
    """
    height, width = known.shape
    size = (max(1, width // side), max(1, height // side))
    share = cv2.resize(known.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    total = cv2.resize(plane(values * known[..., None]), size, interpolation=cv2.INTER_AREA)
    rows, columns = np.nonzero(share > 0.3)
    middles = np.column_stack([(columns + 0.5) * width / size[0], (rows + 0.5) * height / size[1]])
    shares = share[rows, columns].astype(float)
    return middles, total[rows, columns].astype(float) / shares[:, None], shares
