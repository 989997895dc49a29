"""Adds the other pieces around the main piece of a room: one function for each kind of room."""

from functools import partial

import numpy as np

from engine.rendering.furniture import chairs, decor, lamps, seating, sets, storage
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.layout.placed import PlacedPiece, place_beside, place_under
from engine.rendering.layout.placing import Layout
from engine.rendering.layout.search import hang_picture, order_sides, place_against_wall

SIDEWAYS = "bed along the wall"
"""The name of a bed whose long side is at the wall."""


def furnish_lounge(factory: FurnitureFactory, layout: Layout, sofa: PlacedPiece) -> None:
    """Add a rug, tables, a lamp, armchairs, a cabinet opposite, a plant, a basket and a picture, where they fit.

    Parameters
    ----------
    factory : FurnitureFactory
        Builds the pieces.
    layout : Layout
        The room with the sofa; the pieces are added to it.
    sofa : PlacedPiece
        The main piece.
    """
    look = factory.look
    wide = float(sofa.model.high[0] - sofa.model.low[0])
    front = float(sofa.model.low[1])
    table = factory.get_or_build(
        f"coffee table {wide < 2.0}",
        lambda: sets.build_coffee_table_with_books(factory, 0.95 if wide < 2.0 else 1.1),
    )
    deep = float(table.high[1] - table.low[1])
    for size in ((2.9, 2.0), (2.3, 1.6), (1.7, 1.2)):
        rug = sets.get_rug(factory, *size)
        if layout.add(place_under(sofa, rug, 0.0, front + 0.25 - size[1] / 2)):
            break
    layout.add(place_beside(sofa, "coffee table", table, 0.0, front - 0.40 - deep / 2))
    _add_side_table_and_lamp(factory, layout, sofa)
    chair = sets.get_armchair(factory)
    for side in order_sides(sofa):
        for x, y, turn in ((0.95, -1.15, -1.15), (1.15, -1.0, -1.0), (1.3, -0.9, -1.2), (0.75, -1.9, -2.4)):
            at = side * (x * wide / 2.1 + 0.35), front + 0.35 + y
            seat = place_beside(sofa, "armchair", chair, *at, side * turn)
            if layout.add(seat):
                break
    place_against_wall(
        layout,
        ("media", partial(sets.get_media_unit, factory, 1.6)),
        ("media", partial(sets.get_media_unit, factory, 1.2)),
        ("sideboard", partial(factory.get_or_build, "sideboard 1.2", partial(storage.build_sideboard, look, 1.2))),
        facing=sofa,
    )
    _finish(factory, layout, sofa)


def _add_side_table_and_lamp(factory: FurnitureFactory, layout: Layout, sofa: PlacedPiece) -> None:
    """Add a side table at one side of the sofa and a floor lamp at the other, where they fit."""
    right, back = float(sofa.model.high[0] - sofa.model.low[0]) / 2 + 0.34, float(sofa.model.high[1]) - 0.30
    table = factory.get_or_build("side table", lambda: sets.build_side_table_with_lamp(factory))
    lamp = factory.get_or_build("floor lamp", lambda: lamps.build_floor_lamp(factory.look))
    # A room with two sofas gets only one side table.
    has_table = any(each.name == "side table" for each in layout.placed)
    for side in order_sides(sofa):
        if not has_table and layout.add(place_beside(sofa, "side table", table, side * right, back)):
            has_table = True
        else:
            layout.add(place_beside(sofa, "floor lamp", lamp, side * right, back, 0.3 * side))


