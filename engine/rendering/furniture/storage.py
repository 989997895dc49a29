"""Sideboards, media units, chests of drawers, nightstands and low shelves."""

from collections.abc import Sequence

import numpy as np

from engine.rendering.furniture.legs import add_legs
from engine.rendering.furniture.looks import Headboard, Leg, Look
from engine.rendering.furniture.model import Model
from engine.rendering.meshes import build_block, build_lathed

FRONT_GAP = 0.004
"""Gap between neighboring doors or drawers, meters."""


def build_cabinet(look: Look, size: Sequence[float], columns: int, rows: int) -> Model:
    """A cabinet with a grid of doors or drawers in front.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    size : Sequence of float
        Width, depth and overall height, meters.
    columns, rows : int
        Number of doors or drawers side by side and above each other.

    Returns
    -------
    Model
        The cabinet on its feet.
    """
    width, depth, height = size
    model = Model()
    foot = {Leg.PLINTH: 0.05, Leg.TAPERED: 0.17, Leg.SLED: 0.14, Leg.LATHED: 0.10}.get(look.leg, 0.09)
    add_legs(model, look, width - 0.04, depth - 0.04, foot + 0.002, 0.05)
    board = 0.024
    body = height - foot
    model.add(look.wood, build_block((width, depth, board), 0.005).translate(z=height - board))
    model.add(look.wood, build_block((width - 0.004, depth - 0.02, board), 0.003).translate(y=0.01, z=foot))
    for side in (-1, 1):
        x = side * (width - board) / 2
        model.add(look.wood, build_block((board, depth - 0.012, body - board), 0.003).translate(x, 0.006, foot))
    model.add(
        look.wood,
        build_block((width - 0.02, 0.012, body - 0.02), 0.002).translate(y=depth / 2 - 0.008, z=foot + 0.01),
    )
    wide, tall = (width - 2 * board) / columns, (body - 2 * board) / rows
    for column in range(columns):
        for row in range(rows):
            x = (column - (columns - 1) / 2) * wide
            _add_front(
                model,
                look,
                (wide - FRONT_GAP, tall - FRONT_GAP),
                (x, -depth / 2, foot + board + row * tall),
                column,
            )
    return model


def _add_front(
    model: Model, look: Look, size: tuple[float, float], at: tuple[float, float, float], column: int
) -> None:
    """Add the front of a door or drawer, with relief and handle, in the form that suits the style's headboard."""
    (wide, tall), (x, y, z) = size, at
    model.add(look.fronts, build_block((wide, 0.018, tall), 0.0025).translate(x, y + 0.016, z + FRONT_GAP / 2))
    if look.headboard in (Headboard.BUTTONS, Headboard.PLANKS) and min(wide, tall) > 0.16:
        rim = 0.045
        for side in (-1, 1):
            model.add(
                look.fronts,
                build_block((rim, 0.009, tall), 0.003).translate(
                    x + side * (wide - rim) / 2, y + 0.005, z + FRONT_GAP / 2
                ),
            )
            rail = z + FRONT_GAP / 2 + (0 if side < 0 else tall - rim)
            model.add(look.fronts, build_block((wide - 2 * rim, 0.009, rim), 0.003).translate(x, y + 0.005, rail))
    elif look.headboard is Headboard.CHANNELS and tall > 0.2:
        for number in range(int(wide / 0.03)):
            share = (number + 0.5) / int(wide / 0.03) - 0.5
            model.add(
                look.fronts,
                build_block((0.02, 0.014, tall - 0.02), 0.007).translate(x + share * wide, y + 0.006, z + 0.01),
            )
    elif look.headboard is Headboard.CANE and tall > 0.2:
        model.add(
            look.basket, build_block((wide - 0.10, 0.006, tall - 0.10), 0.002).translate(x, y + 0.006, z + 0.05)
        )
    if look.headboard is not Headboard.LOW:
        _add_handle(model, look, size, at, column)


