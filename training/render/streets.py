"""Terraces of houses along a street, and blocks of flats."""

from dataclasses import replace

import numpy as np

from engine.segmentation.labels import Kind
from training.render.blocks import block_walls
from training.render.roofs import Block, chimney, flat, gable
from training.render.shapes import Model
from training.render.skins import door_material, skin, wall_material
from training.render.textures import Random


def terrace(random: Random, lamps: float = 0.0) -> Model:
    """A row of narrow houses wall to wall along a street."""
    model, left = Model(), 0.0
    shared = skin(random, lamps)
    floor, deep, pitch = random.uniform(2.7, 3.2), 9.0, random.uniform(0.4, 0.9)
    count = int(random.integers(3, 8))
    same = random.random() < 0.5
    for _ in range(count):
        look = replace(shared, wall=wall_material(random) if not same else shared.wall, door=door_material(random))
        stories = 2 if same else int(random.integers(2, 5))
        wide = random.uniform(4.5, 8)
        block = Block(left, 0, left + wide, deep, 0, stories * floor)
        block_walls(model, block, look, random, stories, True)
        top = (
            gable(model, block, look, pitch, 0.05) if random.random() < 0.75 else flat(model, block, look, 0.1, 0.4)
        )
        chimney(model, look, (left + 0.3, deep / 2), block.top, top + 0.9)
        left += wide
    moved = Model()
    moved.place(model, 0.0, (-left / 2, 0, 0))
    return moved


def flats(random: Random, lamps: float = 0.0) -> Model:
    """A tall block with a grid of windows and balconies."""
    model, look = Model(), skin(random, lamps)
    stories, floor = int(random.integers(4, 13)), 2.9
    wide, deep = random.uniform(14, 30), 12.0
    block = Block(-wide / 2, 0, wide / 2, deep, 0, stories * floor)
    block_walls(model, block, replace(look, shutters=None), random, stories, True)
    if random.random() < 0.6:
        bay = random.uniform(2.5, 4)
        for story in range(1, stories):
            for x in np.arange(-wide / 2 + 1, wide / 2 - bay, bay * random.uniform(1.6, 2.2)):
                low = story * floor
                model.box(Kind.BUILDING, look.wall, (float(x), -1.3, low - 0.15), (float(x) + bay, 0, low))
                model.box(Kind.BUILDING, look.accent, (float(x), -1.3, low), (float(x) + bay, -1.22, low + 0.95))
    flat(model, block, look, 0.2, 0.5)
    return model
