"""Whether the photos of one order agree: one drawn wall under several lamps, one sky over one house."""

import tempfile
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from statistics import mean

import numpy as np

from bench.quality.results import Result, result
from bench.quality.rows import Row
from engine.arrays import Pixels, Plane, plane
from engine.batch.photo import estimate_photo_light
from engine.color.difference import compute_delta_e, srgb_to_lab
from engine.types.appearance import SharedAppearance, find_shared_appearance
from engine.types.enhancements import Enhancement
from tests import scenes

SIZE = (960, 640)
LAMPS = ((1.0, 0.9, 0.72), (1.0, 0.95, 0.85), (0.95, 1.0, 1.02), (1.0, 0.86, 0.64))
ROOM_LIGHTS, HOUSE_LIGHTS = (1.0, 0.75, 1.2, 0.9), (1.0, 0.9, 0.8, 1.05)
WALL, SKY = (0.38, 0.28, 0.48, 0.48), (0.0, 0.0, 1.0, 0.12)


def rows() -> Iterator[Row]:
    """The largest color difference between two photos of an order, before and after."""
    rooms = [
        np.clip(scenes.room(*SIZE, cast=lamp) * light, 0, 255)
        for lamp, light in zip(LAMPS, ROOM_LIGHTS, strict=True)
    ]
    houses = [scenes.house(*SIZE, light=light) for light in HOUSE_LIGHTS]
    on = "4 drawn rooms: 4 lamps, 4 exposures"
    for step in (Enhancement.HDR, Enhancement.FLAMBIENT):
        before, after = _agreement(_order(rooms, step), WALL)
        yield Row(
            f"ΔE2000 of one wall over an order, mean pair, before → after {step}",
            f"{before:.1f} → {after:.1f}",
            "less",
            after < before,
            on,
        )
    before, after = _agreement(_order(houses, Enhancement.SKY), SKY)
    text = f"ΔE2000 of the sky over an order, mean pair, after {Enhancement.SKY}"
    yield Row(text, f"{after:.1f}", on="4 drawn houses: 4 exposures")


def _order(drawn: Sequence[np.ndarray], step: Enhancement) -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.png" for number in range(len(drawn))]
        for path, picture in zip(paths, drawn, strict=True):
            path.write_bytes(scenes.encoded(np.asarray(picture, dtype=np.uint8), "PNG"))
        look = _look(paths)
        return [result(path, [step], look) for path in paths]


def _look(paths: Sequence[Path]) -> SharedAppearance:
    estimates = [estimate_photo_light(path).light for path in paths]
    return find_shared_appearance([each for each in estimates if each is not None])


def _agreement(done: Sequence[Result], box: tuple[float, float, float, float]) -> tuple[float, float]:
    """Mean CIEDE2000 over all pairs of the box's median color, in the photos and in the results."""
    afters = [each.before if each.after is None else each.after for each in done]
    return _apart([each.before for each in done], box), _apart(afters, box)


def _apart(pictures: Sequence[Pixels], box: tuple[float, float, float, float]) -> float:
    colors = [_middle_color(scenes.part(each, box)) for each in pictures]
    return mean(float(compute_delta_e(one, other)[0, 0]) for one, other in combinations(colors, 2))


def _middle_color(part: Pixels) -> Plane:
    return plane(np.median(srgb_to_lab(part), (0, 1), keepdims=True))
