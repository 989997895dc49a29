"""Drawn skies: clear air, cirrus above, cumulus on a layer seen in perspective down to the horizon."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from app.engine.arrays import Plane, plane, ramp
from app.engine.color.channels import brightest_channel, coloured, tripled
from app.engine.color.srgb import LINEAR_TOE, bright_linear_to_srgb_levels
from app.engine.sky.atmosphere import Air, Colour, clear_sky, sun_disc, towards_sun
from app.engine.sky.cloud_field import TILE, Field, cumulus, fractal, veils
from app.engine.sky.cloud_march import BASE, Offset, bordered, curled, gathered, in_bands, sampled
from app.engine.sky.view import Sight, View, sight_of, smaller

CIRRUS_SCALE = 130.0
"""Tile pixels from the camera to the cirrus overhead."""
MARCHED_SIDE = 480
BENT = 0.8
"""Linear light above this is bent over."""


@dataclass(frozen=True, slots=True)
class Mood:
    """A sky: its air, the shares of cumulus and cirrus, and the light on the clouds, linear sRGB."""

    air: Air
    cover: float
    cirrus: float
    cirrus_light: Colour
    sunlight: Colour
    skylight: Colour
    ground_light: Colour


@dataclass(frozen=True, slots=True)
class Weather:
    """A mood as it is on one day: its clouds from above, its veils of cirrus, what curls the edges of clouds."""

    mood: Mood
    field: Field
    veil: Plane
    curls: Plane


def weather_of(mood: Mood, sun_side: float, noise: np.random.Generator) -> Weather:
    """The weather of a mood with the sun on this side (-1 to 1); the same generator gives the same weather."""
    field = cumulus(noise, mood.cover * noise.uniform(0.8, 1.2), towards_sun(mood.air, sun_side))
    mood = replace(mood, cirrus=mood.cirrus * noise.uniform(0.5, 1.4))
    veil = bordered(veils(noise))
    return Weather(mood, field, veil, plane(cv2.merge([fractal(noise, 24, 4, 0.5), fractal(noise, 24, 4, 0.5)])))


def drawn_sky(mood: Mood, view: View, weather: np.random.Generator, place: np.random.Generator) -> Plane:
    """The sky of this mood, as `sky_under` gives it. The same generators give the same sky."""
    return sky_under(weather_of(mood, view.sun_side, weather), view, place)


def sky_under(weather: Weather, view: View, place: np.random.Generator) -> Plane:
    """Rows x width x 3 sRGB values of 0-255: the sky of this weather, from a place by chance.

    The sun of the view stands on the side the weather was made for.
    """
    mood, small = weather.mood, smaller(view, MARCHED_SIDE)
    sight = sight_of(small)
    sun = towards_sun(mood.air, view.sun_side)
    offset = place.uniform(0, TILE, 2)
    smooth = np.concatenate([clear_sky(mood.air, sight, view.sun_side), _glow(sight, sun)[..., None]], -1)
    smooth = _resized(smooth, view)
    clouds = curled(gathered(sight, weather.field, offset), view, weather.curls)
    return _layered(mood, view, smooth, weather.veil, clouds, offset)


def _resized(small: Plane, view: View) -> Plane:
    return plane(cv2.resize(small, (view.width, view.drawn), interpolation=cv2.INTER_LINEAR))


def coded(linear: Plane) -> Plane:
    """Linear light as sRGB values of 0-255, the brightest bent over: nothing clips, and orange stays orange."""
    strongest = np.maximum(brightest_channel(linear), np.float32(LINEAR_TOE))
    kept = linear * tripled(plane(_bent(strongest) / strongest))
    light = plane(np.maximum((kept + _bent(linear)) * np.float32(0.5), np.float32(LINEAR_TOE)))
    return bright_linear_to_srgb_levels(light)


def _bent(linear: Plane) -> Plane:
    beyond = np.maximum(linear - np.float32(BENT), 0)
    return plane(np.minimum(linear, np.float32(BENT)) + beyond / (1 + beyond * np.float32(1 / (0.97 - BENT))))


def _glow(sight: Sight, sun: tuple[float, float, float]) -> Plane:
    """How strongly thin cloud scatters sunlight on towards the camera: 0-1, most around the sun."""
    cosine = sight.right * sun[0] + sight.up * sun[1] + sight.ahead * sun[2]
    return plane(np.clip((0.36 / (1.36 - 1.2 * np.clip(cosine, -1, 1))) ** 1.5, 0, 1))


def _layered(mood: Mood, view: View, smooth: Plane, veil: Plane, clouds: Plane, offset: Offset) -> Plane:
    """Clear sky, cirrus before it and cumulus before both, x 3, 0-255."""
    sight, sun_side = sight_of(view), view.sun_side
    result = np.empty((*sight.up.shape, 3), np.float32)

    def fill(rows: slice) -> None:
        part = Sight(sight.right[rows], sight.up[rows], sight.ahead[rows])
        air, glow = plane(smooth[rows, :, :3]), plane(smooth[rows, :, 3])
        behind = _with_cirrus(air, mood, part, veil, offset, glow)
        light = _with_cumulus(behind, air, mood, part, clouds[rows], glow)
        if any(mood.air.disc):
            light += sun_disc(mood.air, part, sun_side) * np.square(1 - clouds[rows, :, :1])
        result[rows] = coded(light)

    # By now the work beside this one is nearly done.
    in_bands(len(result), fill, at_once=2)
    return result


def _with_cirrus(air: Plane, mood: Mood, sight: Sight, veil: Plane, offset: Offset, glow: Plane) -> Plane:
    far = plane(CIRRUS_SCALE / np.maximum(sight.up, 0.02))
    found = sampled(veil, sight.right * far, sight.ahead * far, offset)
    share = ramp(found, 0.62 - 0.4 * mood.cirrus, 1.15) * ramp(sight.up, 0.03, 0.22) * np.float32(0.7)
    light = coloured(plane(1 + 0.7 * glow), mood.cirrus_light) - air
    return plane(air + np.maximum(light, 0) * tripled(share))


def _with_cumulus(behind: Plane, air: Plane, mood: Mood, sight: Sight, clouds: Plane, glow: Plane) -> Plane:
    covered, sunlit, high = cv2.split(clouds)
    share = np.maximum(covered, np.float32(1e-3))
    sunlit = plane(np.minimum(sunlit / share, 1) * (1 + 1.6 * glow * (1 - covered)))
    high = plane(np.minimum(high / share, 1))
    # Three lights, each of one colour: the sun's, the sky's from above, the ground's from below.
    lights = plane(cv2.merge([sunlit, 0.4 + 0.6 * high, 1 - high]))
    colours = plane(np.array([mood.sunlight, mood.skylight, mood.ground_light]).T)
    seen = plane(cv2.transform(lights, colours)) - air
    seen *= tripled(plane(np.exp(-BASE / np.maximum(sight.up, 0.018) / 20_000) * ramp(sight.up, 0.0, 0.05)))
    seen += air - behind
    seen *= tripled(plane(covered))
    return plane(seen + behind)
