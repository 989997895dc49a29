"""Tone mapping of a room at full size, by maps that were computed at a small size."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.filters.smoothing import box_filter
from engine.filters.strips import compute_light, enlarge_map, make_dither, map_strips

MODEL_RADIUS = 5
"""Radius of the linear models' window, in pixels of the small picture."""
MODEL_SOFTNESS = 4e-4
"""Epsilon of the linear models: a variance of luma (0-1) below which places count as flat."""
LEAST_SCALE, MOST_SCALE = 0.5, 3.2
"""The range of the factors by which pixels are multiplied."""
DARK = 3.0
"""Least luma (0-255) that a factor is computed from; darker pixels give no reliable factor of their own."""
JUST_BELOW_WHITE = 252.5
"""The lightest (0-255) that a pixel may become that was not lighter before."""
FADES_FROM = 228.0
"""Weakest color (0-255) of a pixel from which on the white balance fades out; at 255 white stays white."""
CHROMA_HELD = 0.8
"""How far chroma grows less than the light: at 0 it grows with the light, at 1 with the light's square root."""
LIGHT = (150.0, 215.0)
"""Strongest color (0-255, lifted) at which a tone begins to count as light, and from which it counts fully."""
RED_OF_BLUE = 0.55
"""How much red is lowered where blue is raised, as a share: warm places are lit by lamps."""


@dataclass(frozen=True, slots=True)
class Development:
    """How a picture is developed, in its own color space.

    `gains` (3): the white balance of the whole picture. Small maps: `warmth`, the share by which blue is still too
    weak at each place; `gray`, 0-1, the gray that each place is to have.
    """

    gains: Plane
    warmth: Plane
    gray: Plane


def map_tones(pixels: Pixels, gray: Plane, how: Development) -> Pixels:
    """Develop the picture.

    At each place, a linear model maps the small picture's gray to the developed gray; the models are enlarged and
    applied at full size, so that real edges are kept. After [1]_, with the guided filter's models instead of a
    bilateral grid's.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The picture, gamma-coded, in the photo's own color space.
    gray : (h, w) ndarray of float32
        The luma of the small picture, 0-1, from which `how.gray` was made.
    how : Development
        How to develop the picture.

    Returns
    -------
    (H, W, 3) ndarray of uint8
        In the color space of `pixels`.

    References
    ----------
    .. [1] Chen, Adams, Wadhwa and Hasinoff, "Bilateral Guided Upsampling", 2016.
    """
    slope, offset = _fit_model(gray, how.gray)
    maps = plane(cv2.merge([slope, plane(offset * 255), how.warmth]))
    gains = tuple(float(gain) for gain in how.gains)

    def light(part: Pixels, rows: slice, columns: slice, shape: tuple[int, ...]) -> Plane:
        slope, offset, warmth = (plane(each) for each in cv2.split(enlarge_map(maps, shape, rows, columns)))
        colors = tuple(plane(channel) for channel in cv2.split(part))
        scale = _scale(_luma(*colors), slope, offset, make_dither(rows, columns))
        balance = _balance(colors, gains, warmth, scale)
        balanced = tuple(plane(each * gain) for each, gain in zip(colors, balance, strict=True))
        luma = _luma(*balanced)
        highest = np.maximum(np.float32(JUST_BELOW_WHITE) / np.maximum(luma, np.float32(1)), np.float32(1))
        scale = plane(np.minimum(scale, highest))
        share = _chroma_kept(luma, plane(cv2.max(cv2.max(*balanced[:2]), balanced[2])), scale)
        colored = plane(scale * share)
        return plane(cv2.merge([*(each * colored for each in balance), (scale - colored) * luma]))

    def strip_of(strip: Pixels, rows: slice) -> Pixels:
        lit = compute_light(pixels, rows, slice(0, pixels.shape[1]), light)
        done = cv2.multiply(strip, np.ascontiguousarray(lit[..., :3]), dtype=cv2.CV_8U)
        gray = cv2.convertScaleAbs(np.ascontiguousarray(lit[..., 3]))
        done = cv2.add(done, cv2.merge([gray, gray, gray]))
        # The light may have been computed on means of pixels; a pixel lighter than the mean must not become white.
        return np.minimum(np.asarray(done, np.uint8), np.maximum(strip, np.uint8(JUST_BELOW_WHITE)))

    return map_strips(pixels, strip_of)


def _luma(red: Plane, green: Plane, blue: Plane) -> Plane:
    return plane(cv2.scaleAdd(blue, 0.114, cv2.addWeighted(red, 0.299, green, 0.587, 0)))


