"""Maps the tones of a room at full size, by maps that were computed at a small size."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.filters.smoothing import box_filter
from engine.filters.strips import compute_light, enlarge_map, make_dither, map_strips
from engine.relighting.noise import fit_chroma_model, measure_grain

MODEL_RADIUS = 5
"""Radius, in pixels of the small picture, of the squares to which linear models are fitted."""
MODEL_SOFTNESS = 4e-4
"""Epsilon of the linear models, a variance of luma (0-1): squares with a lower variance count as flat."""
MIN_SCALE, MAX_SCALE = 0.5, 3.2
"""The range of the factors by which pixels are multiplied."""
MIN_FACTOR_LUMA = 3.0
"""Minimum luma (0-255) from which a factor is computed; darker pixels give no reliable factor."""
MAX_NEW_LEVEL = 252.5
"""Maximum level (0-255) of a developed pixel, unless it was lighter before."""
FADE_START = 228.0
"""Weakest channel (0-255) of a pixel from which on the white balance fades out; at 255 white stays white."""
CHROMA_COMPRESSION = (0.8, 0.3)
"""Compression of the chroma of pale and of strong colors: at 0 chroma grows with the light, at 1 with about the
square root of the light. Casts and noise are pale; wood and paint would lose their color.
"""
STRONG_COLOR = (0.12, 0.35)
"""Strongest channel minus luma, as its share: up to the first a color is pale, from the second on it is strong."""
LIGHT_RANGE = (150.0, 215.0)
"""Strongest channel (0-255, after lifting): up to the first a tone is not light, from the second on it fully is."""
OFF_WHITE_CHROMA = (0.03, 0.09)
"""Chroma (0-1): up to the first a light tone is white, from the second on it is paint."""
RED_SHARE = 0.55
"""Decrease of red where blue is raised, as a share of the increase of blue: warm places are lit by lamps."""


@dataclass(frozen=True, slots=True)
class Development:
    """How a picture is developed, in its own color space.

    `gains` (3) are the white balance of the whole picture. Small maps: `warmth` is the share by which blue is still
    too weak in each pixel, `tint` the share by which green is too strong, `gray` (0-1) the target gray of each
    pixel, `balance` (0-1) the share of the white balance that each pixel gets. `cleanness` (0-1) is the share of
    the chroma of light, nearly neutral tones that is removed.
    """

    gains: Plane
    warmth: Plane
    tint: Plane
    gray: Plane
    balance: Plane
    cleanness: float = 0.0


def map_tones(pixels: Pixels, small: Plane, development: Development) -> Pixels:
    """Develop the picture.

    For each pixel of the small picture, a linear model maps the gray to the developed gray. The models are enlarged
    and applied at full size, which keeps edges. This follows [1]_, but with the models of the guided filter instead
    of a bilateral grid. Noise does not grow with the light: flat places keep their old contrast, and their chroma
    is smoothed.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The picture, gamma-coded, in the photo's own color space.
    small : (h, w, 3) ndarray of float32
        The small picture, 0-1, in the color space of `pixels`, from which `development.gray` was made.
    development : Development
        How to develop the picture.

    Returns
    -------
    (H, W, 3) ndarray of uint8
        In the color space of `pixels`.

    References
    ----------
    .. [1] Chen, Adams, Wadhwa and Hasinoff, "Bilateral Guided Upsampling", 2016.
    """
    gray = rgb_to_gray(small)
    slope, offset = _fit_model(gray, development.gray)
    chroma = fit_chroma_model(small, plane((development.gray + 0.01) / (gray + 0.01)))
    tones = [slope, plane(offset * 255), development.warmth, development.tint, development.balance]
    smoothing = [chroma.keep, *cv2.split(chroma.slope), *cv2.split(chroma.offset * np.float32(255))]
    maps = plane(cv2.merge([*tones, *smoothing]))
    gains = tuple(float(gain) for gain in development.gains)

    def develop_part(part: Pixels, rows: slice, columns: slice, shape: tuple[int, ...]) -> Plane:
        """The slope of each pixel, and the value that is added to the product of color and slope."""
        slope, offset, warmth, tint, balance, *smoothing = (
            plane(each) for each in cv2.split(enlarge_map(maps, shape, rows, columns))
        )
        colors = tuple(plane(channel) for channel in cv2.split(part))
        luma = _compute_luma(*colors)
        scale = _compute_scale(luma, slope, offset, make_dither(rows, columns))
        smooth = _smooth_chroma(colors, luma, smoothing)
        factors = _compute_balance(smooth, gains, (warmth, tint, balance), scale)
        balanced = tuple(plane(each * factor) for each, factor in zip(smooth, factors, strict=True))
        luma = _compute_luma(*balanced)
        max_scale = np.maximum(np.float32(MAX_NEW_LEVEL) / np.maximum(luma, np.float32(1)), np.float32(1))
        scale = plane(np.minimum(scale, max_scale))
        share = _compute_chroma_share(luma, plane(cv2.max(cv2.max(*balanced[:2]), balanced[2])), scale)
        if development.cleanness:
            share *= 1 - np.float32(development.cleanness) * _find_off_white(balanced, plane(luma * scale))
        colored = plane(scale * share)
        added = (scale - colored) * luma
        developed = (each * colored + added - own * slope for each, own in zip(balanced, colors, strict=True))
        return plane(cv2.merge([*developed, slope]))

    def develop_strip(strip: Pixels, rows: slice) -> Pixels:
        light = compute_light(pixels, rows, slice(0, pixels.shape[1]), develop_part)
        developed = cv2.multiply(strip, gray_to_rgb(np.ascontiguousarray(light[..., 3])), dtype=cv2.CV_32F)
        developed = cv2.add(developed, np.ascontiguousarray(light[..., :3]), dtype=cv2.CV_8U)
        # Light may have been computed on means of pixels; a pixel lighter than its mean must not become white.
        return np.minimum(np.asarray(developed, np.uint8), np.maximum(strip, np.uint8(MAX_NEW_LEVEL)))

    return map_strips(pixels, develop_strip)


def _smooth_chroma(colors: tuple[Plane, ...], luma: Plane, smoothing: list[Plane]) -> tuple[Plane, ...]:
    """Smooth the chroma of the colors (0-255) by the maps of a ChromaModel; luma stays."""
    keep, slope_red, slope_blue, offset_red, offset_blue = smoothing
    red, blue = (
        np.maximum(luma + keep * (color - luma) + slope * luma + offset, np.float32(0))
        for color, slope, offset in ((colors[0], slope_red, offset_red), (colors[2], slope_blue, offset_blue))
    )
    green = (luma - red * np.float32(0.299) - blue * np.float32(0.114)) * np.float32(1 / 0.587)
    green = np.maximum(green, np.float32(0))
    return plane(red), plane(green), plane(blue)


def _compute_luma(red: Plane, green: Plane, blue: Plane) -> Plane:
    return plane(cv2.scaleAdd(blue, 0.114, cv2.addWeighted(red, 0.299, green, 0.587, 0)))


def _compute_balance(
    colors: tuple[Plane, ...], gains: tuple[float, ...], cast: tuple[Plane, Plane, Plane], scale: Plane
) -> tuple[Plane, Plane, Plane]:
    """Compute the factors of each channel (0-255) that remove the cast; light tones are changed at most to neutral.

    Lamps and tones near white have another color than the walls, or their red is clipped. If they were changed as
    much as the walls, they would become blue or cyan.
    """
    (red, green, blue), (warmth, tint, balance) = colors, cast
    fade = np.float32(255) - cv2.min(cv2.min(red, green), blue)
    fade = np.minimum(fade * np.float32(1 / (255.0 - FADE_START)), np.float32(1)) * balance
    now_red = red * (1 + (np.float32(gains[0]) - 1 - np.float32(gains[0] * RED_SHARE) * warmth) * fade)
    now_green = green * (1 + np.float32(gains[1] - 1) * fade)
    now_blue = blue * (1 + (np.float32(gains[2]) - 1 + np.float32(gains[2]) * warmth) * fade)
    # A lowered color that was above the others does not fall below them; a raised one does not rise above them.
    least_red = cv2.max(now_red, cv2.min(red, cv2.max(now_green, now_blue)))
    least_blue = cv2.max(now_blue, cv2.min(blue, cv2.max(now_green, now_red)))
    held_red = cv2.min(least_red, cv2.max(red, cv2.min(now_green, least_blue)))
    held_blue = cv2.min(least_blue, cv2.max(blue, cv2.min(now_green, least_red)))
    peak = cv2.max(cv2.max(red, green), blue) * scale
    lightness = np.clip(
        (peak - np.float32(LIGHT_RANGE[0])) * np.float32(1 / (LIGHT_RANGE[1] - LIGHT_RANGE[0])), 0, 1
    )
    now_red += (held_red - now_red) * lightness
    now_blue += (held_blue - now_blue) * lightness
    # Green is moved at most to neutral: it becomes neither pink nor greener than it was.
    between = (now_red + now_blue) * np.float32(0.5)
    less_tinted = now_green * (1 - tint * fade)
    now_green = cv2.min(cv2.max(less_tinted, cv2.min(now_green, between)), cv2.max(now_green, between))
    one = np.float32(1)
    return (
        plane((now_red + one) / (red + one)),
        plane((now_green + one) / (green + one)),
        plane((now_blue + one) / (blue + one)),
    )


def _compute_chroma_share(luma: Plane, peak: Plane, scale: Plane) -> Plane:
    """Compute the share of each pixel's chroma that is scaled with its light, 0-1, so that no color is too strong.

    `luma` and `peak` (the strongest channel) are values before scaling, 0-255. Chroma grows less than the light
    (see CHROMA_COMPRESSION), and even less for colors near the strongest possible at their luma.
    """
    one, (pale, strong) = np.float32(1), CHROMA_COMPRESSION
    strength = (1 - luma / np.maximum(peak, one) - np.float32(STRONG_COLOR[0])) * np.float32(
        1 / (STRONG_COLOR[1] - STRONG_COLOR[0])
    )
    compression = np.float32(pale) - np.float32(pale - strong) * np.clip(strength, 0, 1)
    share = 1 / np.sqrt(1 + compression * np.maximum(scale - 1, 0))
    # Colors that are clipped in the photo may stay clipped.
    limit = np.clip(peak, np.float32(MAX_NEW_LEVEL), np.float32(255))
    chroma = peak - luma
    before = chroma / np.maximum(limit - luma, one)
    headroom = np.maximum(limit - luma * scale, 0)
    after = chroma * scale * share / np.maximum(headroom, one)
    share *= np.minimum(np.sqrt((1 + before * before) / (1 + after * after)), 1)
    return plane(np.minimum(share, headroom / np.maximum(chroma * scale, one)))


def _find_off_white(colors: tuple[Plane, ...], light: Plane) -> Plane:
    """0-1: 1 for colors (0-255) that are nearly neutral, where `light` (luma after scaling, 0-255) is high."""
    peak = cv2.max(cv2.max(colors[0], colors[1]), colors[2])
    chroma = 1 - cv2.min(cv2.min(colors[0], colors[1]), colors[2]) / np.maximum(peak, np.float32(1))
    neutral = np.clip(
        (OFF_WHITE_CHROMA[1] - chroma) * np.float32(1 / (OFF_WHITE_CHROMA[1] - OFF_WHITE_CHROMA[0])), 0, 1
    )
    bright = np.clip((light - LIGHT_RANGE[0]) * np.float32(1 / (LIGHT_RANGE[1] - LIGHT_RANGE[0])), 0, 1)
    return plane(neutral * bright)


def _compute_scale(gray: Plane, slope: Plane, offset: Plane, noise: Plane) -> Plane:
    """Compute the factor that gives each pixel its developed gray; a little noise prevents banding."""
    target = cv2.add(cv2.multiply(gray, slope), offset)
    target = cv2.scaleAdd(noise, 0.5, target)
    return plane(
        np.clip(
            target / np.maximum(gray, np.float32(MIN_FACTOR_LUMA)), np.float32(MIN_SCALE), np.float32(MAX_SCALE)
        )
    )


def _fit_model(gray: Plane, target: Plane) -> tuple[Plane, Plane]:
    """Fit slope and offset of the model target = slope * gray + offset around each pixel."""
    mean, target_mean = box_filter(gray, MODEL_RADIUS), box_filter(target, MODEL_RADIUS)
    variance = np.maximum(box_filter(gray * gray, MODEL_RADIUS) - mean * mean, 0)
    covariance = box_filter(gray * target, MODEL_RADIUS) - mean * target_mean
    # As in a Wiener filter, only variation beyond that of the grain counts. Flat places have only grain or JPEG
    # blocks: these keep their contrast and do not grow with the light.
    signal = plane(np.maximum(variance - measure_grain(gray) ** 2, 0))
    ratio = plane((target_mean + 0.01) / (mean + 0.01))
    ratio = plane(np.minimum(ratio, ratio**-0.3))
    slope = plane((covariance * signal / (variance + 1e-9) + MODEL_SOFTNESS * ratio) / (signal + MODEL_SOFTNESS))
    slope = plane(np.clip(slope, 0, MAX_SCALE))
    offset = plane(target_mean - slope * mean)
    return box_filter(slope, MODEL_RADIUS), box_filter(offset, MODEL_RADIUS)
