"""Which pieces a room gets and where: the main piece is tried all over, the rest find their places about it."""

from collections.abc import Callable, Sequence

import numpy as np

from app.domain.catalogue import RoomType
from app.engine.staging import groups, sets
from app.engine.staging.finding import along_walls, worth
from app.engine.staging.ground import Ground
from app.engine.staging.order import Order
from app.engine.staging.pieces import beds, seating
from app.engine.staging.placing import Layout, Placed

TRIED = 4
"""As many places of the main piece are furnished to the end and compared."""


Fill = Callable[[Order, Layout, Placed], None]


def furnished(ground: Ground, order: Order) -> tuple[Placed, ...]:
    """The pieces where they stand; empty when the room has no place for the least that its type needs."""
    starts, fill = _RECIPES[order.room_type]
    for widths in starts:
        anchors = sorted(widths(order, ground), key=lambda each: -worth(ground, each))
        best: tuple[float, Layout | None] = (0.0, None)
        for anchor in _apart(anchors)[:TRIED]:
            layout = Layout(ground, [anchor])
            fill(order, layout, anchor)
            total = worth(ground, anchor) + 0.35 * sum(_value(layout, each) for each in layout.placed[1:])
            if total > best[0]:
                best = total, layout
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


def _sofas(width: float) -> Callable[[Order, Ground], list[Placed]]:
    return lambda order, ground: along_walls(
        ground,
        [("sofa", order.made(f"sofa {width}", lambda: seating.sofa(order.look, width, order.chance("sofa"))))],
    )


def _beds(width: float) -> Callable[[Order, Ground], list[Placed]]:
    return lambda order, ground: along_walls(
        ground, [("bed", order.made(f"bed {width}", lambda: beds.bed(order.look, width, order.chance("bed"))))]
    )


def _desks(width: float) -> Callable[[Order, Ground], list[Placed]]:
    def places(order: Order, ground: Ground) -> list[Placed]:
        whole = order.made(f"desk {width}", lambda: sets.set_desk(order, width))
        return along_walls(ground, [("desk", whole)])

    return places


def _tables(length: float, seats: int) -> Callable[[Order, Ground], list[Placed]]:
    def places(order: Order, ground: Ground) -> list[Placed]:
        model = order.made(f"dining set {length}", lambda: sets.dining_set(order, length, seats))
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


def _things(*names: str) -> Callable[[Order, Ground], list[Placed]]:
    def places(order: Order, ground: Ground) -> list[Placed]:
        return along_walls(ground, [(name, sets.thing(order, name)) for name in names])

    return places


_LOUNGE = ((_sofas(2.2), _sofas(1.9), _sofas(1.6)), groups.lounge)


_RECIPES: dict[RoomType, tuple[Sequence[Callable[[Order, Ground], list[Placed]]], Fill]] = {
    RoomType.LIVING_ROOM: _LOUNGE,
    RoomType.BASEMENT: _LOUNGE,
    RoomType.OTHER: _LOUNGE,
    RoomType.BEDROOM: ((_beds(1.6), _beds(1.4), _beds(0.9)), groups.sleeping),
    RoomType.DINING_ROOM: ((_tables(1.8, 6), _tables(1.4, 4), _tables(1.1, 2)), groups.dining),
    RoomType.OFFICE: ((_desks(1.5), _desks(1.2)), groups.working),
    RoomType.KITCHEN: ((_tables(1.1, 2), _things("plant", "basket")), groups.cooking),
    RoomType.BATHROOM: ((_things("stool with towels", "plant", "basket"),), groups.bathing),
    RoomType.OUTDOOR_SPACE: ((_sofas(1.9), _sofas(1.6)), groups.outside),
}
