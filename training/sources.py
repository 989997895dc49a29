"""What the net learns from: outlined photos, facades with their set's polygons, views of panoramas, drawn rooms."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.geometry.surface import Surface
from engine.segmentation.labels import FACTS, INDOOR_KINDS, NUMBER, Kind, Label
from training.drawn import drawn_scene
from training.outlines import FOLDER, IGNORED, SHARED, VEGETATION, Outline, fitted, opened, paint_set, painted, read
from training.render.sets import load
from training.snapping import snapped

Picture = NDArray[np.uint8]
STORED_SIDE = 1024
CACHE = Path(__file__).resolve().parents[1] / "build" / "labels"
HELD_OUT_ONE_IN = 6
# Facades stand in the order they were taken in: neighbors show one street, so that whole stretches are held out.
STRETCH, STRETCHES = 20, 5
UNKNOWN = -1

# Labels of which only a set is known, from 200 on.
GROUPS: dict[int, frozenset[Label]] = {
    200: frozenset({Label.TREE, Label.BUSH, Label.FLOWER_BED, Label.PLANT}),
    201: frozenset(set(Label) - {Label.SKY}),
    202: frozenset({
        Label.FURNITURE, Label.BED, Label.SOFA, Label.TABLE, Label.CHAIR, Label.PLANT, Label.PICTURE, Label.MIRROR,
        Label.LAMP,
    }),
    203: frozenset({Label.CABINET, Label.APPLIANCE}),
    204: frozenset({Label.CLUTTER, Label.PLANT, Label.LAMP}),
    205: frozenset({
        Label.CURTAIN, Label.LAMP, Label.FIXTURE, Label.STAIRS, Label.FIREPLACE, Label.SANITARY, Label.BACKSPLASH,
        Label.PASSAGE,
    }),
    206: frozenset({Label.WINDOW, Label.CURTAIN}),
}  # fmt: skip
NOT_SKY = 201
GROWN_AND_LYING = (
    Label.LAWN, Label.GRAVEL, Label.PAVING, Label.TREE, Label.BUSH, Label.FLOWER_BED, Label.WATER, Label.SNOW,
)  # fmt: skip
OF_KIND = {
    Kind.SKY: NUMBER[Label.SKY], Kind.LAWN: NUMBER[Label.LAWN], Kind.TREES: VEGETATION,
    Kind.BUILDING: NUMBER[Label.FACADE], Kind.GLASS: NUMBER[Label.PANE], Kind.WATER: NUMBER[Label.WATER],
    Kind.GROUND: NUMBER[Label.PAVING], Kind.WINDOW: 206, Kind.WALL: NUMBER[Label.WALL],
    Kind.CEILING: NUMBER[Label.CEILING], Kind.FLOOR: NUMBER[Label.FLOOR], Kind.LAMP: NUMBER[Label.LAMP],
}  # fmt: skip
"""What the kinds of drawn scenes are; things may be anything."""
OF_SURFACE = {
    Surface.FLOOR: NUMBER[Label.FLOOR], Surface.WALL: NUMBER[Label.WALL], Surface.CEILING: NUMBER[Label.CEILING],
    Surface.WINDOW: 206, Surface.DOOR: NUMBER[Label.DOOR], Surface.FURNITURE: 202, Surface.CABINET: 203,
    Surface.COUNTERTOP: NUMBER[Label.WORKTOP], Surface.RUG: NUMBER[Label.RUG], Surface.CLUTTER: 204,
    Surface.OTHER: 205,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A picture to learn from: height x width x 3 sRGB bytes, its labels, groups or IGNORED and known facts."""

    name: str
    picture: Picture
    labels: Picture
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def indoors(self) -> bool:
        """Whether it shows a room."""
        return self.facts.get("place") == "indoors"


