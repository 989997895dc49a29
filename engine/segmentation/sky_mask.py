"""Where the sky is, to the pixel: the net says about where, the colors beside it say exactly.

Each pixel is judged by the net's answer and by how well it fits the colors of the sky and of the things near by,
as in Bayesian matting (Chuang et al. 2001), with one Gaussian for each. Where little sky is near, what may be sky
must look like the sky farther off that the net saw: a guess would else be the measure of itself.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, min_channel, rgb_to_gray
from engine.filters.smoothing import gaussian_blur
from engine.segmentation.labels import Kind

LEAST_SHARE = 0.006
# A region without one pixel the net is this sure of is no sky.
SURE = 0.6
# Bricks are redder than the things in full light, by so much, and darker than this share of what is no sky: red
# skies are of low suns, and then nothing below is brighter, or all that is lit is as red.
RED, IN_LIGHT = 1.1, 0.1
# A separate piece this much darker and warmer than another that is not tiny is a wall, not of the same sky.
DARKER, WARMER, LEAST_PIECE = 0.8, 0.06, 0.05
# How far colors of sky and things are gathered from, as shares of the long side: widely first, then closer.
WIDE_REACHES, REACH = (0.2, 0.05), 0.02
# The net's edges are right to about this share of the long side.
UNSURE = 0.005
# By how much more of its light is blue a place is the less a thing before the sky.
BLUER = (0.35, 0.1)
# Things other than sky are looked for this near to where the net sees some.
NEAR = 0.015
# What colors may add to or take from the net's log odds, and the least spread of a color (0-1).
MOST_DOUBT, LEAST_SPREAD = 2.5, 0.018
# Things beside the sky are of several colors; taken as one broad one they would fit too badly at full weight.
BREADTH = 0.35
# With this much sky near by, its colors count as much as those gathered so many times as far off, with more soon
# more; to the far ones a trace of the whole photo's sky is added.
SCARCE, FARTHER, WHOLE = 0.1, 6.0, 0.01
# Of the far ones, every so many pixels are enough.
SPARSE = 4
# Twigs and leaves let the sky through finer than the net can tell.
LEAFY_DOUBT = 4.5
# A cloud behind a crown is as unlike the blue sky as the crown is, but light (all of its colors are, 0-1) and no
# warmer than white, as no leaf is: where the net is torn between sky and trees, its share beside that of other
# things says how surely it is one.
LIGHT, TORN, COOL = (0.6, 0.76), (0.55, 0.8), (-0.05, 0.0)


@dataclass(frozen=True, slots=True)
class _View:
    """A picture (x 3, 0-1), the net's probability of sky, and how much colors may say against it and for it."""

    small: Plane
    likely: Plane
    against: Plane
    in_favor: Plane


@dataclass(frozen=True, slots=True)
class _Colors:
    """A Gaussian of colors for each pixel: what they weigh, mean and sharpness (x 3), logarithm of its breadth."""

    weight: Plane
    mean: Plane
    sharpness: Plane
    breadth: Plane


def segment_sky(small: Plane, shares: Plane) -> Plane:
    """Segment the sky of a photo taken outdoors.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    shares : (h, w, len(Kind)) ndarray of float32
        The net's shares of each kind, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        Share of sky, 0-1; all 0 where less than LEAST_SHARE of the picture is likely sky.
    """
    likely = plane(shares[..., Kind.SKY] * _keep_with_core(small, shares[..., Kind.SKY]))
    if likely.mean() < LEAST_SHARE:
        return np.zeros(small.shape[:2], np.float32)
    side = max(small.shape[:2])
    without_trees, cloud = _clouds_behind_trees(small, likely, shares)
    likely = gaussian_blur(plane(likely + cloud * (without_trees - likely)), UNSURE * side)
    in_favor = plane(MOST_DOUBT + LEAFY_DOUBT * gaussian_blur(shares[..., Kind.TREES], 3))
    against = plane(in_favor * _may_be_things(small, likely, side) * (1 - cloud))
    view = _View(small, likely, against, in_favor)
    # Colors from far away are smooth: half the size is enough to weigh them.
    half = _View(*(_halve(each) for each in (small, likely, view.against, in_favor)))
    share = half.likely
    for reach in WIDE_REACHES:
        share = _judge_colors(half, share, reach * side / 2)
    share = plane(cv2.resize(share, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_LINEAR))
    return smoothstep(_judge_colors(view, share, REACH * side), 0.12, 0.88)


