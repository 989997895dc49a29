"""Twilight: blue light from the whole sky in place of the sun, windows lit from inside, lamps, a sky at dusk.

Where light is added, gamma-coded values are squared, as an approximation of linear light.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np

from engine.arrays import Matte, Pixels, Plane, matte, plane, smoothstep
from engine.canvas import Canvas, EffectResult, create_photo_rng
from engine.color.channels import gray_to_rgb, rgb_to_gray, scale_channels
from engine.effect import Effect, Needs, Step
from engine.filters.guided import fit_gray_model
from engine.filters.strips import apply_lut, compute_light, enlarge_map, make_dither
from engine.quality.limits import BENT, CAST, GONE, HALO, IN_PLACE, LIT, LOST, SHARPNESS, Limit, ReportRules
from engine.relighting import lamps
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
from engine.relighting.window_light import compute_window_light, light_windows
from engine.segmentation.labels import Kind
from engine.sky.clouds import Weather
from engine.sky.moods import DUSKS
from engine.sky.replacement import choose_sun_side, start_weather
from engine.types.enhancements import Enhancement
from engine.types.options import DuskKind
from engine.types.report import Reason


@dataclass(frozen=True, slots=True)
class DuskLight:
    """The light of a dusk.

    `sky`: the light of the whole sky, gamma-coded; `afterglow`: linear light on surfaces that face the glow;
    `middle` and `lightest`: the largest lumas, below the sky, of the median and of the 0.9 quantile.
    """

    sky: tuple[float, float, float]
    afterglow: tuple[float, float, float]
    middle: float
    lightest: float


LIGHTS = {
    DuskKind.EARLY: DuskLight((0.88, 0.93, 1.08), (0.22, 0.125, 0.08), 0.37, 0.62),
    DuskKind.DEEP: DuskLight((0.76, 0.88, 1.18), (0.15, 0.065, 0.035), 0.25, 0.45),
}
FADED = 0.2
"""How far colors are mixed with gray, as a share."""
DITHER = 0.012
"""Noise in the gain, to prevent banding."""
FLATTENED = 0.36
"""How far sunlit and shaded places are brought together, as an exponent: 1 would leave no difference."""
FLOOR = 0.14
"""Added to luma (0-1) before it is flattened, so that dark places get no extreme gain."""
EVENED, SHADE_FLOOR = 0.95, 0.03
"""FLATTENED and FLOOR for differences of light on the ground, where large ones are shadows."""
GRAY = np.array((0.299, 0.587, 0.114), np.float32)
"""Weights of luma."""


def start_twilight(canvas: Canvas) -> Step:
    """Start to draw the order's weather in a thread, while the photo is analyzed.

    Parameters
    ----------
    canvas : Canvas
        The photo; `request.dusk` chooses the mood.

    Returns
    -------
    callable
        The step, which waits for the weather.
    """
    return partial(convert_to_twilight, weather=start_weather(canvas, DUSKS[canvas.request.dusk]))


def convert_to_twilight(canvas: Canvas, weather: Callable[[], Weather]) -> EffectResult:
    """Give the photo blue dusk light without hard sun, lit windows and lamps with light around them, and a dusk
    sky.

    Where there is too little sky to replace, the sky stays.

    Parameters
    ----------
    canvas : Canvas
        A daylight photo of the outdoors.
    weather : callable
        Returns the Weather of the new sky.

    Returns
    -------
    EffectResult
        The region is the sky; None where the sky stays.
    """
    sky = start_new_sky(canvas, weather)
    scene = canvas.scene
    standing = _find_standing(canvas)
    rooms = compute_window_light(scene.windows, scene.own_small, standing, create_photo_rng(canvas))
    spill = plane(rooms.spill + lamps.compute_lamp_spill(scene.lamps, standing))
    relight = _make_dusk_light(canvas, spill)
    pixels = relight_picture(canvas, relight, None if sky is None else make_relit_sky_change(canvas, relight, sky))
    light_windows(pixels, canvas.pixels, scene.window_matte, rooms)
    lamps.light_lamps(pixels, canvas.pixels, scene.lamps, standing.shape)
    return EffectResult(pixels, region=None if sky is None else scene.any_sky)


def _make_dusk_light(canvas: Canvas, spill: Plane) -> Relight:
    """The function that relights: daylight is flattened and replaced by the sky's light and by light from
    windows.
    """
    gray_small = rgb_to_gray(canvas.scene.own_small)
    slope, offset = fit_gray_model(gray_small, max(gray_small.shape) // 24, 0.02)
    model = plane(cv2.merge([slope, plane(255 * offset)]))
    faded = np.eye(3, dtype=np.float32) * (1 - FADED) + FADED * GRAY
    flattening = _Flattening.of(canvas, gray_small)
    level_small = flattening.level(matte(gray_small), flattening.ground)
    light = plane(np.sqrt(_compute_ambient(canvas, faded, level_small) ** 2 + spill))

    def gains_of(part: Pixels, rows: slice, columns: slice, shape: tuple[int, ...]) -> Plane:
        gray = cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)
        along, start = cv2.split(enlarge_map(model, shape, rows, columns))
        base = cv2.add(cv2.multiply(gray, along, dtype=cv2.CV_32F), start, dtype=cv2.CV_8U)
        low = rows.stop > flattening.top * shape[0]
        ground = enlarge_map(flattening.ground, shape, rows, columns) if low else None
        level = plane(flattening.level(np.asarray(base, np.uint8), ground) + make_dither(rows, columns) * DITHER)
        return plane(cv2.multiply(enlarge_map(light, shape, rows, columns), gray_to_rgb(level)))

    def relight(pixels: Pixels, rows: slice, columns: slice) -> Pixels:
        gains = compute_light(pixels, rows, columns, gains_of)
        return np.asarray(
            cv2.multiply(cv2.transform(pixels[rows, columns], faded), gains, dtype=cv2.CV_8U), np.uint8
        )

    return relight


@dataclass(frozen=True, slots=True)
class _Flattening:
    """Tables of gains that bring sunlit and shaded places together, by the luma (a byte) of a place's surroundings.

    On the `ground` (small map, 0-1; none above `top`, a share of the height) large differences are shadows, and are
    flattened more; elsewhere they may be paint.
    """

    anywhere: Plane
    on_ground: Plane
    ground: Plane
    top: float

    @classmethod
    def of(cls, canvas: Canvas, gray: Plane) -> "_Flattening":
        base = plane(np.arange(256)) / np.float32(255)
        anywhere = ((base + FLOOR) / (0.5 + FLOOR)) ** -FLATTENED
        scene = canvas.scene
        ground = plane(np.clip(scene.share(Kind.GROUND) + scene.share(Kind.LAWN), 0, 1))
        usual = float(np.median(gray[ground > 0.5])) if (ground > 0.5).any() else 0.5
        shade = ((base + SHADE_FLOOR) / (usual + SHADE_FLOOR)) ** -EVENED
        rows = np.flatnonzero(ground.any(1))
        top = (rows[0] - 1) / len(ground) if rows.size else 1.0
        return cls(plane(anywhere), plane(anywhere[round(usual * 255)] * shade), ground, top)

    def level(self, base: Matte, ground: Plane | None) -> Plane:
        """The gains at pixels with surroundings of luma `base`; `ground`, 0-1, is each pixel's share of ground."""
        level = apply_lut(base, self.anywhere)
        if ground is None:
            return level
        return plane(level + ground * (apply_lut(base, self.on_ground) - level))


