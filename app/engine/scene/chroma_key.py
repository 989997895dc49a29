"""A blue sky between twigs and along edges, told by its blue as in a chroma key.

Where the sky is far bluer than what stands before it, the blue of a pixel says how much of it is sky, finer than
any outline: for a mixture of both the excess of blue over red and green lies between those of the two.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from app.engine.arrays import Matte, Pixels, Plane, blurred, plane, ramp, spread_from
from app.engine.fullsize import for_each_strip, rounded, runs_with_some, small_rows, stretch, widened

EXCESS = np.array([[-0.5, -0.5, 1.0]], np.float32)
"""Blue's excess over red and green."""
BLUE_FROM, BLUE_FULLY = 0.07, 0.14
"""The excess (0-1) from which a sky is blue enough to be told by it."""
LEAST_APART = 0.06
"""By so much the excess of the sky must be beyond that of what is before it."""
EDGE, LEAFY = 4, 2
"""Pixels of the small picture: how far from the sky's outline edges are keyed, and how soft the crowns' are."""
CROWN = 0.14
"""The share of the long side within which crowns let the sky seen beside them through."""
GATHERED = 0.03
"""The share of the long side from which the colours of things before the sky come."""
NONE, ALL = 0.12, 0.9
"""Shares of sky below and above which a pixel is none of it and nothing else: noise and shades of the sky."""
ON_WIRE = 0.85
"""The most of a wire's pixel that may be sky: being thinner, it passes for a shade of the sky."""
LEAST_WEIGHT = 0.02
DARKER = 0.06
"""By so much (0-1) a channel may be darker than the sky's share in it alone would be."""


@dataclass(frozen=True, slots=True)
class Before:
    """Small maps, 0-1: where the sky was found, and the trees and wires that may stand before it."""

    sky: Plane
    trees: Plane
    wires: Plane


@dataclass(frozen=True, slots=True)
class _Key:
    """Small maps: the sky (x 3, 0-255), what is before it (excess of blue, 0-255), how much the key says (0-1), and
    the most of a pixel that may be sky (0-1).
    """

    sky: Plane
    things: Plane
    weight: Plane
    most: Plane


def keyed(found: Matte, pixels: Pixels, small: Plane, before: Before) -> Matte:
    """The full-size matte with the blue sky that shows through trees and along edges added; never less of it.

    `small` is the picture (x 3, 0-1) in which the maps of `before` were found, in the colours of `pixels`.
    """
    key = _key(small, before)
    if key is None:
        return found
    result = found.copy()
    height, width = found.shape
    maps = plane(cv2.merge([*cv2.split(key.sky), key.things, key.weight, key.most]))
    asked = key.weight > LEAST_WEIGHT

    def fill(rows: slice) -> None:
        for each in runs_with_some(asked[small_rows(rows, height, len(asked))]):
            columns = widened(each, asked.shape[1], width)
            here = stretch(maps, pixels.shape, rows, columns)
            share = _share(plane(pixels[rows, columns]), here[..., :3], here[..., 3])
            share = np.minimum(share, here[..., 5]) * here[..., 4]
            result[rows, columns] = np.maximum(result[rows, columns], rounded(plane(share * 255)))

    for_each_strip(pixels.shape, fill)
    return result


def _key(small: Plane, before: Before) -> _Key | None:
    """What to key with; None where the sky is not blue."""
    sky, side = before.sky, max(before.sky.shape)
    sure = plane(sky > 0.97)
    if not sure.any():
        return None
    behind = spread_from(small, sure, side / 50)
    blue = ramp(_excess(behind), BLUE_FROM, BLUE_FULLY)
    if float((blue * (sky > 0.5)).max()) == 0:
        return None
    excess = _excess(small)
    # What is as blue as a third of the sky is no measure of what stands before it.
    plain = plane((sky < 0.1) & (excess < 0.3 * _excess(behind)))
    total = blurred(plain, GATHERED * side) + np.float32(1e-3)
    things = plane(np.minimum(blurred(plane(excess * plain), GATHERED * side) / total, 0.0))
    most = 1 - (1 - ON_WIRE) * ramp(blurred(before.wires, 0.7), 0.0, 0.3)
    return _Key(plane(behind * 255), plane(things * 255), plane(_where(before, side) * blue), plane(most))


def _where(before: Before, side: int) -> Plane:
    """Small map, 0-1: along the sky's outline, on wires, and in crowns that stand before it."""
    around = np.ones((2 * EDGE + 1,) * 2, np.uint8)
    near = plane(cv2.dilate(plane((before.sky > 0.5) | (before.wires > 0)), around))
    open_sky = plane(cv2.erode(plane(before.sky > 0.97), around))
    beside = ramp(blurred(plane(before.sky > 0.5), CROWN * side), 0.02, 0.1)
    leafy = ramp(blurred(before.trees, LEAFY), 0.2, 0.5) * beside
    return plane(np.maximum(blurred(near, 1.0), leafy) * (1 - open_sky))


def _share(pixels: Plane, sky: Plane, things: Plane) -> Plane:
    """How much of each pixel (x 3, 0-255) is sky: by its blue, and by what its darkest channel has room for."""
    apart = np.maximum(_excess(sky) - things, np.float32(255 * LEAST_APART))
    by_blue = (_excess(pixels) - things) / apart
    room = ((pixels + np.float32(255 * DARKER)) / np.maximum(sky, np.float32(8))).min(-1)
    return ramp(plane(np.minimum(by_blue, room)), NONE, ALL)


def _excess(colours: Plane) -> Plane:
    return plane(cv2.transform(colours, EXCESS))