def _add_handle(
    model: Model, look: Look, size: tuple[float, float], at: tuple[float, float, float], column: int
) -> None:
    (wide, tall), (x, y, z) = size, at
    grip = y - 0.006
    if look.headboard in (Headboard.BUTTONS, Headboard.PLANKS, Headboard.CANE):
        knob = build_lathed(
            [(0, 0), (0.006, 0), (0.005, 0.012), (0.014, 0.02), (0.013, 0.028), (0, 0.031)], 16
        ).rotate(np.pi / 2, "x")
        spots = (-0.25, 0.25) if wide > 0.55 else (0.0,)
        for share in spots:
            model.add(look.metal, knob.translate(x + share * wide, y + 0.008, z + tall / 2))
    elif tall > wide * 0.8:
        side = 1 if column % 2 == 0 else -1
        model.add(
            look.metal,
            build_block((0.010, 0.016, min(0.16, tall * 0.5)), 0.004).translate(
                x + side * (wide / 2 - 0.035), grip, z + tall * 0.5
            ),
        )
    else:
        model.add(
            look.metal,
            build_block((min(0.18, wide * 0.4), 0.016, 0.010), 0.004).translate(x, grip, z + tall * 0.72),
        )


def build_sideboard(look: Look, width: float) -> Model:
    """A low cabinet for a living or dining room.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width : float
        Width of the cabinet, meters.

    Returns
    -------
    Model
        0.72 m high; four doors where it is wider than 1.5 m, else three.
    """
    return build_cabinet(look, (width, 0.42, 0.72), 4 if width > 1.5 else 3, 1)


def build_media_unit(look: Look, width: float) -> Model:
    """A cabinet for a screen to stand on, lower than a sideboard.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width : float
        Width of the cabinet, meters.

    Returns
    -------
    Model
        0.50 m high, three doors.
    """
    return build_cabinet(look, (width, 0.40, 0.50), 3, 1)


def build_chest(look: Look, width: float) -> Model:
    """A low chest of drawers.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width : float
        Width of the chest, meters.

    Returns
    -------
    Model
        0.84 m high, two columns of three drawers.
    """
    return build_cabinet(look, (width, 0.46, 0.84), 2, 3)


def build_nightstand(look: Look) -> Model:
    """A nightstand with two drawers.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.

    Returns
    -------
    Model
        0.54 m high, 0.46 m wide.
    """
    return build_cabinet(look, (0.46, 0.40, 0.54), 1, 2)


def build_shelf(look: Look, width: float) -> Model:
    """A low open shelf with books and boxes.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width : float
        Width of the shelf, meters.

    Returns
    -------
    Model
        0.86 m high, two rows.
    """
    model = Model()
    height, depth, board, rows = 0.86, 0.32, 0.022, 2
    columns = max(2, round(width / 0.42))
    for number in range(rows + 1):
        model.add(
            look.wood,
            build_block((width, depth, board), 0.003).translate(z=0.04 + number * (height - 0.04 - board) / rows),
        )
    for number in range(columns + 1):
        x = (number / columns - 0.5) * (width - board)
        model.add(look.wood, build_block((board, depth - 0.004, height - 0.045), 0.003).translate(x, 0, 0.042))
    model.add(
        look.wood, build_block((width - 0.02, 0.008, height - 0.06), 0.002).translate(y=depth / 2 - 0.006, z=0.05)
    )
    model.add(look.wood, build_block((width - 0.04, depth - 0.06, 0.045), 0.002))
    wide, tall = (width - board) / columns, (height - 0.04 - board) / rows
    for column in range(columns):
        for row in range(rows):
            at = (column + 0.5) / columns - 0.5, 0.04 + board + row * tall
            if (column + row) % 2:
                _add_books(model, look, (at[0] * (width - board), at[1]), wide - board, column * 7 + row)
            else:
                mesh = build_block((wide - 0.07, depth - 0.06, tall * 0.62), 0.02)
                model.add(look.basket, mesh.translate(at[0] * (width - board), -0.01, at[1]))
    return model


def _add_books(model: Model, look: Look, at: tuple[float, float], wide: float, seed: int) -> None:
    rng = np.random.Generator(np.random.PCG64(seed))
    x, end = at[0] - wide / 2 + 0.02, at[0] + wide * 0.3
    covers = (*look.cushions, look.throw, look.linen)
    while x < end:
        thick, tall = float(rng.uniform(0.018, 0.045)), float(rng.uniform(0.2, 0.29))
        cover = covers[int(rng.integers(len(covers)))]
        model.add(
            cover,
            build_block((thick - 0.002, float(rng.uniform(0.15, 0.2)), tall), 0.003).translate(
                x + thick / 2, -0.03, at[1]
            ),
        )
        x += thick
