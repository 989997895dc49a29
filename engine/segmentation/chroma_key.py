"""Finds the sky between twigs and along edges by its color, as chroma keying does.

If the sky is much bluer than the things in front of it, the share of sky in a mixed pixel is computed from its
excess of blue over red and green, which lies between the excess of the sky and that of the thing. A white sky is
found by its blue light alone, and not at houses: leaves and twigs have much less blue light than it, but walls and
roofs may have as much.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane, smoothstep
from engine.color.channels import min_channel
from engine.filters.smoothing import gaussian_blur, normalized_convolution
from engine.filters.strips import enlarge_map, find_runs, map_rows, round_to_bytes, run_strips, widen_columns

EXCESS = np.array([[-0.5, -0.5, 1.0]], np.float32)
"""Channel weights of the excess of blue over red and green, the keying color of a blue sky."""
BLUE = np.array([[0.0, 0.0, 1.0]], np.float32)
"""Channel weights of blue alone, the keying color of a white sky."""
MIN_BLUE, FULL_BLUE = 0.07, 0.14
"""Excess of blue (0-1): up to the first a sky is not keyed by its blue, from the second on it is keyed fully."""
MIN_WHITE, FULL_WHITE = 0.72, 0.86
"""Blue (0-1): up to the first a sky that is not blue is not keyed by its light, from the second on it is keyed
fully.
"""
MIN_BLUE_DIFFERENCE = 0.06
"""Minimum difference (0-1) in excess of blue between sky and things, used to compute shares of a blue sky."""
MIN_WHITE_DIFFERENCE = 0.3
"""Minimum difference (0-1) in blue between sky and things, used to compute shares of a white sky."""
EDGE_WIDTH = 4
"""Distance from the sky's outline, in pixels of the small picture, in which pixels are keyed."""
TREETOP_BLUR = 2
"""Sigma, in pixels of the small picture, of the blur of the treetops' outlines."""
TREETOP_REACH = 0.14
"""Sigma, as a share of the long side, of the blur that decides whether sky is near enough to a treetop."""
FAR_TREETOP_REACH = 0.5
"""The same, for treetops above the lowest row with sky and with no house within HOUSE_DISTANCE."""
HOUSE_DISTANCE = 0.04
"""Sigma, as a share of the long side, of the blur that decides whether a house is near a treetop."""
EDGE_HOUSE_DISTANCE = 0.01
"""That sigma for edges in front of a white sky, for example of poles and palms."""
COLOR_REACH = 0.03
"""Sigma, as a share of the long side, of the average of colors of things around a pixel."""
NO_SKY_SHARE = 0.12
"""A computed share of sky up to this value is noise: it counts as 0."""
ONLY_SKY_SHARE = 0.9
"""A computed share of sky from this value on is a shade of the sky: it counts as 1."""
NO_WHITE_SKY_SHARE = 0.4
"""The same in treetops in front of a white sky; higher, because leaves reflect its light."""
GAP_WEIGHT = 0.002
"""Weight of the color of narrow gaps in the color of the sky; that of open sky is 1."""
MIN_WEIGHT = 0.02
"""A key is not computed in pixels with less weight (0-1)."""
_EDGE_KERNEL = np.ones((2 * EDGE_WIDTH + 1,) * 2, np.uint8)
DARKNESS_TOLERANCE = 0.06
"""Tolerance (0-1): a channel of a pixel may be darker by this than the light of its share of sky."""


@dataclass(frozen=True, slots=True)
class KeyMaps:
    """Small maps, 0-1: the sky found so far, trees in front of it, and houses and hills, which may be as light."""

    sky: Plane
    trees: Plane
    houses: Plane
    hills: Plane


