"""What was left in the empty living room: a small sofa at the wall; bags, a cushion and a ball on the floor."""

import numpy as np
from furniture import cushion
from shapes import Color, Solid, linear, matt, painted


def sofa(chance: np.random.Generator) -> dict[str, object]:
    """A sofa for two at the wall beside the window, as meshes by name."""
    cloth = Solid()
    color, left, right, back, deep = linear("#6d5f52"), 0.8, 1.95, 4.86, 0.86
    middle, front = (left + right) / 2, back - deep / 2
    cushion(cloth, (middle, front, 0.2), (right - left, deep, 0.38), 0.05, color)
    cushion(cloth, (middle, back - 0.12, 0.42), (right - left, 0.22, 0.6), 0.07, color)
    for x in (left + 0.09, right - 0.09):
        cushion(cloth, (x, front, 0.3), (0.18, deep, 0.56), 0.07, color)
    half = (right - left - 0.36) / 2
    for x in (middle - half / 2, middle + half / 2):
        cushion(cloth, (x, front - 0.05, 0.44), (half - 0.01, deep - 0.14, 0.16), 0.06, color, chance=chance)
        cushion(cloth, (x, back - 0.27, 0.62), (half - 0.02, 0.2, 0.36), 0.08, color, chance=chance)
    red = linear("#b8503f")
    cushion(cloth, (right - 0.36, back - 0.4, 0.62), (0.34, 0.13, 0.32), 0.055, red, -8, chance)
    return {"cloth": cloth.mesh("cloth", matt(), smooth=True)}


def bags(chance: np.random.Generator) -> dict[str, object]:
    """Two bags, a cushion on them and a ball on the floor, as meshes by name."""
    cloth, shiny = Solid(), Solid()
    for place, size, radius, color, turn in (
        ((1.2, 3.9, 0.22), (0.5, 0.42, 0.42), 0.12, "#8a5a6b", 20),
        ((1.62, 4.0, 0.22), (0.46, 0.4, 0.42), 0.12, "#a03f5a", -15),
        ((1.42, 3.95, 0.52), (0.44, 0.38, 0.2), 0.08, "#c49a4a", 10),
    ):
        cushion(cloth, place, size, radius, linear(color), turn, chance)
    _ball(shiny, (1.5, 3.55), 0.11, linear("#2f6fb0"))
    return {
        "cloth": cloth.mesh("cloth", matt(), smooth=True),
        "shiny": shiny.mesh("shiny", painted(0.25), smooth=True),
    }


def _ball(made: Solid, foot: tuple[float, float], radius: float, color: Color) -> None:
    down, turn = np.linspace(0, np.pi, 24)[:, None], np.linspace(0, 2 * np.pi, 33)
    points = radius * np.stack(
        [np.sin(down) * np.cos(turn), np.sin(down) * np.sin(turn), 1 - np.cos(down) + 0 * turn], -1
    )
    made.sheet((points + np.array([*foot, 0])).astype(np.float32), color)