def furnish_bed_along_wall(factory: FurnitureFactory, layout: Layout, bed: PlacedPiece) -> None:
    """Add a rug in front of a bed along the wall, a chest, a plant, a basket and a picture, where they fit.

    Parameters
    ----------
    factory : FurnitureFactory
        Builds the pieces.
    layout : Layout
        The room with the bed; the pieces are added to it.
    bed : PlacedPiece
        The main piece.
    """
    rug = sets.get_rug(factory, 1.7, 1.2)
    layout.add(place_under(bed, rug, 0.0, float(bed.model.low[1]) - 0.3))
    chests = [
        partial(factory.get_or_build, f"chest {width}", partial(sets.build_chest_with_vase, factory, width))
        for width in (1.2, 0.9)
    ]
    place_against_wall(layout, *(("chest", chest) for chest in chests))
    _finish(factory, layout, bed)


def furnish_bedroom(factory: FurnitureFactory, layout: Layout, bed: PlacedPiece) -> None:
    """Add nightstands, a rug, a bench, a chest, an armchair, a plant, a basket and a picture, where they fit.

    Parameters
    ----------
    factory : FurnitureFactory
        Builds the pieces.
    layout : Layout
        The room with the bed; the pieces are added to it.
    bed : PlacedPiece
        The main piece; one named SIDEWAYS is furnished by `furnish_bed_along_wall`.
    """
    if bed.name == SIDEWAYS:
        furnish_bed_along_wall(factory, layout, bed)
        return
    look = factory.look
    wide = float(bed.model.high[0] - bed.model.low[0])
    back = float(bed.model.high[1])
    table = factory.get_or_build("nightstand", lambda: sets.build_nightstand_with_lamp(factory))
    for side in (1, -1):
        layout.add(place_beside(bed, "nightstand", table, side * (wide / 2 + 0.29), back - 0.24))
    for size in ((2.9, 2.0), (2.3, 1.6), (2.1, 1.3)):
        rug = sets.get_rug(factory, *size)
        if layout.add(place_under(bed, rug, 0.0, float(bed.model.low[1]) + 0.35)):
            break
    if wide > 1.3:
        layout.add(
            place_beside(
                bed,
                "bench",
                factory.get_or_build(f"bench {wide:.2f}", lambda: seating.build_bench(look, wide * 0.72)),
                0.0,
                float(bed.model.low[1]) - 0.32,
            )
        )
    chests = [
        partial(factory.get_or_build, f"chest {width}", partial(sets.build_chest_with_vase, factory, width))
        for width in (1.2, 0.9)
    ]
    place_against_wall(layout, *(("chest", chest) for chest in chests))
    place_against_wall(layout, ("armchair", partial(sets.get_armchair, factory)))
    _finish(factory, layout, bed)


def furnish_dining_room(factory: FurnitureFactory, layout: Layout, table: PlacedPiece) -> None:
    """Add a rug, a sideboard, a plant, a basket and a picture, where they fit.

    Parameters
    ----------
    factory : FurnitureFactory
        Builds the pieces.
    layout : Layout
        The room with the dining set; the pieces are added to it.
    table : PlacedPiece
        The main piece, chairs included.
    """
    size = table.model.high - table.model.low
    rug = sets.get_rug(factory, float(size[0]) + 0.5, float(size[1]) + 0.4)
    layout.add(place_under(table, rug, 0.0, 0.0))
    boards = [
        partial(factory.get_or_build, f"board {width}", partial(sets.build_sideboard_with_lamp, factory, width))
        for width in (1.6, 1.1)
    ]
    side = place_against_wall(layout, *(("sideboard", board) for board in boards))
    _finish(factory, layout, side or table)


def furnish_office(factory: FurnitureFactory, layout: Layout, desk: PlacedPiece) -> None:
    """Add a chair, a rug, a shelf, an armchair, a plant, a basket and a picture, where they fit.

    Parameters
    ----------
    factory : FurnitureFactory
        Builds the pieces.
    layout : Layout
        The room with the desk; the pieces are added to it.
    desk : PlacedPiece
        The main piece.
    """
    look = factory.look
    for out in (0.38, 0.46):
        if layout.add(
            place_beside(
                desk,
                "office chair",
                factory.get_or_build("office chair", lambda: chairs.build_office_chair(look)),
                0.05,
                float(desk.model.low[1]) - out,
                np.pi + 0.25,
            )
        ):
            break
    rug = sets.get_rug(factory, 2.1, 1.5)
    layout.add(place_under(desk, rug, 0.0, float(desk.model.low[1]) - 0.45))
    place_against_wall(
        layout,
        *(
            ("shelf", partial(factory.get_or_build, f"shelf {width}", partial(storage.build_shelf, look, width)))
            for width in (1.3, 0.9)
        ),
    )
    place_against_wall(layout, ("armchair", partial(sets.get_armchair, factory)))
    _finish(factory, layout, desk)


