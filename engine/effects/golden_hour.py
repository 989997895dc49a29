"""Golden hour: a low warm sun on the order's side, cooler shade low down and away from the sun, haze, its sky."""

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, matte, plane, smoothstep
from engine.canvas import Canvas, EffectResult
from engine.color.channels import rgb_to_gray, scale_channels
from engine.effect import Effect, Needs, Step
from engine.filters.guided import fit_gray_model
from engine.filters.smoothing import gaussian_blur
from engine.filters.strips import compute_light, enlarge_map, find_runs, make_dither, map_rows, widen_columns
from engine.quality.limits import CAST, TORN, Limit, ReportRules
from engine.relighting.sky_relighting import (
    Relight,
    make_relit_sky_change,
    compute_row_ramp,
    compute_sun_ramp,
    find_vegetation,
    measure_tone_below_sky,
    relight_picture,
    start_new_sky,
)
from engine.segmentation.labels import Kind
from engine.sky.atmosphere import compute_sun_direction
from engine.sky.clouds import Weather
from engine.sky.moods import GOLDEN
from engine.sky.replacement import (
    add_reflections,
    add_mirrors_to_sky,
    choose_sun_side,
    make_sky_view,
    start_weather,
)
from engine.sky.view import project_direction
from engine.types.enhancements import Enhancement
from engine.types.report import Reason

SHADE = (0.78, 0.83, 0.91)
"""Factors of the colors in the shade."""
SUN = (1.15, 0.955, 0.69)
"""Factors of the colors in the sun."""
SUN_ON_WHITE = (1.0, 0.91, 0.745)
"""Factors of the colors of nearly white surfaces in the sun."""
HAZE = (255, 206, 140)
"""Color of the haze, in bytes."""
MAX_HAZE = 0.26
"""The share of haze at the sun."""
MIN_HAZE = 0.004
"""Share of haze up to which no light of the haze is added."""
DITHER = 0.02
"""Noise in the share of sun, so that walls without grain show no bands."""
SHADED = 0.45
"""Luma, as a share of the median below the sky, up to which a tone counts as shade."""
SUNLIT = 1.25
"""Luma, as a share of the median below the sky, from which a tone counts as fully sunlit."""
WHITISH = 0.55
"""Luma (0-1) up to which a tone does not count as white."""
WHITE = 0.97
"""Luma (0-1) from which a tone counts as fully white."""
SOFTENED = {Kind.LAWN: 1.0, Kind.GROUND: 1.0, Kind.BUILDING: 0.55, Kind.THINGS: 0.5}
"""How much the day's hard light and shade are softened on each kind of surface, as a share."""
SOFTNESS = 0.55
"""How far light and shade are brought together, as an exponent: 1 would leave no difference."""
DARKEST = 0.06
"""Added to lumas (0-1) before they are softened, so that dark places get no extreme gain."""
MIN_SOFT, MAX_SOFT = 0.8, 1.7
"""The range of the gains of the softening."""
LIT_SHARE = 0.6
"""The quantile of luma below the sky that counts as lit: softening leaves it unchanged."""
MAX_ASIDE = 1.3
"""Largest distance of the sun from the middle of the picture, in half widths, by which haze is computed.

With a sun farther outside the frame, haze still veils the side of the picture near the sun.
"""
SHADOW = 1 / 40
"""Radius, as a share of the long side, over which a place's surroundings are averaged; shadows are wider."""
TEXTURE = 0.003
"""Variance of luma (0-1) above which edges count as those of shadows; blades and bricks vary less."""


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
    """Add low warm sun from the order's side, cooler shade and a sky warm at the horizon; soften hard shadows.

    Water and panes mirror the new sky. Where there is too little sky to replace, only the light changes.

    Parameters
    ----------
    canvas : Canvas
        A daylight photo of the outdoors.
    weather : callable
        Returns the Weather of the new sky.

    Returns
    -------
    EffectResult
        The region is the sky and everything that mirrors it; None without a sky.
    """
    sky = start_new_sky(canvas, weather)
    relight = _make_low_sun(canvas)
    if sky is None:
        return EffectResult(relight_picture(canvas, relight, None))
    change, mirrors = add_reflections(canvas, make_relit_sky_change(canvas, relight, sky))
    return EffectResult(
        relight_picture(canvas, relight, change), region=add_mirrors_to_sky(canvas.scene.any_sky, mirrors)
    )


