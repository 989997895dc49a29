"""The surfaces of a room that a pixel may show, in the order of the labels and of the net's outputs."""

from enum import StrEnum


class Surface(StrEnum):
    """A surface of a room.

    FURNITURE is everything that furniture removal removes, with pictures and plants, but without rugs. CLUTTER is
    small loose things on floors, tables and counters. OTHER is never changed: people, curtains, radiators, stairs,
    lamps on ceilings.
    """

    FLOOR = "floor"
    WALL = "wall"
    CEILING = "ceiling"
    WINDOW = "window"
    DOOR = "door"
    FURNITURE = "furniture"
    CABINET = "cabinet"
    COUNTERTOP = "countertop"
    RUG = "rug"
    CLUTTER = "clutter"
    OTHER = "other"


PLACE = {surface: place for place, surface in enumerate(Surface)}
"""The index of each surface in maps and labels."""
