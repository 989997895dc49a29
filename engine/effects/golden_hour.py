"""Golden hour: a low warm sun beside the view, cooler shade, softer shadows of the day, and a new sky."""

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, matte, plane, smoothstep
from engine.canvas import Canvas, Declined, EffectResult
from engine.color.channels import rgb_to_gray
from engine.effect import Effect, Needs, Step
from engine.filters.guided import fit_gray_model
from engine.filters.smoothing import gaussian_blur
from engine.filters.strips import compute_light, enlarge_map, make_dither, map_rows
from engine.quality.limits import Limit, ReportRules
from engine.relighting.shadow_tint import ShadowTint
from engine.relighting.sky_relighting import (
    Relight,
    compute_row_ramp,
    compute_sun_ramp,
    find_vegetation,
    make_relit_sky_change,
    measure_tone_below_sky,
    relight_picture,
    start_new_sky,
)
from engine.segmentation.labels import Kind
from engine.sky.clouds import Weather
from engine.sky.moods import GOLDEN
from engine.sky.replacement import (
    add_mirrors_to_sky,
    add_reflections,
    choose_sun_side,
    start_weather,
)
from engine.types.enhancements import Enhancement
from engine.types.figures import FigureCode
from engine.types.report import Reason

SHADE_FACTORS = (0.83, 0.86, 0.92)
"""Factors of red, green and blue in the shade."""
SUN_FACTORS = (1.22, 1.02, 0.70)
"""Factors of red, green and blue in the sun."""
WHITE_SUN_FACTORS = (1.0, 0.942, 0.785)
"""Factors of red, green and blue of nearly white surfaces in the sun."""
DITHER = 0.02
"""Noise in the share of sun, which prevents bands on walls without grain."""
LIT_QUANTILE = 0.6
"""The quantile of luma of a kind of surface that counts as lit."""
LIT = 0.22, 0.7
"""Range of the luma (0-1) that counts as lit."""
COMPARED_LUMA = 0.45
"""Lit luma of each kind of surface is scaled to this luma (0-1), so that tones of all kinds are compared alike."""
COMPARED_KINDS = Kind.BUILDING, Kind.GROUND, Kind.LAWN, Kind.TREES
"""Kinds of surface that each have their own lit luma."""
MIN_COMPARED = 0.01
"""Minimum share of the picture of a kind that has its own lit luma."""
TEXTURE_SHARE = 0.35
"""Share of a pixel's own luma in its tone; the rest is the luma around it."""
SHADED_TONE, SUNLIT_TONE = 0.18, 0.5
"""Scaled luma up to which a tone counts as shade, and from which on it counts as fully sunlit."""
MIN_WHITISH, FULL_WHITE = 0.55, 0.97
"""Luma (0-1) up to which a tone is not white, and from which on it counts as fully white."""
SOFTENED_SHARES = {Kind.LAWN: 0.8, Kind.GROUND: 1.0, Kind.BUILDING: 0.15}
"""Share by which the day's hard shadows are softened on each kind of surface."""
SOFTNESS = 0.5
"""Exponent by which shade is brought nearer to light; 1 would leave no difference."""
LUMA_OFFSET = 0.06
"""Added to lumas (0-1) before they are softened, so that dark pixels do not get an extreme gain."""
MAX_SOFTENING = 1.6
"""The largest gain of the softening."""
DIM, BRIGHTENING, MAX_BRIGHTENING = 0.56, 0.7, 1.25
"""Lit luma (0-1) below which a photo is brightened; the exponent of the difference; the largest gain."""
LEAST_SUN = 0.5
"""Share of sun at the edge of the picture away from the sun; it is 1 at the other edge."""
LOWEST_SUN = 0.7
"""Share of sun at the bottom of the picture, where things outside the picture often cast shade."""
MAX_FACING = 0.3
"""Share of sun that leaves gain or lose by facing the sun."""
MAX_RIM = 0.4
"""Share of sun added to leaves beside the sky on the side of the sun, through which it shines."""
SHADOW_RADIUS = 1 / 40
"""Radius, as a share of the long side, of the filter that finds shadows, which are wider."""
SHADOW_SOFTNESS = 0.003
"""Epsilon of this filter, a variance of luma (0-1): edges of shadows vary more, blades and bricks vary less."""

_LOW_SUN_MESSAGE = "The photo was taken around sunset or sunrise already; its own light is left alone."


def start_golden_hour(canvas: Canvas) -> Step:
    """Start to draw the order's weather in a thread, while the photo is analyzed.

    Parameters
    ----------
    canvas : Canvas
        The photo; its content is not used yet.

    Returns
    -------
    callable
        The step, which waits for the weather.
    """
    return partial(light_golden_hour, weather=start_weather(canvas, GOLDEN))


