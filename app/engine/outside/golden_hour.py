"""Golden hour: a low warm sun from the order's side, cooler shade low down and away from it, its haze, its sky."""

import cv2
import numpy as np

from app.engine.arrays import Pixels, Plane, blurred, luminance, plane, ramp
from app.engine.fullsize import dither, looked_up, stretch, tripled
from app.engine.outside.hours import GOLDEN
from app.engine.outside.light_of_day import (
    Relight,
    across,
    down,
    growth,
    has_sky,
    relit,
    require_day,
    tone_below_sky,
)
from app.engine.outside.sky import horizon_row, sun_side
from app.engine.step import Canvas, Worked

# What each colour is multiplied by in the shade, in the sun, and in the sun where it is nearly white.
SHADE, SUN, SUN_ON_WHITE = (0.78, 0.83, 0.91), (1.15, 0.955, 0.69), (1.0, 0.91, 0.745)
HAZE = (255, 206, 140)
MOST_HAZE = 0.34
# Enough noise in the mixture that walls without grain do not band.
DITHER = 0.02
# Between these lumas, relative to the middle of the picture, tones pass from shade to sun.
SHADED, SUNLIT = 0.45, 1.25
WHITISH, WHITE = 0.55, 0.97


def golden_hour(canvas: Canvas) -> Worked:
    """Low warm sun from the order's side, cooler shade, a sky warm at the horizon.

    Declines indoors (NOT_EXTERIOR) and on photos taken in the dark (ALREADY_DARK).
    """
    require_day(canvas)
    pixels = relit(canvas, _low_sun(canvas), GOLDEN)
    return Worked(pixels, region=canvas.scene.sky if has_sky(canvas) else None)


def _low_sun(canvas: Canvas) -> Relight:
    """Each tone between its look in the sun and in the shade, with haze before what is near the sun."""
    reach, haze = _reached(canvas), _haze(canvas)
    lit, white = _tones(canvas)
    colours = plane(np.array((np.subtract(SUN, SHADE), np.subtract(SUN_ON_WHITE, SUN), SHADE)).T)
    glow = plane(np.array(HAZE)[:, None])

    def relight(strip: Pixels, rows: slice, shape: tuple[int, ...]) -> Pixels:
        hazy = _columns(haze, shape[1])
        grey = np.asarray(cv2.cvtColor(strip, cv2.COLOR_RGB2GRAY), np.uint8)
        reached = stretch(reach, shape, rows) + dither(shape, rows) * DITHER
        sunny = cv2.multiply(looked_up(grey, lit), reached)
        shares = cv2.merge([sunny, cv2.multiply(looked_up(grey, white), sunny)])
        done = np.asarray(cv2.multiply(strip, cv2.transform(shares, colours), dtype=cv2.CV_8U), np.uint8)
        veil = np.ascontiguousarray(stretch(haze, shape, rows)[:, hazy])
        if veil.size:
            seen = cv2.multiply(done[:, hazy], tripled(plane(1 - veil)), dtype=cv2.CV_32F)
            done[:, hazy] = cv2.add(seen, cv2.transform(veil, glow), dtype=cv2.CV_8U)
        return done

    return relight


def _tones(canvas: Canvas) -> tuple[Plane, Plane]:
    """By luma in bytes, 0-1: how far a tone may be sunlit, and how near to white it is."""
    middle = float(np.clip(tone_below_sky(canvas.scene.own_small, canvas.scene.sky, 0.5), 0.2, 0.6))
    levels = plane(np.arange(256) / 255)
    return ramp(levels, SHADED * middle, min(SUNLIT * middle, 0.8)), ramp(levels, WHITISH, WHITE)


def _columns(values: Plane, width: int) -> slice:
    """The columns of the full-size picture in which the small map is more than nothing."""
    with_some = np.flatnonzero((values > 0.004).any(0))
    first, last = (with_some[0], with_some[-1] + 1) if with_some.size else (0, 0)
    return slice(
        max(0, int((first - 1) * width / values.shape[1])), int(np.ceil((last + 1) * width / values.shape[1]))
    )


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
    """Small map, 0-1: warm light scattered in front of the picture near the sun, which stands at the horizon."""
    side, horizon = across(canvas, sun_side(canvas)) - 1.15, down(canvas) - horizon_row(canvas.scene.sky)
    return plane(MOST_HAZE * np.exp(-(side**2 / 0.5 + horizon**2 / 0.10)))
