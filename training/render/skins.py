"""What houses are made of: walls, roofs, doors, lamps."""

import numpy as np

from training.render.lamps import LampMade, metal
from training.render.panes import atlas, day_panes, evening_panes
from training.render.shapes import Material
from training.render.textures import Random, bonded, grained, speckled, varied
from training.render.walls import Skin

WALLS = (
    (238, 236, 230),
    (244, 244, 242),
    (228, 214, 184),
    (206, 196, 178),
    (170, 172, 172),
    (126, 150, 176),
    (96, 100, 104),
    (196, 170, 130),
    (150, 168, 150),
    (214, 176, 160),
    (246, 240, 224),
    (70, 72, 76),
)
BRICKS = (
    ((150, 82, 62), (168, 96, 72), (132, 70, 56)),
    ((186, 140, 104), (200, 156, 118), (170, 124, 92)),
    ((120, 84, 70), (104, 74, 64), (134, 92, 74)),
    ((212, 204, 190), (224, 216, 202), (198, 190, 176)),
)
ROOFS = (
    ((84, 84, 88), (70, 72, 76), (96, 96, 100)),
    ((164, 92, 66), (178, 104, 76), (150, 80, 58)),
    ((104, 84, 70), (118, 96, 80), (92, 74, 62)),
    ((60, 60, 64), (52, 54, 58), (70, 70, 72)),
    ((130, 126, 120), (116, 112, 108), (142, 138, 132)),
    ((96, 112, 104), (88, 104, 98), (106, 120, 112)),
)
DOORS = ((40, 44, 50), (120, 40, 36), (40, 70, 100), (50, 80, 60), (230, 228, 222), (110, 74, 48), (200, 160, 60))


def wall_material(random: Random) -> Material:
    """Render, brick, boards or stone."""
    choice = random.random()
    color = varied(random, WALLS[random.integers(len(WALLS))], 0.08)
    if choice < 0.42:
        return speckled(random, color, 3.0, random.uniform(0.01, 0.05), random.uniform(0.02, 0.07))
    if choice < 0.66:
        return bonded(
            random,
            BRICKS[random.integers(len(BRICKS))],
            varied(random, (176, 166, 152), 0.2),
            (24, 8),
            (0.225, 0.075),
        )
    if choice < 0.86:
        return bonded(
            random,
            [color],
            tuple(each * 0.55 for each in color),
            (12, 1),
            (2.0, random.uniform(0.11, 0.2)),
            (0, 4),
            (0, 0.12),
        )
    if choice < 0.94:
        return grained(random, varied(random, (150, 104, 66), 0.3), 1.2, 0.4)
    stones = [varied(random, (164, 152, 134), 0.25) for _ in range(5)]
    return bonded(random, stones, (150, 142, 130), (12, 7), (0.36, 0.2), (3, 3), (2, 0))


def skin(random: Random, lamps: float = 0.0) -> Skin:
    """The materials of one house; `lamps` is how bright the light behind its windows is (0 by day)."""
    rooms, lights = atlas(random)
    panes = evening_panes(random, rooms, lights, lamps) if lamps else day_panes(random, rooms)
    fair = (244, 244, 240) if random.random() < 0.6 else WALLS[random.integers(len(WALLS))]
    trim = speckled(random, varied(random, fair, 0.06), 1.0, 0.02, 0.02)
    if random.random() < 0.2:
        trim = speckled(random, varied(random, (58, 58, 62), 0.3), 1.0, 0.02, 0.02)
    door = door_material(random)
    tiles = bonded(
        random, ROOFS[random.integers(len(ROOFS))], (48, 44, 42), (12, 8), (0.3, 0.24), (1, 2), (0.5, 0.25)
    )
    if random.random() < 0.12:
        tiles = bonded(
            random, [varied(random, (120, 124, 128), 0.3)], (70, 72, 76), (1, 8), (0.4, 3.2), (3, 0), (0, 0)
        )
    shutters = door if random.random() < 0.15 else None
    bars = ((1, 1), (2, 1), (1, 2), (2, 2), (2, 3), (3, 4))[random.integers(6)]
    return Skin(
        wall_material(random),
        wall_material(random),
        trim,
        tiles,
        door,
        panes,
        bars,
        random.uniform(0.04, 0.1),
        shutters,
        LampMade(lantern(lamps, random.uniform(0.25, 0.85)), metal(random)),
    )


def lantern(lamps: float, shade: float = 0.6) -> Material:
    """The glass of a lamp outside, lit where `lamps` is above 0; `shade` is its reflectance by day."""
    glass = np.full((2, 2, 3), shade, np.float32)
    glow = np.tile(np.array([1.0, 0.7, 0.42], np.float32) * lamps * 6, (2, 2, 1)) if lamps else None
    return Material(glass, glow=glow, lit=True)


def door_material(random: Random) -> Material:
    """Painted wood for a door."""
    return speckled(random, varied(random, DOORS[random.integers(len(DOORS))], 0.15), 1.0, 0.02, 0.04)
