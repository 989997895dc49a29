"""Reads the forms on which people give hints about a photo, and merges each answer into the photo's hints."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from flask import request

from app.database import as_json
from app.domain.errors import InvalidRequest, NotFound
from app.portal.hints.floor_areas import name_area, put_areas
from app.portal.hints.pieces import read_points
from app.portal.hints.plan_view import read_layout
from app.portal.hints.words import ENDS, LENGTHS
from engine.types.enhancements import PhotoType
from engine.types.hint_document import (
    MAX_LINES,
    MAX_PLACEMENTS,
    MAX_POLYGONS,
    MAX_PRIVATE_PARTS,
    MAX_THINGS,
    HintError,
    read_hints,
)
from engine.types.hints import NO_HINTS, Direction, SceneHints, ThingKind
from engine.types.outlook import HintPart

NOTHING_SHOWN = "Tap at least one piece, or say that there is none."
NO_PRIVATE = "Tap or outline at least one part."
NO_THING, NO_PLACE = "Tap at least one thing.", "Choose a piece, and tap its place on the floor."
NO_ROOM = "Drag at least four lines onto edges of the room, two of them up."
NO_LENGTH = "Say how long this is, or do not use it."
UNREADABLE = "This outline cannot be read. Draw it again."
CENTIMETERS_PER_INCH = 2.54
OWN_LAYOUT = "own"
"""The value for no layout: the places are typed into the fields."""


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line of the room as it was typed or dragged: its ends in percent of the picture, whether it is used."""

    direction: str
    ends: Sequence[str]
    is_used: bool


def find_part(name: str, photo_type: PhotoType) -> HintPart:
    """The part of hints with this name. Raises NotFound for unknown names, and for parts that photos of the type
    cannot show.
    """
    if name not in (*HintPart,):
        raise NotFound
    part = HintPart(name)
    if part.surface is not None and not part.surface.is_shown_by(photo_type):
        raise NotFound
    return part


def find_tab(photo_type: PhotoType) -> HintPart | None:
    """The question whose tab was pressed; None if another button was pressed."""
    name = request.form.get("to", "")
    return find_part(name, photo_type) if name else None


def read_part(part: HintPart, hints: SceneHints | None) -> SceneHints:
    """The photo's hints with the part from this request's form. Raises InvalidRequest, with a message for each
    field, for an answer that is impossible for any photo.
    """
    document = as_json(hints or NO_HINTS)
    _PUT[part](document) if part in _PUT else _put_surface(document, part)
    return _read(part, document)


def forget_part(part: HintPart, hints: SceneHints | None) -> SceneHints | None:
    """The photo's hints without the part; None if nothing is left. Raises InvalidRequest if another part needs it,
    such as a place that is on the floor only because a thing is removed there.
    """
    document = as_json(hints or NO_HINTS)
    if part.surface is not None:
        document["surfaces"].pop(part.surface.value, None)
    else:
        document.pop(part.value, None)
        if part is HintPart.PLACEMENTS:
            document.pop("clear", None)
    left = _read(part, document)
    return None if left.is_empty else left


def _read(part: HintPart, document: dict[str, Any]) -> SceneHints:
    try:
        return read_hints(document)
    except HintError as error:
        raise InvalidRequest({_name_field(part, each.where): each.message for each in error.faults}) from None


def has_part(part: HintPart, hints: SceneHints | None) -> bool:
    """Whether the hints have anything of the part; areas that stay free are shown with the places."""
    if hints is None:
        return False
    if part.surface is not None:
        return part.surface in hints.surfaces
    return bool(getattr(hints, part.value)) or (part is HintPart.PLACEMENTS and bool(hints.clear))


def _put_surface(document: dict[str, Any], part: HintPart) -> None:
    surface = part.value.partition(".")[2]
    value: Any = [_read_outline(text) for text in _texts("outline", MAX_POLYGONS)]
    if request.form.get("mask"):
        value = {"mask": request.form["mask"]}
    elif not value and not request.form.get("none"):
        raise InvalidRequest({"pieces": NOTHING_SHOWN})
    document["surfaces"][surface] = value


def _put_things(document: dict[str, Any]) -> None:
    things = []
    for kind in ThingKind:
        for text in _texts(kind.value, MAX_THINGS):
            things.append({"kind": kind.value, "polygon": _read_outline(text)})
    if not things:
        raise InvalidRequest({"pieces": NO_THING})
    document["things"] = things


