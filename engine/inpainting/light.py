"""The light on one face of a room, found where the face is seen and continued smoothly to where it is not.

Values are logarithms of colors, so that light is a sum: a thin-plate spline with few knots, and what corners take
from the light beside them.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.geometry.camera import Points

MOST_KNOTS = 60
LEAST_SAMPLES = 12
ROUNDS = 4
AT_ONCE = 4096
STIFFNESS = 0.02
CORNER_REACHES = (0.08, 0.3, 0.9)
"""Meters over which a corner darkens what lies before it."""
CORNER_WEIGHT = 0.3
SLOPE_WEIGHT = 0.05
LUMA = np.array([0.3, 0.59, 0.11])
TOLERANCE = 0.04
"""What the logarithm of the light may be off before a sample counts less."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples of a face's light: `places` (N, 2) on it and distances from its edges (`corners`, N x kinds of edge)
    in meters, `values` (N, 3) in logarithms, and `trust` (N), 0-1.
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
            Meters from each place to the face's edges, kind by kind as in Samples.

        Returns
        -------
        (N, 3) ndarray of float64
            Logarithms of colors.
        """
        level = (places - self.middle) / self.size
        parts = [slice(first, first + AT_ONCE) for first in range(0, len(level), AT_ONCE)]
        return np.vstack([_columns(level[part], corners[part], self.knots) @ self.factors for part in parts])


def fit_light(samples: Samples) -> Light:
    """Fit the smoothest light that explains the samples, robustly: those in shadow count less than the rest.

    Parameters
    ----------
    samples : Samples
        At least one.

    Returns
    -------
    Light
        A thin-plate spline with at most MOST_KNOTS knots, and what corners take from the light.

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
        # A shadow is darker, hardly ever brighter: what is brighter than found is the light itself.
        spread = max(TOLERANCE, 1.5 * float(np.median(np.abs(off))))
        trust = samples.trust / (1 + (off / np.where(off < 0, spread, 2 * spread)) ** 2)
    return Light(middle, size, knots, factors)


def _columns(level: Points, corners: Points, knots: Points) -> Points:
    apart = np.linalg.norm(level[:, None] - knots[None], axis=2)
    bends = apart**2 * np.log(np.maximum(apart, 1e-9))
    near = [np.exp(-corners / reach) for reach in CORNER_REACHES]
    return np.column_stack([np.ones(len(level)), level, *near, bends])


def _restraint(knots: Points, corners: int) -> Points:
    """What bending costs, and slopes and corners a little, where no sample does."""
    straight = 3 + corners * len(CORNER_REACHES)
    result = np.zeros((straight + len(knots), straight + len(knots)))
    result[1:3, 1:3] = np.eye(2) * SLOPE_WEIGHT * 0.01
    result[3:straight, 3:straight] = np.eye(straight - 3) * CORNER_WEIGHT * 0.01
    apart = np.linalg.norm(knots[:, None] - knots[None], axis=2)
    bending = apart**2 * np.log(np.maximum(apart, 1e-9))
    # Positive for every bend that the straight part does not hold; the rest is kept small by itself.
    values, vectors = np.linalg.eigh(bending)
    result[straight:, straight:] = (vectors * np.abs(values)) @ vectors.T * STIFFNESS
    result[straight:, straight:] += np.eye(len(knots)) * 1e-6
    return result


def compute_cell_means(values: Plane, known: Mask, side: int) -> tuple[Points, Points, Points]:
    """Mean values of a grid of squares, of those in which enough is known.

    Parameters
    ----------
    values : (h, w, 3) ndarray of float32
        Values of any range.
    known : (h, w) ndarray of bool
        The cells to average.
    side : int
        Of a square, in cells; it is a little larger where the grid is no multiple of it.

    Returns
    -------
    middles : (N, 2) ndarray of float64
        Column and row of each square's center, in cells.
    means : (N, 3) ndarray of float64
        The mean of its known values.
    shares : (N,) ndarray of float64
        The share of it that is known, above 0.3.
    """
    height, width = known.shape
    size = (max(1, width // side), max(1, height // side))
    share = cv2.resize(known.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    total = cv2.resize(plane(values * known[..., None]), size, interpolation=cv2.INTER_AREA)
    rows, columns = np.nonzero(share > 0.3)
    middles = np.column_stack([(columns + 0.5) * width / size[0], (rows + 0.5) * height / size[1]])
    shares = share[rows, columns].astype(float)
    return middles, total[rows, columns].astype(float) / shares[:, None], shares
