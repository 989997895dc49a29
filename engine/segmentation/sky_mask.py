"""Where the sky is, to the pixel: the net shows roughly where, the colors nearby exactly.

Each pixel is judged by the net's answer and by how well it fits the colors of the sky and of the things nearby,
as in Bayesian matting (Chuang et al. 2001), with one Gaussian for sky and one for things. Where little sky is near,
pixels are compared with the sky farther away that the net saw: else a wrong guess would be compared with itself.
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
"""Least share of likely sky in the picture; with less there is no sky."""
SURE = 0.6
"""Least probability at the surest pixel of a region; other regions are no sky."""
RED = 1.1
"""Bricks are redder than the things in full light by this factor, and darker: a red sky is one of a low sun, and
then nothing below is brighter than it, or all things in light are as red.
"""
IN_LIGHT = 0.1
"""The brightest things, this share of all, are those in full light."""
DARKER = 0.8
"""A piece is a wall if its luma is below this share of another piece's, and if WARMER holds too."""
WARMER = 0.06
"""For DARKER: red minus blue of the piece, relative to its luma, exceeds the other piece's by this."""
LEAST_PIECE = 0.05
"""Least share of all pieces' weight that the other piece must have."""
WIDE_REACHES = 0.2, 0.05
"""How far around a pixel colors are gathered in the first two passes, as shares of the long side."""
REACH = 0.02
"""The same in the last pass."""
UNSURE = 0.005
"""How far the net's edges may be off, as a share of the long side."""
BLUER = 0.35, 0.1
"""By how much blue minus red, relative to luma, exceeds that of the sky nearby: from the first number on a place is
no thing before the sky, up to the second it may well be one.
"""
NEAR = 0.015
"""How near to things that the net sees other things are looked for, as a share of the long side."""
MOST_DOUBT = 2.5
"""The most that colors add to or subtract from the net's log odds."""
LEAST_SPREAD = 0.018
"""Least standard deviation of a Gaussian of colors (0-1)."""
BREADTH = 0.35
"""Weight, 0-1, of the term for a Gaussian's breadth: things beside the sky have several colors, and at full weight
one broad Gaussian for all of them would fit too badly.
"""
SCARCE = 0.1
"""With this share of sky nearby its colors count as much as colors of the sky farther away; with more, more."""
FARTHER = 6.0
"""How many times as far away "farther" is."""
WHOLE = 0.01
"""Weight of the whole picture's sky among the colors from farther away."""
SPARSE = 4
"""Of the pixels farther away every fourth row and column is enough."""
LEAFY_DOUBT = 4.5
"""What trees add to MOST_DOUBT: twigs and leaves let the sky through in finer detail than the net sees."""
LIGHT = 0.6, 0.76
"""A cloud behind a treetop differs from the blue sky as much as the tree does; but its darkest channel (0-1) is
light, unlike a leaf's: below the first number it is no cloud, from the second on surely light enough.
"""
TORN = 0.55, 0.8
"""Where the net hesitates between sky and tree: if it is no tree, the probabilities of sky at which a pixel is no
cloud, and is one for sure.
"""
COOL = -0.05, 0.0
"""Blue minus red of a cloud: below the first number it is too warm, from the second on no warmer than white."""


@dataclass(frozen=True, slots=True)
class _View:
    """A picture (x 3, 0-1), the net's probability of sky, and the most that colors may say against and for sky."""

    small: Plane
    likely: Plane
    against: Plane
    in_favor: Plane


@dataclass(frozen=True, slots=True)
class _Colors:
    """A Gaussian of colors around each pixel: weight, mean and sharpness (x 3), and the logarithm of its
    breadth.
    """

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
    # Colors gathered from far away are smooth: half the size is enough.
    half = _View(*(_halve(each) for each in (small, likely, view.against, in_favor)))
    share = half.likely
    for reach in WIDE_REACHES:
        share = _judge_colors(half, share, reach * side / 2)
    share = plane(cv2.resize(share, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_LINEAR))
    return smoothstep(_judge_colors(view, share, REACH * side), 0.12, 0.88)


