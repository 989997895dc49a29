"""Lights the lamps outside a house at dusk: each glows in its own shape and lights its surroundings."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, scale_channels
from engine.filters.strips import round_to_bytes
from engine.segmentation.lamps import LampPlace

GLOW_COLOR = (1.0, 0.80, 0.50)
"""Color of a glowing lamp, in linear light."""
SPILL_COLOR = (1.0, 0.62, 0.28)
"""Color, in linear light, of the light that falls on the surroundings."""
MAX_LEVEL = 252
"""Maximum byte of a lit pixel."""
SPILL_AT_LAMP = 0.45
"""Light on the surroundings right at the lamp, linear."""
SPILL_HALF_DISTANCE = 2.2
"""Distance, in lamp sizes, at which this light has fallen to half."""
SPILL_END = 12.0
"""Distance, in lamp sizes, at which this light ends."""
MAX_SPILL = 0.8
"""Maximum light of several lamps together on their surroundings, linear."""
GROUND_SHARE = 0.45
"""Share of this light on ground and plants; walls, on which lamps hang, get all of it."""
HALO_SIGMA = 1.1
"""Sigma, in lamp sizes, of the halo around a bright lamp in a photo."""
HALO_STRENGTH = 0.16
"""Light of the halo at the lamp, linear."""
CORE_RANGE = (1.0, 0.55)
"""Distances from the middle (1 is the lamp's edge): the core ends at the first and glows fully within the second.

All parts of the core glow; the rim glows only where it looks like glass, which is lighter than its frame by day.
"""
RIM_GLOW = 0.35
"""Strength of the glow of glass in the rim, 0-1."""
BAR_GLOW = 0.45
"""Strength of the glow of parts of the core that look like bars, 0-1."""
FULL_CONTRAST = 30.0
"""Difference, in levels (0-255), from which on a lamp's dark and light parts count fully as bars and glass."""


def compute_lamp_spill(places: Sequence[LampPlace], standing: Plane) -> Plane:
    """Compute the light of the lamps on their surroundings.

    Parameters
    ----------
    places : Sequence of LampPlace
        The lamps' boxes on the small map.
    standing : (h, w) ndarray of float32
        The share of upright surfaces in each pixel, 0-1: neither ground nor lawn nor water.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Linear light, 0-1.
    """
    total = np.zeros_like(standing)
    rows, columns = (np.arange(side, dtype=np.float32) for side in standing.shape)
    for place in places:
        size = _measure_size(place)
        distance = np.hypot(rows[:, None] - _find_middle(place)[0], columns[None] - _find_middle(place)[1]) / size
        total += (
            SPILL_AT_LAMP
            / (1 + (distance / SPILL_HALF_DISTANCE) ** 2)
            * smoothstep(plane(distance), SPILL_END, SPILL_END / 2)
        )
    spill = np.minimum(total, MAX_SPILL) * (GROUND_SHARE + (1 - GROUND_SHARE) * standing)
    return scale_channels(plane(spill), SPILL_COLOR)


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
        size, (row, column) = _measure_size(place), _find_middle(place)
        reach = size * (0.5 + 3 * HALO_SIGMA)
        top, bottom = (int(np.clip(each * down, 0, dusky.shape[0])) for each in (row - reach, row + reach))
        left, right = (int(np.clip(each * across, 0, dusky.shape[1])) for each in (column - reach, column + reach))
        part = np.s_[top:bottom, left:right]
        if dusky[part].size == 0:
            continue
        rows = (np.arange(top, bottom, dtype=np.float32)[:, None] + 0.5) / down - row
        columns = (np.arange(left, right, dtype=np.float32)[None] + 0.5) / across - column
        dusky[part] = _add_glow(dusky[part], day[part], place, (rows, columns))


def _add_glow(dusky: Pixels, day: Pixels, place: LampPlace, offset: tuple[Plane, Plane]) -> Pixels:
    """Add the glow to the pixels around a lamp; `offset` are their rows and columns from the lamp's middle."""
    half_tall, half_wide = (place.bottom - place.top) / 2, (place.right - place.left) / 2
    inside = plane(np.maximum(np.abs(offset[0]) / half_tall, np.abs(offset[1]) / half_wide))
    body = smoothstep(inside, 1.1, 0.85)
    core = smoothstep(plane(np.hypot(offset[0] / half_tall, offset[1] / half_wide)), *CORE_RANGE)
    gray = plane(cv2.cvtColor(np.ascontiguousarray(day), cv2.COLOR_RGB2GRAY))
    lamp_gray = gray[inside < 1]
    dark, light = (float(each) for each in np.quantile(lamp_gray, (0.1, 0.9))) if lamp_gray.size else (0.0, 0.0)
    # If light and dark parts hardly differ, all of them count as glass.
    contrast = min(1.0, (light - dark) / FULL_CONTRAST)
    panes = plane(1 - contrast * (1 - smoothstep(gray, dark, max(light, dark + 1))))
    share = body * np.maximum(core * (BAR_GLOW + (1 - BAR_GLOW) * panes), RIM_GLOW * panes)
    halo = HALO_STRENGTH * np.exp(-((np.hypot(*offset) / (HALO_SIGMA * _measure_size(place))) ** 2))
    before = plane((plane(dusky) / 255) ** 2)
    glow = plane(scale_channels(plane(share), GLOW_COLOR) + scale_channels(plane(halo), SPILL_COLOR))
    linear = plane(before * gray_to_rgb(plane(1 - share)) + glow)
    return round_to_bytes(plane(np.minimum(255 * cv2.sqrt(linear), MAX_LEVEL)))


def _measure_size(place: LampPlace) -> float:
    """The longer side of the lamp, in pixels of the small map."""
    return float(max(place.right - place.left, place.bottom - place.top))


def _find_middle(place: LampPlace) -> tuple[float, float]:
    """Row and column of the lamp's middle."""
    return (place.top + place.bottom) / 2, (place.left + place.right) / 2
