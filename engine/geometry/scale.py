"""Estimates the camera's height over the floor from the usual heights of doors, worktops, ceilings and eyes."""

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
"""The sources of a room's scale; USUAL is the usual height of a photographer's eyes."""
HEIGHTS = {DOOR: (2.03, 0.03), COUNTER: (0.88, 0.035), CEILING: (2.55, 0.075)}
"""Usual height in meters and deviation of its logarithm: of doors, the undersides of worktops, and ceilings."""
EYE_HEIGHT, EYE_SPREAD = 1.35, 0.2
"""The same for a camera that is held or stands on a tripod."""
ODD_SHARE = 0.12
"""How often a thing has an unusual height, such as a hatch, a bar or a hall."""
MIN_PIXELS, MIN_LINES = 150, 4
"""Least number of pixels of a measured thing, and of upright lines that show its foot and top."""
MAX_UNEVENNESS = 0.05
"""Greatest median deviation of the logarithm between the lines of one thing; with more, its foot or top was not
found.
"""
DISPUTED_ERROR = 0.2
"""Deviation of the logarithm of a door's or worktop's height from which on it contradicts the scale: a door of
2.44 m deviates by 0.18, but no door is 1.6 m high and no worktop 0.7 m.
"""
MIN_HEIGHT, MAX_HEIGHT = 0.25, 2.6
"""The heights of the camera that are tried, in meters."""


@dataclass(frozen=True, slots=True)
class MeasuredThing:
    """A thing that is `ratio` times as high as the camera; `spread` is the error of the ratio's logarithm."""

    kind: str
    ratio: float
    spread: float


@dataclass(frozen=True, slots=True)
class Scale:
    """The camera's height in meters, its source (DOOR, COUNTER, CEILING, USUAL or HINT), and its certainty (0-1).

    It is `disputed` where a door or a worktop in view contradicts it.
    """

    height: float
    source: str
    certainty: float
    disputed: bool = False


def estimate_scale(camera: Camera, surfaces: Plane, ceiling: float | None) -> Scale:
    """Estimate the camera's height over the floor from things of known usual height.

    Parameters
    ----------
    camera : Camera
        The camera, one unit over the floor; its picture has the size of `surfaces`.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.
    ceiling : float or None
        Height of the ceiling over the floor, in camera heights; None where it is not seen.

    Returns
    -------
    Scale
        The likeliest height in meters, and its source.
    """
    things = [*_find_doors(camera, surfaces), *_find_counters(camera, surfaces)]
    if ceiling is not None:
        things.append(MeasuredThing(CEILING, ceiling, 0.015))
    heights = np.exp(np.linspace(np.log(MIN_HEIGHT), np.log(MAX_HEIGHT), 1200))
    eye = np.log(heights / EYE_HEIGHT) / EYE_SPREAD
    likelihood = np.log(np.exp(-eye * eye / 2) + 0.01)
    for thing in things:
        usual = np.exp(-(_measure_error(thing, heights) ** 2) / 2)
        likelihood += np.log((1 - ODD_SHARE) * usual + ODD_SHARE * 0.1)
    height = float(heights[int(likelihood.argmax())])
    disputed = any(thing.kind != CEILING and _measure_deviation(thing, height) > DISPUTED_ERROR for thing in things)
    agreeing = [thing for thing in things if abs(float(_measure_error(thing, np.array([height]))[0])) < 2]
    if not agreeing:
        return Scale(height, USUAL, 0.4, disputed)
    best = min(agreeing, key=lambda thing: HEIGHTS[thing.kind][1] + thing.spread)
    return Scale(height, best.kind, 0.65 if best.kind == CEILING else 1.0, disputed)


def _measure_deviation(thing: MeasuredThing, height: float) -> float:
    """The deviation of the logarithm of the thing's height from the usual one, with the camera at this height."""
    return abs(float(np.log(height * thing.ratio / HEIGHTS[thing.kind][0])))


def _measure_error(thing: MeasuredThing, heights: Numbers) -> Numbers:
    """For each height of the camera the signed deviation of the thing's height, as a multiple of the usual one."""
    usual, spread = HEIGHTS[thing.kind]
    return np.asarray(np.log(heights * thing.ratio / usual) / np.hypot(spread, thing.spread))


def _find_doors(camera: Camera, surfaces: Plane) -> Iterator[MeasuredThing]:
    """The doors that stand on the floor and whose upper ends are in view."""
    for part in _list_parts(surfaces, (Surface.DOOR,)):
        ratios = []
        for line, elevations in _sample_lines(camera, surfaces, part):
            inside = np.flatnonzero(line[:, -1] > 0.5)
            first, last = (int(inside[0]), int(inside[-1])) if inside.size > 8 else (0, 0)
            below, above = line[max(first - 6, 0) : first], line[last + 1 : last + 7]
            if first < 6 or inside.size < 0.9 * (last - first) or len(above) < 6:
                continue
            stands_on_floor = _sum_line(below, (Surface.FLOOR, Surface.RUG)) > 0.5
            foot, top = _find_crossing(line, elevations, first), _find_crossing(line, elevations, last + 1)
            if stands_on_floor and above[:, :-1].sum(1).min() > 0.5 and foot < -0.03 < top:
                ratios.append(1 + np.tan(top) / np.tan(-foot))
        yield from _find_agreed(DOOR, ratios)


