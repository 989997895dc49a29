"""Detects the straight edges of a picture as line segments."""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Pixels, Plane
from engine.geometry.surface import PLACE, Surface

Numbers = NDArray[np.float64]

MIN_LENGTH = 0.022
"""Least length of an edge, as a share of the picture's diagonal; shorter edges give no exact direction."""
MAX_SEGMENTS = 400
"""Most edges; the longest are kept, because more edges cost time and add little."""
MOVABLE_SURFACES = (Surface.FURNITURE, Surface.CLUTTER, Surface.OTHER, Surface.WINDOW)
"""Surfaces whose edges often do not run along the room; windows show other houses."""
MOVABLE_WEIGHT = 0.45
"""Weight of an edge wholly on these surfaces; others have 1."""
FRACTIONS = (0.2, 0.5, 0.8)
"""Places along a segment at which a map is measured, as shares of its length."""


@dataclass(frozen=True, slots=True)
class LineSegments:
    """N straight edges: `ends` (N, 4) are x, y, x, y in pixels, `weights` (N,) how far each edge is trusted.

    `axes` (N,) are the main directions in which edges are known to run: 0, 1, 2 for x, y, z, and -1 where unknown.
    """

    ends: Numbers
    weights: Numbers
    axes: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, np.intp))

    def __post_init__(self) -> None:
        if len(self.axes) != len(self.ends):
            object.__setattr__(self, "axes", np.full(len(self.ends), -1, np.intp))

    @property
    def middles(self) -> Numbers:
        """N x 2, in pixels."""
        return (self.ends[:, :2] + self.ends[:, 2:]) / 2

    @property
    def lengths(self) -> Numbers:
        """N, in pixels."""
        return np.asarray(np.hypot(*(self.ends[:, 2:] - self.ends[:, :2]).T))

    @property
    def directions(self) -> Numbers:
        """N x 2, unit vectors."""
        return (self.ends[:, 2:] - self.ends[:, :2]) / np.maximum(self.lengths, 1e-9)[:, None]

    def keep_longest(self, count: int) -> "LineSegments":
        """Keep the segments with the largest product of length and weight.

        Parameters
        ----------
        count : int
            The most segments to keep.

        Returns
        -------
        LineSegments
            The kept segments, the largest product first.
        """
        chosen = np.argsort(-self.lengths * self.weights, kind="stable")[:count]
        return LineSegments(self.ends[chosen], self.weights[chosen], self.axes[chosen])

    def remove_distortion(self, distortion: float, width: int, height: int) -> "LineSegments":
        """Remove a lens's barrel distortion from the ends of the segments.

        Parameters
        ----------
        distortion : float
            Parameter of the division model, for distances in halves of the diagonal; above 0 for barrel distortion.
        width, height : int
            Size of the picture, in pixels.

        Returns
        -------
        LineSegments
            The segments as a lens without distortion would show them, with the same weights.
        """
        unit, middle = float(np.hypot(width, height)) / 2, np.array([width, height]) / 2
        places = (self.ends.reshape(-1, 2) - middle) / unit
        spread = np.maximum(1 - distortion * (places**2).sum(1, keepdims=True), 0.2)
        return LineSegments((places / spread * unit + middle).reshape(-1, 4), self.weights, self.axes)


def detect_segments(picture: Pixels, surfaces: Plane) -> LineSegments:
    """Detect the longest straight edges of a picture; those of movable things get less weight.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        Gamma-coded sRGB.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.

    Returns
    -------
    LineSegments
        At most MAX_SEGMENTS, the longest first, in pixels; the center of the first pixel is (0.5, 0.5). None for a
        picture without long edges or with a short side of at most 8 pixels.
    """
    height, width = picture.shape[:2]
    ends = find_ends(np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), dtype=np.uint8))
    lengths = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    long = np.argsort(-lengths, kind="stable")[:MAX_SEGMENTS]
    long = long[lengths[long] >= MIN_LENGTH * np.hypot(height, width)]
    ends = ends[long]
    return LineSegments(ends, weigh_segments(ends, surfaces))


def find_ends(gray: NDArray[np.uint8]) -> Numbers:
    """Find the ends of all straight edges.

    Parameters
    ----------
    gray : (h, w) ndarray of uint8
        The picture.

    Returns
    -------
    (N, 4) ndarray of float64
        x, y, x, y of each edge, in pixels; the center of the first pixel is (0.5, 0.5). None for a picture with a
        short side of at most 8 pixels.
    """
    if min(gray.shape) <= 8:
        return np.zeros((0, 4))
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(_equalize_contrast(gray))[0]
    return np.zeros((0, 4)) if found is None else np.asarray(found, np.float64).reshape(-1, 4) + 0.5


def scale_ends(ends: Numbers, shape: tuple[int, ...], to: tuple[int, ...]) -> Numbers:
    """Convert edges of a picture to pixels of a map of the same view.

    Parameters
    ----------
    ends : (N, 4) ndarray of float64
        x, y, x, y of each edge, in pixels of the picture.
    shape, to : tuple of int
        Shapes of the picture and of the map, height and width first.

    Returns
    -------
    (N, 4) ndarray of float64
        The edges in pixels of the map.
    """
    return np.asarray(ends * (np.array([to[1], to[0]] * 2) / np.array([shape[1], shape[0]] * 2)))


def _equalize_contrast(gray: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The gray picture with local contrast equalized, so that edges in dark corners are detected too."""
    return np.asarray(cv2.createCLAHE(2.0, (6, 6)).apply(gray), dtype=np.uint8)


def measure_along(ends: Numbers, shares: Plane) -> Numbers:
    """Measure a map at three points of each segment.

    Parameters
    ----------
    ends : (N, 4) ndarray of float64
        x, y, x, y of each segment, in pixels of the map.
    shares : (h, w) ndarray of float32
        The map.

    Returns
    -------
    (N,) ndarray of float64
        The mean of the three values, in the range of the map.
    """
    height, width = shares.shape
    total = np.zeros(len(ends))
    for fraction in FRACTIONS:
        x, y = (ends[:, :2] * (1 - fraction) + ends[:, 2:] * fraction).T.astype(int)
        total += shares[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return np.asarray(total / len(FRACTIONS))


def weigh_segments(ends: Numbers, surfaces: Plane) -> Numbers:
    """Weigh edges by the share of movable surfaces along each of them.

    Parameters
    ----------
    ends : (N, 4) ndarray of float64
        x, y, x, y of each edge, in pixels of the map.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.

    Returns
    -------
    (N,) ndarray of float64
        From 1 down to MOVABLE_WEIGHT.
    """
    movable = surfaces[..., [PLACE[each] for each in MOVABLE_SURFACES]].sum(-1)
    return np.asarray(1 - (1 - MOVABLE_WEIGHT) * measure_along(ends, movable))
