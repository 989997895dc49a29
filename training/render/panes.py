"""What is seen in a window pane: 16 small drawn rooms in one texture, dark by day, lit by lamps in the evening."""

import cv2
import numpy as np

from training.render.shapes import Material, Plane
from training.render.textures import Random, linear, varied

SIDE = 4
CELL = 128


def atlas(random: Random) -> tuple[Plane, Plane]:
    """The rooms' reflectance and their light with the lamps on (both 512 x 512 x 3, linear)."""
    rooms, lights = [], []
    for _ in range(SIDE * SIDE):
        room, light = _room(random)
        rooms.append(room)
        lights.append(light)
    return _joined(rooms), _joined(lights)


def cell(random: Random) -> tuple[float, float, float, float]:
    """A place in the atlas: left, top, right, bottom as shares."""
    row, column = random.integers(SIDE, size=2)
    edge = 0.012
    return (
        float(column / SIDE + edge),
        float(row / SIDE + edge),
        float((column + 1) / SIDE - edge),
        float((row + 1) / SIDE - edge),
    )


def day_panes(random: Random, rooms: Plane) -> Material:
    """Panes by day: the room is nearly dark behind the mirrored garden and sky."""
    return Material(
        np.clip(rooms * random.uniform(0.04, 0.22), 0.002, 0.8), shine=random.uniform(0.10, 0.5), lit=True
    )


def evening_panes(random: Random, rooms: Plane, lights: Plane, strength: float) -> Material:
    """Panes at dusk: lamps are on in most rooms, of a warmth and brightness of their own."""
    glow = lights.copy()
    for row in range(SIDE):
        for column in range(SIDE):
            part = glow[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
            warm = linear((255, random.uniform(182, 226), random.uniform(110, 186)))
            part *= warm * (random.uniform(0.35, 1.3) if random.random() < 0.85 else 0.02) * strength
    return Material(np.clip(rooms * 0.05, 0.002, 0.8), shine=0.08, glow=glow, lit=True)


def _room(random: Random) -> tuple[Plane, Plane]:
    wall = linear(
        varied(random, ((226, 218, 204), (200, 196, 190), (178, 160, 140), (150, 160, 168))[random.integers(4)])
    )
    room = np.tile(wall, (CELL, CELL, 1)).astype(np.float32)
    ceiling, floor = int(CELL * random.uniform(0.08, 0.25)), int(CELL * random.uniform(0.72, 0.9))
    room[:ceiling] *= 1.15
    room[floor:] = linear(varied(random, (120, 92, 66), 0.3))
    for _ in range(int(random.integers(1, 5))):
        left, top = int(random.uniform(-10, CELL)), int(random.uniform(0.35, 0.8) * CELL)
        wide, tall = int(random.uniform(10, 60)), int(random.uniform(10, 60))
        room[top : top + tall, max(0, left) : max(0, left + wide)] = linear(varied(random, (96, 80, 72), 0.6))
    if random.random() < 0.4:
        left, top = random.integers(10, CELL - 40), random.integers(30, 60)
        room[top : top + 22, left : left + 30] = linear(varied(random, (150, 120, 100), 0.5))
    light = np.zeros((CELL, CELL), np.float32)
    y, x = np.mgrid[0:CELL, 0:CELL].astype(np.float32)
    for _ in range(int(random.integers(1, 4))):
        spot = random.uniform(10, CELL - 10), random.uniform(0.05, 0.6) * CELL
        reach = random.uniform(25, 70)
        light += random.uniform(0.4, 1) / (1 + ((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / reach**2)
    shine = room * (0.25 + light)[..., None]
    for _ in range(int(random.integers(0, 3))):
        spot = (int(random.integers(10, CELL - 10)), int(random.integers(15, 60)))
        cv2.ellipse(
            shine, spot, (int(random.integers(3, 9)), int(random.integers(3, 8))), 0, 0, 360, (2.5, 2.4, 2.2), -1
        )
    _hang(random, room, shine)
    return room, cv2.GaussianBlur(shine, (0, 0), 0.8)


def _hang(random: Random, room: Plane, light: Plane) -> None:
    """Curtains at the sides or a blind from above, in front of the room."""
    cloth = linear(varied(random, ((240, 236, 228), (206, 196, 180), (150, 150, 156))[random.integers(3)]))
    choice = random.random()
    if choice < 0.45:
        wide = int(CELL * random.uniform(0.08, 0.32))
        folds = 0.75 + 0.25 * np.sin(np.arange(wide) * random.uniform(0.5, 0.9))
        for part in (slice(0, wide), slice(CELL - wide, CELL)):
            room[:, part] = cloth * folds[None, :, None] * 3
            light[:, part] = light[:, part] * 0.35 + cloth * folds[None, :, None] * 0.25
    elif choice < 0.65:
        deep = int(CELL * random.uniform(0.15, 1.0))
        slats = 0.7 + 0.3 * (np.arange(deep) % 6 > 1)
        room[:deep] = cloth * slats[:, None, None] * 3
        light[:deep] = cloth * slats[:, None, None] * 0.55


def _joined(cells: list[Plane]) -> Plane:
    rows = [np.concatenate(cells[row * SIDE : (row + 1) * SIDE], 1) for row in range(SIDE)]
    return np.ascontiguousarray(np.concatenate(rows, 0))
