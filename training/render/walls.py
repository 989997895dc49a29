"""House walls with windows, doors and garage doors let into them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from engine.segmentation.labels import Kind
from training.render.labels import Label
from training.render.lamps import LampMade, wall_lamp
from training.render.panes import cell
from training.render.shapes import Material, Model, Point
from training.render.textures import Random

# How often there are lamps beside an opening, and then on each of its sides.
WITH_LAMPS = {"door": 0.85, "garage": 0.6, "glassdoor": 0.35}
ON_A_SIDE = 0.75


@dataclass(frozen=True, slots=True)
class Skin:
    """What one house is made of."""

    wall: Material
    accent: Material
    trim: Material
    roof: Material
    door: Material
    panes: Material
    bars: tuple[int, int] = (1, 1)
    frame: float = 0.07
    shutters: Material | None = None
    lamps: LampMade | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """A hole in a wall, in meters along it and up it."""

    left: float
    right: float
    low: float
    top: float
    sort: str = "window"


@dataclass(slots=True)
class Wall:
    """A wall over a stretch of ground; seen from outside it runs from left to right."""

    start: Point
    end: Point
    low: float
    top: float
    openings: list[Opening] = field(default_factory=list)

    @property
    def length(self) -> float:
        """Meters from end to end."""
        return float(np.hypot(self.end[0] - self.start[0], self.end[1] - self.start[1]))

    def spot(self, along: float, up: float, out: float = 0.0) -> tuple[float, float, float]:
        """The point so far along, up and out of the wall."""
        x, y = (self.end[0] - self.start[0]) / self.length, (self.end[1] - self.start[1]) / self.length
        return (self.start[0] + x * along + y * out, self.start[1] + y * along - x * out, up)


def build_wall(model: Model, wall: Wall, skin: Skin, material: Material, random: Random) -> None:
    """Add the wall around its openings, and what fills them."""
    holes = [each for each in wall.openings if each.left > 0.05 and each.right < wall.length - 0.05]
    alongs = sorted({0.0, wall.length, *(each.left for each in holes), *(each.right for each in holes)})
    ups = sorted({wall.low, wall.top, *(each.low for each in holes), *(each.top for each in holes)})
    for left, right in pairwise(alongs):
        for low, top in pairwise(ups):
            middle = ((left + right) / 2, (low + top) / 2)
            if not any(h.left < middle[0] < h.right and h.low < middle[1] < h.top for h in holes):
                _sheet(model, wall, Kind.BUILDING, material, (left, right, low, top), 0.0)
    for hole in holes:
        _fill(model, wall, hole, skin, random)
    _lamps(model, wall, holes, skin, random)


def _lamps(model: Model, wall: Wall, holes: Sequence[Opening], skin: Skin, random: Random) -> None:
    """Lamps of one sort beside doors and garage doors."""
    if skin.lamps is None:
        return
    turn = float(np.arctan2(wall.end[1] - wall.start[1], wall.end[0] - wall.start[0]))
    lamp = wall_lamp(random, skin.lamps)
    for hole in holes:
        if hole.sort == "window" or random.random() > WITH_LAMPS.get(hole.sort, 0):
            continue
        up = hole.low + random.uniform(1.6, 2.1)
        for along in (hole.left - random.uniform(0.25, 0.45), hole.right + random.uniform(0.25, 0.45)):
            free = not any(each.left - 0.15 < along < each.right + 0.15 for each in holes)
            if random.random() < ON_A_SIDE and free and 0.15 < along < wall.length - 0.15:
                model.place(lamp, turn, wall.spot(along, up))


def _sheet(
    model: Model, wall: Wall, kind: Label, material: Material, part: Point, out: float, picture: Point = ()
) -> None:
    left, right, low, top = part
    corners = [
        wall.spot(left, low, out),
        wall.spot(right, low, out),
        wall.spot(right, top, out),
        wall.spot(left, top, out),
    ]
    model.quad(kind, material, corners, picture)


def bar(model: Model, wall: Wall, kind: Label, material: Material, part: Point, depth: tuple[float, float]) -> None:
    """Add a box on the wall: left, right, low, top, from `depth[0]` to `depth[1]` meters out of it."""
    left, right, low, top = part
    inner, outer = depth
    near = [wall.spot(*each, outer) for each in ((left, low), (right, low), (right, top), (left, top))]
    far = [wall.spot(*each, inner) for each in ((left, low), (right, low), (right, top), (left, top))]
    model.quad(kind, material, near)
    for first in range(4):
        second = (first + 1) % 4
        model.quad(kind, material, [far[first], far[second], near[second], near[first]])


def _fill(model: Model, wall: Wall, hole: Opening, skin: Skin, random: Random) -> None:
    deep = -0.12 if hole.sort != "garage" else -0.2
    part = (hole.left, hole.right, hole.low, hole.top)
    ring = [(hole.left, hole.low), (hole.right, hole.low), (hole.right, hole.top), (hole.left, hole.top)]
    for first in range(4):
        a, b = ring[first], ring[(first + 1) % 4]
        corners = [wall.spot(*a), wall.spot(*b), wall.spot(*b, deep), wall.spot(*a, deep)]
        model.quad(Kind.BUILDING, skin.trim, corners)
    if hole.sort in ("door", "garage"):
        _sheet(model, wall, Kind.BUILDING, skin.door, part, deep)
        _panels(model, wall, hole, skin, deep, random)
        return
    _sheet(model, wall, Kind.GLASS, skin.panes, part, deep, cell(random))
    _frames(model, wall, hole, skin, deep)
    if hole.sort == "window":
        sill = (hole.left - 0.08, hole.right + 0.08, hole.low - 0.07, hole.low)
        bar(model, wall, Kind.BUILDING, skin.trim, sill, (0.0, 0.07))
        if skin.shutters is not None:
            wide = min(0.5, (hole.right - hole.left) * 0.45)
            for left in (hole.left - wide - 0.03, hole.right + 0.03):
                bar(model, wall, Kind.BUILDING, skin.shutters, (left, left + wide, hole.low, hole.top), (0, 0.04))


def _frames(model: Model, wall: Wall, hole: Opening, skin: Skin, deep: float) -> None:
    """The frame about the pane and its bars."""
    thick = skin.frame
    out = (deep, deep + 0.05)
    for part in (
        (hole.left, hole.left + thick, hole.low, hole.top),
        (hole.right - thick, hole.right, hole.low, hole.top),
        (hole.left, hole.right, hole.low, hole.low + thick),
        (hole.left, hole.right, hole.top - thick, hole.top),
    ):
        bar(model, wall, Kind.BUILDING, skin.trim, part, out)
    columns, rows = skin.bars
    wide, tall = hole.right - hole.left, hole.top - hole.low
    columns = max(columns, round(wide / 1.6)) if hole.sort != "window" else columns
    for each in range(1, columns):
        at = hole.left + wide * each / columns
        bar(model, wall, Kind.BUILDING, skin.trim, (at - 0.022, at + 0.022, hole.low, hole.top), out)
    for each in range(1, rows if hole.sort == "window" else 1):
        at = hole.low + tall * each / rows
        bar(model, wall, Kind.BUILDING, skin.trim, (hole.left, hole.right, at - 0.018, at + 0.018), out)


def _panels(model: Model, wall: Wall, hole: Opening, skin: Skin, deep: float, random: Random) -> None:
    """Lines across a garage door, panels and a small pane in a house door."""
    tall = hole.top - hole.low
    if hole.sort == "garage":
        for each in range(1, 5):
            at = hole.low + tall * each / 5
            bar(
                model,
                wall,
                Kind.BUILDING,
                skin.accent,
                (hole.left, hole.right, at - 0.015, at + 0.015),
                (deep, deep + 0.02),
            )
        return
    if random.random() < 0.6:
        pane = (hole.left + 0.15, hole.right - 0.15, hole.low + tall * 0.62, hole.top - 0.12)
        _sheet(model, wall, Kind.GLASS, skin.panes, pane, deep + 0.02, cell(random))
    for side in (hole.left - 0.1, hole.right):
        bar(model, wall, Kind.BUILDING, skin.trim, (side, side + 0.1, hole.low, hole.top + 0.1), (0, 0.04))
    bar(model, wall, Kind.BUILDING, skin.trim, (hole.left, hole.right, hole.top, hole.top + 0.1), (0, 0.04))
