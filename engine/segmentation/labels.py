"""The classes of the net, for each pixel and for the whole photo, in the order of the net's outputs."""

from enum import IntEnum, StrEnum

import numpy as np

from engine.arrays import Plane, plane
from engine.geometry.surface import PLACE, Surface


class Kind(IntEnum):
    """The classes of pixels that the engine uses; each combines several labels of the net.

    THINGS is everything else: furniture, cars, people, fences, wires. LAMP is a lamp on a house or in its garden.
    """

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
"""Kinds of pixels in rooms. WINDOW is glass with the view through it; panes seen from outside are GLASS instead."""


class Label(StrEnum):
    """The classes of pixels that the net was trained on, in the order of its outputs: add new labels at the end."""

    SKY = "sky"
    LAWN = "lawn"
    GRAVEL = "gravel"
    PAVING = "paving"
    TREE = "tree"
    BUSH = "bush"
    FLOWER_BED = "flower_bed"
    WATER = "water"
    SNOW = "snow"
    FACADE = "facade"
    ROOF = "roof"
    PANE = "pane"
    SHUTTER = "shutter"
    GARAGE_DOOR = "garage_door"
    FENCE = "fence"
    WIRE = "wire"
    CAR = "car"
    BIN = "bin"
    PERSON = "person"
    DOOR = "door"
    LAMP = "lamp"
    OUTSIDE_OTHER = "outside_other"
    WALL = "wall"
    CEILING = "ceiling"
    FLOOR = "floor"
    RUG = "rug"
    WINDOW = "window"
    CURTAIN = "curtain"
    PASSAGE = "passage"
    STAIRS = "stairs"
    FIREPLACE = "fireplace"
    MIRROR = "mirror"
    PICTURE = "picture"
    APPLIANCE = "appliance"
    CABINET = "cabinet"
    WORKTOP = "worktop"
    BACKSPLASH = "backsplash"
    SANITARY = "sanitary"
    BED = "bed"
    SOFA = "sofa"
    TABLE = "table"
    CHAIR = "chair"
    FURNITURE = "furniture"
    PLANT = "plant"
    CLUTTER = "clutter"
    FIXTURE = "fixture"


NUMBER = {label: number for number, label in enumerate(Label)}
"""The index of each label in the net's outputs."""

FACTS: dict[str, tuple[str, ...]] = {
    "place": ("indoors", "outdoors"),
    "time": ("day", "dusk", "night", "sunset"),
    "sky": ("clear", "cloudy", "overcast", "blown", "none"),
    "furnished": ("furnished", "empty"),
    "room": (
        "kitchen", "bath", "bedroom", "living", "dining", "office", "corridor", "utility", "other", "outside",
    ),
}  # fmt: skip
"""The facts that the net finds about a whole photo, each with its values in the order of the net's outputs."""

