"""House plants in pots: figs, palms and olives."""

from functools import cache

import numpy as np

from engine.rendering.furniture.looks import Leg, Look
from engine.rendering.furniture.model import Model
from engine.rendering.materials import make_leaves, make_plain
from engine.rendering.meshes import EPSILON, Mesh, Values, build_lathed, build_swept, shade_triangles

_SOIL = make_plain((52, 40, 30), None)
_BARK = make_plain((104, 84, 62), None)
_LEAF_MATERIALS = {
    "fig": make_leaves((62, 92, 44), 5),
    "palm": make_leaves((74, 108, 52), 6),
    "olive": make_leaves((112, 124, 88), 7),
}


@cache
def _get_unit_leaf(width: float, droop: float, fold: float = 0.25) -> Mesh:
    """A leaf one meter long, which callers scale; cached."""
    return build_leaf(1.0, width, droop, fold)


def build_leaf(length: float, width: float, droop: float, fold: float = 0.25) -> Mesh:
    """A leaf from the origin along +y.

    Parameters
    ----------
    length, width : float
        Meters.
    droop : float
        How far the leaf's tip is bent down, meters.
    fold : float, default 0.25
        How far the leaf's edges rise above its middle, as a share of half its width.

    Returns
    -------
    Mesh
        The upper and lower side of the leaf.
    """
    along = np.linspace(0, 1, 8)
    half = width / 2 * np.sin(np.pi * along**0.8) ** 0.75
    grid = np.empty((8, 5, 3))
    for number, share in enumerate((-1.0, -0.5, 0.0, 0.5, 1.0)):
        grid[:, number, 0] = half * share
        grid[:, number, 1] = along * length
        grid[:, number, 2] = -droop * along**2 + np.abs(share) * half * fold
    at = np.arange(40).reshape(8, 5)
    a, b, c, d = at[:-1, :-1].ravel(), at[1:, :-1].ravel(), at[1:, 1:].ravel(), at[:-1, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    upper = shade_triangles(grid.reshape(-1, 3)[faces[:, ::-1]], 1, 180)
    lower = shade_triangles((grid.reshape(-1, 3) - [0, 0, 0.0012])[faces], 1, 180)
    return Mesh(*(np.concatenate(both) for both in zip(_list_arrays(upper), _list_arrays(lower), strict=True)))


def _list_arrays(mesh: Mesh) -> tuple[Values, Values, Values]:
    """The arrays of a mesh, in the order of its fields."""
    return mesh.points, mesh.normals, mesh.uv


def _add_pot(model: Model, look: Look, wide: float, tall: float) -> None:
    foot = {Leg.PLINTH: 0.44, Leg.SLED: 0.47, Leg.LATHED: 0.30}.get(look.leg, 0.36)
    outer = [
        (0, 0),
        (wide * foot, 0),
        (wide * (foot + 0.02), 0.01),
        (wide * 0.5, tall - 0.01),
        (wide * 0.495, tall),
    ]
    inner = [(wide * 0.455, tall), (wide * 0.44, tall - 0.04), (0, tall - 0.045)]
    model.add(look.pot, build_lathed([*outer, *inner], 44))
    model.add(_SOIL, build_lathed([(wide * 0.445, tall - 0.042), (wide * 0.2, tall - 0.032), (0, tall - 0.03)], 24))


def build_tall_plant(look: Look, height: float, rng: np.random.Generator) -> Model:
    """A plant in a pot: a fig, a palm or an olive.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    height : float
        Height including the pot, meters.
    rng : numpy.random.Generator
        Draws the kind of plant and its leaves.

    Returns
    -------
    Model
        The plant, about the z axis.
    """
    model = Model()
    pot = 0.26 + 0.06 * height
    _add_pot(model, look, pot, pot * 0.92)
    kind = ("fig", "palm", "olive")[int(rng.integers(3))]
    if kind == "palm":
        _add_palm(model, pot * 0.9, height, rng)
    else:
        _add_tree(model, pot * 0.88, height, rng, kind)
    return model


def _add_tree(model: Model, foot: float, height: float, rng: np.random.Generator, kind: str) -> None:
    size, count = (0.19, 52) if kind == "fig" else (0.07, 330)
    stems = []
    for number in range(3 if kind == "fig" else 4):
        lean = rng.normal(0, 0.10, 2)
        top = height - size * 0.7 - 0.1 * number
        path = np.array(
            [(0, 0, foot - 0.05), (lean[0] * 0.3, lean[1] * 0.3, (foot + top) / 2), (lean[0], lean[1], top)]
        )
        stems.append(path)
        model.add(_BARK, build_swept(path, [0.014, 0.011, 0.006], 9))
    for number in range(count):
        path = stems[number % len(stems)]
        share = 1 - 0.62 * (number / count) ** 0.9
        spot = (
            path[1] + (path[2] - path[1]) * (share * 2 - 1)
            if share > 0.5
            else path[0] + (path[1] - path[0]) * share * 2
        )
        spread = 0.0 if kind == "fig" else 0.16 * np.sin(np.pi * min(1.0, share + 0.12)) ** 0.5
        spot = spot + rng.normal(0, spread + EPSILON, 3) * [1, 1, 0.6]
        length = size * float(rng.uniform(0.7, 1.2))
        tilt = float(rng.uniform(-0.2, 0.9))
        # 2.4 radians, the golden angle, spread leaves evenly around a stem.
        mesh = (
            _get_unit_leaf(0.62 if kind == "fig" else 0.3, 0.3)
            .scale_by(length)
            .rotate(tilt, "x")
            .rotate(number * 2.4 + float(rng.normal(0, 0.3)))
        )
        model.add(_LEAF_MATERIALS[kind], mesh.translate(*spot))


def _add_palm(model: Model, foot: float, height: float, rng: np.random.Generator) -> None:
    for number in range(15):
        angle = number * 2.4 + float(rng.normal(0, 0.15))
        rise = (height - foot) * float(rng.uniform(0.72, 1.0)) * (1 - 0.028 * number)
        reach = float(rng.uniform(0.16, 0.40)) + 0.012 * number
        share = np.linspace(0, 1, 12)
        out, up = reach * share**1.8, foot - 0.05 + rise * np.sin(share * 1.75) / np.sin(1.57)
        spine = np.column_stack([out * np.cos(angle), out * np.sin(angle), up])
        model.add(_LEAF_MATERIALS["palm"], build_swept(spine, np.linspace(0.006, 0.0015, 12), 5))
        for place in np.linspace(0.42, 0.99, 17):
            at = spine[int(place * 11)] + (spine[min(11, int(place * 11) + 1)] - spine[int(place * 11)]) * (
                place * 11 % 1
            )
            length = 0.24 * np.sin(np.pi * (place - 0.25) / 0.85) + 0.04
            for side in (-1, 1):
                mesh = _get_unit_leaf(0.12, 0.35, 0.1).scale_by(length).rotate(0.35, "x")
                model.add(_LEAF_MATERIALS["palm"], mesh.rotate(angle - np.pi / 2 + side * 0.9).translate(*at))
