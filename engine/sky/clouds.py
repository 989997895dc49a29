"""Drawn skies: clear air, cirrus, and below it a layer of cumulus in perspective down to the horizon."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, max_channel, scale_channels
from engine.color.srgb import LINEAR_TOE, bright_linear_to_srgb_levels
from engine.sky.atmosphere import Air, Color, compute_sun_direction, render_clear_sky, render_sun_disc
from engine.sky.cloud_field import TILE, CloudField, make_cirrus, make_cumulus_field, make_fractal_noise
from engine.sky.cloud_march import (
    BASE,
    Offset,
    curl_edges,
    march_clouds,
    pad_repeating,
    run_bands,
    sample_repeating,
)
from engine.sky.view import SkyView, ViewRays, compute_rays, shrink_view

CIRRUS_SCALE = 130.0
"""Tile pixels from the camera to the cirrus overhead."""
MARCHED_SIDE = 480
"""Longest side, in pixels, of the view in which air and clouds are computed before they are enlarged."""
BENT = 0.8
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
    """A mood on one day: cumulus `field` from above, `veil` of cirrus, `curls` that displace edges of clouds."""

    mood: Mood
    field: CloudField
    veil: Plane
    curls: Plane


def make_weather(mood: Mood, sun_side: float, noise: np.random.Generator) -> Weather:
    """The weather of a mood; equal generators give equal weather.

    Parameters
    ----------
    mood : Mood
        The kind of sky.
    sun_side : float
        Where the sun is, -1 left to 1 right.
    noise : numpy.random.Generator
        Source of chance.

    Returns
    -------
    Weather
        The mood with its clouds.
    """
    field = make_cumulus_field(
        noise, mood.cover * noise.uniform(0.8, 1.2), compute_sun_direction(mood.air, sun_side)
    )
    mood = replace(mood, cirrus=mood.cirrus * noise.uniform(0.5, 1.4))
    veil = pad_repeating(make_cirrus(noise))
    return Weather(
        mood,
        field,
        veil,
        plane(cv2.merge([make_fractal_noise(noise, 24, 4, 0.5), make_fractal_noise(noise, 24, 4, 0.5)])),
    )


def draw_sky(mood: Mood, view: SkyView, weather: np.random.Generator, place: np.random.Generator) -> Plane:
    """The sky of a mood, with new weather; equal generators give equal skies.

    Parameters
    ----------
    mood : Mood
        The kind of sky.
    view : SkyView
        The size of the picture, its horizon and the sun's side.
    weather : numpy.random.Generator
        Source of chance for the clouds.
    place : numpy.random.Generator
        Source of chance for the camera's place below the clouds.

    Returns
    -------
    (H, W, 3) ndarray of float32
        Gamma-coded sRGB, 0-255, H the drawn rows and W the width of the view.
    """
    return draw_sky_of_weather(make_weather(mood, view.sun_side, weather), view, place)


def draw_sky_of_weather(weather: Weather, view: SkyView, place: np.random.Generator) -> Plane:
    """The sky of this weather, seen from a random place.

    Parameters
    ----------
    weather : Weather
        The weather; it must have been made for the same side of the sun as `view` has.
    view : SkyView
        The size of the picture, its horizon and the sun's side.
    place : numpy.random.Generator
        Source of chance for the camera's place below the clouds.

    Returns
    -------
    (H, W, 3) ndarray of float32
        Gamma-coded sRGB, 0-255, H the drawn rows and W the width of the view.
    """
    mood, small = weather.mood, shrink_view(view, MARCHED_SIDE)
    rays = compute_rays(small)
    sun = compute_sun_direction(mood.air, view.sun_side)
    offset = place.uniform(0, TILE, 2)
    smooth = np.concatenate([render_clear_sky(mood.air, rays, view.sun_side), _glow(rays, sun)[..., None]], -1)
    smooth = _resize(smooth, view)
    clouds = curl_edges(march_clouds(rays, weather.field, offset), view, weather.curls)
    return _layer(mood, view, smooth, weather.veil, clouds, offset)


def _resize(small: Plane, view: SkyView) -> Plane:
    return plane(cv2.resize(small, (view.width, view.drawn), interpolation=cv2.INTER_LINEAR))


def tone_map_sky(linear: Plane) -> Plane:
    """Compress the highlights of linear light above BENT and gamma-code it: nothing clips, and orange stays orange.

    Parameters
    ----------
    linear : (h, w, 3) ndarray of float32
        Linear sRGB, 0 and above.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Gamma-coded sRGB, 0-255.
    """
    strongest = np.maximum(max_channel(linear), np.float32(LINEAR_TOE))
    kept = linear * gray_to_rgb(plane(_bend_highlights(strongest) / strongest))
    light = plane(np.maximum((kept + _bend_highlights(linear)) * np.float32(0.5), np.float32(LINEAR_TOE)))
    return bright_linear_to_srgb_levels(light)


def _bend_highlights(linear: Plane) -> Plane:
    beyond = np.maximum(linear - np.float32(BENT), 0)
    return plane(np.minimum(linear, np.float32(BENT)) + beyond / (1 + beyond * np.float32(1 / (0.97 - BENT))))


def _glow(rays: ViewRays, sun: tuple[float, float, float]) -> Plane:
    """How strongly thin cloud scatters sunlight on towards the camera: 0-1, most around the sun."""
    cosine = rays.right * sun[0] + rays.up * sun[1] + rays.ahead * sun[2]
    return plane(np.clip((0.36 / (1.36 - 1.2 * np.clip(cosine, -1, 1))) ** 1.5, 0, 1))


def _layer(mood: Mood, view: SkyView, smooth: Plane, veil: Plane, clouds: Plane, offset: Offset) -> Plane:
    """Clear sky with cirrus in front of it, and cumulus in front of both; x 3, 0-255."""
    rays, sun_side = compute_rays(view), view.sun_side
    result = np.empty((*rays.up.shape, 3), np.float32)

    def fill(rows: slice) -> None:
        part = ViewRays(rays.right[rows], rays.up[rows], rays.ahead[rows])
        air, glow = plane(smooth[rows, :, :3]), plane(smooth[rows, :, 3])
        behind = _with_cirrus(air, mood, part, veil, offset, glow)
        light = _with_cumulus(behind, air, mood, part, clouds[rows], glow)
        if any(mood.air.disc):
            light += render_sun_disc(mood.air, part, sun_side) * np.square(1 - clouds[rows, :, :1])
        result[rows] = tone_map_sky(light)

    # By now the work in other threads is nearly done, and leaves a processor idle.
    run_bands(len(result), fill, at_once=2)
    return result


def _with_cirrus(air: Plane, mood: Mood, rays: ViewRays, veil: Plane, offset: Offset, glow: Plane) -> Plane:
    far = plane(CIRRUS_SCALE / np.maximum(rays.up, 0.02))
    found = sample_repeating(veil, rays.right * far, rays.ahead * far, offset)
    share = smoothstep(found, 0.62 - 0.4 * mood.cirrus, 1.15) * smoothstep(rays.up, 0.03, 0.22) * np.float32(0.7)
    light = scale_channels(plane(1 + 0.7 * glow), mood.cirrus_light) - air
    return plane(air + np.maximum(light, 0) * gray_to_rgb(share))


def _with_cumulus(behind: Plane, air: Plane, mood: Mood, rays: ViewRays, clouds: Plane, glow: Plane) -> Plane:
    covered, sunlit, high = cv2.split(clouds)
    share = np.maximum(covered, np.float32(1e-3))
    sunlit = plane(np.minimum(sunlit / share, 1) * (1 + 1.6 * glow * (1 - covered)))
    high = plane(np.minimum(high / share, 1))
    # Three lights, each of one color: the sun's, the sky's from above, the ground's from below.
    lights = plane(cv2.merge([sunlit, 0.4 + 0.6 * high, 1 - high]))
    colors = plane(np.array([mood.sunlight, mood.skylight, mood.ground_light]).T)
    seen = plane(cv2.transform(lights, colors)) - air
    seen *= gray_to_rgb(plane(np.exp(-BASE / np.maximum(rays.up, 0.018) / 20_000) * smoothstep(rays.up, 0.0, 0.05)))
    seen += air - behind
    seen *= gray_to_rgb(plane(covered))
    return plane(seen + behind)
