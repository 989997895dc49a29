"""Drawn rooms as they are lived in: planks, skirting, doors with panels, windows with a view behind their bars."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Plane
from engine.geometry.estimation import scale_room
from engine.geometry.faces import list_faces
from engine.geometry.planes import FLOOR, get_ceiling_number, number_planes
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface
from tests.engine.seeded_rooms import HEIGHT, WIDTH, Hole, box_room
from tests.scenes import Picture

Values = NDArray[np.float32]
FINER = 2
FRAME, BAR, CASING = 0.06, 0.022, 0.08
"""Meters: a window's frame and bars, the casing of a door."""


@dataclass(frozen=True)
class LivedRoom:
    """A drawn room: its picture, camera and walls for that picture, shares of its surfaces, doors and windows."""

    picture: Picture
    room: Room
    surfaces: Plane
    holes: tuple[Hole, ...]


@cache
def lived_room(seed: int, width: int = 768) -> LivedRoom:
    """The room that box_room draws bare, `width` pixels wide."""
    box = box_room(seed)
    height = round(width * HEIGHT / WIDTH)
    fine = scale_room(box.room, FINER * width / WIDTH)
    colors, labels = _drawn(fine, box.holes, (FINER * height, FINER * width), seed)
    noise = np.random.Generator(np.random.PCG64(seed)).normal(0, 1.4, (height, width, 1))
    small = cv2.resize(colors, (width, height), interpolation=cv2.INTER_AREA)
    picture = np.clip(small + noise, 0, 255).astype(np.uint8)
    picture.setflags(write=False)
    few = labels[::FINER, ::FINER]
    return LivedRoom(
        picture, scale_room(box.room, width / WIDTH), np.eye(len(Surface), dtype=np.float32)[few], box.holes
    )


