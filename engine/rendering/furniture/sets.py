"""Builds pieces with things on or around them: a table with chairs, a stand with a lamp, a desk with a laptop."""

from collections.abc import Callable

import numpy as np

from engine.rendering.furniture import chairs, decor, lamps, plants, seating, storage, tables
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.furniture.model import Model


def build_desk_with_laptop(factory: FurnitureFactory, width: float) -> Model:
    """A desk with a laptop, a lamp and books; a person sits at its front, its back is at the wall.

    Parameters
    ----------
    factory : FurnitureFactory
        Holds the style, the seed and the pieces already built.
    width : float
        Width of the desk, meters.

    Returns
    -------
    Model
        A new model on each call.
    """
    model = Model()
    look = factory.look
    model.add_model(tables.build_desk(look, width))
    model.add_model(decor.build_computer(look), 0.0, -0.06, 0.74)
    model.add_model(lamps.build_table_lamp(look), width / 2 - 0.22, 0.10, 0.74)
    model.add_model(decor.build_books(look, factory.make_rng("books")), -width / 2 + 0.24, 0.08, 0.74)
    return model


def build_dining_set(factory: FurnitureFactory, length: float, seats: int) -> Model:
    """A table with its chairs, a vase and a bowl, as one piece.

    Parameters
    ----------
    factory : FurnitureFactory
        Holds the style, the seed and the pieces already built.
    length : float
        Length of the table, meters.
    seats : int
        Number of chairs, half of them on each side; an odd number is rounded down.

    Returns
    -------
    Model
        A new model on each call.
    """
    model, look = Model(), factory.look
    model.add_model(tables.build_dining_table(look, length))
    seat = chairs.build_chair(look)
    half = (0.84 if length <= 1.5 else 0.92) / 2 if length > 1.25 or not look.round_tables else length / 2
    sides = seats // 2
    for number in range(sides):
        x = (number - (sides - 1) / 2) * (length - 0.35) / max(1, sides)
        for side, turn in ((-1, np.pi), (1, 0.0)):
            model.add_model(seat, x, side * (half + 0.17), 0.0, turn)
    model.add_model(decor.build_vase(look, 0.26, factory.make_rng("vase")), 0.02, 0.03, 0.75)
    model.add_model(decor.build_bowl(look, 0.28), 0.36, -0.05, 0.75)
    return model


def get_media_unit(factory: FurnitureFactory, width: float) -> Model:
    """A low unit with a television on it.

    Parameters
    ----------
    factory : FurnitureFactory
        Holds the style, the seed and the pieces already built.
    width : float
        Width of the unit, meters; the screen is 0.8 times as wide, at most 1.25 m.

    Returns
    -------
    Model
        Cached by the factory.
    """

    def build() -> Model:
        model = storage.build_media_unit(factory.look, width)
        model.add_model(decor.build_screen(min(1.25, width * 0.8)), 0, 0.02, 0.50)
        return model

    return factory.get_or_build(f"media {width}", build)


def get_rug(factory: FurnitureFactory, width: float, depth: float) -> Model:
    """A rug with the pattern of the style, drawn with the factory's seed.

    Parameters
    ----------
    factory : FurnitureFactory
        Holds the style, the seed and the pieces already built.
    width, depth : float
        Extents along x and y, meters.

    Returns
    -------
    Model
        Cached by the factory.
    """
    return factory.get_or_build(
        f"rug {width} {depth}", lambda: decor.build_rug(factory.look, width, depth, factory.seed)
    )


def get_armchair(factory: FurnitureFactory) -> Model:
    """The armchair of the style.

    Parameters
    ----------
    factory : FurnitureFactory
        Holds the style, the seed and the pieces already built.

    Returns
    -------
    Model
        Cached by the factory.
    """
    return factory.get_or_build(
        "armchair", lambda: seating.build_armchair(factory.look, factory.make_rng("armchair"))
    )


