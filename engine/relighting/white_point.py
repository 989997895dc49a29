"""Estimates the color of white in a photo: the chromaticity that most light, smooth, nearly neutral surfaces share.

White and gray things under one light have the same chromaticity, whatever their brightness; a colored wall has
another. A mixture of lamplight and daylight spreads white from amber to blue, but hardly from green to pink: the
tolerance is larger from amber to blue ("warm") than from green to pink ("tint").
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import max_channel, min_channel, rgb_to_gray
from engine.filters.smoothing import box_filter, local_std
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene
from engine.types.appearance import Color

BIN = 0.01
"""Width of a bin of the histogram, in log chromaticity."""
BINS_WARM, BINS_TINT = 81, 41
"""Bins from amber to blue (columns) and from green to pink (rows); neutral is in the middle."""
NEAR_WARM, NEAR_TINT = 0.05, 0.022
"""Sigma, in log chromaticity, within which colors count as the same white, from amber to blue and green to pink."""
PLAUSIBLE_TINT = 0.035
"""Most tint, in log chromaticity, for a cast to count fully as that of light, which is rarely green or pink."""
IMPLAUSIBLE_TINT = 0.09
"""Least tint for a cast to be implausible for light."""
CERTAIN_SHARE = 0.05
"""Least share of the picture that must be white for its cast to be certain."""
CERTAIN_AGREEMENT = 0.8
"""Least share of the pixels that may be white that must agree on the cast for it to be certain."""
NO_AGREEMENT = 0.3
"""The share of agreeing pixels up to which the certainty is 0."""
LEAST_SHARE = 1e-3
"""Least share of the picture that may be white for a cast to be estimated."""
NIGHT = (0.03, 0.25)
"""Ground brightness up to which the certainty is 0, and from which it is not reduced.

A very dark photo has the colors of its lamps, or none.
"""
NOT_WHITE = (Kind.LAWN, Kind.TREES, Kind.WATER, Kind.GLASS, Kind.WINDOW, Kind.FLOOR)
"""Kinds of things in which no white is looked for."""


@dataclass(frozen=True, slots=True)
class White:
    """`cast`: as in a LightEstimate. `certainty`: 0-1. `weight`: small map, 0-1, of the pixels taken for white."""

    cast: Color
    certainty: float
    weight: Plane


def estimate_white_point(scene: Scene) -> White:
    """Estimate the color of white in the photo: the mode of a weighted histogram of chromaticity, by voting [1]_.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    White
        Neutral with a certainty of 0 if nothing in the photo can be white.

    References
    ----------
    .. [1] Sapiro, illuminant estimation by voting, 1999.
    """
    candidates = _candidates(scene)
    if candidates.mean() < LEAST_SHARE:
        return White((1.0, 1.0, 1.0), 0.0, plane(np.zeros_like(candidates)))
    # Smoothed, because a JPEG stores colors in blocks.
    warm, tint = _chromaticity(box_filter(scene.small, 2))
    at_warm, at_tint = _center(warm, tint, candidates)
    distance = ((warm - at_warm) / NEAR_WARM) ** 2 + ((tint - at_tint) / NEAR_TINT) ** 2
    weight = plane(candidates * np.exp(-0.5 * distance))
    agreement = float(weight.sum() / candidates.sum())
    share = min(1.0, float(weight.mean()) / CERTAIN_SHARE)
    agreed = _step(agreement, NO_AGREEMENT, CERTAIN_AGREEMENT)
    plausible = _step(abs(at_tint), IMPLAUSIBLE_TINT, PLAUSIBLE_TINT)
    lit = _step(scene.ground_brightness, *NIGHT)
    return White(_convert_to_color(at_warm, at_tint), share * agreed * plausible * lit, weight)


def _candidates(scene: Scene) -> Plane:
    """How likely each pixel is white, 0-1: light for this picture, not clipped, nearly neutral, smooth, allowed."""
    value = max_channel(scene.small)
    unclipped = value[value < 0.97]
    top = max(float(np.quantile(unclipped, 0.98)), 0.1) if unclipped.size else 1.0
    chroma = plane(1 - min_channel(scene.small) / np.maximum(value, 1e-3))
    light = (
        smoothstep(value, 0.35 * top, 0.85 * top) * smoothstep(value, 0.06, 0.15) * smoothstep(value, 0.995, 0.96)
    )
    smooth = smoothstep(local_std(rgb_to_gray(scene.small), 2), 0.10, 0.02)
    return plane(light * smoothstep(chroma, 0.42, 0.10) * (0.15 + 0.85 * smooth) * _find_allowed(scene))


def _find_allowed(scene: Scene) -> Plane:
    """Where white may be looked for, 0-1. Sky counts only outdoors: indoors it is a ceiling that looks like sky."""
    colored = sum((scene.share(kind) for kind in NOT_WHITE), np.zeros_like(scene.sky))
    if scene.outdoors:
        colored = colored + scene.sky
    return plane(np.clip(1 - colored, 0, 1) ** 2)


def _chromaticity(small: Plane) -> tuple[Plane, Plane]:
    """How amber (negative: blue) and how pink (negative: green) each pixel is; height x width each."""
    red, green, blue = cv2.split(plane(np.log(np.maximum(small, 1 / 255))))
    return plane((red - blue) / 2), plane((red + blue) / 2 - green)


def _center(warm: Plane, tint: Plane, weights: Plane) -> tuple[float, float]:
    """The chromaticity with most weight: the mean around the densest place of the histogram."""
    counts = _histogram(warm, tint, weights)
    dense = cv2.GaussianBlur(
        counts, (0, 0), sigmaX=NEAR_WARM / BIN, sigmaY=NEAR_TINT / BIN, borderType=cv2.BORDER_CONSTANT
    )
    row, column = divmod(int(np.argmax(dense)), BINS_WARM)
    rows, columns = np.mgrid[:BINS_TINT, :BINS_WARM]
    near = counts * np.exp(
        -0.5 * (((rows - row) * BIN / NEAR_TINT) ** 2 + ((columns - column) * BIN / NEAR_WARM) ** 2)
    )
    total = max(float(near.sum()), 1e-9)
    return (
        (float((near * columns).sum()) / total - BINS_WARM // 2) * BIN,
        (float((near * rows).sum()) / total - BINS_TINT // 2) * BIN,
    )


def _histogram(warm: Plane, tint: Plane, weights: Plane) -> NDArray[np.float64]:
    columns = np.clip(np.rint(warm / BIN).astype(np.int64) + BINS_WARM // 2, 0, BINS_WARM - 1)
    rows = np.clip(np.rint(tint / BIN).astype(np.int64) + BINS_TINT // 2, 0, BINS_TINT - 1)
    cells = (rows * BINS_WARM + columns).ravel()
    counts = np.bincount(cells, weights.ravel().astype(np.float64), minlength=BINS_TINT * BINS_WARM)
    return np.asarray(counts, dtype=np.float64).reshape(BINS_TINT, BINS_WARM)


def _step(value: float, low: float, high: float) -> float:
    return float(smoothstep(plane(value), low, high))


def _convert_to_color(warm: float, tint: float) -> Color:
    parts = np.exp([tint + warm, 0.0, tint - warm])
    red, green, blue = (float(part) for part in parts / parts.mean())
    return (red, green, blue)
