"""Sun and sky: domes of light for clear days, haze, overcast, evening and dusk."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from training.render.shapes import Plane
from training.render.textures import Random, cloudy, linear

WIDTH, HEIGHT = 256, 128


@dataclass(frozen=True, slots=True)
class Light:
    """A dome (latitude by longitude, linear radiance, top row the zenith) and a sun.

    `towards_sun` is a unit vector; `sun` the sun's irradiance (linear rgb), zero when it is hidden.
    """

    dome: Plane
    towards_sun: Plane
    sun: Plane


def directions(width: int = WIDTH, height: int = HEIGHT) -> Plane:
    """Where each place of a dome looks, as unit vectors (h x w x 3)."""
    steep = (np.arange(height) + 0.5) / height * np.pi
    turn = (np.arange(width) + 0.5) / width * 2 * np.pi
    up = np.broadcast_to(np.cos(steep)[:, None], (height, width))
    level = np.sin(steep)[:, None]
    return np.stack([level * np.sin(turn), level * np.cos(turn), up], -1).astype(np.float32)


def daylight(
    random: Random, ground: Plane, sort: str | None = None, size: tuple[int, int] = (WIDTH, HEIGHT)
) -> Light:
    """A day, `sort` of it clear, hazy, overcast or low (drawn where not given), over ground of this reflectance."""
    sort = sort or str(random.choice(["clear", "hazy", "overcast", "low"], p=[0.4, 0.2, 0.25, 0.15]))
    height = random.uniform(4, 16) if sort == "low" else random.uniform(20, 68)
    towards = pointing(random.uniform(-180, 180), height)
    if sort != "clear" and random.random() < 0.2:
        towards = pointing(random.uniform(-60, 60), height)
    look = directions(*size)
    rise = np.clip(look[..., 2], 0, 1)
    near = np.clip(look @ towards, 0, 1)
    if sort == "overcast":
        tint = np.array([random.uniform(0.94, 1.03), 1, random.uniform(0.98, 1.12)], np.float32)
        dome = ((1 + 2 * rise) / 3)[..., None] * tint * 0.45
        sun = np.zeros(3, np.float32) + (random.uniform(0, 0.4) if random.random() < 0.4 else 0)
    else:
        haze = random.uniform(0.3, 0.8) if sort == "hazy" else random.uniform(0.0, 0.25)
        blue = np.array([0.10, 0.21, 0.46], np.float32)
        pale = np.array([0.40, 0.46, 0.54], np.float32) * (1.2 if sort == "hazy" else 1)
        share = ((1 - rise) ** 3)[..., None]
        dome = (blue * (1 - haze) + pale * haze) * (1 - share) + pale * share
        warm = np.array([1.0, 0.85, 0.66], np.float32)
        dome = dome + warm * (near[..., None] ** 40 * 1.2 + near[..., None] ** 6 * 0.25)
        sun = sunlight(height) * random.uniform(1.8, 3.6) * (1 - 0.5 * haze)
    return Light(with_land(random, dome, towards, sun, ground), towards, np.asarray(sun, np.float32))


def dusk(random: Random, ground: Plane, size: tuple[int, int] = (WIDTH, HEIGHT)) -> Light:
    """After sunset: deep blue overhead, a warm band low on the side where the sun went down."""
    towards = pointing(random.uniform(-180, 180), -4)
    look = directions(*size)
    rise = np.clip(look[..., 2], 0, 1)[..., None]
    side = np.clip((look[..., :2] @ towards[:2]) / np.hypot(*towards[:2]) * 0.5 + 0.5, 0, 1)[..., None]
    zenith = np.array([0.016, 0.042, 0.14], np.float32) * random.uniform(0.6, 1.3)
    horizon = np.array([0.09, 0.13, 0.24], np.float32) * random.uniform(0.7, 1.2)
    glow = linear((255, random.uniform(130, 180), random.uniform(80, 140))) * random.uniform(0.2, 0.7)
    dome = zenith + (horizon - zenith) * np.exp(-rise * 4) + glow * np.exp(-rise * random.uniform(6, 14)) * side**3
    none = np.zeros(3, np.float32)
    return Light(with_land(random, dome, towards, none, ground), towards, none)


def clouded(random: Random, light: Light, cover: float, lit: Plane) -> Light:
    """The light with clouds drawn over its dome: `cover` is their share, `lit` their radiance (linear rgb)."""
    height, width = light.dome.shape[:2]
    look = directions(width, height)
    field = cloudy(random, 1024, 8, 6)
    depth = 1 / np.maximum(look[..., 2] + 0.12, 0.03)
    across, along = look[..., 0] * depth * 110 % 1024, look[..., 1] * depth * 110 % 1024
    density = cv2.remap(
        field, across.astype(np.float32), along.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    )
    edge = np.quantile(field, 1 - cover)
    share = np.clip((density - edge) / 1.1, 0, 1) * np.clip(look[..., 2] / 0.25, 0, 1) * 0.85
    tone = lit * (1.1 - 0.25 * np.clip(density - edge, 0, 2))[..., None]
    dome = light.dome * (1 - share[..., None]) + tone * share[..., None]
    return replace(light, dome=np.ascontiguousarray(dome.astype(np.float32)))


def light_on(light: Light, normal: Sequence[float]) -> Plane:
    """Irradiance (linear rgb) on an open surface that faces along this unit vector."""
    height, width = light.dome.shape[:2]
    look = directions(width, height)
    area = np.sqrt(np.clip(1 - look[..., 2:] ** 2, 0, 1)) * (np.pi / height) * (2 * np.pi / width)
    facing = np.clip(look @ np.asarray(normal, np.float32), 0, 1)[..., None]
    direct = light.sun * max(float(np.dot(light.towards_sun, normal)), 0.0)
    return ((light.dome * facing * area).sum((0, 1)) + direct).astype(np.float32)


def pointing(turn: float, height: float) -> Plane:
    """The unit vector at this bearing from the camera's back (0 = behind the camera) and height, degrees."""
    a, h = np.radians(turn), np.radians(height)
    return np.array([np.sin(a) * np.cos(h), -np.cos(a) * np.cos(h), np.sin(h)], np.float32)


def sunlight(height: float) -> Plane:
    """The sun's color (rgb about 1) at this height in degrees: redder and weaker when low."""
    air = 1 / max(np.sin(np.radians(max(height, 1.0))), 0.05)
    return np.exp(-np.array([0.05, 0.10, 0.21], np.float32) * air) * 1.25


def with_land(random: Random, dome: Plane, towards: Plane, sun: Plane, ground: Plane) -> Plane:
    """The dome with clouds, and below its horizon ground and dark trees that panes and water mirror."""
    height, width = dome.shape[:2]
    look = directions(width, height)
    above = look[..., 2:] > 0
    light = (dome * np.clip(look[..., 2:], 0, 1) * above).mean((0, 1)) * 4
    land = (light + sun * max(float(towards[2]), 0)) * ground / np.pi
    skyline = cloudy(random, 256, 6, 4)[0]
    skyline = cv2.resize(skyline[None], (width, 1), interpolation=cv2.INTER_LINEAR)[0]
    tops = np.sin(np.radians(np.clip(5 + 4 * skyline, 0, 20)))
    # A larger dome is seen itself, where trees in it would be taken for sky.
    trees = (look[..., 2] < tops[None])[..., None] & (width <= WIDTH)
    shade = land * np.array([0.4, 0.45, 0.3], np.float32)
    lit = np.where(trees, shade, dome)
    return np.ascontiguousarray(np.where(above, lit, land).astype(np.float32))
