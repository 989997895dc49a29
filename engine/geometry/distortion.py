"""The radial distortion of a lens, as a map of distances from the picture's middle."""

from dataclasses import dataclass

import numpy as np

from engine.geometry.segments import Numbers

RADII = np.linspace(0, 1.5, 301)
"""Distances from the picture's middle for which a distortion is tabulated, in halves of the diagonal."""


@dataclass(frozen=True, slots=True)
class Distortion:
    """A radial distortion around the picture's middle: `seen` are the distances at which points at RADII are shown.

    Both are in halves of the diagonal, and rise.
    """

    seen: Numbers

    @property
    def corner(self) -> float:
        """How far a correction moves corners outwards, as a share of half the diagonal; negative: inwards."""
        return float(np.interp(1, self.seen, RADII)) - 1

    def distort(self, points: Numbers) -> Numbers:
        """Find where the lens shows points.

        Parameters
        ----------
        points : (..., 2) ndarray of float64
            Where a lens without distortion would show them, from the middle, in halves of the diagonal.

        Returns
        -------
        (..., 2) ndarray of float64
            Where this lens shows them.
        """
        return _stretch(points, RADII, self.seen)

    def correct(self, points: Numbers) -> Numbers:
        """Find where a lens without distortion would show points: the reverse of `distort`.

        Parameters
        ----------
        points : (..., 2) ndarray of float64
            Where this lens shows them, from the middle, in halves of the diagonal.

        Returns
        -------
        (..., 2) ndarray of float64
            Where a lens without distortion would show them.
        """
        return _stretch(points, self.seen, RADII)


def _stretch(points: Numbers, radii: Numbers, to: Numbers) -> Numbers:
    distance = np.hypot(points[..., 0], points[..., 1])
    factor = np.interp(distance, radii, to) / np.maximum(distance, 1e-12)
    return np.asarray(points * np.where(distance < radii[1], to[1] / radii[1], factor)[..., None])


def make_distortion(strength: float) -> Distortion:
    """Make the distortion of the division model with one parameter.

    Parameters
    ----------
    strength : float
        Above 0 for barrel distortion, for distances in halves of the diagonal; from -0.1 on.

    Returns
    -------
    Distortion
        The distortion.

    References
    ----------
    Fitzgibbon, "Simultaneous linear estimation of multiple view geometry and lens distortion" (2001).
    """
    return Distortion(2 * RADII / (1 + np.sqrt(np.maximum(1 + 4 * strength * RADII**2, 0.01))))


def scale_distortion(distortion: Distortion, share: float) -> Distortion:
    """Make a part of a distortion.

    Parameters
    ----------
    distortion : Distortion
        The whole distortion.
    share : float
        The share of the distortion to keep, from -1 to 2; 0 gives no distortion.

    Returns
    -------
    Distortion
        The partial distortion.
    """
    return Distortion(RADII + share * (distortion.seen - RADII))
