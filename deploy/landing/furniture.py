"""What stands in the living room: a sofa, an armchair, a rug, a table, curtains, a picture, a plant, a lamp."""

from collections.abc import Callable

import numpy as np
from garden import Foliage, leaves
from shapes import Color, Numbers, Solid, leafy, linear, matt, noise, painted, varied

RIGHT, BACK = 3.0, 5.0
"""The walls of the room that things stand at."""
WINDOW = (-2.2, 0.5, 0.62, 2.3)
"""Left, right, bottom, top."""
Things = Callable[[np.random.Generator], dict[str, object]]
"""Makes what stands in the room, as meshes by name."""
CLOTH, LINEN = linear("#5f6d78"), linear("#d9d2c4")


def cushion(
    made: Solid,
    center: tuple[float, float, float],
    size: tuple[float, float, float],
    radius: float,
    color: Color,
    turn: float = 0.0,
    chance: np.random.Generator | None = None,
) -> None:
    """A box with round edges, a little puffed up, turned by so many degrees about the upright."""
    n = 24
    grid = np.linspace(-1, 1, n)
    u, v = np.meshgrid(grid, grid)
    cosine, sine = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    half = np.array(size) / 2
    core = np.maximum(half - radius, 1e-3)
    for axis in range(3):
        for side in (-1, 1):
            cube = np.empty((n, n, 3))
            cube[..., axis], cube[..., (axis + 1) % 3], cube[..., (axis + 2) % 3] = side, u, v
            point = cube * half
            inner = np.clip(point, -core, core)
            way = point - inner
            way /= np.linalg.norm(way, axis=-1, keepdims=True) + 1e-9
            point = inner + way * radius
            puff = (1 - u**2) * (1 - v**2)
            point[..., axis] += side * puff * 0.35 * radius
            if chance is not None:
                point[..., axis] += side * 0.006 * puff * noise((n, n), 4, chance, 2)
            turned = np.stack(
                [
                    cosine * point[..., 0] - sine * point[..., 1],
                    sine * point[..., 0] + cosine * point[..., 1],
                    point[..., 2],
                ],
                -1,
            )
            made.sheet((turned + np.array(center)).astype(np.float32), color)


def nothing(_: np.random.Generator) -> dict[str, object]:
    """An empty room."""
    return {}


def furniture(chance: np.random.Generator) -> dict[str, object]:
    """Everything in the room, as meshes by name."""
    cloth, wood, rug, shiny = Solid(), Solid(), Solid(), Solid()
    green = Solid()
    _sofa(cloth, wood, chance)
    _armchair(cloth, wood, chance)
    _rug(rug, chance)
    _table(wood, shiny, green, chance)
    _curtains(cloth)
    _picture(wood, rug, chance)
    _plant(shiny, green, chance)
    _lamp(shiny, cloth)
    return {
        "cloth": cloth.mesh("cloth", matt(), smooth=True),
        "furniture": wood.mesh("furniture", painted(0.38)),
        "rug": rug.mesh("rug", matt()),
        "shiny": shiny.mesh("shiny", painted(0.25)),
        "leaves": green.mesh("leaves", leafy()),
    }


def _sofa(cloth: Solid, wood: Solid, chance: np.random.Generator) -> None:
    x, low, high = 2.45, 1.5, 3.9
    cushion(cloth, (x, (low + high) / 2, 0.27), (0.95, high - low, 0.24), 0.05, CLOTH)
    cushion(cloth, (x + 0.38, (low + high) / 2, 0.52), (0.2, high - low, 0.66), 0.07, CLOTH)
    for y in (low + 0.1, high - 0.1):
        cushion(cloth, (x, y, 0.42), (0.95, 0.2, 0.46), 0.07, CLOTH)
    for y in (low + 0.66, high - 0.66):
        cushion(cloth, (x - 0.08, y, 0.46), (0.78, 0.96, 0.17), 0.06, CLOTH, chance=chance)
        cushion(cloth, (x + 0.22, y, 0.68), (0.2, 0.94, 0.42), 0.08, CLOTH, chance=chance)
    for y, color, turn in (
        (low + 0.42, "#c49a4a", 14),
        (high - 0.42, "#d9d2c4", -10),
        (high - 0.78, "#9c5b3f", -4),
    ):
        cushion(cloth, (x + 0.02, y, 0.74), (0.15, 0.44, 0.42), 0.07, linear(color), turn, chance)
    for px in (x - 0.42, x + 0.42):
        for py in (low + 0.08, high - 0.08):
            wood.box((px - 0.025, py - 0.025, 0), (px + 0.025, py + 0.025, 0.16), linear("#4a3626"))


