"""Which pieces a room gets and where: the main piece is tried along the walls, the rest find their places about it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from app.domain.catalogue import RoomType, Style
from app.engine.room.geometry import Wall
from app.engine.staging.forms import block
from app.engine.staging.ground import Ground
from app.engine.staging.materials import plain
from app.engine.staging.looks import Look, look_of
from app.engine.staging.model import Model
from app.engine.staging.pieces import beds, chairs, decor, lamps, plants, seating, storage, tables
from app.engine.staging.placing import Layout, Placed, at_wall, beside, touch, under
from app.engine.staging.ways import ways_stay_open

TRIED = 7
"""As many places of the main piece are furnished to the end and compared."""
ALONG = 0.12
"""Metres from one tried place along a wall to the next."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be furnished and how; `seed` makes the same furniture in every view of an order's room."""

    room_type: RoomType
    style: Style
    seed: int
    _made: dict[str, Model] = field(default_factory=dict, compare=False, repr=False)

    def made(self, name: str, build: Callable[[], Model]) -> Model:
        """A piece that is built on first asking and kept."""
        if name not in self._made:
            self._made[name] = build()
        return self._made[name]

    @property
    def look(self) -> Look:
        """The style's look."""
        return look_of(self.style)

    def chance(self, piece: str) -> np.random.Generator:
        """Chance for one piece, the same whatever else is in the room."""
        return np.random.Generator(np.random.PCG64([self.seed, *piece.encode()]))


Fill = Callable[[Order, Layout, Placed], None]


def furnished(ground: Ground, order: Order) -> tuple[Placed, ...]:
    """The pieces where they stand; empty when the room has no place for the least that its type needs."""
    starts, fill = _RECIPES[order.room_type]
    for widths in starts:
        anchors = sorted(widths(order, ground), key=lambda each: -_worth(ground, each))
        best: tuple[float, Layout | None] = (0.0, None)
        for anchor in _apart(anchors)[:TRIED]:
            layout = Layout(ground, [anchor])
            fill(order, layout, anchor)
            worth = _worth(ground, anchor) + 0.35 * sum(_value(layout, each) for each in layout.placed[1:])
            if worth > best[0]:
                best = worth, layout
        if best[1] is not None:
            return tuple(best[1].placed)
    return ()


def _apart(anchors: Sequence[Placed]) -> list[Placed]:
    """The best of anchors that are much the same."""
    kept: list[Placed] = []
    for each in anchors:
        if all(np.hypot(each.x - one.x, each.y - one.y) > 0.35 or each.turn != one.turn for one in kept):
            kept.append(each)
    return kept


def _value(layout: Layout, piece: Placed) -> float:
    size = piece.model.high - piece.model.low
    return (0.4 + float(size[0] * size[2])) * layout.view_of(piece)[0]


def _worth(ground: Ground, anchor: Placed) -> float:
    """Better in full view, facing the camera or across the view, in the middle of its wall, not too near."""
    share, depth, wide = Layout(ground).view_of(anchor)
    facing = np.array([np.sin(anchor.turn), -np.cos(anchor.turn)])
    towards = -np.array([anchor.x, anchor.y]) / max(0.1, float(np.hypot(anchor.x, anchor.y)))
    worth = 3.0 * share + 0.9 * float(facing @ towards) - 0.12 * max(0.0, depth - 3.5) - 0.8 * max(0.0, wide - 0.5)
    for opening in ground.openings:
        # Before a window is allowed where the sill is high enough, but a bare wall is better.
        worth -= 0.15 * (not opening.way and ground.too_tall(anchor.grid(), 3.0))
    return worth


def _along_walls(ground: Ground, models: Iterable[tuple[str, Model]]) -> list[Placed]:
    """Every place along a wall where one of the models fits."""
    found = []
    for name, model in models:
        wide = float(model.high[0] - model.low[0])
        for wall in ground.room.walls:
            for along in _places(wall, wide):
                piece = at_wall(name, model, wall, along)
                if Layout(ground).fits(piece):
                    found.append(piece)
    return found


