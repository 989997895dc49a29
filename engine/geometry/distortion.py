"""The radial distortion of a lens, as a map of distances from the picture's middle."""

from dataclasses import dataclass

import numpy as np

from engine.geometry.segments import Numbers

RADII = np.linspace(0, 1.5, 301)
"""Distances from the picture's middle for which a distortion is tabulated, in halves of the diagonal."""


@dataclass(frozen=True, slots=True)
class Distortion:
    """A radial distortion around the picture's middle: a point at a distance of RADII is `seen` at this distance.

    Both are in halves of the diagonal, and rise.
    """

    seen: Numbers

    @property
    def corner(self) -> float:
        """How far corners move outwards when it is corrected, as a share of half the diagonal; below 0: inwards."""
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
            Where this lens does.
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
            Where a lens without distortion would.
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
        The whole.
    share : float
        How much of it: 0 is none; from -1 to 2.

    Returns
    -------
    Distortion
        The part.
    """
    return Distortion(RADII + share * (distortion.seen - RADII))
