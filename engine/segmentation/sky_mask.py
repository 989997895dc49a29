"""Finds the sky: the net finds it roughly, and the colors around each pixel make its edges exact.

Each pixel is classified by the net's probability and by its misfit to the colors of the sky and of the things
nearby, as in Bayesian matting (Chuang et al. 2001), with one Gaussian for sky and one for things. If there is
little sky nearby, pixels are compared with sky farther away that the net found; else a wrong guess would confirm
itself.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, min_channel, rgb_to_gray
from engine.filters.smoothing import gaussian_blur, normalized_convolution
from engine.segmentation.labels import Kind

MIN_SKY = 0.006
"""Minimum mean probability of sky in the picture; with less there is no sky."""
MIN_CORE = 0.6
"""Probability that at least one pixel of a region exceeds; other regions are not sky."""
BRICK_REDNESS = 1.1
"""Bricks are redder than things in full light by this factor, and darker than they are. A red sky, under a low sun,
is the brightest part of the picture, or things in full light are as red.
"""
LIT_SHARE = 0.1
"""Share of the things, the brightest ones, that count as in full light."""
MAX_WALL_RATIO = 0.8
"""A region is a wall if its luma is below this share of another region's, and it is warmer by MIN_WALL_WARMTH."""
MIN_WALL_WARMTH = 0.06
"""Minimum difference between the warmths of these two regions: red minus blue, divided by luma."""
MIN_REFERENCE = 0.05
"""Minimum weight of the other region, as a share of the weight of all."""
WIDE_REACHES = 0.2, 0.05
"""Sigmas, as shares of the long side, with which colors around a pixel are gathered in the first two passes."""
FINE_REACH = 0.02
"""Sigma, as a share of the long side, with which colors around a pixel are gathered in the last pass."""
EDGE_SIGMA = 0.005
"""Sigma, as a share of the long side, of the blur of the net's probability, whose edges are not exact."""
GAP_BLUENESS = 0.35, 0.1
"""Excess of blueness (blue minus red, divided by luma) over the sky nearby: from the first number on a dark pixel
is a gap between clouds, up to the second it may be a thing in front of the sky.
"""
NEAR_SIGMA = 0.015
"""Sigma, as a share of the long side, of the blur that finds pixels near things that the net found."""
MAX_EVIDENCE = 2.5
"""Maximum that colors add to or subtract from the net's log odds."""
MIN_SPREAD = 0.018
"""Minimum standard deviation of a Gaussian of colors (0-1)."""
BREADTH_WEIGHT = 0.35
"""Weight, 0-1, of the normalization term of the Gaussians. It is below 1 because things beside the sky have several
colors: their one broad Gaussian would get too low a probability at full weight.
"""
SCARCE_SKY = 0.1
"""Share of sky nearby at which its colors and those of the sky farther away have equal weight; with more sky
nearby, its colors have more weight.
"""
FAR_FACTOR = 6.0
"""Factor between the reaches for sky farther away and for sky nearby."""
WHOLE_WEIGHT = 0.01
"""Weight of the whole picture's sky among the colors from farther away."""
FAR_STEP = 4
"""Colors farther away are gathered from every fourth row and column, which is enough."""
TREE_EVIDENCE = 4.5
"""Added to MAX_EVIDENCE at trees: the sky between twigs and leaves is finer than the resolution of the net."""
CLOUD_BRIGHTNESS = 0.6, 0.76
"""Darkest channel (0-1) of a cloud behind a treetop: below the first number a pixel is not a cloud, from the second
on it is bright enough for one. Color cannot decide: tree and cloud both differ much from a blue sky.
"""
CLOUD_PROBABILITY = 0.55, 0.8
"""Probability of sky among all kinds except trees: up to the first number a pixel is not a cloud behind a treetop,
from the second on it certainly is one as far as the net can tell.
"""
CLOUD_COOLNESS = -0.05, 0.0
"""Blue minus red (0-1): up to the first number a pixel is too warm for a cloud, from the second on it is not."""

