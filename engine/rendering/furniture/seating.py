"""Sofas, armchairs and benches."""

import numpy as np

from engine.rendering.furniture.legs import add_legs, build_leg
from engine.rendering.furniture.looks import Arm, Leg, Look
from engine.rendering.furniture.model import Model
from engine.rendering.materials import RenderMaterial
from engine.rendering.meshes import (
    build_block,
    build_pillow,
    build_sheet,
    build_slab,
    build_swept,
    outline_rounded_rectangle,
)

SOFA_DEPTH = 0.92
"""Depth of a sofa, meters."""
_ARMS = {  # width, height and edge radius of an arm, and height of the body's underside above the floor; meters
    Arm.TRACK: (0.15, 0.62, 0.025, 0.13),
    Arm.SLIM: (0.09, 0.58, 0.03, 0.17),
    Arm.ROLLED: (0.17, 0.60, 0.03, 0.10),
    Arm.WOODEN: (0.05, 0.58, 0.012, 0.20),
    Arm.ROUND: (0.21, 0.62, 0.095, 0.06),
    Arm.SKIRTED: (0.19, 0.62, 0.06, 0.02),
    Arm.LOW: (0.24, 0.44, 0.02, 0.06),
}


def build_sofa(look: Look, width: float, rng: np.random.Generator) -> Model:
    """A sofa with loose cushions and a throw.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width : float
        Width over the arms, meters; a sofa wider than 2.05 m has three seats in most styles, others have two.
    rng : numpy.random.Generator
        Draws the shape and turn of the loose cushions.

    Returns
    -------
    Model
        The sofa, its back at +y.
    """
    model = Model()
    arm, _, _, _ = _ARMS[look.arm]
    places = 3 if width > 2.05 and look.arm is not Arm.ROUND else 2
    _add_body(model, look, look.sofa, (width, SOFA_DEPTH), places)
    inner = width - 2 * arm
    count = 4 if width > 1.9 else 3
    if look.arm is Arm.LOW:
        count = 2
    spots = (-0.5, -0.27, 0.5, 0.26)
    for number in range(count):
        side = 0.46 if number % 2 == 0 else 0.40
        material = look.cushions[number % len(look.cushions)]
        x = spots[number] * (inner - side * 0.9)
        _add_leaning_cushion(model, material, side, (x, -0.06 - 0.11 * (number % 2)), int(rng.integers(1000)))
    _add_throw(model, look, inner)
    return model


def build_armchair(look: Look, rng: np.random.Generator) -> Model:
    """An armchair in the seat material of the style, with one cushion.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    rng : numpy.random.Generator
        Draws the shape and turn of the cushion.

    Returns
    -------
    Model
        The armchair, its back at +y.
    """
    model = Model()
    width = {Arm.WOODEN: 0.74, Arm.SLIM: 0.76, Arm.ROLLED: 0.88}.get(look.arm, 0.82)
    _add_body(model, look, look.seat, (width, 0.82), 1)
    _add_leaning_cushion(model, look.cushions[-1], 0.40, (0.03, -0.03), int(rng.integers(1000)))
    return model


