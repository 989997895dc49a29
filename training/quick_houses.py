"""Single houses by day, drawn without tracing light: `python -m training.quick_houses OUT --scenes 220 --seed 1`.

Flat parts (walls with their openings, slopes of roofs, ground) are drawn upright, warped as a camera sees them and
lit by sun and sky; trees, bushes and many panes are cut from photos that may train. Labels are exact.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import NUMBER, Label
from training import house_blocks as blocks
from training.house_blocks import Block, Finish
from training.house_garden import around, ground_of
from training.house_parts import style
from training.house_plants import Cut, cuts, of_facades
from training.house_skins import Map, Skins, cladding, dapple, load, roofing
from training.house_view import FAR, Eye, Light, View, lay, looks
from training.skies import drawn_sky
from training.sources import Source

Random = np.random.Generator
WIDTH, HEIGHT, FINER = 576, 432, 2
PANES, SKY_SIZE = 260, (224, 336)
# Places in skies.WEATHERS and what the fact "sky" says of each.
CLEAR, GRAY = (
    ((0, "clear"), (1, "clear"), (2, "cloudy"), (7, "cloudy")),
    ((3, "blown"), (4, "overcast"), (5, "overcast")),
)


@dataclass(frozen=True, slots=True)
class Stock:
    """What houses are made of: textures, things cut from photos, and real panes."""

    skins: Skins
    cuts: dict[Label, list[Cut]]
    panes: list[Map]


def stock(skins: Path | None, ground: Path | None, photos: bool = True) -> Stock:
    """All that is at hand; without photos everything is drawn."""
    if not photos:
        return Stock(load(skins, ground), {}, [])
    things = cuts()
    panes, cars = of_facades(PANES, np.random.default_rng(5))
    things[Label.CAR] += cars
    return Stock(load(skins, ground), things, panes)


def drawn_house(given: Stock, chance: Random, finer: float = 1.0) -> Source:
    """A house with its garden, its labels and facts."""
    width, height = round(WIDTH * finer), round(HEIGHT * finer)
    if chance.random() < 0.1:
        width, height = height, width
    sunny = chance.random() < 0.68
    weather, sky = (CLEAR if sunny else GRAY)[chance.integers(4 if sunny else 3)]
    light = _light(sunny, chance)
    house = plan(chance)
    eye = _eye(house, (width * FINER, height * FINER), chance)
    view = _empty(eye, weather, chance)
    finish = _finish(given, light, sunny, chance)
    _put(view, house, finish, given, chance)
    made = ground_of(house, light, looks(given.skins, chance), eye.place, chance)
    lay(view, made, light)
    around(view, house, given.cuts, light, chance)
    return Source("house", _developed(view, chance), view.labels[::FINER, ::FINER].copy(), {
        "place": "outdoors", "time": "day", "sky": sky, "room": "outside", "furnished": "furnished",
    })  # fmt: skip


def plan(chance: Random) -> list[Block]:
    """The blocks of a house, the main one first; its front stands at y = 0, its middle at x = 0."""
    wide, deep = chance.uniform(7, 15), chance.uniform(6.5, 10)
    stories = int(chance.choice((1, 2), p=(0.62, 0.38)))
    height = stories * 2.8 + chance.uniform(-0.2, 0.3)
    roof = str(chance.choice(("ridge", "hip", "gable", "flat"), p=(0.4, 0.32, 0.18, 0.1)))
    pitch = chance.uniform(0.22, 0.75) if wide < 11 or roof != "gable" else chance.uniform(0.2, 0.4)
    house = [Block(-wide / 2, wide / 2, 0, deep, height, roof, pitch, stories, door=True)]
    side = -1 if chance.random() < 0.5 else 1
    if chance.random() < 0.5 and wide > 9:
        part = chance.uniform(3.2, wide * 0.45)
        left = wide / 2 - part - chance.uniform(0, 0.6) if side < 0 else -wide / 2 + chance.uniform(0, 0.6)
        tall = height if chance.random() < 0.6 else min(height, 2.8)
        front = -chance.uniform(0.6, 3)
        house.append(Block(left, left + part, front, deep / 2, tall, "flat" if roof == "flat" else
                           str(chance.choice(("gable", "hip"))), pitch, max(1, int(tall / 2.7)),
                           bool(chance.random() < 0.25)))  # fmt: skip
    if chance.random() < 0.6:
        part = float(chance.choice((3.6, 6.0, 8.8), p=(0.4, 0.45, 0.15)))
        left = -wide / 2 - part if side < 0 else wide / 2
        tall = chance.uniform(2.7, 3.1)
        stories = 2 if stories == 2 and chance.random() < 0.3 else 1
        front = chance.uniform(-3.5, 1.5)
        house.append(Block(left, left + part, front, front + 6.5, tall + 2.8 * (stories - 1), roof if
                           chance.random() < 0.5 else "gable" if roof != "flat" else "flat", pitch, stories,
                           True))  # fmt: skip
    return house


def _light(sunny: bool, chance: Random) -> Light:
    high, around_by = np.deg2rad(chance.uniform(22, 65)), np.deg2rad(chance.uniform(-110, 110))
    way = np.array([np.sin(around_by) * np.cos(high), -np.cos(around_by) * np.cos(high), np.sin(high)])
    sun = np.array((1.0, 0.93, 0.82)) * chance.uniform(0.7, 1.5) * sunny
    sky = np.array((0.9, 0.97, 1.08)) * (chance.uniform(0.25, 0.55) if sunny else 0.85)
    return Light(way, sun.astype(np.float32), sky.astype(np.float32))


def _eye(house: list[Block], size: tuple[int, int], chance: Random) -> Eye:
    """Where the photographer stands: on the street, before the house or aside."""
    width, height = size
    left, right = min(each.left for each in house), max(each.right for each in house)
    aside = np.deg2rad(chance.normal(0, 8) if chance.random() < 0.4 else chance.uniform(-42, 42))
    focal = width * chance.uniform(0.6, 1.1)
    away = max((right - left) * focal / (width * chance.uniform(0.45, 1.2)), 8)
    middle = np.array([(left + right) / 2 + chance.normal(0, 0.8), 0.0])
    place = middle + away * np.array([np.sin(aside), -np.cos(aside)])
    up = chance.uniform(1.3, 2.0) if chance.random() < 0.8 else chance.uniform(2, 4)
    turn = -aside + chance.normal(0, 0.04)
    # The foot of the walls stands in the lower half, seldom so low that the ground is out of sight.
    horizon = height * chance.uniform(0.56, 0.88) - up * focal / away
    return Eye(np.array([*place, up]), turn, focal, width, height, float(horizon))


def _empty(eye: Eye, weather: int, chance: Random) -> View:
    """Nothing but sky."""
    sky = drawn_sky(*SKY_SIZE, chance, weather)
    behind = cv2.resize(
        (sky.astype(np.float32) / 255) ** 2.2, (eye.width, eye.height), interpolation=cv2.INTER_CUBIC
    )
    behind = np.clip(cv2.GaussianBlur(behind, (0, 0), 3), 0, 1)
    labels = np.full(behind.shape[:2], NUMBER[Label.SKY], np.uint8)
    return View(eye, behind.astype(np.float32), labels, np.full(labels.shape, FAR, np.float32))


def _finish(given: Stock, light: Light, sunny: bool, chance: Random) -> Finish:
    walls = cladding(given.skins, chance)
    return Finish(
        walls, cladding(given.skins, chance) if chance.random() < 0.15 else None, roofing(given.skins, chance),
        style(walls.color, given.panes, chance), float(chance.uniform(0.15, 0.9)), light,
        dapple(chance) if sunny and chance.random() < 0.3 else None,
    )  # fmt: skip


def _put(view: View, house: list[Block], finish: Finish, given: Stock, chance: Random) -> None:
    for block in house:
        blocks.build(view, block, finish, chance)
    main = house[0]
    if chance.random() < 0.35:
        blocks.chimney(view, main, finish, cladding(given.skins, chance), chance)
    if chance.random() < 0.35:
        wide = chance.uniform(0.3, 1.0) * main.wide
        left = chance.uniform(main.left, main.right - wide)
        blocks.porch(view, (left, left + wide, main.front), chance.uniform(1.0, 2.4), finish, chance)


def _developed(view: View, chance: Random) -> NDArray[np.uint8]:
    """The light as a photo: exposed by chance, bright parts rolled off, a little grain."""
    seen = cv2.resize(view.picture, None, fx=1 / FINER, fy=1 / FINER, interpolation=cv2.INTER_AREA)
    labels = view.labels[::FINER, ::FINER]
    solid = seen[labels != NUMBER[Label.SKY]]
    bright = float(np.percentile(solid, 93)) if solid.size else 1.0
    gain = chance.uniform(0.5, 1.05) / max(bright, 0.05)
    lit = np.where((labels == NUMBER[Label.SKY])[..., None], seen, seen * gain)
    lit *= np.exp(chance.normal(0, 0.03, 3))
    lit = np.where(lit > 0.7, 0.7 + 0.3 * np.tanh((lit - 0.7) / 0.3), lit)
    lit = np.clip(lit, 0, 1) ** np.float32(1 / chance.uniform(2.0, 2.4))
    lit = lit + chance.standard_normal(lit.shape, dtype=np.float32) * np.float32(chance.uniform(0.002, 0.015))
    return np.round(np.clip(lit, 0, 1) * 255).astype(np.uint8)


def main() -> int:
    """Draw houses into OUT, one .npz each; a house depends on its number and the seed only."""
    parser = argparse.ArgumentParser(prog="python -m training.quick_houses", description=main.__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=220)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skins", type=Path, help="folder of CC0 textures: bricks, plaster, rock, roofingtiles")
    parser.add_argument("--ground", type=Path, help="folder of CC0 textures: lawn, gravel, paving")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    chosen.out.mkdir(parents=True, exist_ok=True)
    given = stock(chosen.skins, chosen.ground)
    for number in range(chosen.scenes):
        target = chosen.out / f"house_{chosen.seed}_{number:05d}.npz"
        if not target.exists():
            made = drawn_house(given, np.random.Generator(np.random.PCG64([chosen.seed, number])))
            half = target.with_suffix(".part.npz")
            np.savez_compressed(half, picture=made.picture, labels=made.labels, sky=made.facts["sky"])
            half.replace(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
