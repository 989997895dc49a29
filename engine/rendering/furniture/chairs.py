"""Dining chairs and the office chair."""

import numpy as np

from engine.rendering.furniture.legs import build_leg
from engine.rendering.furniture.looks import Headboard, Leg, Look
from engine.rendering.furniture.model import Model
from engine.rendering.meshes import (
    Mesh,
    Values,
    build_block,
    build_lathed,
    build_sheet,
    build_slab,
    build_swept,
    outline_oval,
)


def build_chair(look: Look) -> Model:
    """Build the dining chair of a style: padded, with a shell, with a crossed back, or of bentwood.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.

    Returns
    -------
    Model
        The chair, its back at +y.
    """
    model = Model()
    if look.headboard in (Headboard.BUTTONS, Headboard.CHANNELS):
        _add_padded_chair(model, look)
    elif look.headboard in (Headboard.PANEL, Headboard.LOW):
        _add_shell_chair(model, look)
    elif look.headboard is Headboard.PLANKS:
        _add_crossed_back_chair(model, look)
    else:
        _add_bentwood_chair(model, look)
    return model


def _add_four_legs(model: Model, look: Look, spread: float, tall: float, thick: float = 0.042) -> None:
    kind = look.leg if look.leg in (Leg.TAPERED, Leg.LATHED) else Leg.TAPERED
    material = look.metal if look.leg is Leg.SLED else look.wood
    for x in (-1, 1):
        for y in (-1, 1):
            lean = (x * 0.035, y * 0.035) if kind is Leg.TAPERED else (0.0, 0.0)
            model.add(material, build_leg(kind, tall, thick, lean).translate(x * spread, y * spread))


def _add_padded_chair(model: Model, look: Look) -> None:
    _add_four_legs(model, look, 0.19, 0.40)
    model.add(
        look.seat, build_block((0.48, 0.48, 0.11), 0.045, (0, 0, 0.02), 0.004, 1, 4).translate(y=-0.01, z=0.385)
    )
    if look.headboard is Headboard.CHANNELS:
        model.add(look.seat, _build_curved_back(0.25, 0.40, 0.80, 0.045))
    else:
        back = build_block((0.46, 0.08, 0.54), 0.035, (0, 0.02, 0.01), 0.003, 2, 4)
        model.add(look.seat, back.rotate(-0.12, "x").translate(y=0.20, z=0.45))
        for side in (-1, 1):
            path = [(side * 0.19, 0.22, 0.38), (side * 0.19, 0.30, 0.0)]
            model.add(look.wood, build_swept(path, [0.02, 0.015], 10))


def _build_curved_back(radius: float, low: float, high: float, thick: float) -> Mesh:
    def place(u: Values, v: Values) -> Values:
        angle = np.pi * (0.02 + 0.96 * u)
        edge = np.abs(2 * u - 1)
        top = high - 0.12 * edge**2.5
        x, y = -radius * np.cos(angle), radius * np.sin(angle) * 0.95 + 0.02 * v
        return np.stack([x, y - 0.01, low + v * (top - low)], -1)

    return build_sheet(40, 14, place, thick)


def _add_shell_chair(model: Model, look: Look) -> None:
    _add_four_legs(model, look, 0.17, 0.42, 0.036)
    model.add(
        look.metal if look.leg is Leg.SLED else look.wood,
        build_slab(outline_oval(0.34, 0.34, 24), 0.015).translate(z=0.405),
    )

    def place(u: Values, v: Values) -> Values:
        along = v * 0.92
        bend = np.clip((along - 0.44) / 0.10, 0, 1)
        across = (u - 0.5) * 2
        half = 0.235 - 0.035 * np.clip((v - 0.6) / 0.4, 0, 1) ** 2 - 0.05 * np.clip((v - 0.9) / 0.1, 0, 1) ** 2
        y = np.where(along < 0.44, -0.23 + along, 0.21 + 0.075 * bend + 0.14 * np.clip(along - 0.54, 0, None))
        z = 0.425 + np.clip(along - 0.44, 0, None) * 0.95 + 0.035 * across**2 * (1 - bend)
        z = z - 0.02 * np.clip(1 - along / 0.08, 0, 1) ** 2
        return np.stack([across * half, y - 0.05 * across**2 * bend, z], -1)

    model.add(look.seat if look.headboard is Headboard.PANEL else look.fronts, build_sheet(24, 36, place, 0.018))
    if look.headboard is Headboard.PANEL:
        model.add(look.seat, build_block((0.38, 0.38, 0.03), 0.014, (0, 0, 0.008)).translate(y=-0.01, z=0.428))


