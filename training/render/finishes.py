"""What rooms are lined with: paint, paper, brick, tiles, and floors."""

import numpy as np

from training.render.shapes import Material
from training.render.textures import Random, bonded, clipped, cloudy, grained, speckled, varied

PAINTS = (
    (240, 239, 235),
    (246, 246, 244),
    (232, 226, 214),
    (214, 212, 206),
    (196, 206, 212),
    (150, 168, 188),
    (120, 146, 176),
    (182, 198, 184),
    (222, 200, 176),
    (110, 112, 116),
    (200, 168, 150),
    (70, 84, 104),
    (176, 210, 236),
)


def painted(random: Random) -> Material:
    color = varied(random, PAINTS[random.integers(len(PAINTS))], 0.05)
    choice = random.random()
    if choice < 0.08:
        return bonded(
            random, ((150, 84, 64), (168, 98, 74), (134, 74, 60)), (176, 166, 152), (24, 8), (0.225, 0.075)
        )
    if choice < 0.16:
        return bonded(
            random,
            [color],
            tuple(each * 0.75 for each in color),
            (8, 8),
            (0.2, 0.2),
            (2, 2),
            (random.choice([0.0, 0.5]), 0),
        )
    if choice < 0.22:
        return grained(random, varied(random, (160, 112, 72), 0.2), 1.0, 0.3)
    if choice < 0.27:
        return bonded(random, [color], tuple(each * 0.8 for each in color), (8, 1), (1.6, 0.15), (0, 3), (0, 0))
    return speckled(random, color, 2.0, 0.008, 0.012)


def floor_material(random: Random) -> Material:
    """Planks, parquet, tiles, carpet or stone, some of it polished."""
    choice = random.random()
    shine = float(random.choice([0.0, 0.05, 0.14], p=[0.5, 0.3, 0.2]))
    if choice < 0.5:
        wood = varied(
            random,
            ((160, 116, 76), (120, 78, 50), (196, 166, 128), (90, 66, 50), (170, 160, 150))[random.integers(5)],
            0.15,
        )
        planks = bonded(
            random,
            [varied(random, wood, 0.1) for _ in range(4)],
            tuple(each * 0.6 for each in wood),
            (12, 2),
            (1.2, 0.13),
            (1, 1),
            (2, 0),
        )
        texture = planks.texture * (1 + cloudy(random, 320, 100, 2).T[..., None] * 0.06)
        if random.random() < 0.5:
            texture = np.ascontiguousarray(texture.transpose(1, 0, 2))
        return Material(clipped(texture), planks.span, shine)
    if choice < 0.72:
        tone = varied(
            random, ((226, 222, 214), (170, 166, 160), (110, 108, 106), (206, 188, 160))[random.integers(4)], 0.1
        )
        tiles = bonded(
            random,
            [varied(random, tone, 0.03) for _ in range(3)],
            tuple(each * 0.75 for each in tone),
            (4, 4),
            (random.uniform(0.2, 0.8),) * 2,
            (2, 2),
            (0, 0),
        )
        return Material(tiles.texture, tiles.span, shine)
    return speckled(
        random,
        varied(
            random, ((190, 182, 170), (140, 140, 144), (206, 200, 192), (110, 96, 84))[random.integers(4)], 0.15
        ),
        0.8,
        0.1,
        0.05,
    )