def _places(wall: Wall, wide: float) -> Iterator[float]:
    room = wall.length - wide - 0.06
    if room >= 0:
        count = int(room / ALONG) + 1
        yield from np.linspace(wide / 2 + 0.03, wall.length - wide / 2 - 0.03, count + 1)


def _sofas(width: float) -> Callable[[Order, Ground], list[Placed]]:
    return lambda order, ground: _along_walls(
        ground,
        [("sofa", order.made(f"sofa {width}", lambda: seating.sofa(order.look, width, order.chance("sofa"))))],
    )


def _beds(width: float) -> Callable[[Order, Ground], list[Placed]]:
    return lambda order, ground: _along_walls(
        ground, [("bed", order.made(f"bed {width}", lambda: beds.bed(order.look, width, order.chance("bed"))))]
    )


def _desks(width: float) -> Callable[[Order, Ground], list[Placed]]:
    def places(order: Order, ground: Ground) -> list[Placed]:
        whole = order.made(f"desk {width}", lambda: _set_desk(order, width))
        return _along_walls(ground, [("desk", whole)])

    return places


def _set_desk(order: Order, width: float) -> Model:
    """A desk with what lies on it; its back is to the wall, so its sitter's side is its front."""
    model = Model()
    look = order.look
    model.put(tables.desk(look, width))
    model.put(decor.computer(look), 0.0, -0.06, 0.74)
    model.put(lamps.table_lamp(look), width / 2 - 0.22, 0.10, 0.74)
    model.put(decor.books(look, order.chance("books")), -width / 2 + 0.24, 0.08, 0.74)
    return model


def _tables(length: float, seats: int) -> Callable[[Order, Ground], list[Placed]]:
    def places(order: Order, ground: Ground) -> list[Placed]:
        model = order.made(f"dining set {length}", lambda: dining_set(order, length, seats))
        found = []
        turns = {0.0, np.pi / 2} | {
            float(np.arctan2(wall.inward[0], -wall.inward[1])) for wall in ground.room.walls[:2]
        }
        for turn in sorted(turns):
            for x in np.arange(-3.0, 3.01, 0.25):
                for y in np.arange(1.6, 6.01, 0.25):
                    piece = Placed("dining set", model, float(x), float(y), turn)
                    if ground.free(piece.corners)[0].all() and Layout(ground).fits(piece):
                        found.append(piece)
        return found

    return places


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


def _lounge(order: Order, layout: Layout, sofa: Placed) -> None:
    """Rug, coffee table, armchairs, side tables with lamps, a plant, a cabinet opposite, pictures."""
    look = order.look
    wide = float(sofa.model.high[0] - sofa.model.low[0])
    front = float(sofa.model.low[1])
    table = order.made(f"coffee table {wide < 2.0}", lambda: _coffee_table(order, 0.95 if wide < 2.0 else 1.1))
    deep = float(table.high[1] - table.low[1])
    for size in ((2.9, 2.0), (2.3, 1.6), (1.7, 1.2)):
        rug = _rug(order, *size)
        if layout.add(under(sofa, rug, 0.0, front + 0.25 - size[1] / 2)):
            break
    layout.add(beside(sofa, "coffee table", table, 0.0, front - 0.40 - deep / 2))
    for side in _sides(layout, sofa):
        at = side * (wide / 2 + 0.34), float(sofa.model.high[1]) - 0.30
        if not any(each.name == "side table" for each in layout.placed):
            if layout.add(beside(sofa, "side table", order.made("side table", lambda: _side_table(order)), *at)):
                continue
        layout.add(
            beside(sofa, "floor lamp", order.made("floor lamp", lambda: lamps.floor_lamp(look)), *at, 0.3 * side)
        )
    chair = _armchair(order)
    for side in _sides(layout, sofa):
        for x, y, turn in ((0.95, -1.15, -1.15), (1.15, -1.0, -1.0), (1.3, -0.9, -1.2), (0.75, -1.9, -2.4)):
            if layout.add(
                beside(sofa, "armchair", chair, side * x * wide / 2.1 + side * 0.35, front + 0.35 + y, side * turn)
            ):
                break
    _against(
        order,
        layout,
        ("media", _media(order, 1.6)),
        ("media", _media(order, 1.2)),
        ("sideboard", order.made("sideboard 1.2", lambda: storage.sideboard(look, 1.2))),
    )
    _finish(order, layout, sofa)


