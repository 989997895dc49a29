"""Sky enhancement: replaces an overcast or blown-out sky by a natural sky of the chosen kind."""

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from engine.arrays import Matte, Plane, matte, plane, smoothstep
from engine.canvas import Canvas, Declined, EffectResult
from engine.effect import Effect, Needs, Step
from engine.filters.strips import map_strips
from engine.quality.limits import REGION_RULES, Limit
from engine.sky.clouds import Weather
from engine.sky.moods import SKIES
from engine.sky.reflections import MIN_WEIGHT
from engine.sky.replacement import (
    add_mirrors_to_sky,
    add_reflections,
    has_sky,
    make_sky_change,
    shrink_canvas,
    start_sky_drawing,
    start_weather,
)
from engine.types.enhancements import Enhancement
from engine.types.figures import FigureCode
from engine.types.report import Reason

EFFECTS_WITH_SKY = (Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT)
"""Effects that draw a sky for their own time of day, under the same conditions as this effect."""
MAX_MIRRORED = 0.45
"""Maximum share of sky, in the matte, of a pixel that mirrors the sky: less than half."""
_LOW_SUN_MESSAGE = "The photo was taken around sunset or sunrise; the sky of a day at noon would not fit its light."


def start_sky(canvas: Canvas) -> Step:
    """Start to draw the order's weather in a thread, while the photo is analyzed.

    Parameters
    ----------
    canvas : Canvas
        The photo; `request.sky` chooses the mood.

    Returns
    -------
    callable
        The step, which waits for the weather; no weather is made if a later effect draws the sky.
    """
    weather = None if is_left_to_other(canvas) else start_weather(canvas, SKIES[canvas.request.sky])
    return partial(replace_sky, weather=weather)


def replace_sky(canvas: Canvas, weather: Callable[[], Weather] | None) -> EffectResult:
    """Replace the sky by a drawn day sky; below the sky, only pixels that mirror it change.

    Parameters
    ----------
    canvas : Canvas
        A photo of the outdoors.
    weather : callable or None
        Returns the Weather of the new sky. If None, the picture does not change, because a later effect draws the
        sky.

    Returns
    -------
    EffectResult
        Region and matte are the sky and everything that mirrors it.

    Raises
    ------
    Declined
        NO_SKY; ALREADY_DARK for photos taken in the dark; LOW_SUN for photos taken at sunrise or sunset, unless
        twilight follows.
    """
    scene = canvas.scene
    if not has_sky(canvas):
        raise Declined(Reason.NO_SKY, "No sky was found in this photo.")
    if scene.dark:
        raise Declined(Reason.ALREADY_DARK, "The photo was taken at dusk or in the dark; a day sky would not fit.")
    if scene.low_sun and Enhancement.TWILIGHT not in canvas.request.steps:
        raise Declined(Reason.LOW_SUN, _LOW_SUN_MESSAGE)
    if weather is None:
        return EffectResult(canvas.pixels, region=scene.any_sky, matte=scene.sky_matte)
    new = start_sky_drawing(canvas, weather)
    change, mirrors = add_reflections(canvas, make_sky_change(canvas, shrink_canvas(canvas), new))
    return EffectResult(
        map_strips(canvas.pixels, change.apply_to),
        region=add_mirrors_to_sky(scene.any_sky, mirrors),
        matte=scene.sky_matte if mirrors is None else _add_mirrors_to_matte(scene.sky_matte, mirrors),
    )


def is_left_to_other(canvas: Canvas) -> bool:
    """Whether a later effect of the same request draws the sky, so that this effect does not.

    Parameters
    ----------
    canvas : Canvas
        The canvas whose request is checked.

    Returns
    -------
    bool
        True if golden hour or twilight is in the request.
    """
    return any(step in canvas.request.steps for step in EFFECTS_WITH_SKY)


def _add_mirrors_to_matte(sky: Matte, mirrors: Plane) -> Matte:
    """Add to the full-size matte everything that mirrors the sky."""
    height, width = sky.shape
    share = plane(smoothstep(mirrors, 0.0, MIN_WEIGHT) * np.clip(mirrors, 0.05, MAX_MIRRORED))
    enlarged = cv2.resize(matte(share), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.maximum(sky, enlarged), dtype=np.uint8)


EFFECT = Effect(
    Enhancement.SKY,
    "Sky enhancement",
    Needs.OUTDOORS,
    start_sky,
    rules=REGION_RULES,
    # Of 50 skies that are fit to sell, none has more, and four have so much that a person decides.
    scene_limits={FigureCode.SKY_DOUBT: Limit(Reason.SKY_UNCLEAR, maximum=0.95)},
    is_left_to_other=is_left_to_other,
)
