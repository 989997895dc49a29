"""The light on one face of a room, measured where the face is seen and continued smoothly to hidden places.

Values are logarithms of colors, so that effects on light add up: a thin-plate spline with few knots, and the
darkening near corners.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.geometry.camera import Points

MOST_KNOTS = 60
"""Most knots of the spline."""
LEAST_SAMPLES = 12
"""Least number of samples to which light is fitted."""
ROUNDS = 4
"""Iterations of the robust fit."""
AT_ONCE = 4096
"""Places evaluated at a time, which limits memory."""
STIFFNESS = 0.02
"""Penalty on bending."""
CORNER_REACHES = (0.08, 0.3, 0.9)
"""Meters over which a corner darkens its surroundings; the darkening is a mixture of these reaches."""
CORNER_WEIGHT = 0.3
"""Penalty on darkening near corners, in hundredths."""
SLOPE_WEIGHT = 0.05
"""Penalty on even slopes, in hundredths."""
LUMA = np.array([0.3, 0.59, 0.11])
"""Weights of red, green and blue in a sample's residual."""
TOLERANCE = 0.04
"""Least residual (logarithms) that is taken as usual; a sample with a larger one counts clearly less."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples of a face's light.

    `places` (N, 2) on the face and distances from its edges (`corners`, N x kinds of edge) are in meters, `values`
    (N, 3) in logarithms, `trust` (N) is 0-1.
    """

    places: Points
    corners: Points
    values: Points
    trust: Points


@dataclass(frozen=True, slots=True)
class Light:
    """The fitted light; `at` evaluates it."""

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
        level = (places - self.middle) / self.size
        parts = [slice(first, first + AT_ONCE) for first in range(0, len(level), AT_ONCE)]
        return np.vstack([_columns(level[part], corners[part], self.knots) @ self.factors for part in parts])


def fit_light(samples: Samples) -> Light:
    """Fit the smoothest light that explains the samples; the fit is robust: samples in shadow count less.

    Parameters
    ----------
    samples : Samples
        At least one.

    Returns
    -------
    Light
        A thin-plate spline with at most MOST_KNOTS knots, and the darkening near corners.

    References
    ----------
    .. [1] Wahba, "Spline Models for Observational Data", 1990.
    """
    middle = samples.places.mean(0)
    size = max(float(np.abs(samples.places - middle).max()), 0.1)
    level = (samples.places - middle) / size
    knots = level[np.linspace(0, len(level) - 1, min(len(level), MOST_KNOTS)).astype(int)]
    columns = _columns(level, samples.corners, knots)
    restraint = _restraint(knots, samples.corners.shape[1])
    trust = samples.trust.copy()
    factors = np.zeros((columns.shape[1], 3))
    for _ in range(ROUNDS):
        weighted = columns * trust[:, None]
        normal = weighted.T @ columns + restraint * trust.sum()
        factors = np.linalg.solve(normal, weighted.T @ samples.values)
        off = (samples.values - columns @ factors) @ LUMA
        # Shadows are outliers that are darker than the fit. Samples brighter than the fit are the light itself.
        spread = max(TOLERANCE, 1.5 * float(np.median(np.abs(off))))
        trust = samples.trust / (1 + (off / np.where(off < 0, spread, 2 * spread)) ** 2)
    return Light(middle, size, knots, factors)


def _columns(level: Points, corners: Points, knots: Points) -> Points:
    apart = np.linalg.norm(level[:, None] - knots[None], axis=2)
    bends = apart**2 * np.log(np.maximum(apart, 1e-9))
    near = [np.exp(-corners / reach) for reach in CORNER_REACHES]
    return np.column_stack([np.ones(len(level)), level, *near, bends])


def _restraint(knots: Points, corners: int) -> Points:
    """The penalty matrix: on bending, and a little on slopes and corners, for places without samples."""
    straight = 3 + corners * len(CORNER_REACHES)
    result = np.zeros((straight + len(knots), straight + len(knots)))
    result[1:3, 1:3] = np.eye(2) * SLOPE_WEIGHT * 0.01
    result[3:straight, 3:straight] = np.eye(straight - 3) * CORNER_WEIGHT * 0.01
    apart = np.linalg.norm(knots[:, None] - knots[None], axis=2)
    bending = apart**2 * np.log(np.maximum(apart, 1e-9))
    # The kernel is positive only for bends that the straight part cannot express; the rest is penalized as well.
    values, vectors = np.linalg.eigh(bending)
    result[straight:, straight:] = (vectors * np.abs(values)) @ vectors.T * STIFFNESS
    result[straight:, straight:] += np.eye(len(knots)) * 1e-6
    return result


def compute_cell_means(values: Plane, known: Mask, side: int) -> tuple[Points, Points, Points]:
    """Mean values of the squares of a grid, for squares with enough known cells.

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