def _add_crossed_back_chair(model: Model, look: Look) -> None:
    for side in (-1, 1):
        path = [(side * 0.20, 0.25, 0), (side * 0.20, 0.20, 0.44), (side * 0.19, 0.25, 0.88)]
        model.add(look.wood, build_swept(path, 0.019, 12))
        model.add(look.wood, build_swept([(side * 0.19, -0.20, 0), (side * 0.18, -0.18, 0.44)], 0.019, 12))
        cross = [(side * 0.18, 0.215, 0.52), (0, 0.245, 0.68), (-side * 0.17, 0.245, 0.83)]
        model.add(look.wood, build_swept(cross, 0.011, 10, 0.7))
        model.add(look.wood, build_swept([(side * 0.19, -0.19, 0.2), (side * 0.20, 0.22, 0.2)], 0.010, 8))
    angles = np.linspace(-1, 1, 11)
    model.add(
        look.wood,
        build_swept(
            [(0.20 * each, 0.25 + 0.02 * (1 - each**2), 0.87 + 0.02 * (1 - each**2)) for each in angles],
            0.024,
            12,
            0.6,
        ),
    )
    model.add(look.wood, build_slab(outline_oval(0.45, 0.43, 48, 3.0), 0.03, 0.010).translate(z=0.43))


def _add_bentwood_chair(model: Model, look: Look) -> None:
    """Add a chair with a round back: a bent rail on four legs, slats, and in some styles a woven seat."""
    for side in (-1, 1):
        model.add(look.wood, build_swept([(side * 0.22, -0.21, 0), (side * 0.20, -0.18, 0.43)], [0.012, 0.019], 12))
        model.add(
            look.wood,
            build_swept(
                [(side * 0.22, 0.23, 0), (side * 0.20, 0.18, 0.43), (side * 0.23, 0.14, 0.70)],
                [0.012, 0.019, 0.014],
                12,
            ),
        )
    angles = np.linspace(-0.15, np.pi + 0.15, 19)
    rail = [(-0.26 * np.cos(each), 0.02 + 0.23 * np.sin(each), 0.70 + 0.05 * np.sin(each)) for each in angles]
    model.add(look.wood, build_swept(rail, [0.012, *[0.018] * 17, 0.012], 14))
    middle = [(0, 0.18, 0.44), (0, 0.25, 0.74)]
    model.add(look.wood, build_swept(middle, 0.036, 10, 0.35))
    for side in (-1, 1):
        model.add(look.wood, build_swept([(side * 0.07, 0.18, 0.44), (side * 0.12, 0.235, 0.735)], 0.010, 8))
    seat = look.basket if look.headboard in (Headboard.SLATS, Headboard.CANE) else look.seat
    model.add(seat, build_block((0.43, 0.42, 0.035), 0.016, (0, 0, 0.006)).translate(z=0.42))
    for y in (-0.2, 0.19):
        model.add(look.wood, build_swept([(-0.20, y, 0.435), (0.20, y, 0.435)], 0.019, 10))


def build_office_chair(look: Look) -> Model:
    """A swivel chair on five castors.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.

    Returns
    -------
    Model
        The chair, its back at +y.
    """
    model = Model()
    for number in range(5):
        angle = number * 2 * np.pi / 5 + 0.3
        x, y = 0.29 * np.cos(angle), 0.29 * np.sin(angle)
        model.add(
            look.metal,
            build_swept([(0, 0, 0.11), (x * 0.5, y * 0.5, 0.095), (x, y, 0.07)], [0.024, 0.020, 0.014], 8),
        )
        wheel = build_lathed(
            [(0, -0.02), (0.026, -0.02), (0.030, -0.012), (0.030, 0.012), (0.026, 0.02), (0, 0.02)], 18
        )
        model.add(look.metal, wheel.rotate(np.pi / 2, "x").rotate(angle + 1.2).translate(x, y, 0.03))
    model.add(
        look.metal, build_lathed([(0, 0.09), (0.03, 0.09), (0.03, 0.26), (0.02, 0.26), (0.02, 0.42), (0, 0.42)], 20)
    )
    model.add(look.seat, build_block((0.50, 0.48, 0.09), 0.04, (0, 0, 0.018), 0.003, 3, 4).translate(z=0.42))
    model.add(look.seat, _build_curved_back(0.245, 0.56, 0.92, 0.05))
    model.add(look.metal, build_swept([(0, 0.12, 0.43), (0, 0.24, 0.46), (0, 0.255, 0.70)], 0.018, 10))
    return model
