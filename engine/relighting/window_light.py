"""Lights windows from inside, each with its own warmth, strength and curtains, and computes light around them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Matte, Pixels, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, rgb_to_gray, scale_channels
from engine.filters.morphology import dilate
from engine.filters.smoothing import gaussian_blur
from engine.filters.strips import apply_lut, round_to_bytes
from engine.relighting.window_bars import find_bars

AMBER = (1.25, 0.64, 0.20)
"""Color, in linear light, of a warm bulb behind glass."""
CREAM = (1.25, 0.90, 0.50)
"""Color, in linear light, of a bright room behind glass."""
SPILL_COLOR = (1.0, 0.60, 0.26)
"""Color, in linear light, of the light of windows on their surroundings."""
MAX_ALL_LIT = 24
"""Maximum number of windows of a house whose windows are all lit; a house with more has some dark windows."""
MAX_LEVEL = 250
"""Maximum byte of a lit pane: a little below white."""
BAR_DARKENING = 0.3
"""Share by which bars become darker in front of the light."""
_LEVELS = plane(np.arange(256))
PANE_SHARES = smoothstep(_LEVELS, 50, 215)
"""Share of glass in a pixel for each byte of the matte; its edges are steeper than those of the matte."""
THIN = 1 / 200
"""Width of thin bars, as a share of the photo's long side."""
THIN_LENGTH = 3
"""Minimum length of thin bars, as a multiple of THIN."""
MAX_THIN, THIN_CONTRAST = 0.25, 6
"""Maximum share of a window that thin bars cover, and the difference in levels from which on a pixel counts."""
HALOS = ((1 / 240, 0.5), (1 / 60, 0.8), (1 / 22, 1.4), (1 / 9, 1.5))
"""Light on the wall around a window: sigma (share of the long side) and strength."""
MAX_SPILL = 0.5
"""Maximum linear light on the surroundings, which large windows approach."""
GROUND_POOLS = ((0.03, 0.012, 0.9), (0.07, 0.028, 1.2), (0.13, 0.05, 1.4), (0.2, 0.07, 1.0))
"""Pools of light on the ground below a window: distance and sigma (shares of the long side), and strength."""


@dataclass(frozen=True, slots=True)
class LampLight:
    """Small maps, and the boxes of the windows on them.

    `inside` (x 3): the light in the panes, linear, 0-1. `day_luma`: the mean luma of the glass around each pixel by
    day. `spill` (x 3): linear light on the surroundings. `places`: left, top, right and bottom of each window, the
    last two exclusive.
    """

    inside: Plane
    day_luma: Plane
    spill: Plane
    places: tuple[tuple[int, int, int, int], ...]


