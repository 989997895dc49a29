"""Ceilings, flat, beamed or sloped, and the lamps that hang from them."""

import numpy as np

from training.render import furniture
from training.render.labels import RoomPart
from training.render.room import Room
from training.render.shapes import Material, Model
from training.render.textures import Random, bonded, speckled, varied

CEILINGS = (
    (246, 246, 244),
    (240, 238, 232),
    (226, 226, 224),
    (190, 214, 238),
    (150, 190, 230),
    (206, 222, 236),
    (236, 226, 206),
)


def ceiling(model: Model, random: Random, room: Room) -> bool:
    """Flat, with beams, sloped or boarded; with lamps and spots. Says whether it is level."""
    left, right, deep, high = room.left, room.right, room.deep, room.high
    stuff = speckled(random, varied(random, CEILINGS[random.integers(len(CEILINGS))], 0.03), 3.0, 0.006, 0.02)
    choice = random.random()
    if choice < 0.08:
        stuff = bonded(
            random,
            [varied(random, (166, 122, 82), 0.15) for _ in range(3)],
            (90, 66, 46),
            (8, 1),
            (2.4, 0.12),
            (0, 2),
            (2, 0),
        )
    slope = random.uniform(0.15, 0.5) * (right - left) if random.random() < 0.2 else 0.0
    lift = random.choice([-1, 1])
    heights = (high, high + slope) if lift > 0 else (high + slope, high)
    corners = [(left, 0, heights[0]), (right, 0, heights[1]), (right, deep, heights[1]), (left, deep, heights[0])]
    model.quad(RoomPart.CEILING, stuff, corners[::-1])
    white = speckled(random, (236, 234, 230), 2.0, 0.01, 0.02)
    if slope:
        tall = right if lift > 0 else left
        model.quad(
            RoomPart.WALL,
            white,
            [(tall, 0, high), (tall, deep, high), (tall, deep, high + slope), (tall, 0, high + slope)],
        )
        for y in (0, deep):
            low_side = left if lift > 0 else right
            model.add(
                RoomPart.WALL,
                white,
                np.array([[(low_side, y, high), (tall, y, high), (tall, y, high + slope)]], np.float32),
            )
    elif random.random() < 0.15:
        beam = furniture.wood(random)
        for y in np.arange(0.4, deep, random.uniform(0.6, 1.4)):
            model.box(RoomPart.CEILING, beam, (left, float(y), high - 0.18), (right, float(y) + 0.12, high))
    elif random.random() < 0.4:
        trim = speckled(random, (244, 243, 240), 1.0, 0.01, 0.02)
        for box in ((left, deep - 0.08, right, deep), (left, 0, left + 0.08, deep), (right - 0.08, 0, right, deep)):
            model.box(RoomPart.CEILING, trim, (box[0], box[1], high - 0.09), (box[2], box[3], high))
    _lights(model, random, room)
    return not slope


def _lights(model: Model, random: Random, room: Room) -> None:
    """A soft light behind the camera (as flash or the rest of the house gives), lamps and spots."""
    tint = np.array([1.0, random.uniform(0.84, 1.0), random.uniform(0.62, 1.0)], np.float32)
    fill = Material(
        np.full((2, 2, 3), 0.8, np.float32), 1.0, 0.0, np.tile(tint * random.uniform(0.4, 2.2), (2, 2, 1))
    )
    half = (room.right - room.left) * 0.35
    corners = [(-half, 0.02, 0.6), (half, 0.02, 0.6), (half, 0.02, room.high - 0.3), (-half, 0.02, room.high - 0.3)]
    model.quad(RoomPart.WALL, fill, corners[::-1])
    power = float(np.exp(random.uniform(0, 3)))
    for _ in range(int(random.integers(0, 4))):
        spot = (random.uniform(room.left, room.right) * 0.7, random.uniform(1.5, room.deep - 0.4), room.high)
        model.place(furniture.lamp(random, power), 0, spot)
    if random.random() < 0.35:
        warm = np.array([1.0, 0.85, 0.66], np.float32) * power * 2
        disc = Material(np.full((2, 2, 3), 0.8, np.float32), 1.0, 0.0, np.tile(warm, (2, 2, 1)))
        for x in np.linspace(room.left * 0.7, room.right * 0.7, int(random.integers(1, 4))):
            for y in np.arange(1, room.deep, 1.5):
                model.box(
                    RoomPart.OTHER,
                    disc,
                    (float(x) - 0.05, float(y) - 0.05, room.high - 0.012),
                    (float(x) + 0.05, float(y) + 0.05, room.high - 0.004),
                )
