"""Shared code of golden hour and twilight: a new sky, a picture in new light, and maps for the light."""

from collections.abc import Callable

import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.canvas import Canvas
from engine.color.channels import rgb_to_gray
from engine.filters.strips import map_strips
from engine.segmentation.labels import Kind
from engine.sky.clouds import Weather
from engine.sky.exchange import SkyChange
from engine.sky.replacement import has_sky, make_sky_change, shrink_canvas, start_sky_drawing

Relight = Callable[[Pixels, slice, slice], Pixels]
"""A function that returns some rows and columns of a picture (the photo or a small copy of it) in new light."""


def start_new_sky(canvas: Canvas, weather: Callable[[], Weather]) -> Callable[[], Plane] | None:
    """Start to draw the sky of this weather in a thread.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    weather : callable
        Returns the `Weather`.

    Returns
    -------
    callable or None
        Waits for the sky and returns it, as the result of `start_sky_drawing` does; None if there is too little sky
        to exchange.
    """
    return start_sky_drawing(canvas, weather) if has_sky(canvas) else None


def relight_picture(canvas: Canvas, relight: Relight, change: SkyChange | None) -> Pixels:
    """Make the picture in new light, and under the new sky if there is one.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    relight : callable
        Given a picture and slices of its rows and columns, returns that part of it in new light.
    change : SkyChange or None
        The exchange of the sky; None keeps the old sky, relit like everything else.

    Returns
    -------
    (H, W, 3) ndarray of uint8
        Gamma-coded, in the photo's own color space.
    """
    pixels, all_columns = canvas.pixels, slice(0, canvas.pixels.shape[1])
    if change is None:
        return map_strips(pixels, lambda _, rows: relight(pixels, rows, all_columns))

    things = map_strips(pixels, change.remove_old)

    def relight_strip(strip: Pixels, rows: slice) -> Pixels:
        columns, lit = change.find_ground_columns(rows), strip.copy()
        if columns.start < columns.stop:
            lit[:, columns] = relight(things, rows, columns)
        return change.apply_to(lit, rows)

    return map_strips(pixels, relight_strip)


def make_relit_sky_change(canvas: Canvas, relight: Relight, sky: Callable[[], Plane]) -> SkyChange:
    """Make the exchange of the old sky, in the new light, for the new one.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    relight : callable
        Given a picture and slices of its rows and columns, returns that part of it in new light.
    sky : callable
        Returns the new sky, as from `start_new_sky`.

    Returns
    -------
    SkyChange
        Without reflections.
    """
    small = shrink_canvas(canvas)
    lit = relight(small, *(slice(0, side) for side in small.shape[:2]))
    return make_sky_change(canvas, lit, sky, shot=small)


def find_vegetation(canvas: Canvas) -> Plane:
    """Find trees and lawn.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.

    Returns
    -------
    (h, w) ndarray of float32
        The share of both in each pixel, 0-1.
    """
    return plane(np.clip(canvas.scene.share(Kind.TREES) + canvas.scene.share(Kind.LAWN), 0, 1))


def compute_sun_ramp(canvas: Canvas, side: float) -> Plane:
    """Compute a ramp across the picture towards the sun's side.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    side : float
        The sun's side: negative left, positive right.

    Returns
    -------
    (1, w) ndarray of float32
        1 at the edge on the sun's side, -1 at the other edge.
    """
    return plane(np.linspace(-1, 1, canvas.scene.sky.shape[1])[None] * np.sign(side))


def compute_row_ramp(canvas: Canvas) -> Plane:
    """Compute a ramp from the top to the bottom of the picture.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.

    Returns
    -------
    (h, 1) ndarray of float32
        0 at the top to 1 at the bottom.
    """
    return plane(np.linspace(0, 1, canvas.scene.sky.shape[0])[:, None])


def measure_tone_below_sky(colors: Plane, sky: Plane, share: float) -> float:
    """Measure a quantile of the luma of everything except the sky.

    Parameters
    ----------
    colors : (h, w, 3) ndarray of float32
        The small picture, gamma-coded, usually 0-1.
    sky : (h, w) ndarray of float32
        The share of sky in each pixel, 0-1; pixels with 0.5 or more are left out.
    share : float
        The quantile, 0-1.

    Returns
    -------
    float
        Luma in the range of `colors`; measured in the whole picture if all of it is sky.
    """
    # Every other pixel in both directions is enough for a quantile.
    gray = rgb_to_gray(colors)[::2, ::2]
    below_sky = gray[sky[::2, ::2] < 0.5]
    return float(np.quantile(below_sky if below_sky.size else gray, share))
