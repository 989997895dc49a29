"""Rooms seen from inside: walls, ceilings and floors of many kinds, furnished or empty."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from training.render import furniture
from training.render.ceilings import ceiling
from training.render.finishes import floor_material, painted
from training.render.labels import RoomPart
from training.render.light import Light
from training.render.outlooks import border, openings, outside, ring, window
from training.render.picture import Camera
from training.render.room import Room
from training.render.shapes import Material, Model
from training.render.textures import Random, speckled, varied
from training.render.walls import Wall, bar

SIZE = (384, 256)
CORRIDORS, FITTED, LOOKING_DOWN = 0.08, 0.35, 0.3


@dataclass(frozen=True, slots=True)
class Inside:
    """A room to be rendered: what is in it, the camera, the light, and its measures."""

    model: Model
    camera: Camera
    light: Light
    room: Room


def inside(random: Random, furnished: bool = True, larger: float = 1.0) -> Inside:
    """A room and a camera in it; furnished, unless chance says otherwise, or the same room empty.

    `larger` makes it so many times as wide and deep, with as much more furniture.
    """
    shell, things = random.spawn(2)
    wide, deep = shell.uniform(2.8, 7), shell.uniform(3, 8)
    if shell.random() < CORRIDORS:
        wide, deep = shell.uniform(1.4, 2.4), shell.uniform(5, 14)
    wide, deep = wide * larger, deep * larger
    room = Room(-wide / 2, wide / 2, deep, shell.uniform(2.3, 3.3) * larger**0.4)
    model = Model()
    daylight = float(np.exp(shell.uniform(np.log(0.7), np.log(9.0))))
    views = [outside(shell, daylight) for _ in range(2)]
    _shell(model, shell, room, views)
    room = replace(room, flat=ceiling(model, shell, room))
    if shell.random() < FITTED:
        _fit(model, shell, room)
    dim = np.full((8, 16, 3), 0.4 * daylight, np.float32)
    light = Light(dim, np.array([0, 0, 1], np.float32), np.zeros(3, np.float32))
    camera = _camera(shell, room)
    if furnished:
        for _ in range(round(larger)):
            _furnish(model, things, room)
    return Inside(model, camera, light, room)


def _shell(model: Model, random: Random, room: Room, views: list[Material]) -> None:
    """Floor and four walls with windows and doors."""
    left, right, deep, high = room.left, room.right, room.deep, room.high
    floor = floor_material(random)
    model.quad(RoomPart.FLOOR, floor, [(left, 0, 0), (right, 0, 0), (right, deep, 0), (left, deep, 0)])
    paint = painted(random)
    trim = speckled(
        random, (244, 243, 240) if random.random() < 0.8 else varied(random, (90, 70, 54), 0.4), 1.0, 0.01, 0.02
    )
    corners = [(left, 0), (left, deep), (right, deep), (right, 0)]
    # Seen from inside each wall runs from left to right too; its `out` points into the room.
    for number, (start, end) in enumerate(
        ((corners[0], corners[1]), (corners[1], corners[2]), (corners[2], corners[3]), (corners[3], corners[0]))
    ):
        wall = Wall(start, end, 0.0, high)
        if number < 3 and random.random() < 0.65:
            wall.openings = openings(random, wall)
        own = painted(random) if random.random() < 0.2 else paint
        _inner_wall(model, random, wall, own, trim, views[number % 2])
        bar(model, wall, RoomPart.WALL, trim, (0, wall.length, 0, random.uniform(0.06, 0.16)), (0, 0.018))
        if number < 3 and not wall.openings and random.random() < 0.6:
            _hangings(model, random, wall)
    if random.random() < 0.25:
        x = random.uniform(left * 0.3, right * 0.9)
        y = deep * random.uniform(0.5, 0.8)
        model.box(RoomPart.WALL, paint, (x, y, 0), (x + random.uniform(0.12, 1.2), deep, high))


def _inner_wall(model: Model, random: Random, wall: Wall, paint: Material, trim: Material, view: Material) -> None:
    alongs = sorted(
        {0.0, wall.length, *(each.left for each in wall.openings), *(each.right for each in wall.openings)}
    )
    ups = sorted({0.0, wall.top, *(each.low for each in wall.openings), *(each.top for each in wall.openings)})
    for left, right in pairwise(alongs):
        for low, top in pairwise(ups):
            x, z = (left + right) / 2, (low + top) / 2
            if not any(h.left < x < h.right and h.low < z < h.top for h in wall.openings):
                model.quad(
                    RoomPart.WALL,
                    paint,
                    [wall.spot(left, low), wall.spot(right, low), wall.spot(right, top), wall.spot(left, top)],
                )
    for hole in wall.openings:
        if hole.sort == "door":
            model.quad(RoomPart.DOOR, trim, [wall.spot(*each, -0.06) for each in ring(hole)])
        else:
            window(model, random, wall, hole, trim, view)
        for part in border(hole, 0.08):
            bar(model, wall, RoomPart.WALL, trim, part, (-0.06, 0.02))


def _hangings(model: Model, random: Random, wall: Wall) -> None:
    """Pictures, a mirror, a dark screen."""
    at = random.uniform(0.4, 1.5)
    while at < wall.length - 1:
        wide, tall = random.uniform(0.3, 1.3), random.uniform(0.3, 1.0)
        low = random.uniform(1.0, 1.5)
        stuff = furniture.picture(random)
        if random.random() < 0.2:
            stuff = Material(np.full((2, 2, 3), 0.02, np.float32), 1.0, 0.9)
        elif random.random() < 0.15:
            stuff = Material(np.full((2, 2, 3), 0.01, np.float32), 1.0, 0.08)
        bar(
            model,
            wall,
            RoomPart.FURNITURE,
            furniture.wood(random),
            (at - 0.03, at + wide + 0.03, low - 0.03, low + tall + 0.03),
            (0, 0.02),
        )
        corners = [
            wall.spot(at, low, 0.025),
            wall.spot(at + wide, low, 0.025),
            wall.spot(at + wide, low + tall, 0.025),
            wall.spot(at, low + tall, 0.025),
        ]
        model.quad(RoomPart.FURNITURE, stuff, corners, (0, 0, 1, 1))
        at += wide + random.uniform(0.3, 2.5)


def _furnish(model: Model, random: Random, room: Room) -> None:
    """From nothing to a full room."""
    count = int(random.choice([0, 2, 4, 7, 10], p=[0.15, 0.2, 0.25, 0.25, 0.15]))
    makers = (
        furniture.sofa,
        furniture.sofa,
        furniture.table,
        furniture.table,
        furniture.chair,
        furniture.chair,
        furniture.bed,
        furniture.shelves,
        furniture.potted,
        furniture.potted,
    )
    for _ in range(count):
        piece = makers[random.integers(len(makers))](random)
        x, y = random.uniform(room.left + 0.6, room.right - 0.6), random.uniform(2.0, room.deep - 0.7)
        model.place(piece, float(random.choice([0, 1.57, 3.14, 4.71])) + random.normal(0, 0.05), (x, y, 0))
    if random.random() < 0.3:
        y = random.uniform(2.0, room.deep)
        model.box(RoomPart.RUG, furniture.cloth(random), (-1.2, y - 0.9, 0), (1.2, y + 0.9, 0.012))


def _fit(model: Model, random: Random, room: Room) -> None:
    """Kitchen units along one or two walls, and at times an island."""
    kitchen = furniture.cupboards
    if random.random() < 0.7:
        model.place(kitchen(random, random.uniform(1.2, room.right - room.left)), 0, (0, room.deep, 0))
    if random.random() < 0.5:
        long = random.uniform(1.0, room.deep - 1.0)
        side = (room.right, -1.5708) if random.random() < 0.5 else (room.left, 1.5708)
        model.place(kitchen(random, long), side[1], (side[0], room.deep - long / 2 - 0.1, 0))
    if random.random() < 0.3 and room.right - room.left > 3.5:
        model.place(furniture.island(random), 0, (random.uniform(-0.5, 0.5), room.deep * 0.6, 0))


def _camera(random: Random, room: Room) -> Camera:
    """As photographers stand, level and in a corner; now and then higher, lower or looking down."""
    wide, high = SIZE if random.random() < 0.7 else SIZE[::-1]
    eye = random.uniform(1.0, 1.65) if random.random() < 0.8 else random.uniform(0.3, 2.2)
    x, down, rise = random.uniform(room.left * 0.8, room.right * 0.8), 0.0, random.uniform(-0.08, 0.16)
    if random.random() < LOOKING_DOWN:
        down, rise = random.uniform(0.05, 0.8) * room.deep, 0.0
    aim = random.uniform(room.left, room.right) * 0.8, room.deep, eye - down
    angle = random.uniform(58, 88) if wide > high else random.uniform(44, 64)
    return Camera((x, 0.15, eye), aim, angle, wide, high, rise)