def light_golden_hour(canvas: Canvas, weather: Callable[[], Weather]) -> EffectResult:
    """Add low warm sun from the order's sun side, cooler shade and a sky with a warm horizon; soften hard shadows.

    Water and panes mirror the new sky. If there is too little sky to replace, only the light changes.

    Parameters
    ----------
    canvas : Canvas
        A daylight photo of the outdoors.
    weather : callable
        Returns the Weather of the new sky.

    Returns
    -------
    EffectResult
        The region is the sky and everything that mirrors it; None if the sky is not replaced.

    Raises
    ------
    Declined
        LOW_SUN for photos taken at sunrise or sunset.
    """
    if canvas.scene.low_sun:
        raise Declined(Reason.LOW_SUN, _LOW_SUN_MESSAGE)
    sky = start_new_sky(canvas, weather)
    relight = _make_low_sun_relighting(canvas)
    if sky is None:
        return EffectResult(relight_picture(canvas, relight, None))
    change, mirrors = add_reflections(canvas, make_relit_sky_change(canvas, relight, sky))
    return EffectResult(
        relight_picture(canvas, relight, change), region=add_mirrors_to_sky(canvas.scene.any_sky, mirrors)
    )


def _make_low_sun_relighting(canvas: Canvas) -> Relight:
    """Make the function that relights: it mixes the colors of each tone in sun and in shade."""
    maps = plane(
        cv2.merge([*_fit_tone(canvas), _compute_sun_share(canvas), _find_rim(canvas), _share_softened(canvas)])
    )
    sunlit, white = (matte(each) for each in _make_tone_tables())
    softening, brightening = _make_softening_table(), _make_brightening_table(canvas)
    tint = ShadowTint.fit(canvas.scene)
    shaded = np.zeros(1, np.bool_) if tint is None else (tint.model[..., :3] != 0).any((1, 2))
    colors = plane(
        np.array(
            (SHADE_FACTORS, np.subtract(SUN_FACTORS, SHADE_FACTORS), np.subtract(WHITE_SUN_FACTORS, SUN_FACTORS))
        ).T
    )

    def compute_gains(part: Pixels, rows: slice, columns: slice, shape: tuple[int, ...]) -> Plane:
        gray = np.asarray(cv2.cvtColor(part, cv2.COLOR_RGB2GRAY), np.uint8)
        factor, offset, sun_share, rim, softened = cv2.split(enlarge_map(maps, shape, rows, columns))
        tone = cv2.add(cv2.multiply(gray, factor, dtype=cv2.CV_32F), offset, dtype=cv2.CV_8U)
        gain = cv2.add(cv2.multiply(cv2.LUT(tone, softening), softened), cv2.LUT(gray, brightening))
        sunny = sun_share + make_dither(rows, columns) * np.float32(DITHER)
        sunny = cv2.multiply(cv2.LUT(tone, sunlit), sunny, scale=1 / 255, dtype=cv2.CV_32F)
        sunny = cv2.multiply(cv2.add(sunny, rim), gain)
        whitish = cv2.multiply(cv2.LUT(gray, white), sunny, scale=1 / 255, dtype=cv2.CV_32F)
        gains = plane(cv2.transform(cv2.merge([gain, sunny, whitish]), colors))
        if tint is None or not shaded[map_rows(rows, shape[0], len(shaded))].any():
            return gains
        return plane(cv2.multiply(gains, tint.compute(gray, shape, rows, columns)))

    def relight(pixels: Pixels, rows: slice, columns: slice) -> Pixels:
        gains = compute_light(pixels, rows, columns, compute_gains)
        return np.asarray(cv2.multiply(pixels[rows, columns], gains, dtype=cv2.CV_8U), np.uint8)

    return relight


def _fit_tone(canvas: Canvas) -> tuple[Plane, Plane]:
    """Compute small maps of factor and offset: luma (0-255) x factor + offset is the tone, a scaled luma.

    The tone keeps the edges of shadows, but only TEXTURE_SHARE of the texture.
    """
    gray = rgb_to_gray(canvas.scene.own_small)
    factor, offset = fit_gray_model(gray, round(max(gray.shape) * SHADOW_RADIUS), SHADOW_SOFTNESS)
    scale = COMPARED_LUMA / _measure_lit_luma(canvas, gray)
    around = scale * (1 - TEXTURE_SHARE)
    return plane(scale * TEXTURE_SHARE + around * factor), plane(around * offset * 255)


def _measure_lit_luma(canvas: Canvas, gray: Plane) -> Plane:
    """Compute a small map of the luma of lit surfaces of the kinds at each pixel."""
    lit, rest = np.zeros_like(gray), np.ones_like(gray)
    for share in map(canvas.scene.share, COMPARED_KINDS):
        inside = gray[share > 0.5]
        if inside.size >= MIN_COMPARED * gray.size:
            lit += share * np.clip(np.quantile(inside, LIT_QUANTILE), *LIT)
            rest -= share
    everywhere = measure_tone_below_sky(canvas.scene.own_small, canvas.scene.sky, LIT_QUANTILE)
    return gaussian_blur(plane(lit + np.maximum(rest, 0) * np.clip(everywhere, *LIT)), 2.0)


