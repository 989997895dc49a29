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
    add_known_whites,
    choose_cast,
    compare_with_fixtures,
    compute_white_gains,
    find_whites,
    measure_remaining_cast,
)
from engine.segmentation.labels import Kind, Label
from engine.segmentation.scene import Scene
from engine.types.appearance import SharedAppearance
from engine.types.options import Brightness

BASE_RADIUS_DIVISOR = 28
"""Long side divided by the radius of the filter that finds the large tones."""
EDGE_SOFTNESS = 0.012
"""Epsilon of this filter, a variance of luma (0-1): edges with a higher variance are kept."""
EVEN_VARIANCE = 1e-4
"""Variance of luma (0-1) up to which a square of this filter counts as without an edge."""
CEILING_REACH = 1 / 6
"""Sigma of the blur over a ceiling with which its patches are compared, as a share of the long side."""
CEILING_FACTORS = (0.9, 1.2)
"""Limits of the ratio of the luma around a place of a ceiling to its own luma: larger differences are no patches.
"""
MIN_LIFT, MAX_LIFT = 1.0, 5.0
"""The range of the gain of the dark tones."""
MIN_LIFTED_LUMA = 0.14
"""Luma (0-1) below which tones are lifted less: black would become noise."""
SHOULDER = (0.84, 0.95)
"""Luma (0-1): lifted tones above the first are compressed, and approach the second: whites keep their texture."""
EVEN_TEXTURE, BUSY_TEXTURE = 0.055, 0.13
"""Mean detail of a photo, as a share of its large tones: up to the first all local contrast of the style is added,
from the second on none, because the photo is already tone-mapped (4 of 40 rooms are above 0.11).
"""
BRIGHTNESS_GAINS = {Brightness.DARKER: 0.6, Brightness.AS_IS: 1.0, Brightness.BRIGHTER: 1.55}
"""Factors of the gain of the dark tones, by the brightness that was ordered."""


@dataclass(frozen=True, slots=True)
class LightingStyle:
    """How a room is lit.

    `white` and `middle` are the target lumas of its whites and its median, `detail` is the local contrast to add,
    `fill` (0-1) the strength with which large dark areas are lightened. `balance` and `local_balance` (0-1) are
    the strengths with which the cast of the whole room and remaining local casts are removed. `contrast` is the
    strength of a curve that deepens dark tones and lightens light ones, `cleanness` (0-1) the share of the chroma
    of off-whites that is taken out. `view` is the strength with which window views are darkened, `max_lift` the
    maximum gain of the dark tones. `brightness` makes the room lighter or darker than this style.
    """

    white: float
    middle: float
    detail: float
    fill: float
    balance: float
    local_balance: float
    contrast: float = 0.0
    cleanness: float = 0.0
    view: float = 0.5
    max_lift: float = MAX_LIFT
    brightness: Brightness = Brightness.AS_IS


def light_room(canvas: Canvas, style: LightingStyle) -> EffectResult:
    """Develop the canvas's picture in one style, with the cast and brightness that its order shares.

    Parameters
    ----------
    canvas : Canvas
        The picture to edit.
    style : LightingStyle
        The style of the light.

    Returns
    -------
    EffectResult
        The picture, without a region.
    """
    scene, appearance = canvas.scene, canvas.context.appearance
    # The original photo shows where windows are; light and color are measured on the picture as edited so far.
    panes, small = scene.share(Kind.WINDOW), scene.small
    daylight = start_thread(lambda: find_daylight(scene, small))
    current = scene if canvas.pixels is scene.pixels else Scene(canvas.pixels, scene.profile, scene.digest)
    gray, ceiling, fixtures = (
        rgb_to_gray(current.small),
        scene.label_share(Label.CEILING),
        scene.label_share(Label.SANITARY),
    )
    whites = compare_with_fixtures(find_whites(current.small, panes), current.small, fixtures)
    cast = choose_cast(whites, appearance.cast_indoors)
    gains = _convert_gains(compute_white_gains(cast, style.balance), plane(cast * whites.level), scene.profile)
    nearby = add_known_whites(whites, current.small, plane(ceiling + fixtures))
    cast_maps = measure_remaining_cast(current.own_small, gains, nearby, style.local_balance)
    light = daylight()
    target = _compute_target(
        gray,
        light,
        ceiling,
        _compute_lift(gray, light.window, whites, style, appearance),
        style,
    )
    # The outside is lit by daylight, not by the room's lamps, so it keeps the color that the camera gave it.
    balance = plane(1 - light.outside)
    development = Development(gains, *cast_maps, _convert_gray(target, scene.profile), balance, style.cleanness)
    return EffectResult(map_tones(canvas.pixels, current.own_small, development))


def _convert_gains(gains: Plane, white: Plane, profile: ColorProfile) -> Plane:
    """Convert gains of a white (sRGB, 0-1) from sRGB to the color space of a profile."""
    if not profile.icc:
        return gains
    # Averaged over many shades of white, because a single shade is rounded too coarsely.
    shades = plane(np.linspace(0.8, 1.0, 64)[None, :, None] * white * 255)
    before, after = (profile.from_srgb(each).mean((0, 1)) for each in (shades, plane(shades * gains)))
    return plane(after / np.maximum(before, 1))


