"""Separates what paint covers on fronts of cabinets, their grain and glare, from frames and gaps, which stay."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb
from engine.filters.smoothing import gaussian_blur, normalized_convolution

PANEL_SIGMA = 6.0
"""Sigma, in pixels, of the blur that gives the mean light on fronts: wider than their frames' profiles."""
GRAIN_DEVIATIONS = 1.0
"""Deviations of the fine structure of wooden fronts below which it is grain, and paint covers it."""
FRAME_SIGMA, FRAME_DEVIATIONS, MIN_RELIEF = 1.5, (2.0, 4.0), 0.35
"""Sigma, in pixels, of the blur that leaves the profiles of frames and takes grain away; its deviations between
which fine structure becomes relief; least share of it that is kept elsewhere.
"""
GLARE_SIGMA, MAX_GLARE = 40.0, 0.25
"""Sigma, in pixels, of the surroundings of a reflection on wooden fronts, and greatest difference from their light,
in natural logarithms, that paint keeps.
"""
MIN_SECOND_SHARE, MIN_MATERIAL_DIFFERENCE = 0.02, 0.5
"""Least share of a surface with a second material, and least difference in chromaticity, in natural logarithms."""
MAX_NEUTRAL = 0.35
"""Greatest chromaticity, in natural logarithms, of white and gray fronts: grain and glare of wood differ so too."""


@dataclass(frozen=True, slots=True)
class WoodenFronts:
    """The light on wooden fronts; small maps.

    `luminance`: without fine structure. `even`: also without most of what the wood mirrors. `relief`: how much of
    the fine structure is frames and gaps, 0-1. `grain`: the amplitude of the grain, in natural logarithms.
    """

    luminance: Plane
    even: Plane
    relief: Plane
    grain: float


def separate_grain(gray: Plane, surface: Mask) -> WoodenFronts:
    """Separate the light on wooden fronts from their grain and their frames.

    Parameters
    ----------
    gray : (h, w) ndarray of float32
        Linear luminance, above 0.
    surface : (h, w) ndarray of bool
        Where the fronts are.

    Returns
    -------
    WoodenFronts
        Maps as large as `gray`.
    """
    values = plane(np.log(gray))
    mean = normalized_convolution(gray_to_rgb(values), plane(surface + 1e-3), PANEL_SIGMA)[..., 0]
    detail = plane(values - mean)
    grain = GRAIN_DEVIATIONS * 1.48 * float(np.median(np.abs(detail[surface])))
    return WoodenFronts(plane(np.exp(mean)), _limit_glare(mean, surface), _find_frames(detail, surface), grain)


def find_second_material(chroma: Plane, surface: Mask) -> Plane | None:
    """Find the wooden parts of white or gray fronts, whose light is unknown below the paint.

    Parameters
    ----------
    chroma : (h, w, 2) ndarray of float32
        Natural logarithms of red and blue over green, in linear light.
    surface : (h, w) ndarray of bool
        Where the fronts are.

    Returns
    -------
    (h, w) ndarray of float32, or None
        Their share of each pixel, 0-1; None if the fronts have one color, or are of wood.
    """
    if not surface.any():
        return None
    samples = np.ascontiguousarray(chroma[surface])
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 1e-3)
    cv2.setRNGSeed(1)
    _, numbers, centers = cv2.kmeans(samples, 2, np.empty(0), stop, 3, cv2.KMEANS_PP_CENTERS)
    second = int(np.mean(numbers) < 0.5)
    between = centers[second] - centers[1 - second]
    neutral = float(np.abs(centers[1 - second]).max()) < MAX_NEUTRAL
    share, apart = float((numbers == second).mean()), float(np.linalg.norm(between))
    if not neutral or share < MIN_SECOND_SHARE or apart < MIN_MATERIAL_DIFFERENCE:
        return None
    along = plane(((chroma - centers[1 - second]) @ between) / apart**2)
    return smoothstep(gaussian_blur(along, 1.0), 0.15, 0.5)


def remove_grain(detail: Plane, grain: float) -> Plane:
    """Remove small amplitudes from fine structure: grain goes, the edges of frames and gaps stay.

    Parameters
    ----------
    detail : (h, w) ndarray of float32
        Logarithm of the luminance over that around it.
    grain : float
        The amplitude, in natural logarithms, that is taken off; not below 0.

    Returns
    -------
    (h, w) ndarray of float32
        Nearer to 0 by `grain`; 0 up to it.
    """
    return plane(np.sign(detail) * np.maximum(np.abs(detail) - np.float32(grain), 0))


def _find_frames(detail: Plane, surface: Mask) -> Plane:
    """How much of the fine structure of wooden fronts is the profile of a frame or a gap, 0-1."""
    lines = np.abs(gaussian_blur(detail, FRAME_SIGMA))
    usual = 1.48 * float(np.median(lines[surface]))
    sure = smoothstep(plane(lines / max(usual, 1e-4)), *FRAME_DEVIATIONS)
    spread = gaussian_blur(plane(cv2.dilate(sure, np.ones((5, 5), np.uint8))), 1.0)
    return plane(MIN_RELIEF + (1 - MIN_RELIEF) * np.clip(spread, 0, 1))


def _limit_glare(mean: Plane, surface: Mask) -> Plane:
    """The light on wooden fronts without most of what they mirror, which paint does not."""
    wide = normalized_convolution(gray_to_rgb(mean), plane(surface + 1e-3), GLARE_SIGMA)[..., 0]
    return plane(np.exp(wide + MAX_GLARE * np.tanh((mean - wide) / MAX_GLARE)))
