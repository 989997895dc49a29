"""Lamps outside a house at dusk: each glows in its own shape and throws warm light on its surroundings."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, scale_channels
from engine.filters.strips import round_to_bytes
from engine.segmentation.lamps import LampPlace

GLOWING = (1.0, 0.80, 0.50)
"""Linear light of the glowing lamp."""
THROWN = (1.0, 0.62, 0.28)
"""Color, in linear light, of the light that falls on the surroundings."""
BRIGHTEST = 252
"""The largest byte of a lit pixel."""
STRONGEST = 0.45
"""The thrown light at the lamp, linear."""
HALF_AT = 2.2
"""Lamp sizes from the lamp at which the thrown light has fallen to half."""
ENDS_AT = 12.0
"""Lamp sizes from the lamp at which the thrown light ends."""
MOST_TOGETHER = 0.8
"""Most thrown light, linear, of several lamps together."""
ON_GROUND = 0.45
"""Share of the thrown light that falls on ground and plants; all of it falls on the wall that the lamp hangs on."""
VEIL = 1.1
"""Sigma, in lamp sizes, of the veil that a bright lamp lays over its surroundings in a photo."""
VEILED = 0.16
"""Strength of the veil, linear."""
CORE = (1.0, 0.55)
"""Distance from the middle (1: the lamp's edge) at which the core begins, and within which it glows fully.

The core glows whatever it is; the rim only where it looks like glass, which is lighter than its frame by day.
"""
RIM = 0.35
"""How strongly glass in the rim glows."""
DIMMED = 0.45
"""How strongly parts of the core glow that look like bars."""
APART = 30.0
"""Levels (of 255) between a lamp's dark and light parts for them to count fully as bars and glass."""


def compute_lamp_spill(places: Sequence[LampPlace], standing: Plane) -> Plane:
    """The light that falls on the surroundings of the lamps.

    Parameters
    ----------
    places : Sequence of LampPlace
        The lamps' boxes on the small map.
    standing : (h, w) ndarray of float32
        How much of each pixel is upright, neither ground nor lawn nor water, 0-1.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Linear light, 0-1.
    """
    total = np.zeros_like(standing)
    rows, columns = (np.arange(side, dtype=np.float32) for side in standing.shape)
    for place in places:
        size = _size(place)
        apart = np.hypot(rows[:, None] - _middle(place)[0], columns[None] - _middle(place)[1]) / size
        total += STRONGEST / (1 + (apart / HALF_AT) ** 2) * smoothstep(plane(apart), ENDS_AT, ENDS_AT / 2)
    fallen = np.minimum(total, MOST_TOGETHER) * (ON_GROUND + (1 - ON_GROUND) * standing)
    return scale_channels(plane(fallen), THROWN)


def light_lamps(dusky: Pixels, day: Pixels, places: Sequence[LampPlace], small: tuple[int, ...]) -> None:
    """Light the lamps in the dusky picture, in place.

    Their structure in the day picture remains visible: panes glow, bars and caps glow less.

    Parameters
    ----------
    dusky : (H, W, 3) ndarray of uint8
        The picture at dusk, gamma-coded; it is changed.
    day : (H, W, 3) ndarray of uint8
        The same picture by day.
    places : Sequence of LampPlace
        The lamps' boxes on a small map.
    small : tuple of int
        Rows and columns of the small map.
    """
    down, across = dusky.shape[0] / small[0], dusky.shape[1] / small[1]
    for place in places:
        size, (row, column) = _size(place), _middle(place)
        reach = size * (0.5 + 3 * VEIL)
        top, bottom = (int(np.clip(each * down, 0, dusky.shape[0])) for each in (row - reach, row + reach))
        left, right = (int(np.clip(each * across, 0, dusky.shape[1])) for each in (column - reach, column + reach))
        part = np.s_[top:bottom, left:right]
        if dusky[part].size == 0:
            continue
        rows = (np.arange(top, bottom, dtype=np.float32)[:, None] + 0.5) / down - row
        columns = (np.arange(left, right, dtype=np.float32)[None] + 0.5) / across - column
        dusky[part] = _add_glow(dusky[part], day[part], place, (rows, columns))


def _add_glow(dusky: Pixels, day: Pixels, place: LampPlace, apart: tuple[Plane, Plane]) -> Pixels:
    """The part of the picture around a lamp, glowing; `apart` are rows and columns from the lamp's middle."""
    half_tall, half_wide = (place.bottom - place.top) / 2, (place.right - place.left) / 2
    inside = plane(np.maximum(np.abs(apart[0]) / half_tall, np.abs(apart[1]) / half_wide))
    body = smoothstep(inside, 1.1, 0.85)
    core = smoothstep(plane(np.hypot(apart[0] / half_tall, apart[1] / half_wide)), *CORE)
    gray = plane(cv2.cvtColor(np.ascontiguousarray(day), cv2.COLOR_RGB2GRAY))
    within = gray[inside < 1]
    dark, light = (float(each) for each in np.quantile(within, (0.1, 0.9))) if within.size else (0.0, 0.0)
    # Where light and dark parts hardly differ, all counts as glass.
    contrast = min(1.0, (light - dark) / APART)
    panes = plane(1 - contrast * (1 - smoothstep(gray, dark, max(light, dark + 1))))
    share = body * np.maximum(core * (DIMMED + (1 - DIMMED) * panes), RIM * panes)
    veil = VEILED * np.exp(-((np.hypot(*apart) / (VEIL * _size(place))) ** 2))
    before = plane((plane(dusky) / 255) ** 2)
    glow = plane(scale_channels(plane(share), GLOWING) + scale_channels(plane(veil), THROWN))
    linear = plane(before * gray_to_rgb(plane(1 - share)) + glow)
    return round_to_bytes(plane(np.minimum(255 * cv2.sqrt(linear), BRIGHTEST)))


def _size(place: LampPlace) -> float:
    """The longer side of the lamp, in pixels of the small map."""
    return float(max(place.right - place.left, place.bottom - place.top))


def _middle(place: LampPlace) -> tuple[float, float]:
    """Row and column of the lamp's middle."""
    return (place.top + place.bottom) / 2, (place.left + place.right) / 2
