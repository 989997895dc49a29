"""Beds with their bedding."""

import numpy as np

from engine.rendering.furniture.legs import add_legs, build_leg
from engine.rendering.furniture.looks import Headboard, Leg, Look
from engine.rendering.furniture.model import Model
from engine.rendering.meshes import (
    Mesh,
    Values,
    build_block,
    build_pillow,
    build_sheet,
    build_slab,
    build_swept,
)

MATTRESS_LENGTH = 2.02
"""Length of the mattress, meters."""
BED_HEIGHT = 0.53
"""Height of the upper side of a made bed above the floor, meters."""


def build_bed(look: Look, width: float, rng: np.random.Generator) -> Model:
    """A made bed with pillows, duvet, runner and headboard.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.
    width : float
        Width of the mattress, meters.
    rng : numpy.random.Generator
        Draws the folds of the bedding and the shapes of the pillows.

    Returns
    -------
    Model
        The bed, its head at +y.
    """
    model = Model()
    seed = int(rng.integers(1000))
    _add_frame(model, look, width)
    model.add(look.linen, build_block((width, MATTRESS_LENGTH, 0.24), 0.06, (0.006, 0.006, 0.01)).translate(z=0.26))
    _add_duvet(model, look, width, seed)
    _add_pillows(model, look, width, seed)
    _add_runner(model, look, width, seed)
    _add_headboard(model, look, width)
    return model


def _add_frame(model: Model, look: Look, width: float) -> None:
    padded = look.headboard in (Headboard.PANEL, Headboard.CHANNELS, Headboard.BUTTONS)
    material = look.sofa if padded else look.wood
    low = 0.06 if look.leg is Leg.PLINTH else 0.13
    edge = 0.03 if padded else 0.006
    model.add(material, build_block((width + 0.07, MATTRESS_LENGTH + 0.05, 0.30 - low), edge).translate(z=low))
    if look.leg in (Leg.PLINTH, Leg.SLED):
        add_legs(model, look, width - 0.1, MATTRESS_LENGTH - 0.1, low + 0.01, 0.06)
        return
    kind = Leg.BLOCK if look.leg is Leg.TRESTLE else look.leg
    for x in (-1, 1):
        for y in (-1, 1):
            at = x * (width / 2 - 0.02), y * (MATTRESS_LENGTH / 2 - 0.03)
            model.add(look.wood, build_leg(kind, low + 0.01, 0.07).translate(*at))


def _add_duvet(model: Model, look: Look, width: float, seed: int) -> None:
    """Add a duvet in folds over the lower three quarters of the bed, hanging down at its sides and foot."""
    rng = np.random.Generator(np.random.PCG64(seed))
    waves = rng.uniform(0, 6.3, 6)
    head = MATTRESS_LENGTH / 2 - 0.52
    drop = 0.26

    def place(u: Values, v: Values) -> Values:
        across = (u - 0.5) * (width + 2 * drop + 0.05)
        down = (1 - v) * (head + MATTRESS_LENGTH / 2 + drop)
        x, fall = _drape_over_side(across, width / 2 + 0.022)
        y, foot = _drape_over_foot(head - down, -MATTRESS_LENGTH / 2 - 0.03)
        hang = np.maximum(fall, foot)
        puffs = 0.016 * np.sin(x * 5.3 + waves[0] + 1.4 * np.sin(y * 3 + waves[1])) * np.sin(y * 4.1 + waves[2])
        creases = 0.008 * np.sin(x * 13 + y * 7 + waves[3]) * np.sin(y * 17 - x * 5 + waves[4])
        bend = np.clip(hang / 0.08, 0, 1)
        z = BED_HEIGHT + 0.018 - hang + (puffs + creases + 0.016) * (1 - bend)
        ripple = 0.014 * np.sin(17 * (x + y) + waves[5]) * np.clip(hang / drop, 0, 1)
        side = np.sign(across) * (fall > 0)
        x = x + side * (0.014 * bend + ripple + 0.02 * np.clip(hang / drop, 0, 1))
        y = y - (foot > 0) * (0.012 * bend + ripple)
        return np.stack([x, y, z], -1)

    model.add(look.linen, build_sheet(110, 110, place, 0.022))
    fold = build_block((width + 0.08, 0.34, 0.035), 0.017, (0, 0, 0.008), 0.03, seed)
    model.add(look.sheets, fold.translate(y=head - 0.13, z=BED_HEIGHT + 0.046))