def held_out(photo: str) -> bool:
    """Whether a photo (its path below the training photos) is never learnt from; the same on every machine."""
    if photo.startswith("facades/"):
        return _facades()[Path(photo).stem] // STRETCH % STRETCHES == 2
    return hashlib.sha256(photo.encode()).digest()[0] % HELD_OUT_ONE_IN == 0


def _facades() -> dict[str, int]:
    return {path.stem: place for place, path in enumerate(sorted((SHARED / "facades" / "images").glob("*.jpg")))}


def outlined(held: bool) -> Iterator[Source]:
    """The outlined photos, those held out or the others; panoramas are not among them."""
    for path in sorted(FOLDER.glob("*.txt")):
        outline = read(path)
        if not outline.photo.startswith("panoramas/") and held_out(outline.photo) == held:
            yield _source(outline)


def _source(outline: Outline) -> Source:
    picture = fitted(opened(outline.photo))
    return _stored(outline.photo, picture, _labels(picture, outline), outline.facts)


def _labels(picture: Picture, outline: Outline) -> Picture:
    """The outline's labels, snapped once: that takes longest."""
    drawn = painted(outline, picture.shape)
    kept = CACHE / f"{hashlib.sha256(drawn.tobytes() + outline.photo.encode()).hexdigest()[:24]}.png"
    if kept.exists():
        return np.asarray(cv2.imread(str(kept), cv2.IMREAD_GRAYSCALE), np.uint8)
    labels = snapped(picture, drawn)
    CACHE.mkdir(parents=True, exist_ok=True)
    half = kept.with_suffix(".part.png")
    cv2.imwrite(str(half), labels)
    half.replace(kept)
    return labels


def facades(held: bool) -> Iterator[Source]:
    """Facades that nobody outlined further: above what the set names is sky, below it anything but sky."""
    done = {path.stem for path in FOLDER.glob("*.txt")}
    for stem, place in _facades().items():
        photo = f"facades/images/{stem}.jpg"
        at_border = place % STRETCH in (0, STRETCH - 1)
        if stem in done or held_out(photo) != held or (at_border and not held):
            continue
        picture = opened(photo)
        labels = np.full(picture.shape[:2], IGNORED, np.uint8)
        paint_set(labels, photo)
        yield _stored(
            photo, picture, _with_sky(labels), {"place": "outdoors", "furnished": "furnished", "room": "outside"}
        )


def _with_sky(labels: Picture) -> Picture:
    """What the set left unnamed: sky in the part that reaches the top, unless it reaches the bottom too."""
    _, parts = cv2.connectedComponents((labels == IGNORED).astype(np.uint8), connectivity=4)
    at_top, at_bottom = set(np.unique(parts[0])) - {0}, set(np.unique(parts[-1])) - {0}
    sky = np.isin(parts, list(at_top - at_bottom))
    result = labels.copy()
    result[(labels == IGNORED) & ~np.isin(parts, list(at_top))] = NOT_SKY
    result[sky] = NUMBER[Label.SKY]
    edge = cv2.morphologyEx(sky.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)) > 0
    result[edge & (result == NOT_SKY)] = IGNORED
    return result


