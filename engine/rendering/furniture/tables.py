"""Coffee tables, side tables, dining tables and desks."""

import numpy as np

from engine.rendering.furniture.legs import add_legs, add_rails, build_leg
from engine.rendering.furniture.looks import Leg, Look
from engine.rendering.furniture.model import Model
from engine.rendering.meshes import (
    build_block,
    build_lathed,
    build_slab,
    build_swept,
    outline_oval,
    outline_rounded_rectangle,
)


def build_coffee_table(look: Look, width: float) -> Model:
    """A coffee table; round or oval in styles with round tables.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width : float
        Width along x, meters; a round table on a plinth is 0.86 times as wide.

    Returns
    -------
    Model
        The table, 0.33 or 0.40 m high.
    """
    model = Model()
    tall = 0.40
    if look.round_tables and look.leg is Leg.PLINTH:
        model.add(
            look.top,
            build_slab(outline_oval(width * 0.86, width * 0.86, 64), 0.045, 0.012).translate(z=tall - 0.045),
        )
        model.add(
            look.wood,
            build_lathed(
                [(0, 0), (width * 0.3, 0), (width * 0.26, 0.02), (width * 0.22, tall - 0.05), (0, tall - 0.05)], 48
            ),
        )
        return model
    if look.round_tables:
        model.add(
            look.top, build_slab(outline_oval(width, width * 0.62, 64, 2.4), 0.026, 0.009).translate(z=tall - 0.026)
        )
        model.add(
            look.wood,
            build_slab(outline_oval(width * 0.66, width * 0.38, 40), 0.03, 0.004).translate(z=tall - 0.055),
        )
        add_legs(model, look, width * 0.74, width * 0.46, tall - 0.03, 0.055)
        return model
    depth = width * 0.56
    if look.leg is Leg.PLINTH:
        model.add(look.top, build_block((width, depth, 0.05), 0.003).translate(z=tall - 0.12))
        model.add(look.wood, build_block((width * 0.7, depth * 0.7, tall - 0.12), 0.003))
        return model
    thick = 0.05 if look.leg is Leg.TRESTLE else 0.028
    edge = 0.010 if look.leg is Leg.LATHED else 0.004
    model.add(look.top, build_block((width, depth, thick), edge).translate(z=tall - thick))
    if look.leg is not Leg.SLED:
        add_rails(model, look, width - 0.12, depth - 0.12, tall - thick, 0.07)
        shelf = 0.14
        model.add(look.wood, build_block((width - 0.1, depth - 0.1, 0.02), 0.004).translate(z=shelf))
    add_legs(model, look, width - 0.03, depth - 0.03, tall - thick + 0.002, 0.07)
    return model


def build_side_table(look: Look) -> Model:
    """A small round table beside a seat.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.

    Returns
    -------
    Model
        The table, 0.54 m high, 0.44 m wide.
    """
    model = Model()
    tall = 0.54
    model.add(look.top, build_slab(outline_oval(0.44, 0.44, 48), 0.022, 0.007).translate(z=tall - 0.022))
    if look.leg in (Leg.SLED, Leg.PLINTH):
        model.add(
            look.metal,
            build_lathed(
                [
                    (0, 0),
                    (0.15, 0),
                    (0.15, 0.012),
                    (0.014, 0.02),
                    (0.014, tall - 0.03),
                    (0.06, tall - 0.022),
                    (0, tall - 0.022),
                ],
                32,
            ),
        )
        return model
    if look.leg in (Leg.LATHED, Leg.BLOCK):
        line = [
            (0, 0),
            (0.15, 0),
            (0.16, 0.03),
            (0.05, 0.06),
            (0.03, 0.12),
            (0.045, 0.3),
            (0.025, 0.42),
            (0.06, tall - 0.022),
            (0, tall - 0.022),
        ]
        model.add(look.wood, build_lathed(line, 32))
        return model
    for number in range(3):
        angle = number * 2 * np.pi / 3 + 0.5
        x, y = np.cos(angle), np.sin(angle)
        mesh = build_leg(Leg.TAPERED, tall - 0.02, 0.05, (x * 0.05, y * 0.05))
        model.add(look.wood, mesh.translate(x * 0.14, y * 0.14))
    return model