def compute_window_light(windows: Plane, own_small: Plane, standing: Plane, rng: np.random.Generator) -> LampLight:
    """Compute the light of a house's windows.

    Parameters
    ----------
    windows : (h, w) ndarray of float32
        The share of window glass in each pixel, 0-1.
    own_small : (h, w, 3) ndarray of float32
        The small picture by day, 0-1, gamma-coded, in the photo's own color space.
    standing : (h, w) ndarray of float32
        The share of upright surfaces in each pixel, 0-1: neither ground nor lawn nor water.
    rng : numpy.random.Generator
        Random number generator for each room: its lamp, its curtains, and whether it is lit.

    Returns
    -------
    LampLight
        Maps as large as `windows`.
    """
    joined = dilate(np.asarray(windows > 0.3, dtype=np.bool_), max(1, max(windows.shape) // 250))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined.astype(np.uint8), connectivity=8)
    # The first label is the background.
    boxes = np.asarray(stats[1:, :4], np.int32)
    inside = _spread_outwards(_draw_rooms(np.asarray(labels, np.int32), boxes, rng), joined)
    glass = plane(np.clip(windows, 0, 1))
    map_height, map_width = windows.shape
    places = tuple(
        (max(0, left - 2), max(0, top - 2), min(map_width, left + width + 2), min(map_height, top + height + 2))
        for left, top, width, height in boxes.tolist()
    )
    spill = _compute_spill(plane(inside * gray_to_rgb(glass)), standing)
    return LampLight(inside, _average_in_glass(rgb_to_gray(own_small), glass), spill, places)


def light_windows(dusky: Pixels, day: Pixels, panes: Matte, lamps: LampLight) -> None:
    """Put lamp light into the panes of the dusky picture, in place, with the structure of the day picture.

    Parameters
    ----------
    dusky : (H, W, 3) ndarray of uint8
        The picture at dusk, gamma-coded; it is changed.
    day : (H, W, 3) ndarray of uint8
        The same picture by day.
    panes : (H, W) ndarray of uint8
        The share of window glass in each pixel, 0-255.
    lamps : LampLight
        The light of the windows.
    """
    down, across = (full / small for full, small in zip(panes.shape, lamps.day_luma.shape, strict=True))
    width = max(3, round(THIN * max(panes.shape))) | 1
    for left, top, right, bottom in lamps.places:
        place = np.s_[round(top * down) : round(bottom * down), round(left * across) : round(right * across)]
        if not panes[place].size:
            continue
        size = panes[place].shape[::-1]
        day_luma = cv2.resize(lamps.day_luma[top:bottom, left:right], size)
        inside = cv2.resize(cv2.sqrt(lamps.inside[top:bottom, left:right]), size)
        gray = np.asarray(cv2.cvtColor(np.ascontiguousarray(day[place]), cv2.COLOR_RGB2GRAY), np.uint8)
        # Thin bars that were lighter than the dark panes by day are darker than the lit panes by the same amount.
        shown = plane(gray) - 2 * plane(_find_thin_lines(gray, panes[place], width))
        structure = plane(np.clip(0.58 + 0.42 * shown / np.maximum(day_luma * 255, 5), 0.4, 1.2))
        lamp = plane(np.minimum(255 * inside * gray_to_rgb(structure), MAX_LEVEL))
        clear = plane(1 - find_bars(gray, panes[place]))
        share = plane(apply_lut(panes[place], PANE_SHARES) * clear)
        bars = plane(dusky[place]) * gray_to_rgb(plane(1 - BAR_DARKENING * (1 - clear)))
        dusky[place] = round_to_bytes(plane(cv2.blendLinear(lamp, plane(bars), share, plane(1 - share))))


def _find_thin_lines(gray: Matte, glass: Matte, width: int) -> Matte:
    """How much lighter upright and level lines of at most this width are than their surroundings.

    All 0 in a window with many such lines, because these are slats of blinds.
    """
    light = cv2.morphologyEx(gray, cv2.MORPH_TOPHAT, np.ones((width, width), np.uint8))
    upright, level = (
        cv2.morphologyEx(light, cv2.MORPH_OPEN, np.ones(size, np.uint8))
        for size in ((THIN_LENGTH * width, 1), (1, THIN_LENGTH * width))
    )
    found = np.asarray(np.maximum(upright, level), np.uint8)
    panes = glass > 127
    thin_count = np.count_nonzero(found[panes] > THIN_CONTRAST)
    return found if thin_count < MAX_THIN * np.count_nonzero(panes) else np.zeros_like(found)


def _draw_rooms(labels: NDArray[np.int32], boxes: NDArray[np.int32], rng: np.random.Generator) -> Plane:
    """Draw a softly lit room behind each window, in linear light."""
    light = np.zeros((*labels.shape, 3), np.float32)
    dark_probability = 0.25 if len(boxes) > MAX_ALL_LIT else 0.0
    for label, (left, top, width, height) in enumerate(boxes.tolist(), start=1):
        place = np.s_[top : top + height, left : left + width]
        room = _draw_room(width, height, rng) * (0.12 if rng.random() < dark_probability else 1.0)
        light[place] = np.where((labels[place] == label)[..., None], room, light[place])
    return light


def _draw_room(width: int, height: int, rng: np.random.Generator) -> Plane:
    """Draw linear light in one window: a pool of lamplight, a dim ceiling and floor, curtains at the sides."""
    across = np.linspace(0, 1, max(width, 2))[None, :width]
    down = np.linspace(0, 1, max(height, 2))[:height, None]
    reach = rng.uniform(0.45, 0.75)
    lamp = np.hypot(across - rng.uniform(0.25, 0.75), (down - rng.uniform(0.4, 0.65)) * min(height / width, 1.6))
    pool = np.exp(-((lamp / reach) ** 2))
    strength = rng.uniform(0.6, 1.15) * (0.46 + 0.66 * pool)
    curtain_width = rng.uniform(0.1, 0.2)
    curtain = np.clip((np.abs(across - 0.5) - 0.5 + curtain_width) / 0.05, 0, 1) * (rng.random() < 0.5)
    folds = 0.62 + 0.12 * np.sin(across / curtain_width * 17)
    strength = strength * (1 - curtain + curtain * folds)
    warmth = np.clip(rng.uniform(0.15, 0.75) + 0.5 * pool - 0.35 * curtain, 0, 1)[..., None]
    return plane(strength[..., None] * (np.array(AMBER) * (1 - warmth) + np.array(CREAM) * warmth))


def _spread_outwards(light: Plane, inside: Mask) -> Plane:
    """Extend the light a few pixels beyond the windows."""
    weight = plane(inside)
    sigma = max(light.shape[:2]) / 300
    nearby = gaussian_blur(light, sigma) / gray_to_rgb(plane(np.maximum(gaussian_blur(weight, sigma), 1e-3)))
    return plane(cv2.copyTo(light, inside.astype(np.uint8), nearby))


def _average_in_glass(gray: Plane, glass: Plane) -> Plane:
    sigma = max(gray.shape) / 60
    return plane((gaussian_blur(plane(gray * glass), sigma) + 1e-3) / (gaussian_blur(glass, sigma) + 4e-3))


def _compute_spill(lit: Plane, standing: Plane) -> Plane:
    """Compute light on frames and sills nearby and in widening pools on the ground below; walls get little."""
    side = max(lit.shape[:2])
    luminance = rgb_to_gray(lit)
    nearby = sum(share * gaussian_blur(luminance, side * sigma) for sigma, share in HALOS)
    ground = np.zeros_like(luminance)
    for shift, sigma, strength in GROUND_POOLS:
        ground += strength * _shift_down(gaussian_blur(luminance, sigma * side), round(shift * side))
    total = nearby + ground * (1 - 0.72 * standing)
    return scale_channels(plane(total / (1 + total / MAX_SPILL)), SPILL_COLOR)


def _shift_down(values: Plane, rows: int) -> Plane:
    rows = min(rows, len(values))
    return plane(np.concatenate([np.zeros((rows, values.shape[1]), np.float32), values[: len(values) - rows]]))