@dataclass(frozen=True, slots=True)
class _Key:
    """The inputs of one key. The keying color of a pixel is one value: the sum of its weighted channels.

    Three are small maps: `sky` is the color of the sky (x 3, 0-255), `things` the keying color of the things before
    it (0-255), `weight` the weight of the key (0-1).
    `min_difference` (0-1) is the minimum difference in the keying color between sky and things. Shares up to
    `no_sky_share` become 0.
    """

    sky: Plane
    things: Plane
    weight: Plane
    channel_weights: Plane
    min_difference: float
    no_sky_share: float

    @property
    def merged_maps(self) -> Plane:
        """All three small maps as one array of five channels."""
        return plane(cv2.merge([*cv2.split(self.sky), self.things, self.weight]))

    def share(self, pixels: Pixels, maps: Plane) -> Plane:
        """Compute the share of sky in each pixel, 0-1; `maps` is `merged_maps` enlarged to these pixels."""
        sky, colors = maps[..., :3], plane(pixels)
        things, weight = maps[..., 3], maps[..., 4]
        min_difference = np.maximum(
            _weigh_channels(sky, self.channel_weights) - things, np.float32(255 * self.min_difference)
        )
        by_color = (_weigh_channels(colors, self.channel_weights) - things) / min_difference
        by_brightness = min_channel(
            plane((colors + np.float32(255 * DARKNESS_TOLERANCE)) / np.maximum(sky, np.float32(8)))
        )
        share = smoothstep(plane(np.minimum(by_color, by_brightness)), self.no_sky_share, ONLY_SKY_SHARE)
        return plane(share * weight)


def key_sky(found: Matte, pixels: Pixels, small: Plane, key_maps: KeyMaps) -> Matte:
    """Add to a sky matte the sky that shows through trees and along edges, keyed by its color.

    Parameters
    ----------
    found : (H, W) ndarray of uint8
        The matte found so far, 0-255.
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in its own color space.
    small : (h, w, 3) ndarray of float32
        The small picture, of the size of the small maps, 0-1, in the color space of `pixels`.
    key_maps : KeyMaps
        The sky found so far, and the things that may stand in front of it.

    Returns
    -------
    (H, W) ndarray of uint8
        The matte, 0-255, nowhere below `found`; `found` itself if no pixel is certainly sky.
    """
    certain = plane(key_maps.sky > 0.97)
    if not certain.any():
        return found
    # Gaps between twigs have the twigs' color too: they count only where there is no open sky.
    opened = plane(cv2.erode(certain, np.ones((5, 5), np.uint8)))
    certain = opened + np.float32(GAP_WEIGHT) * certain
    sky_color = normalized_convolution(small, certain, max(certain.shape) / 50)
    result = found.copy()
    for key in (_key_by_blue(small, sky_color, key_maps), *_key_by_light(small, sky_color, key_maps)):
        _apply_key(result, pixels, key)
    return result


def _apply_key(result: Matte, pixels: Pixels, key: _Key) -> None:
    height, width = result.shape
    is_keyed = key.weight > MIN_WEIGHT
    if not is_keyed.any():
        return
    maps = key.merged_maps

    def fill(rows: slice) -> None:
        for each in find_runs(is_keyed[map_rows(rows, height, len(is_keyed))]):
            columns = widen_columns(each, is_keyed.shape[1], width)
            share = key.share(pixels[rows, columns], enlarge_map(maps, pixels.shape, rows, columns))
            result[rows, columns] = np.maximum(result[rows, columns], round_to_bytes(plane(share * 255)))

    run_strips(pixels.shape, fill)


def _key_by_blue(small: Plane, sky_color: Plane, key_maps: KeyMaps) -> _Key:
    """The key for a blue sky. It is used in treetops and along all edges."""
    excess, sky_value = _weigh_channels(small, EXCESS), _weigh_channels(sky_color, EXCESS)
    # Pixels with at least 0.3 of the sky's excess of blue may be mixed with sky: they do not count as things.
    things = np.minimum(_average_things(excess, key_maps.sky, excess < 0.3 * sky_value), 0.0)
    weight = np.maximum(_weigh_edges(key_maps), _weigh_treetops(key_maps)) * smoothstep(
        sky_value, MIN_BLUE, FULL_BLUE
    )
    return _Key(
        *(
            plane(sky_color * 255),
            plane(things * 255),
            plane(weight * _exclude_open_sky(key_maps)),
        ),
        *(EXCESS, MIN_BLUE_DIFFERENCE, NO_SKY_SHARE),
    )


