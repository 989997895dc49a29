"""Measures a net on what is held out: `python -m training.measure NET.onnx`."""

import argparse
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.geometry.surface import PLACE, Surface
from engine.segmentation import network
from engine.segmentation.labels import FACTS, Kind, Label, labels_to_kinds, labels_to_surfaces
from training.sources import Source, facades, outlined

EVAL = Path(__file__).resolve().parents[2] / "shared" / "eval"
# What a label must cover of a photo for its overlap to be told.
LEAST = 0.004


def labels_measured(sources: Iterator[Source]) -> None:
    """Print the overlap (intersection over union) of each label over all photos, and how often facts are right."""
    both, either = np.zeros(len(Label)), np.zeros(len(Label))
    right: dict[str, list[bool]] = {fact: [] for fact in FACTS}
    floors, skies = [], []
    for source in sources:
        seen = network.run_network(source.picture)
        shares = cv2.resize(seen.labels, source.labels.shape[::-1], interpolation=cv2.INTER_LINEAR)
        known, said = source.labels < len(Label), shares.argmax(2)
        for number in range(len(Label)):
            truth, found = (source.labels == number) & known, (said == number) & known
            both[number] += (truth & found).sum()
            either[number] += (truth | found).sum()
        for fact, value in source.facts.items():
            right[fact].append(max(seen.facts[fact], key=seen.facts[fact].__getitem__) == value)
        for label, kept in ((Label.FLOOR, floors), (Label.SKY, skies)):
            number = list(Label).index(label)
            truth, found = (source.labels == number) & known, (said == number) & known
            if truth.mean() > LEAST:
                kept.append((truth & found).sum() / (truth | found).sum())
    for number, label in enumerate(Label):
        if either[number] > 2000:
            print(f"{label:14} {both[number] / either[number]:.2f}")
    print("mean", np.mean([both[n] / either[n] for n in range(len(Label)) if either[n] > 2000]).round(3))
    for fact, values in right.items():
        print(f"{fact}: {np.mean(values):.2f} of {len(values)}")
    for name, kept in (("floor", floors), ("sky", skies)):
        print(f"{name}: median {np.median(kept):.3f}, 10th {np.quantile(kept, 0.1):.3f}, {len(kept)} photos")


def sets_measured(limit: int | None) -> None:
    """Print the overlap of sky and floor with the sets of the measuring photos, by the net alone."""
    told("facades' sky", _kinds("facades", Kind.SKY, lambda mask: mask == 6, limit))
    told("sky", _kinds("sky", Kind.SKY, lambda mask: mask > 127, limit))
    told("floor", _floors(limit))


def told(name: str, overlaps: list[float]) -> None:
    """Print the figures of one set."""
    values = np.array(overlaps)
    print(f"{name}: median {np.median(values):.3f}, 10th {np.quantile(values, 0.1):.3f}, {len(values)} photos")


def _pairs(folder: str, limit: int | None) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    photos = [path for path in sorted((EVAL / folder).glob("*.jpg")) if path.with_suffix(".png").exists()][:limit]
    for path in photos:
        picture = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)
        scale = min(1.0, 768 / max(picture.shape[:2]))
        mask = cv2.imread(str(path.with_suffix(".png")), cv2.IMREAD_GRAYSCALE)
        yield cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), mask


def _kinds(folder: str, kind: Kind, where, limit: int | None) -> list[float]:
    found = []
    for picture, mask in _pairs(folder, limit):
        truth = where(mask)
        share = (
            cv2.resize(
                np.ascontiguousarray(labels_to_kinds(network.run_network(picture).labels, outside=True)[..., kind]),
                mask.shape[::-1],
            )
            > 0.5
        )
        if truth.mean() > LEAST:
            found.append(float((truth & share).sum() / (truth | share).sum()))
        elif share.mean() > 0.01:
            print("false sky", folder, share.mean().round(3))
    return found


def _floors(limit: int | None) -> list[float]:
    found = []
    for picture, mask in _pairs("floor", limit):
        surfaces = labels_to_surfaces(network.run_network(picture).labels)
        share = surfaces[..., PLACE[Surface.FLOOR]] + surfaces[..., PLACE[Surface.RUG]]
        said, known = cv2.resize(np.ascontiguousarray(share), mask.shape[::-1]) > 0.5, mask != 128
        truth = mask == 255
        if truth.mean() > LEAST:
            found.append(float((truth & said & known).sum() / ((truth | said) & known).sum()))
    return found


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", type=Path, nargs="?", default=network.WEIGHTS)
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    network.WEIGHTS = arguments.net
    sets_measured(arguments.limit)
    print("held-out rooms and outsides")
    labels_measured(outlined(held=True))
    print("held-out facades")
    labels_measured(chain(facades(held=True)))


if __name__ == "__main__":
    main()