def _keep_with_core(small: Plane, likely: Plane) -> Mask:
    """The regions that hold a pixel of which the net is sure, and do not look like walls."""
    _, labels = cv2.connectedComponents((likely > 0.02).astype(np.uint8), connectivity=8)
    kept = np.flatnonzero(np.bincount(labels[likely > SURE]))
    kept = kept[kept > 0]
    if kept.size:
        pieces = _Pieces.of(small, likely, np.asarray(labels, dtype=np.int32), kept)
        kept = kept[~(pieces.like_bricks(small, likely) | pieces.like_walls())]
    return np.asarray(np.isin(labels, kept), dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Separate regions that may be sky: the weight of each in pixels, and its color (n x 3)."""

    weight: Plane
    color: Plane

    @classmethod
    def of(cls, small: Plane, likely: Plane, labels: NDArray[np.int32], kept: NDArray[np.intp]) -> "_Pieces":
        """The pieces with the `kept` labels, measured at the pixels of which the net is sure."""
        sure, number = likely > SURE, int(labels.max()) + 1
        where, weight = labels[sure], plane(likely[sure] ** 2)
        whole = np.maximum(np.bincount(where, weight, number), 1e-6)
        sums = [np.bincount(where, weight * plane(each)[sure], number) for each in cv2.split(small)]
        return cls(plane(whole[kept]), plane((np.stack(sums, -1) / whole[:, None])[kept]))

    def like_bricks(self, small: Plane, likely: Plane) -> NDArray[np.bool_]:
        """Which pieces are red, and dim beside the things in full light."""
        light, things = rgb_to_gray(small), likely < SURE
        if not things.any():
            return np.zeros(len(self.weight), np.bool_)
        bright = np.quantile(light[things], 1 - IN_LIGHT)
        lit = small[things & (light >= bright)].mean(0)
        cast = max(1.0, float(lit[0] / max(lit[1], lit[2], 0.01)))
        red, green, blue = self.color.T
        return np.asarray((red > RED * cast * np.maximum(green, blue)) & (self._luma < bright), dtype=np.bool_)

    def like_walls(self) -> NDArray[np.bool_]:
        """Which pieces are much darker and warmer than another: between two skies the darker one is the bluer."""
        warmth = (self.color[:, 0] - self.color[:, 2]) / np.maximum(self._luma, 0.02)
        large = self.weight >= LEAST_PIECE * self.weight.sum()
        darker = self._luma[:, None] < DARKER * self._luma[None]
        warmer = warmth[:, None] > warmth[None] + WARMER
        return np.asarray((darker & warmer & large[None]).any(1), dtype=np.bool_)

    @property
    def _luma(self) -> Plane:
        return plane(rgb_to_gray(plane(self.color[None]))[0])


def _may_be_things(small: Plane, likely: Plane, side: int) -> Plane:
    """0-1: where things may stand before the sky: near things that the net sees, or darker than the sky.

    Clouds in the open sky are neither. A blue gap between clouds is darker but bluer than the sky around it, which
    no twig before the sky can be.
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
    """How likely each pixel is sky if it is no tree, and how surely, 0-1, it is a cloud behind one."""
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
    """The share of sky after a comparison of colors within `reach` pixels, given the share found so far."""
    sky, ground = plane(share**2), plane((1 - share) ** 2)
    evidence = _measure_misfit(view.small, _gather_colors(view.small, ground, reach)) - _measure_unlikeness(
        view, sky, reach
    )
    # Where no sky or no thing is near, there is nothing to compare with.
    known = np.minimum(gaussian_blur(sky, reach * FARTHER), gaussian_blur(ground, reach * 2))
    evidence = np.clip(evidence, -view.against, view.in_favor) * np.clip(known / 0.02, 0, 1)
    certain = np.clip(view.likely, 0.002, 0.998)
    odds = np.log(certain / (1 - certain)) + evidence
    return plane(1 / (1 + np.exp(-odds)))


def _measure_unlikeness(view: _View, sky: Plane, reach: float) -> Plane:
    """How badly each pixel fits the sky within `reach`, or where there is little of it, the sky farther away."""
    near = _gather_colors(view.small, sky, reach)
    far = _gather_colors(view.small, plane(sky * view.likely), reach * FARTHER, SPARSE, WHOLE)
    trust = near.weight**2 / (near.weight**2 + np.float32(SCARCE**2))
    distant = _measure_misfit(view.small, far)
    return plane(distant + trust * (_measure_misfit(view.small, near) - distant))


def _gather_colors(small: Plane, weight: Plane, reach: float, step: int = 1, whole: float = 0.0) -> _Colors:
    """The weighted colors around each pixel, of every `step`th row and column; `whole`: weight of the whole
    picture.
    """
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
