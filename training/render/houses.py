"""Single houses: cottages and suburban homes under sloping roofs, or modern ones."""

from dataclasses import replace

import numpy as np

from engine.segmentation.labels import Kind
from training.render.blocks import block_walls, garage
from training.render.lamps import hanging_lamp, post_lamp
from training.render.modern import modern
from training.render.roofs import Block, chimney, dormer, flat, gable, hip, lean
from training.render.shapes import Model
from training.render.textures import Random
from training.render.walls import Skin


def house(random: Random, materials: Skin) -> Model:
    """A single house about the origin; its front looks towards -y."""
    model = modern(random, materials) if random.random() < 0.3 else pitched(random, materials)
    if random.random() < 0.35 and materials.lamps is not None:
        lamp = post_lamp(random, materials.lamps)
        for _ in range(int(random.integers(1, 4))):
            model.place(lamp, 0, (random.uniform(-6, 6), random.uniform(-8, -3), 0))
    return model


def pitched(random: Random, materials: Skin) -> Model:
    """One or two stories under sloping roofs, with wings, a porch, dormers, a garage."""
    model = Model()
    stories = int(random.choice([1, 1.6, 2, 2]))
    floor = random.uniform(2.6, 3.1)
    wide, deep = random.uniform(8, 14), random.uniform(7, 10)
    main = Block(-wide / 2, 0, wide / 2, deep, 0, stories * floor + random.uniform(0.1, 0.6))
    eaves, pitch = random.uniform(0.1, 0.7), random.uniform(0.35, 1.1)
    block_walls(model, main, materials, random, stories, True)
    top = (hip if random.random() < 0.3 else gable)(model, main, materials, pitch, eaves)
    if random.random() < 0.6:
        spot = (random.uniform(-0.45, 0.45) * wide, deep * random.uniform(0.35, 0.65))
        chimney(model, materials, spot, main.top, top + random.uniform(0.5, 1.4))
    if pitch > 0.6 and random.random() < 0.5:
        for x in np.linspace(-0.3, 0.3, int(random.integers(1, 4))) * wide:
            dormer(
                model,
                materials,
                random,
                (float(x), deep * 0.12, main.top + deep * 0.12 * pitch),
                random.uniform(1.3, 2.0),
            )
    if random.random() < 0.65:
        _wing(model, main, materials, random, floor)
    if random.random() < 0.45:
        garage(model, main, materials, random)
    if random.random() < 0.45:
        porch(model, materials, random, random.uniform(-0.3, 0.1) * wide, random.uniform(2.5, wide * 0.6))
    return model


def _wing(model: Model, main: Block, materials: Skin, random: Random, floor: float) -> None:
    """A part standing forward with its gable towards the street."""
    wide = random.uniform(3, (main.right - main.left) * 0.5)
    left = float(random.choice([main.left, main.right - wide]))
    out = random.uniform(0.6, 3)
    stories = int(random.integers(1, 3)) if main.top > 4.5 else 1
    block = Block(left, -out, left + wide, 3.0, 0, stories * floor + 0.2)
    other = replace(materials, wall=materials.accent) if random.random() < 0.5 else materials
    block_walls(model, block, other, random, stories, False)
    # The gable's ridge runs from left to right; turned by a quarter it looks at the street.
    piece, half = Model(), wide / 2
    gable(
        piece,
        Block(-1.5 - out / 2, -half, 1.5 + out / 2, half, 0, block.top),
        other,
        random.uniform(0.5, 1.2),
        random.uniform(0.1, 0.4),
    )
    model.place(piece, np.pi / 2, (left + half, (3.0 - out) / 2, 0))


def porch(model: Model, materials: Skin, random: Random, middle: float, wide: float) -> None:
    """A roof on posts over the door, with steps and a railing."""
    deep, top = random.uniform(1.2, 2.4), random.uniform(2.4, 2.8)
    block = Block(middle - wide / 2, -deep, middle + wide / 2, 0, 0, top)
    model.box(Kind.BUILDING, materials.trim, (block.left, -deep, 0), (block.right, 0, 0.16))
    for x in np.linspace(block.left + 0.1, block.right - 0.1, max(2, round(wide / 2.2))):
        model.box(
            Kind.BUILDING, materials.trim, (float(x) - 0.07, -deep + 0.05, 0), (float(x) + 0.07, -deep + 0.19, top)
        )
    if random.random() < 0.5:
        for z in (0.5, 0.9):
            model.box(
                Kind.BUILDING, materials.trim, (block.left, -deep + 0.1, z), (middle - 0.8, -deep + 0.14, z + 0.06)
            )
        for x in np.arange(block.left, middle - 0.8, 0.14):
            model.box(
                Kind.BUILDING, materials.trim, (float(x), -deep + 0.1, 0.16), (float(x) + 0.035, -deep + 0.14, 0.9)
            )
    if random.random() < 0.6 and materials.lamps is not None:
        lamp = hanging_lamp(random, materials.lamps)
        model.place(lamp, 0, (middle + random.uniform(-0.3, 0.3), -deep / 2, top))
    if random.random() < 0.6:
        lean(model, block, materials, 0.25, 0.2)
    else:
        flat(model, block, materials, 0.15, 0.25)
