"""Skies drawn by chance, of all hours and weathers, to stand behind outlined and rendered houses in training."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.sky import clouds
from engine.sky.moods import DAY, DUSK, GOLDEN
from engine.sky.view import SkyView

Picture = NDArray[np.uint8]
Map = NDArray[np.float32]

# Zenith and horizon of each weather, sRGB 0-255, and how much of it is cloud: from, to.
WEATHERS = (
    ((58, 110, 190), (168, 200, 232), (0.0, 0.5)),
    ((28, 72, 150), (120, 170, 220), (0.0, 0.35)),
    ((120, 170, 225), (215, 228, 240), (0.1, 0.8)),
    ((252, 252, 252), (255, 255, 255), (0.0, 0.2)),
    ((225, 230, 236), (242, 243, 244), (0.0, 0.9)),
    ((190, 196, 204), (222, 224, 226), (0.2, 1.0)),
    ((110, 118, 130), (180, 184, 190), (0.4, 1.0)),
    ((205, 212, 220), (250, 246, 238), (0.0, 0.6)),
    ((90, 110, 160), (250, 190, 140), (0.1, 0.6)),
    ((24, 34, 74), (120, 110, 130), (0.0, 0.5)),
    ((12, 16, 34), (40, 48, 80), (0.0, 0.4)),
    ((150, 160, 150), (214, 206, 180), (0.0, 0.5)),
)


def drawn_sky(height: int, width: int, chance: np.random.Generator, weather: int | None = None) -> Picture:
    """Height x width x 3 sRGB bytes: a gradient, often with clouds seen in perspective or with haze and a sun.

    `weather` is a place in WEATHERS; any where it is left out.
    """
    zenith, horizon, cover = WEATHERS[chance.integers(len(WEATHERS)) if weather is None else weather]
    low = np.array(horizon, np.float32) + chance.normal(0, 8, 3)
    high = np.array(zenith, np.float32) + chance.normal(0, 10, 3)
    sky = _gradient(height, width, high, low, chance)
    amount = chance.uniform(*cover)
    if amount > 0.04 and chance.random() < 0.8:
        _add_clouds(sky, amount, chance)
    if chance.random() < 0.3:
        _add_sun(sky, chance)
    return np.clip(sky, 0, 255).astype(np.uint8)


def computed_sky(height: int, width: int, chance: np.random.Generator) -> Picture:
    """Height x width x 3 sRGB bytes: a sky as the engine computes it, clear to overcast."""
    mood = (DAY, DAY, DAY, DAY, GOLDEN, DUSK)[chance.integers(6)]
    gray = np.float32(chance.uniform(0.5, 1.3))
    air = mood.air
    if mood is DAY:
        air = replace(air, turbidity=chance.uniform(2, 4.5), exposure=air.exposure * 2 ** chance.normal(0.1, 0.5))
    mood = replace(
        mood,
        air=air,
        cover=chance.uniform(0.05, 0.75),
        cirrus=chance.uniform(0, 1.5),
        skylight=tuple(each * gray for each in mood.skylight),
    )
    view = SkyView(height, width, chance.uniform(0.85, 1.3), chance.uniform(-1, 1))
    return np.clip(clouds.draw_sky(mood, view, chance, chance), 0, 255).astype(np.uint8)


def _gradient(height: int, width: int, high: Map, low: Map, chance: np.random.Generator) -> Map:
    rows = np.linspace(0, 1, height, dtype=np.float32)[:, None] ** chance.uniform(0.6, 1.8)
    columns = np.linspace(-1, 1, width, dtype=np.float32)[None] * chance.normal(0, 0.15)
    share = np.clip(rows + columns, 0, 1)[..., None]
    return (high + (low - high) * share).astype(np.float32)


def _add_clouds(sky: Map, amount: float, chance: np.random.Generator) -> None:
    height, width = sky.shape[:2]
    density = noise(height, width, chance, flattened=chance.uniform(1.0, 3.5))
    edge = 1 - amount
    softness = chance.uniform(0.04, 0.4)
    cover = np.clip((density - edge) / softness, 0, 1)[..., None]
    light = chance.uniform(175, 255) + (density - 0.5)[..., None] * chance.uniform(-160, 40)
    # Heaped clouds are bright above and gray below.
    downwards = cv2.blur(np.gradient(density, axis=0), (3, 3))[..., None] * height
    light = light + np.clip(downwards * chance.uniform(0, 32), -110, 60)
    tint = np.array([1, 1, 1], np.float32) + chance.normal(0, 0.02, 3).astype(np.float32)
    sky += (light * tint - sky) * cover * chance.uniform(0.5, 1.0)


def _add_sun(sky: Map, chance: np.random.Generator) -> None:
    height, width = sky.shape[:2]
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    away = np.hypot(rows / height - chance.uniform(0, 1.1), columns / height - chance.uniform(0, width / height))
    glow = np.exp(-((away / chance.uniform(0.1, 0.7)) ** 2))[..., None] * chance.uniform(0.3, 1.0)
    sky += (np.array([255, 248, 230], np.float32) - sky) * glow


def noise(height: int, width: int, chance: np.random.Generator, flattened: float = 1.0) -> Map:
    """Height x width fractal noise of 0-1, evenly spread; `flattened` draws it out sideways."""
    total = np.zeros((height, width), np.float32)
    for octave in range(6):
        cells = 2.5 * 2**octave
        across = max(2, round(cells * width / height / flattened))
        grid = chance.random((max(2, round(cells)), across), dtype=np.float32)
        total += cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC) * 0.58**octave
    ranks = np.sort(total[::8, ::8].ravel())
    return np.interp(total, ranks, np.linspace(0, 1, ranks.size)).astype(np.float32)
