"""Develops the light of a room in a given style: exposure, local contrast, white balance and window views."""

from dataclasses import dataclass

import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.canvas import Canvas, EffectResult
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.color.profiles import ColorProfile
from engine.filters.smoothing import box_filter, gaussian_blur
from engine.filters.strips import start_thread
from engine.relighting.daylight import Daylight, find_daylight
from engine.relighting.tone_mapping import Development, map_tones
from engine.relighting.white_balance import (
    Whites,
    choose_cast,
    compute_white_gains,
    find_whites,
    measure_remaining_warmth,
)
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene
from engine.types.appearance import SharedAppearance
from engine.types.options import Brightness

BASE_RADIUS_SHARE = 28
"""Long side over the radius of the filter that finds the large tones."""
EDGE_SOFTNESS = 0.012
"""Epsilon of this filter: a variance of luma (0-1); edges of more are kept."""
EVEN_VARIANCE = 1e-4
"""Variance of luma up to which a square of this filter counts as without an edge."""
LEAST_LIFT, MOST_LIFT = 1.0, 5.0
"""The range of the gain of the dark tones."""
TOE = 0.14
"""Luma (0-1) below which tones are lifted less: they are the picture's black, and lifted they would be noise."""
BRIGHTNESS_GAINS = {Brightness.DARKER: 0.6, Brightness.AS_IS: 1.0, Brightness.BRIGHTER: 1.55}
"""Factors of the gain of the dark tones, by the brightness that was ordered."""


@dataclass(frozen=True, slots=True)
class LightingStyle:
    """How a room is lit.

    `white` and `middle` are the lumas that its whites and its median are brought to, `detail` adds local contrast,
    `fill` (0-1) evens out large dark areas. `balance` and `local_balance` (0-1) are the strengths with which the
    cast of the whole room and remaining local casts are removed. `view` is how far window views are darkened,
    `most_lift` the largest gain of the dark tones. `brightness` makes the room lighter or darker than this style.
    """

    white: float
    middle: float
    detail: float
    fill: float
    balance: float
    local_balance: float
    view: float = 0.5
    most_lift: float = MOST_LIFT
    brightness: Brightness = Brightness.AS_IS


def light_room(canvas: Canvas, manner: LightingStyle) -> EffectResult:
    """Develop the canvas's picture in one style, with the cast and brightness that its order shares.

    Parameters
    ----------
    canvas : Canvas
        The picture to edit.
    manner : LightingStyle
        How the room is lit.

    Returns
    -------
    EffectResult
        The picture, without a region.
    """
    scene, appearance = canvas.scene, canvas.context.appearance
    # The original photo shows where windows are; light and color are measured on the picture as edited so far.
    panes, small = scene.share(Kind.WINDOW), scene.small
    light_found = start_thread(lambda: find_daylight(scene, small))
    now = scene if canvas.pixels is scene.pixels else Scene(canvas.pixels, scene.profile, scene.digest)
    gray, whites = rgb_to_gray(now.small), find_whites(now.small, panes)
    cast = choose_cast(whites, appearance.cast_indoors)
    gains = _convert_gains(compute_white_gains(cast, manner.balance), plane(cast * whites.level), scene.profile)
    warmth = measure_remaining_warmth(now.own_small, gains, whites, manner.local_balance)
    light = light_found()
    wanted = _compute_wanted(gray, light, _compute_lift(gray, light.window, whites, manner, appearance), manner)
    how = Development(gains, warmth, _convert_gray(wanted, scene.profile))
    return EffectResult(map_tones(canvas.pixels, rgb_to_gray(now.own_small), how))


def _convert_gains(gains: Plane, white: Plane, profile: ColorProfile) -> Plane:
    """The gains that change this white (sRGB, 0-1) in the color space of a profile as `gains` do in sRGB."""
    if not profile.icc:
        return gains
    # Averaged over many shades of white, because a single shade is rounded too coarsely.
    shades = plane(np.linspace(0.8, 1.0, 64)[None, :, None] * white * 255)
    before, after = (profile.from_srgb(each).mean((0, 1)) for each in (shades, plane(shades * gains)))
    return plane(after / np.maximum(before, 1))


