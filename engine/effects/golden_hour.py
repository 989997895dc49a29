"""Golden hour: a low warm sun on the order's sun side, cooler shade, haze near the sun, and a new sky."""

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
from engine.quality.limits import Limit, ReportRules
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
from engine.sky.atmosphere import compute_sun_direction
from engine.sky.clouds import Weather
from engine.sky.moods import GOLDEN
from engine.sky.replacement import (
    add_mirrors_to_sky,
    add_reflections,
    choose_sun_side,
    make_sky_view,
    start_weather,
)
from engine.sky.view import project_direction
from engine.types.enhancements import Enhancement
from engine.types.figures import FigureCode
from engine.types.report import Reason

SHADE_FACTORS = (0.78, 0.83, 0.91)
"""Factors of red, green and blue in the shade."""
SUN_FACTORS = (1.15, 0.955, 0.69)
"""Factors of red, green and blue in the sun."""
WHITE_SUN_FACTORS = (1.0, 0.91, 0.745)
"""Factors of red, green and blue of nearly white surfaces in the sun."""
HAZE_COLOR = (255, 206, 140)
"""Color of the haze, 0-255."""
MAX_HAZE = 0.26
"""Share of haze at the sun."""
MIN_HAZE = 0.004
"""Share of haze up to which its light is not added."""
DITHER = 0.02
"""Noise in the share of sun, which prevents bands on walls without grain."""
MAX_SHADED = 0.45
"""Luma, as a share of the median below the sky, up to which a tone counts as shade."""
MIN_SUNLIT = 1.25
"""Luma, as a share of the median below the sky, from which on a tone counts as fully sunlit."""
MIN_WHITISH = 0.55
"""Luma (0-1) up to which a tone is not white."""
FULL_WHITE = 0.97
"""Luma (0-1) from which on a tone counts as fully white."""
SOFTENED_SHARES = {Kind.LAWN: 1.0, Kind.GROUND: 1.0, Kind.BUILDING: 0.55, Kind.THINGS: 0.5}
"""Share by which the day's hard light and shade are softened on each kind of surface."""
SOFTNESS = 0.55
"""Exponent by which light and shade are made more equal: 1 would leave no difference."""
LUMA_OFFSET = 0.06
"""Added to lumas (0-1) before they are softened, so that dark pixels do not get an extreme gain."""
MIN_SOFTENING, MAX_SOFTENING = 0.8, 1.7
"""The range of the gains of the softening."""
LIT_SHARE = 0.6
"""The quantile of luma below the sky that counts as lit: softening leaves it unchanged."""
MAX_SUN_DISTANCE = 1.3
"""Maximum distance of the sun from the middle of the picture, in half widths, for the haze.

If the sun is farther outside the frame, there is still haze on its side of the picture.
"""
SHADOW_RADIUS = 1 / 40
"""Radius, as a share of the long side, of the filter that finds shadows, which are wider."""
SHADOW_SOFTNESS = 0.003
"""Epsilon of this filter, a variance of luma (0-1): edges of shadows vary more, blades and bricks vary less."""


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
    """Add low warm sun on the order's sun side, cooler shade and a sky with a warm horizon; soften hard shadows.

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
    """
    sky = start_new_sky(canvas, weather)
    relight = _make_low_sun_relighting(canvas)
    if sky is None:
        return EffectResult(relight_picture(canvas, relight, None))
    change, mirrors = add_reflections(canvas, make_relit_sky_change(canvas, relight, sky))
    return EffectResult(
        relight_picture(canvas, relight, change), region=add_mirrors_to_sky(canvas.scene.any_sky, mirrors)
    )


def _make_low_sun_relighting(canvas: Canvas) -> Relight:
    """Make the function that relights: it mixes the colors of each tone in sun and in shade, and adds haze."""
    haze, softening = _compute_haze(canvas), _compute_softening(canvas)
    hazy = np.asarray(haze > MIN_HAZE)
    clear, glow = plane(1 - haze), scale_channels(haze, HAZE_COLOR)
    sunlit, white = (matte(each) for each in _make_tone_tables(canvas))
    maps = plane(cv2.merge([_compute_sun_share(canvas), *_find_day_shadows(canvas)]))
    colors = plane(
        np.array(
            (SHADE_FACTORS, np.subtract(SUN_FACTORS, SHADE_FACTORS), np.subtract(WHITE_SUN_FACTORS, SUN_FACTORS))
        ).T
    )

    def compute_gains(part: Pixels, rows: slice, columns: slice, shape: tuple[int, ...]) -> Plane:
        gray = cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)
        sun_share, factor, offset, softening_share = cv2.split(enlarge_map(maps, shape, rows, columns))
        base = cv2.add(cv2.multiply(gray, factor, dtype=cv2.CV_32F), offset, dtype=cv2.CV_8U)
        softened_gain = cv2.multiply(cv2.LUT(base, softening), softening_share) + np.float32(1)
        gain = cv2.multiply(softened_gain, enlarge_map(clear, shape, rows, columns))
        sunny = cv2.multiply(gain, sun_share + make_dither(rows, columns) * np.float32(DITHER))
        sunny = cv2.multiply(cv2.LUT(gray, sunlit), sunny, scale=1 / 255, dtype=cv2.CV_32F)
        whitish = cv2.multiply(cv2.LUT(gray, white), sunny, scale=1 / 255, dtype=cv2.CV_32F)
        return plane(cv2.transform(cv2.merge([gain, sunny, whitish]), colors))

    def relight(pixels: Pixels, rows: slice, columns: slice) -> Pixels:
        gains, shape = compute_light(pixels, rows, columns, compute_gains), pixels.shape
        relit = np.asarray(cv2.multiply(pixels[rows, columns], gains, dtype=cv2.CV_8U), np.uint8)
        for run in find_runs(hazy[map_rows(rows, shape[0], len(hazy))]):
            run_columns = widen_columns(run, hazy.shape[1], shape[1])
            columns_here = slice(max(run_columns.start, columns.start), min(run_columns.stop, columns.stop))
            if columns_here.start < columns_here.stop:
                part = relit[:, columns_here.start - columns.start : columns_here.stop - columns.start]
                part[:] = cv2.add(part, enlarge_map(glow, shape, rows, columns_here), dtype=cv2.CV_8U)
        return relit

    return relight


