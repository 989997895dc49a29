"""What golden hour and twilight share: the sky that goes with them, and where surfaces are."""

from collections.abc import Callable

import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.canvas import Canvas
from engine.color.channels import rgb_to_gray
from engine.filters.strips import map_strips
from engine.segmentation.labels import Kind
from engine.sky.clouds import Weather
from engine.sky.exchange import SkyChange
from engine.sky.replacement import LEAST_SKY, make_sky_change, shrink_seen, start_sky_drawing

# Relights these rows and columns of a picture: the photo itself or a small copy of it.
Relight = Callable[[Pixels, slice, slice], Pixels]


def start_new_sky(canvas: Canvas, weather: Callable[[], Weather]) -> Callable[[], Plane] | None:
    """The sky of this weather in the making, None where there is too little of one to exchange."""
    return start_sky_drawing(canvas, weather) if has_sky(canvas) else None


def relight_picture(canvas: Canvas, relight: Relight, change: SkyChange | None) -> Pixels:
    """The picture in new light, under the new sky where one comes with it."""
    pixels, everywhere = canvas.pixels, slice(0, canvas.pixels.shape[1])
    if change is None:
        return map_strips(pixels, lambda _, rows: relight(pixels, rows, everywhere))

    def strip_of(strip: Pixels, rows: slice) -> Pixels:
        columns, lit = change.columns_with_ground(rows), strip.copy()
        if columns.start < columns.stop:
            lit[:, columns] = relight(pixels, rows, columns)
        return change.on(lit, rows)

    return map_strips(pixels, strip_of)


def change_sky_under(canvas: Canvas, relight: Relight, sky: Callable[[], Plane]) -> SkyChange:
    """The exchange of the old sky, as it looks in the new light, for the new one."""
    small = shrink_seen(canvas)
    return make_sky_change(canvas, relight(small, *(slice(0, side) for side in small.shape[:2])), sky)


def has_sky(canvas: Canvas) -> bool:
    """Whether there is enough sky to exchange."""
    return bool(canvas.scene.sky.mean() >= LEAST_SKY)


def find_growth(canvas: Canvas) -> Plane:
    """Small map, 0-1: trees and lawn."""
    return plane(np.clip(canvas.scene.share(Kind.TREES) + canvas.scene.share(Kind.LAWN), 0, 1))


def compute_sun_ramp(canvas: Canvas, side: float) -> Plane:
    """Small row, -1 away from the sun's side to 1 at it."""
    return plane(np.linspace(-1, 1, canvas.scene.sky.shape[1])[None] * np.sign(side))


def compute_row_ramp(canvas: Canvas) -> Plane:
    """Small column, 0 at the top to 1 at the bottom."""
    return plane(np.linspace(0, 1, canvas.scene.sky.shape[0])[:, None])


def measure_tone_below_sky(colors: Plane, sky: Plane, share: float) -> float:
    """The luma, 0-1, that this share of everything but the sky is darker than."""
    # Every other pixel both ways says as much as all of them.
    gray = rgb_to_gray(colors)[::2, ::2]
    rest = gray[sky[::2, ::2] < 0.5]
    return float(np.quantile(rest if rest.size else gray, share))
