"""Golden hour: a low warm sun from the order's side, cooler shade low down and away from it, its haze, its sky."""

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from app.domain.catalogue import Enhancement
from app.domain.quality import Reason
from app.engine.arrays import Pixels, Plane, matte, plane, ramp
from app.engine.canvas import Canvas, Worked
from app.engine.color.channels import coloured, luminance
from app.engine.effect import Effect, Needs, Step
from app.engine.filters.guided import grey_model
from app.engine.filters.smoothing import blurred
from app.engine.filters.strips import dither, light_of, runs_with_some, small_rows, stretch, widened
from app.engine.quality.limits import CAST, TORN, Limit, ReportRules
from app.engine.relighting.hour_of_day import (
    Relight,
    across,
    change_under,
    down,
    growth,
    relit,
    sky_with_it,
    tone_below_sky,
)
from app.engine.segmentation.labels import Kind
from app.engine.sky.atmosphere import towards_sun
from app.engine.sky.clouds import Weather
from app.engine.sky.moods import GOLDEN
from app.engine.sky.replacement import mirroring, sun_side, view_of, weather_begun, with_mirrors
from app.engine.sky.view import place_of

# What each colour is multiplied by in the shade, in the sun, and in the sun where it is nearly white.
SHADE, SUN, SUN_ON_WHITE = (0.78, 0.83, 0.91), (1.15, 0.955, 0.69), (1.0, 0.91, 0.745)
HAZE = (255, 206, 140)
MOST_HAZE, LEAST_HAZE = 0.26, 0.004
# Enough noise in the mixture that walls without grain do not band.
DITHER = 0.02
# Between these lumas, relative to the middle of the picture, tones pass from shade to sun.
SHADED, SUNLIT = 0.45, 1.25
WHITISH, WHITE = 0.55, 0.97
# How far hard light and shade of the day are brought together, by what it falls on, and what that counts from.
SOFTENED = {Kind.LAWN: 1.0, Kind.GROUND: 1.0, Kind.BUILDING: 0.55, Kind.THINGS: 0.5}
SOFTNESS, DARKEST = 0.55, 0.06
LEAST_SOFT, MOST_SOFT = 0.8, 1.7
LIT_SHARE = 0.6
# The sun may stand so far outside the frame, in half widths from its middle, and still veil its side.
MOST_ASIDE = 1.3
# Shares of the long side, and luma squared: shadows are at least this wide, blades and bricks vary less.
SHADOW, TEXTURE = 1 / 40, 0.003


def start_golden_hour(canvas: Canvas) -> Step:
    """Begin to draw the order's weather, while the photo is looked at."""
    return partial(light_golden_hour, weather=weather_begun(canvas, GOLDEN))


def light_golden_hour(canvas: Canvas, weather: Callable[[], Weather]) -> Worked:
    """Low warm sun from the order's side, cooler shade, the day's hard shadows softened, a sky warm at the horizon.

    Water and panes mirror that sky.
    """
    sky = sky_with_it(canvas, weather)
    relight = _low_sun(canvas)
    if sky is None:
        return Worked(relit(canvas, relight, None))
    change, mirrors = mirroring(canvas, change_under(canvas, relight, sky))
    return Worked(relit(canvas, relight, change), region=with_mirrors(canvas.scene.sky_through, mirrors))


def _low_sun(canvas: Canvas) -> Relight:
    """Each tone between its look in the sun and in the shade, with haze before what is near the sun."""
    haze, soft = _haze(canvas), _softening(canvas)
    hazy = np.asarray(haze > LEAST_HAZE)
    clear, glow = plane(1 - haze), coloured(haze, HAZE)
    lit, white = (matte(each) for each in _tones(canvas))
    maps = plane(cv2.merge([_reached(canvas), *_day_shadows(canvas)]))
    colours = plane(np.array((SHADE, np.subtract(SUN, SHADE), np.subtract(SUN_ON_WHITE, SUN))).T)

    def gains_of(part: Pixels, rows: slice, columns: slice, shape: tuple[int, ...]) -> Plane:
        grey = cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)
        reached, slope, offset, softened = cv2.split(stretch(maps, shape, rows, columns))
        base = cv2.add(cv2.multiply(grey, slope, dtype=cv2.CV_32F), offset, dtype=cv2.CV_8U)
        evened = cv2.multiply(cv2.LUT(base, soft), softened) + np.float32(1)
        gain = cv2.multiply(evened, stretch(clear, shape, rows, columns))
        sunny = cv2.multiply(gain, reached + dither(shape, rows, columns) * np.float32(DITHER))
        sunny = cv2.multiply(cv2.LUT(grey, lit), sunny, scale=1 / 255, dtype=cv2.CV_32F)
        whitish = cv2.multiply(cv2.LUT(grey, white), sunny, scale=1 / 255, dtype=cv2.CV_32F)
        return plane(cv2.transform(cv2.merge([gain, sunny, whitish]), colours))

    def relight(pixels: Pixels, rows: slice, columns: slice) -> Pixels:
        gains, shape = light_of(pixels, rows, columns, gains_of), pixels.shape
        done = np.asarray(cv2.multiply(pixels[rows, columns], gains, dtype=cv2.CV_8U), np.uint8)
        for run in runs_with_some(hazy[small_rows(rows, shape[0], len(hazy))]):
            wide = widened(run, hazy.shape[1], shape[1])
            here = slice(max(wide.start, columns.start), min(wide.stop, columns.stop))
            if here.start < here.stop:
                part = done[:, here.start - columns.start : here.stop - columns.start]
                part[:] = cv2.add(part, stretch(glow, shape, rows, here), dtype=cv2.CV_8U)
        return done

    return relight


