"""What stands about a room's main piece, by kind of room."""

from functools import partial

import numpy as np

from app.engine.rendering.furniture import chairs, decor, lamps, seating, sets, storage
from app.engine.rendering.furniture.order import Order
from app.engine.rendering.layout.placed import Placed, beside, under
from app.engine.rendering.layout.placing import Layout
from app.engine.rendering.layout.search import against, hang, sides

SIDEWAYS = "bed along the wall"


def lounge(order: Order, layout: Layout, sofa: Placed) -> None:
    """Rug, coffee table, armchairs, side tables with lamps, a plant, a cabinet opposite, pictures."""
    look = order.look
    wide = float(sofa.model.high[0] - sofa.model.low[0])
    front = float(sofa.model.low[1])
    table = order.made(f"coffee table {wide < 2.0}", lambda: sets.coffee_table(order, 0.95 if wide < 2.0 else 1.1))
    deep = float(table.high[1] - table.low[1])
    for size in ((2.9, 2.0), (2.3, 1.6), (1.7, 1.2)):
        rug = sets.rug(order, *size)
        if layout.add(under(sofa, rug, 0.0, front + 0.25 - size[1] / 2)):
            break
    layout.add(beside(sofa, "coffee table", table, 0.0, front - 0.40 - deep / 2))
    for side in sides(sofa):
        at = side * (wide / 2 + 0.34), float(sofa.model.high[1]) - 0.30
        if not any(each.name == "side table" for each in layout.placed) and layout.add(
            beside(sofa, "side table", order.made("side table", lambda: sets.side_table(order)), *at)
        ):
            continue
        layout.add(
            beside(sofa, "floor lamp", order.made("floor lamp", lambda: lamps.floor_lamp(look)), *at, 0.3 * side)
        )
    chair = sets.armchair(order)
    for side in sides(sofa):
        for x, y, turn in ((0.95, -1.15, -1.15), (1.15, -1.0, -1.0), (1.3, -0.9, -1.2), (0.75, -1.9, -2.4)):
            at = side * (x * wide / 2.1 + 0.35), front + 0.35 + y
            seat = beside(sofa, "armchair", chair, *at, side * turn)
            if layout.add(seat):
                break
    against(
        layout,
        ("media", partial(sets.media, order, 1.6)),
        ("media", partial(sets.media, order, 1.2)),
        ("sideboard", partial(order.made, "sideboard 1.2", partial(storage.sideboard, look, 1.2))),
        facing=sofa,
    )
    _finish(order, layout, sofa)


def along_the_wall(order: Order, layout: Layout, bed: Placed) -> None:
    """A bed whose long side is at the wall: a rug before it, a chest, a plant."""
    rug = sets.rug(order, 1.7, 1.2)
    layout.add(under(bed, rug, 0.0, float(bed.model.low[1]) - 0.3))
    chests = [partial(order.made, f"chest {width}", partial(sets.chest, order, width)) for width in (1.2, 0.9)]
    against(layout, *(("chest", chest) for chest in chests))
    _finish(order, layout, bed)


def sleeping(order: Order, layout: Layout, bed: Placed) -> None:
    """Night tables with lamps, rug, bench, chest of drawers, chair, plant, picture over the bed."""
    if bed.name == SIDEWAYS:
        along_the_wall(order, layout, bed)
        return
    look = order.look
    wide = float(bed.model.high[0] - bed.model.low[0])
    back = float(bed.model.high[1])
    table = order.made("nightstand", lambda: sets.nightstand(order))
    for side in (1, -1):
        layout.add(beside(bed, "nightstand", table, side * (wide / 2 + 0.29), back - 0.24))
    for size in ((2.9, 2.0), (2.3, 1.6), (2.1, 1.3)):
        rug = sets.rug(order, *size)
        if layout.add(under(bed, rug, 0.0, float(bed.model.low[1]) + 0.35)):
            break
    if wide > 1.3:
        layout.add(
            beside(
                bed,
                "bench",
                order.made(f"bench {wide:.2f}", lambda: seating.bench(look, wide * 0.72)),
                0.0,
                float(bed.model.low[1]) - 0.32,
            )
        )
    chests = [partial(order.made, f"chest {width}", partial(sets.chest, order, width)) for width in (1.2, 0.9)]
    against(layout, *(("chest", chest) for chest in chests))
    against(layout, ("armchair", partial(sets.armchair, order)))
    _finish(order, layout, bed)


def dining(order: Order, layout: Layout, table: Placed) -> None:
    size = table.model.high - table.model.low
    rug = sets.rug(order, float(size[0]) + 0.5, float(size[1]) + 0.4)
    layout.add(under(table, rug, 0.0, 0.0))
    boards = [partial(order.made, f"board {width}", partial(sets.board, order, width)) for width in (1.6, 1.1)]
    side = against(layout, *(("sideboard", board) for board in boards))
    _finish(order, layout, side or table)


def working(order: Order, layout: Layout, desk: Placed) -> None:
    look = order.look
    for out in (0.38, 0.46):
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
    rug = sets.rug(order, 2.1, 1.5)
    layout.add(under(desk, rug, 0.0, float(desk.model.low[1]) - 0.45))
    against(
        layout,
        *(
            ("shelf", partial(order.made, f"shelf {width}", partial(storage.shelf, look, width)))
            for width in (1.3, 0.9)
        ),
    )
    against(layout, ("armchair", partial(sets.armchair, order)))
    _finish(order, layout, desk)


def _finish(order: Order, layout: Layout, anchor: Placed) -> None:
    """Plant, basket and pictures, where they fit."""
    against(layout, ("plant", partial(sets.thing, order, "plant")), small=True)
    against(layout, ("basket", partial(sets.thing, order, "basket")), small=True)
    hang(order, layout, anchor)


def bathing(order: Order, layout: Layout, anchor: Placed) -> None:
    for name in ("stool with towels", "plant", "basket"):
        if name != anchor.name:
            against(layout, (name, partial(sets.thing, order, name)), small=True)
    mat = order.made("mat", lambda: decor.mat(order.look, 0.8, 0.5))
    for away in (0.45, 0.6, 0.8):
        if layout.add(under(anchor, mat, 0.0, float(anchor.model.low[1]) - away, "mat")):
            break


def cooking(order: Order, layout: Layout, anchor: Placed) -> None:
    if anchor.name == "dining set":
        rug = sets.rug(order, 2.0, 1.7)
        layout.add(under(anchor, rug, 0.0, 0.0))
    for name in ("plant", "basket"):
        if name != anchor.name:
            against(layout, (name, partial(sets.thing, order, name)), small=True)


def outside(order: Order, layout: Layout, sofa: Placed) -> None:
    front = float(sofa.model.low[1])
    table = order.made("outdoor table", lambda: sets.coffee_table(order, 0.9))
    deep = float(table.high[1] - table.low[1])
    rug = sets.rug(order, 2.3, 1.6)
    layout.add(under(sofa, rug, 0.0, front - 0.5))
    layout.add(beside(sofa, "coffee table", table, 0.0, front - 0.4 - deep / 2))
    chair = sets.armchair(order)
    for side in sides(sofa):
        layout.add(beside(sofa, "armchair", chair, side * 1.35, front - 0.75, -side * 1.15))
    for name in ("plant", "small plant", "basket"):
        against(layout, (name, partial(sets.thing, order, name)), small=True)