def _finish(factory: FurnitureFactory, layout: Layout, anchor: PlacedPiece) -> None:
    """Add a plant, a basket and a picture above `anchor`, where they fit."""
    place_against_wall(layout, ("plant", partial(sets.get_small_piece, factory, "plant")), small=True)
    place_against_wall(layout, ("basket", partial(sets.get_small_piece, factory, "basket")), small=True)
    hang_picture(factory, layout, anchor)


def furnish_bathroom(factory: FurnitureFactory, layout: Layout, anchor: PlacedPiece) -> None:
    """Add a stool with towels, a plant, a basket, and a mat in front of the main piece, where they fit.

    Parameters
    ----------
    factory : FurnitureFactory
        Builds the pieces.
    layout : Layout
        The room with the main piece; the others are added to it.
    anchor : PlacedPiece
        The main piece: a stool with towels, a plant or a basket; it is not added a second time.
    """
    for name in ("stool with towels", "plant", "basket"):
        if name != anchor.name:
            place_against_wall(layout, (name, partial(sets.get_small_piece, factory, name)), small=True)
    mat = factory.get_or_build("mat", lambda: decor.build_mat(factory.look, 0.8, 0.5))
    for away in (0.45, 0.6, 0.8):
        if layout.add(place_under(anchor, mat, 0.0, float(anchor.model.low[1]) - away, "mat")):
            break


def furnish_kitchen(factory: FurnitureFactory, layout: Layout, anchor: PlacedPiece) -> None:
    """Add a rug under a dining set, a plant and a basket, where they fit.

    Parameters
    ----------
    factory : FurnitureFactory
        Builds the pieces.
    layout : Layout
        The room with the main piece; the others are added to it.
    anchor : PlacedPiece
        The main piece.
    """
    if anchor.name == "dining set":
        rug = sets.get_rug(factory, 2.0, 1.7)
        layout.add(place_under(anchor, rug, 0.0, 0.0))
    for name in ("plant", "basket"):
        if name != anchor.name:
            place_against_wall(layout, (name, partial(sets.get_small_piece, factory, name)), small=True)


def furnish_terrace(factory: FurnitureFactory, layout: Layout, sofa: PlacedPiece) -> None:
    """Add a rug, a low table, armchairs, plants and a basket around an outdoor sofa, where they fit.

    Parameters
    ----------
    factory : FurnitureFactory
        Builds the pieces.
    layout : Layout
        The room with the sofa; the pieces are added to it.
    sofa : PlacedPiece
        The main piece.
    """
    front = float(sofa.model.low[1])
    table = factory.get_or_build("outdoor table", lambda: sets.build_coffee_table_with_books(factory, 0.9))
    deep = float(table.high[1] - table.low[1])
    rug = sets.get_rug(factory, 2.3, 1.6)
    layout.add(place_under(sofa, rug, 0.0, front - 0.5))
    layout.add(place_beside(sofa, "coffee table", table, 0.0, front - 0.4 - deep / 2))
    chair = sets.get_armchair(factory)
    for side in order_sides(sofa):
        layout.add(place_beside(sofa, "armchair", chair, side * 1.35, front - 0.75, -side * 1.15))
    for name in ("plant", "small plant", "basket"):
        place_against_wall(layout, (name, partial(sets.get_small_piece, factory, name)), small=True)
