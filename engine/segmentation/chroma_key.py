"""The sky between twigs and along edges, found by its blue as in a chroma key, a white one by its light.

Where the sky is far bluer than what stands before it, the blue of a pixel says how much of it is sky, finer than
any outline: for a mixture of both the excess of blue over red and green lies between those of the two. Before a
white sky leaves and twigs have much less blue light, too; walls and roofs may have as much.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane, smoothstep
from engine.color.channels import min_channel
from engine.filters.smoothing import gaussian_blur, normalized_convolution
from engine.filters.strips import enlarge_map, find_runs, map_rows, round_to_bytes, run_strips, widen_columns

EXCESS, BLUE = np.array([[-0.5, -0.5, 1.0]], np.float32), np.array([[0.0, 0.0, 1.0]], np.float32)
"""Blue's excess over red and green, and blue itself."""
BLUE_FROM, BLUE_FULLY = 0.07, 0.14
"""The excess (0-1) from which a sky begins to be, and is fully, keyed by its blue."""
WHITE_FROM, WHITE_FULLY = 0.72, 0.86
"""The blue channel (0-1) from which a sky that is not blue begins to be, and is fully, keyed by its light."""
LEAST_APART, WHITE_APART = 0.06, 0.3
"""How far (0-1) the sky must be beyond what is before it, in excess of blue or in blue."""
EDGE, LEAFY = 4, 2
"""Pixels of the small picture: how far from the sky's outline edges are keyed, and how soft the crowns' are."""
CROWN, FAR_CROWN, BY_HOUSES = 0.14, 0.5, 0.04
"""The share of the long side within which crowns let the sky seen beside them through: the farther one above where
the sky ends, with no house within the last.
"""
GATHERED = 0.03
"""The share of the long side from which the colors of things before the sky come."""
NONE, ALL, GLINT = 0.12, 0.9, 0.4
"""Shares of sky below and above which a pixel is none of it and nothing else: noise and shades of the sky. Leaves
glint: before a white sky shares below the last count as none.
"""
ON_WIRE = 0.85
"""The most of a wire's pixel that may be sky: being thinner, it passes for a shade of the sky."""
LEAST_WEIGHT = 0.02
_AROUND = np.ones((2 * EDGE + 1,) * 2, np.uint8)
DARKER = 0.06
"""How much (0-1) a channel may be darker than the sky's share in it alone would be."""


@dataclass(frozen=True, slots=True)
class KeyMaps:
    """Small maps, 0-1: where the sky was found, what may stand before it, and houses, which may be as light."""

    sky: Plane
    trees: Plane
    wires: Plane
    houses: Plane


@dataclass(frozen=True, slots=True)
class _Key:
    """The inputs of one key: small maps, and how the keying color is weighed and limited.

    `sky` is the color of the sky (x 3, 0-255), `things` the keying color of what stands before it (0-255), `weight`
    that of the key, `most` the largest share of sky that a pixel may have (both 0-1). `channel_weights` weighs the
    channels into the keying color. `apart` is the least difference (0-1) between sky and things that a share is
    measured by; shares below `none` are none.
    """

    sky: Plane
    things: Plane
    weight: Plane
    most: Plane
    channel_weights: Plane
    apart: float
    none: float

    @property
    def maps(self) -> Plane:
        """The maps as one of six channels."""
        return plane(cv2.merge([*cv2.split(self.sky), self.things, self.weight, self.most]))

    def share(self, pixels: Pixels, maps: Plane) -> Plane:
        """How much of each pixel is sky; `maps` are those of these pixels."""
        sky, colors = maps[..., :3], plane(pixels)
        things, weight, most = maps[..., 3], maps[..., 4], maps[..., 5]
        apart = np.maximum(_tell_color(sky, self.channel_weights) - things, np.float32(255 * self.apart))
        by_color = (_tell_color(colors, self.channel_weights) - things) / apart
        room = min_channel(plane((colors + np.float32(255 * DARKER)) / np.maximum(sky, np.float32(8))))
        share = smoothstep(plane(np.minimum(by_color, room)), self.none, ALL)
        return plane(np.minimum(share, most) * weight)