def _find_day_shadows(canvas: Canvas) -> tuple[Plane, Plane, Plane]:
    """Compute small maps of shadows: factor and offset (0-255), and the share to which shadows are softened, 0-1.

    Luma x factor + offset is the luma without texture: it is smooth, but keeps the edges of shadows.
    """
    gray = rgb_to_gray(canvas.scene.own_small)
    factor, offset = fit_gray_model(gray, round(max(gray.shape) * SHADOW_RADIUS), SHADOW_SOFTNESS)
    share = sum(
        (weight * canvas.scene.share(kind) for kind, weight in SOFTENED_SHARES.items()), np.zeros_like(gray)
    )
    share = plane(gaussian_blur(plane(share), 2.0))
    return factor, plane(offset * 255), share


def _compute_softening(canvas: Canvas) -> Plane:
    """Make a table for the luma (a byte) around a pixel: the gain minus 1 that brings it nearer to lit luma."""
    sunlit = measure_tone_below_sky(canvas.scene.own_small, canvas.scene.sky, LIT_SHARE)
    base = plane(np.arange(256) / 255)
    gain = ((base + LUMA_OFFSET) / (sunlit + LUMA_OFFSET)) ** -SOFTNESS
    return plane(np.clip(gain, MIN_SOFTENING, MAX_SOFTENING) - 1)


def _make_tone_tables(canvas: Canvas) -> tuple[Plane, Plane]:
    """Make two tables for the luma (a byte) of a tone, 0-1: how sunlit it may be, and how near to white it is."""
    middle = float(np.clip(measure_tone_below_sky(canvas.scene.own_small, canvas.scene.sky, 0.5), 0.2, 0.6))
    levels = plane(np.arange(256) / 255)
    return smoothstep(levels, MAX_SHADED * middle, min(MIN_SUNLIT * middle, 0.8)), smoothstep(
        levels, MIN_WHITISH, FULL_WHITE
    )


def _compute_sun_share(canvas: Canvas) -> Plane:
    """Small map, 0-1: the share of the low sun at each pixel; pixels low in the picture are mostly in the shade."""
    side = compute_sun_ramp(canvas, choose_sun_side(canvas))
    high = smoothstep(compute_row_ramp(canvas), 1.05, 0.5)
    facing = _find_facing_sun(canvas)
    return plane(np.clip((0.62 + 0.38 * side) * (0.45 + 0.55 * high) + facing, 0, 1))


def _find_facing_sun(canvas: Canvas) -> Plane:
    """Small map, -0.3 to 0.3: positive for leaves that face the sun, negative for leaves that face away from it."""
    gray = rgb_to_gray(canvas.scene.own_small)
    sigma = max(gray.shape) / 160
    soft = gaussian_blur(gray, sigma)
    slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.125, borderType=cv2.BORDER_REPLICATE)
    towards = -np.sign(choose_sun_side(canvas)) * slope * sigma * 2
    return plane(np.clip(towards, -0.3, 0.3) * gaussian_blur(find_vegetation(canvas), sigma))


def _compute_haze(canvas: Canvas) -> Plane:
    """Small map, 0-1: the share of warm light that haze scatters, highest near the sun and near the horizon."""
    view = make_sky_view(canvas, *canvas.scene.sky.shape)
    place, height = project_direction(view, compute_sun_direction(GOLDEN.air, view.sun_side))
    # The ramp is 1 at the edge of the picture on the side of the sun, -1 at the other.
    aside = compute_sun_ramp(canvas, view.sun_side) - min(abs(2 * place - 1), MAX_SUN_DISTANCE)
    low = compute_row_ramp(canvas) - (height + view.horizon) / 2
    return plane(MAX_HAZE * np.exp(-(aside**2 / 0.32 + low**2 / 0.08)))


EFFECT = Effect(
    Enhancement.GOLDEN_HOUR,
    "Golden hour",
    Needs.DAYLIGHT,
    start_golden_hour,
    # Another hour has another color, and the hard shadows of the day disappear.
    rules=ReportRules({FigureCode.COLOR_CAST_ADDED: Limit(Reason.COLOR_CAST, maximum=4)}, white_shift=(3.0, 18.0)),
    # Of 16 golden hours that reviewers rejected 5 have more, of 11 accepted ones none.
    scene_limits={FigureCode.TORN_SKY: Limit(Reason.SKY_UNCLEAR, maximum=0.065)},
)