BLUE_EXCESS = np.array([[-0.5, -0.5, 1.0]], np.float32)
"""Channel weights of the excess of blue over red and green."""
MIN_LOST_BLUE = 0.14
"""Minimum excess of blue (0-1) of nearly all of a sky whose lost patches are found by it."""
LOST_QUANTILES = 0.1, 0.95
"""Quantiles of the sky's excess of blue that lost patches are compared with."""
LOST_RANGE = 0.6, 1.25
"""A lost patch has at least the first factor times the lower quantile, at most the second times the upper one."""
MIN_LOST_LIGHT = 0.9
"""Minimum luma of a lost patch, as a share of that of nearly all of the sky: a hill in haze is darker."""
MIN_LOST_LIGHT_BESIDE = 0.8
"""The same, as a share of that of the sky beside it: a blue hill may be as light as the zenith."""
LOST_DISTANCE = 0.03
"""Maximum distance, as a share of the long side, of a lost patch from the sky: one farther away is a pane."""
MAX_LOST_OTHERS = 0.75
"""Maximum probability of house, ground and water in a pixel of a lost patch: blue roofs and far hills have more."""
MIN_LOST_MEAN = 0.12
"""Minimum mean probability by the net of a lost patch: panes and blue roofs have less."""

MIN_LOST_CLOUD, MIN_LOST_CLOUD_MEAN = 0.3, 0.45
"""Minimum probability by the net of each pixel of a lost cloud, and their mean."""


@dataclass(frozen=True, slots=True)
class _View:
    """A picture (x 3, 0-1), the net's probability of sky, and the maximum log odds that colors subtract and add."""

    small: Plane
    probability: Plane
    max_against: Plane
    max_in_favor: Plane


@dataclass(frozen=True, slots=True)
class _Colors:
    """A Gaussian of colors around each pixel.

    `mean` is x 3, `sharpness` (x 3) is half the inverse variance, `breadth` the weighted logarithm of the standard
    deviations.
    """

    weight: Plane
    mean: Plane
    sharpness: Plane
    breadth: Plane


def segment_sky(small: Plane, shares: Plane, *, is_certain: bool = False) -> Plane:
    """Segment the sky of a photo taken outdoors.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    shares : (h, w, len(Kind)) ndarray of float32
        The net's shares of each kind, 0-1.
    is_certain : bool, optional
        Whether all regions of sky in `shares` are sky; else regions that look like walls are not.

    Returns
    -------
    (h, w) ndarray of float32
        Share of sky, 0-1; all 0 if the mean probability of sky is below MIN_SKY.
    """
    probability = shares[..., Kind.SKY]
    if not is_certain:
        probability = plane(probability * _keep_sky_regions(small, probability))
    if probability.mean() < MIN_SKY:
        return np.zeros(small.shape[:2], np.float32)
    side = max(small.shape[:2])
    without_trees, cloud = _find_clouds_behind_trees(small, probability, shares)
    probability = gaussian_blur(plane(probability + cloud * (without_trees - probability)), EDGE_SIGMA * side)
    max_in_favor = plane(MAX_EVIDENCE + TREE_EVIDENCE * gaussian_blur(shares[..., Kind.TREES], 3))
    max_against = plane(max_in_favor * _weigh_possible_things(small, probability, side) * (1 - cloud))
    view = _View(small, probability, max_against, max_in_favor)
    # Colors gathered from far away are smooth: half the size is enough.
    half = _View(*(_halve(each) for each in (small, probability, view.max_against, max_in_favor)))
    share = half.probability
    for reach in WIDE_REACHES:
        share = _judge_colors(half, share, reach * side / 2)
    share = plane(cv2.resize(share, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_LINEAR))
    share = smoothstep(_judge_colors(view, share, FINE_REACH * side), 0.12, 0.88)
    share = plane(np.maximum(share, _find_lost_clouds(small, share, shares)))
    return plane(np.maximum(share, _find_lost_blue(small, share, shares)))