def build_side_table_with_lamp(factory: FurnitureFactory) -> Model:
    """A side table with a lamp on it.

    Parameters
    ----------
    factory : FurnitureFactory
        Holds the style, the seed and the pieces already built.

    Returns
    -------
    Model
        A new model on each call.
    """
    model = tables.build_side_table(factory.look)
    model.add_model(lamps.build_table_lamp(factory.look), 0, 0, 0.54)
    return model


def build_coffee_table_with_books(factory: FurnitureFactory, width: float) -> Model:
    """A coffee table with books and a bowl on it.

    Parameters
    ----------
    factory : FurnitureFactory
        Holds the style, the seed and the pieces already built.
    width : float
        Width as in `build_coffee_table`, meters.

    Returns
    -------
    Model
        A new model on each call.
    """
    look, table = factory.look, tables.build_coffee_table(factory.look, width)
    top = float(table.high[2])
    wide = float(table.high[0] - table.low[0])
    table.add_model(decor.build_books(look, factory.make_rng("books")), -wide * 0.18, 0.02, top, 0.2)
    table.add_model(decor.build_bowl(look, 0.24), wide * 0.2, 0.04, top)
    return table


def build_nightstand_with_lamp(factory: FurnitureFactory) -> Model:
    """A nightstand with a lamp on it.

    Parameters
    ----------
    factory : FurnitureFactory
        Holds the style, the seed and the pieces already built.

    Returns
    -------
    Model
        A new model on each call.
    """
    model = storage.build_nightstand(factory.look)
    model.add_model(lamps.build_table_lamp(factory.look), -0.02, 0.04, 0.54)
    return model


def build_chest_with_vase(factory: FurnitureFactory, width: float) -> Model:
    """A chest of drawers with a vase and books on it.

    Parameters
    ----------
    factory : FurnitureFactory
        Holds the style, the seed and the pieces already built.
    width : float
        Width of the chest, meters.

    Returns
    -------
    Model
        A new model on each call.
    """
    model, look = storage.build_chest(factory.look, width), factory.look
    model.add_model(decor.build_vase(look, 0.26, factory.make_rng("vase")), -0.3, 0, 0.84)
    model.add_model(decor.build_books(look, factory.make_rng("books")), 0.2, 0, 0.84)
    return model


def build_sideboard_with_lamp(factory: FurnitureFactory, width: float) -> Model:
    """A sideboard with a bowl and a lamp on it.

    Parameters
    ----------
    factory : FurnitureFactory
        Holds the style, the seed and the pieces already built.
    width : float
        Width of the sideboard, meters.

    Returns
    -------
    Model
        A new model on each call.
    """
    model, look = storage.build_sideboard(factory.look, width), factory.look
    model.add_model(decor.build_bowl(look, 0.3), width * 0.25, 0, 0.72)
    model.add_model(lamps.build_table_lamp(look), -width * 0.3, 0, 0.72)
    return model


def get_small_piece(factory: FurnitureFactory, name: str) -> Model:
    """A small piece by its name.

    Parameters
    ----------
    factory : FurnitureFactory
        Holds the style, the seed and the pieces already built.
    name : str
        `plant`, `small plant`, `basket` or `stool with towels`.

    Returns
    -------
    Model
        Cached by the factory.

    Raises
    ------
    KeyError
        For any other name.
    """
    return factory.get_or_build(name, lambda: _SMALL_PIECES[name](factory))


_SMALL_PIECES: dict[str, Callable[[FurnitureFactory], Model]] = {
    "stool with towels": lambda factory: decor.build_towel_stool(factory.look),
    "plant": lambda factory: plants.build_tall_plant(factory.look, 1.3, factory.make_rng("plant")),
    "small plant": lambda factory: plants.build_tall_plant(factory.look, 0.8, factory.make_rng("small plant")),
    "basket": lambda factory: decor.build_basket(factory.look),
}
