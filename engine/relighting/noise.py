"""Removes noise from a photo where its light is raised: grain, and the color blocks of JPEGs."""

from dataclasses import dataclass

import numpy as np

from engine.arrays import Plane, plane
from engine.color.channels import rgb_to_gray
from engine.filters.smoothing import box_filter, local_std

CHROMA_RADIUS = 9
"""Radius, in pixels of the small picture, of the squares in which chroma is smoothed.

They are wider than the blocks of a JPEG.
"""
CHROMA_NOISE = 0.022
"""Standard deviation of chroma (0-1) that is halved where the light is doubled."""
GUIDE_SOFTNESS = 1e-4
"""Epsilon, a variance of luma (0-1), of the fit of chroma to luma; fainter edges of luma have no edges of color."""
MAX_LIFT = 3.0
"""Gain of light from which on chroma is not smoothed more."""
GRAIN_QUANTILE = 0.2
"""Share of the places of a photo that count as flat: all variation there is grain."""
GRAIN_RADIUS = 2
"""Radius, in pixels of the small picture, of the squares in which grain is measured."""


@dataclass(frozen=True, slots=True)
class ChromaModel:
    """How the chroma of each pixel is smoothed; small maps.

    `keep` (0-1) is the share of a pixel's own chroma (red or blue minus luma, 0-1) that stays. To it is added
    `slope` times luma plus `offset`, each with two channels, for red and blue.
    """

    keep: Plane
    slope: Plane
    offset: Plane


def fit_chroma_model(small: Plane, lift: Plane) -> ChromaModel:
    """Fit the model that smooths chroma where the light is raised, between edges of luma and of color.

    The chroma around each pixel is fitted to luma, as in a guided filter; what it leaves unexplained is kept as far
    as it is stronger than noise, as in a Wiener filter.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded, 0-1.
    lift : (h, w) ndarray of float32
        The gain of the light of each pixel. Pixels with a gain of up to 1 are not smoothed.

    Returns
    -------
    ChromaModel
        Maps as large as `lift`.
    """
    luma = rgb_to_gray(small)
    chroma = plane(small[..., ::2] - luma[..., None])
    mean, chroma_mean = box_filter(luma, CHROMA_RADIUS), box_filter(chroma, CHROMA_RADIUS)
    variance = box_filter(luma * luma, CHROMA_RADIUS) - mean * mean
    covariance = box_filter(plane(chroma * luma[..., None]), CHROMA_RADIUS) - chroma_mean * mean[..., None]
    slope = plane(covariance / (variance + GUIDE_SOFTNESS)[..., None])
    total = box_filter(plane(chroma * chroma), CHROMA_RADIUS) - chroma_mean * chroma_mean
    unexplained = np.maximum(total - slope * covariance, 0).sum(-1)
    noise = CHROMA_NOISE * (np.clip(box_filter(lift, CHROMA_RADIUS), 1, MAX_LIFT) - 1)
    keep = plane((unexplained + 1e-7) / (unexplained + noise * noise + 1e-7))
    fitted = (1 - keep)[..., None]
    return ChromaModel(
        box_filter(keep, CHROMA_RADIUS),
        box_filter(plane(slope * fitted), CHROMA_RADIUS),
        box_filter(plane((chroma_mean - slope * mean[..., None]) * fitted), CHROMA_RADIUS),
    )


def measure_grain(luma: Plane) -> float:
    """Measure the grain of a picture: the standard deviation of luma where it varies least.

    Parameters
    ----------
    luma : (h, w) ndarray of float32
        Gamma-coded, 0-1.

    Returns
    -------
    float
        In units of `luma`; 0 if the whole picture is black or white.
    """
    shown = (luma > 0.03) & (luma < 0.94)
    return float(np.quantile(local_std(luma, GRAIN_RADIUS)[shown], GRAIN_QUANTILE)) if shown.any() else 0.0
