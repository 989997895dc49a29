"""Houses of blocks: walls with their openings, roofs of any form, porches and chimneys, put into a view."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import NUMBER, Label
from training import house_parts as parts
from training.house_parts import LabeledTexture, Style
from training.house_skins import DENSITY, Cladding, Map, roofed
from training.house_view import Light, View
from training.outlines import IGNORED

Random = np.random.Generator
Vector = NDArray[np.float64]
ACROSS, UP = np.array([1.0, 0, 0]), np.array([0, 0, 1.0])


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a house: where its walls stand, how high they are, its roof, and what its front has."""

    left: float
    right: float
    front: float
    back: float
    height: float
    roof: str
    pitch: float
    stories: int
    garage: bool = False
    door: bool = False

    @property
    def wide(self) -> float:
        """Along the street."""
        return self.right - self.left

    @property
    def deep(self) -> float:
        """Away from the street."""
        return self.back - self.front


@dataclass(frozen=True, slots=True)
class Finish:
    """What a house is made of, and its light."""

    walls: Cladding
    base: Cladding | None
    roof: Cladding
    style: Style
    overhang: float
    light: Light
    dappled: Map | None


def build(view: View, block: Block, finish: Finish, chance: Random) -> None:
    """Put a block's walls and roof into the view."""
    rise = np.tan(block.pitch) * (block.wide / 2 if block.roof == "gable" else block.deep / 2)
    front = wall(finish, block.wide, block.height, rise if block.roof == "gable" else 0, chance)
    fill_front(front, block, finish.style, chance)
    _shade_eaves(front, finish, np.array([0, -1.0, 0]), rise if block.roof == "gable" else 0)
    top = block.height + (rise if block.roof == "gable" else 0)
    view.put(front, np.array([block.left, block.front, top]), ACROSS, -UP, finish.light)
    sides = rise if block.roof == "ridge" else 0
    for corner, way in (
        (np.array([block.left, block.back, block.height + sides]), np.array([0, -1.0, 0])),
        (np.array([block.right, block.front, block.height + sides]), np.array([0, 1.0, 0])),
    ):
        side = wall(finish, block.deep, block.height, sides, chance)
        windows(side, block.deep, block.height, block.stories, finish.style, chance)
        _shade_eaves(side, finish, np.cross(-UP, way), sides)
        view.put(side, corner, way, -UP, finish.light)
    cover(view, block, finish, rise, chance)


def wall(finish: Finish, wide: float, height: float, gable: float, chance: Random) -> LabeledTexture:
    """A bare wall, with a gable's triangle above where it has one."""
    rows, columns = max(round((height + gable) * DENSITY), 2), max(round(wide * DENSITY), 2)
    texture = LabeledTexture.of(finish.walls.laid(rows, columns, chance), Label.FACADE)
    if finish.base:
        low = rows - round(0.9 * DENSITY)
        texture.color[low:] = finish.base.laid(rows - low, columns, chance)
    if finish.dappled is not None:
        spots = cv2.resize(finish.dappled, (columns, rows))
        texture.color *= spots[..., None]
    edge = round(0.1 * DENSITY)
    if chance.random() < 0.4:
        texture.color[:, :edge] = texture.color[:, -edge:] = finish.style.trim
    if gable:
        points = np.array([[0, 0], [columns / 2, 0], [0, gable * DENSITY]])
        for corner in (points, np.array([[columns, 0], [columns / 2, 0], [columns, gable * DENSITY]])):
            cv2.fillPoly(texture.there, [np.round(corner).astype(np.int32)], 0)
        _attic(texture, wide, gable, finish.style, chance)
    return texture


def _attic(texture: LabeledTexture, wide: float, gable: float, style: Style, chance: Random) -> None:
    """A vent or a window in the gable."""
    if gable > 1.6 and chance.random() < 0.4:
        parts.window(texture, (wide / 2 - 0.4, gable * 0.55, 0.8, min(gable * 0.4, 1.1)), style, chance)
    elif gable > 0.9 and chance.random() < 0.5:
        size = min(0.5, gable / 3)
        texture.box((wide / 2 - size / 2, gable * 0.5, size, size * 1.3), style.trim)
        for slat in range(6):
            texture.box(
                (wide / 2 - size * 0.4, gable * 0.5 + 0.03 + slat * size / 5, size * 0.8, 0.03), style.trim * 0.35
            )


def _shade_eaves(texture: LabeledTexture, finish: Finish, normal: Vector, gable: float) -> None:
    """The shadow that the roof's overhang casts on a wall in the sun."""
    facing = float(normal @ finish.light.way)
    left = finish.light.shaded(normal)
    if gable or facing < 0.05 or left > 0.97:
        texture.shade((-1, gable - 0.1, 90, 0.4), 0.75, 0.15)
        return
    deep = min(finish.overhang * float(finish.light.way[2]) / facing, 2.5)
    texture.shade((-1, -1, 90, 1 + deep), left, 0.02)


