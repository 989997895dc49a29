"""The house: clapboard, shingles and brick piece by piece, windows with rooms behind them, a porch, a garage."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from shapes import Color, Numbers, Solid, linear, varied

BOARD = 0.16
WHITE, TRIM, DARK = linear("#e6e3da"), linear("#f3f1ec"), linear("#2b2f33")
SLATE, BRICK, MORTAR = linear("#4c4b4d"), linear("#8a5444"), linear("#b8ada0")
DOOR, WOOD, CURTAIN = linear("#7c3b2b"), linear("#8b6b4a"), linear("#ddd8cc")
Opening = tuple[float, float, float, float]  # left, right, bottom, top


class House:
    """Its parts by material; `chance` decides on every small difference."""

    def __init__(self, chance: np.random.Generator) -> None:
        self.chance = chance
        self.walls, self.trim, self.roof = Solid(), Solid(), Solid()
        self.stone, self.inside, self.glass, self.door = Solid(), Solid(), Solid(), Solid()
        self._build()

    def _build(self) -> None:
        self._gable_block()
        self._main_block()
        self._porch()
        self._garage()
        self._chimney()

    # What the blocks are made of

    def _boards(
        self, span: tuple[float, float], y: float, levels: tuple[float, float], holes: Sequence[Opening]
    ) -> None:
        """Clapboard on a front wall: each board leans over the one below it, and stops at openings."""
        tilt = np.arctan2(0.016, BOARD)
        axes = np.array([[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]])
        for bottom in np.arange(levels[0], levels[1] - 0.01, BOARD):
            middle = bottom + BOARD / 2
            crossing = sorted((o[0], o[1]) for o in holes if o[2] < middle < o[3])
            edges = [span[0], *(x for pair in crossing for x in pair), span[1]]
            for left, right in zip(edges[::2], edges[1::2], strict=True):
                size = (right - left, 0.02, BOARD * 1.12)
                self.walls.boxes(
                    [((left + right) / 2, y, middle)], size, varied(WHITE, 1, self.chance, 0.02, 0.006), axes[None]
                )

    def _battens(
        self,
        span: tuple[float, float],
        y: float,
        top: Callable[[float], float],
        bottom: float,
        holes: Sequence[Opening],
    ) -> None:
        """Boards and battens up to a slope."""
        edges = np.arange(span[0], span[1] + 0.01, 0.2)
        for left, right in pairwise(edges):
            middle = (left + right) / 2
            levels = [
                bottom,
                *(z for o in sorted(holes, key=lambda o: o[2]) if o[0] < middle < o[1] for z in o[2:]),
                top(middle),
            ]
            for low, high in zip(levels[::2], levels[1::2], strict=True):
                self.walls.box((left, y, low), (right, y + 0.05, high), varied(WHITE, 1, self.chance, 0.02, 0.006))
                if round((left - span[0]) / 0.2) % 2 == 0:
                    self.walls.box((left - 0.025, y - 0.03, low), (left + 0.025, y, high), WHITE)

    def _window(
        self, y: float, opening: Opening, panes: tuple[int, int] = (2, 3), curtain: float = 0.26, blind: float = 0.0
    ) -> None:
        """Frame, bars and glass; behind them curtains, perhaps a blind, and a dim room."""
        left, right, bottom, top = opening
        for low, high in (
            ((left - 0.12, bottom - 0.02), (left + 0.03, top)),
            ((right - 0.03, bottom - 0.02), (right + 0.12, top)),
            ((left - 0.15, top - 0.03), (right + 0.15, top + 0.16)),
            ((left - 0.17, bottom - 0.09), (right + 0.17, bottom + 0.03)),
        ):
            self.trim.box((low[0], y - 0.06, low[1]), (high[0], y + 0.1, high[1]), TRIM)
        self.trim.box((left - 0.2, y - 0.12, bottom - 0.06), (right + 0.2, y, bottom - 0.02), TRIM)
        middle = (bottom + top) / 2
        self.trim.box((left, y + 0.02, middle - 0.03), (right, y + 0.09, middle + 0.03), TRIM)
        for each in range(1, panes[0]):
            x = left + (right - left) * each / panes[0]
            self.trim.box((x - 0.011, y + 0.04, bottom), (x + 0.011, y + 0.07, top), TRIM)
        self.glass.sheet(_upright(left, right, y + 0.055, bottom, top), (1, 1, 1))
        self._behind(y, opening, curtain, blind)

    def _behind(self, y: float, opening: Opening, curtain: float, blind: float) -> None:
        left, right, bottom, top = opening
        for start, way in ((left, 1), (right, -1)):
            across = np.linspace(0, curtain * (right - left), 40)
            x = start + way * across
            fold = y + 0.22 + 0.035 * np.sin(across * 46 + start)
            grid = [np.stack([x, fold, np.full_like(x, z)], -1) for z in (bottom - 0.3, top + 0.2)]
            self.inside.sheet(np.array(grid, np.float32), CURTAIN)
        if blind:
            self.inside.sheet(_upright(left, right, y + 0.16, top - blind * (top - bottom), top), linear("#e8e4da"))

    def _slope(
        self, low: tuple[Sequence[float], Sequence[float]], high: tuple[Sequence[float], Sequence[float]]
    ) -> None:
        """Shingles on the plane between an eave (two ends) and a ridge (two ends), row over row."""
        eave, ridge = np.array(low, float), np.array(high, float)
        long = np.linalg.norm(ridge.mean(0) - eave.mean(0))
        up = (ridge.mean(0) - eave.mean(0)) / long
        across = (eave[1] - eave[0]) / np.linalg.norm(eave[1] - eave[0])
        normal = np.cross(across, up)
        normal *= np.sign(normal[2])
        for row, at in enumerate(np.arange(0.0, long, 0.15)):
            start = eave[0] + (ridge[0] - eave[0]) * at / long
            width = np.linalg.norm(eave[1] + (ridge[1] - eave[1]) * at / long - start)
            x = np.arange(-0.15 * (row % 2), width, 0.3)
            x = np.clip(x + self.chance.uniform(-0.03, 0.03, len(x)), 0, width)
            ends = np.clip(np.append(x[1:], width), 0, width) - 0.006
            thick = 0.014 + 0.008 * self.chance.random(len(x))
            centers = start + across * ((x + ends) / 2)[:, None] + up * 0.1 + normal * (0.01 + thick / 2)[:, None]
            sizes = np.stack([np.maximum(ends - x, 0.001), np.full(len(x), 0.24), thick], -1)
            lean = up * 0.998 - normal * 0.06
            axes = np.array([across, lean / np.linalg.norm(lean), normal])
            self.roof.boxes(centers, sizes, varied(SLATE, len(x), self.chance, 0.17, 0.03), axes[None])
        corners = np.array([eave, ridge]) - normal * 0.02
        self.roof.sheet(corners.astype(np.float32), np.array(SLATE) * 0.6)

    def _bricks(self, low: Sequence[float], high: Sequence[float]) -> None:
        """A front of bricks on a core of mortar."""
        self.stone.box(low, high, MORTAR)
        for row, z in enumerate(np.arange(low[2], high[2] - 0.04, 0.075)):
            x = np.arange(low[0] - 0.11 * (row % 2), high[0], 0.22)
            left, right = np.clip(x, low[0], high[0]), np.clip(x + 0.21, low[0], high[0])
            centers = np.stack(
                [(left + right) / 2, np.full(len(x), low[1] - 0.003), np.full(len(x), z + 0.033)], -1
            )
            sizes = np.stack([np.maximum(right - left, 0.001), np.full(len(x), 0.03), np.full(len(x), 0.064)], -1)
            self.stone.boxes(centers, sizes, varied(BRICK, len(x), self.chance, 0.18, 0.05))

    def _room(self, left: float, right: float, y: float, bottom: float, top: float) -> None:
        """Walls, floor and ceiling of what is seen through a window."""
        wall = linear("#b9b2a4")
        self.inside.sheet(_upright(left, right, y + 3.4, bottom, top), np.array(wall) * 0.6)
        for x in (left, right):
            self.inside.box((x - 0.02, y + 0.12, bottom), (x + 0.02, y + 3.4, top), np.array(wall) * 0.6)
        self.inside.box((left, y + 0.12, bottom - 0.05), (right, y + 3.4, bottom), linear("#6a5039"))
        self.inside.box((left, y + 0.12, top), (right, y + 3.4, top + 0.05), wall)

    # The blocks

    def _gable_block(self) -> None:
        left, right, y, eave = -7.0, -1.6, -1.4, 5.2
        middle, rise = (left + right) / 2, np.tan(np.radians(44))
        lower, upper, attic = (-5.6, -3.0, 1.04, 2.8), (-5.1, -3.5, 3.76, 5.2), (-4.62, -3.98, 6.1, 6.9)
        self._battens((left, right), y, lambda x: eave + (2.7 - abs(x - middle)) * rise, 0.4, [lower, upper, attic])
        self.walls.box((right - 0.05, y, 0.4), (right, 0.6, eave - 0.3), WHITE)
        self.walls.box((left, y, 0.4), (left + 0.05, 8, eave), WHITE)
        self._window(y, (lower[0], -4.36, *lower[2:]))
        self._window(y, (-4.24, lower[1], *lower[2:]))
        self._window(y, upper, (3, 3), 0.2)
        self._window(y, attic, (2, 2), 0.0, 1.0)
        self._room(left, right, y, 0.45, 3.0)
        self._room(left + 0.5, right - 0.5, y, 3.2, 5.4)
        for side in (-1, 1):
            out, over = middle + side * 3.1, eave - 0.4 * rise
            self._slope(
                ((out, y - 0.4, over), (out, 8.4, over)),
                ((middle, y - 0.4, eave + 2.7 * rise), (middle, 8.4, eave + 2.7 * rise)),
            )
            ends = np.array([(out, over), (middle, eave + 2.7 * rise)])
            long = np.linalg.norm(ends[1] - ends[0])
            way = (ends[1] - ends[0]) / long
            axes = np.array([[way[0], 0, way[1]], [0, 1, 0], [-way[1], 0, way[0]]])
            center = (ends.mean(0)[0], y - 0.4, ends.mean(0)[1] - 0.1)
            self.trim.boxes([center], (long + 0.05, 0.05, 0.24), TRIM, axes[None])
        for x in (left, right):
            self.trim.box((x - 0.08, y - 0.03, 0.4), (x + 0.08, y + 0.06, eave), TRIM)
        self._bricks((left, y - 0.05, 0), (right, y + 0.1, 0.42))

    def _main_block(self) -> None:
        left, right, y, eave = -1.6, 6.2, 0.0, 5.2
        uppers = [(0.5, 1.7, 3.76, 5.04), (3.3, 4.5, 3.76, 5.04)]
        door, lowers = (-0.4, 1.0, 0.45, 2.9), [(1.9, 3.2, 1.04, 2.8), (3.9, 5.2, 1.04, 2.8)]
        self._boards((left, right), y, (0.4, eave), [*uppers, door, *lowers])
        for opening in uppers:
            self._window(y, opening, (2, 3), 0.2, 0.3)
        for opening in lowers:
            self._window(y, opening)
        self._room(left, right, y, 0.45, 3.0)
        self._room(left, right, y, 3.2, 5.4)
        top = eave + 4.4 * np.tan(np.radians(34)) - 0.25
        self._slope(
            ((left - 3, y - 0.45, eave - 0.05), (right + 0.4, y - 0.45, eave - 0.05)),
            ((left - 3, 4, top), (right + 0.4, 4, top)),
        )
        self.trim.box((left, y - 0.5, eave - 0.2), (right + 0.4, y - 0.44, eave), TRIM)
        self.trim.box((left, y - 0.45, eave - 0.12), (right + 0.4, y, eave - 0.08), TRIM)
        self.trim.box((right - 0.1, y - 0.03, 0.4), (right + 0.08, y + 0.06, eave), TRIM)
        self._gutter(left, right + 0.4, y - 0.55, eave - 0.02)
        self.walls.box((right - 0.05, 0, 0.4), (right, 8, eave + 0.3), WHITE)
        self._front_door(door)

    def _gutter(self, left: float, right: float, y: float, z: float) -> None:
        self.trim.box((left, y - 0.07, z - 0.1), (right, y + 0.05, z), TRIM)

    def _front_door(self, opening: Opening) -> None:
        left, right, bottom, _ = opening
        top, middle = 2.55, (left + right) / 2
        self.door.box((middle - 0.48, 0.02, bottom), (middle + 0.48, 0.08, top), DOOR)
        for x in (middle - 0.22, middle + 0.22):
            for low, high in ((0.62, 1.3), (1.42, 1.9)):
                self.door.box((x - 0.16, -0.005, low), (x + 0.16, 0.03, high), DOOR)
        for x in (left + 0.04, right - 0.04):
            self.trim.box((x - 0.05, -0.06, bottom), (x + 0.05, 0.1, top + 0.35), TRIM)
        for x in (middle - 0.53, middle + 0.53):
            self.trim.box((x - 0.045, -0.04, bottom), (x + 0.045, 0.1, top + 0.1), TRIM)
        self.trim.box((left - 0.1, -0.08, top + 0.3), (right + 0.1, 0.1, top + 0.5), TRIM)
        self.trim.box((left, -0.04, top), (right, 0.1, top + 0.08), TRIM)
        self.glass.sheet(_upright(middle - 0.34, middle + 0.34, -0.008, 2.0, 2.42), (1, 1, 1))
        self.trim.box((middle - 0.38, -0.002, 1.96), (middle + 0.38, 0.03, 2.46), DOOR)
        self.door.box((middle + 0.36, -0.08, 1.3), (middle + 0.4, 0.0, 1.5), linear("#b7965c"))
        for low, high in ((left, middle - 0.57), (middle + 0.57, right), (left, right)):
            levels = (bottom + 0.1, top) if high - low < 1 else (top + 0.08, top + 0.3)
            self.glass.sheet(_upright(low, high, 0.04, *levels), (1, 1, 1))
        for x in (left - 0.35, right + 0.3):
            self.door.box((x - 0.07, -0.16, 2.0), (x + 0.07, -0.02, 2.3), DARK)

    def _porch(self) -> None:
        left, right, front = -1.55, 6.2, -2.3
        self._bricks((left, front, 0), (right, front + 0.2, 0.36))
        planks = np.arange(front - 0.05, 0, 0.14)
        centers = np.stack(
            [np.full(len(planks), (left + right) / 2), planks + 0.065, np.full(len(planks), 0.4)], -1
        )
        self.stone.boxes(
            centers,
            (right - left + 0.1, 0.13, 0.06),
            varied(linear("#8c8a86"), len(planks), self.chance, 0.06, 0.01),
        )
        for x in (left + 0.25, 1.65, 3.85, right - 0.2):
            self.trim.box((x - 0.11, front + 0.06, 0.42), (x + 0.11, front + 0.28, 2.86), TRIM)
            for low, high in ((0.42, 0.66), (2.66, 2.8)):
                self.trim.box((x - 0.15, front + 0.02, low), (x + 0.15, front + 0.32, high), TRIM)
        self.trim.box((left, front + 0.04, 2.8), (right, front + 0.3, 3.06), TRIM)
        self.trim.box((left, front, 2.98), (right, 0, 3.02), linear("#c9d3d3"))
        self._slope(
            ((left, front - 0.3, 3.06), (right + 0.15, front - 0.3, 3.06)),
            ((left, 0, 3.72), (right + 0.15, 0, 3.72)),
        )
        self._gutter(left, right + 0.15, front - 0.36, 3.1)
        for step in range(3):
            y = front - 0.05 - 0.32 * (3 - step)
            self.stone.box((-0.7, y, 0), (1.3, front, 0.13 * (step + 1) - 0.02), linear("#a9a297"))
        for start, end in ((left + 0.36, -0.75), (1.76, 3.74), (3.96, right - 0.31)):
            self._railing(start, end, front + 0.17)

    def _railing(self, left: float, right: float, y: float) -> None:
        for z in (0.56, 1.3):
            self.trim.box((left, y - 0.035, z - 0.03), (right, y + 0.035, z + 0.03), TRIM)
        x = np.arange(left + 0.08, right - 0.04, 0.12)
        centers = np.stack([x, np.full(len(x), y), np.full(len(x), 0.93)], -1)
        self.trim.boxes(centers, (0.03, 0.03, 0.72), TRIM)

    def _garage(self) -> None:
        left, right, y, eave = 6.2, 12.2, 1.2, 3.1
        door = (6.95, 11.45, 0.0, 2.48)
        self._boards((left, right), y, (0.0, eave), [door])
        top = eave + 3.4 * np.tan(np.radians(32)) - 0.2
        self._slope(
            ((left, y - 0.45, eave), (right + 0.35, y - 0.45, eave)),
            ((left, y + 3.4, top), (right + 0.35, y + 3.4, top)),
        )
        self.trim.box((left, y - 0.5, eave - 0.16), (right + 0.35, y - 0.44, eave + 0.03), TRIM)
        self.trim.box((left, y - 0.45, eave - 0.1), (right + 0.35, y, eave - 0.07), TRIM)
        self._gutter(left, right + 0.35, y - 0.55, eave + 0.03)
        self.walls.box((right - 0.05, y, 0), (right, y + 6, eave + 0.1), WHITE)
        for x in (left + 0.06, right):
            self.trim.box((x - 0.08, y - 0.03, 0), (x + 0.08, y + 0.06, eave), TRIM)
        self._garage_door(y, door)
        for x in (door[0] - 0.35, door[1] + 0.35):
            self.door.box((x - 0.08, y - 0.17, 2.0), (x + 0.08, y - 0.02, 2.36), DARK)

    def _garage_door(self, y: float, opening: Opening) -> None:
        left, right, bottom, top = opening
        gray = linear("#d9d8d2")
        self.door.box((left, y + 0.1, bottom), (right, y + 0.14, top), gray)
        for x in np.linspace(left, right, 5)[:-1]:
            for row in range(3):
                low = bottom + 0.08 + row * 0.62
                self.door.box((x + 0.1, y + 0.075, low), (x + 1.02, y + 0.11, low + 0.5), gray)
            self.door.box((x + 0.08, y + 0.085, 1.93), (x + 1.04, y + 0.11, 2.42), TRIM)
            self.inside.box((x + 0.12, y + 0.075, 1.97), (x + 1.0, y + 0.09, 2.38), linear("#1d2226"))
            self.glass.sheet(_upright(x + 0.12, x + 1.0, y + 0.07, 1.97, 2.38), (1, 1, 1))
        for low, high in (
            ((left - 0.14, 0.0), (left, top)),
            ((right, 0.0), (right + 0.14, top)),
            ((left - 0.18, top), (right + 0.18, top + 0.2)),
        ):
            self.trim.box((low[0], y - 0.05, low[1]), (high[0], y + 0.12, high[1]), TRIM)

    def _chimney(self) -> None:
        self._bricks((4.3, 3.4, 6.6), (5.3, 4.4, 9.0))
        self.stone.box((4.22, 3.32, 9.0), (5.38, 4.48, 9.1), linear("#9c958b"))


def _upright(left: float, right: float, y: float, bottom: float, top: float) -> Numbers:
    return np.array([[(left, y, bottom), (right, y, bottom)], [(left, y, top), (right, y, top)]], np.float32)


__all__ = ["Color", "House"]