def _convert_gray(gray: Plane, profile: ColorProfile) -> Plane:
    """Convert a gray map (0-1) from sRGB to the color space of a profile."""
    return plane(profile.from_srgb(plane(gray_to_rgb(gray) * 255))[..., 1] / 255) if profile.icc else gray


def _compute_lift(
    gray: Plane, window: Plane, whites: Whites, style: LightingStyle, appearance: SharedAppearance
) -> float:
    """Compute the gain of the dark tones that brings the room's whites and its median to the lumas of the style.

    With little white, the exposure of a room is uncertain; then its median is averaged with that of the order.
    """
    room = gray[window < 0.5]
    current = float(np.median(room)) if room.size else 0.9
    if appearance.brightness_indoors is not None:
        current += (appearance.brightness_indoors - current) * 0.5 * (1 - whites.certainty)
    by_middle = _compute_gain(current, style.middle)
    by_white = _compute_gain(whites.level, style.white)
    # A dark room with white walls is underexposed; one with dark walls may not be.
    lift = by_middle ** (1 - 0.6 * whites.certainty) * by_white ** (0.6 * whites.certainty)
    return float(np.clip(lift, MIN_LIFT, style.max_lift))


def _compute_gain(current: float, target: float) -> float:
    current = float(np.clip(current, 0.03, 0.97))
    return target * (1 - current) / (current * (1 - target))


def _compute_target(gray: Plane, light: Daylight, ceiling: Plane, lift: float, style: LightingStyle) -> Plane:
    """Compute the developed gray of the small picture: large tones are lifted, detail is kept or strengthened."""
    window, brightness = light.view, BRIGHTNESS_GAINS[style.brightness]
    base = _smooth_large_tones(gray)
    # Bars are too thin to have their own large tones; without this step, they would get those of the sky.
    base = plane(base + (gray - base) * light.bars)
    blurred = gaussian_blur(base, max(gray.shape) / 7)
    uneven = np.clip((np.quantile(blurred, 0.7) / np.maximum(blurred, 0.05)) ** style.fill, 0.92, 1.7)
    uneven *= _even_ceiling(base, ceiling) ** style.fill
    lifted = np.minimum(lift * uneven, style.max_lift) * brightness
    gain = plane(1 + (lifted - 1) * (1 - np.maximum(window, light.outside)))
    contrast = plane(style.contrast * (1 - window))
    detail = plane((gray - base) / base)
    added = style.detail * smoothstep(plane(np.abs(detail).mean()), BUSY_TEXTURE, EVEN_TEXTURE)
    detailed = _develop_tones(base, gain, contrast) * (1 + detail * (1 + added * (1 - smoothstep(base, 0.85, 1.0))))
    # A light thing in front of a dark background is lifted at most 4 % more than its own luma alone would be.
    limited = np.minimum(detailed, _develop_tones(gray, gain, contrast) * 1.04)
    # Views are a little overexposed: the power darkens their middle tones, while blown-out parts stay white.
    shown = np.clip(limited, 0, 1) ** (1 + style.view * window)
    return plane(np.clip(shown, 0, 0.995))


def _develop_tones(values: Plane, gain: Plane, contrast: Plane) -> Plane:
    """Raise tones, deepen dark tones by the contrast, and compress tones near white, not below their old values."""
    raised = _raise_tones(values, gain)
    raised += contrast * raised * (1 - raised) * (2 * raised - 1)
    knee, top = SHOULDER
    above = np.maximum(raised - knee, 0)
    compressed = np.minimum(raised, knee) + (top - knee) * (1 - np.exp(-above / (top - knee)))
    return plane(np.maximum(compressed, np.minimum(values, raised)))


def _even_ceiling(base: Plane, ceiling: Plane) -> Plane:
    """Factors for the gain that bring patches of light on a ceiling nearer to one another; 1 elsewhere."""
    reach = max(base.shape) * CEILING_REACH
    mean = (gaussian_blur(plane(base * ceiling), reach) + 1e-4) / (gaussian_blur(ceiling, reach) + 1e-4)
    factor = np.clip(mean / np.maximum(base, 0.05), *CEILING_FACTORS) ** 2
    return plane(1 + (factor - 1) * smoothstep(ceiling, 0.4, 0.9))


def _smooth_large_tones(gray: Plane) -> Plane:
    """Smooth the gray between edges.

    This is a guided filter whose squares without an edge have by far the highest weight. With equal weights, walls
    would get a seam along the windows of the room.
    """
    radius = max(2, max(gray.shape) // BASE_RADIUS_DIVISOR)
    mean = box_filter(gray, radius)
    variance = np.maximum(box_filter(gray * gray, radius) - mean * mean, 0)
    slope = plane(variance / (variance + EDGE_SOFTNESS))
    even_weight = plane((EVEN_VARIANCE / (variance + EVEN_VARIANCE)) ** 2)
    slopes, offsets = (box_filter(plane(each * even_weight), radius) for each in (slope, (1 - slope) * mean))
    return plane(np.clip((gray * slopes + offsets) / box_filter(even_weight, radius), 0.004, 1))


def _raise_tones(values: Plane, gain: Plane) -> Plane:
    """Apply the gain to dark tones, and less of it to lighter ones; white and black stay (values 0-1)."""
    raised = gain * values / (1 + (gain - 1) * values)
    return plane(values + (raised - values) * smoothstep(values, -MIN_LIFTED_LUMA / 4, MIN_LIFTED_LUMA))
