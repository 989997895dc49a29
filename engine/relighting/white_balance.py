"""Finds the white things in a room, how lamps and window color them, and the gains that make them neutral."""

from dataclasses import dataclass

import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import max_channel, min_channel, rgb_to_gray
from engine.filters.smoothing import gaussian_blur, normalized_convolution
from engine.types.appearance import Color

CERTAIN_SHARE = 0.05
"""Least share of the picture that must be white for its cast to be certain."""
MOST_GAIN = 1.32
"""The most by which a color of the whole picture is raised or lowered: a larger cast is paint, not light."""
MOST_WARMTH = 0.2
"""Most remaining warmth that is removed at a place, as the share by which blue is too weak: more is paint."""
MOST_COLDNESS = 0.12
"""Most remaining coldness that is removed at a place, as the share by which blue is too strong."""
CHROMA_SPREAD = 0.08
"""Sigma of the weight of white things, by chroma above the least chroma of light things."""
MOST_CHROMA = 0.46
"""Chroma (0-1) from which on nothing counts as white."""


@dataclass(frozen=True, slots=True)
class Whites:
    """The white things of a room.

    `weight` (small, 0-1): where they are; `cast`: their mean color, gamma-coded sRGB scaled to a mean of 1;
    `certainty` (0-1): whether they cover enough of the picture; `level`: their mean luma, 0-1.
    """

    weight: Plane
    cast: Color
    certainty: float
    level: float


def find_whites(small: Plane, panes: Plane) -> Whites:
    """Find walls, ceilings and cupboards that seem white: light, and the least colorful of all light things.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    panes : (h, w) ndarray of float32
        The share of window in each pixel, 0-1. Windows count less: the view has its own light.

    Returns
    -------
    Whites
        Where they are, their color and level.
    """
    value = max_channel(small)
    chroma = plane((value - min_channel(small)) / np.maximum(value, 1e-3))
    gray = rgb_to_gray(small)
    middle, lightest = (float(each) for each in np.quantile(gray, (0.6, 0.85)))
    light = smoothstep(gray, *_find_light_range(middle)) * smoothstep(value, 0.999, 0.96)
    # Things far lighter than the room's own light things are windows, however the photo is exposed.
    light *= smoothstep(gray, 1.75 * lightest + 0.01, 1.45 * lightest)
    light = plane(light * (1 - panes) + 1e-6)
    least = _quantile(chroma, light, 0.35)
    away = np.maximum(chroma - least, 0) / CHROMA_SPREAD
    weight = plane(light * np.exp(-0.5 * away * away) * smoothstep(chroma, MOST_CHROMA, MOST_CHROMA / 2) + 1e-6)
    mean = weight.ravel() @ small.reshape(-1, 3) / weight.sum()
    red, green, blue = (float(each) for each in mean / max(float(mean.mean()), 1e-3))
    certainty = float(np.clip(weight.mean() / CERTAIN_SHARE, 0, 1))
    level = float((gray * weight).sum() / weight.sum())
    return Whites(weight, (red, green, blue), certainty, level)


def choose_cast(whites: Whites, shared: Color | None) -> Plane:
    """Choose the cast to remove: the photo's own as far as it is certain, else the cast that its order shares.

    Parameters
    ----------
    whites : Whites
        The white things of the photo.
    shared : tuple of float, or None
        The order's cast: gamma-coded sRGB scaled to a mean of 1; None counts as neutral.

    Returns
    -------
    (3,) ndarray of float32
        Gamma-coded sRGB scaled to a luma of 1.
    """
    own = np.array(whites.cast, np.float32)
    other = np.array(shared if shared is not None else (1, 1, 1), np.float32)
    cast = other + (own - other) * whites.certainty
    return plane(cast / max(float(rgb_to_gray(plane(cast[None, None]))[0, 0]), 1e-3))


def compute_white_gains(cast: Plane, strength: float) -> Plane:
    """Compute the gains that remove a cast and keep the luma of white.

    Parameters
    ----------
    cast : (3,) ndarray of float32
        Gamma-coded sRGB scaled to a luma of 1.
    strength : float
        How much of the cast is removed, 0-1.

    Returns
    -------
    (3,) ndarray of float32
        Factors of gamma-coded red, green and blue.
    """
    gains = np.clip(1 / np.maximum(cast, 0.2), 1 / MOST_GAIN, MOST_GAIN) ** strength
    white = rgb_to_gray(plane(cast * gains)[None, None])[0, 0]
    return plane(gains / max(float(white), 1e-3))


def measure_remaining_warmth(small: Plane, gains: Plane, whites: Whites, strength: float) -> Plane:
    """Measure how far white things are still too warm or too cold after the gains were applied.

    Only along the axis from candlelight to skylight: any other color there is paint.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded, in the photo's own color space, 0-1.
    gains : (3,) ndarray of float32
        The gains of the whole picture, in the same color space.
    whites : Whites
        The white things in it.
    strength : float
        How much of the remaining cast is removed, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        The share by which blue is too weak: above 0 in lamplight, below 0 in window light; 0 far from white things.
    """
    reach = max(small.shape[:2]) / 9
    near = gaussian_blur(whites.weight, reach)
    cast = normalized_convolution(small, plane(whites.weight + 1e-5), reach) * gains
    # The ratio of red to blue shows twice as much warmth as blue against the mean of both.
    warmth = np.sqrt(np.maximum(cast[..., 0], 0.02) / np.maximum(cast[..., 2], 0.02)) - 1
    limited = np.clip(warmth * 1.3 * strength, -MOST_COLDNESS, MOST_WARMTH)
    return plane(limited * near / (near + 0.02))


def _find_light_range(value: float) -> tuple[float, float]:
    """The lumas at which a thing begins to count as light, and counts fully, by the 0.6 quantile of the picture."""
    return max(0.12, value - 0.15), max(0.3, value + 0.05)


def _quantile(values: Plane, weights: Plane, share: float) -> float:
    """The weighted quantile: this share of the weight lies below it."""
    counts, edges = np.histogram(values, bins=128, range=(0, 1), weights=weights)
    place = int(np.searchsorted(np.cumsum(counts), share * counts.sum()))
    return float(edges[min(place, len(edges) - 2)])
