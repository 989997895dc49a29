"""Small and flat pieces: rugs, pictures, vases, books, bowls, towels, mats, baskets, a television, a laptop."""

from functools import lru_cache

import numpy as np

from engine.rendering.furniture.legs import add_legs
from engine.rendering.furniture.looks import Leg, Look
from engine.rendering.furniture.model import Model
from engine.rendering.materials import RenderMaterial, make_picture, make_plain
from engine.rendering.meshes import (
    Values,
    build_block,
    build_lathed,
    build_sheet,
    build_slab,
    build_swept,
    outline_oval,
    outline_rounded_rectangle,
)

RUG_THICK = 0.012
"""Thickness of a rug, meters."""


def build_rug(look: Look, width: float, depth: float, seed: int) -> Model:
    """A rug lying on the floor.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width, depth : float
        Extents along x and y, meters.
    seed : int
        Seed of the rug's pattern.

    Returns
    -------
    Model
        The rug, `RUG_THICK` meters thick.
    """
    model = Model()
    model.add_with_picture(
        _make_rug_material(look, seed),
        build_slab(outline_rounded_rectangle(width, depth, 0.015, 3), RUG_THICK, 0.004),
    )
    return model


@lru_cache(maxsize=8)
def _make_rug_material(look: Look, seed: int) -> RenderMaterial:
    return make_picture(look.rug(look.rug_colors, np.random.Generator(np.random.PCG64(seed))))


def build_picture(look: Look, width: float, height: float, rng: np.random.Generator) -> Model:
    """A framed picture in the art of the style.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width, height : float
        Width and height of the frame, meters.
    rng : numpy.random.Generator
        Draws the art.

    Returns
    -------
    Model
        The picture, with its back at y = 0 and its lower edge on z = 0.
    """
    model = Model()
    rim, deep = 0.022, 0.026
    for side in (-1, 1):
        model.add(
            look.frame, build_block((rim, deep, height), 0.003).translate(side * (width - rim) / 2, -deep / 2)
        )
        end = 0 if side < 0 else height - rim
        model.add(look.frame, build_block((width - 2 * rim, deep, rim), 0.003).translate(y=-deep / 2, z=end))
    mat = min(width, height) * 0.10
    model.add(_PAPER, build_block((width - 2 * rim, 0.006, height - 2 * rim), 0.001).translate(y=-0.006, z=rim))
    art = look.art(look.art_colors, rng)
    art = art if width >= height else np.ascontiguousarray(art[:, : int(art.shape[0] * width / height)])
    face = build_block((width - 2 * (rim + mat), 0.004, height - 2 * (rim + mat)), 0.0008)
    model.add_with_picture(make_picture(art), face.translate(y=-0.0115, z=rim + mat), flip=True)
    return model


_PAPER: RenderMaterial = make_plain((238, 236, 230), None)


def build_vase(look: Look, tall: float, rng: np.random.Generator) -> Model:
    """A vase with a few twigs.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    tall : float
        Height of the vase, meters; the twigs reach about twice as high.
    rng : numpy.random.Generator
        Draws the twigs and their buds.

    Returns
    -------
    Model
        The vase, about the z axis.
    """
    model = Model()
    line = [
        (0, 0),
        (0.30, 0),
        (0.42, 0.2),
        (0.46, 0.42),
        (0.34, 0.7),
        (0.16, 0.86),
        (0.19, 1.0),
        (0.15, 1.0),
        (0.12, 0.86),
        (0, 0.8),
    ]
    model.add(look.ceramic, build_lathed([(r * tall * 0.9, z * tall) for r, z in line], 36))
    for _ in range(6):
        lean = rng.normal(0, 0.16, 2)
        top = tall * float(rng.uniform(1.7, 2.3))
        path = [
            (0, 0, tall * 0.8),
            (lean[0] * 0.25, lean[1] * 0.25, tall + 0.3 * (top - tall)),
            (lean[0] * 0.8, lean[1] * 0.8, top),
        ]
        model.add(look.wood, build_swept(path, [0.003, 0.0025, 0.0015], 5))
        for _ in range(9):
            share = float(rng.uniform(0.5, 1.0))
            x, y = lean * 0.8 * share + rng.normal(0, 0.015, 2)
            bud = (
                build_slab(outline_oval(0.028, 0.014, 8), 0.004, 0.001)
                .rotate(float(rng.uniform(0, 3)), "x")
                .rotate(float(rng.uniform(0, 6)))
            )
            model.add(look.basket, bud.translate(x, y, tall + (top - tall) * share))
    return model


def build_books(look: Look, rng: np.random.Generator, count: int = 3) -> Model:
    """A small pile of books.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    rng : numpy.random.Generator
        Draws the thickness, turn and cover of each book.
    count : int, default 3
        Number of books; each is smaller than the book below it.

    Returns
    -------
    Model
        The pile.
    """
    model = Model()
    z = 0.0
    covers = (look.linen, *look.cushions)
    for number in range(count):
        thick = float(rng.uniform(0.018, 0.035))
        size = (0.27 - 0.02 * number, 0.20 - 0.015 * number)
        turn = float(rng.normal(0, 0.12))
        pages = build_block((size[0] - 0.01, size[1] - 0.008, thick - 0.005), 0.001).translate(z=z + 0.0025)
        model.add(_PAPER, pages.rotate(turn))
        cover = covers[(number + int(rng.integers(3))) % len(covers)]
        for at in (z, z + thick - 0.0028):
            model.add(cover, build_block((*size, 0.0028), 0.001).translate(z=at).rotate(turn))
        z += thick
    return model