def _put_private(document: dict[str, Any]) -> None:
    private = [_read_outline(text) for text in _texts("outline", MAX_PRIVATE_PARTS)]
    if not private:
        raise InvalidRequest({"pieces": NO_PRIVATE})
    document["private"] = private


def _put_room(document: dict[str, Any]) -> None:
    lines = [{"direction": each.direction, **_read_ends(each.ends)} for each in read_lines("line") if each.is_used]
    room: dict[str, Any] = {**(document.get("room") or {}), "lines": lines}
    room.pop("length", None)
    length = next(iter(read_lines("length")), None)
    if length is not None and length.is_used:
        room["length"] = {**_read_ends(length.ends), "meters": _read_meters()}
    if not lines:
        raise InvalidRequest({"line-0-x1": NO_ROOM})
    document["room"] = room


def _put_placements(document: dict[str, Any]) -> None:
    rows = [_read_place(row) for row in range(MAX_PLACEMENTS)]
    layout = request.form.get("layout", OWN_LAYOUT)
    if layout != OWN_LAYOUT:
        rows = [[*each[:5], *[""] * (5 - len(each))] for each in read_layout(layout)[: MAX_PLACEMENTS + 1]]
    placements = []
    for piece, *typed in rows:
        if not piece:
            continue
        ends = _read_ends(typed)
        faces = {"faces": ends["end"]} if any(typed[2:]) else {}
        placements.append({"piece": piece, "at": ends["start"], **faces})
    put_areas(document)
    if not placements and not document.get("clear") and layout == OWN_LAYOUT:
        raise InvalidRequest({"place-0-piece": NO_PLACE})
    document["placements"] = placements


def _read_place(row: int) -> list[str]:
    return [request.form.get(f"place-{row}-{name}", "") for name in ("piece", *ENDS)]


_PUT = {
    HintPart.THINGS: _put_things,
    HintPart.ROOM: _put_room,
    HintPart.PLACEMENTS: _put_placements,
    HintPart.PRIVATE: _put_private,
}


def read_lines(kind: str) -> Iterator[TypedLine]:
    """The lines that the form shows, in their rows: `line` for edges, `length` for the known length."""
    for row in range(MAX_LINES):
        name = f"{kind}-{row}"
        ends = [request.form.get(f"{name}-{end}", "")[:20] for end in ENDS]
        if not any(ends):
            return
        yield TypedLine(request.form.get(f"{name}-direction", Direction.UP), ends, f"{name}-used" in request.form)


def _read_ends(ends: Sequence[str]) -> Mapping[str, Any]:
    """Two points from percentages; text that is no number becomes a fault of the point."""
    x, y, u, v = map(_read_share, ends)
    return {"start": [x, y], "end": [u, v]}


def _read_share(text: str) -> float | None:
    try:
        return float(text) / 100
    except ValueError:
        return None


def _read_meters() -> float:
    chosen = request.form.get("length-0-thing", "")
    if chosen in LENGTHS:
        return LENGTHS[chosen][1]
    try:
        typed = float(request.form.get("length-0-own", ""))
    except ValueError:
        raise InvalidRequest({"length-0-own": NO_LENGTH}) from None
    return typed * (CENTIMETERS_PER_INCH if request.form.get("length-0-unit") == "in" else 1.0) / 100


def _read_outline(text: str) -> list[list[float]]:
    try:
        return read_points(text)
    except ValueError:
        raise InvalidRequest({"pieces": UNREADABLE}) from None


def _texts(name: str, limit: int) -> Iterator[str]:
    # This reads one more than allowed, so that the reader of hints refuses too many.
    return islice(request.form.getlist(name), limit + 1)


def _name_field(part: HintPart, where: Sequence[str | int]) -> str:
    """The field of the part's form at a place in the document of hints. A fault of another part, such as a place
    that is no longer on the floor, is caused by the answer to this question, so it is shown here too.
    """
    if part not in (HintPart.ROOM, HintPart.PLACEMENTS):
        return "pieces"
    match where:
        case ("room", "lines", int(number), *_):
            used = [row for row, line in enumerate(read_lines("line")) if line.is_used]
            return f"line-{used[number]}-x1"
        case ("room", "length", *rest):
            return "length-0-own" if "meters" in rest else "length-0-x1"
        case ("placements", int(number), *_):
            placed = [row for row in range(MAX_PLACEMENTS) if request.form.get(f"place-{row}-piece")]
            return f"place-{placed[number] if number < len(placed) else 0}-piece"
        case ("clear", int(number), *_):
            return name_area(number)
    return "line-0-x1" if part is HintPart.ROOM else "place-0-piece"
