"""What the steps do to the rest of the picture: colors outside their masks, clipping, overshoot at roof lines."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from bench.quality.measures import color_differences, newly_clipped, outside, overshoot
from bench.quality.places import PHOTOS, pictures
from bench.quality.results import Result, result, upright
from bench.quality.rows import Row, skipped
from engine.arrays import Pixels, Plane
from engine.types.enhancements import Enhancement

HELD, MOST_MEAN, MOST_HIGH = (Enhancement.SKY, Enhancement.GRASS), 1.0, 3.0
LIGHT = (Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT)
ROOMS = (Enhancement.HDR, Enhancement.FLAMBIENT)
MOST_CLIPPED, MOST_OVERSHOOT = 0.005, 0.02


def rows() -> Iterator[Row]:
    """One line for each figure, over every handed-out photo that the step works on."""
    if not PHOTOS.is_dir():
        yield skipped("colors outside the worked region, clipping, overshoot", "the photos are not here")
        return
    clipped: list[tuple[float, str]] = []
    beyond: list[tuple[float, str]] = []
    for step in (*HELD, *LIGHT, *ROOMS):
        folder = PHOTOS / ("interior" if step in ROOMS else "exterior")
        done = [each for each in (result(path, [step]) for path in pictures(folder)) if each.after is not None]
        clipped += [(newly_clipped(each.before, _after(each)), f"{each.name} {step}") for each in done]
        if step is Enhancement.SKY:
            beyond += [(overshoot(each.before, _after(each), each.mask(step)), each.name) for each in done]
        if step in HELD:
            yield from _differences(done, step, "as delivered")
            yield from _differences(
                [_without_loss(path, step) for path in pictures(folder)], step, "before the JPEG"
            )
    yield _largest("new clipped pixels, worst photo", clipped, MOST_CLIPPED)
    yield _largest("overshoot at roof lines, worst photo", beyond, MOST_OVERSHOOT)


def _differences(done: Sequence[Result], step: Enhancement, when: str) -> Iterator[Row]:
    found = [(each.name, _outside(each, step)) for each in done if each.after is not None]
    means = sorted(((float(values.mean()), name) for name, values in found), reverse=True)
    highs = sorted(((float(np.quantile(values, 0.99)), name) for name, values in found), reverse=True)
    on = f"{len(found)} house photos, {when}"
    for what, worst, most in (("mean", means, MOST_MEAN), ("99th percentile", highs, MOST_HIGH)):
        if worst:
            names = [f"{value:.2f} {name}" for value, name in worst[:3]]
            text = f"ΔE2000 outside the mask, {what}, {step}, worst photo"
            yield Row(text, f"{worst[0][0]:.2f}", f"≤ {most:g}", worst[0][0] <= most, on, names)


def _without_loss(path: Path, step: Enhancement) -> Result:
    """The result when photo and result are PNG files, so that the step alone changes colors."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"{path.stem}.png"
        Image.fromarray(upright(path.read_bytes())).save(copy, compress_level=1)
        return result(copy, [step])


def _outside(each: Result, step: Enhancement) -> Plane:
    return color_differences(each.before, _after(each), outside(each.mask(step)))


def _after(each: Result) -> Pixels:
    return each.before if each.after is None else each.after


def _largest(what: str, found: Sequence[tuple[float, str]], most: float) -> Row:
    ordered = sorted(found, reverse=True)
    if not ordered:
        return skipped(what, "no step worked")
    names = [f"{value:.2%} {name}" for value, name in ordered[:3]]
    value = ordered[0][0]
    return Row(what, f"{value:.2%}", f"≤ {most:.1%}", value <= most, f"{len(found)} results", names)
