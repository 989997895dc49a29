"""Replaces the sky of a photo by a drawn one: prepares weather, view, old sky and reflections."""

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
from engine.sky.reflections import MIN_WEIGHT, compute_mirrored_change
from engine.sky.view import SkyView

MIN_SKY = 0.01
"""Minimum share of sky in a picture whose sky is exchanged."""
DRAWN_SIDE = 1400
"""Maximum long side, in pixels, of the frame in which the new sky is drawn."""
OLD_SIDE = 384
"""Maximum long side, in pixels, of the copy in which the old sky's color is measured: old skies are smooth."""
SAMPLES_PER_PIXEL_SIDE = 4
"""Each pixel of that copy is the mean of at most about this many by this many pixels of the photo."""


def has_sky(canvas: Canvas) -> bool:
    """Whether there is enough sky to exchange.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.

    Returns
    -------
    bool
        True if the mean share of sky is at least MIN_SKY.
    """
    return bool(canvas.scene.sky.mean() >= MIN_SKY)


def add_reflections(canvas: Canvas, change: SkyChange) -> tuple[SkyChange, Plane | None]:
    """Add the reflections of the sky to its exchange.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    change : SkyChange
        The exchange; its old sky is already in the new light.

    Returns
    -------
    change : SkyChange
        With `mirrored` if anything mirrors the sky, else unchanged.
    mirrors : (h, w) ndarray of float32, or None
        How much each pixel mirrors the sky, 0-1, as large as `scene.sky`; None if nothing does.
    """
    scene = canvas.scene
    reflections = compute_mirrored_change(scene, estimate_horizon_row(scene.sky), change.old, change.new)
    return (change, None) if reflections is None else (replace(change, mirrored=reflections[0]), reflections[1])


def add_mirrors_to_sky(sky: Plane, mirrors: Plane | None) -> Plane:
    """Add to the sky everything that mirrors it.

    Parameters
    ----------
    sky : (h, w) ndarray of float32
        The share of sky in each pixel, 0-1.
    mirrors : (h, w) ndarray of float32, or None
        How much each pixel mirrors the sky, 0-1; None if nothing does.

    Returns
    -------
    (h, w) ndarray of float32
        0-1; pixels that mirror at least MIN_WEIGHT have 1.
    """
    return sky if mirrors is None else plane(np.maximum(sky, smoothstep(mirrors, 0.0, MIN_WEIGHT)))


def start_weather(canvas: Canvas, mood: Mood) -> Callable[[], Weather]:
    """Start to make the order's weather in a thread; it does not depend on the photo's content.

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
    # The sky is found here, not in the thread, because the caller's next steps need it too.
    _ = canvas.scene.sky
    return start_thread(lambda: _draw_new_sky(canvas, weather()))


def make_sky_change(
    canvas: Canvas, small: Pixels, new: Callable[[], Plane], shot: Pixels | None = None
) -> SkyChange:
    """Make the exchange of a picture's sky for a drawn one.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    small : (h, w, 3) ndarray of uint8
        The picture that gets the new sky, shrunk to a few hundred pixels, in the photo's own color space.
    new : callable
        Returns the new sky, as from `start_sky_drawing`.
    shot : (h, w, 3) ndarray of uint8, optional
        If `small` is in new light, the same picture in the light of the photo.

    Returns
    -------
    SkyChange
        Without reflections.
    """
    sky, matte = canvas.scene.sky, canvas.scene.sky_matte
    old_shot = None if shot is None else _find_old_sky(sky, shot)
    return SkyChange(matte, _find_old_sky(sky, small), new(), shot=old_shot)


def shrink_canvas(canvas: Canvas) -> Pixels:
    """Shrink the canvas's picture; large pictures are subsampled first, which is enough for their colors.

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
    step = max(1, max(canvas.pixels.shape) // (OLD_SIDE * SAMPLES_PER_PIXEL_SIDE))
    return shrink_to(np.ascontiguousarray(canvas.pixels[::step, ::step]), OLD_SIDE)


def choose_sun_side(canvas: Canvas) -> float:
    """Choose the sun's side for all photos of an order; it is random for each order if it is not known.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.

    Returns
    -------
    float
        -1 to -0.5 on the left, 0.5 to 1 on the right.
    """
    shared_side = canvas.context.appearance.sun_side
    if shared_side:
        return float(np.sign(shared_side) * np.clip(abs(shared_side), 0.5, 1.0))
    side = create_order_rng(canvas).uniform(0.6, 1.0)
    return float(side if create_order_rng(canvas).integers(2) else -side)


def _draw_new_sky(canvas: Canvas, weather: Weather) -> Plane:
    """Draw the sky down to the lowest row with sky; below, its last row is repeated to fill the frame."""
    height, width = canvas.pixels.shape[:2]
    scale = min(1.0, DRAWN_SIDE / max(height, width))
    drawn_height, drawn_width = max(1, round(height * scale)), max(1, round(width * scale))
    rows = min(drawn_height, round(find_lowest_row(canvas.scene.sky, 0.02) * drawn_height) + 4)
    view = replace(make_sky_view(canvas, drawn_height, drawn_width), rows=rows)
    drawn = draw_sky_of_weather(weather, view, create_photo_rng(canvas))
    below = ((0, drawn_height - rows), (0, 0), (0, 0))
    return np.pad(canvas.scene.profile.from_srgb(drawn), below, mode="edge")


def make_sky_view(canvas: Canvas, height: int, width: int) -> SkyView:
    """Make the photo's view of its sky.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    height, width : int
        The size of the view, in pixels.

    Returns
    -------
    SkyView
        With the photo's horizon and the order's sun side.
    """
    return SkyView(height, width, estimate_horizon_row(canvas.scene.sky), choose_sun_side(canvas))


def find_lowest_row(sky: Plane, min_share: float) -> float:
    """Find the lowest row with sky.

    Parameters
    ----------
    sky : (h, w) ndarray of float32
        The share of sky in each pixel, 0-1.
    min_share : float
        The share above which a pixel counts as sky.

    Returns
    -------
    float
        The lower edge of that row, as a share of the height; 0 if there is no sky.
    """
    rows = np.flatnonzero((sky > min_share).any(1))
    return float((rows[-1] + 1) / len(sky)) if rows.size else 0.0


def estimate_horizon_row(sky: Plane) -> float:
    """Estimate the row of the horizon.

    If the sky ends along a level line, the line is the horizon. If roofs and trees hide the horizon, it is assumed
    to be half-way down, as for a level camera, but not above the lowest open sky.

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
    hidden_share = float(smoothstep(plane(ends.std() if ends.size else 1.0), 0.02, 0.08))
    return float(np.clip(lowest + hidden_share * max(0.52 - lowest, 0.0), 0.2, 0.8))


def _find_old_sky(sky: Plane, small: Pixels) -> Plane:
    """The smooth color of the sky being replaced, extended behind twigs and roofs (x 3, 0-255)."""
    height, width = small.shape[:2]
    certain_sky = cv2.resize(plane(sky > 0.97), (width, height), interpolation=cv2.INTER_AREA)
    return normalized_convolution(plane(small), plane(certain_sky > 0.99), max(height, width) / 50)
