"""Replaces the sky of a photo by a drawn one: weather, view, mixed pixels, mirror images."""

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
DRAWN_SIDE = 1400
# Old skies are smooth: each pixel of a picture this large is the mean of at most so many by so many.
OLD_SIDE, SEEN_OF_EACH = 384, 4


def add_mirroring(canvas: Canvas, change: SkyChange) -> tuple[SkyChange, Plane | None]:
    """The change with what mirrors of it, and a small map, 0-1, of how much each pixel mirrors; None without any.

    The change is of a picture lit as it will be.
    """
    scene = canvas.scene
    found = compute_mirrored_change(scene, estimate_horizon_row(scene.sky), change.old, change.new)
    return (change, None) if found is None else (replace(change, mirrored=found[0]), found[1])


def add_mirrors(sky: Plane, mirrors: Plane | None) -> Plane:
    """Small map, 0-1: the sky and all that mirrors it."""
    return sky if mirrors is None else plane(np.maximum(sky, smoothstep(mirrors, 0.0, LEAST_WEIGHT)))


def start_weather(canvas: Canvas, mood: Mood) -> Callable[[], Weather]:
    """The order's weather of this mood in the making; nothing of the photo need be known yet."""
    return start_thread(lambda: make_weather(mood, choose_sun_side(canvas), create_order_rng(canvas)))


def start_sky_drawing(canvas: Canvas, weather: Callable[[], Weather]) -> Callable[[], Plane]:
    """The new sky in the making (a small picture, x 3, 0-255, in the photo's colors)."""
    # Found before, not in that thread: what comes next here needs it too.
    _ = canvas.scene.sky
    return start_thread(lambda: _draw_new_sky(canvas, weather()))


def make_sky_change(canvas: Canvas, small: Pixels, new: Callable[[], Plane]) -> SkyChange:
    """What is done to each strip; half-covered pixels exchange the old sky's light for the new one's.

    `small` is the picture the sky is to be put in, shrunk to a few hundred pixels, in the photo's colors.
    """
    old, matte = _find_old_sky(canvas.scene.sky, small), canvas.scene.sky_matte
    return SkyChange(matte, old, new())


def shrink_seen(canvas: Canvas) -> Pixels:
    """The picture with a long side of OLD_SIDE; of large ones every so many pixels are enough for its colors."""
    if canvas.pixels is canvas.scene.pixels:
        return shrink_to(canvas.scene.small_bytes, OLD_SIDE)
    step = max(1, max(canvas.pixels.shape) // (OLD_SIDE * SEEN_OF_EACH))
    return shrink_to(np.ascontiguousarray(canvas.pixels[::step, ::step]), OLD_SIDE)


def choose_sun_side(canvas: Canvas) -> float:
    """Where the sun stands for every photo of the order: left (-1 to -0.5) or right (0.5 to 1)."""
    known = canvas.context.appearance.sun_side
    if known:
        return float(np.sign(known) * np.clip(abs(known), 0.5, 1.0))
    side = create_order_rng(canvas).uniform(0.6, 1.0)
    return float(side if create_order_rng(canvas).integers(2) else -side)


def _draw_new_sky(canvas: Canvas, weather: Weather) -> Plane:
    """The drawn sky at the size of a small picture; below the lowest row with sky its last row goes on."""
    height, width = canvas.pixels.shape[:2]
    scale = min(1.0, DRAWN_SIDE / max(height, width))
    tall, wide = max(1, round(height * scale)), max(1, round(width * scale))
    rows = min(tall, round(find_lowest_row(canvas.scene.sky, 0.02) * tall) + 4)
    view = replace(make_sky_view(canvas, tall, wide), rows=rows)
    drawn = draw_sky_of_weather(weather, view, create_photo_rng(canvas))
    below = ((0, tall - rows), (0, 0), (0, 0))
    return np.pad(canvas.scene.profile.from_srgb(drawn), below, mode="edge")


def make_sky_view(canvas: Canvas, height: int, width: int) -> SkyView:
    """How the photo, at this size, looks at its sky."""
    return SkyView(height, width, estimate_horizon_row(canvas.scene.sky), choose_sun_side(canvas))


def find_lowest_row(sky: Plane, least: float) -> float:
    """The lowest row, as a share of the height, with any pixel of more sky than `least`; 0 without one."""
    rows = np.flatnonzero((sky > least).any(1))
    return float((rows[-1] + 1) / len(sky)) if rows.size else 0.0


def estimate_horizon_row(sky: Plane) -> float:
    """The row of the horizon, as a share of the height.

    That is where a sky ends along a level line. One that ends at roofs and trees hides the horizon: a level camera
    has it half-way down, and never above the lowest open sky.
    """
    lowest = find_lowest_row(plane(sky * ((sky > 0.5).mean(1) > 0.02)[:, None]), 0.5)
    ends = len(sky) - np.argmax(sky[::-1] > 0.5, axis=0)
    ends = ends[(sky > 0.5).any(0)] / len(sky)
    hidden = float(smoothstep(plane(ends.std() if ends.size else 1.0), 0.02, 0.08))
    return float(np.clip(lowest + hidden * max(0.52 - lowest, 0.0), 0.2, 0.8))


def _find_old_sky(sky: Plane, small: Pixels) -> Plane:
    """The smooth color of the sky being replaced, carried behind twigs and roofs (x 3, 0-255)."""
    height, width = small.shape[:2]
    sure = cv2.resize(plane(sky > 0.97), (width, height), interpolation=cv2.INTER_AREA)
    return normalized_convolution(plane(small), plane(sure > 0.99), max(height, width) / 50)