def _drape_over_side(across: Values, half: float) -> tuple[Values, Values]:
    """The x of cloth that is `across` meters from the bed's middle, and how far it hangs down at the side."""
    over = np.clip(np.abs(across) - half, 0, None)
    return np.sign(across) * np.minimum(np.abs(across), half + 0.010), over


def _drape_over_foot(along: Values, end: float) -> tuple[Values, Values]:
    """The y of cloth at `along` on a bed whose foot is at `end`, and how far it hangs down at the foot."""
    over = np.clip(end - along, 0, None)
    return np.maximum(along, end - 0.010), over


def _add_pillows(model: Model, look: Look, width: float, seed: int) -> None:
    count = 2 if width > 1.2 else 1
    for number in range(count):
        x = (number - (count - 1) / 2) * (width / count)
        wide = min(0.72, width / count - 0.04)
        for row, (material, lean) in enumerate(((look.sheets, 0.95), (look.linen, 0.78))):
            mesh = build_pillow(wide, 0.46, 0.18, seed + number * 3 + row).rotate(lean, "x")
            model.add(
                material, mesh.translate(x, MATTRESS_LENGTH / 2 - 0.17 - row * 0.17, BED_HEIGHT + 0.17 - 0.02 * row)
            )
    accents = 1 if width < 1.3 or look.headboard is Headboard.LOW else 3
    for number in range(accents):
        side = 0.46 if number != 1 else 0.40
        x = (number - (accents - 1) / 2) * min(0.46, width * 0.28)
        material = look.cushions[number % len(look.cushions)]
        turn = ((seed + number * 5) % 7 / 7 - 0.5) * 0.3
        y = MATTRESS_LENGTH / 2 - 0.50 - (0.10 if number == 1 and accents > 1 else 0)
        mesh = build_pillow(side * 1.05, side, 0.16, seed + 11 + number).rotate(1.12, "x").rotate(turn)
        model.add(material, mesh.translate(x, y, BED_HEIGHT + side * 0.43 + 0.03))


def _add_runner(model: Model, look: Look, width: float, seed: int) -> None:
    """Add a blanket laid across the foot of the bed."""
    waves = np.random.Generator(np.random.PCG64(seed + 1)).uniform(0, 6.3, 3)

    def place(u: Values, v: Values) -> Values:
        across = (u - 0.5) * (width + 0.52)
        x, fall = _drape_over_side(across, width / 2 + 0.035)
        bend = np.clip(fall / 0.08, 0, 1)
        y = -MATTRESS_LENGTH / 2 + 0.18 + v * 0.52 + 0.02 * np.sin(u * 7 + waves[0])
        ridge = 0.007 * np.sin(v * 21 + 3 * np.sin(u * 4 + waves[1])) + 0.010 * np.sin(x * 5 + waves[2])
        z = BED_HEIGHT + 0.068 - fall + (ridge + 0.006) * (1 - bend)
        return np.stack([x + np.sign(across) * bend * (0.042 + 0.006 * np.sin(v * 14)), y, z], -1)

    model.add(look.throw, build_sheet(90, 34, place, 0.008))


