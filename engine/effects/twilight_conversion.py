"""Twilight: blue light from the whole sky instead of the sun, windows lit from inside, lamps, and a sky at dusk.

Light is added to squares of gamma-coded values, which approximate linear light.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from engine.arrays import Matte, Pixels, Plane, matte, plane, smoothstep
from engine.canvas import Canvas, EffectResult, create_photo_rng
from engine.color.channels import gray_to_rgb, rgb_to_gray, scale_channels
from engine.effect import Effect, Needs, Step
from engine.filters.guided import fit_gray_model
from engine.filters.smoothing import box_filter
from engine.filters.strips import apply_lut, compute_light, enlarge_map, make_dither, round_to_bytes
from engine.quality.limits import Limit, ReportRules
from engine.relighting import lamps
from engine.relighting.entry_light import compute_entry_light
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
from engine.relighting.window_light import compute_window_light, light_windows
from engine.segmentation.labels import Kind, Label
from engine.segmentation.scene import Scene
from engine.sky.clouds import Weather
from engine.sky.moods import DUSKS
from engine.sky.replacement import choose_sun_side, start_weather
from engine.types.enhancements import Enhancement
from engine.types.figures import FigureCode
from engine.types.options import DuskKind
from engine.types.report import Reason


@dataclass(frozen=True, slots=True)
class DuskLight:
    """The light of a dusk.

    `sky`: the light of the whole sky, gamma-coded. `afterglow`: linear light on the sun's side of the picture.
    `middle` and `lightest`: the maximum lumas, below the sky, of the median and of the 0.9 quantile.
    """

    sky: tuple[float, float, float]
    afterglow: tuple[float, float, float]
    middle: float
    lightest: float


LIGHTS = {
    DuskKind.EARLY: DuskLight((0.82, 0.92, 1.13), (0.14, 0.085, 0.06), 0.285, 0.48),
    DuskKind.DEEP: DuskLight((0.74, 0.88, 1.20), (0.14, 0.065, 0.035), 0.24, 0.42),
}
GRAY_SHARE = 0.07
"""Share of gray that is mixed into colors."""
DITHER = 0.012
"""Noise in the gain, to prevent banding."""
FLATTENING = 0.36
"""Exponent by which sunlit and shaded areas are made more equal; 1 would leave no difference."""
FLATTENING_OFFSET = 0.2
"""Added to luma (0-1) before it is flattened, so that dark areas do not get an extreme gain."""
SUN_FLATTENING = 0.6
"""FLATTENING of areas lighter than the middle: by day they are lit by the sun, or white and lit by much sky."""
SHOULDER = 0.38, 0.55
"""Levels (0-1) by dusk: lighter areas than the first are compressed, up to the second, unless lamps light them."""
WALLS = Label.FACADE, Label.DOOR, Label.GARAGE_DOOR, Label.PANE, Label.SHUTTER
"""Parts of the house that lamps and windows light."""
WALL_GLOW, ROOF_GLOW = 2.0, 0.2
"""Factors of the windows' light on walls and on the upper side of a roof, which eaves shade from it."""
TOE = 0.03
"""Level (0-1) at which dark tones are halved: at dusk nothing lightens black places."""
GROUND_FLATTENING, GROUND_OFFSET = 0.95, 0.03
"""FLATTENING and FLATTENING_OFFSET on the ground, where large differences of light are shadows."""
EDGE_SOFTNESS, SHADOW_SOFTNESS = 0.02, 0.004
"""Softness of the model of the luma around a pixel: lower near shadows on the ground, to follow their edges."""
NEAR_SHADOW = 0.02, 0.12
"""Shares of shaded ground nearby: up to the first, EDGE_SOFTNESS applies, from the second on SHADOW_SOFTNESS."""
_LEVELS = plane(np.arange(256) / 255)
TOE_TABLE = round_to_bytes(255 * _LEVELS * _LEVELS * (1 + TOE) / (_LEVELS + TOE))
"""The tone for each byte, with the toe."""
LUMA_WEIGHTS = np.array((0.299, 0.587, 0.114), np.float32)
"""Weights of red, green and blue in luma."""


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
    """Give the photo blue dusk light, lit windows and lamps with light around them, and a dusk sky.

    If there is too little sky to replace, the sky stays, and the light is that of a deep dusk.

    Parameters
    ----------
    canvas : Canvas
        A daylight photo of the outdoors.
    weather : callable
        Returns the Weather of the new sky.

    Returns
    -------
    EffectResult
        The region is the sky; None if the sky stays.
    """
    sky = start_new_sky(canvas, weather)
    scene = canvas.scene
    upright = _find_upright(canvas)
    rooms = compute_window_light(scene.windows, scene.own_small, upright, create_photo_rng(canvas))
    wall = plane(np.clip(scene.label_share(*WALLS), 0, 1))
    outside = np.maximum(lamps.compute_lamp_spill(scene.lamps, upright), _light_entries(scene, wall))
    spill = plane(rooms.spill * gray_to_rgb(_compute_glow(scene, wall)) + outside)
    # Without a dusky sky, only the light shows the time of day, so the deeper dusk is used.
    dusk = LIGHTS[canvas.request.dusk if sky is not None else DuskKind.DEEP]
    relight = _make_dusk_relighting(canvas, dusk, spill)
    pixels = relight_picture(canvas, relight, None if sky is None else make_relit_sky_change(canvas, relight, sky))
    light_windows(pixels, canvas.pixels, scene.window_matte, rooms)
    lamps.light_lamps(pixels, canvas.pixels, scene.lamps, upright.shape)
    return EffectResult(pixels, region=None if sky is None else scene.any_sky)


