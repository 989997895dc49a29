"""Puts rendered lamps on the walls of houses in photos, and other small things there that are none."""

from pathlib import Path

import cv2
import numpy as np

from app.engine.scene.kinds import Kind
from training.augment import Picture, Source

# Heights of what is put on a wall, in pixels of a sample; lamps are small in a photo of a whole house.
HEIGHTS, MOST = (4.0, 34.0), 3
LABELLED = 128


def lamps(folder: Path | None) -> list[Source]:
    """Every rendered lamp (.npz of `--sort lamp`) below a folder, cut to its own box."""
    found = []
    for path in sorted(folder.rglob("lamp_*.npz")) if folder else ():
        with np.load(path) as kept:
            rows, columns = np.nonzero(kept["sky"] < LABELLED)
            if not len(rows):
                continue
            box = (slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1))
            found.append(Source(kept["picture"][box], kept["labels"][box], kept["sky"][box], None, False))
    return found


def with_lamps(source: Source, known: list[Source], chance: np.random.Generator) -> Source:
    """The source with up to MOST lamps, or plain boxes that are none, on its walls."""
    rows, columns = np.nonzero(source.labels == int(Kind.BUILDING))
    if not len(rows):
        return source
    picture, labels = source.picture.copy(), source.labels.copy()
    tall = np.exp(chance.uniform(*np.log(HEIGHTS)))
    for _ in range(int(chance.integers(1, MOST + 1))):
        place = chance.integers(len(rows))
        thing = known[chance.integers(len(known))] if chance.random() < 0.7 else _box(chance)
        _put(picture, labels, (int(rows[place]), int(columns[place])), _sized(thing, tall, chance))
    return Source(picture, labels, source.sky, source.behind, source.indoors)


def _box(chance: np.random.Generator) -> Source:
    """A letter box, a number, a vent, a box of wires: flat and of one colour, seldom with a rim."""
    height, width = chance.integers(12, 40, 2)
    colour = np.full(3, chance.choice((25, 60, 120, 190, 235))) + chance.normal(0, 12, 3)
    flat = np.clip(np.tile(colour, (height, width, 1)), 0, 255).astype(np.uint8)
    if chance.random() < 0.4:
        cv2.rectangle(flat, (0, 0), (int(width) - 1, int(height) - 1), tuple(int(each) for each in colour // 2), 2)
    none = np.zeros((height, width), np.uint8)
    return Source(flat, np.full_like(none, int(Kind.BUILDING)), none, None, False)


def _sized(thing: Source, tall: float, chance: np.random.Generator) -> Source:
    height, width = thing.labels.shape
    scale = tall * chance.uniform(0.85, 1.15) / height
    size = (max(2, round(width * scale)), max(3, round(height * scale)))
    flip = int(chance.choice((-1, 1)))
    smaller = [
        cv2.resize(each[:, ::flip], size, interpolation=cv2.INTER_AREA) for each in (thing.picture, thing.sky)
    ]
    labels = cv2.resize(thing.labels[:, ::flip], size, interpolation=cv2.INTER_NEAREST)
    return Source(
        np.asarray(smaller[0], np.uint8),
        np.asarray(labels, np.uint8),
        np.asarray(smaller[1], np.uint8),
        None,
        False,
    )


def _put(picture: Picture, labels: Picture, middle: tuple[int, int], thing: Source) -> None:
    """Mix the thing in where it lies whole in the picture, as bright as its place."""
    height, width = thing.labels.shape
    top, left = middle[0] - height // 2, middle[1] - width // 2
    if min(top, left) < 0 or top + height > picture.shape[0] or left + width > picture.shape[1]:
        return
    place = (slice(top, top + height), slice(left, left + width))
    share = 1 - thing.sky[..., None].astype(np.float32) / 255
    # A lamp in the shade of a porch is as dark as the porch; walls are seldom as light as what hangs on them.
    gain = np.clip(picture[place].mean() / 130, 0.35, 1.3)
    mixed = picture[place] * (1 - share) + np.clip(thing.picture * gain, 0, 255) * share
    picture[place] = mixed.astype(np.uint8)
    covered = share[..., 0] > 0.5
    labels[place] = np.where(
        covered, np.where(thing.labels == int(Kind.LAMP), Kind.LAMP, Kind.BUILDING), labels[place]
    )