def _convert_gray(gray: Plane, profile: ColorProfile) -> Plane:
    """A gray map (0-1) converted from sRGB to the color space of a profile."""
    return plane(profile.from_srgb(plane(gray_to_rgb(gray) * 255))[..., 1] / 255) if profile.icc else gray


def _compute_lift(
    gray: Plane, window: Plane, whites: Whites, manner: LightingStyle, appearance: SharedAppearance
) -> float:
    """The gain of the dark tones that brings the room's whites and its median to the lumas of the style.

    A room with little white gives little evidence of its exposure: half of its median is then that of its order.
    """
    room = gray[window < 0.5]
    now = float(np.median(room)) if room.size else 0.9
    if appearance.brightness_indoors is not None:
        now += (appearance.brightness_indoors - now) * 0.5 * (1 - whites.certainty)
    by_middle = _compute_gain(now, manner.middle)
    by_white = _compute_gain(whites.level, manner.white)
    # A dark room with white walls is underexposed; one with dark walls is not, whatever its median.
    lift = by_middle ** (1 - 0.6 * whites.certainty) * by_white ** (0.6 * whites.certainty)
    return float(np.clip(lift, LEAST_LIFT, manner.most_lift))


def _compute_gain(now: float, wanted: float) -> float:
    now = float(np.clip(now, 0.03, 0.97))
    return wanted * (1 - now) / (now * (1 - wanted))


def _compute_wanted(gray: Plane, light: Daylight, lift: float, manner: LightingStyle) -> Plane:
    """The developed gray, small: large tones are lifted, their detail is kept or strengthened a little."""
    window, brightness = light.view, BRIGHTNESS_GAINS[manner.brightness]
    base = _smooth_large_tones(gray)
    # Bars are too thin for large tones of their own: without this, they would get those of the sky.
    base = plane(base + (gray - base) * light.bars)
    around = gaussian_blur(base, max(gray.shape) / 7)
    uneven = np.clip((np.quantile(around, 0.7) / np.maximum(around, 0.05)) ** manner.fill, 0.92, 1.7)
    lifted = np.minimum(lift * uneven, manner.most_lift) * brightness
    gain = plane(1 + (lifted - 1) * (1 - window))
    strong = 1 + manner.detail * (1 - smoothstep(base, 0.75, 1.0))
    detailed = _raise_tones(base, gain) * (1 + (gray - base) / base * strong)
    # A light thing before dark ground is lifted by little more than its own lightness alone would allow.
    even = np.minimum(detailed, _raise_tones(gray, gain) * 1.04)
    # Views are a bit overexposed: the power darkens their middle tones, while blown-out parts stay white.
    return plane(np.clip(np.clip(even, 0, 1) ** (1 + manner.view * window), 0, 0.995))


def _smooth_large_tones(gray: Plane) -> Plane:
    """The gray smoothed between edges, without light of one side spreading to the other.

    A guided filter in which, of all squares around a pixel, the squares without an edge count by far the most: if
    all counted equally, walls would get a seam along their windows.
    """
    radius = max(2, max(gray.shape) // BASE_RADIUS_SHARE)
    mean = box_filter(gray, radius)
    variance = np.maximum(box_filter(gray * gray, radius) - mean * mean, 0)
    slope = plane(variance / (variance + EDGE_SOFTNESS))
    even = plane((EVEN_VARIANCE / (variance + EVEN_VARIANCE)) ** 2)
    slopes, offsets = (box_filter(plane(each * even), radius) for each in (slope, (1 - slope) * mean))
    return plane(np.clip((gray * slopes + offsets) / box_filter(even, radius), 0.004, 1))


def _raise_tones(values: Plane, gain: Plane) -> Plane:
    """Values (0-1) with the gain applied to dark tones and less to lighter ones; white and black stay."""
    raised = gain * values / (1 + (gain - 1) * values)
    return plane(values + (raised - values) * smoothstep(values, -TOE / 4, TOE))
