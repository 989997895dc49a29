"""Blue sky: an overcast or blown sky becomes a natural blue one with soft clouds."""

import numpy as np

from app.domain.quality import Reason
from app.engine.arrays import Matte, Pixels, Plane, plane, ramp, spread_from
from app.engine.fullsize import dither, looked_up, rounded, stretch, tripled, worked
from app.engine.outside.clouds import Mood, View, drawn_sky
from app.engine.outside.hours import DAY
from app.engine.scene.analysis import shrunken
from app.engine.step import Canvas, Declined, Worked, order_noise, photo_noise

LEAST_SKY = 0.015
# Below this median luma of everything but the sky, the photo is dusk or night.
DARK = 0.19
DRAWN_SIDE = 1400


def replace_sky(canvas: Canvas) -> Worked:
    """Put a drawn day sky behind everything that stands before the sky; nothing below changes.

    Declines without sky (NO_SKY), indoors (NOT_EXTERIOR) and on photos taken in the dark (ALREADY_DARK).
    """
    require_outdoors(canvas)
    scene = canvas.scene
    if scene.sky.mean() < LEAST_SKY:
        raise Declined(Reason.NO_SKY, "No sky was found in this photo.")
    if scene.ground_brightness < DARK:
        raise Declined(Reason.ALREADY_DARK, "The photo was taken in the dark; a day sky would not fit.")
    return Worked(with_sky(canvas, DAY), region=scene.sky, matte=scene.sky_matte)


def require_outdoors(canvas: Canvas) -> None:
    """Declines with NOT_EXTERIOR when the photo shows a room."""
    if not canvas.scene.outdoors:
        raise Declined(Reason.NOT_EXTERIOR, "The photo does not seem to be taken outdoors.")


def with_sky(canvas: Canvas, mood: Mood) -> Pixels:
    """The picture with the sky of this mood; half-covered pixels exchange the old sky's light for the new one's."""
    return composed(canvas.pixels, canvas.scene.sky_matte, _old_sky(canvas), _new_sky(canvas, mood))


def sun_side(canvas: Canvas) -> float:
    """Where the sun stands for every photo of the order: -1 left, 1 right."""
    side = order_noise(canvas).uniform(0.6, 1.0)
    return float(side if order_noise(canvas).integers(2) else -side)


def _new_sky(canvas: Canvas, mood: Mood) -> Plane:
    height, width = canvas.pixels.shape[:2]
    scale = min(1.0, DRAWN_SIDE / max(height, width))
    view = View(
        max(1, round(height * scale)),
        max(1, round(width * scale)),
        horizon_row(canvas.scene.sky),
        sun_side(canvas),
    )
    return canvas.scene.profile.from_srgb(drawn_sky(mood, view, order_noise(canvas), photo_noise(canvas)))


def horizon_row(sky: Plane) -> float:
    """The row, as a share of the height, where the sky meets the ground: a little below its lowest open part."""
    filled = (sky > 0.5).mean(1)
    rows = np.flatnonzero(filled > 0.02)
    lowest = (rows[-1] + 1) / len(filled) if rows.size else 0.5
    return float(np.clip(lowest, 0.35, 0.75))


def _old_sky(canvas: Canvas) -> Plane:
    """The smooth colour of the sky being replaced, carried behind twigs and roofs (x 3, 0-255)."""
    height, width = canvas.scene.sky.shape
    small = plane(shrunken(canvas.pixels, max(height, width)))
    return spread_from(small, plane(canvas.scene.sky > 0.97), max(height, width) / 50)


def composed(pixels: Pixels, matte: Matte, old: Plane, new: Plane) -> Pixels:
    """Each pixel with its share of the old sky's light taken out and the new sky's put in.

    In the open sky (share near 1) the old sky's own clouds go as well; where the share is 0 no byte changes.
    """
    levels = plane(np.arange(256)) / np.float32(255)
    share_table = ramp(levels, 0.03, 0.97) * 0.4 + np.clip((levels - 0.03) / 0.94, 0, 1) * 0.6
    open_table = ramp(levels, 0.55, 0.95)

    def strip_of(strip: Pixels, rows: slice) -> Pixels:
        inside = matte[rows]
        if not inside.any():
            return strip
        share = tripled(looked_up(inside, plane(share_table)))
        was, will = stretch(old, pixels.shape, rows), stretch(new, pixels.shape, rows)
        value = plane(strip)
        value += (will - was) * share - (value - was) * tripled(looked_up(inside, open_table))
        value += tripled(dither(pixels.shape, rows)) * (share > 0.5)
        return np.where(share > 0, rounded(value), strip)

    return worked(pixels, strip_of)
