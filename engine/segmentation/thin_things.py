"""Keeps thin things in front of the sky, such as twigs, antennas and wires, by their share of each pixel.

The share of sky in a mixed pixel follows from its blue light, which lies between that of the sky beside the thing
and that of the thing: the closed-form solution of the matting equation for two known colors.
"""

import cv2
import numpy as np

from engine.arrays import Matte, Pixels, Plane, plane, smoothstep
from engine.filters.smoothing import gaussian_blur
from engine.filters.strips import enlarge_map, find_runs, map_rows, round_to_bytes, run_strips, widen_columns

MAX_WIDTH = 0.009
"""Maximum width of a thin thing, as a share of the long side: that of a branch some meters away."""
MIN_KERNEL = 5
"""Minimum side, in pixels, of the kernel that closes thin things; it is odd."""
DARK_SIDE = 9
"""Side, in pixels, of the area whose darkest pixel has the light of things."""
MAX_THING = 0.4
"""Maximum light of a thing as a share of that of the sky: a twig finer than a pixel never shows its own."""
MIN_CONTRAST = 0.15
"""Minimum difference (0-1) in blue between sky and thing with which a share is computed."""
TOLERANCE = 0.07
"""Share of a thing that is noise, or a shade of the sky."""
CLEAR = 0.3, 0.5
"""Shares of a thing: from the second on it is a thing, however far from others; up to the first it may be a cloud.
"""
WIRE_GAIN = 1.2
"""Gain of the share of a wire: most are finer than a pixel, and would fade in front of a darker sky."""
MAX_LIGHT = 0.85
"""Maximum blue light of things near which thin ones are looked for, as a share of that of a dark part of sky."""
DARK_SKY = 0.1
"""Quantile of the sky's blue light that a dark part has: gaps between white clouds are no things."""
REACH = 0.015
"""Sigma, as a share of the long side, of the blur that finds the sky beside things, where there may be twigs."""
NEAR = 0.01, 0.08
"""Shares of things nearby: from the second on pixels are surely beside things."""


def keep_thin_things(found: Matte, pixels: Pixels, picture: Pixels, sky: Plane, wires: Plane) -> Matte:
    """Subtract from a sky matte the share of thin things that are darker than the sky around them.

    Parameters
    ----------
    found : (H, W) ndarray of uint8
        The matte found so far, 0-255.
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in its own color space.
    picture : (h, w, 3) ndarray of uint8
        The same, with a long side of up to 1600 pixels.
    sky : ndarray of float32
        A small map, 0-1: the sky, with the wires in front of it.
    wires : ndarray of float32
        A small map, 0-1: wires, also far from all other things.

    Returns
    -------
    (H, W) ndarray of uint8
        The matte, 0-255, nowhere above `found`.
    """
    size = picture.shape[1::-1]
    near, line = (
        plane(cv2.resize(each, size, interpolation=cv2.INTER_LINEAR))
        for each in (_find_things_nearby(picture, sky), np.clip(wires * 2, 0, 1))
    )
    red, blue = (_find_light_around(np.ascontiguousarray(picture[..., each])) for each in (0, 2))
    contrast = np.maximum(blue - _find_light_of_things(picture, blue), np.float32(255 * MIN_CONTRAST))
    widen = np.ones((3, 3), np.uint8)
    clear = cv2.dilate(smoothstep(_measure_lack(picture, red, blue, contrast), *CLEAR), widen)
    maps = plane(cv2.merge([red, blue, contrast, np.maximum(near, clear), cv2.dilate(line, widen)]))
    is_near = np.asarray(cv2.resize(found, size, interpolation=cv2.INTER_AREA) > 0) & (maps[..., 3:].max(-1) > 0)
    result, height = found.copy(), len(found)

    def fill(rows: slice) -> None:
        for each in find_runs(is_near[map_rows(rows, height, len(is_near))]):
            columns = widen_columns(each, size[0], found.shape[1])
            share = _share_thing(pixels[rows, columns], enlarge_map(maps, found.shape, rows, columns))
            result[rows, columns] = np.minimum(result[rows, columns], round_to_bytes(plane(255 - 255 * share)))

    run_strips(found.shape, fill)
    return result


def _share_thing(pixels: Pixels, maps: Plane) -> Plane:
    """The share of a thing in each pixel, 0-1."""
    lack = _measure_lack(pixels, *(maps[..., each] for each in range(3)))
    by_color = np.clip((lack - TOLERANCE) / (1 - TOLERANCE), 0, 1) * maps[..., 3]
    return plane(np.clip(np.maximum(by_color, lack * WIRE_GAIN * maps[..., 4]), 0, 1))


def _measure_lack(pixels: Pixels, red: Plane, blue: Plane, contrast: Plane) -> Plane:
    """How much less blue light there is than around, as a share of how much less a thing has.

    A blue gap between clouds lacks more red than blue, but a thing in front of them does not.
    """
    red_lack, blue_lack = red - pixels[..., 0], blue - pixels[..., 2]
    return plane((blue_lack - np.maximum(red_lack - blue_lack, 0)) / contrast)


def _find_things_nearby(picture: Pixels, sky: Plane) -> Plane:
    """Small map, 0-1: 1 near things that are darker than the sky; clouds are not, even if not found as sky."""
    blue = cv2.extractChannel(cv2.resize(picture, sky.shape[::-1], interpolation=cv2.INTER_AREA), 2)
    is_sky = sky > 0.5
    if not is_sky.any():
        return np.zeros_like(sky)
    things = ~is_sky & (blue < MAX_LIGHT * float(np.quantile(blue[is_sky], DARK_SKY)))
    return smoothstep(gaussian_blur(plane(things), REACH * max(sky.shape)), *NEAR)


def _find_light_around(channel: Matte) -> Plane:
    """The light around thin things (0-255), which are narrower than the kernel that closes them."""
    side = max(MIN_KERNEL, round(MAX_WIDTH * max(channel.shape)) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    closed = cv2.morphologyEx(cv2.GaussianBlur(channel, (0, 0), 0.6), cv2.MORPH_CLOSE, kernel)
    return plane(cv2.blur(closed, (MIN_KERNEL, MIN_KERNEL)))


def _find_light_of_things(picture: Pixels, around: Plane) -> Plane:
    """The blue light of thin things (0-255), as that of the darkest pixel nearby."""
    soft = cv2.GaussianBlur(cv2.extractChannel(picture, 2), (0, 0), 0.6)
    darkest = cv2.blur(cv2.erode(soft, np.ones((DARK_SIDE, DARK_SIDE), np.uint8)), (DARK_SIDE, DARK_SIDE))
    return plane(np.minimum(plane(darkest), around * np.float32(MAX_THING)))
