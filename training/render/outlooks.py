"""Windows seen from inside: frames, curtains, and the bright view beyond them."""

import cv2
import numpy as np

from training.render import furniture
from training.render.labels import RoomPart
from training.render.shapes import Material, Model
from training.render.textures import Random, clipped, cloudy, linear, speckled, varied
from training.render.walls import Opening, Wall, bar


def openings(random: Random, wall: Wall) -> list[Opening]:
    """Windows, glass doors or a door in an inner wall."""
    found, at = [], random.uniform(0.3, 1.2)
    low, top = random.choice([0.05, 0.4, 0.9, 1.2]), min(wall.top - 0.15, random.uniform(2.0, 2.5))
    while at < wall.length - 0.9:
        wide = min(random.uniform(0.7, 3.0), wall.length - at - 0.3)
        if random.random() < 0.2:
            found.append(Opening(at, at + 0.85, 0.0, 2.05, "door"))
            wide = 0.85
        elif random.random() < 0.8 and wide > 0.4:
            found.append(Opening(at, at + wide, low, top))
        at += wide + random.uniform(0.2, 2.5)
    return found


def window(model: Model, random: Random, wall: Wall, hole: Opening, trim: Material, view: Material) -> None:
    """Reveal, frame, bars, the view a little way out, and curtains or a blind at times."""
    edges = ring(hole)
    for first in range(4):
        a, b = edges[first], edges[(first + 1) % 4]
        model.quad(RoomPart.WALL, trim, [wall.spot(*a), wall.spot(*b), wall.spot(*b, -0.2), wall.spot(*a, -0.2)])
    frame = trim if random.random() < 0.75 else speckled(random, (44, 44, 46), 1.0, 0.02, 0.02)
    for part in border(hole, -0.05):
        bar(model, wall, RoomPart.WALL, frame, part, (-0.18, -0.13))
    for each in range(1, max(1, round((hole.right - hole.left) / random.choice([0.45, 0.8, 1.2])))):
        at = hole.left + each * random.choice([0.45, 0.8, 1.2])
        if at < hole.right - 0.1:
            bar(model, wall, RoomPart.WALL, frame, (at - 0.02, at + 0.02, hole.low, hole.top), (-0.17, -0.14))
    if random.random() < 0.4:
        at = (hole.low + hole.top) / 2
        bar(model, wall, RoomPart.WALL, frame, (hole.left, hole.right, at - 0.02, at + 0.02), (-0.17, -0.14))
    out, spread = -1.6, 1.6
    far = (hole.left - spread, hole.right + spread, hole.low - 1.4, hole.top + 1.4)
    corners = [
        wall.spot(far[0], far[2], out),
        wall.spot(far[1], far[2], out),
        wall.spot(far[1], far[3], out),
        wall.spot(far[0], far[3], out),
    ]
    model.quad(RoomPart.WINDOW, view, corners, (0.02, 0.02, 0.98, 0.98))
    if random.random() < 0.4:
        _curtains(model, random, wall, hole)


def ring(hole: Opening) -> list[tuple[float, float]]:
    return [(hole.left, hole.low), (hole.right, hole.low), (hole.right, hole.top), (hole.left, hole.top)]


def border(hole: Opening, wide: float) -> list[tuple[float, float, float, float]]:
    """Strips about an opening; a negative width lays them inside it."""
    outer, inner = max(wide, 0.0), max(-wide, 0.0)
    left, right, low, top = hole.left - outer, hole.right + outer, hole.low - outer, hole.top + outer
    thick = outer + inner
    return [
        (left, left + thick, low, top),
        (right - thick, right, low, top),
        (left, right, low, low + thick),
        (left, right, top - thick, top),
    ]


def _curtains(model: Model, random: Random, wall: Wall, hole: Opening) -> None:
    stuff, wide = furniture.cloth(random), random.uniform(0.2, 0.5)
    top, low = min(wall.top - 0.02, hole.top + 0.2), 0.03 if random.random() < 0.7 else hole.low - 0.1
    for begin in (hole.left - wide * 0.7, hole.right - wide * 0.3):
        steps = np.linspace(0, wide, 26)
        out = 0.09 + 0.035 * np.sin(steps / wide * 6.28 * random.integers(3, 6))
        for each in range(25):
            a, b = begin + steps[each], begin + steps[each + 1]
            corners = [
                wall.spot(a, low, out[each]),
                wall.spot(b, low, out[each + 1]),
                wall.spot(b, top, out[each + 1]),
                wall.spot(a, top, out[each]),
            ]
            model.quad(RoomPart.OTHER, stuff, corners)


def outside(random: Random, strength: float) -> Material:
    """A view through the window: sky above, trees, lawn or walls below, out of focus; it lights the room too."""
    size = 128
    choice = random.random()
    sky = linear(((250, 252, 255), (150, 190, 240), (214, 222, 232), (110, 160, 226))[random.integers(4)])
    rows = np.linspace(0, 1, size, dtype=np.float32)[:, None, None]
    view = np.broadcast_to(sky * (0.8 + 0.4 * rows), (size, size, 3)).copy()
    line = random.uniform(0.2, 0.8) + cloudy(random, size, 6, 3)[0] * 0.08
    trees = rows[:, 0] > line[None]
    green = linear(varied(random, (92, 112, 66), 0.3)) * (1 + 0.5 * cloudy(random, size, 16, 3))[..., None]
    view = np.where(trees[..., None], np.clip(green, 0.01, 1), view)
    lawn = rows[:, 0] > line.mean() + random.uniform(0.1, 0.4)
    view = np.where(
        np.broadcast_to(lawn, trees.shape)[..., None], linear(varied(random, (130, 146, 86), 0.2)), view
    )
    if choice < 0.25:
        left, top = int(random.uniform(0, 80)), int(random.uniform(30, 80))
        view[top:, left : left + int(random.uniform(20, 60))] = linear(varied(random, (196, 180, 160), 0.3))
    if choice > 0.85:
        view = np.broadcast_to(linear((246, 248, 250)), view.shape).copy()
    view = cv2.GaussianBlur(view.astype(np.float32), (0, 0), random.uniform(0.4, 2.5))
    return Material(clipped(view), 1.0, 0.0, np.clip(view, 0.003, 2).astype(np.float32) * strength)
