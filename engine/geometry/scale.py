"""How high over the floor the camera was, from things whose heights are usual: doors, worktops, ceilings, eyes."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.geometry.camera import Camera
from engine.geometry.columns import sample_maps
from engine.geometry.segments import Numbers
from engine.geometry.surface import PLACE, Surface

DOOR, COUNTER, CEILING, USUAL, HINT = "door", "counter", "ceiling", "usual", "hint"
HEIGHTS = {DOOR: (2.03, 0.03), COUNTER: (0.88, 0.035), CEILING: (2.55, 0.075)}
"""Meters, and how far such things differ, as a logarithm: a door, the under side of a worktop, a ceiling."""
EYE, EYE_SPREAD = 1.35, 0.2
ODD = 0.12
"""How often a thing is not what it seems: a hatch, a bar, a hall."""
LEAST_PIXELS, LEAST_LINES = 150, 4
MOST_UNEVEN = 0.05
DISPUTED = 0.2
"""How far off, as a logarithm, a door or worktop may come out before it says that the scale is another: doors of
2.44 m are 0.18 off, none is 1.6 m or worktop 0.7 m high.
"""
LOW, HIGH = 0.25, 2.6


@dataclass(frozen=True, slots=True)
class Hint:
    """A thing is `ratio` times as high as the camera; `spread` of it as a logarithm."""

    what: str
    ratio: float
    spread: float


@dataclass(frozen=True, slots=True)
class Scale:
    """The camera's height in meters, what gave it, and how certain that is (0-1).

    It is `disputed` where a door or a worktop in view says another.
    """

    height: float
    measure: str
    sure: float
    disputed: bool = False


def estimate_scale(camera: Camera, surfaces: Plane, ceiling: float | None) -> Scale:
    """The likeliest height of a camera over the floor, from things whose heights are usual.

    Parameters
    ----------
    camera : Camera
        A camera one unit over the floor, of a picture of the size of `surfaces`.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.
    ceiling : float or None
        Height of the ceiling over the floor, in heights of the camera; None where it is not seen.

    Returns
    -------
    Scale
        The height in meters, and what gave it.
    """
    hints = [*_doors(camera, surfaces), *_counters(camera, surfaces)]
    if ceiling is not None:
        hints.append(Hint(CEILING, ceiling, 0.015))
    heights = np.exp(np.linspace(np.log(LOW), np.log(HIGH), 1200))
    eye = np.log(heights / EYE) / EYE_SPREAD
    likely = np.log(np.exp(-eye * eye / 2) + 0.01)
    for hint in hints:
        likely += np.log((1 - ODD) * np.exp(-(_error(hint, heights) ** 2) / 2) + ODD * 0.1)
    height = float(heights[int(likely.argmax())])
    disputed = any(hint.what != CEILING and _apart(hint, height) > DISPUTED for hint in hints)
    agreeing = [hint for hint in hints if abs(float(_error(hint, np.array([height]))[0])) < 2]
    if not agreeing:
        return Scale(height, USUAL, 0.4, disputed)
    best = min(agreeing, key=lambda hint: HEIGHTS[hint.what][1] + hint.spread)
    return Scale(height, best.what, 0.65 if best.what == CEILING else 1.0, disputed)


def _apart(hint: Hint, height: float) -> float:
    """How far off, as a logarithm, the thing is from its usual height under a camera of this height."""
    return abs(float(np.log(height * hint.ratio / HEIGHTS[hint.what][0])))


def _error(hint: Hint, heights: Numbers) -> Numbers:
    usual, spread = HEIGHTS[hint.what]
    return np.asarray(np.log(heights * hint.ratio / usual) / np.hypot(spread, hint.spread))


def _doors(camera: Camera, surfaces: Plane) -> Iterator[Hint]:
    """Doors that stand on the floor and have an upper end in view."""
    for part in _parts(surfaces, (Surface.DOOR,)):
        ratios = []
        for line, elevations in _lines(camera, surfaces, part):
            inside = np.flatnonzero(line[:, -1] > 0.5)
            first, last = (int(inside[0]), int(inside[-1])) if inside.size > 8 else (0, 0)
            below, above = line[max(first - 6, 0) : first], line[last + 1 : last + 7]
            if first < 6 or inside.size < 0.9 * (last - first) or len(above) < 6:
                continue
            stands = _sum_line(below, (Surface.FLOOR, Surface.RUG)) > 0.5
            foot, top = _find_crossing(line, elevations, first), _find_crossing(line, elevations, last + 1)
            if stands and above[:, :-1].sum(1).min() > 0.5 and foot < -0.03 < top:
                ratios.append(1 + np.tan(top) / np.tan(-foot))
        yield from _find_agreed(DOOR, ratios)


def _counters(camera: Camera, surfaces: Plane) -> Iterator[Hint]:
    """Worktops over cabinets that stand on the floor."""
    cabinet, counter = PLACE[Surface.CABINET], PLACE[Surface.COUNTERTOP]
    for part in _parts(surfaces, (Surface.CABINET, Surface.COUNTERTOP)):
        ratios = []
        for line, elevations in _lines(camera, surfaces, part):
            front = np.flatnonzero(line[:, cabinet] > 0.5)
            if front.size < 8:
                continue
            first = int(front[0])
            run = int(np.flatnonzero(np.diff(front, append=10**6) > 2)[0])
            last = int(front[run])
            below, above = line[max(first - 6, 0) : first], line[last + 1 : last + 7]
            if first < 6 or len(above) < 3 or _sum_line(above[:3], (Surface.COUNTERTOP,)) < 0.5:
                continue
            foot = _interpolate_crossing(line[:, cabinet], elevations, first)
            top = _interpolate_crossing(line[:, counter], elevations, last + 1)
            if _sum_line(below, (Surface.FLOOR, Surface.RUG)) > 0.5 and foot < -0.05:
                ratios.append(1 + np.tan(top) / np.tan(-foot))
        yield from _find_agreed(COUNTER, ratios)


def _find_agreed(what: str, ratios: list[float]) -> Iterator[Hint]:
    """The middle of what several lines say, if they say nearly the same."""
    if len(ratios) < LEAST_LINES:
        return
    logs = np.log(np.array(ratios))
    middle = float(np.median(logs))
    uneven = float(np.median(np.abs(logs - middle)))
    if uneven < MOST_UNEVEN:
        yield Hint(what, float(np.exp(middle)), 0.01 + uneven)


def _parts(surfaces: Plane, which: tuple[Surface, ...]) -> Iterator[Mask]:
    share = surfaces[..., [PLACE[each] for each in which]].sum(-1)
    count, parts, sizes, _ = cv2.connectedComponentsWithStats((share > 0.5).astype(np.uint8))
    for part in range(1, count):
        if sizes[part, cv2.CC_STAT_AREA] >= LEAST_PIXELS:
            yield parts == part


def _lines(camera: Camera, surfaces: Plane, part: Mask) -> Iterator[tuple[Plane, Numbers]]:
    """Upright lines through a part: samples x (len(Surface) + 1), the last whether of the part; elevations."""
    y, x = np.nonzero(part)
    rays = camera.rays(np.column_stack([x, y])[:: max(1, len(x) // 4000)].astype(np.float64) + 0.5)
    sides = np.arctan2(rays[:, 0], rays[:, 1])
    ups = np.arctan2(rays[:, 2], np.hypot(rays[:, 0], rays[:, 1]))
    azimuths = np.quantile(sides, np.linspace(0.06, 0.94, 24))
    elevations = np.arange(max(ups.min() - 0.06, -1.35), min(ups.max() + 0.06, 1.35), 0.0025)
    maps = plane(np.concatenate([surfaces, part[..., None]], -1))
    for line in sample_maps(camera, maps, azimuths, elevations):
        yield line, elevations


def _sum_line(line: Plane, which: tuple[Surface, ...]) -> float:
    return float(line[:, [PLACE[each] for each in which]].sum(1).mean())


def _find_crossing(line: Plane, elevations: Numbers, place: int) -> float:
    return _interpolate_crossing(line[:, -1], elevations, place)


def _interpolate_crossing(values: Plane, elevations: Numbers, place: int) -> float:
    """Where between the samples before and at `place` the values cross one half."""
    one, other = float(values[place - 1]), float(values[place])
    share = (0.5 - one) / (other - one) if abs(other - one) > 1e-6 else 0.5
    return float(elevations[place - 1] + np.clip(share, 0, 1) * (elevations[place] - elevations[place - 1]))
