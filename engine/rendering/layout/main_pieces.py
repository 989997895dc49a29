"""The main pieces around which rooms are furnished, and the sizes in which they are built."""

from collections.abc import Callable

from engine.rendering.furniture import beds, seating, sets
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.furniture.model import Model
from engine.types.hints import Piece

Build = Callable[[FurnitureFactory, float], Model]
TABLE_SEATS = {1.8: 6, 1.4: 4, 1.1: 2}
"""Number of seats of a dining table, by the table's length in meters."""


def build_sofa(factory: FurnitureFactory, width: float) -> Model:
    """A sofa in the room's style.

    Parameters
    ----------
    factory : FurnitureFactory
        Style and random numbers of the room.
    width : float
        Meters.

    Returns
    -------
    Model
        The same object for the same width.
    """
    return factory.get_or_build(
        f"sofa {width}", lambda: seating.build_sofa(factory.look, width, factory.make_rng("sofa"))
    )


def build_bed(factory: FurnitureFactory, width: float) -> Model:
    """A bed in the room's style.

    Parameters
    ----------
    factory : FurnitureFactory
        Style and random numbers of the room.
    width : float
        Width of the mattress, meters.

    Returns
    -------
    Model
        The same object for the same width.
    """
    return factory.get_or_build(
        f"bed {width}", lambda: beds.build_bed(factory.look, width, factory.make_rng("bed"))
    )


def build_desk(factory: FurnitureFactory, width: float) -> Model:
    """A desk with its chair.

    Parameters
    ----------
    factory : FurnitureFactory
        Style and random numbers of the room.
    width : float
        Meters.

    Returns
    -------
    Model
        The same object for the same width.
    """
    return factory.get_or_build(f"desk {width}", lambda: sets.build_desk_with_laptop(factory, width))


def build_table(factory: FurnitureFactory, length: float) -> Model:
    """A dining table with its chairs.

    Parameters
    ----------
    factory : FurnitureFactory
        Style and random numbers of the room.
    length : float
        A key of TABLE_SEATS, meters.

    Returns
    -------
    Model
        The same object for the same length.
    """
    return factory.get_or_build(
        f"dining set {length}", lambda: sets.build_dining_set(factory, length, TABLE_SEATS[length])
    )


MAIN_PIECES: dict[Piece, tuple[str, Build, tuple[float, ...]]] = {
    Piece.SOFA: ("sofa", build_sofa, (2.2, 1.9, 1.6)),
    Piece.BED: ("bed", build_bed, (1.6, 1.4, 0.9)),
    Piece.DINING_TABLE: ("dining set", build_table, (1.8, 1.4, 1.1)),
    Piece.DESK: ("desk", build_desk, (1.5, 1.2)),
}
"""By kind: the name of the piece in a layout, the function that builds it, and its sizes in meters, largest first.
"""
