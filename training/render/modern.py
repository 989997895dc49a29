"""Flat-roofed modern houses: boxes one on the other, tall panes, slabs, balconies."""

from dataclasses import replace

import numpy as np

from engine.segmentation.labels import Kind
from training.render.blocks import garage, rest_of_walls
from training.render.roofs import Block, flat
from training.render.shapes import Model
from training.render.textures import Random, grained, speckled, varied
from training.render.walls import Opening, Skin, Wall, build_wall


def modern(random: Random, materials: Skin) -> Model:
    """Flat-roofed boxes one on the other with tall panes, slabs and a panel of timber."""
    model = Model()
    fair = speckled(random, varied(random, (242, 242, 240), 0.05), 3.0, 0.01, 0.03)
    look = replace(
        materials,
        wall=fair if random.random() < 0.7 else materials.wall,
        shutters=None,
        trim=speckled(
            random, varied(random, (60, 60, 64) if random.random() < 0.5 else (240, 240, 238), 0.1), 1, 0.02, 0.02
        ),
    )
    if random.random() < 0.6:
        look = replace(look, accent=grained(random, varied(random, (150, 96, 60), 0.2), 1.0, 0.35))
    floor, base = random.uniform(2.8, 3.3), 0.0
    wide, deep = random.uniform(9, 15), random.uniform(7, 10)
    left = -wide / 2
    for story in range(int(random.integers(1, 4)) if random.random() < 0.9 else 1):
        right = left + wide * random.uniform(0.5, 1.0) if story else left + wide
        start = left + (wide - (right - left)) * random.random() if story else left
        block = Block(
            start, random.uniform(-1.2, 1.0) if story else 0.0, start + right - left, deep, base, base + floor
        )
        skinned = replace(look, wall=look.accent) if random.random() < 0.35 else look
        _glazed(model, block, skinned, random, story == 0)
        rest_of_walls(model, block, skinned, random, 1)
        flat(model, block, replace(look, trim=look.wall), random.uniform(0.0, 0.9), random.uniform(0.2, 0.5))
        if story and random.random() < 0.4:
            _balcony(model, block, look, random)
        base += floor + 0.25
    if random.random() < 0.4:
        garage(model, Block(-wide / 2, 0, wide / 2, deep, 0, 3), look, random)
    return model


def _glazed(model: Model, block: Block, look: Skin, random: Random, ground: bool) -> None:
    wall = Wall((block.left, block.front), (block.right, block.front), block.low, block.top)
    at = random.uniform(0.3, 1.2)
    while at < wall.length - 1.2:
        wide = min(random.uniform(0.8, 4.5), wall.length - at - 0.3)
        low = block.low + (0.12 if random.random() < 0.6 else random.uniform(0.8, 1.4))
        sort = "door" if ground and random.random() < 0.15 else "glassdoor"
        wide = 1.1 if sort == "door" else wide
        wall.openings.append(
            Opening(
                at,
                at + wide,
                block.low + 0.1 if sort == "door" else low,
                block.top - random.uniform(0.3, 0.6),
                sort,
            )
        )
        at += wide + random.uniform(0.4, 3)
    build_wall(model, wall, look, look.wall, random)


def _balcony(model: Model, block: Block, look: Skin, random: Random) -> None:
    out = random.uniform(1, 1.8)
    model.box(
        Kind.BUILDING,
        look.wall,
        (block.left, block.front - out, block.low - 0.2),
        (block.right, block.front, block.low),
    )
    for x in np.arange(block.left, block.right, 0.12 if random.random() < 0.5 else 1.4):
        model.box(
            Kind.BUILDING,
            look.trim,
            (float(x), block.front - out, block.low),
            (float(x) + 0.03, block.front - out + 0.03, block.low + 1),
        )
    model.box(
        Kind.BUILDING,
        look.trim,
        (block.left, block.front - out, block.low + 0.97),
        (block.right, block.front - out + 0.05, block.low + 1.03),
    )
