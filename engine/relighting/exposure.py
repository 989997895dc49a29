"""The light of a room developed anew: exposure, local contrast, white balance and window views in one manner."""

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

BASE_RADIUS_SHARE, EDGE_SOFTNESS, EVEN_VARIANCE = 28, 0.012, 1e-4
LEAST_LIFT, MOST_LIFT = 1.0, 5.0
# Tones below this are the picture's black: they are noise when lifted.
TOE = 0.14
# What the lift of the dark tones is multiplied by, as the room is to become.
BRIGHTNESS_GAINS = {Brightness.DARKER: 0.6, Brightness.AS_IS: 1.0, Brightness.BRIGHTER: 1.55}


@dataclass(frozen=True, slots=True)
class LightingStyle:
    """How a room is lit.

    `white` and `middle` are the lumas its whites and its median are brought to, `detail` adds local contrast,
    `fill` (0-1) evens out large dark areas, `balance` and `local_balance` (0-1) are the strengths with which the
    cast of the whole and those of its places are removed, `view` is how far window views are darkened, `most_lift`
    the most gain of the dark tones, `brightness` how light the room becomes compared with all that.
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
    """The canvas's picture developed in one manner, with the cast and brightness that its order shares.

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
    # What is where, the photo tells; how light and how colored it is, the picture as it has become.
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
    """The gains that do in the space of a profile what these do in sRGB to this white (sRGB, 0-1)."""
    if not profile.icc:
        return gains
    # Many shades of it: one alone is rounded too far.
    shades = plane(np.linspace(0.8, 1.0, 64)[None, :, None] * white * 255)
    before, after = (profile.from_srgb(each).mean((0, 1)) for each in (shades, plane(shades * gains)))
    return plane(after / np.maximum(before, 1))


def _convert_gray(gray: Plane, profile: ColorProfile) -> Plane:
    """A gray map in sRGB, 0-1, in the space of a profile."""
    return plane(profile.from_srgb(plane(gray_to_rgb(gray) * 255))[..., 1] / 255) if profile.icc else gray


def _compute_lift(
    gray: Plane, window: Plane, whites: Whites, manner: LightingStyle, appearance: SharedAppearance
) -> float:
    """The gain of the dark tones that brings the room's whites and its median to where they belong.

    A room with little white in it says little of its exposure: then half of it is what its order's rooms have.
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
    """The developed gray, small: the large tones lifted, the detail upon them as it was or a bit stronger."""
    window, brightness = light.view, BRIGHTNESS_GAINS[manner.brightness]
    base = _smooth_large_tones(gray)
    # Bars are too thin for large tones of their own: without this the sky's count for them.
    base = plane(base + (gray - base) * light.bars)
    around = gaussian_blur(base, max(gray.shape) / 7)
    uneven = np.clip((np.quantile(around, 0.7) / np.maximum(around, 0.05)) ** manner.fill, 0.92, 1.7)
    lifted = np.minimum(lift * uneven, manner.most_lift) * brightness
    gain = plane(1 + (lifted - 1) * (1 - window))
    strong = 1 + manner.detail * (1 - smoothstep(base, 0.75, 1.0))
    detailed = _raise_tones(base, gain) * (1 + (gray - base) / base * strong)
    # Light things before dark ground do not rise over what their own lightness allows.
    even = np.minimum(detailed, _raise_tones(gray, gain) * 1.04)
    # Views are a bit overexposed: bent so, they get their middle tones back and what is blown stays white.
    return plane(np.clip(np.clip(even, 0, 1) ** (1 + manner.view * window), 0, 0.995))


def _smooth_large_tones(gray: Plane) -> Plane:
    """The gray smoothed up to its edges, without the light of one side on the other.

    A guided filter in which, of all squares around a pixel, those without an edge count by far the most: with all
    of them alike, walls take a seam from their windows.
    """
    radius = max(2, max(gray.shape) // BASE_RADIUS_SHARE)
    mean = box_filter(gray, radius)
    variance = np.maximum(box_filter(gray * gray, radius) - mean * mean, 0)
    slope = plane(variance / (variance + EDGE_SOFTNESS))
    even = plane((EVEN_VARIANCE / (variance + EVEN_VARIANCE)) ** 2)
    slopes, offsets = (box_filter(plane(each * even), radius) for each in (slope, (1 - slope) * mean))
    return plane(np.clip((gray * slopes + offsets) / box_filter(even, radius), 0.004, 1))


def _raise_tones(values: Plane, gain: Plane) -> Plane:
    """Values of 0-1 with the gain at the dark end, bending over so that white stays white; black stays black."""
    raised = gain * values / (1 + (gain - 1) * values)
    return plane(values + (raised - values) * smoothstep(values, -TOE / 4, TOE))
