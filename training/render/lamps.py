"""Lamps outside a house: lanterns, boxes, globes and tubes on walls, pendants under porches, lanterns on posts."""

from typing import NamedTuple

import numpy as np

from engine.segmentation.labels import Kind
from training.render.shapes import Material, Model, Plane, Point, tubes
from training.render.textures import Random, speckled, varied

METALS = ((28, 28, 30), (50, 44, 38), (236, 236, 232), (120, 122, 124), (96, 70, 44), (170, 140, 80))
SIDES = 8


class LampMade(NamedTuple):
    """What a lamp is made of."""

    glass: Material
    frame: Material


def metal(random: Random) -> Material:
    """Black, bronze, white, gray or brass."""
    return speckled(random, varied(random, METALS[random.integers(len(METALS))], 0.1), 1.0, 0.02, 0.02)


def wall_lamp(random: Random, made: LampMade) -> Model:
    """A lamp that hangs on a wall at y = 0 and stands out towards -y, its middle at the origin's height."""
    model, tall = Model(), random.uniform(0.22, 0.5)
    wide = tall * random.uniform(0.35, 0.6)
    out = wide / 2 + random.uniform(0.03, 0.14)
    forms = (_caged, _boxed, _globe, _tube)
    forms[random.choice(len(forms), p=(0.45, 0.2, 0.15, 0.2))](model, (0, -out, 0), (wide, tall), made)
    # A plate on the wall and the arm that holds the lamp.
    model.box(Kind.LAMP, made.frame, (-wide / 4, -0.02, -tall / 4), (wide / 4, 0, tall / 4))
    model.box(Kind.LAMP, made.frame, (-0.012, -out, tall * 0.2), (0.012, 0, tall * 0.2 + 0.025))
    return model


def hanging_lamp(random: Random, made: LampMade) -> Model:
    """A lamp that hangs from a ceiling at the origin."""
    model, tall = Model(), random.uniform(0.2, 0.45)
    wide, down = tall * random.uniform(0.5, 0.9), random.uniform(0.03, 0.5)
    (_globe if random.random() < 0.4 else _caged)(model, (0, 0, -down - tall / 2), (wide, tall), made)
    _stick(model, made.frame, ((0, 0, -down), (0, 0, 0)), 0.012, Kind.LAMP)
    return model


def post_lamp(random: Random, made: LampMade) -> Model:
    """A lantern on a post, or a low one beside a path, standing at the origin."""
    model = Model()
    high, tall = (random.uniform(1.7, 2.6), 0.42) if random.random() < 0.5 else (random.uniform(0.25, 0.8), 0.18)
    _stick(model, made.frame, ((0, 0, 0), (0, 0, high)), 0.035, Kind.THINGS)
    form = (_caged, _globe, _tube)[random.integers(3)]
    form(model, (0, 0, high + tall / 2), (tall * random.uniform(0.5, 0.8), tall), made)
    return model


def _caged(model: Model, middle: Point, size: tuple[float, float], made: LampMade) -> None:
    """Panes between four bars, under a pointed or flat cap."""
    (x, y, z), (wide, tall), (glass, frame) = middle, size, made
    half, low, top = wide / 2, z - tall * 0.4, z + tall * 0.25
    model.box(Kind.LAMP, glass, (x - half * 0.9, y - half * 0.9, low), (x + half * 0.9, y + half * 0.9, top))
    thick = max(0.008, wide * 0.06)
    for across in (-half, half - thick):
        for deep in (-half, half - thick):
            corner = (x + across, y + deep)
            model.box(Kind.LAMP, frame, (*corner, low), (corner[0] + thick, corner[1] + thick, top))
    model.box(Kind.LAMP, frame, (x - half, y - half, low - tall * 0.06), (x + half, y + half, low))
    rim = half * 1.15
    tip = (x, y, z + tall * 0.5)
    ring = [(x - rim, y - rim, top), (x + rim, y - rim, top), (x + rim, y + rim, top), (x - rim, y + rim, top)]
    roof = [(ring[each], ring[(each + 1) % 4], tip) for each in range(4)]
    model.add(Kind.LAMP, frame, np.array(roof, np.float32))


def _boxed(model: Model, middle: Point, size: tuple[float, float], made: LampMade) -> None:
    """A plain box of frosted glass between two plates."""
    (x, y, z), (wide, tall), (glass, frame) = middle, size, made
    half, low, top = wide / 2, z - tall / 2, z + tall / 2
    model.box(Kind.LAMP, glass, (x - half, y - half, low), (x + half, y + half, top))
    for edge in (low, top):
        model.box(Kind.LAMP, frame, (x - half, y - half, edge - 0.015), (x + half, y + half, edge + 0.015))


def _globe(model: Model, middle: Point, size: tuple[float, float], made: LampMade) -> None:
    """A ball of glass below a small cap."""
    (x, y, z), (wide, tall), (glass, frame) = middle, size, made
    steps = np.linspace(0, np.pi, 7)
    rings = np.column_stack([np.zeros(7) + x, np.zeros(7) + y, z - np.cos(steps) * wide * 0.55]).astype(np.float32)
    radii = (np.sin(steps) * wide * 0.55).astype(np.float32)
    model.add(Kind.LAMP, glass, tubes(rings[:-1], rings[1:], radii[:-1], radii[1:], SIDES))
    cap = z + wide * 0.5
    _stick(model, frame, ((x, y, cap), (x, y, cap + tall * 0.12)), wide * 0.25, Kind.LAMP)


def _tube(model: Model, middle: Point, size: tuple[float, float], made: LampMade) -> None:
    """A closed cylinder of metal that shines up and down, or of glass with metal ends."""
    (x, y, z), (wide, tall), (glass, frame) = middle, size, made
    radius, ends = wide / 2, tall * 0.12
    _stick(model, frame, ((x, y, z - tall / 2 + ends), (x, y, z + tall / 2 - ends)), radius, Kind.LAMP)
    for low in (z - tall / 2, z + tall / 2 - ends):
        _stick(model, glass, ((x, y, low), (x, y, low + ends)), radius * 0.95, Kind.LAMP)


def _stick(model: Model, material: Material, ends: tuple[Point, Point], radius: float, kind: Kind) -> None:
    starts, stops = (np.array([each], np.float32) for each in ends)
    thick: Plane = np.array([radius], np.float32)
    model.add(kind, material, tubes(starts, stops, thick, thick, SIDES))