def _find_lost_clouds(small: Plane, found: Plane, shares: Plane) -> Plane:
    """Regions beside the sky, 1 or 0, that are white as clouds and mostly sky by the net.

    The colors of a bright cloud in a blue sky may be nearer to those of a pale house.
    """
    coolness = cv2.extractChannel(small, 2) - cv2.extractChannel(small, 0)
    white = (min_channel(small) > CLOUD_BRIGHTNESS[1]) & (coolness > CLOUD_COOLNESS[0])
    by_net = plane(shares[..., Kind.SKY])
    white &= (by_net > MIN_LOST_CLOUD) & (shares[..., (Kind.BUILDING, Kind.GROUND)].sum(-1) < by_net)
    number, labels = cv2.connectedComponents((white & (found < 0.97)).astype(np.uint8), connectivity=4)
    means = np.bincount(labels.ravel(), by_net.ravel(), number) / np.maximum(np.bincount(labels.ravel()), 1)
    reached = np.bincount(labels[cv2.dilate(found, np.ones((3, 3), np.uint8)) > 0.97], minlength=number) > 0
    reached[0] = False
    return plane((reached & (means > MIN_LOST_CLOUD_MEAN))[labels])


def _find_lost_blue(small: Plane, found: Plane, shares: Plane) -> Plane:
    """Regions, 1 or 0, that are as blue as the sky found so far and that the net suspects, if it is a blue sky.

    The colors of a patch of sky between a house and a tree, with no open sky near, would count as those of things.
    """
    excess = plane(cv2.transform(small, BLUE_EXCESS))
    light, by_net = rgb_to_gray(small), plane(shares[..., Kind.SKY])
    certain = found > 0.97
    if (
        certain.mean() < MIN_SKY
        or (lowest := float(np.quantile(excess[certain], LOST_QUANTILES[0]))) < MIN_LOST_BLUE
    ):
        return np.zeros_like(found)
    highest = float(np.quantile(excess[certain], LOST_QUANTILES[1]))
    as_blue = (excess > LOST_RANGE[0] * lowest) & (excess < LOST_RANGE[1] * highest)
    as_blue &= light > MIN_LOST_LIGHT * float(np.quantile(light[certain], LOST_QUANTILES[0]))
    beside = rgb_to_gray(normalized_convolution(small, plane(certain), LOST_DISTANCE * max(found.shape)))
    as_blue &= light > MIN_LOST_LIGHT_BESIDE * beside
    as_blue &= shares[..., (Kind.BUILDING, Kind.GROUND, Kind.WATER)].sum(-1) < MAX_LOST_OTHERS
    number, labels = cv2.connectedComponents((as_blue & (found < 0.97)).astype(np.uint8), connectivity=4)
    means = np.bincount(labels.ravel(), by_net.ravel(), number) / np.maximum(np.bincount(labels.ravel()), 1)
    width = 2 * round(LOST_DISTANCE * max(found.shape)) + 1
    reached = np.bincount(labels[cv2.dilate(found, np.ones((width, width), np.uint8)) > 0.5], minlength=number) > 0
    reached[0] = False
    return plane((reached & (means > MIN_LOST_MEAN))[labels])