def _keep_with_core(small: Plane, likely: Plane) -> Mask:
    """The regions that hold a pixel the net is sure of and do not look like walls."""
    _, labels = cv2.connectedComponents((likely > 0.02).astype(np.uint8), connectivity=8)
    kept = np.flatnonzero(np.bincount(labels[likely > SURE]))
    kept = kept[kept > 0]
    if kept.size:
        pieces = _Pieces.of(small, likely, np.asarray(labels, dtype=np.int32), kept)
        kept = kept[~(pieces.like_bricks(small, likely) | pieces.like_walls())]
    return np.asarray(np.isin(labels, kept), dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Separate regions that may be sky: how many pixels each weighs, and its color (n x 3)."""

    weight: Plane
    color: Plane

    @classmethod
    def of(cls, small: Plane, likely: Plane, labels: NDArray[np.int32], kept: NDArray[np.intp]) -> "_Pieces":
        """The `kept` labels, by what is surest in each."""
        sure, number = likely > SURE, int(labels.max()) + 1
        where, weight = labels[sure], plane(likely[sure] ** 2)
        whole = np.maximum(np.bincount(where, weight, number), 1e-6)
        sums = [np.bincount(where, weight * plane(each)[sure], number) for each in cv2.split(small)]
        return cls(plane(whole[kept]), plane((np.stack(sums, -1) / whole[:, None])[kept]))

    def like_bricks(self, small: Plane, likely: Plane) -> NDArray[np.bool_]:
        """Which are red and dim beside the lit things of the picture."""
        light, things = rgb_to_gray(small), likely < SURE
        if not things.any():
            return np.zeros(len(self.weight), np.bool_)
        bright = np.quantile(light[things], 1 - IN_LIGHT)
        lit = small[things & (light >= bright)].mean(0)
        cast = max(1.0, float(lit[0] / max(lit[1], lit[2], 0.01)))
        red, green, blue = self.color.T
        return np.asarray((red > RED * cast * np.maximum(green, blue)) & (self._luma < bright), dtype=np.bool_)

    def like_walls(self) -> NDArray[np.bool_]:
        """Which are both much darker and warmer than another: of two skies the darker one is the bluer."""
        warmth = (self.color[:, 0] - self.color[:, 2]) / np.maximum(self._luma, 0.02)
        large = self.weight >= LEAST_PIECE * self.weight.sum()
        darker = self._luma[:, None] < DARKER * self._luma[None]
        warmer = warmth[:, None] > warmth[None] + WARMER
        return np.asarray((darker & warmer & large[None]).any(1), dtype=np.bool_)

    @property
    def _luma(self) -> Plane:
        return plane(rgb_to_gray(plane(self.color[None]))[0])


def _may_be_things(small: Plane, likely: Plane, side: int) -> Plane:
    """0-1: near what the net does not take for sky, or darker than the sky: clouds in the open sky are neither.

    Nor is a blue hole between them: it is bluer than the sky around it, which no twig before it can be.
    """
    near = smoothstep(gaussian_blur(plane(1 - likely), NEAR * side), 0.03, 0.2)
    light, weight = rgb_to_gray(small), plane(likely**2)
    blue = plane(cv2.extractChannel(small, 2) - cv2.extractChannel(small, 0))
    around = WIDE_REACHES[-1] * side
    total = gaussian_blur(weight, around) + np.float32(1e-4)
    sky_light, sky_blue = (plane(gaussian_blur(plane(each * weight), around) / total) for each in (light, blue))
    bluer = blue / np.maximum(light, np.float32(0.05)) - sky_blue / np.maximum(sky_light, np.float32(0.05))
    darker = smoothstep(plane(sky_light - light), 0.06, 0.16) * smoothstep(plane(bluer), *BLUER)
    return plane(np.maximum(near, darker))


def _clouds_behind_trees(small: Plane, likely: Plane, shares: Plane) -> tuple[Plane, Plane]:
    """How likely each pixel is sky if it is no tree, and how surely it is a cloud taken for both, 0-1."""
    others = plane(1 - shares[..., Kind.SKY] - shares[..., Kind.TREES])
    without_trees = plane(likely / np.maximum(likely + others, np.float32(1e-3)))
    torn = smoothstep(without_trees, *TORN) * smoothstep(likely, 0.15, 0.35)
    cool = smoothstep(plane(cv2.extractChannel(small, 2) - cv2.extractChannel(small, 0)), *COOL)
    return without_trees, plane(torn * cool * smoothstep(min_channel(small), *LIGHT))


def _halve(values: Plane) -> Plane:
    height, width = values.shape[:2]
    size = (max(1, width // 2), max(1, height // 2))
    return plane(cv2.resize(values, size, interpolation=cv2.INTER_AREA))


def _judge_colors(view: _View, share: Plane, reach: float) -> Plane:
    """The share of sky after a look at the colors within `reach` pixels, given the share found so far."""
    sky, ground = plane(share**2), plane((1 - share) ** 2)
    evidence = _measure_misfit(view.small, _gather_colors(view.small, ground, reach)) - _measure_unlikeness(
        view, sky, reach
    )
    # Far from any sky, or from anything else, there is nothing to compare with.
    known = np.minimum(gaussian_blur(sky, reach * FARTHER), gaussian_blur(ground, reach * 2))
    evidence = np.clip(evidence, -view.against, view.in_favor) * np.clip(known / 0.02, 0, 1)
    certain = np.clip(view.likely, 0.002, 0.998)
    odds = np.log(certain / (1 - certain)) + evidence
    return plane(1 / (1 + np.exp(-odds)))


def _measure_unlikeness(view: _View, sky: Plane, reach: float) -> Plane:
    """How badly each pixel fits the sky within `reach`, or where that is scarce the sky farther off."""
    near = _gather_colors(view.small, sky, reach)
    far = _gather_colors(view.small, plane(sky * view.likely), reach * FARTHER, SPARSE, WHOLE)
    trust = near.weight**2 / (near.weight**2 + np.float32(SCARCE**2))
    distant = _measure_misfit(view.small, far)
    return plane(distant + trust * (_measure_misfit(view.small, near) - distant))


def _gather_colors(small: Plane, weight: Plane, reach: float, step: int = 1, whole: float = 0.0) -> _Colors:
    """The weighted colors within `reach` of every `step` pixels, and of the whole picture's what `whole` weigh."""
    height, width = weight.shape
    few = np.s_[::step, ::step]
    colors, weight = np.ascontiguousarray(small[few]), np.ascontiguousarray(weight[few])
    first = plane(colors * gray_to_rgb(weight))
    second = plane(colors * first)
    sums = [gaussian_blur(each, reach / step) for each in (weight, first, second)]
    if whole:
        share = np.float32(whole / max(float(weight.mean()), 1e-6))
        sums = [
            far + share * plane(each.mean((0, 1))) for far, each in zip(sums, (weight, first, second), strict=True)
        ]
    near, first, second = sums
    total = gray_to_rgb(near + np.float32(1e-4))
    mean = first / total
    variance = np.maximum(second / total - mean * mean, 0) + np.float32(LEAST_SPREAD**2)
    breadth = cv2.transform(np.log(variance), np.full((1, 3), BREADTH / 2, np.float32))
    found = near, mean, np.float32(0.5) / variance, breadth
    size = width, height
    return _Colors(*(plane(each if step == 1 else cv2.resize(plane(each), size)) for each in found))


def _measure_misfit(small: Plane, colors: _Colors) -> Plane:
    """How badly each pixel fits the colors gathered around it: the negative log of their Gaussian."""
    away = small - colors.mean
    return plane(cv2.transform(away * away * colors.sharpness, np.ones((1, 3), np.float32)) + colors.breadth)