def _add_body(model: Model, look: Look, cover: RenderMaterial, size: tuple[float, float], places: int) -> None:
    width, depth = size
    arm, _, edge, foot = _ARMS[look.arm]
    inner, back = width - 2 * arm, 0.17
    seat_foot = 0.27
    rail = look.wood if look.arm is Arm.WOODEN else cover
    low = max(foot, 0.20) if look.arm is Arm.WOODEN else foot
    span = width - 0.02 if look.arm in (Arm.ROUND, Arm.LOW) else inner + 0.02
    model.add(rail, build_block((span, depth - 0.05, seat_foot - low), 0.012).translate(y=0.0, z=low))
    back_tall = 0.64 if look.arm is Arm.LOW else 0.74 if look.arm in (Arm.ROUND, Arm.TRACK) else 0.78
    if look.arm is Arm.WOODEN:
        _add_slatted_back(model, look, inner, depth, back_tall)
    else:
        full = width if look.arm in (Arm.ROUND, Arm.LOW) else inner + 0.04
        shape = build_block((full, back, back_tall - low), max(edge, 0.04), (0, 0.012, 0.008), 0.004, 3)
        model.add(cover, shape.translate(y=depth / 2 - back / 2, z=low))
    for side in (-1, 1):
        _add_arm(model, look, cover, (side * (width - arm) / 2, depth))
    _add_cushions(model, look, cover, (inner, depth - back, seat_foot), places)
    if low > 0.03 and look.arm is not Arm.WOODEN:
        add_legs(model, look, width - 0.06, depth - 0.08, low + 0.005, 0.055)
    if look.arm is Arm.SKIRTED:
        model.add(cover, build_block((width - 0.03, depth - 0.04, 0.20), 0.02).translate(z=0.012))
        model.add(look.wood, build_block((width - 0.2, depth - 0.2, 0.02), 0.004))


def _add_slatted_back(model: Model, look: Look, inner: float, depth: float, tall: float) -> None:
    """Add the open back of a wooden seat: two rails and upright slats."""
    y = depth / 2 - 0.05
    for z in (tall - 0.05, 0.40):
        model.add(look.wood, build_block((inner + 0.06, 0.03, 0.05), 0.01).translate(y=y, z=z))
    for number in range(max(4, int(inner / 0.13))):
        share = (number + 0.5) / max(4, int(inner / 0.13)) - 0.5
        model.add(look.wood, build_block((0.02, 0.02, tall - 0.42), 0.004).translate(share * inner, y, 0.38))


def _add_arm(model: Model, look: Look, cover: RenderMaterial, at: tuple[float, float]) -> None:
    x, depth = at
    wide, tall, edge, foot = _ARMS[look.arm]
    if look.arm is Arm.WOODEN:
        rest = build_slab(outline_rounded_rectangle(wide + 0.03, depth * 0.86, 0.03), 0.028, 0.009)
        model.add(look.wood, rest.translate(x, -depth * 0.04, tall - 0.028))
        for y, lean in ((-depth * 0.36, -0.03), (depth * 0.36, 0.05)):
            path = [(x, y + lean, 0), (x, y, 0.3), (x, y, tall - 0.02)]
            model.add(look.wood, build_swept(path, [0.014, 0.021, 0.017], 14))
        model.add(look.wood, build_block((0.024, depth * 0.74, 0.05), 0.006).translate(x, 0, 0.21))
        return
    if look.arm is Arm.ROLLED:
        model.add(cover, build_block((wide - 0.05, depth - 0.03, tall - foot - 0.09), edge).translate(x, 0, foot))
        roll = [(x, end * (depth / 2 - 0.012), tall - 0.095) for end in (-1.0, -0.93, 0.0, 0.93, 1.0)]
        model.add(cover, build_swept(roll, [0.085, 0.1, 0.1, 0.1, 0.085], 24))
        return
    puff = (0.02 * look.plump, 0, 0.015 * look.plump)
    model.add(
        cover, build_block((wide, depth, tall - foot), edge, puff, 0.003 * look.plump, 7).translate(x, 0, foot)
    )


def _add_cushions(
    model: Model, look: Look, cover: RenderMaterial, room: tuple[float, float, float], places: int
) -> None:
    inner, depth, foot = room
    wide, soft = inner / places, look.plump
    front = -0.02 if look.arm in (Arm.TRACK, Arm.LOW) else 0.0
    for number in range(places):
        x = (number - (places - 1) / 2) * wide
        size = (wide - 0.008, depth - 0.03, 0.165)
        seat = build_block(
            size, 0.035 + 0.02 * soft, (0.0, 0.006, 0.012 + 0.03 * soft), 0.012 * soft + 0.003, number, 4
        )
        middle = -(0.17 - 0.03) / 2 + front * 0.5 - 0.004
        model.add(cover, seat.translate(x, middle, foot))
        _add_piping(model, cover, size, (x, middle, foot))
        tall = 0.30 if look.arm is Arm.LOW else 0.40
        shape = (wide - 0.015, 0.17, tall)
        back = build_block(
            shape,
            0.05 + 0.015 * soft,
            (0.004, 0.03 + 0.045 * soft, 0.01 + 0.02 * soft),
            0.02 * soft + 0.004,
            number + 5,
            4,
        )
        model.add(cover, back.rotate(-0.20, "x").translate(x, middle + depth / 2 - 0.135, foot + 0.155))


