"""Finds the lawn: one connected region for each piece of turf, green or dry, with its bare patches.

The region starts with turf that is certain by the net and by color. It grows over places that the net cannot
distinguish from ground, such as straw and bare patches, and holes in it are closed: a patch that stays brown in a
green lawn is worse than one that is green to its edge.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import max_channel, min_channel, rgb_to_gray
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import box_filter, gaussian_blur, local_std
from engine.segmentation.labels import Kind

MIN_LAWN = 0.012
"""Minimum share of the picture that a lawn covers; enhancing a smaller one is not worth its price."""
MIN_PIECE = 0.006
"""Minimum share of the picture that a separate piece of certain turf covers."""
MIN_FURTHER_PIECE = 0.0015
"""The same for further pieces, in a photo that has certain turf."""
MIN_TEXTURE = 0.008
"""Minimum standard deviation of luma (0-1) among neighboring pixels of grass, caused by its blades."""
BUSH_CONTRAST = 0.17
"""Minimum standard deviation of luma, relative to the luma, in bushes and trees."""
MIN_CERTAIN_ODDS = 0.4
"""Log odds of turf, by the net and the color, above which a pixel may be certain turf."""
MIN_FURTHER_ODDS = -0.9
"""The same in further pieces of turf, in a photo that has certain turf."""
MIN_POSSIBLE_ODDS = -1.8
"""The same in pixels near turf that become part of it."""
MIN_LAWN_SHARE = 0.15
"""Minimum share of lawn, by the net, in certain turf, and in gaps between turf that are closed."""
COLOR_ODDS = 1.6
"""Log odds that the color adds at most to the net's, or subtracts."""
MAX_TREES = 0.15
"""A pixel with this share of trees or more is not certain lawn."""
MIN_LAWN_TO_TREES = 3.0
"""Minimum ratio of lawn to trees, by the net, in a pixel that becomes part of a lawn."""
BUSHY_TREES = 0.05
"""A coarse pixel with this share of trees or more is a bush, not turf."""
MAX_OTHERS = 0.12
"""Maximum share of walls, rocks and other things in turf, twice that where the color is that of turf; or a quarter
of the share of lawn.
"""
MIN_GRASSY, MIN_FURTHER_GRASSY = 0.6, 0.5
"""Minimum share of a piece of certain turf, and of a further piece, that looks like grass; gravel, bare earth and
paving do not.
"""
MAX_LEAF_CONTRAST = 0.15
"""Maximum contrast of a pixel, relative to its luma, that counts as that of leaves; edges of shadows have more."""
MAX_LEAFY, MAX_FURTHER_LEAFY = 0.13, 0.15
"""Maximum leafiness of a piece of certain turf, and of a further piece: ground cover, weeds and clipped hedges have
0.14 and more, mown turf up to 0.13.
"""
REACH = 0.1
"""Distance from certain turf, as a share of the long side, up to which a lawn grows."""
RIM = 0.025
"""Width of the edge of a lawn, as a share of the long side, in which green pixels belong to it although the net,
which is coarser, finds walls or things there.
"""
MIN_FLAT, MAX_HOLE_OTHERS = 0.7, 0.15
"""Minimum share of lawn and ground, and maximum of walls and things, in a pixel of a hole that is closed."""
MIN_FLAT_HOLE = 0.7
"""Minimum share of such pixels in a hole that is closed."""
MAX_HOLE, MAX_NOTCH = 0.04, 0.008
"""Maximum share of the picture that a closed hole covers: within the picture, and at its edge."""
FADE = 1 / 120
"""Sigma, as a share of the long side, with which a lawn fades out into ground that may be lawn too."""
FRESH_RED, DRY_RED = (1.06, 1.22), (1.18, 1.36)
"""Red over green: up to the first number it is certainly that of turf, from the last on that of bare earth."""
FRESH_YELLOW, GRAY_YELLOW = (0.2, 0.36), (0.06, 0.14)
"""Yellowness is green minus blue, as a share of green. In the second range and below, it is that of stones; in the
first range and above, that of grass and straw.
"""
MAX_RED = 1.33, 1.45
"""Red over green from which on a pixel within a lawn is not changed, such as bark and bricks."""
MIN_YELLOW = 0.03, 0.08
"""Yellowness up to which a pixel within a lawn is not changed, such as gray stones and paths."""
MIN_TURF_YELLOW = 0.3, 0.5
"""The same, as a share of the yellowness of the turf around: pale stones."""
MAX_SPOT, MIN_SPOT_LAWN = 0.004, 0.4
"""Maximum share of the picture, and minimum share of lawn by the net, of a bare spot, which is changed as well."""
TURF_SIGMA = 1 / 6
"""Sigma, as a share of the long side, with which the yellowness of the turf around is averaged."""
COLOR_SIGMA = 2.0
"""Sigma, in pixels, with which colors are averaged that decide what is turf; single blades differ."""
SHADE_COOLNESS = 0.08
"""Yellowness is lower by this in deep shade, because the light there is bluer."""
LIT_SHARE, MAX_CAST = 0.3, 0.1
"""Share of walls and paths, the lightest ones, whose mean color is taken for the cast, and the greatest correction
of the picture by it, which is limited because walls and paths are not all white.
"""