def _keep_sky_regions(small: Plane, probability: Plane) -> Mask:
    """The pixels of regions that have a pixel above MIN_CORE and do not look like walls."""
    _, labels = cv2.connectedComponents((probability > 0.02).astype(np.uint8), connectivity=8)
    kept = np.flatnonzero(np.bincount(labels[probability > MIN_CORE]))
    kept = kept[kept > 0]
    if kept.size:
        regions = _Regions.measure(small, probability, np.asarray(labels, dtype=np.int32), kept)
        kept = kept[~(regions.look_like_bricks(small, probability) | regions.look_like_walls())]
    return np.asarray(np.isin(labels, kept), dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class _Regions:
    """Connected regions that may be sky: the weight of each in pixels, and its color (n x 3)."""

    weight: Plane
    color: Plane

    @classmethod
    def measure(
        cls, small: Plane, probability: Plane, labels: NDArray[np.int32], kept: NDArray[np.intp]
    ) -> "_Regions":
        """Measure the regions with the `kept` labels in the pixels above MIN_CORE."""
        is_core, number = probability > MIN_CORE, int(labels.max()) + 1
        region_numbers, weight = labels[is_core], plane(probability[is_core] ** 2)
        whole_weight = np.maximum(np.bincount(region_numbers, weight, number), 1e-6)
        sums = [np.bincount(region_numbers, weight * plane(each)[is_core], number) for each in cv2.split(small)]
        return cls(plane(whole_weight[kept]), plane((np.stack(sums, -1) / whole_weight[:, None])[kept]))

    def look_like_bricks(self, small: Plane, probability: Plane) -> NDArray[np.bool_]:
        """Which regions are redder and darker than things in full light."""
        light, things = rgb_to_gray(small), probability < MIN_CORE
        if not things.any():
            return np.zeros(len(self.weight), np.bool_)
        bright = np.quantile(light[things], 1 - LIT_SHARE)
        lit = small[things & (light >= bright)].mean(0)
        cast = max(1.0, float(lit[0] / max(lit[1], lit[2], 0.01)))
        red, green, blue = self.color.T
        return np.asarray(
            (red > BRICK_REDNESS * cast * np.maximum(green, blue)) & (self._luma < bright), dtype=np.bool_
        )

    def look_like_walls(self) -> NDArray[np.bool_]:
        """Which regions are much darker and warmer than another: of two parts of a sky the darker one is bluer."""
        warmth = (self.color[:, 0] - self.color[:, 2]) / np.maximum(self._luma, 0.02)
        is_large = self.weight >= MIN_REFERENCE * self.weight.sum()
        is_darker = self._luma[:, None] < MAX_WALL_RATIO * self._luma[None]
        is_warmer = warmth[:, None] > warmth[None] + MIN_WALL_WARMTH
        return np.asarray((is_darker & is_warmer & is_large[None]).any(1), dtype=np.bool_)

    @property
    def _luma(self) -> Plane:
        return plane(rgb_to_gray(plane(self.color[None]))[0])


def _weigh_possible_things(small: Plane, probability: Plane, side: int) -> Plane:
    """0-1: 1 where things may stand in front of the sky: near things that the net found, and in darker places.

    Clouds in the open sky are neither. A blue gap between clouds is darker but also bluer than the sky around it; a
    twig in front of the sky cannot be bluer.
    """
    near = smoothstep(gaussian_blur(plane(1 - probability), NEAR_SIGMA * side), 0.03, 0.2)
    light, weight = rgb_to_gray(small), plane(probability**2)
    blue = plane(cv2.extractChannel(small, 2) - cv2.extractChannel(small, 0))
    around = WIDE_REACHES[-1] * side
    total = gaussian_blur(weight, around) + np.float32(1e-4)
    sky_light, sky_blue = (plane(gaussian_blur(plane(each * weight), around) / total) for each in (light, blue))
    bluer = blue / np.maximum(light, np.float32(0.05)) - sky_blue / np.maximum(sky_light, np.float32(0.05))
    darkness = smoothstep(plane(sky_light - light), 0.06, 0.16) * smoothstep(plane(bluer), *GAP_BLUENESS)
    return plane(np.maximum(near, darkness))


def _find_clouds_behind_trees(small: Plane, probability: Plane, shares: Plane) -> tuple[Plane, Plane]:
    """The probability that a pixel is sky if it is not a tree, and that it is a cloud behind one (0-1)."""
    others = plane(1 - shares[..., Kind.SKY] - shares[..., Kind.TREES])
    without_trees = plane(probability / np.maximum(probability + others, np.float32(1e-3)))
    is_cloud_by_net = smoothstep(without_trees, *CLOUD_PROBABILITY) * smoothstep(probability, 0.15, 0.35)
    coolness = smoothstep(plane(cv2.extractChannel(small, 2) - cv2.extractChannel(small, 0)), *CLOUD_COOLNESS)
    return without_trees, plane(is_cloud_by_net * coolness * smoothstep(min_channel(small), *CLOUD_BRIGHTNESS))


def _halve(values: Plane) -> Plane:
    height, width = values.shape[:2]
    size = (max(1, width // 2), max(1, height // 2))
    return plane(cv2.resize(values, size, interpolation=cv2.INTER_AREA))


def _judge_colors(view: _View, share: Plane, reach: float) -> Plane:
    """Refine the share of sky by a comparison with the colors within `reach` pixels."""
    sky, ground = plane(share**2), plane((1 - share) ** 2)
    evidence = _measure_misfit(view.small, _gather_colors(view.small, ground, reach)) - _measure_sky_misfit(
        view, sky, reach
    )
    # Without sky or without things nearby there are no colors for a comparison.
    known = np.minimum(gaussian_blur(sky, reach * FAR_FACTOR), gaussian_blur(ground, reach * 2))
    evidence = np.clip(evidence, -view.max_against, view.max_in_favor) * np.clip(known / 0.02, 0, 1)
    clipped = np.clip(view.probability, 0.002, 0.998)
    odds = np.log(clipped / (1 - clipped)) + evidence
    return plane(1 / (1 + np.exp(-odds)))


def _measure_sky_misfit(view: _View, sky: Plane, reach: float) -> Plane:
    """The misfit of each pixel to the sky within `reach`, or, if there is little of it, to the sky farther away."""
    near = _gather_colors(view.small, sky, reach)
    far = _gather_colors(view.small, plane(sky * view.probability), reach * FAR_FACTOR, FAR_STEP, WHOLE_WEIGHT)
    trust = near.weight**2 / (near.weight**2 + np.float32(SCARCE_SKY**2))
    distant = _measure_misfit(view.small, far)
    return plane(distant + trust * (_measure_misfit(view.small, near) - distant))


def _gather_colors(small: Plane, weight: Plane, reach: float, step: int = 1, whole_weight: float = 0.0) -> _Colors:
    """Gather the weighted colors around each pixel, of every `step`th row and column.

    `whole_weight` is the weight of the colors of the whole picture, which are added.
    """
    height, width = weight.shape
    every_step = np.s_[::step, ::step]
    colors, weight = np.ascontiguousarray(small[every_step]), np.ascontiguousarray(weight[every_step])
    first = plane(colors * gray_to_rgb(weight))
    second = plane(colors * first)
    sums = [gaussian_blur(each, reach / step) for each in (weight, first, second)]
    if whole_weight:
        share = np.float32(whole_weight / max(float(weight.mean()), 1e-6))
        sums = [
            far + share * plane(each.mean((0, 1))) for far, each in zip(sums, (weight, first, second), strict=True)
        ]
    near, first, second = sums
    total = gray_to_rgb(near + np.float32(1e-4))
    mean = first / total
    variance = np.maximum(second / total - mean * mean, 0) + np.float32(MIN_SPREAD**2)
    breadth = cv2.transform(np.log(variance), np.full((1, 3), BREADTH_WEIGHT / 2, np.float32))
    maps = near, mean, np.float32(0.5) / variance, breadth
    size = width, height
    return _Colors(*(plane(each if step == 1 else cv2.resize(plane(each), size)) for each in maps))


def _measure_misfit(small: Plane, colors: _Colors) -> Plane:
    """The misfit of each pixel to the colors around it: the negative logarithm of their Gaussian."""
    difference = small - colors.mean
    return plane(
        cv2.transform(difference * difference * colors.sharpness, np.ones((1, 3), np.float32)) + colors.breadth
    )
