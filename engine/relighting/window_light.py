"""Windows lit from inside, each with its own warmth, strength and curtains, and the light that they throw."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Matte, Pixels, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, rgb_to_gray, scale_channels
from engine.filters.morphology import dilate
from engine.filters.smoothing import gaussian_blur
from engine.filters.strips import apply_lut, round_to_bytes

AMBER = (0.82, 0.41, 0.13)
"""Linear light of a warm bulb behind glass."""
CREAM = (0.82, 0.59, 0.33)
"""Linear light of a bright room behind glass."""
SPILT = (1.0, 0.60, 0.26)
"""Color, in linear light, of the light that windows throw."""
MANY = 24
"""Most windows of a house for all of them to be lit; a house with more has some dark windows."""
BRIGHTEST = 250
"""The largest byte of a lit pane: a little below white."""
BACKLIT = 0.3
"""How much darker bars become in front of the light, as a share."""
_LEVELS = plane(np.arange(256))
PANE = smoothstep(_LEVELS, 50, 215)
"""Share of glass in a pixel by the byte of the matte: the matte with a firmer edge."""
CLEAR = smoothstep(_LEVELS, 40, 12)
"""Share of light that passes, by the number of levels by which a bar stands out."""
FINEST = 3000
"""Longest side, in pixels, of the photo on which bars are looked for."""
STRAIGHT = 0.22
"""Least length of a bar, as a share of the window's side."""
FALL = ((0.03, 0.012, 0.5), (0.07, 0.028, 0.55), (0.13, 0.05, 0.5), (0.2, 0.07, 0.3))
"""Pools of light on the ground below a window: distance down and sigma, as shares of the long side; strength."""


@dataclass(frozen=True, slots=True)
class LampLight:
    """Small maps, and the boxes of the windows on them.

    `inside` (x 3): the light in the panes, linear 0-1; `usual`: the mean luma of the glass around each place by
    day; `spill` (x 3): linear light that falls on the surroundings. `places`: left, top, right and bottom of each
    window, the last two exclusive.
    """

    inside: Plane
    usual: Plane
    spill: Plane
    places: tuple[tuple[int, int, int, int], ...]