def _armchair(cloth: Solid, wood: Solid, chance: np.random.Generator) -> None:
    color, x, y, turn = linear("#c9bda6"), -2.05, 3.55, 62
    cosine, sine = np.cos(np.radians(turn)), np.sin(np.radians(turn))

    def at(side: float, back: float, z: float) -> tuple[float, float, float]:
        return x + cosine * side - sine * back, y + sine * side + cosine * back, z

    cushion(cloth, at(0, 0, 0.32), (0.74, 0.74, 0.16), 0.05, color, turn)
    cushion(cloth, at(0, -0.02, 0.44), (0.62, 0.66, 0.15), 0.06, color, turn, chance)
    cushion(cloth, at(0, 0.33, 0.62), (0.74, 0.16, 0.6), 0.07, color, turn, chance)
    for side in (-0.36, 0.36):
        cushion(cloth, at(side, 0, 0.46), (0.11, 0.72, 0.34), 0.05, color, turn)
    for side in (-0.3, 0.3):
        for back in (-0.3, 0.3):
            cx, cy, _ = at(side, back, 0)
            wood.box((cx - 0.02, cy - 0.02, 0), (cx + 0.02, cy + 0.02, 0.26), linear("#6b4c32"))


def _rug(rug: Solid, chance: np.random.Generator) -> None:
    left, right, near, far = -1.15, 1.95, 1.15, 4.25
    rug.box((left, near, 0.0), (right, far, 0.012), np.array(LINEN) * 0.8)
    count = 260_000
    x, y = chance.uniform(left, right, count), chance.uniform(near, far, count)
    edge = np.minimum(np.minimum(x - left, right - x), np.minimum(y - near, far - y))
    line = ((edge > 0.12) & (edge < 0.15)) | ((edge > 0.2) & (edge < 0.215))
    lattice = (np.abs((x + y) % 0.5 - 0.25) < 0.016) | (np.abs((x - y) % 0.5 - 0.25) < 0.016)
    dark = line | (lattice & (edge > 0.26))
    colors = np.where(
        dark[:, None], varied(linear("#64748a"), count, chance, 0.1), varied(LINEN, count, chance, 0.08)
    )
    root = np.stack([x, y, np.full(count, 0.01)], -1)
    tip = root + np.stack(
        [0.006 * chance.standard_normal(count), 0.006 * chance.standard_normal(count), np.full(count, 0.012)], -1
    )
    turn = chance.uniform(0, np.pi, count)
    side = 0.004 * np.stack([np.cos(turn), np.sin(turn), 0 * turn], -1)
    points = np.stack([root - side, root + side, tip + side, tip - side], 1)
    faces = np.array([(0, 1, 2), (0, 2, 3)])[None] + 4 * np.arange(count)[:, None, None]
    rug.add(points, faces, np.repeat(colors, 4, 0))


def _table(wood: Solid, shiny: Solid, green: Solid, chance: np.random.Generator) -> None:
    x, y = 0.55, 2.7
    wood.box((x - 0.36, y - 0.62, 0.39), (x + 0.36, y + 0.62, 0.43), linear("#7a5436"))
    wood.box((x - 0.3, y - 0.55, 0.13), (x + 0.3, y + 0.55, 0.15), linear("#7a5436"))
    for px in (-0.32, 0.32):
        for py in (-0.58, 0.58):
            wood.box((x + px - 0.022, y + py - 0.022, 0), (x + px + 0.022, y + py + 0.022, 0.39), linear("#5b3e28"))
    for level, (color, wide, deep) in enumerate(
        (("#28485a", 0.3, 0.22), ("#c9c3b6", 0.27, 0.2), ("#9c4a3a", 0.24, 0.17))
    ):
        wood.boxes([(x - 0.08, y - 0.25, 0.447 + 0.034 * level)], (deep, wide, 0.032), linear(color))
    _vessel(
        shiny, (x + 0.08, y + 0.24, 0.43), np.array([0.045, 0.07, 0.075, 0.05, 0.03, 0.036]), 0.2, linear("#e4e0d6")
    )
    blobs = np.array([[x + 0.08, y + 0.24, 0.74, 0.14, 0.14, 0.11]])
    leaves(green, blobs, Foliage(500, 0.03, linear("#7f9468")), chance)