def _day_shadows(canvas: Canvas) -> tuple[Plane, Plane, Plane]:
    """Small maps: the luma around each place as slope and offset (0-255), and how much its light is softened, 0-1.

    The first two follow the edges of shadows.
    """
    grey = luminance(canvas.scene.own_small)
    slope, offset = grey_model(grey, round(max(grey.shape) * SHADOW), TEXTURE)
    share = sum((weight * canvas.scene.share(kind) for kind, weight in SOFTENED.items()), np.zeros_like(grey))
    share = plane(blurred(plane(share), 2.0))
    return slope, plane(offset * 255), share


def _softening(canvas: Canvas) -> Plane:
    """By the light of a place's surroundings in bytes: what to add to a gain of 1 to bring it nearer to the lit."""
    lit = tone_below_sky(canvas.scene.own_small, canvas.scene.sky, LIT_SHARE)
    base = plane(np.arange(256) / 255)
    gain = ((base + DARKEST) / (lit + DARKEST)) ** -SOFTNESS
    return plane(np.clip(gain, LEAST_SOFT, MOST_SOFT) - 1)


def _tones(canvas: Canvas) -> tuple[Plane, Plane]:
    """By luma in bytes, 0-1: how far a tone may be sunlit, and how near to white it is."""
    middle = float(np.clip(tone_below_sky(canvas.scene.own_small, canvas.scene.sky, 0.5), 0.2, 0.6))
    levels = plane(np.arange(256) / 255)
    return ramp(levels, SHADED * middle, min(SUNLIT * middle, 0.8)), ramp(levels, WHITISH, WHITE)


def _reached(canvas: Canvas) -> Plane:
    """Small map, 0-1: how much of the low sun reaches each place; what is low down lies in the shade of others."""
    side = across(canvas, sun_side(canvas))
    high = ramp(down(canvas), 1.05, 0.5)
    relief = _facing_sun(canvas)
    return plane(np.clip((0.62 + 0.38 * side) * (0.45 + 0.55 * high) + relief, 0, 1))


def _facing_sun(canvas: Canvas) -> Plane:
    """Small map, about -0.3 to 0.3: leaves that turn to the sun or away from it, told by their light and shade."""
    grey = luminance(canvas.scene.own_small)
    sigma = max(grey.shape) / 160
    soft = blurred(grey, sigma)
    slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.125, borderType=cv2.BORDER_REPLICATE)
    towards = -np.sign(sun_side(canvas)) * slope * sigma * 2
    return plane(np.clip(towards, -0.3, 0.3) * blurred(growth(canvas), sigma))


def _haze(canvas: Canvas) -> Plane:
    """Small map, 0-1: warm light scattered in front of the picture near the sun low over the horizon."""
    view = view_of(canvas, *canvas.scene.sky.shape)
    place, height = place_of(view, towards_sun(GOLDEN.air, view.sun_side))
    aside = across(canvas, view.sun_side) - min(abs(2 * place - 1), MOST_ASIDE)
    low = down(canvas) - (height + view.horizon) / 2
    return plane(MOST_HAZE * np.exp(-(aside**2 / 0.32 + low**2 / 0.08)))


EFFECT = Effect(
    Enhancement.GOLDEN_HOUR,
    "Golden hour",
    Needs.DAYLIGHT,
    start_golden_hour,
    # Other hours have their own colour, and hard shadows of the day go.
    rules=ReportRules({CAST: Limit(Reason.COLOUR_CAST, maximum=4)}, white_shift=(3.0, 18.0)),
    # Of golden hours not fit to sell 5 of 16 have more, of publishable ones none of 11.
    scene_limits={TORN: Limit(Reason.SKY_UNCLEAR, maximum=0.065)},
)
