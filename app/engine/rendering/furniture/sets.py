"""Pieces with what stands on them: laid tables, night tables with lamps, a set desk."""

from collections.abc import Callable

import numpy as np

from app.engine.rendering.furniture import chairs, decor, lamps, plants, seating, storage, tables
from app.engine.rendering.furniture.model import Model
from app.engine.rendering.furniture.order import Order


def set_desk(order: Order, width: float) -> Model:
    """A desk with what lies on it; its back is to the wall, so its sitter's side is its front."""
    model = Model()
    look = order.look
    model.put(tables.desk(look, width))
    model.put(decor.computer(look), 0.0, -0.06, 0.74)
    model.put(lamps.table_lamp(look), width / 2 - 0.22, 0.10, 0.74)
    model.put(decor.books(look, order.chance("books")), -width / 2 + 0.24, 0.08, 0.74)
    return model


def dining_set(order: Order, length: float, seats: int) -> Model:
    """A table with its chairs and a vessel on it, as one piece."""
    model, look = Model(), order.look
    model.put(tables.dining_table(look, length))
    seat = chairs.chair(look)
    half = (0.84 if length <= 1.5 else 0.92) / 2 if length > 1.25 or not look.round_tables else length / 2
    sides = seats // 2
    for number in range(sides):
        x = (number - (sides - 1) / 2) * (length - 0.35) / max(1, sides)
        for side, turn in ((-1, np.pi), (1, 0.0)):
            model.put(seat, x, side * (half + 0.17), 0.0, turn)
    model.put(decor.vase(look, 0.26, order.chance("vase")), 0.02, 0.03, 0.75)
    model.put(decor.bowl(look, 0.28), 0.36, -0.05, 0.75)
    return model


def media(order: Order, width: float) -> Model:
    def build() -> Model:
        model = storage.media_unit(order.look, width)
        model.put(decor.screen(min(1.25, width * 0.8)), 0, 0.02, 0.50)
        return model

    return order.made(f"media {width}", build)


def rug(order: Order, width: float, depth: float) -> Model:
    """A rug of the order's pattern."""
    return order.made(f"rug {width} {depth}", lambda: decor.rug(order.look, width, depth, order.seed))


def armchair(order: Order) -> Model:
    return order.made("armchair", lambda: seating.armchair(order.look, order.chance("armchair")))


def side_table(order: Order) -> Model:
    model = tables.side_table(order.look)
    model.put(lamps.table_lamp(order.look), 0, 0, 0.54)
    return model


def coffee_table(order: Order, width: float) -> Model:
    """A coffee table with books and a bowl on it."""
    look, table = order.look, tables.coffee_table(order.look, width)
    top = float(table.high[2])
    wide = float(table.high[0] - table.low[0])
    table.put(decor.books(look, order.chance("books")), -wide * 0.18, 0.02, top, 0.2)
    table.put(decor.bowl(look, 0.24), wide * 0.2, 0.04, top)
    return table


def nightstand(order: Order) -> Model:
    model = storage.nightstand(order.look)
    model.put(lamps.table_lamp(order.look), -0.02, 0.04, 0.54)
    return model


def chest(order: Order, width: float) -> Model:
    model, look = storage.chest(order.look, width), order.look
    model.put(decor.vase(look, 0.26, order.chance("vase")), -0.3, 0, 0.84)
    model.put(decor.books(look, order.chance("books")), 0.2, 0, 0.84)
    return model


def board(order: Order, width: float) -> Model:
    model, look = storage.sideboard(order.look, width), order.look
    model.put(decor.bowl(look, 0.3), width * 0.25, 0, 0.72)
    model.put(lamps.table_lamp(look), -width * 0.3, 0, 0.72)
    return model


def thing(order: Order, name: str) -> Model:
    return order.made(name, lambda: _THINGS[name](order))


_THINGS: dict[str, Callable[[Order], Model]] = {
    "stool with towels": lambda order: decor.towel_stool(order.look),
    "plant": lambda order: plants.tall_plant(order.look, 1.3, order.chance("plant")),
    "small plant": lambda order: plants.tall_plant(order.look, 0.8, order.chance("small plant")),
    "basket": lambda order: decor.basket(order.look),
}
