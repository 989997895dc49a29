"""Replaces the sky of a photo by a drawn one: weather, view, pixels that are partly sky, reflections."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane, smoothstep
from engine.canvas import Canvas, create_order_rng, create_photo_rng
from engine.filters.smoothing import normalized_convolution
from engine.filters.strips import start_thread
from engine.segmentation.scene import shrink_to
from engine.sky.clouds import Mood, Weather, draw_sky_of_weather, make_weather
from engine.sky.exchange import SkyChange
from engine.sky.reflections import LEAST_WEIGHT, compute_mirrored_change
from engine.sky.view import SkyView

LEAST_SKY = 0.01
"""Least share of the picture that must be sky for the sky to be exchanged."""
DRAWN_SIDE = 1400
"""Longest side, in pixels, of the frame in which the new sky is drawn."""
OLD_SIDE = 384
"""Longest side, in pixels, of the picture that the old sky's color is found on: old skies are smooth."""
SEEN_OF_EACH = 4
"""Each of its pixels is the mean of at most about this many by this many pixels of the photo."""


def has_sky(canvas: Canvas) -> bool:
    """Whether there is enough sky to exchange.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.

    Returns
    -------
    bool
        True where the mean share of sky is at least LEAST_SKY.
    """
    return bool(canvas.scene.sky.mean() >= LEAST_SKY)


def add_mirroring(canvas: Canvas, change: SkyChange) -> tuple[SkyChange, Plane | None]:
    """The exchange of the sky together with its reflections.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    change : SkyChange
        The exchange, its old sky as it looks in the new light.

    Returns
    -------
    change : SkyChange
        With `mirrored` where anything mirrors the sky, else unchanged.
    mirrors : (h, w) ndarray of float32, or None
        How much each pixel mirrors the sky, 0-1, as large as `scene.sky`; None where nothing does.
    """
    scene = canvas.scene
    found = compute_mirrored_change(scene, estimate_horizon_row(scene.sky), change.old, change.new)
    return (change, None) if found is None else (replace(change, mirrored=found[0]), found[1])


def add_mirrors(sky: Plane, mirrors: Plane | None) -> Plane:
    """The sky together with everything that mirrors the sky.

    Parameters
    ----------
    sky : (h, w) ndarray of float32
        The share of sky in each pixel, 0-1.
    mirrors : (h, w) ndarray of float32, or None
        How much each pixel mirrors the sky, 0-1; None where nothing does.

    Returns
    -------
    (h, w) ndarray of float32
        0-1; pixels that mirror at least LEAST_WEIGHT count in full.
    """
    return sky if mirrors is None else plane(np.maximum(sky, smoothstep(mirrors, 0.0, LEAST_WEIGHT)))


def start_weather(canvas: Canvas, mood: Mood) -> Callable[[], Weather]:
    """Start to make the order's weather in a thread; the weather does not depend on the photo.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    mood : Mood
        The kind of sky.

    Returns
    -------
    callable
        Waits for the weather and returns it, a `Weather`.
    """
    return start_thread(lambda: make_weather(mood, choose_sun_side(canvas), create_order_rng(canvas)))


def start_sky_drawing(canvas: Canvas, weather: Callable[[], Weather]) -> Callable[[], Plane]:
    """Start to draw the new sky in a thread.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    weather : callable
        Returns the `Weather`, as from `start_weather`.

    Returns
    -------
    callable
        Waits for the sky and returns it: (h, w, 3) ndarray of float32, 0-255, gamma-coded, in the photo's own color
        space, the whole frame with a long side of at most DRAWN_SIDE.
    """
    # Computed here, not in the thread: the caller's next steps need it too.
    _ = canvas.scene.sky
    return start_thread(lambda: _draw_new_sky(canvas, weather()))


def make_sky_change(canvas: Canvas, small: Pixels, new: Callable[[], Plane]) -> SkyChange:
    """The exchange of the sky of one picture for a drawn one.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    small : (h, w, 3) ndarray of uint8
        The picture that gets the new sky, shrunk to a few hundred pixels, in the photo's own color space.
    new : callable
        Returns the new sky, as from `start_sky_drawing`.

    Returns
    -------
    SkyChange
        Without reflections.
    """
    old, matte = _find_old_sky(canvas.scene.sky, small), canvas.scene.sky_matte
    return SkyChange(matte, old, new())


