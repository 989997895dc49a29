"""What a thing in a rendered scene is called: a kind of the whole world, or a part of a room."""

from enum import IntEnum

from engine.geometry.surface import PLACE, Surface
from engine.segmentation.labels import Kind

_FIRST = 32


class RoomPart(IntEnum):
    """The surfaces of a room, numbered after all kinds."""

    FLOOR = _FIRST + PLACE[Surface.FLOOR]
    WALL = _FIRST + PLACE[Surface.WALL]
    CEILING = _FIRST + PLACE[Surface.CEILING]
    WINDOW = _FIRST + PLACE[Surface.WINDOW]
    DOOR = _FIRST + PLACE[Surface.DOOR]
    FURNITURE = _FIRST + PLACE[Surface.FURNITURE]
    CABINET = _FIRST + PLACE[Surface.CABINET]
    COUNTERTOP = _FIRST + PLACE[Surface.COUNTERTOP]
    RUG = _FIRST + PLACE[Surface.RUG]
    CLUTTER = _FIRST + PLACE[Surface.CLUTTER]
    OTHER = _FIRST + PLACE[Surface.OTHER]

    @property
    def place(self) -> int:
        """The surface's number in maps."""
        return int(self) - _FIRST

    @property
    def kind(self) -> Kind:
        """What it is called where only kinds are known."""
        return _KINDS.get(self, Kind.THINGS)


Label = Kind | RoomPart
_KINDS = {
    RoomPart.FLOOR: Kind.FLOOR,
    RoomPart.RUG: Kind.FLOOR,
    RoomPart.WALL: Kind.WALL,
    RoomPart.DOOR: Kind.WALL,
    RoomPart.CEILING: Kind.CEILING,
    RoomPart.WINDOW: Kind.WINDOW,
}
