"""Roofs over a rectangle of walls: gable, hip, lean-to and flat, with eaves, gutters, chimneys and dormers."""

from dataclasses import dataclass

import numpy as np

from engine.segmentation.labels import Kind
from training.render.shapes import Material, Model
from training.render.textures import Random
from training.render.walls import Opening, Skin, Wall, build_wall


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle of ground (left, front, right, back) with walls from `low` to `top`, meters."""

    left: float
    front: float
    right: float
    back: float
    low: float
    top: float


def gable(model: Model, block: Block, skin: Skin, pitch: float, eaves: float) -> float:
    """A ridge from left to right; returns its height. Pitch is rise over run."""
    half = (block.back - block.front) / 2
    middle = block.front + half
    ridge = block.top + half * pitch
    for side in (block.left, block.right):
        corners = [(side, block.front, block.top), (side, block.back, block.top), (side, middle, ridge)]
        model.add(Kind.BUILDING, skin.wall, np.array([corners], np.float32))
    left, right = block.left - eaves, block.right + eaves
    drop = eaves * pitch
    for edge, out in ((block.front, -eaves), (block.back, eaves)):
        low = (edge + out, block.top - drop)
        _slab(model, skin, [(left, *low), (right, *low), (right, middle, ridge), (left, middle, ridge)])
        _gutter(model, skin.trim, (left, right), low)
    for side in (left, right):
        for edge, out in ((block.front, -eaves), (block.back, eaves)):
            _board(model, skin.trim, (side, edge + out, block.top - drop), (side, middle, ridge))
    return ridge


def hip(model: Model, block: Block, skin: Skin, pitch: float, eaves: float) -> float:
    """Four slopes; returns the ridge's height."""
    left, right = block.left - eaves, block.right + eaves
    front, back = block.front - eaves, block.back + eaves
    half = min(right - left, back - front) / 2
    low = block.top - 0.02
    ridge = low + half * pitch
    first, second = (left + half, (front + back) / 2, ridge), (right - half, (front + back) / 2, ridge)
    if right - left < back - front:
        first, second = ((left + right) / 2, front + half, ridge), ((left + right) / 2, back - half, ridge)
        _slab(model, skin, [(left, back, low), (left, front, low), first, second])
        _slab(model, skin, [(right, front, low), (right, back, low), second, first])
        model.add(
            Kind.BUILDING, skin.roof, np.array([[(left, front, low), (right, front, low), first]], np.float32)
        )
        model.add(Kind.BUILDING, skin.roof, np.array([[(right, back, low), (left, back, low), second]], np.float32))
    else:
        _slab(model, skin, [(left, front, low), (right, front, low), second, first])
        _slab(model, skin, [(right, back, low), (left, back, low), first, second])
        model.add(Kind.BUILDING, skin.roof, np.array([[(left, back, low), (left, front, low), first]], np.float32))
        model.add(
            Kind.BUILDING, skin.roof, np.array([[(right, front, low), (right, back, low), second]], np.float32)
        )
    model.box(Kind.BUILDING, skin.trim, (left, front, low - 0.16), (right, back, low - 0.01))
    return ridge


def lean(model: Model, block: Block, skin: Skin, pitch: float, eaves: float) -> float:
    """One slope rising towards the back; returns its height."""
    rise = (block.back - block.front) * pitch
    left, right = block.left - eaves, block.right + eaves
    low = (block.front - eaves, block.top - eaves * pitch)
    high = (block.back + eaves, block.top + rise + eaves * pitch)
    _slab(model, skin, [(left, *low), (right, *low), (right, *high), (left, *high)])
    _gutter(model, skin.trim, (left, right), low)
    for side in (block.left, block.right):
        corners = [
            (side, block.front, block.top),
            (side, block.back, block.top),
            (side, block.back, block.top + rise),
        ]
        model.add(Kind.BUILDING, skin.wall, np.array([corners], np.float32))
        _board(model, skin.trim, (side, *low), (side, *high))
    wall = (block.left, block.back, block.top), (block.right, block.back, block.top)
    model.quad(
        Kind.BUILDING,
        skin.wall,
        [*wall, (block.right, block.back, block.top + rise), (block.left, block.back, block.top + rise)],
    )
    return block.top + rise


def flat(model: Model, block: Block, skin: Skin, eaves: float, thick: float) -> float:
    """A slab over the walls; returns its top."""
    low, high = (block.left - eaves, block.front - eaves), (block.right + eaves, block.back + eaves)
    model.box(Kind.BUILDING, skin.trim, (*low, block.top), (*high, block.top + thick))
    return block.top + thick


def chimney(model: Model, skin: Skin, place: tuple[float, float], low: float, top: float) -> None:
    """A stack with a rim and pots."""
    x, y = place
    model.box(Kind.BUILDING, skin.accent, (x - 0.35, y - 0.3, low), (x + 0.35, y + 0.3, top))
    model.box(Kind.BUILDING, skin.accent, (x - 0.42, y - 0.37, top - 0.25), (x + 0.42, y + 0.37, top - 0.1))
    for shift in (-0.17, 0.17):
        model.box(
            Kind.BUILDING, skin.roof, (x + shift - 0.09, y - 0.09, top), (x + shift + 0.09, y + 0.09, top + 0.35)
        )


def dormer(model: Model, skin: Skin, random: Random, place: tuple[float, float, float], wide: float) -> None:
    """A window with a small gable of its own on the front slope; `place` is the middle of its sill line."""
    x, y, z = place
    tall = wide * 0.9
    wall = Wall(
        (x - wide / 2, y), (x + wide / 2, y), z, z + tall, [Opening(0.18, wide - 0.18, z + 0.15, z + tall - 0.1)]
    )
    build_wall(model, wall, skin, skin.wall, random)
    top, ridge, back = z + tall, z + tall + wide * 0.45, y + 3.0
    model.add(
        Kind.BUILDING,
        skin.wall,
        np.array([[(x - wide / 2, y, top), (x + wide / 2, y, top), (x, y, ridge)]], np.float32),
    )
    for side in (-1, 1):
        edge = x + side * wide / 2
        model.quad(Kind.BUILDING, skin.wall, [(edge, y, z), (edge, back, z), (edge, back, top), (edge, y, top)])
        out = x + side * (wide / 2 + 0.15)
        low = top - 0.13
        model.quad(
            Kind.BUILDING,
            skin.roof,
            [(out, y - 0.2, low), (out, back, low), (x, back, ridge + 0.03), (x, y - 0.2, ridge + 0.03)],
        )
        _board(model, skin.trim, (out, y - 0.2, low), (x, y - 0.2, ridge))


def _slab(model: Model, skin: Skin, corners: list[tuple[float, float, float]]) -> None:
    model.quad(Kind.BUILDING, skin.roof, corners)


def _gutter(model: Model, material: Material, span: tuple[float, float], edge: tuple[float, float]) -> None:
    model.box(
        Kind.BUILDING,
        material,
        (span[0], edge[0] - 0.06, edge[1] - 0.14),
        (span[1], edge[0] + 0.06, edge[1] + 0.01),
    )


def _board(
    model: Model, material: Material, low: tuple[float, float, float], high: tuple[float, float, float]
) -> None:
    """The board along a sloping edge."""
    deep = np.array([0, 0, -0.2], np.float32)
    a, b = np.array(low, np.float32), np.array(high, np.float32)
    model.quad(Kind.BUILDING, material, [a + deep, b + deep, b, a])
