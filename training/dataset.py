"""Samples of the sources, changed by chance: seen from elsewhere, on other ground, under another sky."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import NUMBER, Label
from training.augment import photographed
from training.outlines import IGNORED
from training.skies import computed_sky, drawn_sky
from training.sources import GROUPS, Source, fact_numbers

Picture = NDArray[np.uint8]
Random = np.random.Generator
# Height and width of a batch's samples.
SIZES = ((384, 512), (384, 512), (512, 384), (448, 448), (480, 640))
SCALE = 4
OTHER_GROUND, OTHER_SKY, PASTED, WHITEWASHED, DRIED = 0.3, 0.35, 0.25, 0.2, 0.25
SKIES, SKY_SIZE, COMPUTED = 120, (224, 336), 30
GROUND = (Label.LAWN, Label.GRAVEL, Label.PAVING, Label.SNOW)
# A label that so many sources show is not rare; one shows it from this share of it on; how much more often at most.
OFTEN, SHOWN, MORE = 80, 0.012, 5.0
# How often ground becomes each kind.
LIKELY_GROUND = {"lawn": 0.45, "gravel": 0.25, "paving": 0.25, "snow": 0.05}
# Turf that lacks water: straw, tan, brown, olive, as sRGB bytes.
DRY = ((205, 182, 128), (186, 158, 112), (150, 122, 84), (166, 156, 92))
PASTABLE = (
    Label.BED, Label.SOFA, Label.TABLE, Label.CHAIR, Label.FURNITURE, Label.PLANT, Label.APPLIANCE, Label.CABINET,
    Label.LAMP, Label.CAR, Label.BIN, Label.BUSH, Label.PERSON, Label.CLUTTER, Label.FIREPLACE, Label.MIRROR,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pools:
    """All that samples are made of; `shares` say how often each group of sources is taken.

    Within a group a source that shows what few do is taken more often.
    """

    groups: tuple[list[Source], ...]
    shares: tuple[float, ...]
    skies: list[Picture]
    ground: dict[str, list[Picture]]
    often: tuple[NDArray[np.float64], ...] = ()

    def __post_init__(self) -> None:
        """How often each source is taken within its group follows from what all show."""
        object.__setattr__(self, "often", tuple(how_often(group) for group in self.groups))


def how_often(group: list[Source]) -> NDArray[np.float64]:
    """The chance of each source: more for one that shows a label few sources of its group show."""
    present = np.array(
        [np.bincount(each.labels.ravel(), minlength=256) > SHOWN * each.labels.size for each in group]
    )
    if not len(group):
        return np.zeros(0)
    count = present[:, : len(Label)].sum(0)
    rare = np.clip(1 - count / min(OFTEN, len(group)), 0, 1)
    likely = 1 + MORE * (present[:, : len(Label)] * rare).max(1)
    return np.asarray(likely / likely.sum())


def skies(chance: Random) -> list[Picture]:
    """Skies drawn and computed by chance."""
    computed = [computed_sky(*SKY_SIZE, chance) for _ in range(COMPUTED)]
    return computed + [drawn_sky(*SKY_SIZE, chance) for _ in range(SKIES)]


def ground(folder: Path | None) -> dict[str, list[Picture]]:
    """CC0 textures of ground: `folder` holds folders `lawn`, `gravel`, `paving` and `snow` of PNG or JPEG."""
    found: dict[str, list[Picture]] = {}
    for kind in LIKELY_GROUND if folder else ():
        paths = sorted((folder / kind).glob("*.*")) if folder else []
        found[kind] = [cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB) for path in paths]
    return {kind: textures for kind, textures in found.items() if textures}


def batches(given: Pools, size: int, chance: Random) -> Iterator[tuple[Picture, Picture, NDArray[np.int64]]]:
    """Endless batches: pictures, labels at 1/SCALE, facts."""
    while True:
        shape = SIZES[chance.integers(len(SIZES))]
        made = [sample(given, shape, chance) for _ in range(size)]
        labels = np.stack([each.labels[SCALE // 2 :: SCALE, SCALE // 2 :: SCALE] for each in made])
        yield (
            np.stack([each.picture for each in made]),
            labels,
            np.stack([fact_numbers(each.facts) for each in made]),
        )


def sample(given: Pools, size: tuple[int, int], chance: Random) -> Source:
    """One picture to learn from, height and width as asked."""
    source = moved(_chosen(given, chance), size, chance)
    facts = dict(source.facts)
    if not source.indoors and given.ground and chance.random() < OTHER_GROUND:
        source = on_other_ground(source, given.ground, chance)
    if not source.indoors and chance.random() < DRIED:
        source = dried(source, given.ground.get("gravel", []), chance)
    if not source.indoors and chance.random() < OTHER_SKY:
        before = source
        source = under_other_sky(source, given.skies, chance)
        if source is not before:
            # Nobody knows any more when it was taken, and under what sky.
            facts = {name: value for name, value in facts.items() if name not in ("time", "sky")}
    if not source.indoors and chance.random() < WHITEWASHED:
        source = whitewashed(source, chance)
    if chance.random() < PASTED:
        other = _chosen(given, chance)
        if other.indoors == source.indoors:
            source = with_things(source, moved(other, size, chance), chance)
    return Source(source.name, photographed(source.picture, chance), source.labels, facts)


def _chosen(given: Pools, chance: Random) -> Source:
    shares = np.array([share if group else 0.0 for group, share in zip(given.groups, given.shares, strict=True)])
    number = chance.choice(len(shares), p=shares / shares.sum())
    often = given.often[number]
    return given.groups[number][chance.choice(len(often), p=often)]


def moved(source: Source, size: tuple[int, int], chance: Random) -> Source:
    """A part of the source, turned, mirrored and scaled by chance to `size` (height, width).

    Past the border of the photo nothing is known.
    """
    height, width = source.labels.shape
    share = chance.uniform(0.45, 1.08)
    part = np.array([size[1] * chance.uniform(0.85, 1.18), size[0]], np.float32)
    # At times the whole photo with a margin, as it is looked at in use.
    part *= (max if chance.random() < 0.35 else min)(width / part[0], height / part[1]) * share
    start = chance.uniform(0, 1, 2) * (np.array([width, height]) - part)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * part + start
    corners += chance.normal(0, 0.015, (4, 2)) * part
    turn = np.deg2rad(chance.normal(0, 2.0))
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = (corners - corners.mean(0)) @ rotation.T + corners.mean(0)
    target = np.array([[0, 0], [size[1], 0], [size[1], size[0]], [0, size[0]]], np.float32)
    if chance.random() < 0.5:
        target[:, 0] = size[1] - target[:, 0]
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    picture, reduced = source.picture, float(part[0] / size[1])
    if reduced > 1.2:
        picture = cv2.GaussianBlur(picture, (0, 0), 0.45 * reduced)
    wide = (size[1], size[0])
    seen = cv2.warpPerspective(picture, matrix, wide, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    labels = cv2.warpPerspective(
        source.labels, matrix, wide, flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=(IGNORED,)
    )
    return Source(source.name, np.asarray(seen, np.uint8), np.asarray(labels, np.uint8), source.facts)


def on_other_ground(source: Source, textures: dict[str, list[Picture]], chance: Random) -> Source:
    """The ground of one kind paved, sown or strewn anew, its light and shade kept."""
    present = [kind for kind in GROUND if (source.labels == NUMBER[kind]).mean() > 0.02]
    if not present:
        return source
    where = source.labels == NUMBER[present[chance.integers(len(present))]]
    kinds = [kind for kind in LIKELY_GROUND if kind in textures]
    likely = np.array([LIKELY_GROUND[kind] for kind in kinds])
    kind = kinds[chance.choice(len(kinds), p=likely / likely.sum())]
    texture = textures[kind][chance.integers(len(textures[kind]))].astype(np.float32)
    laid = _laid(where, texture, chance)
    gray = cv2.GaussianBlur(
        cv2.cvtColor(source.picture, cv2.COLOR_RGB2GRAY).astype(np.float32), (0, 0), chance.uniform(1.5, 6)
    )
    shade = (gray / max(float(np.median(gray[where])), 12)) ** chance.uniform(0.6, 1.0)
    level = chance.uniform(0.7, 1.3) * max(float(np.median(gray[where])), 30) / 110
    laid = laid * (shade * level)[..., None]
    share = cv2.GaussianBlur(where.astype(np.float32), (0, 0), 0.8)[..., None]
    picture = source.picture + (laid - source.picture) * share
    labels = source.labels.copy()
    labels[where] = NUMBER[Label(kind)]
    return Source(source.name, np.clip(picture, 0, 255).astype(np.uint8), labels, source.facts)


def _laid(where: NDArray[np.bool_], texture: NDArray[np.float32], chance: Random) -> NDArray[np.float32]:
    """The texture on the ground, which lies `where`, a plane under a level camera."""
    # The horizon stands a little above the highest ground.
    height, width = where.shape
    horizon = np.flatnonzero(where.any(1))[0] - chance.uniform(0.02, 0.25) * height
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    depth = 1 / np.maximum(rows - horizon, 1)
    meters = chance.uniform(1.2, 4) * texture.shape[0] * chance.uniform(0.3, 1.2)
    across, along = (columns - width / 2) * depth * meters, depth * height * meters * chance.uniform(0.6, 1.2)
    laid = cv2.remap(
        texture,
        np.mod(across, texture.shape[1] - 1).astype(np.float32),
        np.mod(along, texture.shape[0] - 1).astype(np.float32),
        cv2.INTER_LINEAR,
    )  # fmt: skip
    # Far away the texture is finer than a pixel: its mean.
    fine = np.clip(depth[..., None] * meters * 0.5, 0, 1)
    mean = texture.mean((0, 1)) * (1 + 0.12 * (_patches(where.shape, chance)[..., None] - 0.5))
    return np.asarray(laid + (mean - laid) * fine, np.float32)


def dried(source: Source, soils: list[Picture], chance: Random) -> Source:
    """The lawn dry: brown all over or in patches, at times so thin that soil shows; it stays a lawn."""
    where = source.labels == NUMBER[Label.LAWN]
    if where.mean() < 0.01:
        return source
    picture = source.picture.astype(np.float32)
    gray = cv2.cvtColor(source.picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    middle = max(float(np.median(gray[where])), 20)
    shade = np.clip(gray / middle, 0, 4)[..., None] ** chance.uniform(0.6, 1.1)
    level = np.clip(middle * chance.uniform(1.0, 1.7), 60, 210)
    first, second = (
        np.array(DRY[chance.integers(len(DRY))], np.float32) * chance.normal(1, 0.05, 3) for _ in range(2)
    )
    mixed = first + (second - first) * _patches(where.shape, chance)[..., None]
    dry = mixed / mixed.mean() * level * shade
    if soils and chance.random() < 0.35:
        soil = _laid(where, soils[chance.integers(len(soils))].astype(np.float32), chance)
        bare = _torn(where.shape, chance.uniform(0.15, 0.6), chance)
        dry += (
            (soil / max(float(soil[where].mean()), 1) * level * shade**0.5 - dry) * bare * chance.uniform(0.5, 0.9)
        )
    part = (
        np.float32(chance.uniform(0.75, 1))
        if chance.random() < 0.4
        else _torn(where.shape, chance.uniform(0.3, 0.9), chance)
    )
    share = cv2.GaussianBlur(where.astype(np.float32), (0, 0), 0.8)[..., None] * part
    return Source(
        source.name,
        np.clip(picture + (dry - picture) * share, 0, 255).astype(np.uint8),
        source.labels,
        source.facts,
    )


def _torn(shape: tuple[int, ...], much: float, chance: Random) -> NDArray[np.float32]:
    """Patches with frayed edges over about so much of a picture, 0-1, height x width x 1."""
    rough = sum(
        cv2.resize(
            chance.random((2 * side, 3 * side)).astype(np.float32), shape[1::-1], interpolation=cv2.INTER_CUBIC
        )
        * weight
        for side, weight in ((3, 1.0), (10, 0.6), (40, 0.5))
    )
    limit = float(np.quantile(rough[::8, ::8], 1 - much))
    return np.asarray(np.clip((rough - limit) * chance.uniform(2, 8) + 0.5, 0, 1), np.float32)[..., None]


def _patches(shape: tuple[int, ...], chance: Random) -> NDArray[np.float32]:
    small = chance.random((6, 8)).astype(np.float32)
    return np.asarray(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def under_other_sky(source: Source, skies: list[Picture], chance: Random) -> Source:
    """Another sky behind the source, where its own was named and it is light enough for one."""
    where = (source.labels == NUMBER[Label.SKY]).astype(np.float32)
    if not 0.03 < where.mean() < 0.8:
        return source
    sky = skies[chance.integers(len(skies))]
    sky = sky[: max(8, int(len(sky) * chance.uniform(0.5, 1.0)))][:, :: int(chance.choice((-1, 1)))]
    wide = cv2.resize(np.ascontiguousarray(sky), source.labels.shape[::-1], interpolation=cv2.INTER_LINEAR)
    share = cv2.GaussianBlur(cv2.erode(where, np.ones((3, 3))), (0, 0), 0.7)[..., None]
    picture = source.picture + (wide.astype(np.float32) - source.picture) * share
    return Source(source.name, np.clip(picture, 0, 255).astype(np.uint8), source.labels, source.facts)


def whitewashed(source: Source, chance: Random) -> Source:
    """The houses white, their light and shade kept: white walls under white skies are the hardest to tell apart."""
    where = source.labels == NUMBER[Label.FACADE]
    if where.mean() < 0.02:
        return source
    share = cv2.GaussianBlur(where.astype(np.float32), (0, 0), 0.8)[..., None]
    gray = cv2.cvtColor(source.picture, cv2.COLOR_RGB2GRAY)[..., None].astype(np.float32)
    white = chance.uniform(195, 260) * (gray / max(float(np.median(gray[where])), 8)) ** chance.uniform(0.3, 0.9)
    picture = source.picture + (white * chance.normal(1, 0.02, 3) - source.picture) * share
    return Source(source.name, np.clip(picture, 0, 255).astype(np.uint8), source.labels, source.facts)


def with_things(source: Source, other: Source, chance: Random) -> Source:
    """A thing of another picture of the same size pasted in, smaller or as large, anywhere."""
    labels = [NUMBER[label] for label in PASTABLE if (other.labels == NUMBER[label]).sum() > 400]
    if not labels:
        return source
    where = (other.labels == labels[chance.integers(len(labels))]).astype(np.uint8)
    scale, height, width = chance.uniform(0.5, 1.0), *where.shape
    shift = chance.uniform(-0.3, 0.3, 2) * (width, height)
    matrix = np.array(
        [[scale, 0, shift[0] + (1 - scale) * width / 2], [0, scale, shift[1] + (1 - scale) * height / 2]]
    )
    wide = (width, height)
    mask = cv2.warpAffine(where, matrix, wide, flags=cv2.INTER_NEAREST)
    thing = cv2.warpAffine(other.picture, matrix, wide, flags=cv2.INTER_AREA)
    numbers = cv2.warpAffine(other.labels, matrix, wide, flags=cv2.INTER_NEAREST)
    share = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 0.8)[..., None]
    picture = source.picture + (thing.astype(np.float32) - source.picture) * share
    mixed = np.where(mask > 0, numbers, source.labels).astype(np.uint8)
    return Source(source.name, np.clip(picture, 0, 255).astype(np.uint8), mixed, source.facts)


def group_masks() -> dict[int, list[int]]:
    """The numbers of the labels that each group stands for."""
    return {number: sorted(NUMBER[label] for label in labels) for number, labels in GROUPS.items()}