def _light_entries(scene: Scene, wall: Plane) -> Plane:
    """The light (x 3) of lamps beside doors that the photo does not show; the lamps themselves are not drawn."""
    ground = np.clip(scene.share(Kind.GROUND) + scene.share(Kind.LAWN), 0, 1)
    return compute_entry_light(scene.entries, wall, plane(ground))


def _compute_glow(scene: Scene, wall: Plane) -> Plane:
    """Factor of the windows' light: walls get more of it; the upper side of a roof, which eaves shade, gets less.

    Bars of windows do not get more: they have to stand out against the panes.
    """
    lit, roof = wall - scene.label_share(Label.PANE), scene.label_share(Label.ROOF)
    return plane(np.clip(1 + (WALL_GLOW - 1) * lit + (ROOF_GLOW - 1) * roof, ROOF_GLOW, WALL_GLOW))


def _make_dusk_relighting(canvas: Canvas, dusk: DuskLight, spill: Plane) -> Relight:
    """Make the function that relights: it flattens daylight and replaces it by light of the sky and of windows."""
    gray_small = rgb_to_gray(canvas.scene.own_small)
    gray_mix = np.eye(3, dtype=np.float32) * (1 - GRAY_SHARE) + GRAY_SHARE * LUMA_WEIGHTS
    flattening = _Flattening.make(canvas, gray_small)
    tint = ShadowTint.fit(canvas.scene)
    model = _fit_surrounding_luma(gray_small, tint)
    level_small = flattening.compute_gains_for(matte(gray_small), flattening.ground)
    color = _compute_sky_color(canvas, dusk)
    mixed = cv2.transform(canvas.scene.own_small, gray_mix)
    exposure = _compute_gain_to_dusk(plane(mixed * gray_to_rgb(level_small) * color), canvas.scene.sky, dusk)
    flattening = flattening.compress(exposure)
    light = plane(np.sqrt((color * exposure) ** 2 + spill))

    def compute_gains(part: Pixels, rows: slice, columns: slice, shape: tuple[int, ...]) -> Plane:
        gray = np.asarray(cv2.cvtColor(part, cv2.COLOR_RGB2GRAY), np.uint8)
        slope_here, offset_here = cv2.split(enlarge_map(model, shape, rows, columns))
        base = cv2.add(cv2.multiply(gray, slope_here, dtype=cv2.CV_32F), offset_here, dtype=cv2.CV_8U)
        has_ground = rows.stop > flattening.top * shape[0]
        ground = enlarge_map(flattening.ground, shape, rows, columns) if has_ground else None
        level = plane(
            flattening.compute_gains_for(np.asarray(base, np.uint8), ground) + make_dither(rows, columns) * DITHER
        )
        lit = plane(cv2.multiply(enlarge_map(light, shape, rows, columns), gray_to_rgb(level)))
        if tint is not None and has_ground:
            lit = plane(cv2.multiply(lit, tint.compute(gray, shape, rows, columns)))
        return lit

    def relight(pixels: Pixels, rows: slice, columns: slice) -> Pixels:
        gains = compute_light(pixels, rows, columns, compute_gains)
        lit = cv2.multiply(cv2.transform(pixels[rows, columns], gray_mix), gains, dtype=cv2.CV_8U)
        return np.asarray(cv2.LUT(lit, TOE_TABLE), np.uint8)

    return relight


