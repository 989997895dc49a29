"""What a pixel of a room is a part of; the order is that of the labels and of the net's outputs."""

from enum import StrEnum


class Surface(StrEnum):
    """A part of a room. Furniture is all that a removal takes away, pictures and plants too; rugs are their own.

    Clutter is small and loose, on floors, tables and counters. Other stays whatever happens: people, curtains,
    radiators, stairs, lamps on ceilings.
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
"""The number of each surface in maps and labels."""
