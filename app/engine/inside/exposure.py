"""Light in rooms: an even exposure of room and window view, and the clean colour of flash over ambient shape."""

from dataclasses import dataclass

import numpy as np

from app.engine.arrays import Pixels, Plane, blurred, brightest_channel, luminance, plane, ramp, spread_from
from app.engine.fullsize import dither, rounded, stretch, tripled, worked
from app.engine.guided import grey_model
from app.engine.step import Canvas, Worked

DETAIL_RADIUS_SHARE, EDGE_SOFTNESS = 28, 0.012
MOST_CAST = 1.4
LEAST_LIFT, MOST_LIFT = 1.3, 4.0
# Beyond 1.5 the curve of the light tones would rise over white before it reaches it.
MOST_WHITE = 1.45
JUST_BELOW_WHITE = 0.99


@dataclass(frozen=True, slots=True)
class Development:
    """How a room picture is developed.

    `lift` and `balance` (x 3) are small maps of gains for the dark end; `white` is the gain of the light
    tones; `detail` adds local contrast.
    """

    lift: Plane
    balance: Plane
    white: float
    detail: float


def balance_exposure(canvas: Canvas) -> Worked:
    """Shadows opened, highlights kept, whites neutral, local contrast up; edges hold without halos."""
    small = canvas.scene.own_small
    balance = _neutralising(_cast(small, reach=0), strength=0.9)
    grey = luminance(_bent(small, balance))
    white = _white_gain(grey, wanted=0.90)
    lift = _lift_to(grey * white, median=0.62)
    even = np.full(small.shape[:2], lift, np.float32)
    return Worked(_developed(canvas, Development(even, balance, white, detail=0.5)))


def add_flash(canvas: Canvas) -> Worked:
    """Neutral whites everywhere, dark corners filled as by a bounced flash, the ambient light's shape kept."""
    small = canvas.scene.own_small
    balance = _neutralising(_cast(small, reach=max(small.shape[:2]) / 5), strength=0.95)
    grey = luminance(_bent(small, balance))
    white = _white_gain(grey, wanted=0.95)
    light = blurred(grey, max(small.shape[:2]) / 7)
    uneven = np.clip((np.quantile(light, 0.75) / np.maximum(light, 0.04)) ** 0.9, 0.9, 2.2)
    lift = plane(_lift_to(plane(grey * white), median=0.66) * uneven)
    return Worked(_developed(canvas, Development(lift, balance, white, detail=0.25)))


def _developed(canvas: Canvas, how: Development) -> Pixels:
    pixels = canvas.pixels
    small = _bent(canvas.scene.own_small, how.balance)
    radius = max(2, max(small.shape[:2]) // DETAIL_RADIUS_SHARE)
    slope, offset = grey_model(luminance(small), radius, EDGE_SOFTNESS)

    def strip_of(strip: Pixels, rows: slice) -> Pixels:
        value = _bent(plane(strip) * np.float32(1 / 255), stretch(how.balance, pixels.shape, rows))
        grey = luminance(value)
        base = grey * stretch(slope, pixels.shape, rows) + stretch(offset, pixels.shape, rows)
        lift = 1 + (stretch(how.lift, pixels.shape, rows) - 1) * np.clip(1 - base, 0, 1)
        peak = brightest_channel(value)
        scale = lift / (1 + (lift - 1) * peak)
        contrast = (grey - base) / np.maximum(base, 0.12)
        cubed = peak * peak * peak
        scale *= 1 + how.detail * np.clip(contrast, -0.6, 0.6) * (1 - cubed)
        scale *= how.white / (1 + (how.white - 1) * cubed)
        scale = np.minimum(scale, np.maximum(1, JUST_BELOW_WHITE / np.maximum(peak, 0.01)))
        return rounded(255 * value * tripled(plane(scale)) + tripled(dither(pixels.shape, rows)) * 0.5)

    return worked(pixels, strip_of)


def _bent(value: Plane, gain: Plane) -> Plane:
    """Values of 0-1 with the gain at the dark end, bending over so that white stays white."""
    return plane(gain * value / (1 + (gain - 1) * value))


def _white_gain(grey: Plane, wanted: float) -> float:
    """The gain that brings the lightest tones near white, as a good exposure would have."""
    return float(np.clip(wanted / max(float(np.quantile(grey, 0.93)), 0.1), 1.0, MOST_WHITE))


def _lift_to(grey: Plane, median: float) -> float:
    """The shadow gain that brings the room's median luma near `median`; always a little, never muddy grey."""
    now = float(np.clip(np.median(grey), 0.02, 0.95))
    wanted = median * (1 - now) / (now * (1 - median))
    # The gain acts in full on black only and half on middle grey.
    return float(np.clip(1 + (wanted - 1) * 1.8, LEAST_LIFT, MOST_LIFT))


def _cast(small: Plane, reach: float) -> Plane:
    """The colour of what should be white, x 3: one for the picture, or (reach in pixels) one for each place.

    White patches count by how bright and how nearly neutral they are, so that wood keeps its own colour.
    """
    value = small.max(-1)
    chroma = (value - small.min(-1)) / np.maximum(value, 1e-3)
    weight = ramp(plane(chroma), 0.42, 0.08) * ramp(value, 0.2, 0.7) * ramp(value, 0.995, 0.95) + 1e-4
    if reach:
        return spread_from(small, plane(weight), reach)
    mean = (small * weight[..., None]).sum((0, 1)) / weight.sum()
    return plane(np.broadcast_to(mean, small.shape))


def _neutralising(cast: Plane, strength: float) -> Plane:
    """Gains x 3 that take this share of the cast away without changing the brightness."""
    grey = luminance(cast)[..., None]
    gain = np.clip(grey / np.maximum(cast, 0.02), 1 / MOST_CAST, MOST_CAST) ** strength
    # The gains bend towards white, where they act less; casts are measured there, so they are doubled up.
    return plane(gain ** (1 / np.maximum(1 - 0.75 * cast, 0.3)).clip(1, 3))
