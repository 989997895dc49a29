"""The kinds of surface a photo is divided into; their order is that of the labels and of the net's outputs."""

from enum import IntEnum


class Kind(IntEnum):
    """What a pixel shows. THINGS is everything else: furniture, cars, people, fences, wires. LAMP is one on a house
    or in its garden."""

    SKY = 0
    LAWN = 1
    TREES = 2
    BUILDING = 3
    GLASS = 4
    WATER = 5
    GROUND = 6
    WINDOW = 7
    WALL = 8
    CEILING = 9
    FLOOR = 10
    THINGS = 11
    LAMP = 12


INDOOR_KINDS = (Kind.WINDOW, Kind.WALL, Kind.CEILING, Kind.FLOOR)
"""Seen from inside a house; WINDOW is glass and what shows through it, GLASS is panes seen from outside."""