def _fit_surrounding_luma(gray: Plane, tint: ShadowTint | None) -> Plane:
    """Fit the luma around each pixel: a small map of slope and offset, as a function of luma in levels (0-255)."""
    radius = max(gray.shape) // 24
    near = np.zeros_like(gray) if tint is None else smoothstep(box_filter(tint.shade, radius), *NEAR_SHADOW)
    softness = plane(EDGE_SOFTNESS + near * (SHADOW_SOFTNESS - EDGE_SOFTNESS))
    slope, offset = fit_gray_model(gray, radius, softness)
    return plane(cv2.merge([slope, plane(255 * offset)]))


@dataclass(frozen=True, slots=True)
class _Flattening:
    """Tables of gains that make sunlit and shaded areas more equal, for each luma (a byte) around a pixel.

    On the `ground` (small map, 0-1; all 0 above `top`, a share of the height) large differences are shadows and are
    flattened more; in other areas (`general`) they may be paint.
    """

    general: Plane
    on_ground: Plane
    ground: Plane
    top: float

    @classmethod
    def make(cls, canvas: Canvas, gray: Plane) -> "_Flattening":
        base = plane(np.arange(256)) / np.float32(255)
        exponent = np.where(base > 0.5, SUN_FLATTENING, FLATTENING)
        general = ((base + FLATTENING_OFFSET) / (0.5 + FLATTENING_OFFSET)) ** -exponent
        scene = canvas.scene
        ground = plane(np.clip(scene.share(Kind.GROUND) + scene.share(Kind.LAWN), 0, 1))
        ground_luma = float(np.median(gray[ground > 0.5])) if (ground > 0.5).any() else 0.5
        shade = ((base + GROUND_OFFSET) / (ground_luma + GROUND_OFFSET)) ** -GROUND_FLATTENING
        rows = np.flatnonzero(ground.any(1))
        top = (rows[0] - 1) / len(ground) if rows.size else 1.0
        return cls(plane(general), plane(general[round(ground_luma * 255)] * shade), ground, top)

    def compress(self, exposure: float) -> "_Flattening":
        """Bring places light by day below the second of SHOULDER, for a picture of this exposure at dusk."""
        knee, top = SHOULDER

        def limit(gains: Plane) -> Plane:
            levels = np.maximum(_LEVELS * gains * exposure, 1e-3)
            above = np.maximum(levels - knee, 0)
            compressed = np.minimum(levels, knee) + (top - knee) * (1 - np.exp(-above / (top - knee)))
            return plane(gains * compressed / levels)

        return replace(self, general=limit(self.general), on_ground=limit(self.on_ground))

    def compute_gains_for(self, base: Matte, ground: Plane | None) -> Plane:
        """Compute the gains of pixels by the luma around them (`base`) and their share of ground, 0-1."""
        gains = apply_lut(base, self.general)
        if ground is None:
            return gains
        return plane(gains + ground * (apply_lut(base, self.on_ground) - gains))


