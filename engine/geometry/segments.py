"""The straight edges of a picture, as line segments."""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Pixels, Plane
from engine.geometry.surface import PLACE, Surface

Numbers = NDArray[np.float64]

SHORTEST = 0.022
"""Of the picture's diagonal; shorter edges say little of a direction."""
MOST = 400
LOOSE = (Surface.FURNITURE, Surface.CLUTTER, Surface.OTHER, Surface.WINDOW)
"""Surfaces whose edges run less often along the room; through windows one looks at other houses."""
LOOSE_COUNTS = 0.45


@dataclass(frozen=True, slots=True)
class LineSegments:
    """Straight edges: `ends` are (N, 4) (x, y, x, y in pixels), `weights` (N,) how far each is trusted.

    `axes` are (N,) the main direction in which each is known to run, 0 to 2 for x, y and z; -1: not known.
    """

    ends: Numbers
    weights: Numbers
    axes: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, np.intp))

    def __post_init__(self) -> None:
        if len(self.axes) != len(self.ends):
            object.__setattr__(self, "axes", np.full(len(self.ends), -1, np.intp))

    @property
    def middles(self) -> Numbers:
        """Count x 2."""
        return (self.ends[:, :2] + self.ends[:, 2:]) / 2

    @property
    def lengths(self) -> Numbers:
        """Count, in pixels."""
        return np.asarray(np.hypot(*(self.ends[:, 2:] - self.ends[:, :2]).T))

    @property
    def directions(self) -> Numbers:
        """Count x 2, of length 1."""
        return (self.ends[:, 2:] - self.ends[:, :2]) / np.maximum(self.lengths, 1e-9)[:, None]

    def longest(self, count: int) -> "LineSegments":
        """The segments that count most: by length in pixels times weight.

        Parameters
        ----------
        count : int
            The most to keep.

        Returns
        -------
        LineSegments
            Those kept, the first one counting most.
        """
        chosen = np.argsort(-self.lengths * self.weights, kind="stable")[:count]
        return LineSegments(self.ends[chosen], self.weights[chosen], self.axes[chosen])

    def unbent(self, bend: float, width: int, height: int) -> "LineSegments":
        """The segments with a lens's barrel distortion taken out of their ends.

        Parameters
        ----------
        bend : float
            Of the division model, for distances in halves of the diagonal; above 0 for barrel distortion.
        width, height : int
            Size of the picture, in pixels.

        Returns
        -------
        LineSegments
            The segments as a lens without distortion would show them, with the same weights.
        """
        unit, middle = float(np.hypot(width, height)) / 2, np.array([width, height]) / 2
        places = (self.ends.reshape(-1, 2) - middle) / unit
        spread = np.maximum(1 - bend * (places**2).sum(1, keepdims=True), 0.2)
        return LineSegments((places / spread * unit + middle).reshape(-1, 4), self.weights, self.axes)


def detect_segments(picture: Pixels, surfaces: Plane) -> LineSegments:
    """The longest straight edges of a picture, those of loose things trusted less.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        Gamma-coded sRGB.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.

    Returns
    -------
    LineSegments
        At most MOST, the longest first, in pixels, (0.5, 0.5) the center of the first one; none for a picture
        without long edges or of 8 pixels or less on its short side.
    """
    height, width = picture.shape[:2]
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    found = (
        cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(_even_light(gray))[0]
        if min(height, width) > 8
        else None
    )
    ends = np.zeros((0, 4)) if found is None else np.asarray(found, np.float64).reshape(-1, 4) + 0.5
    lengths = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    long = np.argsort(-lengths, kind="stable")[:MOST]
    long = long[lengths[long] >= SHORTEST * np.hypot(height, width)]
    ends = ends[long]
    return LineSegments(ends, _trust(ends, surfaces))


def _even_light(gray: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Dark corners lifted, so that their edges count too."""
    return np.asarray(cv2.createCLAHE(2.0, (6, 6)).apply(gray), dtype=np.uint8)


def _trust(ends: Numbers, surfaces: Plane) -> Numbers:
    loose = surfaces[..., [PLACE[each] for each in LOOSE]].sum(-1)
    height, width = loose.shape
    share = np.zeros(len(ends))
    spots = (0.2, 0.5, 0.8)
    for spot in spots:
        x, y = (ends[:, :2] * (1 - spot) + ends[:, 2:] * spot).T.astype(int)
        share += loose[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return np.asarray(1 - (1 - LOOSE_COUNTS) * share / len(spots))
