"""Reads hints from a JSON document, and lists its faults with their places and codes."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Any, Never, TypeVar

from engine.types.hint_masks import MAX_TOTAL_MASK_BYTES, MaskError, check_mask
from engine.types.hints import (
    Direction,
    HintedSurface,
    LengthHint,
    LineHint,
    MaskHint,
    PhotoHint,
    Piece,
    PlacementHint,
    Point,
    Polygon,
    RoomHint,
    SceneHints,
    SurfaceHint,
    ThingHint,
    ThingKind,
)
from engine.types.line_directions import find_level_line, find_stray_line
from engine.types.outline_shapes import compute_area, contains, crosses_itself, find_crossing, measure_turn

MAX_POINTS, MAX_POLYGONS = 200, 60
"""Points of one polygon; polygons of one surface."""
MAX_TOTAL_POINTS = 2000
"""Points of all polygons together: the time to find crossings grows with the square of a polygon's points."""
MAX_LINES, MAX_THINGS, MAX_PLACEMENTS, MAX_CLEAR_AREAS, MAX_PRIVATE_PARTS = 40, 60, 10, 20, 40
MIN_AREA, MAX_AREA = 5e-5, 0.97
"""Shares of the picture: smaller polygons are mistakes of the hand, larger ones select everything."""
MIN_LINE_LENGTH = 0.02
"""Least length of a line, in shares of the picture's sides; shorter lines have no clear direction."""
MIN_CORNERS, MAX_CORNERS = 2, 12
MIN_TURN = math.radians(2.0)
"""Least angle, in radians in the picture, by which the foot of the walls turns at a corner."""
MAX_ABOVE_FLOOR = 0.03
"""Share of the picture's height by which a corner that things hide may lie above floor and things."""
METERS_RANGE = (0.05, 15.0)
"""Shortest and longest length that is accepted, in meters."""
MIN_DIRECTIONS = 2
MAX_FAULTS = 20
DIGEST_PATTERN = "[0-9a-f]{64}"

Where = tuple[str | int, ...]
Choice = TypeVar("Choice", bound=StrEnum)
Part = TypeVar("Part")


class HintFaultCode(StrEnum):
    """The faults that a hint can have: stable names that programs may rely on."""

    NOT_AN_OBJECT = "not_an_object"
    NOT_A_LIST = "not_a_list"
    UNKNOWN_FIELD = "unknown_field"
    REQUIRED = "required"
    NOT_ONE_OF = "not_one_of"
    NOT_A_POINT = "not_a_point"
    OUTSIDE = "outside"
    TOO_FEW_POINTS = "too_few_points"
    TOO_MANY = "too_many"
    CROSSES_ITSELF = "crosses_itself"
    TOO_SMALL = "too_small"
    EVERYTHING = "everything"
    TOO_SHORT = "too_short"
    BAD_LENGTH = "bad_length"
    TOO_FEW_DIRECTIONS = "too_few_directions"
    IN_LINE = "in_line"
    NOT_ON_FLOOR = "not_on_floor"
    NOT_A_DIGEST = "not_a_digest"
    NOT_UPRIGHT = "not_upright"
    STRAY_LINE = "stray_line"
    NOT_A_PNG = "not_a_png"
    OTHER_PNG = "other_png"
    OTHER_SIZE = "other_size"


@dataclass(frozen=True, slots=True)
class HintFault:
    """A fault and its place in the document."""

    where: Where
    code: HintFaultCode
    message: str