def _stored(name: str, picture: Picture, labels: Picture, facts: dict[str, str]) -> Source:
    scale = min(1.0, STORED_SIDE / max(labels.shape))
    size = (round(labels.shape[1] * scale), round(labels.shape[0] * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return Source(
        name, np.asarray(small, np.uint8), cv2.resize(labels, size, interpolation=cv2.INTER_NEAREST), facts
    )


def views(each: int, chance: np.random.Generator) -> Iterator[Source]:
    """Views of the outlined panoramas, `each` of every one, as a camera in their middle sees them."""
    for path in sorted(FOLDER.glob("*.txt")):
        outline = read(path)
        if not outline.photo.startswith("panoramas/"):
            continue
        picture = fitted(opened(outline.photo))
        labels = _labels(picture, outline)
        for number in range(each):
            yield _view(f"{path.stem}_{number}", picture, labels, outline.facts, chance)


def _view(
    name: str, picture: Picture, labels: Picture, facts: dict[str, str], chance: np.random.Generator
) -> Source:
    height, width = (360, 480) if chance.random() < 0.75 else (480, 360)
    wide = np.tan(np.deg2rad(chance.uniform(70, 105)) / 2)
    across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height) * height / width)
    pitch, yaw = np.deg2rad(chance.normal(3, 8)), chance.uniform(0, 2 * np.pi)
    right, below, ahead = across * wide, down * wide, np.ones_like(across)
    below, ahead = below * np.cos(pitch) + ahead * np.sin(pitch), ahead * np.cos(pitch) - below * np.sin(pitch)
    columns = ((np.arctan2(right, ahead) + yaw) / (2 * np.pi) % 1 * picture.shape[1]).astype(np.float32)
    rows = ((0.5 + np.arctan2(below, np.hypot(right, ahead)) / np.pi) * (picture.shape[0] - 1)).astype(np.float32)
    seen = cv2.remap(picture, columns, rows, cv2.INTER_CUBIC, borderMode=cv2.BORDER_WRAP)
    kinds = cv2.remap(labels, columns, rows, cv2.INTER_NEAREST, borderMode=cv2.BORDER_WRAP)
    known = {fact: value for fact, value in facts.items() if fact in ("place", "time")}
    return Source(name, np.asarray(seen, np.uint8), np.asarray(kinds, np.uint8), known)


def made_rooms(folder: Path) -> Iterator[Source]:
    """Rooms drawn without tracing light (`python -m training.quick_rooms`)."""
    table = np.full(256, IGNORED, np.uint8)
    for place, surface in enumerate(Surface):
        table[place] = OF_SURFACE[surface]
    for path in sorted(folder.glob("*.npz")):
        made = load(path)
        if made.surfaces is not None:
            yield Source(path.stem, made.picture, table[made.surfaces], {"place": "indoors"})


def made_houses(folder: Path) -> Iterator[Source]:
    """Houses drawn without tracing light (`python -m training.quick_houses`).

    They teach what is built. What lies and grows before them is only said to be no sky: drawn soil and bushes made
    the net take real lawns for both.
    """
    table = np.arange(256, dtype=np.uint8)
    table[[NUMBER[label] for label in GROWN_AND_LYING]] = NOT_SKY
    for path in sorted(folder.glob("house_*.npz")):
        made = np.load(path)
        facts = {
            "place": "outdoors",
            "time": "day",
            "sky": str(made["sky"]),
            "furnished": "furnished",
            "room": "outside",
        }
        yield Source(path.stem, made["picture"], table[made["labels"]], facts)


def drawn_scenes(count: int, skies: list[Picture], chance: np.random.Generator) -> Iterator[Source]:
    """Flat scenes drawn by chance under one of the skies: streets, gardens, rooms, at times nothing at all."""
    table = np.full(256, IGNORED, np.uint8)
    for kind, number in OF_KIND.items():
        table[int(kind)] = number
    for number in range(count):
        picture, kinds, cover = drawn_scene(chance)
        sky = skies[chance.integers(len(skies))]
        behind = cv2.resize(sky, kinds.shape[::-1], interpolation=cv2.INTER_LINEAR).astype(np.float32)
        share = cover[..., None].astype(np.float32) / 255
        mixed = picture * (1 - share) + behind * share
        indoors = np.isin(kinds, [int(kind) for kind in INDOOR_KINDS]).mean() > 0.2
        place = {"place": "indoors" if indoors else "outdoors"}
        yield Source(f"drawn_{number}", mixed.astype(np.uint8), table[kinds], place)


def fact_numbers(facts: dict[str, str]) -> NDArray[np.int64]:
    """Each fact's value as its place in FACTS, UNKNOWN where it was not said."""
    return np.array([values.index(facts[name]) if name in facts else UNKNOWN for name, values in FACTS.items()])