def _find_counters(camera: Camera, surfaces: Plane) -> Iterator[MeasuredThing]:
    """The worktops over cabinets that stand on the floor."""
    cabinet, counter = PLACE[Surface.CABINET], PLACE[Surface.COUNTERTOP]
    for part in _list_parts(surfaces, (Surface.CABINET, Surface.COUNTERTOP)):
        ratios = []
        for line, elevations in _sample_lines(camera, surfaces, part):
            front = np.flatnonzero(line[:, cabinet] > 0.5)
            if front.size < 8:
                continue
            first = int(front[0])
            end = int(np.flatnonzero(np.diff(front, append=10**6) > 2)[0])
            last = int(front[end])
            below, above = line[max(first - 6, 0) : first], line[last + 1 : last + 7]
            if first < 6 or len(above) < 3 or _sum_line(above[:3], (Surface.COUNTERTOP,)) < 0.5:
                continue
            foot = _interpolate_crossing(line[:, cabinet], elevations, first)
            top = _interpolate_crossing(line[:, counter], elevations, last + 1)
            if _sum_line(below, (Surface.FLOOR, Surface.RUG)) > 0.5 and foot < -0.05:
                ratios.append(1 + np.tan(top) / np.tan(-foot))
        yield from _find_agreed(COUNTER, ratios)


def _find_agreed(kind: str, ratios: list[float]) -> Iterator[MeasuredThing]:
    """The median of several lines' ratios, if they agree."""
    if len(ratios) < MIN_LINES:
        return
    logs = np.log(np.array(ratios))
    middle = float(np.median(logs))
    uneven = float(np.median(np.abs(logs - middle)))
    if uneven < MAX_UNEVENNESS:
        yield MeasuredThing(kind, float(np.exp(middle)), 0.01 + uneven)


def _list_parts(surfaces: Plane, which: tuple[Surface, ...]) -> Iterator[Mask]:
    """The connected parts of the picture that show these surfaces."""
    share = surfaces[..., [PLACE[each] for each in which]].sum(-1)
    count, parts, sizes, _ = cv2.connectedComponentsWithStats((share > 0.5).astype(np.uint8))
    for part in range(1, count):
        if sizes[part, cv2.CC_STAT_AREA] >= MIN_PIXELS:
            yield parts == part


def _sample_lines(camera: Camera, surfaces: Plane, part: Mask) -> Iterator[tuple[Plane, Numbers]]:
    """Upright lines through a part, each with the elevations of its samples.

    A line is samples x (len(Surface) + 1): the shares of the surfaces, and last whether the sample is in the part.
    """
    y, x = np.nonzero(part)
    rays = camera.rays(np.column_stack([x, y])[:: max(1, len(x) // 4000)].astype(np.float64) + 0.5)
    rays_azimuths = np.arctan2(rays[:, 0], rays[:, 1])
    rays_elevations = np.arctan2(rays[:, 2], np.hypot(rays[:, 0], rays[:, 1]))
    azimuths = np.quantile(rays_azimuths, np.linspace(0.06, 0.94, 24))
    lowest, highest = max(rays_elevations.min() - 0.06, -1.35), min(rays_elevations.max() + 0.06, 1.35)
    elevations = np.arange(lowest, highest, 0.0025)
    maps = plane(np.concatenate([surfaces, part[..., None]], -1))
    for line in sample_maps(camera, maps, azimuths, elevations):
        yield line, elevations


def _sum_line(line: Plane, which: tuple[Surface, ...]) -> float:
    """The mean share of these surfaces along a part of a line."""
    return float(line[:, [PLACE[each] for each in which]].sum(1).mean())


def _find_crossing(line: Plane, elevations: Numbers, place: int) -> float:
    """The elevation at which the part begins or ends, between the samples `place` - 1 and `place`."""
    return _interpolate_crossing(line[:, -1], elevations, place)


def _interpolate_crossing(values: Plane, elevations: Numbers, place: int) -> float:
    """The elevation between the samples `place` - 1 and `place` at which the values cross one half."""
    one, other = float(values[place - 1]), float(values[place])
    share = (0.5 - one) / (other - one) if abs(other - one) > 1e-6 else 0.5
    return float(elevations[place - 1] + np.clip(share, 0, 1) * (elevations[place] - elevations[place - 1]))