def _media(order: Order, width: float) -> Model:
    def build() -> Model:
        model = storage.media_unit(order.look, width)
        model.put(decor.screen(order.look, min(1.25, width * 0.8)), 0, 0.02, 0.50)
        return model

    return order.made(f"media {width}", build)


def _rug(order: Order, width: float, depth: float) -> Model:
    return order.made(f"rug {width} {depth}", lambda: decor.rug(order.look, width, depth, order.chance("rug")))


def _armchair(order: Order) -> Model:
    return order.made("armchair", lambda: seating.armchair(order.look, order.chance("armchair")))


def _side_table(order: Order) -> Model:
    model = tables.side_table(order.look)
    model.put(lamps.table_lamp(order.look), 0, 0, 0.54)
    return model


def _coffee_table(order: Order, width: float) -> Model:
    """A coffee table with books and a bowl on it."""
    look, table = order.look, tables.coffee_table(order.look, width)
    top = float(table.high[2])
    wide = float(table.high[0] - table.low[0])
    table.put(decor.books(look, order.chance("books")), -wide * 0.18, 0.02, top, 0.2)
    table.put(decor.bowl(look, 0.24), wide * 0.2, 0.04, top)
    return table


def _sides(layout: Layout, anchor: Placed) -> tuple[int, int]:
    """The right and left of a piece, the one farther from the camera first."""
    far = [float(np.linalg.norm(anchor.spread(np.array([[side * 1.0, 0.0]]))[0])) for side in (1, -1)]
    return (1, -1) if far[0] >= far[1] else (-1, 1)


def _against(order: Order, layout: Layout, *choices: tuple[str, Model]) -> Placed | None:
    """The first of the pieces that fits against any wall, where it stands best."""
    for choice in choices:
        found = [
            each for each in _along_walls(layout.ground, [choice]) if layout.fits(each) and _roomy(layout, each)
        ]
        for best in sorted(found, key=lambda each: -_worth(layout.ground, each)):
            tried = layout.copy()
            tried.placed.append(best)
            if ways_stay_open(layout.ground, tried.placed):
                layout.placed.append(best)
                return best
    return None


def _roomy(layout: Layout, piece: Placed) -> bool:
    """Whether there is a way of 0.7 m before a piece that one walks up to."""
    front = float(piece.model.low[1])
    wide, deep = float(piece.model.high[0] - piece.model.low[0]), 0.70
    strip = Model()
    strip.add(plain((200, 200, 200)), block((wide, deep, 0.01)))
    before = beside(piece, "way", strip, 0.0, front - deep / 2 - 0.03)
    return not any(touch(before, other, 0.0) for other in layout.placed if not other.flat and not other.raised)


def _sleeping(order: Order, layout: Layout, bed: Placed) -> None:
    """Night tables with lamps, rug, bench, chest of drawers, chair, plant, picture over the bed."""
    look = order.look
    wide = float(bed.model.high[0] - bed.model.low[0])
    back = float(bed.model.high[1])
    table = order.made("nightstand", lambda: _nightstand(order))
    for side in (1, -1):
        layout.add(beside(bed, "nightstand", table, side * (wide / 2 + 0.29), back - 0.24))
    for size in ((2.9, 2.0), (2.3, 1.6), (2.1, 1.3)):
        rug = _rug(order, *size)
        if layout.add(under(bed, rug, 0.0, float(bed.model.low[1]) + 0.35)):
            break
    if wide > 1.3:
        layout.add(beside(bed, "bench", seating.bench(look, wide * 0.72), 0.0, float(bed.model.low[1]) - 0.32))
    chests = [order.made(f"chest {width}", partial(_chest, order, width)) for width in (1.2, 0.9)]
    _against(order, layout, *(("chest", chest) for chest in chests))
    _against(order, layout, ("armchair", _armchair(order)))
    _finish(order, layout, bed)


