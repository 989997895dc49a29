"""What quickly drawn rooms have beyond the rendered ones: halls, other floors, things near the lens, a sheen."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from training.render import furniture
from training.render.labels import RoomPart
from training.render.rooms import Inside, inside
from training.render.shapes import Material
from training.render.textures import Random, bonded, clipped, cloudy, linear, speckled, varied

Map = NDArray[np.floating]
HALLS, OTHER_FLOORS, NEAR_THINGS, POLISHED = 0.2, 0.45, 0.15, 0.5
DARK_WOODS = ((64, 44, 32), (44, 34, 30), (84, 54, 36), (58, 52, 48))


def varied_room(chance: Random) -> Inside:
    """A room like those rendered, now and then a hall, with a stranger floor or a table before the lens."""
    made = inside(chance, larger=float(chance.uniform(1.5, 3)) if chance.random() < HALLS else 1.0)
    if chance.random() < OTHER_FLOORS:
        floor = other_floor(chance)
        made = replace(made, model=made.model.remade(lambda kind, old: floor if kind == RoomPart.FLOOR else old))
    if chance.random() < NEAR_THINGS:
        maker = (furniture.table, furniture.island, furniture.sofa, furniture.bed)[chance.integers(4)]
        x = made.camera.position[0] + chance.normal(0, 0.8)
        made.model.place(maker(chance), float(chance.uniform(0, 6.3)), (x, chance.uniform(0.9, 2.0), 0))
    return made


def other_floor(chance: Random) -> Material:
    """Dark planks, herringbone, veined stone, large pale tiles, terrazzo, or a carpet with a pattern."""
    makers: tuple[Callable[[Random], Material], ...] = (_dark, _herringbone, _veined, _pale, _terrazzo, _patterned)
    return makers[chance.integers(len(makers))](chance)


def _dark(chance: Random) -> Material:
    wood = varied(chance, DARK_WOODS[chance.integers(len(DARK_WOODS))], 0.2)
    tones = [varied(chance, wood, 0.15) for _ in range(4)]
    planks = bonded(chance, tones, tuple(each * 0.5 for each in wood), (12, 2), (1.2, 0.13), (1, 1), (2, 0))
    return planks if chance.random() < 0.5 else replace(planks, texture=planks.texture.transpose(1, 0, 2).copy())


def _herringbone(chance: Random) -> Material:
    """Blocks in zigzag, three times as long as wide."""
    wood = varied(chance, furniture.WOODS[chance.integers(len(furniture.WOODS))], 0.15)
    cell, long = 16, 3
    rows, columns = np.indices((288, 288)) // cell
    # The block that covers a cell begins at the left or at the top of its step.
    step = (columns - rows) % (2 * long)
    level = step < long
    start = np.where(level, rows * 971 + (columns - step), columns * 613 + (rows + step - long) * 7)
    tones = np.stack([linear(varied(chance, wood, 0.12)) for _ in range(7)])
    picture = tones[start % 7]
    joint = np.where(level, np.indices((288, 288))[0] % cell == 0, np.indices((288, 288))[1] % cell == 0)
    picture[joint] *= 0.6
    return Material(clipped(picture * (1 + 0.04 * cloudy(chance, 288, 24)[..., None])), chance.uniform(1.2, 2.4))


def _veined(chance: Random) -> Material:
    tone = varied(
        chance, ((232, 230, 226), (206, 196, 180), (60, 60, 64), (150, 140, 130))[chance.integers(4)], 0.06
    )
    veins = np.exp(-np.abs(cloudy(chance, 320, 4, 5)) / chance.uniform(0.02, 0.08))[..., None]
    other = linear(varied(chance, (130, 126, 120), 0.4))
    texture = linear(tone) + (other - linear(tone)) * veins * chance.uniform(0.2, 0.7)
    return Material(clipped(texture * (1 + 0.05 * cloudy(chance, 320, 3)[..., None])), chance.uniform(1.5, 4))


def _pale(chance: Random) -> Material:
    tone = varied(chance, (236, 236, 234), 0.05)
    size = (chance.uniform(0.3, 0.9),) * 2
    return bonded(
        chance, [tone], tuple(each * chance.uniform(0.6, 0.95) for each in tone), (4, 4), size, (1, 1), (0, 0)
    )


def _terrazzo(chance: Random) -> Material:
    ground = speckled(chance, varied(chance, ((206, 204, 200), (120, 118, 116))[chance.integers(2)], 0.1), 1.0)
    chips = cloudy(chance, 256, 40, 2)[..., None] > chance.uniform(0.8, 1.6)
    return Material(
        clipped(ground.texture * np.where(chips, chance.uniform(0.4, 1.5), 1.0)), chance.uniform(0.6, 2.0)
    )


def _patterned(chance: Random) -> Material:
    """Squares, stripes or blots in two or three colors, as on carpets and old tiles."""
    colors = [linear(varied(chance, furniture.CLOTH[chance.integers(len(furniture.CLOTH))], 0.2)) for _ in range(3)]
    rows, columns = np.indices((256, 256))
    cell = int(chance.choice([32, 64, 128]))
    which = (
        (rows // cell + columns // cell) % 2,
        (columns // (cell // 2)) % 3,
        (cloudy(chance, 256, 6, 3) > 0.3).astype(int) + (cloudy(chance, 256, 9, 2) > 1.0),
    )[chance.integers(3)]
    texture = np.stack(colors)[which] * (1 + 0.08 * chance.standard_normal((256, 256, 1)))
    return Material(clipped(texture.astype(np.float32)), chance.uniform(0.5, 3))


def sheen(chance: Random, floor: NDArray[np.bool_], facing: Map, mirrored: Map) -> Map:
    """What a polished floor throws back (h x w x 3, linear): `mirrored` is the room below it, `facing` the cosine
    between view and floor. Nothing where the floor is dull."""
    if chance.random() > POLISHED:
        return np.zeros_like(mirrored)
    grazing = (1 - np.clip(facing, 0, 1)) ** 5
    share = chance.uniform(0.02, 0.12) + chance.uniform(0.2, 0.9) * grazing
    across, along = chance.uniform(0.3, 3), chance.uniform(0.5, 12)
    blurred = cv2.GaussianBlur(mirrored.astype(np.float32), (0, 0), sigmaX=across, sigmaY=along)
    return blurred * (share * floor)[..., None]
