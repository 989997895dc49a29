"""One example of a training set: a developed picture, its kinds, its open sky; saved and laid over a drawn sky."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import Kind
from training.render.labels import RoomPart
from training.render.lamps import LampMade, metal, wall_lamp
from training.render.light import Light, daylight, light_on
from training.render.outdoors import outdoors
from training.render.picture import Camera, Quality, Shot, developed, shoot
from training.render.rooms import Inside, inside
from training.render.shapes import Plane
from training.render.skins import lantern
from training.render.textures import Random

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Example:
    """sRGB picture of everything but the sky (h x w x 3), kinds (h x w), open sky 0-255 (h x w), indoors; and for
    rooms the number of each pixel's surface (h x w).
    """

    picture: Picture
    labels: Picture
    sky: Picture
    indoors: bool
    surfaces: Picture | None = None


def drawn(seed: int, number: int, sort: str = "house", rays: int = 16, shrunk: int = 1) -> Example:
    """Scene `number` of this seed; the same numbers give the same scene, `shrunk` times smaller."""
    random = np.random.Generator(np.random.PCG64([seed, number, list(SORTS).index(sort)]))
    return SORTS[sort](random, rays, shrunk)


def _house(random: Random, rays: int, shrunk: int) -> Example:
    model, camera, light, evening = outdoors(random)
    shot = shoot(model, _smaller(camera, shrunk), light, Quality(rays, 3), Kind.SKY, evening)
    solid = shot.cover < 0.5
    bright = float(np.percentile(shot.light[solid].mean(-1), 90)) if solid.any() else 1.0
    gain = random.uniform(0.35, 1.1) / max(bright, 1e-3)
    seen = np.where(shot.cover[..., None] > 0.97, 0, shot.light)
    picture = developed(seen, gain, random.uniform(-0.2, 0.7), balanced(random, light))
    return Example(picture, shot.labels, np.round(shot.cover * 255).astype(np.uint8), False)


def _room(random: Random, rays: int, shrunk: int) -> Example:
    made = inside(random)
    shot = shot_of(made, _smaller(made.camera, shrunk), Quality(rays, 3, 4))
    picture = developed(shot.light, *taste(random, shot))
    kinds, surfaces = parted(shot.labels)
    return Example(picture, kinds, np.zeros_like(kinds), True, surfaces)


def shot_of(made: Inside, camera: Camera, quality: Quality) -> Shot:
    """The room rendered by this camera."""
    return shoot(made.model, camera, made.light, quality, RoomPart.WINDOW, True)


def taste(random: Random, shot: Shot) -> tuple[float, float, Plane]:
    """How a photographer would develop it: gain, contrast, white balance."""
    walls = shot.labels != RoomPart.WINDOW
    middle = float(np.percentile(shot.light[walls].mean(-1), 70)) if walls.any() else 1.0
    gain = random.uniform(0.3, 0.95) / max(middle, 1e-3)
    color = np.median(shot.light[walls], 0) if walls.any() else np.ones(3)
    balance = (np.maximum(color, 1e-4) / max(float(color[1]), 1e-4)) ** -random.uniform(0.2, 0.8)
    return gain, random.uniform(-0.2, 0.5), balance.astype(np.float32)


def parted(labels: Picture) -> tuple[Picture, Picture]:
    """The kinds and the surfaces of a map of room parts; dust from nowhere counts as other."""
    kinds, surfaces = np.full(256, int(Kind.THINGS), np.uint8), np.full(256, RoomPart.OTHER.place, np.uint8)
    for part in RoomPart:
        kinds[part], surfaces[part] = int(part.kind), part.place
    return kinds[labels], surfaces[labels]


def _lamp(random: Random, rays: int, shrunk: int) -> Example:
    """A lamp by itself, by day; what is behind it counts as open sky."""
    model = wall_lamp(random, LampMade(lantern(0.0, random.uniform(0.08, 0.85)), metal(random)))
    light = daylight(random, np.full(3, 0.2, np.float32))
    eye = (random.uniform(-1.2, 1.2), -random.uniform(2, 2.8), random.uniform(-1, 0.2))
    camera = Camera(eye, (0, -0.08, 0), 20, 64 // shrunk, 64 // shrunk)
    shot = shoot(model, camera, light, Quality(rays * 4, 3, 0))
    gain = random.uniform(0.5, 1.0) / max(float(light_on(light, (0, -1, 0)).mean()) / np.pi, 1e-3)
    picture = developed(shot.light, gain, random.uniform(0, 0.5), balanced(random, light))
    return Example(picture, shot.labels, np.round(shot.cover * 255).astype(np.uint8), False)


SORTS: dict[str, Callable[[Random, int, int], Example]] = {"house": _house, "room": _room, "lamp": _lamp}
"""What can be rendered; the order is part of the seed."""


def _smaller(camera: Camera, times: int) -> Camera:
    return replace(camera, width=camera.width // times, height=camera.height // times)


def balanced(random: Random, light: Light) -> Plane:
    """White balance gains as a camera finds them: most of the cast is taken away, at times too little."""
    seen = light_on(light, (0, -1, 0)) + light_on(light, (0, 0, 1))
    cast = seen / max(float(seen[1]), 1e-6)
    gains = cast ** -random.uniform(0.4, 1.0)
    warm = random.normal(0.02, 0.05)
    return (gains / gains[1] * np.array([1 + warm, 1, 1 - warm])).astype(np.float32)


def composed(example: Example, sky: Picture) -> Picture:
    """The picture before a sky (h x w x 3, sRGB), mixed in linear light along edges and twigs."""
    share = (example.sky.astype(np.float32) / 255)[..., None]
    things, behind = (np.power(each.astype(np.float32) / 255, 2.2) for each in (example.picture, sky))
    mixed = things * (1 - share) + behind * share
    return np.clip(np.power(mixed, 1 / 2.2) * 255 + 0.5, 0, 255).astype(np.uint8)


def save(path: Path, example: Example) -> None:
    """Write the example as .npz, whole or not at all."""
    half = path.with_suffix(".part")
    with half.open("wb") as file:
        rest = {} if example.surfaces is None else {"surfaces": example.surfaces}
        np.savez_compressed(
            file, picture=example.picture, labels=example.labels, sky=example.sky, indoors=example.indoors, **rest
        )
    half.replace(path)


def load(path: Path) -> Example:
    """Read what save wrote."""
    with np.load(path) as content:
        surfaces = content.get("surfaces")
        return Example(content["picture"], content["labels"], content["sky"], bool(content["indoors"]), surfaces)


def colors() -> Picture:
    """A color for each kind, for looking at labels."""
    shades = {
        Kind.SKY: (120, 180, 255),
        Kind.LAWN: (120, 220, 60),
        Kind.TREES: (20, 110, 40),
        Kind.BUILDING: (220, 120, 90),
        Kind.GLASS: (20, 20, 90),
        Kind.WATER: (0, 200, 200),
        Kind.GROUND: (150, 150, 150),
        Kind.WINDOW: (255, 255, 120),
        Kind.WALL: (230, 200, 180),
        Kind.CEILING: (250, 250, 250),
        Kind.FLOOR: (140, 90, 50),
        Kind.THINGS: (230, 40, 200),
        Kind.LAMP: (255, 220, 0),
    }
    return np.array([shades[kind] for kind in Kind], np.uint8)