# For each label: its kind in a photo taken outside, its kind in a room, its surface in a room.
_MEANING: dict[Label, tuple[Kind, Kind, Surface]] = {
    Label.SKY: (Kind.SKY, Kind.WINDOW, Surface.WINDOW),
    Label.LAWN: (Kind.LAWN, Kind.WINDOW, Surface.WINDOW),
    Label.GRAVEL: (Kind.GROUND, Kind.FLOOR, Surface.FLOOR),
    Label.PAVING: (Kind.GROUND, Kind.FLOOR, Surface.FLOOR),
    Label.TREE: (Kind.TREES, Kind.WINDOW, Surface.WINDOW),
    Label.BUSH: (Kind.TREES, Kind.WINDOW, Surface.WINDOW),
    Label.FLOWER_BED: (Kind.TREES, Kind.THINGS, Surface.FURNITURE),
    Label.WATER: (Kind.WATER, Kind.FLOOR, Surface.FLOOR),
    Label.SNOW: (Kind.GROUND, Kind.WINDOW, Surface.WINDOW),
    Label.FACADE: (Kind.BUILDING, Kind.WALL, Surface.WALL),
    Label.ROOF: (Kind.BUILDING, Kind.CEILING, Surface.CEILING),
    Label.PANE: (Kind.GLASS, Kind.WINDOW, Surface.WINDOW),
    Label.SHUTTER: (Kind.BUILDING, Kind.THINGS, Surface.OTHER),
    Label.GARAGE_DOOR: (Kind.BUILDING, Kind.WALL, Surface.DOOR),
    Label.FENCE: (Kind.THINGS, Kind.THINGS, Surface.OTHER),
    Label.WIRE: (Kind.THINGS, Kind.THINGS, Surface.OTHER),
    Label.CAR: (Kind.THINGS, Kind.THINGS, Surface.OTHER),
    Label.BIN: (Kind.THINGS, Kind.THINGS, Surface.FURNITURE),
    Label.PERSON: (Kind.THINGS, Kind.THINGS, Surface.OTHER),
    Label.DOOR: (Kind.BUILDING, Kind.WALL, Surface.DOOR),
    Label.LAMP: (Kind.LAMP, Kind.THINGS, Surface.OTHER),
    Label.OUTSIDE_OTHER: (Kind.THINGS, Kind.THINGS, Surface.OTHER),
    Label.WALL: (Kind.BUILDING, Kind.WALL, Surface.WALL),
    Label.CEILING: (Kind.BUILDING, Kind.CEILING, Surface.CEILING),
    Label.FLOOR: (Kind.GROUND, Kind.FLOOR, Surface.FLOOR),
    Label.RUG: (Kind.GROUND, Kind.FLOOR, Surface.RUG),
    Label.WINDOW: (Kind.GLASS, Kind.WINDOW, Surface.WINDOW),
    Label.CURTAIN: (Kind.THINGS, Kind.THINGS, Surface.OTHER),
    Label.PASSAGE: (Kind.THINGS, Kind.THINGS, Surface.DOOR),
    Label.STAIRS: (Kind.GROUND, Kind.THINGS, Surface.OTHER),
    Label.FIREPLACE: (Kind.BUILDING, Kind.THINGS, Surface.OTHER),
    Label.MIRROR: (Kind.THINGS, Kind.THINGS, Surface.FURNITURE),
    Label.PICTURE: (Kind.THINGS, Kind.THINGS, Surface.FURNITURE),
    Label.APPLIANCE: (Kind.THINGS, Kind.THINGS, Surface.CABINET),
    Label.CABINET: (Kind.THINGS, Kind.THINGS, Surface.CABINET),
    Label.WORKTOP: (Kind.THINGS, Kind.THINGS, Surface.COUNTERTOP),
    Label.BACKSPLASH: (Kind.BUILDING, Kind.WALL, Surface.WALL),
    Label.SANITARY: (Kind.THINGS, Kind.THINGS, Surface.OTHER),
    Label.BED: (Kind.THINGS, Kind.THINGS, Surface.FURNITURE),
    Label.SOFA: (Kind.THINGS, Kind.THINGS, Surface.FURNITURE),
    Label.TABLE: (Kind.THINGS, Kind.THINGS, Surface.FURNITURE),
    Label.CHAIR: (Kind.THINGS, Kind.THINGS, Surface.FURNITURE),
    Label.FURNITURE: (Kind.THINGS, Kind.THINGS, Surface.FURNITURE),
    Label.PLANT: (Kind.TREES, Kind.THINGS, Surface.FURNITURE),
    Label.CLUTTER: (Kind.THINGS, Kind.THINGS, Surface.CLUTTER),
    Label.FIXTURE: (Kind.THINGS, Kind.THINGS, Surface.OTHER),
}


def _make_class_matrix(classes: list[int], count: int) -> Plane:
    """A matrix (labels x `count`) with 1 at each label's class."""
    table = np.zeros((len(Label), count), np.float32)
    table[np.arange(len(Label)), classes] = 1
    return plane(table)


_OUTSIDE = _make_class_matrix([int(_MEANING[label][0]) for label in Label], len(Kind))
_INSIDE = _make_class_matrix([int(_MEANING[label][1]) for label in Label], len(Kind))
_SURFACES = _make_class_matrix([PLACE[_MEANING[label][2]] for label in Label], len(Surface))


def labels_to_kinds(labels: Plane, outside: bool) -> Plane:
    """Convert shares of labels to shares of kinds.

    Parameters
    ----------
    labels : (h, w, len(Label)) ndarray of float32
        Shares of each label, 0-1, summing to 1.
    outside : bool
        Whether the photo was taken outdoors; False: in a room.

    Returns
    -------
    (h, w, len(Kind)) ndarray of float32
        Shares of each kind, 0-1, summing to 1.
    """
    return plane(labels @ (_OUTSIDE if outside else _INSIDE))


def labels_to_surfaces(labels: Plane) -> Plane:
    """Convert shares of labels to shares of surfaces, for a photo of a room.

    Parameters
    ----------
    labels : (h, w, len(Label)) ndarray of float32
        Shares of each label, 0-1, summing to 1.

    Returns
    -------
    (h, w, len(Surface)) ndarray of float32
        Shares of each surface, 0-1, summing to 1.
    """
    return plane(labels @ _SURFACES)
