"""Finds white things in a room, measures their cast, and computes gains that make them neutral."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import max_channel, min_channel, rgb_to_gray
from engine.filters.smoothing import gaussian_blur, normalized_convolution
from engine.types.appearance import Color

CERTAIN_SHARE = 0.05
"""Minimum share of white in the picture at which the cast is certain."""
MAX_GAIN = 1.32
"""Maximum factor by which a channel of the whole picture is raised or lowered: a larger cast is paint."""
MAX_WARMTH = 0.26
"""Maximum remaining warmth that is removed locally, as the share by which blue is too weak: more is paint."""
MAX_COLDNESS = 0.12
"""Maximum remaining coldness that is removed locally, as the share by which blue is too strong."""
MAX_TINT = 0.06
"""Maximum remaining green or pink that is removed locally, as a share of green: more is paint."""
PAINT_TINT = (0.08, 0.03)
"""Green or pink, as a share of green: from the first on it is paint, up to the second a lamp may cause it."""
MAX_KNOWN_CHROMA = (0.6, 0.42)
"""Chroma (0-1): from the first on, a ceiling or bath is wood or paint, up to the second it is white."""
MIN_KNOWN_LUMA = (0.08, 0.3)
"""Luma (0-1) up to which a ceiling or bath is too dark to show a cast, and from which on it fully counts."""
FIXTURE_TRUST = 0.5
"""Maximum weight of the cast of baths and basins, compared with that of things that seem white: some are cream."""
FIXTURE_SHARE = (0.008, 0.03)
"""Share of baths and basins in the picture: up to the first they do not count, from the second on fully."""
FIXTURE_LIGHT = (0.96, 0.86)
"""Strongest channel (0-1) of baths and basins: from the first on they are nearly blown out, which hides their cast;
up to the second they fully count.
"""
MAX_FIXTURE_CHROMA = (0.6, 0.4)
"""Chroma (0-1) of baths and basins: from the first on they do not count, because they have too little blue to
become white (yellow would become lime); up to the second they fully count.
"""
CHROMA_SPREAD = 0.08
"""Sigma, in chroma (0-1), of the weight of light things by their distance from the least colorful ones."""
MAX_CHROMA = 0.46
"""Chroma (0-1) from which on nothing counts as white."""


@dataclass(frozen=True, slots=True)
class Whites:
    """The white things of a room.

    `weight` (small map, 0-1): their share in each pixel. `cast`: their mean color, gamma-coded sRGB scaled to a
    mean of 1. `certainty` (0-1): 1 if they cover enough of the picture. `level`: their mean luma, 0-1.
    """

    weight: Plane
    cast: Color
    certainty: float
    level: float


def find_whites(small: Plane, panes: Plane) -> Whites:
    """Find walls, ceilings and cupboards that seem white: light things that are among the least colorful ones.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    panes : (h, w) ndarray of float32
        The share of window in each pixel, 0-1. Windows count less, because the view has another light.

    Returns
    -------
    Whites
        Their places, color and level.
    """
    value = max_channel(small)
    chroma = plane((value - min_channel(small)) / np.maximum(value, 1e-3))
    gray = rgb_to_gray(small)
    middle, lightest = (float(each) for each in np.quantile(gray, (0.6, 0.85)))
    light = smoothstep(gray, *_find_light_range(middle)) * smoothstep(value, 0.999, 0.96)
    # Things much lighter than the light things of the room are windows, at any exposure.
    light *= smoothstep(gray, 1.75 * lightest + 0.01, 1.45 * lightest)
    light = plane(light * (1 - panes) + 1e-6)
    min_chroma = _compute_quantile(chroma, light, 0.35)
    excess = np.maximum(chroma - min_chroma, 0) / CHROMA_SPREAD
    weight = plane(light * np.exp(-0.5 * excess * excess) * smoothstep(chroma, MAX_CHROMA, MAX_CHROMA / 2) + 1e-6)
    # A matrix product is not used, because its rounding depends on the library's number of threads.
    mean = (weight[..., None] * small).sum((0, 1), dtype=np.float64) / weight.sum()
    red, green, blue = (float(each) for each in mean / max(float(mean.mean()), 1e-3))
    certainty = float(np.clip(weight.mean() / CERTAIN_SHARE, 0, 1))
    level = float((gray * weight).sum() / weight.sum())
    return Whites(weight, (red, green, blue), certainty, level)


def compare_with_fixtures(whites: Whites, small: Plane, fixtures: Plane) -> Whites:
    """Bring the cast nearer to that of baths and basins, so that these become white, neither yellow nor blue.

    Things that seem white may be a cream wall in daylight, or a gray wall in lamplight.

    Parameters
    ----------
    whites : Whites
        The things that seem white.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    fixtures : (h, w) ndarray of float32
        The share of baths and basins in each pixel, 0-1.

    Returns
    -------
    Whites
        With another `cast`, as far as the fixtures cover enough of the picture.
    """
    value = max_channel(small)
    chroma = plane((value - min_channel(small)) / np.maximum(value, 1e-3))
    usable = smoothstep(rgb_to_gray(small), *MIN_KNOWN_LUMA) * smoothstep(value, *FIXTURE_LIGHT)
    weight = plane(usable * smoothstep(fixtures, 0.4, 0.7))
    # Shaded parts, and parts that reflect wood or paint, are more colorful than the thing itself.
    own = _compute_quantile(chroma, weight, 0.25)
    trust = FIXTURE_TRUST * float(
        smoothstep(plane(weight.mean()), *FIXTURE_SHARE) * smoothstep(plane(own), *MAX_FIXTURE_CHROMA)
    )
    if not trust:
        return whites
    distance = (chroma - own) / CHROMA_SPREAD
    weight = plane(weight * np.exp(-0.5 * distance * distance))
    mean = (weight[..., None] * small).sum((0, 1), dtype=np.float64) / weight.sum(dtype=np.float64)
    cast = np.asarray(whites.cast) ** (1 - trust) * (mean / mean.mean()) ** trust
    red, green, blue = (float(each) for each in cast / cast.mean())
    return replace(whites, cast=(red, green, blue), certainty=max(whites.certainty, trust))


def choose_cast(whites: Whites, shared: Color | None) -> Plane:
    """Choose the cast to remove: the photo's own cast, mixed with its order's cast as far as it is uncertain.

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
    own_cast = np.array(whites.cast, np.float32)
    shared_cast = np.array(shared if shared is not None else (1, 1, 1), np.float32)
    cast = shared_cast + (own_cast - shared_cast) * whites.certainty
    return plane(cast / max(float(rgb_to_gray(plane(cast[None, None]))[0, 0]), 1e-3))


