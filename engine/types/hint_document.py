"""Reads hints from a JSON document, and says of each fault where it is and what kind it is."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Any, Never, TypeVar

from engine.types.hints import (
    Direction,
    HintedSurface,
    LengthHint,
    LineHint,
    Piece,
    PlacementHint,
    Point,
    Polygon,
    RoomHint,
    SceneHints,
    ThingHint,
    ThingKind,
)

MOST_POINTS, MOST_POLYGONS = 200, 60
"""Of one polygon, and of one surface."""
MOST_ALL_POINTS = 2000
"""Of all polygons together: to find a crossing takes time by the square of a polygon's points."""
MOST_LINES, MOST_THINGS, MOST_PLACEMENTS, MOST_CLEAR = 40, 60, 10, 20
LEAST_AREA, MOST_AREA = 5e-5, 0.97
"""Shares of the picture: smaller polygons are slips of the hand, larger ones select everything."""
SLIP, SLIP_SHARE = 5e-4, 0.03
"""Shares of the picture, and of the rest of a polygon, that a slip of the hand may cut off."""
LEAST_LINE = 0.02
"""Of the picture's side: shorter lines have no direction."""
METERS = (0.05, 15.0)
"""Between which lengths are believed."""
LEAST_DIRECTIONS = 2
MOST_FAULTS = 20

Where = tuple[str | int, ...]
Choice = TypeVar("Choice", bound=StrEnum)
Part = TypeVar("Part")


class HintFaultCode(StrEnum):
    """What can be wrong with a hint; stable names that programs may rely on."""

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


@dataclass(frozen=True, slots=True)
class HintFault:
    """What is wrong, and where in the document."""

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
    """The hints of a document.

    Parameters
    ----------
    document : object
        JSON values, as `json.loads` gives them: `room` with `lines` and `length`, `surfaces`, `things`,
        `placements`, `clear`; every part may be missing.

    Returns
    -------
    SceneHints
        All of it in order.

    Raises
    ------
    HintError
        Naming each fault, up to MOST_FAULTS.
    """
    reader = _Reader()
    found = reader.read_scene(document)
    if reader.faults:
        raise HintError(reader.faults)
    return found


class _Stop(Exception):
    """The part cannot be read further; its fault is noted."""


