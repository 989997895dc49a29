"""Puts a house, its garden, its light and a camera together."""

import numpy as np

from engine.segmentation.labels import Kind
from training.render import gardens
from training.render.houses import house
from training.render.light import Light, daylight, dusk
from training.render.picture import Camera
from training.render.shapes import Model
from training.render.skins import skin
from training.render.streets import flats, terrace
from training.render.textures import Random

SIZE = (384, 256)


def outdoors(random: Random) -> tuple[Model, Camera, Light, bool]:
    """A house or a street with its surroundings, seen by someone who wants to sell it; and whether it is dusk."""
    evening = random.random() < 0.08
    lamps = random.uniform(0.25, 0.8) if evening else 0.0
    model, half, tall, front = setting(random, lamps, random.random())
    camera = view(random, half, tall, front)
    ground = np.array([0.20, 0.19, 0.13], np.float32)
    light = dusk(random, ground) if evening else daylight(random, ground)
    return model, camera, light, evening


def setting(random: Random, lamps: float, choice: float) -> tuple[Model, float, float, float]:
    """The model, half the house's width, its height, and where the camera stands (y).

    `choice` below 0.72 is a house, below 0.9 a row of houses, above a block of flats.
    """
    model = Model()
    if choice < 0.72:
        piece, turn = house(random, skin(random, lamps)), float(np.radians(random.normal(0, 20)))
    elif choice < 0.9:
        piece, turn = terrace(random, lamps), float(np.radians(random.normal(0, 30)))
    else:
        piece, turn = flats(random, lamps), float(np.radians(random.normal(0, 25)))
    model.place(piece, turn)
    points = np.concatenate([part.settled()[0].reshape(-1, 3) for part in piece.parts.values()])
    half, tall = float(np.abs(points[:, 0]).max()), float(points[:, 2].max())
    front = -random.uniform(9, 20) if choice < 0.9 else -random.uniform(20, 45)
    gardens.ground(model, random, front)
    if choice >= 0.72 and random.random() < 0.7:
        ground = gardens.paving(random)
        edge = front * random.uniform(0.2, 0.8) if random.random() < 0.7 else front - 10
        corners = [(-80, edge, 0.05), (80, edge, 0.05), (80, -0.2, 0.05), (-80, -0.2, 0.05)]
        model.quad(Kind.GROUND, ground, corners)
    gardens.ways(model, random, front)
    _extras(model, random, front, half)
    gardens.weed(model)
    if choice < 0.9 and random.random() < 0.5:
        for side in (-1, 1):
            if random.random() < 0.6:
                model.place(
                    house(random, skin(random, lamps)),
                    random.normal(0, 0.1),
                    (side * (half + random.uniform(8, 16)), random.uniform(0, 8), 0),
                )
    return model, half, tall, front


def _extras(model: Model, random: Random, front: float, half: float) -> None:
    if random.random() < 0.15:
        gardens.pool(model, random, front)
    if random.random() < 0.4:
        y = front * random.uniform(0.3, 0.7)
        gap = random.uniform(1, 4)
        gardens.fence(model, random, (-half - 8, y), (-gap, y))
        gardens.fence(model, random, (gap, y), (half + 8, y))
    if random.random() < 0.4:
        for side in (-1, 1):
            x = side * (half + random.uniform(1.5, 5))
            gardens.fence(model, random, (x, front * 0.6), (x + side * random.uniform(0, 2), 6))
    if random.random() < 0.25:
        gardens.car(
            model, random, (random.uniform(-8, 8), random.uniform(front * 0.6, -3)), random.uniform(0, 6.28)
        )
    if random.random() < 0.2:
        gardens.wires(model, random, front)
    gardens.plants(model, random, front, half)


def view(random: Random, half: float, tall: float, front: float, whole: bool = False) -> Camera:
    """At eye height, level, the house filling the picture more or less; at times a crop without sky.

    With `whole` the house always shows from roof to ground, in landscape format.
    """
    wide, high = SIZE if random.random() < 0.75 else SIZE[::-1]
    distance = -front
    across = 2 * np.degrees(np.arctan(half / distance))
    angle = float(np.clip(across * random.uniform(0.7, 1.5), 34, 88))
    eye = random.uniform(1.3, 2.2) if random.random() < 0.85 else random.uniform(3, 7)
    x = random.normal(0, half * 0.4)
    aim = (random.normal(0, half * 0.25), 3.0, eye)
    if whole:
        angle, x = float(np.clip(across * random.uniform(1.0, 1.35), 34, 80)), random.normal(0, half * 0.2)
        aim = (0.0, 3.0, eye)
        return Camera((x, front, eye), aim, angle, *SIZE, _lift(random, tall, eye, distance, angle, 1.5))
    if random.random() < 0.15:
        angle, rise = angle * 0.45, random.uniform(-0.25, 0.1)
    else:
        rise = _lift(random, tall, eye, distance, angle, wide / high)
    tilt = random.uniform(-0.3, 1.2) if random.random() < 0.25 else 0.0
    return Camera((x, front, eye), (aim[0], aim[1], eye + tilt), angle, wide, high, rise)


def _lift(random: Random, tall: float, eye: float, distance: float, angle: float, shape: float) -> float:
    """How far the picture is shifted so that roof and ground both show."""
    full = 2 * np.tan(np.radians(angle / 2)) / shape
    roof = (tall - eye) / (distance + 3) / full
    return float(np.clip(roof + random.uniform(0.0, 0.25) - 0.5, -0.3, 0.3))