def build_dining_table(look: Look, length: float) -> Model:
    """A dining table; in styles with round tables it is round up to a length of 1.25 m, else oval.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    length : float
        Length along x, meters.

    Returns
    -------
    Model
        The table, 0.75 m high.
    """
    model = Model()
    tall, thick = 0.75, 0.032
    if look.round_tables and length <= 1.25:
        model.add(look.top, build_slab(outline_oval(length, length, 72), thick, 0.010).translate(z=tall - thick))
        if look.leg is Leg.TAPERED:
            add_legs(model, look, length * 0.62, length * 0.62, tall - thick, 0.07)
            return model
        line = [(0, 0), (0.30, 0), (0.29, 0.03), (0.09, 0.07), (0.07, 0.4), (0.16, tall - thick), (0, tall - thick)]
        model.add(look.wood, build_lathed(line, 48))
        return model
    depth = 0.92 if length > 1.5 else 0.84
    outline = (
        outline_oval(length, depth, 72, 3.2)
        if look.round_tables
        else outline_rounded_rectangle(length, depth, 0.02)
    )
    thick = 0.05 if look.leg is Leg.TRESTLE else thick
    model.add(look.top, build_slab(outline, thick, 0.006).translate(z=tall - thick))
    if look.leg is Leg.TRESTLE:
        _add_trestles(model, look, length, tall - thick)
    elif look.leg is Leg.PLINTH:
        for side in (-1, 1):
            model.add(
                look.wood, build_block((0.10, depth * 0.62, tall - thick), 0.02).translate(side * length * 0.29)
            )
    else:
        if look.leg is not Leg.SLED:
            add_rails(model, look, length - 0.3, depth - 0.24, tall - thick, 0.08)
        add_legs(model, look, length - 0.14, depth - 0.10, tall - thick, 0.08)
    return model


def _add_trestles(model: Model, look: Look, length: float, tall: float) -> None:
    for side in (-1, 1):
        x = side * (length / 2 - 0.32)
        model.add(look.wood, build_block((0.09, 0.66, 0.07), 0.006).translate(x))
        model.add(look.wood, build_block((0.09, 0.70, 0.06), 0.006).translate(x, z=tall - 0.06))
        for lean in (-1, 1):
            path = [(x, lean * 0.26, 0.06), (x, lean * 0.06, tall - 0.05)]
            model.add(look.wood, build_swept(path, 0.034, 4))
        model.add(look.wood, build_block((0.075, 0.09, tall - 0.12), 0.004).translate(x, z=0.065))
    model.add(look.wood, build_block((length - 0.64, 0.05, 0.09), 0.006).translate(z=0.24))


def build_desk(look: Look, width: float) -> Model:
    """A writing desk with drawers, its front towards the sitter at -y.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width : float
        Width of the top, meters.

    Returns
    -------
    Model
        The desk, 0.74 m high.
    """
    model = Model()
    tall, depth = 0.74, 0.66
    model.add(look.top, build_block((width, depth, 0.028), 0.005).translate(z=tall - 0.028))
    if look.leg in (Leg.LATHED, Leg.PLINTH, Leg.BLOCK):
        for side in (-1, 1):
            model.add(
                look.fronts,
                build_block((0.38, depth - 0.06, tall - 0.10), 0.006).translate(side * (width / 2 - 0.21), z=0.07),
            )
            model.add(
                look.wood, build_block((0.34, depth - 0.12, 0.075), 0.004).translate(side * (width / 2 - 0.21))
            )
            for number in range(3):
                at = side * (width / 2 - 0.21), -depth / 2 + 0.026, 0.10 + number * 0.185
                model.add(look.fronts, build_block((0.34, 0.018, 0.165), 0.006).translate(*at))
                model.add(
                    look.metal,
                    build_block((0.09, 0.02, 0.012), 0.005).translate(at[0], at[1] - 0.018, at[2] + 0.08),
                )
        model.add(look.wood, build_block((width - 0.7, 0.02, 0.30), 0.004).translate(y=depth / 2 - 0.08, z=0.40))
        return model
    model.add(look.fronts, build_block((width - 0.16, depth - 0.14, 0.10), 0.005).translate(y=0.02, z=tall - 0.128))
    for side in (-1, 1):
        knob = build_block((0.14, 0.014, 0.010), 0.004)
        model.add(look.metal, knob.translate(side * width / 4, -depth / 2 + 0.084, tall - 0.085))
    add_legs(model, look, width - 0.04, depth - 0.04, tall - 0.026, 0.055)
    return model
