"""Hints: what a person or program knows about a photo: its room, surfaces, things, placements, private parts.

Points are (x, y) in shares (0-1) of the upright picture, from its upper left corner. The engine trusts hints, and
detects everything else as usual.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from engine.types.enhancements import PhotoType

Point = tuple[float, float]
Polygon = tuple[Point, ...]


class Direction(StrEnum):
    """The direction of a straight edge of a room: up, along the longer of two level directions, or across it."""

    UP = "up"
    ALONG = "along"
    ACROSS = "across"


class HintedSurface(StrEnum):
    """The surfaces that hints can name. OTHER is never changed: stairs, radiators, curtains."""

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
        """Whether only photos taken outdoors show it."""
        return self in (HintedSurface.SKY, HintedSurface.LAWN, HintedSurface.PANE)

    def is_shown_by(self, photo_type: PhotoType) -> bool:
        """Whether photos of a type can show it.

        Parameters
        ----------
        photo_type : PhotoType
            Whether the photo shows a house or a room.

        Returns
        -------
        bool
            Always true for OTHER.
        """
        return self is HintedSurface.OTHER or self.is_outdoors == (photo_type is PhotoType.EXTERIOR)


class ThingKind(StrEnum):
    """The kind of a thing to remove: furniture removal removes both kinds, decluttering removes only clutter."""

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
    """Hints for the camera and the walls: edges of known direction, one known length, corners of the floor.

    `corners` are the ends of the visible foot of the walls, and the corners between them, from left to right.
    """

    lines: tuple[LineHint, ...] = ()
    length: LengthHint | None = None
    corners: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class ThingHint:
    """A thing to be removed: its outline, with the shadow where it touches the floor or a surface."""

    kind: ThingKind
    polygon: Polygon


@dataclass(frozen=True, slots=True)
class PlacementHint:
    """The place for a main piece of furniture: the center of its base on the floor, and a point that it faces."""

    piece: Piece
    at: Point
    faces: Point | None = None


@dataclass(frozen=True, slots=True)
class PhotoHint:
    """The photo that hints are for: the SHA-256 of its file, in hex; for a bracket, of any of its frames."""

    sha256: str


@dataclass(frozen=True, slots=True)
class MaskHint:
    """A surface as a mask: a PNG file in base64, in which all pixels but black ones show the surface."""

    mask: str


SurfaceHint = tuple[Polygon, ...] | MaskHint
"""All visible parts of a surface: a mask, or outlines, which are empty where the photo does not show the surface.
"""


@dataclass(frozen=True, slots=True)
class SceneHints:
    """All hints for one photo; every part may be missing.

    `photo`: the photo that they are for. `things`: everything that is to be removed. `clear`: parts of the floor on
    which no furniture is placed. `private`: parts that are always blurred, for good.
    """

    room: RoomHint | None = None
    surfaces: Mapping[HintedSurface, SurfaceHint] = field(default_factory=dict)
    things: tuple[ThingHint, ...] = ()
    placements: tuple[PlacementHint, ...] = ()
    clear: tuple[Polygon, ...] = ()
    private: tuple[Polygon, ...] = ()
    photo: PhotoHint | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the hints say nothing about the content of the photo."""
        return replace(self, photo=None) == NO_HINTS

    def is_for(self, digests: Iterable[str]) -> bool:
        """Check whether the hints may be used for a photo.

        Parameters
        ----------
        digests : iterable of str
            The SHA-256 digests of the photo's file or of its frames, in hex.

        Returns
        -------
        bool
            False only where the hints name another photo.
        """
        return self.photo is None or self.photo.sha256 in digests

    def get_outlines(self, surface: HintedSurface) -> tuple[Polygon, ...]:
        """Get the outlines of a surface.

        Parameters
        ----------
        surface : HintedSurface
            The surface.

        Returns
        -------
        tuple of Polygon
            None if the hints do not mention it, or have a mask of it.
        """
        hint = self.surfaces.get(surface, ())
        return () if isinstance(hint, MaskHint) else hint

    @property
    def masks(self) -> Mapping[HintedSurface, MaskHint]:
        """The surfaces of which the hints have a mask."""
        return {name: each for name, each in self.surfaces.items() if isinstance(each, MaskHint)}

    @property
    def lines(self) -> tuple[LineHint, ...]:
        """The edges of known direction."""
        return self.room.lines if self.room else ()

    @property
    def corners(self) -> tuple[Point, ...]:
        """The known corners of the floor."""
        return self.room.corners if self.room else ()

    @property
    def length(self) -> LengthHint | None:
        """The known length."""
        return self.room.length if self.room else None


NO_HINTS = SceneHints()
