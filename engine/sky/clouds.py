"""Draws skies: clear air, cirrus, and below it a layer of cumulus in perspective down to the horizon."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, max_channel, scale_channels
from engine.color.srgb import LINEAR_TOE, bright_linear_to_srgb_levels
from engine.sky.atmosphere import Air, Color, compute_sun_direction, render_clear_sky
from engine.sky.cloud_field import TILE, CloudField, make_cirrus, make_cumulus_field, make_fractal_noise
from engine.sky.cloud_march import (
    CLOUD_BASE,
    Offset,
    curl_edges,
    march_clouds,
    pad_repeating,
    run_bands,
    sample_repeating,
)
from engine.sky.view import SkyView, ViewRays, compute_rays, shrink_view

CIRRUS_SCALE = 130.0
"""Height of the cirrus above the camera, in tile pixels."""
COMPUTED_SIDE = 480
"""Maximum long side, in pixels, of the view in which air and clouds are computed before they are enlarged."""
HIGHLIGHT_START = 0.8
"""Linear light above which highlights are compressed."""


@dataclass(frozen=True, slots=True)
class Mood:
    """A sky: air, the share of cumulus (0-1), the amount of cirrus, and the light on the clouds, linear sRGB."""

    air: Air
    cover: float
    cirrus: float
    cirrus_light: Color
    sunlight: Color
    skylight: Color
    ground_light: Color


@dataclass(frozen=True, slots=True)
class Weather:
    """A mood with its clouds: the `field` of cumulus, the `veil` of cirrus, and `curls`, noise for cloud edges."""

    mood: Mood
    field: CloudField
    veil: Plane
    curls: Plane


def make_weather(mood: Mood, sun_side: float, rng: np.random.Generator) -> Weather:
    """Make the weather of a mood; equal generators give equal weather.

    Parameters
    ----------
    mood : Mood
        The kind of sky.
    sun_side : float
        The sun's side, from -1 left to 1 right.
    rng : numpy.random.Generator
        Random number generator.

    Returns
    -------
    Weather
        The mood with its clouds.
    """
    field = make_cumulus_field(rng, mood.cover * rng.uniform(0.8, 1.2), compute_sun_direction(mood.air, sun_side))
    mood = replace(mood, cirrus=mood.cirrus * rng.uniform(0.5, 1.4))
    veil = pad_repeating(make_cirrus(rng))
    return Weather(
        mood,
        field,
        veil,
        plane(cv2.merge([make_fractal_noise(rng, 24, 4, 0.5), make_fractal_noise(rng, 24, 4, 0.5)])),
    )


def draw_sky(mood: Mood, view: SkyView, weather: np.random.Generator, place: np.random.Generator) -> Plane:
    """Draw the sky of a mood, with new weather; equal generators give equal skies.

    Parameters
    ----------
    mood : Mood
        The kind of sky.
    view : SkyView
        The size of the picture, its horizon and the sun's side.
    weather : numpy.random.Generator
        Random number generator for the clouds.
    place : numpy.random.Generator
        Random number generator for the camera's position below the clouds.

    Returns
    -------
    (H, W, 3) ndarray of float32
        Gamma-coded sRGB, 0-255, H the drawn rows and W the width of the view.
    """
    return draw_sky_of_weather(make_weather(mood, view.sun_side, weather), view, place)


def draw_sky_of_weather(weather: Weather, view: SkyView, place: np.random.Generator) -> Plane:
    """Draw the sky of this weather, seen from a random position.

    Parameters
    ----------
    weather : Weather
        The weather; it must have been made for the sun's side of `view`.
    view : SkyView
        The size of the picture, its horizon and the sun's side.
    place : numpy.random.Generator
        Random number generator for the camera's position below the clouds.

    Returns
    -------
    (H, W, 3) ndarray of float32
        Gamma-coded sRGB, 0-255, H the drawn rows and W the width of the view.
    """
    mood, small = weather.mood, shrink_view(view, COMPUTED_SIDE)
    rays = compute_rays(small)
    sun = compute_sun_direction(mood.air, view.sun_side)
    offset = place.uniform(0, TILE, 2)
    air_and_glow = np.concatenate(
        [render_clear_sky(mood.air, rays, view.sun_side), _compute_glow(rays, sun)[..., None]], -1
    )
    air_and_glow = _enlarge(air_and_glow, view)
    clouds = curl_edges(march_clouds(rays, weather.field, offset), view, weather.curls) if mood.cover > 0 else None
    return _compose_layers(mood, view, air_and_glow, weather.veil, clouds, offset)


def _enlarge(small: Plane, view: SkyView) -> Plane:
    return plane(cv2.resize(small, (view.width, view.drawn_rows), interpolation=cv2.INTER_LINEAR))


def tone_map_sky(linear: Plane) -> Plane:
    """Compress the highlights of linear light above HIGHLIGHT_START, which keeps hues, and gamma-code it.

    Parameters
    ----------
    linear : (h, w, 3) ndarray of float32
        Linear sRGB, 0 and above.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Gamma-coded sRGB, 0-255.
    """
    peak = np.maximum(max_channel(linear), np.float32(LINEAR_TOE))
    same_hue = linear * gray_to_rgb(plane(_compress_highlights(peak) / peak))
    light = plane(np.maximum((same_hue + _compress_highlights(linear)) * np.float32(0.5), np.float32(LINEAR_TOE)))
    return bright_linear_to_srgb_levels(light)


def _compress_highlights(linear: Plane) -> Plane:
    excess = np.maximum(linear - np.float32(HIGHLIGHT_START), 0)
    return plane(
        np.minimum(linear, np.float32(HIGHLIGHT_START))
        + excess / (1 + excess * np.float32(1 / (0.97 - HIGHLIGHT_START)))
    )


def _compute_glow(rays: ViewRays, sun: tuple[float, float, float]) -> Plane:
    """The share of sunlight that thin clouds scatter towards the camera: 0-1, highest around the sun."""
    cosine = rays.right * sun[0] + rays.up * sun[1] + rays.ahead * sun[2]
    return plane(np.clip((0.36 / (1.36 - 1.2 * np.clip(cosine, -1, 1))) ** 1.5, 0, 1))


def _compose_layers(
    mood: Mood, view: SkyView, air_and_glow: Plane, veil: Plane, clouds: Plane | None, offset: Offset
) -> Plane:
    """Draw cirrus over the clear sky and, if there are `clouds`, cumulus over both; x 3, 0-255."""
    rays = compute_rays(view)
    result = np.empty((*rays.up.shape, 3), np.float32)

    def fill(rows: slice) -> None:
        band_rays = ViewRays(rays.right[rows], rays.up[rows], rays.ahead[rows])
        air, glow = plane(air_and_glow[rows, :, :3]), plane(air_and_glow[rows, :, 3])
        light = _add_cirrus(air, mood, band_rays, veil, offset, glow)
        if clouds is not None:
            light = _add_cumulus(light, air, mood, band_rays, clouds[rows], glow)
        result[rows] = tone_map_sky(light)

    # By now other threads are nearly done, so a second processor is free.
    run_bands(len(result), fill, threads=2)
    return result


def _add_cirrus(air: Plane, mood: Mood, rays: ViewRays, veil: Plane, offset: Offset, glow: Plane) -> Plane:
    distance = plane(CIRRUS_SCALE / np.maximum(rays.up, 0.02))
    veil_here = sample_repeating(veil, rays.right * distance, rays.ahead * distance, offset)
    share = (
        smoothstep(veil_here, 0.62 - 0.4 * mood.cirrus, 1.15) * smoothstep(rays.up, 0.03, 0.22) * np.float32(0.7)
    )
    light = scale_channels(plane(1 + 0.7 * glow), mood.cirrus_light) - air
    return plane(air + np.maximum(light, 0) * gray_to_rgb(share))


def _add_cumulus(background: Plane, air: Plane, mood: Mood, rays: ViewRays, clouds: Plane, glow: Plane) -> Plane:
    covered, sunlit, height = cv2.split(clouds)
    share = np.maximum(covered, np.float32(1e-3))
    sunlit = plane(np.minimum(sunlit / share, 1) * (1 + 1.6 * glow * (1 - covered)))
    height = plane(np.minimum(height / share, 1))
    # Three lights, each with its own color: of the sun, of the sky above, of the ground below.
    lights = plane(cv2.merge([sunlit, 0.4 + 0.6 * height, 1 - height]))
    colors = plane(np.array([mood.sunlight, mood.skylight, mood.ground_light]).T)
    added = plane(cv2.transform(lights, colors)) - air
    added *= gray_to_rgb(
        plane(np.exp(-CLOUD_BASE / np.maximum(rays.up, 0.018) / 20_000) * smoothstep(rays.up, 0.0, 0.05))
    )
    added += air - background
    added *= gray_to_rgb(plane(covered))
    return plane(added + background)