def compute_white_gains(cast: Plane, strength: float) -> Plane:
    """Compute the gains that remove a cast and keep the luma of white.

    Parameters
    ----------
    cast : (3,) ndarray of float32
        Gamma-coded sRGB scaled to a luma of 1.
    strength : float
        Share of the cast that is removed, 0-1.

    Returns
    -------
    (3,) ndarray of float32
        Factors of gamma-coded red, green and blue.
    """
    gains = np.clip(1 / np.maximum(cast, 0.2), 1 / MAX_GAIN, MAX_GAIN) ** strength
    white = rgb_to_gray(plane(cast * gains)[None, None])[0, 0]
    return plane(gains / max(float(white), 1e-3))


def add_known_whites(whites: Whites, small: Plane, known: Plane) -> Whites:
    """Add things that are white in nearly every room, such as ceilings and baths, in any light.

    Parameters
    ----------
    whites : Whites
        The things that seem white.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    known : (h, w) ndarray of float32
        The share of such things in each pixel, 0-1.

    Returns
    -------
    Whites
        With a higher `weight` at such things; the rest is unchanged.
    """
    value = max_channel(small)
    chroma = plane((value - min_channel(small)) / np.maximum(value, 1e-3))
    likely = known * smoothstep(chroma, *MAX_KNOWN_CHROMA) * smoothstep(value, 0.999, 0.96)
    likely *= smoothstep(rgb_to_gray(small), *MIN_KNOWN_LUMA)
    return replace(whites, weight=plane(np.maximum(whites.weight, likely)))


def measure_remaining_cast(small: Plane, gains: Plane, whites: Whites, strength: float) -> tuple[Plane, Plane]:
    """Measure the cast that white things still have, place by place, after the gains were applied.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded, in the photo's own color space, 0-1.
    gains : (3,) ndarray of float32
        The gains of the whole picture, in the same color space.
    whites : Whites
        The white things in it.
    strength : float
        Share of the remaining cast that is removed, 0-1.

    Returns
    -------
    warmth, tint : (h, w) ndarray of float32
        The share by which blue is too weak: positive in lamplight, negative in window light; and the share by which
        green is too strong. Both are 0 far from white.
    """
    reach = max(small.shape[:2]) / 9
    weight = plane(whites.weight * smoothstep(np.abs(_measure_tint(plane(small * gains))), *PAINT_TINT))
    white_share = gaussian_blur(weight, reach)
    cast = plane(normalized_convolution(small, plane(weight + 1e-5), reach) * gains)
    certainty = strength * white_share / (white_share + 0.02)
    # The ratio of red to blue shows twice as much warmth as blue against the mean of both.
    warmth = np.sqrt(np.maximum(cast[..., 0], 0.02) / np.maximum(cast[..., 2], 0.02)) - 1
    warmth = np.clip(warmth * 1.3, -MAX_COLDNESS, MAX_WARMTH)
    tint = np.clip(_measure_tint(cast), -MAX_TINT, MAX_TINT)
    return plane(warmth * certainty), plane(tint * certainty)


def _measure_tint(colors: Plane) -> Plane:
    """The share by which green is stronger than red and blue; negative in pink."""
    red, green, blue = cv2.split(colors)
    return plane(1 - np.sqrt(np.maximum(red * blue, 0)) / np.maximum(green, 0.02))


def _find_light_range(value: float) -> tuple[float, float]:
    """The lumas from which a thing counts partly and fully as light; `value` is the picture's 0.6 quantile."""
    return max(0.12, value - 0.15), max(0.3, value + 0.05)


def _compute_quantile(values: Plane, weights: Plane, share: float) -> float:
    """Compute the weighted quantile: the value below which this share of the weight lies."""
    counts, edges = np.histogram(values, bins=128, range=(0, 1), weights=weights)
    index = int(np.searchsorted(np.cumsum(counts), share * counts.sum()))
    return float(edges[min(index, len(edges) - 2)])