def _share_softened(canvas: Canvas) -> Plane:
    """Small map, 0-1: how much of the softening of shadows applies."""
    share = canvas.scene.share
    return gaussian_blur(plane(sum(weight * share(kind) for kind, weight in SOFTENED_SHARES.items())), 2.0)


def _make_softening_table() -> Plane:
    """Make a table for a tone (a byte): the gain minus 1 that brings it nearer to lit tones; 0 for lit tones."""
    tone = plane(np.arange(256) / 255)
    gain = ((tone + LUMA_OFFSET) / (COMPARED_LUMA + LUMA_OFFSET)) ** -SOFTNESS
    return plane(np.clip(gain, 1, MAX_SOFTENING) - 1)


def _make_brightening_table(canvas: Canvas) -> Plane:
    """Make a table of the gain of each luma (a byte) that brightens a dim photo and keeps its white."""
    lit = measure_tone_below_sky(canvas.scene.own_small, canvas.scene.sky, LIT_QUANTILE)
    gain = np.clip((DIM / max(lit, 1 / 255)) ** BRIGHTENING, 1, MAX_BRIGHTENING)
    return plane(1 + (gain - 1) * (1 - plane(np.arange(256) / 255) ** 2))


def _make_tone_tables() -> tuple[Plane, Plane]:
    """Make tables, 0-1, for a byte: how sunlit a tone may be, and how near to white a luma is."""
    levels = plane(np.arange(256) / 255)
    return smoothstep(levels, SHADED_TONE, SUNLIT_TONE), smoothstep(levels, MIN_WHITISH, FULL_WHITE)


def _compute_sun_share(canvas: Canvas) -> Plane:
    """Small map, 0-1: the share of the low sun at each pixel."""
    aside = (1 + LEAST_SUN + (1 - LEAST_SUN) * compute_sun_ramp(canvas, choose_sun_side(canvas))) / 2
    high = LOWEST_SUN + (1 - LOWEST_SUN) * smoothstep(compute_row_ramp(canvas), 1.1, 0.55)
    return plane(np.clip(aside * high + _find_facing_sun(canvas), 0, 1))


def _find_facing_sun(canvas: Canvas) -> Plane:
    """Small map, up to MAX_FACING: positive for leaves that face the sun, negative for leaves that face away."""
    leaves = find_vegetation(canvas)
    sigma = max(leaves.shape) / 160
    # Everything beside the leaves, especially a bright sky, does not count.
    share = gaussian_blur(leaves, sigma)
    luma = gaussian_blur(plane(rgb_to_gray(canvas.scene.own_small) * leaves), sigma) / np.maximum(share, 1e-3)
    towards = -_measure_rise_to_sun(canvas, plane(luma)) * sigma * 2
    return plane(np.clip(towards, -MAX_FACING, MAX_FACING) * share)


def _find_rim(canvas: Canvas) -> Plane:
    """Small map, 0-MAX_RIM: leaves beside the sky on the side of the sun."""
    sky = canvas.scene.sky
    side = max(sky.shape)
    rim = np.clip(_measure_rise_to_sun(canvas, gaussian_blur(sky, side / 120)) * side / 40, 0, 1)
    return plane(MAX_RIM * rim * canvas.scene.share(Kind.TREES))


def _measure_rise_to_sun(canvas: Canvas, values: Plane) -> Plane:
    """Measure how much the values of a small map rise from each pixel to the next, towards the sun's side."""
    slope = cv2.Sobel(values, cv2.CV_32F, 1, 0, ksize=3, scale=0.125, borderType=cv2.BORDER_REPLICATE)
    return plane(np.sign(choose_sun_side(canvas)) * slope)


EFFECT = Effect(
    Enhancement.GOLDEN_HOUR,
    "Golden hour",
    Needs.DAYLIGHT,
    start_golden_hour,
    # Another time of day has other colors, and the hard shadows of the day disappear.
    rules=ReportRules({FigureCode.COLOR_CAST_ADDED: Limit(Reason.COLOR_CAST, maximum=4)}, white_shift=(3.0, 18.0)),
    # Of 116 golden hours, 12 have torn shares of 0.066 to 0.13; 11 of these are fit. Doubt is 0.93 at most.
    scene_limits={
        FigureCode.SKY_DOUBT: Limit(Reason.SKY_UNCLEAR, maximum=0.95),
        FigureCode.TORN_SKY: Limit(Reason.SKY_UNCLEAR, maximum=0.15),
    },
)