def key_sky(found: Matte, pixels: Pixels, small: Plane, before: KeyMaps) -> Matte:
    """Add to a sky matte the sky that shows through trees and along edges, keyed by its color.

    Parameters
    ----------
    found : (H, W) ndarray of uint8
        The matte found so far, 0-255.
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in its own color space.
    small : (h, w, 3) ndarray of float32
        The small picture that the maps of `before` belong to, 0-1, in the color space of `pixels`.
    before : KeyMaps
        The sky, and what may stand before it.

    Returns
    -------
    (H, W) ndarray of uint8
        The matte, 0-255, nowhere below `found`; `found` itself where no pixel is surely sky.
    """
    sure = plane(before.sky > 0.97)
    if not sure.any():
        return found
    behind = normalized_convolution(small, sure, max(sure.shape) / 50)
    result = found.copy()
    for key in (_key_by_blue(small, behind, before), _key_by_light(small, behind, before)):
        _add(result, pixels, key)
    return result


def _add(result: Matte, pixels: Pixels, key: _Key) -> None:
    height, width = result.shape
    asked = key.weight > LEAST_WEIGHT
    if not asked.any():
        return
    maps = key.maps

    def fill(rows: slice) -> None:
        for each in find_runs(asked[map_rows(rows, height, len(asked))]):
            columns = widen_columns(each, asked.shape[1], width)
            share = key.share(pixels[rows, columns], enlarge_map(maps, pixels.shape, rows, columns))
            result[rows, columns] = np.maximum(result[rows, columns], round_to_bytes(plane(share * 255)))

    run_strips(pixels.shape, fill)


def _key_by_blue(small: Plane, behind: Plane, before: KeyMaps) -> _Key:
    """The key where the sky is blue: in crowns, on wires and along all edges."""
    excess, of_sky = _tell_color(small, EXCESS), _tell_color(behind, EXCESS)
    # What is as blue as a third of the sky is no measure of what stands before it.
    things = np.minimum(_usual(excess, before.sky, excess < 0.3 * of_sky), 0.0)
    weight = np.maximum(_edges(before), _crowns(before)) * smoothstep(of_sky, BLUE_FROM, BLUE_FULLY)
    most = 1 - (1 - ON_WIRE) * smoothstep(gaussian_blur(before.wires, 0.7), 0.0, 0.3)
    return _Key(
        *(plane(behind * 255), plane(things * 255), plane(weight * _find_closed(before)), plane(most)),
        *(EXCESS, LEAST_APART, NONE),
    )


def _key_by_light(small: Plane, behind: Plane, before: KeyMaps) -> _Key:
    """The key where the sky is white: in crowns only."""
    blue, of_sky = _tell_color(small, BLUE), _tell_color(behind, BLUE)
    things = _usual(blue, before.sky, blue < 0.5 * of_sky)
    white = smoothstep(of_sky, WHITE_FROM, WHITE_FULLY) * (
        1 - smoothstep(_tell_color(behind, EXCESS), BLUE_FROM, BLUE_FULLY)
    )
    weight = _crowns(before) * white * _find_closed(before)
    return _Key(
        *(plane(behind * 255), plane(things * 255), plane(weight), plane(np.ones_like(weight))),
        *(BLUE, WHITE_APART, GLINT),
    )


def _usual(channel_weights: Plane, sky: Plane, plain: Mask) -> Plane:
    """Small map: the mean keying color of the things near by, of those of their pixels that are `plain`."""
    weight, reach = plane((sky < 0.1) & plain), GATHERED * max(sky.shape)
    return plane(
        gaussian_blur(plane(channel_weights * weight), reach) / (gaussian_blur(weight, reach) + np.float32(1e-3))
    )


def _edges(before: KeyMaps) -> Plane:
    """Small map, 0-1: along the sky's outline and on wires."""
    near = cv2.dilate(plane((before.sky > 0.5) | (before.wires > 0)), _AROUND)
    return gaussian_blur(plane(near), 1.0)


def _crowns(before: KeyMaps) -> Plane:
    """Small map, 0-1: in crowns that stand before the sky."""
    side, sky = max(before.sky.shape), plane(before.sky > 0.5)
    near, far = (smoothstep(gaussian_blur(sky, reach * side), 0.02, 0.1) for reach in (CROWN, FAR_CROWN))
    free = smoothstep(gaussian_blur(before.houses, BY_HOUSES * side), 0.1, 0.02)
    free[np.flatnonzero((sky > 0).any(1))[-1] + 1 :] = 0
    return plane(smoothstep(gaussian_blur(before.trees, LEAFY), 0.2, 0.5) * np.maximum(near, far * free))


def _find_closed(before: KeyMaps) -> Plane:
    """Small map, 0 in the open sky, 1 elsewhere."""
    return plane(1 - plane(cv2.erode(plane(before.sky > 0.97), _AROUND)))


def _tell_color(colors: Plane, channel_weights: Plane) -> Plane:
    return plane(cv2.transform(colors, channel_weights))