def fill_front(texture: LabeledTexture, block: Block, style: Style, chance: Random) -> None:
    """Windows, doors and garage doors of a front, story by story."""
    top = texture.labels.shape[0] / DENSITY - block.height
    if block.garage:
        count = 2 if block.wide > 7.5 else 1
        for number in range(count):
            room = block.wide / count
            wide = min(room - 0.7, chance.choice((2.5, 4.9)))
            spot = (number * room + (room - wide) / 2, top + block.height - 2.25, wide, 2.2)
            parts.garage_door(texture, spot, style, chance)
        if block.stories == 1:
            _confuse(texture, block, top, chance)
            return
    stories = range(1, block.stories) if block.garage else range(block.stories)
    slots = max(1, int(block.wide / chance.uniform(2.2, 3.4)))
    at = int(chance.integers(slots)) if block.door else -1
    size = chance.uniform(0.9, 2.3), chance.uniform(1.0, 1.7)
    for story in stories:
        floor = top + block.height - story * 2.8
        for slot in range(slots):
            middle, room = (slot + 0.5) * block.wide / slots, block.wide / slots
            if story == 0 and slot == at:
                wide = float(chance.choice((0.95, 1.05, 1.7), p=(0.5, 0.35, 0.15)))
                parts.door(texture, (middle - wide / 2, floor - 2.2, wide, 2.1), style, chance)
                continue
            if chance.random() < 0.1:
                continue
            wide, tall = (min(size[0], room - 0.9), size[1]) if chance.random() < 0.8 else (0.6, 0.7)
            wide = max(wide, 0.5)
            if story == 0 and chance.random() < 0.12 and room > 2.6:
                wide, tall = 2.0, 2.05
            shuttered = room - wide > 1.1 and tall > 0.9
            parts.window(texture, (middle - wide / 2, floor - 2.15, wide, tall), style, chance, shuttered)
    _confuse(texture, block, top, chance)


def _confuse(texture: LabeledTexture, block: Block, top: float, chance: Random) -> None:
    """Small things on free wall."""
    for _ in range(chance.integers(0, 7)):
        left, above = chance.uniform(0.1, max(block.wide - 0.9, 0.2)), top + block.height - chance.uniform(0.8, 2.3)
        rows = slice(max(int(above * DENSITY), 0), int((above + 0.5) * DENSITY))
        free = texture.labels[rows, int(left * DENSITY) : int((left + 0.75) * DENSITY)]
        if (free == NUMBER[Label.FACADE]).all():
            parts.confuse(texture, (left, above, 0, 0), chance)


def windows(
    texture: LabeledTexture, wide: float, height: float, stories: int, style: Style, chance: Random
) -> None:
    """A few windows in a side wall."""
    top = texture.labels.shape[0] / DENSITY - height
    for story in range(stories):
        for slot in range(max(1, int(wide / 3.5))):
            if chance.random() < 0.5:
                left = (slot + 0.5) * wide / max(1, int(wide / 3.5)) - 0.5
                spot = (
                    left,
                    top + height - story * 2.8 - 2.15,
                    chance.uniform(0.6, 1.4),
                    chance.uniform(0.7, 1.5),
                )
                parts.window(texture, spot, style, chance, chance.random() < 0.3)


def cover(view: View, block: Block, finish: Finish, rise: float, chance: Random) -> None:
    """Put the roof on: its slopes, and boards along the eaves."""
    out, tan = finish.overhang, np.tan(block.pitch)
    eaves, ridge = block.height - out * tan, block.height + rise
    left, right, front, back = block.left - out, block.right + out, block.front - out, block.back + out
    center, mid = (left + right) / 2, (front + back) / 2
    if block.roof == "flat":
        fascia(view, (block.left - 0.06, block.right + 0.06, block.front - 0.06), block.height + 0.1, finish)
        return
    if block.roof == "gable":
        for low, end in ((left, -1.0), (right, 1.0)):
            corners = [(center, back, ridge), (center, front, ridge), (low, front, eaves), (low, back, eaves)]
            slope(view, corners if end < 0 else [corners[i] for i in (1, 0, 3, 2)], finish, chance)
        _barge(view, (left, right, front), (eaves, ridge), finish)
        return
    run = 0.0 if block.roof == "ridge" else min(mid - front, (right - left) / 2)
    top = ridge if block.roof == "ridge" else min(ridge, eaves + run * tan)
    slope(view, [(left + run, mid, top), (right - run, mid, top), (right, front, eaves), (left, front, eaves)],
          finish, chance, chance.random() < 0.12)  # fmt: skip
    if run:
        slope(view, [(left + run, mid, top), (left + run, mid, top), (left, front, eaves), (left, back, eaves)],
              finish, chance)  # fmt: skip
        slope(view, [(right - run, mid, top)] * 2 + [(right, back, eaves), (right, front, eaves)], finish, chance)
    fascia(view, (left, right, front), eaves + 0.04, finish)