def _make_low_sun(canvas: Canvas) -> Relight:
    """The function that relights: mixes each tone's look in sun and in shade, and adds haze near the sun."""
    haze, soft = _compute_haze(canvas), _compute_softening(canvas)
    hazy = np.asarray(haze > MIN_HAZE)
    clear, glow = plane(1 - haze), scale_channels(haze, HAZE)
    lit, white = (matte(each) for each in _make_tone_tables(canvas))
    maps = plane(cv2.merge([_compute_sun_reach(canvas), *_find_day_shadows(canvas)]))
    colors = plane(np.array((SHADE, np.subtract(SUN, SHADE), np.subtract(SUN_ON_WHITE, SUN))).T)

    def gains_of(part: Pixels, rows: slice, columns: slice, shape: tuple[int, ...]) -> Plane:
        gray = cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)
        reached, slope, offset, softened = cv2.split(enlarge_map(maps, shape, rows, columns))
        base = cv2.add(cv2.multiply(gray, slope, dtype=cv2.CV_32F), offset, dtype=cv2.CV_8U)
        evened = cv2.multiply(cv2.LUT(base, soft), softened) + np.float32(1)
        gain = cv2.multiply(evened, enlarge_map(clear, shape, rows, columns))
        sunny = cv2.multiply(gain, reached + make_dither(rows, columns) * np.float32(DITHER))
        sunny = cv2.multiply(cv2.LUT(gray, lit), sunny, scale=1 / 255, dtype=cv2.CV_32F)
        whitish = cv2.multiply(cv2.LUT(gray, white), sunny, scale=1 / 255, dtype=cv2.CV_32F)
        return plane(cv2.transform(cv2.merge([gain, sunny, whitish]), colors))

    def relight(pixels: Pixels, rows: slice, columns: slice) -> Pixels:
        gains, shape = compute_light(pixels, rows, columns, gains_of), pixels.shape
        done = np.asarray(cv2.multiply(pixels[rows, columns], gains, dtype=cv2.CV_8U), np.uint8)
        for run in find_runs(hazy[map_rows(rows, shape[0], len(hazy))]):
            wide = widen_columns(run, hazy.shape[1], shape[1])
            here = slice(max(wide.start, columns.start), min(wide.stop, columns.stop))
            if here.start < here.stop:
                part = done[:, here.start - columns.start : here.stop - columns.start]
                part[:] = cv2.add(part, enlarge_map(glow, shape, rows, here), dtype=cv2.CV_8U)
        return done

    return relight


def _find_day_shadows(canvas: Canvas) -> tuple[Plane, Plane, Plane]:
    """Small maps: slope and offset (0-255) that give the luma around each place, and how much it is softened, 0-1.

    Slope and offset follow the edges of shadows.
    """
    gray = rgb_to_gray(canvas.scene.own_small)
    slope, offset = fit_gray_model(gray, round(max(gray.shape) * SHADOW), TEXTURE)
    share = sum((weight * canvas.scene.share(kind) for kind, weight in SOFTENED.items()), np.zeros_like(gray))
    share = plane(gaussian_blur(plane(share), 2.0))
    return slope, plane(offset * 255), share


def _compute_softening(canvas: Canvas) -> Plane:
    """A table by the luma (a byte) of a place's surroundings: the gain, less 1, that brings it nearer to lit."""
    lit = measure_tone_below_sky(canvas.scene.own_small, canvas.scene.sky, LIT_SHARE)
    base = plane(np.arange(256) / 255)
    gain = ((base + DARKEST) / (lit + DARKEST)) ** -SOFTNESS
    return plane(np.clip(gain, MIN_SOFT, MAX_SOFT) - 1)


def _make_tone_tables(canvas: Canvas) -> tuple[Plane, Plane]:
    """Two tables by luma (a byte), 0-1: how far a tone may be sunlit, and how near to white it is."""
    middle = float(np.clip(measure_tone_below_sky(canvas.scene.own_small, canvas.scene.sky, 0.5), 0.2, 0.6))
    levels = plane(np.arange(256) / 255)
    return smoothstep(levels, SHADED * middle, min(SUNLIT * middle, 0.8)), smoothstep(levels, WHITISH, WHITE)


def _compute_sun_reach(canvas: Canvas) -> Plane:
    """Small map, 0-1: how much of the low sun reaches each place; low places lie in the shade of other things."""
    side = compute_sun_ramp(canvas, choose_sun_side(canvas))
    high = smoothstep(compute_row_ramp(canvas), 1.05, 0.5)
    relief = _find_facing_sun(canvas)
    return plane(np.clip((0.62 + 0.38 * side) * (0.45 + 0.55 * high) + relief, 0, 1))


def _find_facing_sun(canvas: Canvas) -> Plane:
    """Small map, about -0.3 to 0.3: whether leaves face the sun or turn away, found by their light and shade."""
    gray = rgb_to_gray(canvas.scene.own_small)
    sigma = max(gray.shape) / 160
    soft = gaussian_blur(gray, sigma)
    slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.125, borderType=cv2.BORDER_REPLICATE)
    towards = -np.sign(choose_sun_side(canvas)) * slope * sigma * 2
    return plane(np.clip(towards, -0.3, 0.3) * gaussian_blur(find_vegetation(canvas), sigma))


def _compute_haze(canvas: Canvas) -> Plane:
    """Small map, 0-1: the share of warm light scattered by haze, most near the sun, low over the horizon."""
    view = make_sky_view(canvas, *canvas.scene.sky.shape)
    place, height = project_direction(view, compute_sun_direction(GOLDEN.air, view.sun_side))
    aside = compute_sun_ramp(canvas, view.sun_side) - min(abs(2 * place - 1), MAX_ASIDE)
    low = compute_row_ramp(canvas) - (height + view.horizon) / 2
    return plane(MAX_HAZE * np.exp(-(aside**2 / 0.32 + low**2 / 0.08)))


EFFECT = Effect(
    Enhancement.GOLDEN_HOUR,
    "Golden hour",
    Needs.DAYLIGHT,
    start_golden_hour,
    # Another hour has its own color, and the hard shadows of the day disappear.
    rules=ReportRules({CAST: Limit(Reason.COLOR_CAST, maximum=4)}, white_shift=(3.0, 18.0)),
    # Of 16 golden hours not fit to sell 5 have more, of 11 publishable golden hours none.
    scene_limits={TORN: Limit(Reason.SKY_UNCLEAR, maximum=0.065)},
)
