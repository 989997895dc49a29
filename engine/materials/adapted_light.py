"""Adapts the light on an old surface to a new material, and measures how much of the light is kept."""

import numpy as np

from engine.arrays import Plane, plane
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.filters.morphology import erode
from engine.filters.smoothing import gaussian_blur
from engine.materials.material import Material
from engine.relighting.shading import Shading

COARSE_SIGMA = 12.0
"""Sigma, in pixels of the small picture, of the blur that makes light coarse for this comparison."""
MAX_EVEN_DEVIATION = 0.03
"""Standard deviation of the logarithm of coarse light below which a surface counts as evenly lit."""
SOFTENING_EXPONENT = 0.3
"""Exponent of the ratio of old to new albedo, which gives the contrast of the shade."""
MIN_CONTRAST = 0.35
"""Minimum factor of the contrast of the shade, in logarithms."""
LIGHT_SHOULDER, MAX_LIGHT = 1.3, 1.8
"""Light on walls, as multiples of the median, from which on it is compressed, and up to which."""


def soften_shade(old: Shading, material: Material, share: Plane) -> Plane:
    """Adapt the old shade to the new material: light materials brighten their own shadows, dark ones do not.

    Parameters
    ----------
    old : Shading
        The light on the old surface and its albedo.
    material : Material
        The new surface's material.
    share : (h, w) ndarray of float32
        The share of the surface in each pixel of the small picture, 0-1.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Linear light per albedo, as `old.shade`.
    """
    albedo = float(rgb_to_gray(material.levels[-1]).mean())
    contrast = float(np.clip((old.albedo / max(albedo, 0.02)) ** SOFTENING_EXPONENT, MIN_CONTRAST, 1.0))
    gray = rgb_to_gray(old.shade)
    median_shade = np.float32(np.median(gray[share > 0.5 * share.max()]))
    return plane(old.shade * gray_to_rgb(plane((np.maximum(gray, 1e-4) / median_shade) ** (contrast - 1))))


def limit_light(shade: Plane, share: Plane) -> Plane:
    """Limit the light on walls: what is much lighter than the rest has a paint of its own, not more light.

    Parameters
    ----------
    shade : (h, w, 3) ndarray of float32
        Linear light per albedo.
    share : (h, w) ndarray of float32
        The share of the walls in each pixel of the small picture, 0-1.

    Returns
    -------
    (h, w, 3) ndarray of float32
        As `shade` up to LIGHT_SHOULDER times the median; at most MAX_LIGHT times.
    """
    gray = rgb_to_gray(shade)
    times = plane(gray / np.median(gray[share > 0.5 * share.max()]))
    room = MAX_LIGHT - LIGHT_SHOULDER
    over = np.maximum(times - LIGHT_SHOULDER, 0)
    limited = np.minimum(times, LIGHT_SHOULDER) + room * (1 - np.exp(-over / room))
    return plane(shade * gray_to_rgb(plane(limited / np.maximum(times, 1e-4))))


def measure_kept_shading(before: Plane, after: Plane, share: Plane) -> float:
    """Measure the correlation of the logarithm of coarse luminance inside the surface before and after a change.

    Parameters
    ----------
    before, after : (h, w, 3) ndarray of float32
        The small pictures, in linear light.
    share : (h, w) ndarray of float32
        The share of the surface in each pixel, 0-1.

    Returns
    -------
    float
        -1 to 1; 1 if the surface was lit evenly before, or if fewer than 30 pixels are away from its edges.
    """
    inside = plane(erode(np.asarray(share > 0.9), 3))
    if inside.sum() < 30:
        return 1.0
    weight = np.maximum(gaussian_blur(inside, COARSE_SIGMA), 1e-3)
    coarse = [
        gaussian_blur(plane(_log_luminance(each) * inside), COARSE_SIGMA) / weight for each in (before, after)
    ]
    coarse_before, coarse_after = (each[inside > 0] for each in coarse)
    if float(coarse_before.std()) < MAX_EVEN_DEVIATION:
        return 1.0
    return float(np.corrcoef(coarse_before, coarse_after)[0, 1])


def _log_luminance(light: Plane) -> Plane:
    return plane(np.log(np.maximum(rgb_to_gray(light), 0.004)))
