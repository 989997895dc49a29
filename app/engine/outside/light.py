"""The hour of the day: golden hour and twilight, as new light on the old picture and a sky to match."""

import cv2
import numpy as np

from app.domain.quality import Reason
from app.engine.arrays import Pixels, Plane, blurred, luminance, plane, ramp
from app.engine.fullsize import dither, looked_up, rounded, stretch, tripled, worked
from app.engine.guided import grey_model
from app.engine.outside.clouds import Mood
from app.engine.outside.hours import DUSK, GOLDEN
from app.engine.outside.sky import DARK, LEAST_SKY, horizon_row, require_outdoors, sun_side, with_sky
from app.engine.step import Canvas, Declined, Worked

# Colour of the light, red green blue, relative to daylight.
SUN, SHADE = (1.20, 0.94, 0.66), (0.86, 0.90, 1.02)
DUSK_LIGHT = (0.25, 0.31, 0.49)
LAMP = (1.0, 0.62, 0.26)
SUNLIT = 0.35


def golden_hour(canvas: Canvas) -> Worked:
    """Low warm sun from the order's side, cooler shade, a sky warm at the horizon.

    Declines indoors (NOT_EXTERIOR) and on photos taken in the dark (ALREADY_DARK).
    """
    _require_day(canvas)
    relit = _in_low_sun(canvas)
    return _under(canvas, relit, GOLDEN)


def twilight(canvas: Canvas) -> Worked:
    """Blue dusk light without hard sun, windows lit from inside with spill around them, a dusk sky.

    Declines indoors (NOT_EXTERIOR) and on photos that are dark already (ALREADY_DARK).
    """
    _require_day(canvas)
    relit = _at_dusk(canvas)
    return _under(canvas, relit, DUSK)


def _require_day(canvas: Canvas) -> None:
    require_outdoors(canvas)
    if canvas.scene.ground_brightness < DARK:
        raise Declined(Reason.ALREADY_DARK, "The photo was taken at dusk or night already.")


def _under(canvas: Canvas, relit: Pixels, mood: Mood) -> Worked:
    scene = canvas.scene
    if scene.sky.mean() < LEAST_SKY:
        return Worked(relit)
    return Worked(with_sky(Canvas(relit, scene, canvas.wish), mood), region=scene.sky)


def _in_low_sun(canvas: Canvas) -> Pixels:
    """Sunlit tones towards SUN, dark ones towards SHADE, most on the sun's side, with its haze low down there."""
    light = _slanting(canvas)
    haze = _sun_haze(canvas)
    lit_table = ramp(plane(np.arange(256)) / np.float32(255), 0.12, 0.72)

    def strip_of(strip: Pixels, rows: slice) -> Pixels:
        side = stretch(light, strip_shape, rows)
        lit = looked_up(np.asarray(cv2.cvtColor(strip, cv2.COLOR_RGB2GRAY), np.uint8), lit_table) * side
        tint = plane(np.array(SHADE)) + tripled(plane(lit)) * plane(np.array(SUN) - np.array(SHADE))
        value = plane(strip) * np.float32(1 / 255)
        value = _gained(value, plane(tint * tripled(plane(0.80 + 0.34 * side))))
        glow = stretch(haze, strip_shape, rows)
        return rounded(255 * (value + glow * (1 - value)) + tripled(dither(strip_shape, rows)) * 0.5)

    strip_shape = canvas.pixels.shape
    return worked(canvas.pixels, strip_of)


def _gained(value: Plane, gain: Plane) -> Plane:
    """Values of 0-1 times the gain; a gain above 1 bends over so that white stays white and nothing clips."""
    return plane(value * gain / (1 + np.maximum(gain - 1, 0) * value))


def _slanting(canvas: Canvas) -> Plane:
    """Small map, 0-1: how much of the low sun reaches each place from its side."""
    height, width = canvas.scene.sky.shape
    across = np.linspace(-1, 1, width) * np.sign(sun_side(canvas))
    down = np.linspace(0, 1, height)
    return plane(np.clip(0.62 + 0.34 * across[None] - 0.22 * (down[:, None] - 0.4), 0, 1))


def _sun_haze(canvas: Canvas) -> Plane:
    """Small map x 3, 0-1: warm light scattered in front of the picture near the sun."""
    height, width = canvas.scene.sky.shape
    horizon = horizon_row(canvas.scene.sky)
    across = np.linspace(-1, 1, width)[None] - 1.1 * np.sign(sun_side(canvas))
    down = (np.linspace(0, 1, height)[:, None] - horizon) * 1.6
    near = np.exp(-(across**2 + down**2) / 0.5)[..., None]
    return plane(near * np.array((0.30, 0.17, 0.05)))


def _at_dusk(canvas: Canvas) -> Pixels:
    """Daylight taken back, squared values standing in for linear light; lamps behind the panes and their spill."""
    scene, shape = canvas.scene, canvas.pixels.shape
    slope, offset = grey_model(luminance(scene.own_small), max(scene.sky.shape) // 24, 0.01)
    spill, inside = _lamp_light(scene.windows)
    panes = scene.window_matte
    level = _dusk_level(canvas)

    def strip_of(strip: Pixels, rows: slice) -> Pixels:
        value = plane(strip) * np.float32(1 / 255)
        base = luminance(value) * stretch(slope, shape, rows) + stretch(offset, shape, rows)
        flattened = level / (1 + 1.9 * np.maximum(base - SUNLIT, 0))
        light = tripled(plane(flattened)) * plane(np.array(DUSK_LIGHT))
        light += tripled(stretch(spill, shape, rows)) * plane(np.array(LAMP))
        linear = value * value * light
        share = tripled(plane(plane(panes[rows]) * np.float32(1 / 255)))
        lamp = _pane_light(value, stretch(inside, shape, rows))
        linear += (lamp - linear) * share
        return rounded(255 * plane(cv2.sqrt(linear)) + tripled(dither(shape, rows)) * 0.5)

    return worked(canvas.pixels, strip_of)


def _dusk_level(canvas: Canvas) -> float:
    """How much light is left, so that bright and dim photos end up equally dusky."""
    return float(np.clip(0.42 / max(canvas.scene.ground_brightness, 0.05), 0.75, 1.7))


def _pane_light(value: Plane, inside: Plane) -> Plane:
    """Linear lamp light seen through the glass: curtains and bars of the day picture still show."""
    structure = 0.55 + 1.1 * luminance(value)
    return plane(tripled(plane(inside * structure)) * plane(np.array(LAMP)))


def _lamp_light(windows: Plane) -> tuple[Plane, Plane]:
    """Small maps of linear light: what falls on things around the panes, and what the panes themselves show."""
    side = max(windows.shape)
    near, wide = blurred(windows, side / 110), blurred(windows, side / 24)
    below = plane(np.roll(wide, side // 40, axis=0))
    spill = 0.9 * near + 1.7 * np.maximum(wide, below)
    inside = 0.55 + 0.45 * ramp(blurred(windows, side / 160), 0.2, 1.0)
    return plane(spill * 0.8), plane(inside * 0.9)
