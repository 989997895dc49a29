"""The sky between twigs and along edges, found by its blue as in a chroma key, a white one by its light.

Where the sky is far bluer than the things before it, the blue of a pixel says how much of it is sky, finer than
any outline: the excess of blue over red and green of a mixed pixel lies between those of sky and thing. Leaves and
twigs before a white sky have much less blue light too; walls and roofs may have as much.
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
BLUE_FROM, BLUE_FULLY = 0.07, 0.14
"""A sky is keyed by its blue not at all up to the first excess (0-1), and fully from the second on."""
WHITE_FROM, WHITE_FULLY = 0.72, 0.86
"""A sky that is not blue is keyed by its light: not at all up to the first value of blue (0-1), fully from the
second on.
"""
LEAST_APART = 0.06
"""Least difference (0-1) in excess of blue between sky and things, by which a share is measured."""
WHITE_APART = 0.3
"""The same in blue, for a white sky."""
EDGE = 4
"""How far from the sky's outline edges are keyed, in pixels of the small picture."""
LEAFY = 2
"""How soft the outlines of treetops are (sigma), in pixels of the small picture."""
CROWN = 0.14
"""How near to a treetop the sky must be seen to show through it, as a share of the long side."""
FAR_CROWN = 0.5
"""The same above the lowest row with sky, where no house is within BY_HOUSES."""
BY_HOUSES = 0.04
"""Distance to a house, as a share of the long side, for FAR_CROWN."""
GATHERED = 0.03
"""How far around a pixel the colors of things before the sky are averaged, as a share of the long side."""
NONE = 0.12
"""Up to this share of sky a pixel counts as no sky: it is noise."""
ALL = 0.9
"""From this share of sky on a pixel counts as nothing else: it is a shade of the sky."""
GLINT = 0.4
"""NONE before a white sky, where light is reflected by leaves."""
ON_WIRE = 0.85
"""Most sky that a pixel of a wire may hold: a wire is thinner than a pixel and would pass for a shade of sky."""
LEAST_WEIGHT = 0.02
"""Where a key has less weight (0-1) it is not computed."""
_AROUND = np.ones((2 * EDGE + 1,) * 2, np.uint8)
DARKER = 0.06
"""How much darker (0-1) a channel may be than the light of the pixel's share of sky alone."""


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

    `sky` is the color of the sky (x 3, 0-255), `things` the keying color of the things before it (0-255), `weight`
    the weight of the key, `most` the largest share of sky that a pixel may have (both 0-1). `channel_weights`
    weighs
    the channels into the keying color. `apart` is the least difference (0-1) between sky and things by which a
    share is measured; shares up to `none` count as 0.
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
        """All four maps as one array of six channels."""
        return plane(cv2.merge([*cv2.split(self.sky), self.things, self.weight, self.most]))

    def share(self, pixels: Pixels, maps: Plane) -> Plane:
        """The share of sky in each pixel, 0-1; `maps` is `self.maps` enlarged to these pixels."""
        sky, colors = maps[..., :3], plane(pixels)
        things, weight, most = maps[..., 3], maps[..., 4], maps[..., 5]
        apart = np.maximum(_weigh_channels(sky, self.channel_weights) - things, np.float32(255 * self.apart))
        by_color = (_weigh_channels(colors, self.channel_weights) - things) / apart
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
        The small picture for which the maps of `before` were made, 0-1, in the color space of `pixels`.
    before : KeyMaps
        The sky, and the things that may stand before it.

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
    """The key for a blue sky: in treetops, on wires and along all edges."""
    excess, of_sky = _weigh_channels(small, EXCESS), _weigh_channels(behind, EXCESS)
    # Pixels at least a third as blue as the sky may be mixed with it: they do not count as things.
    things = np.minimum(_average_things(excess, before.sky, excess < 0.3 * of_sky), 0.0)
    weight = np.maximum(_edges(before), _crowns(before)) * smoothstep(of_sky, BLUE_FROM, BLUE_FULLY)
    most = 1 - (1 - ON_WIRE) * smoothstep(gaussian_blur(before.wires, 0.7), 0.0, 0.3)
    return _Key(
        *(plane(behind * 255), plane(things * 255), plane(weight * _exclude_open_sky(before)), plane(most)),
        *(EXCESS, LEAST_APART, NONE),
    )


def _key_by_light(small: Plane, behind: Plane, before: KeyMaps) -> _Key:
    """The key for a white sky: in treetops only."""
    blue, of_sky = _weigh_channels(small, BLUE), _weigh_channels(behind, BLUE)
    things = _average_things(blue, before.sky, blue < 0.5 * of_sky)
    white = smoothstep(of_sky, WHITE_FROM, WHITE_FULLY) * (
        1 - smoothstep(_weigh_channels(behind, EXCESS), BLUE_FROM, BLUE_FULLY)
    )
    weight = _crowns(before) * white * _exclude_open_sky(before)
    return _Key(
        *(plane(behind * 255), plane(things * 255), plane(weight), plane(np.ones_like(weight))),
        *(BLUE, WHITE_APART, GLINT),
    )


def _average_things(keyed: Plane, sky: Plane, plain: Mask) -> Plane:
    """Small map: the mean of `keyed`, the keying color, over nearby pixels without sky that are `plain`."""
    weight, reach = plane((sky < 0.1) & plain), GATHERED * max(sky.shape)
    return plane(gaussian_blur(plane(keyed * weight), reach) / (gaussian_blur(weight, reach) + np.float32(1e-3)))


def _edges(before: KeyMaps) -> Plane:
    """Small map, 0-1: along the sky's outline and on wires."""
    near = cv2.dilate(plane((before.sky > 0.5) | (before.wires > 0)), _AROUND)
    return gaussian_blur(plane(near), 1.0)


def _crowns(before: KeyMaps) -> Plane:
    """Small map, 0-1: in treetops that stand before the sky."""
    side, sky = max(before.sky.shape), plane(before.sky > 0.5)
    near, far = (smoothstep(gaussian_blur(sky, reach * side), 0.02, 0.1) for reach in (CROWN, FAR_CROWN))
    free = smoothstep(gaussian_blur(before.houses, BY_HOUSES * side), 0.1, 0.02)
    free[np.flatnonzero((sky > 0).any(1))[-1] + 1 :] = 0
    return plane(smoothstep(gaussian_blur(before.trees, LEAFY), 0.2, 0.5) * np.maximum(near, far * free))


def _exclude_open_sky(before: KeyMaps) -> Plane:
    """Small map: 0 in the open sky, far from its outline, 1 elsewhere."""
    return plane(1 - plane(cv2.erode(plane(before.sky > 0.97), _AROUND)))


def _weigh_channels(colors: Plane, channel_weights: Plane) -> Plane:
    return plane(cv2.transform(colors, channel_weights))