def _add_headboard(model: Model, look: Look, width: float) -> None:
    wide, y = width + 0.10, MATTRESS_LENGTH / 2 + 0.055
    if look.headboard is Headboard.LOW:
        model.add(look.wood, build_block((wide + 0.5, 0.05, 0.62), 0.006).translate(y=y))
    elif look.headboard is Headboard.PANEL:
        for side in (-1, 1):
            pad = build_block((wide / 2 - 0.003, 0.09, 0.92), 0.03, (0, 0.012, 0), 0.002, 4)
            model.add(look.sofa, pad.translate(side * wide / 4, y, 0.08))
    elif look.headboard is Headboard.CHANNELS:
        count = max(6, round(wide / 0.16))
        for number in range(count):
            x = ((number + 0.5) / count - 0.5) * wide
            channel = build_block((wide / count - 0.002, 0.11, 1.02), 0.05, (0, 0.012, 0.005), 0.002, number)
            model.add(look.sofa, channel.translate(x, y, 0.04))
    elif look.headboard is Headboard.BUTTONS:
        _add_buttoned_headboard(model, look, wide, y)
    elif look.headboard is Headboard.CANE:
        _add_cane_headboard(model, look, wide, y)
    elif look.headboard is Headboard.PLANKS:
        _add_plank_headboard(model, look, wide, y)
    else:
        _add_slatted_headboard(model, look, wide, y)


def _add_plank_headboard(model: Model, look: Look, wide: float, y: float) -> None:
    for number in range(6):
        model.add(look.wood, build_block((wide, 0.03, 0.135), 0.005).translate(y=y, z=0.30 + number * 0.138))
    for side in (-1, 1):
        model.add(look.wood, build_block((0.09, 0.07, 1.14), 0.006).translate(side * (wide / 2 - 0.02), y))
    model.add(look.wood, build_block((wide + 0.10, 0.09, 0.04), 0.008).translate(y=y, z=1.13))


def _add_slatted_headboard(model: Model, look: Look, wide: float, y: float) -> None:
    for side in (-1, 1):
        model.add(look.wood, build_swept([(side * wide / 2, y, 0), (side * wide / 2, y, 0.98)], [0.024, 0.02], 14))
    for z in (0.94, 0.5):
        model.add(look.wood, build_block((wide, 0.03, 0.055), 0.012).translate(y=y, z=z))
    count = round(wide / 0.105)
    for number in range(count):
        x = ((number + 0.5) / count - 0.5) * wide
        model.add(look.wood, build_block((0.022, 0.018, 0.42), 0.006).translate(x, y, 0.53))


def _add_buttoned_headboard(model: Model, look: Look, wide: float, y: float) -> None:
    """Add a padded headboard with an arched top and rows of buttons that draw the padding in."""

    def place(u: Values, v: Values) -> Values:
        x = (u - 0.5) * wide
        top = 1.02 + 0.16 * np.clip(np.cos((u - 0.5) * 2.6), 0, None) ** 2
        z = 0.08 + v * (top - 0.08)
        rows = np.abs(np.sin(np.pi * (x / 0.26 + z / 0.36))) * np.abs(np.sin(np.pi * (x / 0.26 - z / 0.36)))
        rim = np.minimum(1, 14 * np.minimum(np.minimum(u, 1 - u), np.minimum(v, 1 - v)))
        return np.stack([x, y + 0.03 - (0.045 + 0.03 * rows**0.5) * rim, z], -1)

    model.add(look.sofa, build_sheet(110, 70, place, 0.02))
    model.add(look.wood, _build_arched_back(wide + 0.05, y + 0.035))


def _build_arched_back(wide: float, y: float) -> Mesh:
    angles = np.linspace(0, 1, 40)
    top = np.column_stack(
        [(0.5 - angles) * wide, 1.05 + 0.16 * np.clip(np.cos((angles - 0.5) * 2.6), 0, None) ** 2]
    )
    outline = np.concatenate([[[-wide / 2, 0.0]], [[wide / 2, 0.0]], top])
    return build_slab(outline, 0.035, 0.006).rotate(np.pi / 2, "x").translate(y=y + 0.035)


def _add_cane_headboard(model: Model, look: Look, wide: float, y: float) -> None:
    for side in (-1, 1):
        model.add(look.wood, build_block((0.06, 0.05, 1.05), 0.014).translate(side * (wide / 2 - 0.03), y))
    for z in (0.99, 0.42):
        model.add(look.wood, build_block((wide, 0.045, 0.065), 0.014).translate(y=y, z=z))
    model.add(look.wood, build_block((0.04, 0.04, 0.52), 0.01).translate(y=y, z=0.48))
    model.add(look.basket, build_block((wide - 0.08, 0.012, 0.54), 0.003).translate(y=y, z=0.46))
