"""Twilight against true dusk: houses rendered by day and at dusk, compared with what darkening and blueing give."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import mean

import cv2
import numpy as np

from bench.quality.measures import scales_apart
from bench.quality.results import result, upright
from bench.quality.rows import Row, skipped
from engine.arrays import Pixels
from engine.types.enhancements import Enhancement

# A plain grade multiplies linear light: by an exposure in stops, red and green by less than blue.
STOPS = (-0.5, -1.0, -1.5, -2.0, -2.5, -3.0, -3.5, -4.0)
BLUES = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75)
GRADES = tuple(product(STOPS, BLUES))
SEARCHED_SIDE = 160


def rows(folder: Path) -> Iterator[Row]:
    """How often twilight comes closer to the true dusk than plain grades do; training.twins makes the folder."""
    days = sorted(folder.glob("day_*.jpg"))
    if not days:
        yield skipped(
            "twilight on rendered twins", f"no twins in {folder.name}: python -m training.twins build/twins"
        )
        return
    twins = [_twin(day) for day in days]
    searched = [_searched(twin) for twin in twins]
    preset = min(GRADES, key=lambda grade: sum(each[grade] for each in searched))
    on = f"{len(twins)} rendered twins"
    ours = [scales_apart(twin.ours, twin.dusk) for twin in twins]
    plain = [scales_apart(graded(twin.day, *preset), twin.dusk) for twin in twins]
    best = [
        scales_apart(graded(twin.day, *min(each, key=each.__getitem__)), twin.dusk)
        for twin, each in zip(twins, searched, strict=True)
    ]
    closer = sum(one < other for one, other in zip(ours, plain, strict=True))
    worst = [
        f"{twin.name}: {one:.2f} against {other:.2f}"
        for twin, one, other in zip(twins, ours, plain, strict=True)
        if one >= other
    ]
    what, aim = "twilight closer to true dusk than the best darken-and-blue preset", f"{len(twins)} of {len(twins)}"
    yield Row(what, f"{closer} of {len(twins)}", aim, closer == len(twins), on, worst)
    closer = sum(one < other for one, other in zip(ours, best, strict=True))
    yield Row(
        "the same against the best grade for each twin, true dusk in sight", f"{closer} of {len(twins)}", on=on
    )
    means = " / ".join(f"{mean(each):.1f}" for each in (ours, plain, best))
    yield Row("mean distance to true dusk: twilight / preset / best for each", means, on=on)


@dataclass(frozen=True, slots=True)
class Twin:
    """A house by day, at true dusk, and what the twilight step makes of the day."""

    name: str
    day: Pixels
    dusk: Pixels
    ours: Pixels


def _twin(day: Path) -> Twin:
    dusk = upright(day.with_name(day.stem.replace("day", "dusk") + ".png").read_bytes())
    done = result(day, [Enhancement.TWILIGHT])
    return Twin(day.stem, done.before, dusk, done.before if done.after is None else done.after)


def _searched(twin: Twin) -> dict[tuple[float, float], float]:
    """The distance to the true dusk of every grade of the family, found at a small size."""
    scale = SEARCHED_SIDE / max(twin.day.shape)
    small, aim = (
        np.asarray(cv2.resize(each, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
        for each in (twin.day, twin.dusk)
    )
    return {grade: scales_apart(graded(small, *grade), aim, levels=2) for grade in GRADES}


def graded(pixels: Pixels, stops: float, blue: float) -> Pixels:
    """The sRGB picture darkened by `stops` in linear light, red reduced by the share `blue`, green by 0.6 of it."""
    gains = 2.0**stops * np.array([1 - blue, 1 - 0.6 * blue, 1])
    levels = np.arange(256) / 255
    linear = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    lit = linear[:, None] * gains
    coded = np.where(lit <= 0.0031308, lit * 12.92, 1.055 * np.maximum(lit, 1e-9) ** (1 / 2.4) - 0.055)
    return np.asarray(cv2.LUT(pixels, np.round(coded * 255).astype(np.uint8)[None]), dtype=np.uint8)