def _nightstand(order: Order) -> Model:
    model = storage.nightstand(order.look)
    model.put(lamps.table_lamp(order.look), -0.02, 0.04, 0.54)
    return model


def _chest(order: Order, width: float) -> Model:
    model, look = storage.chest(order.look, width), order.look
    model.put(decor.vase(look, 0.26, order.chance("vase")), -0.3, 0, 0.84)
    model.put(decor.books(look, order.chance("books")), 0.2, 0, 0.84)
    return model


def _board(order: Order, width: float) -> Model:
    model, look = storage.sideboard(order.look, width), order.look
    model.put(decor.bowl(look, 0.3), width * 0.25, 0, 0.72)
    model.put(lamps.table_lamp(look), -width * 0.3, 0, 0.72)
    return model


def _dining(order: Order, layout: Layout, table: Placed) -> None:
    look = order.look
    size = table.model.high - table.model.low
    rug = _rug(order, float(size[0]) + 0.5, float(size[1]) + 0.4)
    layout.add(under(table, rug, 0.0, 0.0))
    boards = [order.made(f"board {width}", partial(_board, order, width)) for width in (1.6, 1.1)]
    side = _against(order, layout, *(("sideboard", board) for board in boards))
    _finish(order, layout, side or table)


def _working(order: Order, layout: Layout, desk: Placed) -> None:
    look = order.look
    for out in (0.22, 0.34):
        if layout.add(
            beside(
                desk,
                "office chair",
                order.made("office chair", lambda: chairs.office_chair(look)),
                0.05,
                float(desk.model.low[1]) - out,
                np.pi + 0.25,
            )
        ):
            break
    rug = _rug(order, 2.1, 1.5)
    layout.add(under(desk, rug, 0.0, float(desk.model.low[1]) - 0.45))
    _against(
        order,
        layout,
        *(("shelf", order.made(f"shelf {width}", partial(storage.shelf, look, width))) for width in (1.3, 0.9)),
    )
    _against(order, layout, ("armchair", _armchair(order)))
    _finish(order, layout, desk)


def _finish(order: Order, layout: Layout, anchor: Placed) -> None:
    """Plant, basket and pictures, where they fit."""
    _against(order, layout, ("plant", _thing(order, "plant")))
    _against(order, layout, ("basket", _thing(order, "basket")))
    hang(order, layout, anchor)


def hang(order: Order, layout: Layout, anchor: Placed) -> None:
    """A picture over a piece at a wall, its middle at 1.55 m, where the wall is bare."""
    inward = np.array([np.sin(anchor.turn), -np.cos(anchor.turn)])
    for wall in layout.ground.room.walls:
        if wall.inward[:2] @ inward < 0.99:
            continue
        spot = np.array([anchor.x, anchor.y]) - np.array(wall.start)
        along, away = float(spot @ wall.along[:2]), float(spot @ wall.inward[:2])
        if away > float(anchor.model.high[1]) + WALL_NEAR or not 0 < along < wall.length:
            continue
        low = max(1.55, anchor.height + 0.45)
        for wide, tall in ((1.1, 0.75), (0.8, 0.55), (0.5, 0.65)):
            middle = max(low, anchor.height + 0.12 + tall / 2) if anchor.height > 1.2 else low
            edges = (
                along - wide / 2 - 0.08,
                along + wide / 2 + 0.08,
                middle - tall / 2 - 0.08,
                middle + tall / 2 + 0.08,
            )
            if middle > 1.75 or not layout.ground.wall_is_bare(wall, *edges):
                continue
            model = decor.picture(order.look, wide, tall, order.chance("picture"))
            foot = np.array(wall.start) + wall.along[:2] * along + wall.inward[:2] * 0.004
            layout.placed.append(
                Placed("picture", model, float(foot[0]), float(foot[1]), anchor.turn, raised=middle - tall / 2)
            )
            return


