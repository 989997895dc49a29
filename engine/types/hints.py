"""Hints: what a person or program knows of a photo. Lines and a length of its room, surfaces, things, placements.

Points are (x, y) in shares (0-1) of the upright picture, from its upper left corner. The engine trusts hints, and
detects everything else as usual.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

Point = tuple[float, float]
Polygon = tuple[Point, ...]


class Direction(StrEnum):
    """Where a straight edge of a room runs: up, in the longer of the two level directions, or across that."""

    UP = "up"
    ALONG = "along"
    ACROSS = "across"


class HintedSurface(StrEnum):
    """What a region of a photo can be said to show. Other is what stays as it is: stairs, radiators, curtains."""

    FLOOR = "floor"
    WALL = "wall"
    CEILING = "ceiling"
    WINDOW = "window"
    DOOR = "door"
    PASSAGE = "passage"
    CABINET = "cabinet"
    WORKTOP = "worktop"
    BACKSPLASH = "backsplash"
    OTHER = "other"
    SKY = "sky"
    LAWN = "lawn"
    PANE = "pane"

    @property
    def is_outdoors(self) -> bool:
        """Whether photos of houses have it, not those of rooms."""
        return self in (HintedSurface.SKY, HintedSurface.LAWN, HintedSurface.PANE)


class ThingKind(StrEnum):
    """What removes a thing: furniture removal takes both, decluttering clutter alone."""

    FURNITURE = "furniture"
    CLUTTER = "clutter"


class Piece(StrEnum):
    """A main piece of furniture that can be placed."""

    SOFA = "sofa"
    BED = "bed"
    DINING_TABLE = "dining_table"
    DESK = "desk"


@dataclass(frozen=True, slots=True)
class LineHint:
    """A straight edge of the room and the direction in which it runs."""

    direction: Direction
    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class LengthHint:
    """A known length in meters, upright on the floor or at a wall, or level on the floor."""

    start: Point
    end: Point
    meters: float


@dataclass(frozen=True, slots=True)
class RoomHint:
    """What is known of the camera: edges of known direction, and one length."""

    lines: tuple[LineHint, ...] = ()
    length: LengthHint | None = None


@dataclass(frozen=True, slots=True)
class ThingHint:
    """A thing that is to be removed: its outline, with the shadow where it touches."""

    kind: ThingKind
    polygon: Polygon


@dataclass(frozen=True, slots=True)
class PlacementHint:
    """Where a main piece is to stand: the middle of its foot on the floor, and a point that it faces."""

    piece: Piece
    at: Point
    faces: Point | None = None


@dataclass(frozen=True, slots=True)
class SceneHints:
    """All that is said of one photo; every part may be missing.

    `surfaces` are the outlines of all that is seen of a surface: none says that the photo shows none of it.
    `things` are all that is to be removed. `clear` are parts of the floor that stay free.
    """

    room: RoomHint | None = None
    surfaces: Mapping[HintedSurface, tuple[Polygon, ...]] = field(default_factory=dict)
    things: tuple[ThingHint, ...] = ()
    placements: tuple[PlacementHint, ...] = ()
    clear: tuple[Polygon, ...] = ()

    @property
    def lines(self) -> tuple[LineHint, ...]:
        """The edges of known direction."""
        return self.room.lines if self.room else ()

    @property
    def length(self) -> LengthHint | None:
        """The known length."""
        return self.room.length if self.room else None


NO_HINTS = SceneHints()
