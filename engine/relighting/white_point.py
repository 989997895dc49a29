"""Estimates the color of white in a photo: the chromaticity that most light, smooth, nearly neutral surfaces share.

White and gray things under one light have the same chromaticity at any brightness; a colored wall has another one.
A mixture of lamplight and daylight spreads white from amber to blue ("warm"), but hardly from green to pink
("tint"), so the tolerance is larger for warm than for tint.
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

BIN_WIDTH = 0.01
"""Width of a bin of the histogram, in log chromaticity."""
BINS_WARM, BINS_TINT = 81, 41
"""Number of bins from amber to blue (columns) and from green to pink (rows); neutral is in the middle."""
WARM_SIGMA, TINT_SIGMA = 0.05, 0.022
"""Sigmas, in log chromaticity, for colors that count as the same white: from amber to blue, from green to pink."""
MAX_PLAUSIBLE_TINT = 0.035
"""Maximum tint, in log chromaticity, of a cast that is fully plausible for light, which is rarely green or pink."""
MIN_IMPLAUSIBLE_TINT = 0.09
"""Minimum tint, in log chromaticity, of a cast that is implausible for light."""
CERTAIN_SHARE = 0.05
"""Minimum share of white in the picture at which the cast is certain."""
CERTAIN_AGREEMENT = 0.8
"""Minimum share of candidate pixels with the same cast at which the cast is certain."""
MAX_NO_AGREEMENT = 0.3
"""Share of candidate pixels with the same cast up to which the certainty is 0."""
MIN_SHARE = 1e-3
"""Minimum share of candidate pixels in the picture if a cast is estimated."""
NIGHT = (0.03, 0.25)
"""Ground brightness (0-1): up to the first the certainty is 0, from the second on it is not reduced.

A very dark photo has only the colors of its lamps, or no colors.
"""
NOT_WHITE = (Kind.LAWN, Kind.TREES, Kind.WATER, Kind.GLASS, Kind.WINDOW, Kind.FLOOR)
"""Kinds of pixels that are not candidates for white."""


@dataclass(frozen=True, slots=True)
class White:
    """`cast` is as in a LightEstimate, `certainty` 0-1, `weight` a small map (0-1) of white pixels."""

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
    candidates = _find_candidates(scene)
    if candidates.mean() < MIN_SHARE:
        return White((1.0, 1.0, 1.0), 0.0, plane(np.zeros_like(candidates)))
    # The picture is smoothed, because a JPEG stores colors in blocks.
    warm, tint = _compute_chromaticity(box_filter(scene.small, 2))
    center_warm, center_tint = _find_center(warm, tint, candidates)
    distance = ((warm - center_warm) / WARM_SIGMA) ** 2 + ((tint - center_tint) / TINT_SIGMA) ** 2
    weight = plane(candidates * np.exp(-0.5 * distance))
    agreement = float(weight.sum() / candidates.sum())
    share = min(1.0, float(weight.mean()) / CERTAIN_SHARE)
    agreement_certainty = _step(agreement, MAX_NO_AGREEMENT, CERTAIN_AGREEMENT)
    plausibility = _step(abs(center_tint), MIN_IMPLAUSIBLE_TINT, MAX_PLAUSIBLE_TINT)
    light_certainty = _step(scene.ground_brightness, *NIGHT)
    return White(
        _convert_to_color(center_warm, center_tint),
        share * agreement_certainty * plausibility * light_certainty,
        weight,
    )


def _find_candidates(scene: Scene) -> Plane:
    """Weigh candidates for white, 0-1: light for this picture, not clipped, nearly neutral, smooth, allowed."""
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
    """The share of kinds, 0-1, that may be white. Sky is excluded only outdoors; indoors it is a ceiling."""
    colored = sum((scene.share(kind) for kind in NOT_WHITE), np.zeros_like(scene.sky))
    if scene.outdoors:
        colored = colored + scene.sky
    return plane(np.clip(1 - colored, 0, 1) ** 2)


def _compute_chromaticity(small: Plane) -> tuple[Plane, Plane]:
    """Compute warm (amber positive, blue negative) and tint (pink positive, green negative) of each pixel."""
    red, green, blue = cv2.split(plane(np.log(np.maximum(small, 1 / 255))))
    return plane((red - blue) / 2), plane((red + blue) / 2 - green)


def _find_center(warm: Plane, tint: Plane, weights: Plane) -> tuple[float, float]:
    """Find the chromaticity with most weight: the mean around the densest bin of the histogram."""
    counts = _compute_histogram(warm, tint, weights)
    dense = cv2.GaussianBlur(
        counts, (0, 0), sigmaX=WARM_SIGMA / BIN_WIDTH, sigmaY=TINT_SIGMA / BIN_WIDTH, borderType=cv2.BORDER_CONSTANT
    )
    row, column = divmod(int(np.argmax(dense)), BINS_WARM)
    rows, columns = np.mgrid[:BINS_TINT, :BINS_WARM]
    nearby = counts * np.exp(
        -0.5 * (((rows - row) * BIN_WIDTH / TINT_SIGMA) ** 2 + ((columns - column) * BIN_WIDTH / WARM_SIGMA) ** 2)
    )
    total = max(float(nearby.sum()), 1e-9)
    return (
        (float((nearby * columns).sum()) / total - BINS_WARM // 2) * BIN_WIDTH,
        (float((nearby * rows).sum()) / total - BINS_TINT // 2) * BIN_WIDTH,
    )


def _compute_histogram(warm: Plane, tint: Plane, weights: Plane) -> NDArray[np.float64]:
    columns = np.clip(np.rint(warm / BIN_WIDTH).astype(np.int64) + BINS_WARM // 2, 0, BINS_WARM - 1)
    rows = np.clip(np.rint(tint / BIN_WIDTH).astype(np.int64) + BINS_TINT // 2, 0, BINS_TINT - 1)
    cells = (rows * BINS_WARM + columns).ravel()
    counts = np.bincount(cells, weights.ravel().astype(np.float64), minlength=BINS_TINT * BINS_WARM)
    return np.asarray(counts, dtype=np.float64).reshape(BINS_TINT, BINS_WARM)


def _step(value: float, low: float, high: float) -> float:
    return float(smoothstep(plane(value), low, high))


def _convert_to_color(warm: float, tint: float) -> Color:
    parts = np.exp([tint + warm, 0.0, tint - warm])
    red, green, blue = (float(part) for part in parts / parts.mean())
    return (red, green, blue)