WALL_NEAR = 0.1


def _things(*names: str) -> Callable[[Order, Ground], list[Placed]]:
    def places(order: Order, ground: Ground) -> list[Placed]:
        return _along_walls(ground, [(name, _thing(order, name)) for name in names])

    return places


def _bathing(order: Order, layout: Layout, anchor: Placed) -> None:
    for name in ("stool with towels", "plant", "basket"):
        if name != anchor.name:
            _against(order, layout, (name, _thing(order, name)))
    mat = decor.mat(order.look, 0.8, 0.5)
    for away in (0.45, 0.6, 0.8):
        if layout.add(under(anchor, mat, 0.0, float(anchor.model.low[1]) - away)):
            break


def _cooking(order: Order, layout: Layout, anchor: Placed) -> None:
    if anchor.name == "dining set":
        rug = _rug(order, 2.0, 1.7)
        layout.add(under(anchor, rug, 0.0, 0.0))
    for name in ("plant", "basket"):
        if name != anchor.name:
            _against(order, layout, (name, _thing(order, name)))


def _outside(order: Order, layout: Layout, sofa: Placed) -> None:
    look = order.look
    front = float(sofa.model.low[1])
    table = order.made("outdoor table", lambda: _coffee_table(order, 0.9))
    deep = float(table.high[1] - table.low[1])
    rug = _rug(order, 2.3, 1.6)
    layout.add(under(sofa, rug, 0.0, front - 0.5))
    layout.add(beside(sofa, "coffee table", table, 0.0, front - 0.4 - deep / 2))
    chair = _armchair(order)
    for side in _sides(layout, sofa):
        layout.add(beside(sofa, "armchair", chair, side * 1.35, front - 0.75, -side * 1.15))
    for name in ("plant", "small plant", "basket"):
        _against(order, layout, (name, _thing(order, name)))


def _thing(order: Order, name: str) -> Model:
    return order.made(name, lambda: _THINGS[name](order))


_THINGS: dict[str, Callable[[Order], Model]] = {
    "stool with towels": lambda order: decor.towel_stool(order.look),
    "plant": lambda order: plants.tall_plant(order.look, 1.3, order.chance("plant")),
    "small plant": lambda order: plants.tall_plant(order.look, 0.8, order.chance("small plant")),
    "basket": lambda order: decor.basket(order.look),
}
_LOUNGE = ((_sofas(2.2), _sofas(1.9), _sofas(1.6)), _lounge)
_RECIPES: dict[RoomType, tuple[Sequence[Callable[[Order, Ground], list[Placed]]], Fill]] = {
    RoomType.LIVING_ROOM: _LOUNGE,
    RoomType.BASEMENT: _LOUNGE,
    RoomType.OTHER: _LOUNGE,
    RoomType.BEDROOM: ((_beds(1.6), _beds(1.4), _beds(0.9)), _sleeping),
    RoomType.DINING_ROOM: ((_tables(1.8, 6), _tables(1.4, 4), _tables(1.1, 2)), _dining),
    RoomType.OFFICE: ((_desks(1.5), _desks(1.2)), _working),
    RoomType.KITCHEN: ((_tables(1.1, 2), _things("plant", "basket")), _cooking),
    RoomType.BATHROOM: ((_things("stool with towels", "plant", "basket"),), _bathing),
    RoomType.OUTDOOR_SPACE: ((_sofas(1.9), _sofas(1.6)), _outside),
}