def slope(
    view: View, corners: list[tuple[float, ...]], finish: Finish, chance: Random, solar: bool = False
) -> None:
    """A slope by its corners, clockwise from the upper left one as seen from outside."""
    points = np.array(corners)
    along = points[2] - points[3]
    along = along / np.linalg.norm(along)
    fall = points[3] - points[0]
    down = fall - (fall @ along) * along
    length = float(np.linalg.norm(down))
    down = down / length
    flat = np.column_stack([(points - points[3]) @ along, (points - points[0]) @ down])
    first = flat[:, 0].min()
    flat[:, 0] -= first
    rows, columns = max(round(length * DENSITY), 2), max(round(flat[:, 0].max() * DENSITY), 2)
    texture = LabeledTexture.of(roofed(finish.roof, rows, columns, chance), Label.ROOF)
    if solar:
        _panels(texture, flat[:, 0].max(), length)
    texture.there[:] = 0
    cv2.fillPoly(texture.there, [np.round(flat * DENSITY).astype(np.int32)], 1)
    corner = points[3] + along * first - down * ((points[3] - points[0]) @ down)
    view.put(texture, corner, along, down, finish.light)


def _panels(texture: LabeledTexture, wide: float, tall: float) -> None:
    """Solar panels: dark, shining, and roof all the same."""
    for row in range(int((tall - 0.8) / 1.7)):
        for column in range(min(int((wide * 0.5) / 1.05), 7)):
            spot = (wide * 0.25 + column * 1.05, 0.5 + row * 1.7, 1.0, 1.64)
            texture.box(spot, np.array((0.02, 0.035, 0.08), np.float32), own=0.4)
            for line in range(1, 6):
                texture.box((spot[0] + line / 6, spot[1], 0.018, 1.64), np.array((0.1, 0.12, 0.16), np.float32))


def fascia(view: View, where: tuple[float, float, float], top: float, finish: Finish, tall: float = 0.15) -> None:
    """The board or gutter along the eaves: between roof and wall, judged by nobody."""
    left, right, front = where
    color = np.ones((round(tall * DENSITY), round((right - left) * DENSITY), 3), np.float32) * finish.style.trim
    color[-2:] *= 0.5
    texture = LabeledTexture.of(color, Label.FACADE)
    texture.labels[:] = IGNORED
    view.put(texture, np.array([left, front, top]), ACROSS, -UP, finish.light)


def _barge(view: View, where: tuple[float, float, float], heights: tuple[float, float], finish: Finish) -> None:
    """Boards along a gable's slopes."""
    left, right, front = where
    eaves, ridge = heights
    columns, rows = round((right - left) * DENSITY), round((ridge - eaves + 0.25) * DENSITY)
    texture = LabeledTexture.of(np.ones((rows, columns, 3), np.float32) * finish.style.trim, Label.FACADE)
    texture.labels[:] = IGNORED
    texture.there[:] = 0
    tall = round(0.17 * DENSITY)
    line = np.array([[0, rows - tall], [columns / 2, 0], [columns, rows - tall]], np.int32)
    points = np.concatenate([line, line[::-1] + np.array([0, tall])])
    cv2.fillPoly(texture.there, [points.astype(np.int32)], 1)
    view.put(texture, np.array([left, front, ridge + 0.03]), ACROSS, -UP, finish.light)


def porch(view: View, where: tuple[float, float, float], deep: float, finish: Finish, chance: Random) -> None:
    """A roof on posts before the wall."""
    left, right, front = where
    low, high, edge = 2.45, 2.45 + 0.35 * deep, front - deep
    slope(view, [(left, front, high), (right, front, high), (right, edge - 0.2, low), (left, edge - 0.2, low)],
          finish, chance)  # fmt: skip
    fascia(view, (left, right, edge - 0.2), low + 0.04, finish, 0.22)
    thick = chance.uniform(0.1, 0.4)
    post = np.ones((round(low * DENSITY), round(thick * DENSITY), 3), np.float32) * finish.style.trim
    post *= np.linspace(1.0, 0.75, post.shape[1])[None, :, None]
    count = max(2, round((right - left) / chance.uniform(1.8, 3.5)) + 1)
    for place in np.linspace(left + 0.05, right - thick - 0.05, count):
        view.put(
            LabeledTexture.of(post.astype(np.float32), Label.FACADE),
            np.array([place, edge, low]),
            ACROSS,
            -UP,
            finish.light,
        )


def chimney(view: View, block: Block, finish: Finish, skin: Cladding, chance: Random) -> None:
    """A chimney that stands on the ridge."""
    wide, place = chance.uniform(0.6, 1.2), chance.uniform(block.left + 0.5, block.right - 1.5)
    mid = (block.front + block.back) / 2
    top = block.height + np.tan(block.pitch) * min(block.deep, block.wide) / 2 + chance.uniform(0.3, 1.1)
    tall = round(3 * DENSITY)
    for corner, way in ((np.array([place, mid - 0.3, top]), ACROSS),
                        (np.array([place, mid + 0.4, top]), np.array([0, -1.0, 0])),
                        (np.array([place + wide, mid - 0.3, top]), np.array([0, 1.0, 0]))):  # fmt: skip
        texture = LabeledTexture.of(
            skin.laid(tall, round((wide if way is ACROSS else 0.7) * DENSITY), chance), Label.FACADE
        )
        texture.color[: round(0.12 * DENSITY)] *= 0.5
        view.put(texture, corner, way, -UP, finish.light)