def _find_upright(canvas: Canvas) -> Plane:
    """Small map, 0-1: the share of upright surfaces. Things low in the picture count mostly as ground."""
    scene = canvas.scene
    ground = scene.share(Kind.GROUND) + scene.share(Kind.LAWN) + scene.share(Kind.WATER)
    below = smoothstep(compute_row_ramp(canvas), 0.55, 0.8)
    return plane(1 - np.clip(ground + 0.7 * below * scene.share(Kind.THINGS), 0, 1))


def _compute_sky_color(canvas: Canvas, dusk: DuskLight) -> Plane:
    """Compute a small map (x 3) of gains for gamma-coded values: light of the sky, and afterglow.

    Plants and the bottom of the picture get less light.
    """
    sky_share = 1 - 0.22 * find_vegetation(canvas) - 0.14 * smoothstep(compute_row_ramp(canvas), 0.72, 1.0)
    color = scale_channels(plane(sky_share), dusk.sky)
    glow = (
        smoothstep(compute_sun_ramp(canvas, choose_sun_side(canvas)), -0.6, 1.2)
        * (1 - find_vegetation(canvas))
        * smoothstep(compute_row_ramp(canvas), 1.0, 0.6)
    )
    return plane(np.sqrt(color**2 + scale_channels(plane(glow), dusk.afterglow)))


def _compute_gain_to_dusk(colors: Plane, sky: Plane, dusk: DuskLight) -> float:
    """Compute the gain that brings the median and the light parts below the sky within the limits of `dusk`."""
    middle, light = measure_tone_below_sky(colors, sky, 0.5), measure_tone_below_sky(colors, sky, 0.9)
    return min(dusk.middle / max(middle, 0.02), dusk.lightest / max(light, 0.02))


RULES = ReportRules(
    {
        # Another time of day has other colors, and the hard shadows of the day disappear.
        FigureCode.COLOR_CAST_ADDED: Limit(Reason.COLOR_CAST, maximum=4),
        # Good results have 0.8 and more; the result of a drawn test photo, a lawn of pure grain, has 0.58.
        FigureCode.SHARPNESS_RATIO: Limit(Reason.SOFTENED, minimum=0.55),
        FigureCode.EDGE_DISPLACEMENT: Limit(Reason.STRUCTURE_CHANGED, minimum=0.85),
        FigureCode.SHAPE_LOSS: Limit(Reason.STRUCTURE_CHANGED, maximum=0.1),
        FigureCode.WORST_SHAPE_LOSS: Limit(Reason.STRUCTURE_CHANGED, maximum=0.38),
        FigureCode.WORST_SHAPE_CHANGE: Limit(Reason.STRUCTURE_CHANGED),
        # Light of windows on walls counts as a halo: good results have up to 0.12.
        FigureCode.HALO: Limit(Reason.HALO, maximum=0.2),
    },
    white_shift=(6.5, -26.0),
)
EFFECT = Effect(
    Enhancement.TWILIGHT,
    "Twilight",
    Needs.DAYLIGHT,
    start_twilight,
    rules=RULES,
    # With less lit glass, hardly a window is lit. With more dark glass, most windows of the front stay dark beside
    # a few lit ones. Doubt about the sky counts as for a day sky.
    scene_limits={
        FigureCode.LIT_GLASS: Limit(Reason.NOTHING_LIT, minimum=0.002),
        FigureCode.DARK_GLASS: Limit(Reason.NOTHING_LIT, maximum=0.75),
        FigureCode.SKY_DOUBT: Limit(Reason.SKY_UNCLEAR, maximum=0.95),
    },
)