def compute_window_light(
    windows: Plane, own_small: Plane, standing: Plane, noise: np.random.Generator
) -> LampLight:
    """The light of a house's windows.

    Parameters
    ----------
    windows : (h, w) ndarray of float32
        The share of window glass in each pixel, 0-1.
    own_small : (h, w, 3) ndarray of float32
        The small picture by day, 0-1, gamma-coded, in the photo's own color space.
    standing : (h, w) ndarray of float32
        How much of each pixel is upright, neither ground nor lawn nor water, 0-1.
    noise : numpy.random.Generator
        Source of chance for each room: its lamp, curtains, and whether it is lit.

    Returns
    -------
    LampLight
        Maps as large as `windows`.
    """
    together = dilate(np.asarray(windows > 0.3, dtype=np.bool_), max(1, max(windows.shape) // 250))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(together.astype(np.uint8), connectivity=8)
    # The first label is the background.
    boxes = np.asarray(stats[1:, :4], np.int32)
    inside = _spread_outwards(_draw_rooms(np.asarray(labels, np.int32), boxes, noise), together)
    glass = plane(np.clip(windows, 0, 1))
    height, width = windows.shape
    places = tuple(
        (max(0, left - 2), max(0, top - 2), min(width, left + wide + 2), min(height, top + tall + 2))
        for left, top, wide, tall in boxes.tolist()
    )
    spill = _compute_spill(plane(inside * gray_to_rgb(glass)), standing)
    return LampLight(inside, _average_in_glass(rgb_to_gray(own_small), glass), spill, places)


def light_windows(dusky: Pixels, day: Pixels, panes: Matte, lamps: LampLight) -> None:
    """Put lamp light into the panes of the dusky picture, in place, with the structure that the day picture shows.

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
    down, across = (full / small for full, small in zip(panes.shape, lamps.usual.shape, strict=True))
    for left, top, right, bottom in lamps.places:
        place = np.s_[round(top * down) : round(bottom * down), round(left * across) : round(right * across)]
        if not panes[place].size:
            continue
        size = panes[place].shape[::-1]
        usual = cv2.resize(lamps.usual[top:bottom, left:right], size)
        inside = cv2.resize(cv2.sqrt(lamps.inside[top:bottom, left:right]), size)
        gray = np.asarray(cv2.cvtColor(np.ascontiguousarray(day[place]), cv2.COLOR_RGB2GRAY), np.uint8)
        structure = plane(np.clip(0.48 + 0.52 * plane(gray) / np.maximum(usual * 255, 5), 0.4, 1.25))
        lamp = plane(np.minimum(255 * inside * gray_to_rgb(structure), BRIGHTEST))
        clear = apply_lut(_find_bars(gray, max(panes.shape)), CLEAR)
        share = plane(apply_lut(panes[place], PANE) * clear)
        bars = plane(dusky[place]) * gray_to_rgb(plane(1 - BACKLIT * (1 - clear)))
        dusky[place] = round_to_bytes(plane(cv2.blendLinear(lamp, plane(bars), share, plane(1 - share))))


def _find_bars(gray: Matte, side: int) -> Matte:
    """By how many levels bars and frames (thin, straight, upright or level) are lighter or darker than the pane.

    `side` is the photo's long side; it is shrunk to FINEST at most.
    """
    scale = min(1.0, FINEST / side)
    size = (max(1, round(gray.shape[1] * scale)), max(1, round(gray.shape[0] * scale)))
    small = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)
    wide = max(3, round(side * scale / 130))
    found = np.zeros_like(small)
    for upright, length in ((False, size[1]), (True, size[0])):
        long = max(5, round(length * STRAIGHT))
        # Rows and columns of the kernels for level bars; exchanged for upright bars.
        thin, line, near = (each[::-1] if upright else each for each in ((wide, 1), (1, long), (3, 1)))
        for kind in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT):
            standing = cv2.morphologyEx(small, kind, np.ones(thin, np.uint8))
            standing = cv2.dilate(standing, np.ones(near, np.uint8))
            straight = cv2.morphologyEx(standing, cv2.MORPH_OPEN, np.ones(line, np.uint8))
            found = np.maximum(found, cv2.erode(straight, np.ones(near, np.uint8)))
    return np.asarray(cv2.resize(found, gray.shape[::-1], interpolation=cv2.INTER_LINEAR), np.uint8)


def _draw_rooms(labels: NDArray[np.int32], boxes: NDArray[np.int32], noise: np.random.Generator) -> Plane:
    """A softly lit room behind each window, in linear light."""
    light = np.zeros((*labels.shape, 3), np.float32)
    unlit = 0.25 if len(boxes) > MANY else 0.0
    for label, (left, top, wide, tall) in enumerate(boxes.tolist(), start=1):
        place = np.s_[top : top + tall, left : left + wide]
        room = _draw_room(wide, tall, noise) * (0.12 if noise.random() < unlit else 1.0)
        light[place] = np.where((labels[place] == label)[..., None], room, light[place])
    return light


def _draw_room(wide: int, tall: int, noise: np.random.Generator) -> Plane:
    """Linear light seen through one window: a pool of lamplight, a dim ceiling and floor, curtains at the sides."""
    across = np.linspace(0, 1, max(wide, 2))[None, :wide]
    down = np.linspace(0, 1, max(tall, 2))[:tall, None]
    reach = noise.uniform(0.45, 0.75)
    lamp = np.hypot(across - noise.uniform(0.25, 0.75), (down - noise.uniform(0.4, 0.65)) * min(tall / wide, 1.6))
    pool = np.exp(-((lamp / reach) ** 2))
    strength = noise.uniform(0.6, 1.15) * (0.46 + 0.66 * pool)
    hang = noise.uniform(0.1, 0.2)
    curtain = np.clip((np.abs(across - 0.5) - 0.5 + hang) / 0.05, 0, 1) * (noise.random() < 0.5)
    folds = 0.62 + 0.12 * np.sin(across / hang * 17)
    strength = strength * (1 - curtain + curtain * folds)
    warmth = np.clip(noise.uniform(0.15, 0.75) + 0.5 * pool - 0.35 * curtain, 0, 1)[..., None]
    return plane(strength[..., None] * (np.array(AMBER) * (1 - warmth) + np.array(CREAM) * warmth))


def _spread_outwards(light: Plane, inside: Mask) -> Plane:
    """The light extended a few pixels beyond the windows."""
    weight = plane(inside)
    sigma = max(light.shape[:2]) / 300
    near = gaussian_blur(light, sigma) / gray_to_rgb(plane(np.maximum(gaussian_blur(weight, sigma), 1e-3)))
    return plane(cv2.copyTo(light, inside.astype(np.uint8), near))


def _average_in_glass(gray: Plane, glass: Plane) -> Plane:
    sigma = max(gray.shape) / 60
    return plane((gaussian_blur(plane(gray * glass), sigma) + 1e-3) / (gaussian_blur(glass, sigma) + 4e-3))


def _compute_spill(lit: Plane, standing: Plane) -> Plane:
    """Light on frames and sills close by, and in a widening pool on the ground below; little on walls between."""
    side = max(lit.shape[:2])
    flux = rgb_to_gray(lit)
    near = 0.45 * gaussian_blur(flux, side / 240) + 0.30 * gaussian_blur(flux, side / 60)
    ground = np.zeros_like(flux)
    for shift, soft, strength in FALL:
        ground += strength * _shift_down(gaussian_blur(flux, soft * side), round(shift * side))
    total = near + ground * (1 - 0.72 * standing)
    return scale_channels(plane(total), SPILT)


def _shift_down(values: Plane, rows: int) -> Plane:
    rows = min(rows, len(values))
    return plane(np.concatenate([np.zeros((rows, values.shape[1]), np.float32), values[: len(values) - rows]]))
