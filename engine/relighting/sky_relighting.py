"""Code that golden hour and twilight share: a new sky, relighting under it, and maps for the light."""

from collections.abc import Callable

import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.canvas import Canvas
from engine.color.channels import rgb_to_gray
from engine.filters.strips import map_strips
from engine.segmentation.labels import Kind
from engine.sky.clouds import Weather
from engine.sky.exchange import SkyChange
from engine.sky.replacement import has_sky, make_sky_change, shrink_seen, start_sky_drawing

Relight = Callable[[Pixels, slice, slice], Pixels]
"""Relights these rows and columns of a picture, which is the photo itself or a small copy of it."""


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
        Waits for the sky and returns it, as the result of `start_sky_drawing` does; None where there is too little
        sky to exchange.
    """
    return start_sky_drawing(canvas, weather) if has_sky(canvas) else None


def relight_picture(canvas: Canvas, relight: Relight, change: SkyChange | None) -> Pixels:
    """The picture in new light, and under the new sky if there is one.

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
    """The exchange of the old sky, as it looks in the new light, for the new one.

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
    small = shrink_seen(canvas)
    return make_sky_change(canvas, relight(small, *(slice(0, side) for side in small.shape[:2])), sky)


def find_growth(canvas: Canvas) -> Plane:
    """Where trees and lawn are.

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
    """A ramp across the picture towards the sun's side.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    side : float
        Where the sun is: below 0 left, above 0 right.

    Returns
    -------
    (1, w) ndarray of float32
        1 at the edge on the sun's side, -1 at the other edge.
    """
    return plane(np.linspace(-1, 1, canvas.scene.sky.shape[1])[None] * np.sign(side))


def compute_row_ramp(canvas: Canvas) -> Plane:
    """A ramp down the picture.

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
    """A quantile of the luma of everything but the sky.

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
        Luma in the range of `colors`; of the whole picture if it is all sky.
    """
    # Every other pixel in both directions is enough for a quantile.
    gray = rgb_to_gray(colors)[::2, ::2]
    rest = gray[sky[::2, ::2] < 0.5]
    return float(np.quantile(rest if rest.size else gray, share))