class HintError(Exception):
    """The document has faults; `faults` are the first of them."""

    def __init__(self, faults: Sequence[HintFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{_write_place(each.where)}: {each.message}" for each in self.faults))


def _write_place(where: Where) -> str:
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in where).lstrip(".") or "hints"


def read_hints(document: object) -> SceneHints:
    """Read the hints of a document.

    Parameters
    ----------
    document : object
        JSON values, as `json.loads` gives them: `photo` with `sha256`, `room` with `lines`, `length`
        and `corners`, `surfaces`, `things`, `placements`, `clear`, `private`; every part may be missing.

    Returns
    -------
    SceneHints
        The hints, in the order of the document.

    Raises
    ------
    HintError
        Naming each fault, up to MAX_FAULTS.
    """
    reader = _Reader()
    found = reader.read_scene(document)
    if reader.faults:
        raise HintError(reader.faults)
    return found


class _UnreadablePart(Exception):
    """The rest of this part cannot be read; its fault is already recorded."""


@dataclass(slots=True)
class _Reader:
    faults: list[HintFault] = field(default_factory=list)
    points: int = 0
    mask_bytes: int = 0

    def read_scene(self, document: object) -> SceneHints:
        names = ("photo", "room", "surfaces", "things", "placements", "clear", "private")
        try:
            fields = self._read_fields(document, (), (), names)
        except _UnreadablePart:
            return SceneHints()
        hints = SceneHints(
            room=self._read_room(fields["room"]) if "room" in fields else None,
            surfaces=self._read_surfaces(fields.get("surfaces", {})),
            things=self._read_list(fields.get("things", []), ("things",), MAX_THINGS, self._read_thing),
            placements=self._read_list(
                fields.get("placements", []), ("placements",), MAX_PLACEMENTS, self._read_placement
            ),
            clear=self._read_list(fields.get("clear", []), ("clear",), MAX_CLEAR_AREAS, self._read_polygon),
            private=self._read_list(fields.get("private", []), ("private",), MAX_PRIVATE_PARTS, self._read_polygon),
            photo=self._read_or_skip(self._read_photo, fields["photo"], ("photo",)) if "photo" in fields else None,
        )
        if not self.faults:
            self._check_places_on_floor(hints)
        return hints

    def _read_photo(self, value: object, where: Where) -> PhotoHint:
        digest = self._read_fields(value, where, ("sha256",))["sha256"]
        if not isinstance(digest, str) or not re.fullmatch(DIGEST_PATTERN, digest):
            message = "Give the SHA-256 of the photo's file: 64 digits, 0 to 9 and a to f."
            self._fail((*where, "sha256"), HintFaultCode.NOT_A_DIGEST, message)
        return PhotoHint(digest)

    def _check_places_on_floor(self, hints: SceneHints) -> None:
        """Find placements and corners in mid-air or in walls: above the outlined floor, within other outlines."""
        floor = hints.get_outlines(HintedSurface.FLOOR)
        # A thing that is removed may hide the floor on which a piece is placed.
        usable = (*floor, *(each.polygon for each in hints.things))
        others = [
            polygon
            for surface in hints.surfaces
            if surface not in (HintedSurface.FLOOR, HintedSurface.OTHER)
            for polygon in hints.get_outlines(surface)
        ]
        highest = min((y for polygon in usable for _, y in polygon), default=0.0) if floor else 0.0
        for number, each in enumerate(hints.placements):
            in_other = any(contains(polygon, each.at) for polygon in others)
            if each.at[1] < highest or (in_other and not any(contains(polygon, each.at) for polygon in usable)):
                message = "Furniture stands on the floor: this point is not on it."
                self._add_fault(("placements", number, "at"), HintFaultCode.NOT_ON_FLOOR, message)
        # Corners are at the border of walls, and may be hidden, but never in the ceiling.
        ceiling = hints.get_outlines(HintedSurface.CEILING)
        for number, corner in enumerate(hints.corners):
            if corner[1] < highest - MAX_ABOVE_FLOOR or any(contains(each, corner) for each in ceiling):
                message = "Corners are at the foot of the walls: this point is above the floor."
                self._add_fault(("room", "corners", number), HintFaultCode.NOT_ON_FLOOR, message)

    def _read_room(self, value: object) -> RoomHint | None:
        where: Where = ("room",)
        try:
            fields = self._read_fields(value, where, (), ("lines", "length", "corners"))
        except _UnreadablePart:
            return None
        lines = self._read_list(fields.get("lines", []), (*where, "lines"), MAX_LINES, self._read_line)
        if lines and len({each.direction for each in lines}) < MIN_DIRECTIONS:
            self._add_fault(
                (*where, "lines"), HintFaultCode.TOO_FEW_DIRECTIONS, "Lines of two directions are needed."
            )
        if not self.faults:
            self._check_directions(lines, (*where, "lines"))
        length = fields.get("length")
        corners = self._read_or_skip(self._read_corners, fields.get("corners", []), (*where, "corners")) or ()
        if len(corners) == MIN_CORNERS and not lines:
            message = "Two corners show one wall only: give lines of two directions too, or a third corner."
            self._add_fault((*where, "corners"), HintFaultCode.TOO_FEW_DIRECTIONS, message)
        return RoomHint(
            lines,
            None if length is None else self._read_or_skip(self._read_length, length, (*where, "length")),
            corners,
        )

    def _check_directions(self, lines: Sequence[LineHint], where: Where) -> None:
        level, stray = find_level_line(lines), find_stray_line(lines)
        if level is not None:
            self._add_fault((*where, level), HintFaultCode.NOT_UPRIGHT, "This line does not run up.")
        elif stray is not None:
            message = "The lines of its direction meet in one point, and this one does not run there."
            self._add_fault((*where, stray), HintFaultCode.STRAY_LINE, message)

    def _read_corners(self, value: object, where: Where) -> tuple[Point, ...]:
        corners = self._read_list(value, where, MAX_CORNERS, self._read_point)
        if not isinstance(value, list) or len(corners) < len(value) or not corners:
            return ()
        if len(corners) < MIN_CORNERS:
            self._fail(where, HintFaultCode.TOO_FEW_POINTS, "Give two corners or more.")
        sides = list(pairwise(corners))
        for place, (start, end) in enumerate(sides):
            if math.dist(start, end) < MIN_LINE_LENGTH:
                self._fail((*where, place + 1), HintFaultCode.TOO_SHORT, "This is the corner before.")
            if any(find_crossing((start, end), other) for other in sides[place + 2 :]):
                self._fail(where, HintFaultCode.CROSSES_ITSELF, "The foot of the walls crosses itself.")
        for place, (one, other) in enumerate(pairwise(sides)):
            if measure_turn(one, other) < MIN_TURN:
                message = "The foot of the walls goes straight on here: give only its corners and its two ends."
                self._fail((*where, place + 1), HintFaultCode.IN_LINE, message)
        return corners

    def _read_line(self, value: object, where: Where) -> LineHint:
        fields = self._read_fields(value, where, ("direction", "start", "end"))
        direction = self._choose(Direction, fields["direction"], (*where, "direction"))
        return LineHint(direction, *self._read_ends(fields, where))

    def _read_length(self, value: object, where: Where) -> LengthHint:
        fields = self._read_fields(value, where, ("start", "end", "meters"))
        meters = fields["meters"]
        low, high = METERS_RANGE
        if not _is_number(meters) or not low <= meters <= high:
            self._fail((*where, "meters"), HintFaultCode.BAD_LENGTH, f"Give {low} to {high:.0f} meters.")
        return LengthHint(*self._read_ends(fields, where), float(meters))

    def _read_ends(self, fields: Mapping[str, Any], where: Where) -> tuple[Point, Point]:
        start, end = (self._read_point(fields[name], (*where, name)) for name in ("start", "end"))
        if math.dist(start, end) < MIN_LINE_LENGTH:
            self._fail(where, HintFaultCode.TOO_SHORT, "The line is too short.")
        return start, end

    def _read_surfaces(self, value: object) -> dict[HintedSurface, SurfaceHint]:
        where: Where = ("surfaces",)
        try:
            fields = self._read_fields(value, where, (), tuple(HintedSurface))
        except _UnreadablePart:
            return {}
        read = {name: self._read_or_skip(self._read_surface, each, (*where, name)) for name, each in fields.items()}
        return {HintedSurface(name): each for name, each in read.items() if each is not None}

    def _read_surface(self, value: object, where: Where) -> SurfaceHint:
        if isinstance(value, dict):
            return self._read_mask(self._read_fields(value, where, ("mask",))["mask"], (*where, "mask"))
        polygons = self._read_list(value, where, MAX_POLYGONS, self._read_polygon)
        if sum(map(compute_area, polygons)) > MAX_AREA:
            self._add_fault(where, HintFaultCode.EVERYTHING, "This is the whole picture.")
        return polygons

    def _read_mask(self, value: object, where: Where) -> MaskHint:
        try:
            text = value if isinstance(value, str) else ""
            self.mask_bytes += check_mask(text)
        except MaskError as error:
            self._fail(where, HintFaultCode(error.code), str(error))
        if self.mask_bytes > MAX_TOTAL_MASK_BYTES:
            most = f"All masks together have at most {MAX_TOTAL_MASK_BYTES // 1024} KB."
            self._fail(where, HintFaultCode.TOO_MANY, most)
        return MaskHint(text)

    def _read_thing(self, value: object, where: Where) -> ThingHint:
        fields = self._read_fields(value, where, ("kind", "polygon"))
        kind = self._choose(ThingKind, fields["kind"], (*where, "kind"))
        return ThingHint(kind, self._read_polygon(fields["polygon"], (*where, "polygon")))

    def _read_placement(self, value: object, where: Where) -> PlacementHint:
        fields = self._read_fields(value, where, ("piece", "at"), ("faces",))
        piece = self._choose(Piece, fields["piece"], (*where, "piece"))
        faces = fields.get("faces")
        return PlacementHint(
            piece,
            self._read_point(fields["at"], (*where, "at")),
            None if faces is None else self._read_point(faces, (*where, "faces")),
        )

    def _read_polygon(self, value: object, where: Where) -> Polygon:
        if not isinstance(value, list):
            self._fail(where, HintFaultCode.NOT_A_LIST, "Give a list of points.")
        if len(value) < 3:
            self._fail(where, HintFaultCode.TOO_FEW_POINTS, "A polygon has three points or more.")
        self.points += len(value)
        if len(value) > MAX_POINTS or self.points > MAX_TOTAL_POINTS:
            most = f"At most {MAX_POINTS} points, and {MAX_TOTAL_POINTS} in all polygons together."
            self._fail(where, HintFaultCode.TOO_MANY, most)
        polygon = tuple(self._read_point(each, (*where, place)) for place, each in enumerate(value))
        if crosses_itself(polygon):
            self._fail(where, HintFaultCode.CROSSES_ITSELF, "The outline crosses itself.")
        if not MIN_AREA <= compute_area(polygon) <= MAX_AREA:
            small = compute_area(polygon) < MIN_AREA
            code = HintFaultCode.TOO_SMALL if small else HintFaultCode.EVERYTHING
            self._fail(where, code, "Nothing is inside." if small else "This is the whole picture.")
        return polygon

    def _read_point(self, value: object, where: Where) -> Point:
        if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)):
            self._fail(where, HintFaultCode.NOT_A_POINT, "Give two numbers, x and y.")
        x, y = value
        if not (0 <= x <= 1 and 0 <= y <= 1):
            self._fail(where, HintFaultCode.OUTSIDE, "The point is outside of the picture; x and y are 0 to 1.")
        return float(x), float(y)

    def _choose(self, kind: type[Choice], value: object, where: Where) -> Choice:
        if not isinstance(value, str) or value not in {each.value for each in kind}:
            self._fail(where, HintFaultCode.NOT_ONE_OF, f"Give one of {', '.join(kind)}.")
        return kind(value)

    def _read_fields(
        self, value: object, where: Where, required: Sequence[str], optional: Sequence[str] = ()
    ) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._fail(where, HintFaultCode.NOT_AN_OBJECT, "Give an object.")
        known = {*required, *optional}
        for name in value:
            if name not in known:
                self._add_fault((*where, str(name)[:50]), HintFaultCode.UNKNOWN_FIELD, "There is no such field.")
        for name in required:
            if name not in value:
                self._fail((*where, name), HintFaultCode.REQUIRED, "This is missing.")
        return {name: each for name, each in value.items() if name in known}

    def _read_list(
        self, value: object, where: Where, most: int, read: Callable[[object, Where], Part]
    ) -> tuple[Part, ...]:
        if not isinstance(value, list):
            self._add_fault(where, HintFaultCode.NOT_A_LIST, "Give a list.")
            return ()
        if len(value) > most:
            self._add_fault(where, HintFaultCode.TOO_MANY, f"At most {most}.")
            return ()
        found = (self._read_or_skip(read, each, (*where, place)) for place, each in enumerate(value))
        return tuple(each for each in found if each is not None)

    def _read_or_skip(self, read: Callable[[object, Where], Part], value: object, where: Where) -> Part | None:
        try:
            return read(value, where)
        except _UnreadablePart:
            return None

    def _fail(self, where: Where, code: HintFaultCode, message: str) -> Never:
        self._add_fault(where, code, message)
        raise _UnreadablePart

    def _add_fault(self, where: Where, code: HintFaultCode, message: str) -> None:
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(HintFault(where, code, message))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
