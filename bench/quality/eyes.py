"""What is seen on photos that nothing was learnt from, by outlines of this project (training/unseen)."""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.quality.measures import overlap
from bench.quality.rows import Row, skipped
from engine.arrays import Mask
from engine.color.profiles import ColorProfile
from engine.geometry.surface import PLACE, Surface
from engine.segmentation.labels import NUMBER, Label
from engine.segmentation.network import run_network
from engine.segmentation.scene import Scene
from training.outlines import IGNORED, MEASURED, UNSEEN, Labels, Picture, fitted, opened, painted, read

LEAST = 0.02
"""Share of a photo from which a label's overlap counts there."""
ASKED = {
    "cabinet": (Label.CABINET,), "window": (Label.WINDOW, Label.CURTAIN), "door": (Label.DOOR,),
    "sofa or bed": (Label.SOFA, Label.BED),
}  # fmt: skip
LEAST_OF_EACH, MOST_SECONDS = 0.65, 0.15
FOUND = 0.004
"""Share of a photo from which a lawn counts as one that would be worked on."""
WORST = 6
Found = tuple[float, str]


def rows() -> Iterator[Row]:
    """Sky, lawn and floor as the engine finds them, the labels as the net alone does, and how long a look takes."""
    files = sorted(UNSEEN.glob("*.txt"))
    if not (MEASURED / "houses").is_dir() or not files:
        yield skipped("sky, lawn, floor of unseen photos", "the measuring photos are not here")
        return
    scores: dict[str, list[Found]] = defaultdict(list)
    both: dict[str, int] = defaultdict(int)
    either: dict[str, int] = defaultdict(int)
    for path in files:
        outline = read(path)
        picture = fitted(opened(outline.photo))
        truth = painted(outline, picture.shape)
        scene = Scene(picture, ColorProfile(), path.stem)
        if outline.facts["place"] == "outdoors":
            _outside(scene, truth, path.stem, scores)
        else:
            scores["rooms taken for outside"].append((float(scene.outdoors), path.stem))
            _inside(scene, picture, truth, scores, both, either, path.stem)
    yield from _told(scores)
    for name in ASKED:
        value = both[name] / max(either[name], 1)
        on = "unseen rooms, all pixels together"
        yield Row(f"{name}, IoU", f"{value:.2f}", f"≥ {LEAST_OF_EACH}", value >= LEAST_OF_EACH, on)
    yield _seconds()


def _outside(scene: Scene, truth: Labels, name: str, scores: dict[str, list[Found]]) -> None:
    known = truth < IGNORED
    sky, lawn = (_at(each, truth.shape) for each in (scene.sky, scene.lawn))
    is_sky, is_lawn = truth == NUMBER[Label.SKY], truth == NUMBER[Label.LAWN]
    scores["fronts taken for rooms"].append((float(not scene.outdoors), name))
    if is_sky.mean() > LEAST:
        scores["sky"].append((overlap(sky[known], is_sky[known]), name))
    if is_lawn.mean() > LEAST:
        scores["lawn"].append((overlap(lawn[known], is_lawn[known]), name))
    elif not is_lawn.any():
        scores["no lawn"].append((float(lawn.mean() > FOUND), name))


def _inside(
    scene: Scene,
    picture: Picture,
    truth: Labels,
    scores: dict[str, list[Found]],
    both: dict[str, int],
    either: dict[str, int],
    name: str,
) -> None:
    known = truth < IGNORED
    is_floor = np.isin(truth, [NUMBER[Label.FLOOR], NUMBER[Label.RUG]])
    if is_floor.mean() > LEAST:
        share = scene.surfaces[..., [PLACE[Surface.FLOOR], PLACE[Surface.RUG]]].sum(-1)
        floor = _at(share, truth.shape)
        scores["floor"].append((overlap(floor[known], is_floor[known]), name))
    said = cv2.resize(run_network(picture).labels, truth.shape[::-1], interpolation=cv2.INTER_LINEAR).argmax(2)
    for asked, labels in ASKED.items():
        numbers = [NUMBER[label] for label in labels]
        one, other = np.isin(truth, numbers) & known, np.isin(said, numbers) & known
        both[asked] += int((one & other).sum())
        either[asked] += int((one | other).sum())


def _at(share: NDArray[np.floating], shape: tuple[int, ...]) -> Mask:
    large = cv2.resize(np.ascontiguousarray(share), (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(large > 0.5, np.bool_)


def _told(scores: dict[str, list[Found]]) -> Iterator[Row]:
    yield from _overlaps("sky", scores["sky"], 0.97, 0.85, "unseen fronts with sky")
    lost = [name for value, name in scores["sky"] if value < 0.02]
    share = len(lost) / max(len(scores["sky"]), 1)
    yield Row("plain sky declined", f"{share:.0%}", "≤ 4 %", share <= 0.04, f"{len(scores['sky'])} of them", lost)
    false = [name for value, name in scores["no lawn"] if value]
    on = f"{len(scores['no lawn'])} unseen fronts without lawn"
    yield Row("fronts without lawn that get one", str(len(false)), "0", not false, on, false)
    missed = [name for value, name in scores["lawn"] if value < 0.02]
    share = len(missed) / max(len(scores["lawn"]), 1)
    on = f"{len(scores['lawn'])} unseen fronts with lawn"
    yield Row("fronts with lawn that decline", f"{share:.0%}", "≤ 5 %", share <= 0.05, on, missed)
    yield from _overlaps("lawn", scores["lawn"], None, None, "unseen fronts with lawn")
    yield from _overlaps("floor", scores["floor"], 0.90, 0.70, "unseen rooms")
    for name in ("fronts taken for rooms", "rooms taken for outside"):
        wrong = [who for value, who in scores[name] if value]
        yield Row(name, str(len(wrong)), "", None, f"{len(scores[name])} unseen photos", wrong)


def _overlaps(what: str, found: Sequence[Found], middle: float | None, low: float | None, on: str) -> Iterator[Row]:
    if not found:
        return
    values = [value for value, _ in found]
    worst = [f"{value:.3f} {name}" for value, name in sorted(found)[:WORST]]
    on = f"{len(found)} {on}"
    for name, value, least in (
        ("median", median(values), middle),
        ("10th percentile", float(np.quantile(values, 0.1)), low),
    ):
        aim, reached = ("", None) if least is None else (f"≥ {least:.2f}", value >= least)
        yield Row(f"{what}, IoU, {name}", f"{value:.3f}", aim, reached, on, worst if name == "median" else ())


def _seconds() -> Row:
    picture = np.random.default_rng(1).integers(0, 256, (512, 768, 3), dtype=np.uint8)
    run_network(picture)
    taken = []
    for _ in range(5):
        begun = time.perf_counter()
        run_network(picture)
        taken.append(time.perf_counter() - begun)
    value = min(taken)
    aim = f"≤ {MOST_SECONDS * 1000:.0f} ms"
    return Row(
        "one look", f"{value * 1000:.0f} ms", aim, value <= MOST_SECONDS, "two cores, picture and mirror image"
    )
