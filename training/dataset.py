"""What the net learns from: outlined photos, rendered scenes and drawn ones, mixed and changed by chance."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from app.engine.arrays import plane, spread_from
from app.engine.scene.kinds import INDOOR_KINDS, Kind
from training import outlines
from training.augment import (
    OUTSIDE,
    ROOM,
    Picture,
    Source,
    before,
    fogged,
    patched,
    photographed,
    repainted,
    seen,
    under,
    whitewashed,
    with_view,
)
from training.drawn import drawn_scene
from training.lamps import lamps, with_lamps
from training.skies import computed_sky, drawn_sky

STORED_SIDE = 640
SKY_SIZE = (224, 336)
# Height and width of a batch's samples: lying, upright and square pictures of about the same area.
SIZES = ((192, 288), (192, 288), (192, 288), (288, 192), (224, 224), (160, 352))
# How often each source is taken: outlined outside, outlined inside, rendered, drawn, seen in panoramas.
WEIGHTS = (0.34, 0.2, 0.27, 0.1, 0.09)
# A picture of nothing but sky cannot be told from one of a wall.
MOST_SKY = 0.8
NET_SCALE = 4
WITH_LAMPS, IN_FOG, WHITEWASHED = 0.5, 0.05, 0.15


@dataclass(frozen=True, slots=True)
class Pools:
    """All that samples are made of."""

    outside: list[Source]
    inside: list[Source]
    rendered: list[Source]
    drawn: list[Source]
    around: list[Source]
    lamps: list[Source]
    skies: list[Picture]


def outlined(held_out: frozenset[str] = frozenset()) -> list[Source]:
    """The outlined photos that are here, but for those whose file's stem is held out."""
    found = []
    for outline in outlines.outlines():
        picture = None if Path(outline.photo).stem in held_out else outlines.opened(outline)
        if picture is not None:
            found.append(_stored(picture, outlines.labels(picture, outline)))
    return found


def _stored(picture: Picture, labels: Picture) -> Source:
    """The source at STORED_SIDE at most, with the colour of its sky carried over the whole picture."""
    height, width = labels.shape
    scale = min(1.0, STORED_SIDE / max(height, width))
    size = (round(width * scale), round(height * scale))
    open_sky = (labels == int(Kind.SKY)).astype(np.uint8) * 255
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    sky = np.asarray(cv2.resize(open_sky, size, interpolation=cv2.INTER_AREA), np.uint8)
    kinds = np.asarray(cv2.resize(labels, size, interpolation=cv2.INTER_NEAREST), np.uint8)
    behind = spread_from(plane(small), plane(sky > 250), max(size) / 50)
    inside = np.isin(kinds, [int(kind) for kind in INDOOR_KINDS]).mean() > 0.2
    return Source(small, kinds, sky, behind.astype(np.uint8), bool(inside))


def rendered(folder: Path | None) -> list[Source]:
    """Every rendered scene or view (.npz: picture, labels, sky) below a folder; a view keeps its own sky."""
    found = []
    for path in sorted(folder.rglob("*.npz")) if folder else ():
        if path.name.startswith("lamp_"):
            continue
        with np.load(path) as kept:
            labels = np.asarray(kept["labels"])
            inside = np.isin(labels, [ROOM, *(int(kind) for kind in INDOOR_KINDS)]).mean() > 0.2
            own = kept["picture"] if np.isin(labels, [ROOM, OUTSIDE]).any() else None
            found.append(Source(kept["picture"], labels, kept["sky"], own, bool(inside)))
    return found


def drawn(count: int, chance: np.random.Generator) -> list[Source]:
    """Drawn scenes."""
    found = []
    for _ in range(count):
        picture, labels, sky = drawn_scene(chance)
        inside = np.isin(labels, [int(kind) for kind in INDOOR_KINDS]).mean() > 0.2
        found.append(Source(picture, labels, sky, None, bool(inside)))
    return found