def _key_by_light(small: Plane, sky_color: Plane, key_maps: KeyMaps) -> tuple[_Key, _Key]:
    """The keys for a white sky: in treetops, and along edges away from houses and hills."""
    blue, sky_value = _weigh_channels(small, BLUE), _weigh_channels(sky_color, BLUE)
    things = _average_things(blue, key_maps.sky, blue < 0.5 * sky_value)
    white = smoothstep(sky_value, MIN_WHITE, FULL_WHITE) * (
        1 - smoothstep(_weigh_channels(sky_color, EXCESS), FULL_BLUE, 2 * FULL_BLUE)
    )
    edges = _weigh_edges(key_maps) * _exclude(key_maps.houses, EDGE_HOUSE_DISTANCE)
    treetop_key, edge_key = (
        _Key(
            *(plane(sky_color * 255), plane(things * 255), plane(weight * white * _exclude_open_sky(key_maps))),
            *(BLUE, MIN_WHITE_DIFFERENCE, no_sky_share),
        )
        for weight, no_sky_share in ((_weigh_treetops(key_maps), NO_WHITE_SKY_SHARE), (edges, NO_SKY_SHARE))
    )
    return treetop_key, edge_key


def _average_things(values: Plane, sky: Plane, usable: Mask) -> Plane:
    """Small map: the mean of `values`, the keying color, over nearby `usable` pixels without sky."""
    weight, reach = plane((sky < 0.1) & usable), COLOR_REACH * max(sky.shape)
    return plane(gaussian_blur(plane(values * weight), reach) / (gaussian_blur(weight, reach) + np.float32(1e-3)))


def _weigh_edges(key_maps: KeyMaps) -> Plane:
    """Small map, 0-1: 1 along the sky's outline, but not at hills, which are as blue as it in haze."""
    near = cv2.dilate(plane(key_maps.sky > 0.5), _EDGE_KERNEL)
    return plane(gaussian_blur(plane(near), 1.0) * _exclude(key_maps.hills, EDGE_HOUSE_DISTANCE))


def _weigh_treetops(key_maps: KeyMaps) -> Plane:
    """Small map, 0-1: 1 in treetops that stand in front of the sky."""
    side, sky = max(key_maps.sky.shape), plane(key_maps.sky > 0.5)
    near, far = (
        smoothstep(gaussian_blur(sky, reach * side), 0.02, 0.1) for reach in (TREETOP_REACH, FAR_TREETOP_REACH)
    )
    without_houses = _exclude(key_maps.houses, HOUSE_DISTANCE)
    without_houses[np.flatnonzero((sky > 0).any(1))[-1] + 1 :] = 0
    return plane(
        smoothstep(gaussian_blur(key_maps.trees, TREETOP_BLUR), 0.2, 0.5) * np.maximum(near, far * without_houses)
    )


def _exclude(places: Plane, distance: float) -> Plane:
    """Small map: 0 at these places and within about this distance, a share of the long side, and 1 elsewhere."""
    return smoothstep(gaussian_blur(places, distance * max(places.shape)), 0.1, 0.02)


def _exclude_open_sky(key_maps: KeyMaps) -> Plane:
    """Small map: 0 in the open sky, away from its outline, and 1 elsewhere."""
    return plane(1 - plane(cv2.erode(plane(key_maps.sky > 0.97), _EDGE_KERNEL)))


def _weigh_channels(colors: Plane, channel_weights: Plane) -> Plane:
    return plane(cv2.transform(colors, channel_weights))