def _vessel(made: Solid, foot: tuple[float, float, float], radii: Numbers, height: float, color: Color) -> None:
    turn = np.linspace(0, 2 * np.pi, 41)
    profile = np.interp(np.linspace(0, len(radii) - 1, 30), range(len(radii)), radii)
    rise = np.linspace(0, height, 30)
    ring = np.stack(
        [
            np.cos(turn)[None] * profile[:, None],
            np.sin(turn)[None] * profile[:, None],
            np.repeat(rise[:, None], 41, 1),
        ],
        -1,
    )
    made.sheet((ring + np.array(foot)).astype(np.float32), color)


def _curtains(cloth: Solid) -> None:
    left, right, _, top = WINDOW
    for start, end in ((left - 0.5, left - 0.02), (right + 0.02, right + 0.5)):
        x = np.linspace(start, end, 160)
        fold = BACK - 0.16 + 0.045 * np.sin((x - start) * 62) + 0.012 * np.sin((x - start) * 23)
        levels = np.linspace(0.02, top + 0.16, 12)
        grid = [np.stack([x, fold, np.full_like(x, z)], -1) for z in levels]
        cloth.sheet(np.array(grid, np.float32), linear("#e2ddd2"))
    cloth.box((left - 0.6, BACK - 0.17, top + 0.16), (right + 0.6, BACK - 0.14, top + 0.19), linear("#3b3530"))


def _picture(wood: Solid, canvas: Solid, chance: np.random.Generator) -> None:
    """A framed painting over the sofa: soft hills in bands."""
    low, high, bottom, top = 2.0, 3.4, 1.28, 2.18
    wood.box((RIGHT - 0.035, low - 0.03, bottom - 0.03), (RIGHT, high + 0.03, top + 0.03), linear("#3a2c20"))
    rows, columns = 120, 180
    bands = [linear(each) for each in ("#51626b", "#7d8a7c", "#b59a6c", "#d8bd94", "#e4dccb")]
    hills = [0.14 + 0.19 * k + 0.05 * noise((1, columns), 5, chance, 3)[0] for k in range(4)]
    level = np.linspace(0, 1, rows)[:, None]
    index = sum((level > hill[None]).astype(int) for hill in hills)
    paint = np.array(bands)[index] * (1 + 0.06 * noise((rows, columns), 30, chance, 3))[..., None]
    y, z = np.meshgrid(np.linspace(high, low, columns), np.linspace(bottom, top, rows))
    canvas.sheet(np.stack([np.full_like(y, RIGHT - 0.037), y, z], -1).astype(np.float32), np.clip(paint, 0.02, 0.9))


def _plant(shiny: Solid, green: Solid, chance: np.random.Generator) -> None:
    x, y = 2.35, 4.45
    _vessel(shiny, (x, y, 0), np.array([0.13, 0.17, 0.2, 0.21]), 0.4, linear("#8d8378"))
    for _ in range(26):
        turn, reach, high = chance.uniform(0, 2 * np.pi), chance.uniform(0.12, 0.5), chance.uniform(0.8, 1.65)
        center = np.array([[x + np.cos(turn) * reach * 0.8, y + np.sin(turn) * reach * 0.8, high]])
        along = np.array([[np.cos(turn) * 0.14, np.sin(turn) * 0.14, 0.05 - 0.12 * chance.random()]])
        across = np.cross(along, [[0, 0, 1.0]]) * 0.62
        green.cards(center.astype(np.float32), along, across, varied(linear("#4f7343"), 1, chance, 0.15))
        stem = np.linspace([x, y, 0.35], center[0], 8) + np.sin(np.linspace(0, np.pi, 8))[:, None] * [0, 0, 0.08]
        ring = np.array([[-0.006, 0, 0], [0, 0.006, 0], [0.006, 0, 0], [0, -0.006, 0], [-0.006, 0, 0]])
        green.sheet((stem[:, None] + ring[None]).astype(np.float32), linear("#5d6b3c"))


def _lamp(shiny: Solid, cloth: Solid) -> None:
    x, y = 2.55, 1.05
    _vessel(shiny, (x, y, 0), np.array([0.15, 0.15, 0.02, 0.012]), 0.04, linear("#6d5a3a"))
    _vessel(shiny, (x, y, 0.03), np.array([0.012, 0.012]), 1.4, linear("#6d5a3a"))
    _vessel(cloth, (x, y, 1.4), np.array([0.22, 0.17]), 0.3, linear("#e6dfd0"))