def pools(
    renders: Path | None,
    held_out: frozenset[str],
    chance: np.random.Generator,
    scenes: int = 300,
    around: Path | None = None,
) -> Pools:
    """Everything there is to learn from; `scenes` are drawn anew, and as many skies."""
    photos = outlined(held_out)
    return Pools(
        [photo for photo in photos if not photo.indoors],
        [photo for photo in photos if photo.indoors],
        rendered(renders),
        drawn(scenes, chance),
        rendered(around),
        lamps(renders),
        [(drawn_sky, computed_sky)[each % 2](*SKY_SIZE, chance) for each in range(scenes)],
    )


def batches(given: Pools, size: int, chance: np.random.Generator) -> Iterator[tuple[Picture, Picture, Picture]]:
    """Endless batches: pictures N x height x width x 3 (sRGB), labels at a quarter of that, indoors (0 or 1)."""
    while True:
        shape = SIZES[chance.integers(len(SIZES))]
        samples = [sample(given, shape, chance) for _ in range(size)]
        yield (
            np.stack([each.picture for each in samples]),
            np.stack([quartered(each.labels) for each in samples]),
            np.array([each.indoors for each in samples], np.uint8),
        )


def quartered(labels: Picture) -> Picture:
    """The labels of every fourth pixel of every fourth row."""
    return labels[NET_SCALE // 2 :: NET_SCALE, NET_SCALE // 2 :: NET_SCALE]


def sample(given: Pools, size: tuple[int, int], chance: np.random.Generator) -> Source:
    """One picture to learn from, height and width as asked."""
    source = seen(_chosen(given, chance), size, chance)
    while (source.labels == int(Kind.SKY)).mean() > MOST_SKY:
        source = seen(_chosen(given, chance), size, chance)
    if not source.indoors and chance.random() < WHITEWASHED:
        source = whitewashed(source, chance)
    if source.indoors:
        source = _other_room(source, given, size, chance)
    elif source.behind is None or chance.random() < 0.75:
        source = _other_sky(source, given, size, chance)
    if given.lamps and not source.indoors and chance.random() < WITH_LAMPS:
        source = with_lamps(source, given.lamps, chance)
    if not source.indoors and chance.random() < IN_FOG:
        source = fogged(source, chance)
    return Source(photographed(source.picture, chance), source.labels, source.sky, source.behind, source.indoors)


def _chosen(given: Pools, chance: np.random.Generator) -> Source:
    groups = (given.outside, given.inside, given.rendered, given.drawn, given.around)
    weights = np.array([weight if group else 0.0 for weight, group in zip(WEIGHTS, groups, strict=True)])
    group = groups[chance.choice(len(groups), p=weights / weights.sum())]
    return group[chance.integers(len(group))]


def _other_sky(source: Source, given: Pools, size: tuple[int, int], chance: np.random.Generator) -> Source:
    """Another sky behind the source, and now and then another scene before that sky."""
    sky = _sky_of(given, size, chance)
    if chance.random() < 0.3:
        back = _chosen(given, chance)
        if not back.indoors:
            return before(source, under(seen(back, size, chance), sky))
    return under(source, sky)


def _sky_of(given: Pools, size: tuple[int, int], chance: np.random.Generator) -> Picture:
    kept = given.skies[chance.integers(len(given.skies))]
    low = chance.uniform(0.5, 1.0)
    part = kept[: max(8, int(kept.shape[0] * low))]
    wide = cv2.resize(part[:, :: int(chance.choice((-1, 1)))], (size[1], size[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide, np.uint8)


def _other_room(source: Source, given: Pools, size: tuple[int, int], chance: np.random.Generator) -> Source:
    """Another view in the windows, other paint on walls and ceiling."""
    if chance.random() < 0.4:
        back = _chosen(given, chance)
        sky = _sky_of(given, size, chance)
        view = sky if back.indoors or chance.random() < 0.4 else under(seen(back, size, chance), sky).picture
        bright = np.clip(view.astype(np.float32) * chance.uniform(0.6, 2.0), 0, 255)
        source = with_view(source, bright.astype(np.uint8))
    if chance.random() < 0.25:
        other = _chosen(given, chance)
        if other.indoors:
            source = patched(source, seen(other, size, chance), chance)
    for kind in (Kind.CEILING, Kind.WALL):
        if chance.random() < 0.3:
            source = repainted(source, kind, chance)
    return source