@dataclass(slots=True)
class _Reader:
    faults: list[HintFault] = field(default_factory=list)
    points: int = 0

    def read_scene(self, document: object) -> SceneHints:
        names = ("room", "surfaces", "things", "placements", "clear")
        try:
            fields = self._fields(document, (), (), names)
        except _Stop:
            return SceneHints()
        return SceneHints(
            room=self._read_room(fields["room"]) if "room" in fields else None,
            surfaces=self._read_surfaces(fields.get("surfaces", {})),
            things=self._each(fields.get("things", []), ("things",), MOST_THINGS, self._read_thing),
            placements=self._each(
                fields.get("placements", []), ("placements",), MOST_PLACEMENTS, self._read_placement
            ),
            clear=self._each(fields.get("clear", []), ("clear",), MOST_CLEAR, self._read_polygon),
        )

    def _read_room(self, value: object) -> RoomHint | None:
        where: Where = ("room",)
        try:
            fields = self._fields(value, where, (), ("lines", "length"))
        except _Stop:
            return None
        lines = self._each(fields.get("lines", []), (*where, "lines"), MOST_LINES, self._read_line)
        if lines and len({each.direction for each in lines}) < LEAST_DIRECTIONS:
            self._note((*where, "lines"), HintFaultCode.TOO_FEW_DIRECTIONS, "Lines of two directions are needed.")
        length = fields.get("length")
        return RoomHint(lines, None if length is None else self._try(self._read_length, length, (*where, "length")))

    def _read_line(self, value: object, where: Where) -> LineHint:
        fields = self._fields(value, where, ("direction", "start", "end"))
        direction = self._choose(Direction, fields["direction"], (*where, "direction"))
        return LineHint(direction, *self._read_ends(fields, where))

    def _read_length(self, value: object, where: Where) -> LengthHint:
        fields = self._fields(value, where, ("start", "end", "meters"))
        meters = fields["meters"]
        low, high = METERS
        if not _is_number(meters) or not low <= meters <= high:
            self._fail((*where, "meters"), HintFaultCode.BAD_LENGTH, f"Give {low} to {high:.0f} meters.")
        return LengthHint(*self._read_ends(fields, where), float(meters))

    def _read_ends(self, fields: Mapping[str, Any], where: Where) -> tuple[Point, Point]:
        start, end = (self._read_point(fields[name], (*where, name)) for name in ("start", "end"))
        if math.dist(start, end) < LEAST_LINE:
            self._fail(where, HintFaultCode.TOO_SHORT, "The line is too short.")
        return start, end

    def _read_surfaces(self, value: object) -> dict[HintedSurface, tuple[Polygon, ...]]:
        where: Where = ("surfaces",)
        try:
            fields = self._fields(value, where, (), tuple(HintedSurface))
        except _Stop:
            return {}
        found = {}
        for name, polygons in fields.items():
            read = self._each(polygons, (*where, name), MOST_POLYGONS, self._read_polygon)
            if sum(map(_area, read)) > MOST_AREA:
                self._note((*where, name), HintFaultCode.EVERYTHING, "This is the whole picture.")
            found[HintedSurface(name)] = read
        return found

    def _read_thing(self, value: object, where: Where) -> ThingHint:
        fields = self._fields(value, where, ("kind", "polygon"))
        kind = self._choose(ThingKind, fields["kind"], (*where, "kind"))
        return ThingHint(kind, self._read_polygon(fields["polygon"], (*where, "polygon")))

    def _read_placement(self, value: object, where: Where) -> PlacementHint:
        fields = self._fields(value, where, ("piece", "at"), ("faces",))
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
        if len(value) > MOST_POINTS or self.points > MOST_ALL_POINTS:
            most = f"At most {MOST_POINTS} points, and {MOST_ALL_POINTS} in all polygons together."
            self._fail(where, HintFaultCode.TOO_MANY, most)
        polygon = tuple(self._read_point(each, (*where, place)) for place, each in enumerate(value))
        if _crosses_itself(polygon):
            self._fail(where, HintFaultCode.CROSSES_ITSELF, "The outline crosses itself.")
        if not LEAST_AREA <= _area(polygon) <= MOST_AREA:
            small = _area(polygon) < LEAST_AREA
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

    def _fields(
        self, value: object, where: Where, required: Sequence[str], optional: Sequence[str] = ()
    ) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._fail(where, HintFaultCode.NOT_AN_OBJECT, "Give an object.")
        known = {*required, *optional}
        for name in value:
            if name not in known:
                self._note((*where, str(name)[:50]), HintFaultCode.UNKNOWN_FIELD, "There is no such field.")
        for name in required:
            if name not in value:
                self._fail((*where, name), HintFaultCode.REQUIRED, "This is missing.")
        return {name: each for name, each in value.items() if name in known}

    def _each(
        self, value: object, where: Where, most: int, read: Callable[[object, Where], Part]
    ) -> tuple[Part, ...]:
        if not isinstance(value, list):
            self._note(where, HintFaultCode.NOT_A_LIST, "Give a list.")
            return ()
        if len(value) > most:
            self._note(where, HintFaultCode.TOO_MANY, f"At most {most}.")
            return ()
        found = (self._try(read, each, (*where, place)) for place, each in enumerate(value))
        return tuple(each for each in found if each is not None)

    def _try(self, read: Callable[[object, Where], Part], value: object, where: Where) -> Part | None:
        try:
            return read(value, where)
        except _Stop:
            return None

    def _fail(self, where: Where, code: HintFaultCode, message: str) -> Never:
        self._note(where, code, message)
        raise _Stop

    def _note(self, where: Where, code: HintFaultCode, message: str) -> None:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(HintFault(where, code, message))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _area(polygon: Polygon) -> float:
    return abs(_signed_area(polygon))


def _signed_area(polygon: Polygon) -> float:
    return sum(x * v - u * y for (x, y), (u, v) in _list_sides(polygon)) / 2


def _list_sides(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    return pairwise((*polygon, polygon[0]))


def _crosses_itself(polygon: Polygon) -> bool:
    """Whether the outline crosses itself so that it has two insides.

    A slip of the hand does not, nor does a hole that a cut from the outside leads to.
    """
    sides = list(_list_sides(polygon))
    for first, one in enumerate(sides):
        for second in range(first + 2, len(sides)):
            crossing = _find_crossing(one, sides[second])
            if crossing is None:
                continue
            inner = (crossing, *polygon[first + 1 : second + 1])
            outer = (crossing, *polygon[second + 1 :], *polygon[: first + 1])
            if _is_figure_of_eight(inner, outer):
                return True
    return False


def _find_crossing(one: tuple[Point, Point], other: tuple[Point, Point]) -> Point | None:
    (start, end), (low, high) = one, other
    sides = _turn(low, high, start), _turn(low, high, end)
    if sides[0] * sides[1] >= 0 or _turn(start, end, low) * _turn(start, end, high) >= 0:
        return None
    share = sides[0] / (sides[0] - sides[1])
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _is_figure_of_eight(one: Polygon, other: Polygon) -> bool:
    """Whether two loops beside each other turn in opposite ways, the smaller too large for a slip of the hand."""
    small, large = sorted((one, other), key=_area)
    if _signed_area(small) * _signed_area(large) > 0 or _area(small) <= max(SLIP, SLIP_SHARE * _area(large)):
        return False
    return sum(_contains(large, point) for point in small[1:]) < len(small[1:]) / 2


def _contains(polygon: Polygon, point: Point) -> bool:
    x, y = point
    crossed = [u + (y - v) / (b - v) * (a - u) for (u, v), (a, b) in _list_sides(polygon) if (v > y) != (b > y)]
    return sum(each > x for each in crossed) % 2 == 1


def _turn(start: Point, end: Point, point: Point) -> float:
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])
