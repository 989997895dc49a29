"""Drawn skies: a gradient brighter towards the horizon and soft clouds on a plane seen in perspective."""

from dataclasses import dataclass

import cv2
import numpy as np

from app.engine.arrays import Plane, blurred, plane, ramp

TILE = 1024
OCTAVES = 7
Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Mood:
    """The colours of a sky, sRGB 0-255. `cover` is the share of cloud, `glow` how the sun's side brightens."""

    zenith: Colour
    middle: Colour
    horizon: Colour
    cloud_lit: Colour
    cloud_shade: Colour
    glow: Colour
    cover: float
    glow_strength: float


@dataclass(frozen=True, slots=True)
class View:
    """How the photo looks at the sky: its size, the horizon as a share of the height, the sun's side (-1 to 1)."""

    height: int
    width: int
    horizon: float
    sun_side: float


def drawn_sky(mood: Mood, view: View, weather: np.random.Generator, place: np.random.Generator) -> Plane:
    """Height x width x 3 sRGB values of 0-255: the sky of this mood. The same generators give the same sky."""
    sky = _gradient(mood, view)
    cover = mood.cover * weather.uniform(0.85, 1.15)
    offset = place.uniform(0, TILE, 2)
    across, along, haze = _cloud_plane(view)
    field = _noise_tile(weather)
    density = _sampled(field, across + offset[0], along + offset[1])
    towards_sun = _sampled(field, across + offset[0] + 14 * view.sun_side, along + offset[1] - 10)
    edge = 1 - cover
    cloud = ramp(density, edge - 0.10, edge + 0.22) * haze
    light = np.clip(0.62 + 2.2 * (density - towards_sun) - 0.55 * ramp(density, edge + 0.1, edge + 0.4), 0, 1)
    lit = plane(np.array(mood.cloud_lit)) * light[..., None]
    shaded = plane(np.array(mood.cloud_shade)) * (1 - light[..., None])
    return plane(sky + (lit + shaded - sky) * (cloud * 0.92)[..., None])


def _gradient(mood: Mood, view: View) -> Plane:
    """Zenith to horizon, with the sun's glow low on its side."""
    rows = (np.arange(view.height) + 0.5) / view.height / max(view.horizon, 0.05)
    stops = (0.0, 0.55, 1.0)
    colours = np.array([mood.zenith, mood.middle, mood.horizon])
    column = np.stack([np.interp(rows, stops, colours[:, each]) for each in range(3)], -1)
    sky = np.repeat(column[:, None], view.width, 1)
    columns = (np.arange(view.width) + 0.5) / view.width * 2 - 1
    distance = np.hypot((columns - view.sun_side)[None] * 0.8, (rows - 1)[:, None] * 1.6)
    glow = mood.glow_strength * np.exp(-((distance / 0.75) ** 2))[..., None]
    return blurred(plane(sky + (np.array(mood.glow) - sky) * glow), view.height / 40)


def _cloud_plane(view: View) -> tuple[Plane, Plane, Plane]:
    """Where each pixel's line of sight meets the cloud layer, and how clearly the layer is seen there."""
    depth = view.horizon * view.height * 1.12 - np.arange(view.height)[:, None]
    rise = np.maximum(depth / view.width, 0.012)
    columns = (np.arange(view.width)[None] - view.width / 2) / view.width
    along = 95 / (rise + 0.10)
    across = columns * along * 2.1
    haze = ramp(plane(depth / view.width), 0.03, 0.3)
    return (
        plane(across),
        plane(np.broadcast_to(along * 2.4, across.shape)),
        plane(np.broadcast_to(haze, across.shape)),
    )


def _sampled(tile: Plane, across: Plane, along: Plane) -> Plane:
    wrapped = cv2.remap(
        tile, plane(across % TILE), plane(along % TILE), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    )
    return plane(wrapped)


def _noise_tile(noise: np.random.Generator) -> Plane:
    """TILE x TILE fractal noise, equalised to 0-1, that repeats without a seam."""
    total = np.zeros((TILE, TILE), np.float32)
    for octave in range(OCTAVES):
        cells = 6 * 2**octave
        grid = np.pad(noise.random((cells, cells), dtype=np.float32), 2, mode="wrap")
        scale = TILE / cells
        full = cv2.resize(grid, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        margin = (full.shape[0] - TILE) // 2
        total += full[margin : margin + TILE, margin : margin + TILE] * 0.56**octave
    ranks = np.sort(total[::8, ::8].ravel())
    return plane(np.interp(total, ranks, np.linspace(0, 1, ranks.size)))