def view(seed: int, side: int = 256) -> Picture:
    """What is seen through a window: sky with clouds, trees or roofs, grass; another for each seed."""
    chance = np.random.Generator(np.random.PCG64(seed + 1000))
    coarse = chance.random((9, 9)).astype(np.float32)
    clouds = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)[..., None]
    sky = np.array((156, 196, 236), np.float32) * (1 - clouds * 0.6) + 250 * clouds * 0.6
    picture = sky.astype(np.uint8)
    horizon = round(side * chance.uniform(0.45, 0.7))
    for _ in range(int(chance.integers(5, 11))):
        x, size = int(chance.integers(side)), int(chance.integers(side // 12, side // 4))
        green = tuple(int(each) for each in chance.integers((40, 80, 30), (90, 140, 70)))
        if chance.random() < 0.4:
            wall = tuple(int(each) for each in chance.integers((130, 90, 70), (220, 200, 180)))
            cv2.rectangle(picture, (x - size // 2, horizon - size), (x + size // 2, horizon), wall, -1)
            roof = np.array(((x - size // 2 - 6, horizon - size), (x + size // 2 + 6, horizon - size),
                             (x, horizon - round(1.5 * size))))  # fmt: skip
            cv2.fillPoly(picture, [roof.astype(np.int32)], (120, 70, 60), cv2.LINE_AA)
        else:
            cv2.ellipse(picture, (x, horizon - size // 2), (size // 2, size), 0, 0, 360, green, -1, cv2.LINE_AA)
    cv2.rectangle(picture, (0, horizon), (side, side), (104, 142, 78), -1)
    return picture


def _drawn(room: Room, holes: tuple[Hole, ...], shape: tuple[int, int], seed: int) -> tuple[Values, Picture]:
    """Colors (0-255) and labels of the whole room."""
    chance = np.random.Generator(np.random.PCG64(seed + 7))
    wall = chance.uniform(160, 226) * chance.uniform((0.97, 0.96, 0.9), (1.0, 1.0, 1.0))
    wood = chance.uniform(95, 190) * chance.uniform((0.97, 0.74, 0.5), (1.0, 0.88, 0.75))
    numbers = number_planes(room, shape[1], shape[0])
    colors = np.full((*shape, 3), 232.0, np.float32)
    labels = np.full(shape, PLACE[Surface.CEILING], np.uint8)
    for number in range(get_ceiling_number(room) + 1):
        here = numbers == number
        if not here.any():
            continue
        across, up = _meters(room, number, here)
        if number == FLOOR:
            colors[here], labels[here] = _planks(across, up, wood), PLACE[Surface.FLOOR]
        elif number < get_ceiling_number(room):
            own = [hole for hole in holes if hole.wall == number - 1]
            colors[here], labels[here] = _wall(across, up, wall * (1.0, 0.92, 0.85)[number % 3], own, seed)
    return colors, labels


def _meters(room: Room, number: int, here: NDArray[np.bool_]) -> tuple[Values, Values]:
    rows, columns = np.nonzero(here)
    spots = np.linalg.inv(list_faces(room)[number].compute_homography(room)) @ np.stack(
        [columns + 0.5, rows + 0.5, np.ones(len(rows))]
    )
    return (spots[0] / spots[2]).astype(np.float32), (spots[1] / spots[2]).astype(np.float32)


def _planks(x: Values, y: Values, wood: NDArray[np.float64]) -> Values:
    column = np.floor(x / 0.16)
    along = y / 1.3 + column * 0.37
    row = np.floor(along)
    tone = 0.86 + 0.28 * np.mod(np.sin(column * 12.9898 + row * 78.233) * 43758.5453, 1)
    joint = (np.mod(x, 0.16) < 0.008) | (np.mod(along, 1) < 0.006)
    return np.asarray(np.where(joint, 0.6, tone)[:, None] * wood, np.float32)


def _wall(
    along: Values, up: Values, tone: NDArray[np.float64], holes: list[Hole], seed: int
) -> tuple[Values, NDArray[np.uint8]]:
    colors = (np.ones((len(along), 1)) * tone * (0.94 + 0.02 * up[:, None])).astype(np.float32)
    kinds = np.full(len(along), PLACE[Surface.WALL], np.uint8)
    colors[up < 0.09] = 236
    for hole in holes:
        inside = (along > hole.left) & (along < hole.right) & (up > hole.low) & (up < hole.high)
        kinds[inside] = PLACE[hole.kind]
        draw = _window if hole.kind is Surface.WINDOW else _door
        colors[inside] = draw(along[inside] - hole.left, up[inside] - hole.low, hole, seed)
    return colors, kinds


def _window(x: Values, y: Values, hole: Hole, seed: int) -> Values:
    wide, high = hole.right - hole.left, hole.high - hole.low
    seen = view(seed * 3 + hole.wall)
    side = len(seen) - 1
    colors = seen[
        np.clip((1 - y / high) * side, 0, side).astype(int), np.clip(x / wide * side, 0, side).astype(int)
    ]
    edge = np.minimum(np.minimum(x, wide - x), np.minimum(y, high - y)) < FRAME
    bars = (np.abs(x - wide / 2) < BAR) | (np.abs(y - 0.62 * high) < BAR)
    return np.asarray(np.where((edge | bars)[:, None], 240, colors), np.float32)


def _door(x: Values, y: Values, hole: Hole, _seed: int) -> Values:
    wide, high = hole.right - hole.left, hole.high - hole.low
    casing = (np.minimum(x, wide - x) < CASING) | (high - y < CASING)
    aside = np.minimum(x, wide - x)
    panels = (aside > 0.2) & (np.abs(np.mod(y / high, 0.5) - 0.25) < 0.18)
    rim = (aside > 0.18) & (np.abs(np.mod(y / high, 0.5) - 0.25) < 0.19) & ~panels
    handle = (np.abs(x - 0.14) < 0.03) & (np.abs(y - 1.02) < 0.02)
    tone = np.where(casing, 238, np.where(rim, 150, np.where(panels, 196, 206)))
    return np.asarray(np.where(handle, 60, tone)[:, None] * np.array((1.0, 0.98, 0.95)), np.float32)