def _find_standing(canvas: Canvas) -> Plane:
    """Small map, 0-1: how upright each pixel is. Things low in the picture count mostly as ground."""
    scene = canvas.scene
    ground = scene.share(Kind.GROUND) + scene.share(Kind.LAWN) + scene.share(Kind.WATER)
    below = smoothstep(compute_row_ramp(canvas), 0.55, 0.8)
    return plane(1 - np.clip(ground + 0.7 * below * scene.share(Kind.THINGS), 0, 1))


def _compute_ambient(canvas: Canvas, faded: Plane, level: Plane) -> Plane:
    """Small map x 3 of gains for gamma-coded values: the sky's light, less on plants and at the bottom, and
    afterglow.
    """
    scene, dusk = canvas.scene, LIGHTS[canvas.request.dusk]
    shaded = 1 - 0.22 * find_vegetation(canvas) - 0.14 * smoothstep(compute_row_ramp(canvas), 0.72, 1.0)
    color = scale_channels(plane(shaded), dusk.sky)
    glow = (
        smoothstep(compute_sun_ramp(canvas, choose_sun_side(canvas)), -0.6, 1.2)
        * (1 - find_vegetation(canvas))
        * smoothstep(compute_row_ramp(canvas), 1.0, 0.6)
    )
    color = np.sqrt(color**2 + scale_channels(plane(glow), dusk.afterglow))
    before = cv2.transform(scene.own_small, faded)
    return plane(color * _compute_gain_to_dusk(plane(before * gray_to_rgb(level) * color), scene.sky, dusk))


def _compute_gain_to_dusk(colors: Plane, sky: Plane, dusk: DuskLight) -> float:
    """The gain with which neither the median nor the light parts below the sky are lighter than `dusk` allows."""
    middle, light = measure_tone_below_sky(colors, sky, 0.5), measure_tone_below_sky(colors, sky, 0.9)
    return min(dusk.middle / max(middle, 0.02), dusk.lightest / max(light, 0.02))


RULES = ReportRules(
    {
        # Another hour has its own color, and the hard shadows of the day disappear.
        CAST: Limit(Reason.COLOR_CAST, maximum=4),
        # Good results of photos have 0.8 and more, the result of a drawn lawn of pure grain has 0.58.
        SHARPNESS: Limit(Reason.SOFTENED, minimum=0.55),
        IN_PLACE: Limit(Reason.STRUCTURE_CHANGED, minimum=0.85),
        LOST: Limit(Reason.STRUCTURE_CHANGED, maximum=0.1),
        GONE: Limit(Reason.STRUCTURE_CHANGED, maximum=0.38),
        BENT: Limit(Reason.STRUCTURE_CHANGED),
        # Light spills from windows: good results have up to 0.12.
        HALO: Limit(Reason.HALO, maximum=0.2),
    },
    white_shift=(6.5, -26.0),
)
EFFECT = Effect(
    Enhancement.TWILIGHT,
    "Twilight",
    Needs.DAYLIGHT,
    start_twilight,
    rules=RULES,
    # Of 22 twilights not fit to sell 6 have less, of 15 acceptable twilights none.
    scene_limits={LIT: Limit(Reason.NOTHING_LIT, minimum=0.003)},
)