def _balance(
    colors: tuple[Plane, ...], gains: tuple[float, ...], warmth: Plane, scale: Plane
) -> tuple[Plane, Plane, Plane]:
    """The factors of each color (0-255) that remove the cast; light tones are changed no further than to neutral.

    Lamps and tones near white have another color than the walls, or their red is clipped: changed as much as the
    walls, they would turn blue or cyan.
    """
    red, green, blue = colors
    faded = np.float32(255) - cv2.min(cv2.min(red, green), blue)
    faded = np.minimum(faded * np.float32(1 / (255.0 - FADES_FROM)), np.float32(1))
    now_red = red * (1 + (np.float32(gains[0]) - 1 - np.float32(gains[0] * RED_OF_BLUE) * warmth) * faded)
    now_green = green * (1 + np.float32(gains[1] - 1) * faded)
    now_blue = blue * (1 + (np.float32(gains[2]) - 1 + np.float32(gains[2]) * warmth) * faded)
    # A lowered color that was above the others does not fall below them; a raised one does not rise above them.
    least_red = cv2.max(now_red, cv2.min(red, cv2.max(now_green, now_blue)))
    least_blue = cv2.max(now_blue, cv2.min(blue, cv2.max(now_green, now_red)))
    held_red = cv2.min(least_red, cv2.max(red, cv2.min(now_green, least_blue)))
    held_blue = cv2.min(least_blue, cv2.max(blue, cv2.min(now_green, least_red)))
    peak = cv2.max(cv2.max(red, green), blue) * scale
    light = np.clip((peak - np.float32(LIGHT[0])) * np.float32(1 / (LIGHT[1] - LIGHT[0])), 0, 1)
    now_red += (held_red - now_red) * light
    now_blue += (held_blue - now_blue) * light
    least = np.float32(1)
    return (
        plane((now_red + least) / (red + least)),
        plane((now_green + least) / (green + least)),
        plane((now_blue + least) / (blue + least)),
    )


def _chroma_kept(luma: Plane, peak: Plane, scale: Plane) -> Plane:
    """The share of each pixel's chroma that is scaled with its light, 0-1, so that no color glares.

    `luma` and `peak` (the strongest color) are from before scaling, 0-255. Chroma grows less than the light (see
    CHROMA_HELD), and still less where a color comes near the strongest that its luma leaves room for.
    """
    share = 1 / np.sqrt(1 + np.float32(CHROMA_HELD) * np.maximum(scale - 1, 0))
    least = np.float32(1)
    # Colors that are clipped in the photo may stay clipped.
    most = np.clip(peak, np.float32(JUST_BELOW_WHITE), np.float32(255))
    away = peak - luma
    before = away / np.maximum(most - luma, least)
    room = np.maximum(most - luma * scale, 0)
    after = away * scale * share / np.maximum(room, least)
    share *= np.minimum(np.sqrt((1 + before * before) / (1 + after * after)), 1)
    return plane(np.minimum(share, room / np.maximum(away * scale, least)))


def _scale(gray: Plane, slope: Plane, offset: Plane, noise: Plane) -> Plane:
    """The factor that gives each pixel its developed gray; a little noise prevents banding."""
    wanted = cv2.add(cv2.multiply(gray, slope), offset)
    wanted = cv2.scaleAdd(noise, 0.5, wanted)
    return plane(
        np.clip(wanted / np.maximum(gray, np.float32(DARK)), np.float32(LEAST_SCALE), np.float32(MOST_SCALE))
    )


def _fit_model(gray: Plane, wanted: Plane) -> tuple[Plane, Plane]:
    """Slope and offset at each place of the model wanted = slope * gray + offset."""
    mean, wanted_mean = box_filter(gray, MODEL_RADIUS), box_filter(wanted, MODEL_RADIUS)
    variance = box_filter(gray * gray, MODEL_RADIUS) - mean * mean
    shared = box_filter(gray * wanted, MODEL_RADIUS) - mean * wanted_mean
    # In flat areas, small differences are grain or JPEG blocks: amplified only by the square root of the light.
    ratio = plane((wanted_mean + 0.01) / (mean + 0.01))
    ratio = plane(np.minimum(ratio, np.sqrt(ratio)))
    slope = plane((shared + MODEL_SOFTNESS * ratio) / (variance + MODEL_SOFTNESS))
    slope = plane(np.clip(slope, 0, MOST_SCALE))
    offset = plane(wanted_mean - slope * mean)
    return box_filter(slope, MODEL_RADIUS), box_filter(offset, MODEL_RADIUS)
