"""The walls of a block with its rows of windows, and a garage beside a house."""

import numpy as np

from engine.segmentation.labels import Kind
from training.render.roofs import Block, flat, gable, hip
from training.render.shapes import Model
from training.render.textures import Random
from training.render.walls import Opening, Skin, Wall, bar, build_wall


def garage(model: Model, main: Block, materials: Skin, random: Random) -> None:
    wide = random.choice([3.4, 6.0])
    side = random.random() < 0.5
    left = main.left - wide if side else main.right
    front = random.uniform(-2, 2)
    block = Block(left, front, left + wide, front + 6, 0, random.uniform(2.5, 3))
    wall = Wall(
        (block.left, front), (block.right, front), 0, block.top, [Opening(0.35, wide - 0.35, 0.0, 2.2, "garage")]
    )
    build_wall(model, wall, materials, materials.wall, random)
    rest_of_walls(model, block, materials, random)
    choice = random.random()
    if choice < 0.3:
        flat(model, block, materials, 0.1, 0.3)
    else:
        (hip if choice < 0.6 else gable)(model, block, materials, random.uniform(0.3, 0.7), 0.3)


def rest_of_walls(model: Model, block: Block, materials: Skin, random: Random, openings: int = 0) -> None:
    """The sides and the back of a block."""
    for start, end in (
        ((block.right, block.front), (block.right, block.back)),
        ((block.right, block.back), (block.left, block.back)),
        ((block.left, block.back), (block.left, block.front)),
    ):
        wall = Wall(start, end, block.low, block.top)
        if openings:
            wall.openings = windows(random, wall.length, openings, (block.top - block.low) / openings, block.low)
        build_wall(model, wall, materials, materials.wall, random)


def windows(random: Random, length: float, stories: int, floor: float, low: float = 0.0) -> list[Opening]:
    """Rows of windows over a wall."""
    found = []
    wide = random.uniform(0.8, 1.7)
    count = int(np.clip(length / (wide + random.uniform(1.0, 2.2)), 1, 7))
    sill, tall = random.uniform(0.7, 1.0), random.uniform(1.1, 1.5)
    for story in range(stories):
        for each in range(count):
            if random.random() < 0.12:
                continue
            middle = length * (each + 0.5) / count
            base = low + story * floor + sill
            found.append(
                Opening(
                    middle - wide / 2, middle + wide / 2, base, min(base + tall, low + (story + 1) * floor - 0.15)
                )
            )
    return found


def block_walls(model: Model, block: Block, materials: Skin, random: Random, stories: int, door: bool) -> None:
    """Four walls with windows, the front one with a door where wanted."""
    wall = Wall((block.left, block.front), (block.right, block.front), block.low, block.top)
    wall.openings = windows(random, wall.length, stories, (block.top - block.low) / stories, block.low)
    if door:
        lowest = [each for each in wall.openings if each.low < 1.5]
        if lowest:
            taken = lowest[random.integers(len(lowest))]
            wall.openings.remove(taken)
            middle = (taken.left + taken.right) / 2
            wall.openings.append(Opening(middle - 0.5, middle + 0.5, 0.15, 2.2, "door"))
    build_wall(model, wall, materials, materials.wall, random)
    rest_of_walls(model, block, materials, random, stories)
    if random.random() < 0.5:
        model.box(
            Kind.BUILDING,
            materials.accent,
            (block.left - 0.04, block.front - 0.04, block.low),
            (block.right + 0.04, block.back + 0.04, block.low + 0.25),
        )
    for at in (0.08, wall.length - 0.16):
        if random.random() < 0.6:
            bar(model, wall, Kind.BUILDING, materials.trim, (at, at + 0.09, block.low, block.top), (0, 0.09))
