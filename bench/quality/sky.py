"""Sky masks against labels: the photos of the two labeled sets, and all photos that show no sky."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from bench.quality.measures import HALF, outline_score, overlap
from bench.quality.places import LABELED, PHOTOS, pictures
from bench.quality.results import result
from bench.quality.rows import Row, skipped
from engine.arrays import Mask
from engine.io.photo import decode
from engine.segmentation.scene import make_scene
from engine.types.enhancements import Enhancement

# A label with less sky than this shows a glint of it through a window or none.
LEAST_SKY = 0.01
MOST_FALSE = 0.01
FACADE_SKY = 6
WORST = 6


@dataclass(frozen=True, slots=True)
class Score:
    """How a mask agrees with its label; `seen` is the overlap of the scene's matte, even if the step declined."""

    name: str
    truth: float
    found: float
    overlap: float
    outline: float
    seen: float


def rows() -> Iterator[Row]:
    """Overlap and outline of both labeled sets, then false sky."""
    scores: list[Score] = []
    for folder, name, least, label in (
        ("sky", "labeled photos", 0.95, _soft_label),
        ("facades", "labeled street fronts", 0.88, _class_label),
    ):
        if not (LABELED / folder).is_dir():
            yield skipped(f"sky mask, {name}", "the labeled photos are not here")
            continue
        found = [_score(path, label) for path in pictures(LABELED / folder)]
        scores += found
        yield from _agreement([each for each in found if each.truth > LEAST_SKY], name, least)
    without = [(each.name, each.found) for each in scores if each.truth <= LEAST_SKY] + _of_rooms()
    if without:
        yield _false_sky(without)


def _agreement(scores: Sequence[Score], name: str, least: float) -> Iterator[Row]:
    if not scores:
        return
    middle = median(each.overlap for each in scores)
    worst = [f"{each.overlap:.3f} {each.name}" for each in sorted(scores, key=lambda each: each.overlap)[:WORST]]
    on = f"{len(scores)} {name} with sky"
    yield Row("sky mask, median IoU", f"{middle:.3f}", f"≥ {least}", middle >= least, on, worst)
    worked = [each.overlap for each in scores if each.found > 0]
    if len(worked) < len(scores):
        on_worked = f"the {len(worked)} of them that the step did not decline"
        yield Row("sky mask, median IoU", f"{median(worked or [0]):.3f}", on=on_worked)
    yield Row("scene analysis alone, median IoU", f"{median(each.seen for each in scores):.3f}", on=on)
    yield Row("sky outline, median F", f"{median(each.outline for each in scores):.3f}", on=on)


def _false_sky(without: Sequence[tuple[str, float]]) -> Row:
    false = sorted(((share, name) for name, share in without if share > MOST_FALSE), reverse=True)
    on = f"{len(without)} photos without sky"
    names = [f"{share:.1%} {name}" for share, name in false]
    return Row("photos with over 1 % false sky", str(len(false)), "0", not false, on, names)


def _of_rooms() -> list[tuple[str, float]]:
    folders = (LABELED / "floor", PHOTOS / "interior", PHOTOS / "flambient", PHOTOS / "pairs")
    return [
        (path.stem, float((result(path, [Enhancement.SKY]).mask(Enhancement.SKY) >= HALF).mean()))
        for folder in folders
        for path in pictures(folder)
    ]


def _score(path: Path, label: Callable[[Path], Mask]) -> Score:
    truth = label(path.with_suffix(".png"))
    found = result(path, [Enhancement.SKY]).mask(Enhancement.SKY) >= HALF
    with path.open("rb") as stream:
        photo = decode(stream)
    seen = make_scene(photo).sky_matte >= HALF
    false_or_all = found & ~truth if truth.mean() <= LEAST_SKY else found
    return Score(
        path.stem,
        float(truth.mean()),
        float(false_or_all.mean()),
        overlap(found, truth),
        outline_score(found, truth),
        overlap(seen, truth),
    )


def _soft_label(path: Path) -> Mask:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) >= HALF, dtype=np.bool_)


def _class_label(path: Path) -> Mask:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_UNCHANGED) == FACADE_SKY, dtype=np.bool_)
