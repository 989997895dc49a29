"""What the net of rooms learns from: outlined photos, rendered rooms and quickly drawn ones, changed by chance."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from app.engine.room.surface import PLACE, Surface
from app.engine.scene.kinds import Kind
from training import outlines
from training.augment import IGNORED, Picture, Source, patched, photographed, repainted, seen, with_view
from training.dataset import SIZES, STORED_SIDE, quartered

LARGER = (*SIZES, (288, 448), (448, 288), (288, 448), (256, 480))
"""Height and width of what is learnt from; the larger ones, as the net is used, teach where edges are."""
WEIGHTS = (0.4, 0.6)
"""How often outlined photos and made rooms are taken."""


@dataclass(frozen=True, slots=True)
class RoomPools:
    """All that samples are made of; labels are numbers of surfaces."""

    photos: list[Source]
    made: list[Source]


def room_pools(folders: list[Path], held_out: frozenset[str] = frozenset()) -> RoomPools:
    """The outlined photos of rooms that are here, and every made room (.npz with surfaces) below the folders."""
    return RoomPools(list(_photos(held_out)), [each for folder in folders for each in _made(folder)])


def _photos(held_out: frozenset[str]) -> Iterator[Source]:
    for outline in outlines.outlines():
        picture = None if Path(outline.photo).stem in held_out else outlines.opened(outline)
        if picture is None:
            continue
        if outline.parts:
            yield _stored(picture, outlines.surfaces(picture, outline))


def _stored(picture: Picture, labels: Picture) -> Source:
    height, width = labels.shape
    scale = min(1.0, STORED_SIDE / max(height, width))
    size = (round(width * scale), round(height * scale))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    named = np.asarray(cv2.resize(labels, size, interpolation=cv2.INTER_NEAREST), np.uint8)
    return Source(small, named, np.zeros_like(named), None, True)


def _made(folder: Path) -> Iterator[Source]:
    for path in sorted(folder.rglob("*.npz")):
        with np.load(path) as kept:
            if "surfaces" in kept:
                named = np.asarray(kept["surfaces"])
                yield Source(np.asarray(kept["picture"]), named, np.zeros_like(named), None, True)


def room_batches(given: RoomPools, size: int, chance: np.random.Generator) -> Iterator[tuple[Picture, ...]]:
    """Endless batches: pictures N x height x width x 3 (sRGB), labels at a quarter of that, and ones."""
    while True:
        shape = LARGER[chance.integers(len(LARGER))]
        samples = [room_sample(given, shape, chance) for _ in range(size)]
        yield (
            np.stack([each.picture for each in samples]),
            np.stack([quartered(each.labels) for each in samples]),
            np.ones(size, np.uint8),
        )


def room_sample(given: RoomPools, size: tuple[int, int], chance: np.random.Generator) -> Source:
    """One picture to learn from, height and width as asked: another view, other paint, another camera."""
    source = seen(_chosen(given, chance), size, chance)
    if chance.random() < 0.3:
        view = seen(_chosen(given, chance), size, chance).picture
        bright = np.clip(view.astype(np.float32) * chance.uniform(0.8, 2.5), 0, 255).astype(np.uint8)
        source = replace(with_view(_windows_as_kinds(source), bright), labels=source.labels)
    if chance.random() < 0.2:
        source = patched(source, seen(_chosen(given, chance), size, chance), chance)
    for surface in (Surface.CEILING, Surface.WALL, Surface.FLOOR):
        if chance.random() < 0.25:
            source = repainted(source, PLACE[surface], chance)
    return replace(source, picture=photographed(source.picture, chance))


def _windows_as_kinds(source: Source) -> Source:
    kinds = np.where(source.labels == PLACE[Surface.WINDOW], int(Kind.WINDOW), IGNORED).astype(np.uint8)
    return replace(source, labels=kinds)


def _chosen(given: RoomPools, chance: np.random.Generator) -> Source:
    groups = (given.photos, given.made)
    weights = np.array([weight if group else 0.0 for weight, group in zip(WEIGHTS, groups, strict=True)])
    group = groups[chance.choice(len(groups), p=weights / weights.sum())]
    return group[chance.integers(len(group))]