def shrink_seen(canvas: Canvas) -> Pixels:
    """The canvas's picture made small; large pictures are subsampled first, which is enough for their colors.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.

    Returns
    -------
    (h, w, 3) ndarray of uint8
        With a long side of at most OLD_SIDE, gamma-coded, in the photo's own color space.
    """
    if canvas.pixels is canvas.scene.pixels:
        return shrink_to(canvas.scene.small_bytes, OLD_SIDE)
    step = max(1, max(canvas.pixels.shape) // (OLD_SIDE * SEEN_OF_EACH))
    return shrink_to(np.ascontiguousarray(canvas.pixels[::step, ::step]), OLD_SIDE)


def choose_sun_side(canvas: Canvas) -> float:
    """The sun's side, shared by all photos of an order; random for each order where it is not known.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.

    Returns
    -------
    float
        -1 to -0.5 on the left, 0.5 to 1 on the right.
    """
    known = canvas.context.appearance.sun_side
    if known:
        return float(np.sign(known) * np.clip(abs(known), 0.5, 1.0))
    side = create_order_rng(canvas).uniform(0.6, 1.0)
    return float(side if create_order_rng(canvas).integers(2) else -side)


def _draw_new_sky(canvas: Canvas, weather: Weather) -> Plane:
    """The drawn sky at the size of a small picture; its last row is repeated below the lowest row with sky."""
    height, width = canvas.pixels.shape[:2]
    scale = min(1.0, DRAWN_SIDE / max(height, width))
    tall, wide = max(1, round(height * scale)), max(1, round(width * scale))
    rows = min(tall, round(find_lowest_row(canvas.scene.sky, 0.02) * tall) + 4)
    view = replace(make_sky_view(canvas, tall, wide), rows=rows)
    drawn = draw_sky_of_weather(weather, view, create_photo_rng(canvas))
    below = ((0, tall - rows), (0, 0), (0, 0))
    return np.pad(canvas.scene.profile.from_srgb(drawn), below, mode="edge")


def make_sky_view(canvas: Canvas, height: int, width: int) -> SkyView:
    """The photo's view of its sky.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    height, width : int
        The size of the view, in pixels.

    Returns
    -------
    SkyView
        With the photo's horizon and the order's side of the sun.
    """
    return SkyView(height, width, estimate_horizon_row(canvas.scene.sky), choose_sun_side(canvas))


def find_lowest_row(sky: Plane, least: float) -> float:
    """The lowest row with sky in it.

    Parameters
    ----------
    sky : (h, w) ndarray of float32
        The share of sky in each pixel, 0-1.
    least : float
        The share above which a pixel counts as sky.

    Returns
    -------
    float
        The lower edge of that row, as a share of the height; 0 without any sky.
    """
    rows = np.flatnonzero((sky > least).any(1))
    return float((rows[-1] + 1) / len(sky)) if rows.size else 0.0


def estimate_horizon_row(sky: Plane) -> float:
    """Estimate the row of the horizon.

    Where the sky ends along a level line, the line is the horizon. Roofs and trees hide the horizon, which is then
    taken to be half-way down, as for a level camera, but not above the lowest open sky.

    Parameters
    ----------
    sky : (h, w) ndarray of float32
        The share of sky in each pixel, 0-1.

    Returns
    -------
    float
        A share of the height, 0.2-0.8.
    """
    lowest = find_lowest_row(plane(sky * ((sky > 0.5).mean(1) > 0.02)[:, None]), 0.5)
    ends = len(sky) - np.argmax(sky[::-1] > 0.5, axis=0)
    ends = ends[(sky > 0.5).any(0)] / len(sky)
    hidden = float(smoothstep(plane(ends.std() if ends.size else 1.0), 0.02, 0.08))
    return float(np.clip(lowest + hidden * max(0.52 - lowest, 0.0), 0.2, 0.8))


def _find_old_sky(sky: Plane, small: Pixels) -> Plane:
    """The smooth color of the sky being replaced, extended behind twigs and roofs (x 3, 0-255)."""
    height, width = small.shape[:2]
    sure = cv2.resize(plane(sky > 0.97), (width, height), interpolation=cv2.INTER_AREA)
    return normalized_convolution(plane(small), plane(sure > 0.99), max(height, width) / 50)