def _add_piping(
    model: Model, cover: RenderMaterial, size: tuple[float, float, float], at: tuple[float, float, float]
) -> None:
    """Add the cords that are sewn around the upper and the lower edge of a cushion."""
    outline = outline_rounded_rectangle(size[0] - 0.012, size[1] - 0.012, 0.05, 6)
    line = np.concatenate([outline, outline[:2]])
    for z in (0.032, size[2] - 0.032):
        path = np.column_stack([line * [1.012, 1.008], np.full(len(line), z)])
        model.add(cover, build_swept(path + np.array(at), 0.0035, 6))


def _add_leaning_cushion(
    model: Model, material: RenderMaterial, side: float, at: tuple[float, float], seed: int
) -> None:
    """Add a loose cushion that leans against the back."""
    turn = ((seed % 17) / 17 - 0.5) * 0.5
    mesh = build_pillow(side, side, 0.17, seed).rotate(np.pi / 2 - 0.32, "x").rotate(turn)
    model.add(material, mesh.translate(at[0], at[1] + 0.02, 0.435 + side * 0.46))


def _add_throw(model: Model, look: Look, inner: float) -> None:
    """Add a blanket over the right end of the seat, hanging down in front."""
    wide = min(0.55, inner * 0.32)
    middle = inner / 2 - wide * 0.62

    def place(u: np.ndarray, v: np.ndarray) -> np.ndarray:
        v = 1 - v
        along = v * 0.86
        y = np.where(along < 0.45, -0.02 - along, -0.47 - 0.025 * np.sin(np.clip((along - 0.45) * 12, 0, 1.57)))
        drop = np.clip(along - 0.45, 0, None)
        z = 0.452 + 0.022 * (1 - (v * 2 - 1) ** 2) - np.where(along > 0.47, drop - 0.02, drop * 0.4)
        fold = 0.007 * np.sin(u * 19 + 2 * v) + 0.004 * np.sin(u * 43 - 3 * v)
        x = middle + (u - 0.5) * wide * (1 + 0.08 * v) + 0.04 * (v - 0.5)
        over = np.clip((along - 0.45) * 12, 0, 1)
        return np.stack([x, y - fold * over - 0.008 * over, z + (fold + 0.012) * (1 - over)], -1)

    model.add(look.throw, build_sheet(40, 48, place, 0.006))


def build_bench(look: Look, width: float) -> Model:
    """A bench for the foot of a bed: a padded seat on legs.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width : float
        Width of the seat, meters.

    Returns
    -------
    Model
        The bench, 0.48 m high.
    """
    model = Model()
    model.add(look.seat, build_block((width, 0.42, 0.12), 0.035, (0, 0, 0.02), 0.006, 2, 4).translate(z=0.34))
    model.add(look.wood, build_block((width - 0.04, 0.38, 0.05), 0.006).translate(z=0.295))
    if look.leg is Leg.PLINTH:
        for side in (-1, 1):
            model.add(look.wood, build_block((0.05, 0.36, 0.30), 0.006).translate(side * (width / 2 - 0.15)))
        return model
    if look.leg is Leg.TRESTLE:
        for x in (-1, 1):
            for y in (-1, 1):
                mesh = build_leg(Leg.BLOCK, 0.30, 0.06)
                model.add(look.wood, mesh.translate(x * (width / 2 - 0.08), y * 0.14))
        return model
    add_legs(model, look, width - 0.04, 0.38, 0.30, 0.05)
    return model