def segment_lawn(small: Plane, shares: Plane) -> Plane:
    """Segment the lawn of a photo taken outdoors.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    shares : (h, w, len(Kind)) ndarray of float32
        The net's shares of each kind, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        Share of lawn, 0-1; all 0 if the lawn covers less than MIN_LAWN of the picture.
    """
    view = _View(_reduce_cast(small, shares), shares)
    certain = _find_certain(view)
    region = _close_holes(view, _grow(view, certain))
    fade = np.minimum(2 * gaussian_blur(plane(region), FADE * view.side), 1) * smoothstep(
        plane(view.lawn * view.is_flat), 0.1, 0.25
    )
    mask = plane(np.maximum(gaussian_blur(plane(region), 1.0), fade) * _weigh_color(view, certain, region))
    return mask if mask.mean() >= MIN_LAWN else np.zeros(small.shape[:2], np.float32)


def measure_turf_odds(small: Plane, shares: Plane) -> Plane:
    """Measure how likely each pixel is turf, without regard to its neighbors.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    shares : (h, w, len(Kind)) ndarray of float32
        The net's shares of each kind, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        Natural logarithm of the odds of turf.
    """
    return _View(_reduce_cast(small, shares), shares).odds


@dataclass(frozen=True)
class _View:
    """The small picture without its cast (x 3, 0-1), the net's shares of each kind, and what follows from both."""

    small: Plane
    shares: Plane

    @property
    def side(self) -> int:
        """The long side, in pixels."""
        return int(max(self.small.shape[:2]))

    @property
    def lawn(self) -> Plane:
        """The net's share of lawn."""
        return self.shares[..., Kind.LAWN]

    @property
    def trees(self) -> Plane:
        """The net's share of trees and bushes."""
        return self.shares[..., Kind.TREES]

    @cached_property
    def flat(self) -> Plane:
        """The net's share of lawn and ground together."""
        return plane(self.lawn + self.shares[..., Kind.GROUND])

    @cached_property
    def others(self) -> Plane:
        """The net's share of all that is neither lawn nor ground nor trees."""
        return plane(1 - self.flat - self.trees)

    @cached_property
    def is_flat(self) -> Mask:
        """Whether a pixel is lawn or ground."""
        return np.asarray((self.flat > MIN_FLAT) & (self.others < MAX_HOLE_OTHERS), np.bool_)

    @cached_property
    def is_low(self) -> Mask:
        """Whether a pixel shows neither things nor walls nor trees, as far as the net can tell."""
        max_others = np.maximum(self.lawn / 4, MAX_OTHERS * (1 + self.fresh))
        return np.asarray((self.others < max_others) & (self.lawn > MIN_LAWN_TO_TREES * self.trees), np.bool_)

    @cached_property
    def is_bushy(self) -> Mask:
        """Whether light and dark alternate coarsely, as in leaves and branches but not in mown grass."""
        gray = gaussian_blur(rgb_to_gray(self.small), 1.2)
        radius = max(2, self.side // 130)
        coarse = plane(local_std(gray, radius) > BUSH_CONTRAST * (box_filter(gray, radius) + 0.04))
        # The edge of a shadow on a lawn has a high contrast too, but only along a line.
        return np.asarray(box_filter(coarse, max(2, self.side // 45)) > 0.5, dtype=np.bool_)

    @cached_property
    def leafy(self) -> Plane:
        """Leafiness: the net's share of trees plus the contrast of leaves, which are coarser than mown blades."""
        gray = rgb_to_gray(self.small)
        contrast = local_std(gaussian_blur(gray, 1.0), 2) / (box_filter(gray, 2) + 0.04)
        return plane(self.trees + np.minimum(contrast, MAX_LEAF_CONTRAST))

    @cached_property
    def is_grassy(self) -> Mask:
        """Whether a pixel has the color and the fine texture of grass, fresh or dry."""
        blurred = gaussian_blur(self.small, 1.5)
        red, green, blue = cv2.split(blurred)
        value = max_channel(blurred)
        saturation = (value - min_channel(blurred)) / np.maximum(value, 1e-3)
        is_fresh = (green > red * 0.99) & (green > blue * 1.12) & (red > blue * 0.9)
        is_dry = (green > red * 0.84) & (green > blue * 1.16) & (saturation > 0.2)
        is_textured = gaussian_blur(local_std(rgb_to_gray(self.small), 1), 3) > MIN_TEXTURE
        return np.asarray((is_fresh | is_dry) & (value > 0.07) & is_textured, dtype=np.bool_)

    @cached_property
    def odds(self) -> Plane:
        """The log odds of turf, by the net and the color."""
        yellow, red = self.measure_color(COLOR_SIGMA)
        bare = np.maximum(1 - smoothstep(yellow, *GRAY_YELLOW), smoothstep(red, *DRY_RED))
        net = np.log(np.clip(self.lawn, 1e-3, 1) / np.clip(1 - self.lawn, 1e-3, 1))
        return plane(net + COLOR_ODDS * (self.fresh - bare))

    @cached_property
    def fresh(self) -> Plane:
        """0-1: whether the color is that of turf, green or straw."""
        yellow, red = self.measure_color(COLOR_SIGMA)
        return plane(smoothstep(yellow, *FRESH_YELLOW) * (1 - smoothstep(red, *FRESH_RED)))

    def measure_color(self, sigma: float) -> tuple[Plane, Plane]:
        """Measure yellowness, corrected in shadows, whose light is bluer, and red over green."""
        blurred = gaussian_blur(self.small, sigma)
        red, green, blue = cv2.split(blurred)
        green = np.maximum(green, 0.01)
        shade = SHADE_COOLNESS * smoothstep(rgb_to_gray(blurred), 0.35, 0.2)
        return plane(1 - blue / green + shade), plane(red / green)


def _reduce_cast(small: Plane, shares: Plane) -> Plane:
    """The picture with the cast of its light walls and paths reduced, as in evening sun."""
    gray = rgb_to_gray(small)
    built = (shares[..., Kind.SKY] + shares[..., Kind.LAWN] + shares[..., Kind.TREES]) < 0.3
    if not built.any():
        return small
    light = small[built & (gray >= np.quantile(gray[built], 1 - LIT_SHARE))].mean(0)
    return plane(small * np.clip(light.mean() / np.maximum(light, 0.05), 1 - MAX_CAST, 1 + MAX_CAST))


def _find_certain(view: _View) -> Mask:
    """Find certain turf, and where there is some, further pieces that the net is less certain of."""
    is_bush = view.is_bushy & (view.trees > BUSHY_TREES)
    certain = (
        (view.odds > MIN_CERTAIN_ODDS)
        & (view.lawn > MIN_LAWN_SHARE)
        & (view.trees < MAX_TREES)
        & (view.others < np.maximum(view.lawn / 4, MAX_OTHERS))
        & ~is_bush
    )
    certain = _keep_pieces(view, np.asarray(certain, np.bool_), MIN_PIECE, MIN_GRASSY, MAX_LEAFY)
    if not certain.any():
        return certain
    further = (view.odds > MIN_FURTHER_ODDS) & (view.lawn > MIN_LAWN_SHARE) & view.is_low & ~view.is_bushy
    return certain | _keep_pieces(
        view, np.asarray(further, np.bool_), MIN_FURTHER_PIECE, MIN_FURTHER_GRASSY, MAX_FURTHER_LEAFY
    )


def _grow(view: _View, certain: Mask) -> Mask:
    """Extend certain turf over connected pixels that may be turf, and up to the green edge of the lawn."""
    possible = (view.odds > MIN_POSSIBLE_ODDS) & view.is_low & ~view.is_bushy
    grown = certain | (possible & _find_within(certain, REACH * view.side))
    labels, sizes = _label(grown)
    has_certain = np.bincount(labels[certain], minlength=len(sizes)) > 0
    grown = np.asarray(has_certain[labels] & grown, np.bool_)
    is_green = view.is_grassy & (view.fresh > 0.5) & ~view.is_bushy
    rim = is_green & (view.lawn > 0.06) & (view.lawn > 2 * view.trees) & _find_within(grown, RIM * view.side)
    return np.asarray(grown | rim, np.bool_)


def _close_holes(view: _View, region: Mask) -> Mask:
    """Close gaps and holes that show ground: bare patches, but no rocks, beds and things."""
    radius = max(2, round(view.side / 100))
    closed = erode(dilate(region, radius), radius) & ((view.is_flat & (view.lawn > MIN_LAWN_SHARE)) | region)
    labels, sizes = _label(~closed)
    flat = np.bincount(labels.ravel(), weights=view.is_flat.ravel(), minlength=len(sizes))
    maximum = np.full(len(sizes), MAX_HOLE * closed.size)
    maximum[np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))] = (
        MAX_NOTCH * closed.size
    )
    is_hole = (sizes < maximum) & (flat > MIN_FLAT_HOLE * sizes)
    is_hole[0] = False
    return erode(dilate(closed | is_hole[labels], 2), 2)


def _find_within(mask: Mask, reach: float) -> Mask:
    """The pixels within `reach` pixels of the mask; none where the mask is empty."""
    distance = cv2.distanceTransform(np.asarray(~mask, dtype=np.uint8), cv2.DIST_L2, 5)
    return np.asarray((distance <= reach) & mask.any(), dtype=np.bool_)


def _label(mask: Mask) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Number the separate pieces of the mask from 1, and count their pixels; 0 is the rest."""
    _, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    return np.asarray(labels, np.int32), np.bincount(labels.ravel())


def _keep_pieces(view: _View, mask: Mask, min_share: float, min_grassy: float, max_leafy: float) -> Mask:
    """Keep the separate pieces of the mask that are large enough and look like grass rather than like leaves."""
    labels, sizes = _label(mask)
    grassy, leafy = (np.bincount(labels.ravel(), weights=each.ravel()) for each in (view.is_grassy, view.leafy))
    is_kept = (sizes > mask.size * min_share) & (grassy >= min_grassy * sizes) & (leafy <= max_leafy * sizes)
    is_kept[0] = False
    return np.asarray(is_kept[labels], dtype=np.bool_)


def _weigh_color(view: _View, certain: Mask, region: Mask) -> Plane:
    """Weights: 1 at grass, 0 at stones, pale paths and bricks, which the closed region may contain."""
    yellow, red = view.measure_color(1.0)
    weight, sigma = plane(certain), TURF_SIGMA * view.side
    turf = gaussian_blur(plane(yellow * weight), sigma) / (gaussian_blur(weight, sigma) + np.float32(1e-4))
    weights = plane(
        smoothstep(yellow, *MIN_YELLOW)
        * smoothstep(plane(yellow / np.maximum(turf, 0.05)), *MIN_TURF_YELLOW)
        * (1 - smoothstep(red, *MAX_RED))
    )
    labels, sizes = _label(np.asarray((weights < 0.9) & region, np.bool_))
    lawn = np.bincount(labels.ravel(), weights=view.lawn.ravel())
    is_spot = (sizes < MAX_SPOT * weights.size) & (lawn > MIN_SPOT_LAWN * sizes)
    is_spot[0] = False
    return plane(np.where(is_spot[labels], 1, weights))