def build_bowl(look: Look, wide: float) -> Model:
    """A shallow bowl.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    wide : float
        Diameter, meters; the bowl is 0.28 times as high.

    Returns
    -------
    Model
        The bowl, about the z axis.
    """
    model = Model()
    outer = [(0, 0), (0.22, 0), (0.24, 0.03), (0.44, 0.16), (0.5, 0.28)]
    inner = [(0.485, 0.28), (0.42, 0.17), (0.2, 0.06), (0, 0.05)]
    model.add(look.ceramic, build_lathed([(r * wide, z * wide) for r, z in (*outer, *inner)], 40))
    return model


def build_folded_towels(material: RenderMaterial, width: float, depth: float, count: int) -> Model:
    """Folded towels in a pile.

    Parameters
    ----------
    material : RenderMaterial
        Material of all towels.
    width, depth : float
        Extents of a folded towel along x and y, meters.
    count : int
        Number of towels, each 0.045 m thick.

    Returns
    -------
    Model
        The pile.
    """
    model = Model()
    for number in range(count):
        mesh = build_block((width, depth, 0.045), 0.021, (0, 0, 0.006), 0.02, number)
        model.add(material, mesh.translate(z=number * 0.045))
    return model


def build_towel_stool(look: Look) -> Model:
    """A low stool with folded towels.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.

    Returns
    -------
    Model
        The stool, its seat 0.45 m high, and three towels.
    """
    model = Model()
    model.add(look.wood, build_slab(outline_rounded_rectangle(0.40, 0.30, 0.04), 0.03, 0.008).translate(z=0.42))
    add_legs(model, look, 0.38, 0.28, 0.425, 0.04)
    model.add_model(build_folded_towels(look.linen, 0.30, 0.22, 2), z=0.45)
    model.add_model(build_folded_towels(look.sheets, 0.26, 0.20, 1), z=0.542)
    return model


def build_mat(look: Look, width: float, depth: float) -> Model:
    """A bath mat of thick cloth.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width, depth : float
        Extents along x and y, meters.

    Returns
    -------
    Model
        The mat, 0.016 m thick.
    """
    model = Model()
    model.add(look.sheets, build_slab(outline_rounded_rectangle(width, depth, 0.03), 0.016, 0.007))
    return model


def build_basket(look: Look) -> Model:
    """A round basket with a blanket over its rim.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.

    Returns
    -------
    Model
        The basket, 0.34 m high without the blanket.
    """
    model = Model()
    foot = {Leg.SLED: 0.19, Leg.PLINTH: 0.18, Leg.LATHED: 0.13}.get(look.leg, 0.16)
    outer = [(0, 0), (foot, 0), (0.2, 0.12), (0.2, 0.26), (0.19, 0.34)]
    inner = [(0.175, 0.34), (0.185, 0.26), (0.18, 0.2), (0, 0.18)]
    model.add(look.basket, build_lathed([*outer, *inner], 44))

    def place(u: Values, v: Values) -> Values:
        v = 1 - v
        along = (v - 0.45) * 0.62
        over = np.clip(along - 0.17, 0, None)
        x = (u - 0.5) * 0.24 + 0.01 * np.sin(v * 9)
        y = -np.minimum(along, 0.205 + 0.01 * np.sin(u * 9))
        z = 0.365 - over + 0.012 * np.sin(u * 15 + v * 3) * (over < 0.02) - 0.08 * np.clip(-along / 0.2, 0, 1)
        return np.stack([x, y - 0.012 * np.sin(u * 14) * (over > 0), z], -1)

    model.add(look.throw, build_sheet(30, 40, place, 0.008))
    return model


def build_screen(width: float) -> Model:
    """A television on two feet, switched off.

    Parameters
    ----------
    width : float
        Width of the screen, meters; it is 0.57 times as high.

    Returns
    -------
    Model
        The television.
    """
    model = Model()
    tall = width * 0.57
    model.add(_SCREEN, build_block((width, 0.03, tall), 0.004).translate(z=0.05))
    for side in (-1, 1):
        model.add(_SCREEN, build_block((0.03, 0.2, 0.012), 0.003).translate(side * width * 0.32))
        model.add(_SCREEN, build_block((0.02, 0.02, 0.06), 0.003).translate(side * width * 0.32))
    return model


_SCREEN: RenderMaterial = make_plain((22, 22, 25), 0.12)


def build_computer(look: Look) -> Model:
    """An open laptop.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.

    Returns
    -------
    Model
        The laptop, its user at -y.
    """
    model = Model()
    gray = _ALUMINUM if look.leg is not Leg.SLED else _SCREEN
    model.add(gray, build_slab(outline_rounded_rectangle(0.31, 0.215, 0.012), 0.012, 0.003))
    model.add(
        _SCREEN, build_slab(outline_rounded_rectangle(0.27, 0.10, 0.006), 0.001, 0.0003).translate(y=0.03, z=0.0121)
    )
    lid = build_block((0.31, 0.006, 0.205), 0.002).rotate(-0.3, "x").translate(y=0.105, z=0.008)
    model.add(gray, lid)
    face = build_block((0.295, 0.002, 0.185), 0.0006).rotate(-0.3, "x").translate(y=0.1045, z=0.016)
    model.add(_SCREEN, face)
    return model


_ALUMINUM: RenderMaterial = make_plain((176, 178, 182), 0.3)
