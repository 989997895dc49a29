"""The values of a page on which one question about a photo is answered."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import request

from app.domain.hint_questions import Question
from app.portal.hints.floor_areas import list_areas, list_sent_areas
from app.portal.hints.forms import OWN_LAYOUT, TypedLine, has_part, read_lines
from app.portal.hints.pieces import PicturePiece, list_pieces, make_drawn
from app.portal.hints.plan_view import draw_plan
from app.portal.hints.standing import list_standing, name_standing_in
from app.portal.hints.words import DIRECTIONS, ENDS, LENGTHS, PIECES
from engine.types.enhancements import Enhancement
from engine.types.hint_document import MAX_PLACEMENTS, MAX_POLYGONS
from engine.types.hints import Direction, LineHint, SceneHints, ThingKind
from engine.types.outlook import HintPart

MAX_SEEN_LINES = 8
"""The maximum number of edges that we see and offer for correction; the longest are offered."""
PLACES = 4
"""The number of pieces of furniture that can be placed on the page; there are more rows only if more pieces were
placed before.
"""
_NEW_LINES = (
    LineHint(Direction.UP, (0.3, 0.2), (0.3, 0.6)),
    LineHint(Direction.UP, (0.7, 0.2), (0.7, 0.6)),
    LineHint(Direction.ALONG, (0.1, 0.95), (0.4, 0.7)),
    LineHint(Direction.ALONG, (0.1, 0.05), (0.4, 0.25)),
    LineHint(Direction.ACROSS, (0.5, 0.7), (0.9, 0.75)),
    LineHint(Direction.ACROSS, (0.5, 0.25), (0.9, 0.2)),
)
"""The lines to begin with in a room whose edges the engine did not find."""
_NEW_LENGTH = (0.85, 0.3, 0.85, 0.8)


@dataclass(frozen=True, slots=True)
class ShownPhoto:
    """The photo that a question is about: the outlook's content, the hints so far, and the ordered steps."""

    content: Mapping[str, Any]
    hints: SceneHints
    steps: Collection[Enhancement]


def describe_question(
    photo: ShownPhoto, questions: Sequence[Question], part: HintPart, faults: Mapping[str, str], *, is_sent: bool
) -> dict[str, Any]:
    """The values for the templates of a question. `is_sent`: show the answer from this request's form again."""
    others = [each for each in questions if each.part is not part]
    return {
        # A question that is not among the questions of the effects is asked, too.
        "questions": questions if len(others) < len(questions) else [Question(part, False), *questions],
        "next_question": next((each for each in others if each.is_needed), None),
        "is_answered": has_part(part, photo.hints),
        "wrong": faults,
        "width": photo.content["width"],
        "height": photo.content["height"],
        **_describe_answer(photo, part, is_sent=is_sent),
        "directions": DIRECTIONS,
        "lengths": LENGTHS,
        "furniture": PIECES,
    }


def is_untouched(photo: ShownPhoto, part: HintPart) -> bool:
    """Whether this request's form has only the values that its page showed, so that there is no answer to keep."""
    return _describe_answer(photo, part, is_sent=True) == _describe_answer(photo, part, is_sent=False)


def _describe_answer(photo: ShownPhoto, part: HintPart, *, is_sent: bool) -> dict[str, Any]:
    """The values of a question's fields."""
    if part is HintPart.PLACEMENTS:
        return _describe_places(photo, is_sent=is_sent)
    if part is HintPart.ROOM:
        return {"lines": _list_lines(photo, is_sent=is_sent), "length": _find_length(photo, is_sent=is_sent)}
    return {
        "pieces": _list_pieces(photo, part, is_sent=is_sent),
        "mask": _find_mask(photo, part, is_sent=is_sent),
        "is_none": _is_none(photo, part, is_sent=is_sent),
    }


def _list_pieces(photo: ShownPhoto, part: HintPart, *, is_sent: bool) -> Sequence[PicturePiece]:
    kinds = {ThingKind.CLUTTER} | ({ThingKind.FURNITURE} if Enhancement.FURNITURE_REMOVAL in photo.steps else set())
    pieces = list_pieces(part, photo.content, photo.hints, kinds)
    if not is_sent:
        return pieces
    sent = {text: name for name in ("outline", *ThingKind) for text in request.form.getlist(name)[:MAX_POLYGONS]}
    known = {each.points for each in pieces}
    drawn = [
        make_drawn(text, ThingKind(name) if name in (*ThingKind,) else None)
        for text, name in sent.items()
        if text not in known
    ]
    return [*filter(None, drawn), *(replace(each, is_chosen=each.points in sent) for each in pieces)]


def _find_mask(photo: ShownPhoto, part: HintPart, *, is_sent: bool) -> str:
    if is_sent:
        return request.form.get("mask", "")
    masks = {f"surfaces.{name}": each.mask for name, each in photo.hints.masks.items()}
    return masks.get(part.value, "")


def _is_none(photo: ShownPhoto, part: HintPart, *, is_sent: bool) -> bool:
    if is_sent:
        return "none" in request.form
    return part.surface is not None and photo.hints.surfaces.get(part.surface) == ()


def _list_lines(photo: ShownPhoto, *, is_sent: bool) -> Sequence[TypedLine]:
    if is_sent and (sent := list(read_lines("line"))):
        return sent
    if photo.hints.lines:
        shown = [_type_line(each, is_used=True) for each in photo.hints.lines]
    else:
        seen = (photo.content["seen"].get("room") or {}).get("lines", [])[:MAX_SEEN_LINES]
        lines = [LineHint(Direction(each["direction"]), each["start"], each["end"]) for each in seen]
        shown = [_type_line(each, is_used=True) for each in lines]
    present = {each.direction for each in shown}
    spare = [each for each in _NEW_LINES if len(shown) < MAX_SEEN_LINES or each.direction not in present]
    return [*shown, *(_type_line(each, is_used=False) for each in spare)]


def _type_line(line: LineHint, *, is_used: bool) -> TypedLine:
    return TypedLine(line.direction, [f"{100 * each:.1f}" for each in (*line.start, *line.end)], is_used)


def _find_length(photo: ShownPhoto, *, is_sent: bool) -> dict[str, Any]:
    """The known length: its ends in percent, and either the name of a usual length or its centimeters."""
    if is_sent and (sent := next(iter(read_lines("length")), None)):
        typed = {name: request.form.get(f"length-0-{name}", "") for name in ("thing", "own", "unit")}
        return {"ends": sent.ends, "is_used": sent.is_used, **typed}
    given = photo.hints.length
    if given is None:
        ends = [f"{100 * each:.1f}" for each in _NEW_LENGTH]
        return {"ends": ends, "is_used": False, "thing": "door", "own": "", "unit": "in"}
    ends = [f"{100 * each:.1f}" for each in (*given.start, *given.end)]
    thing = next((name for name, (_, meters) in LENGTHS.items() if meters == given.meters), "own")
    return {"ends": ends, "is_used": True, "thing": thing, "own": f"{100 * given.meters:g}", "unit": "cm"}


def _describe_places(photo: ShownPhoto, *, is_sent: bool) -> dict[str, Any]:
    found = photo.content.get("plan")
    plan, places = draw_plan(found), _list_places(photo, is_sent=is_sent)
    areas = list_sent_areas() if is_sent else list_areas(found, photo.hints)
    standing = list_standing(places, plan.to_picture, plan.sizes) if plan else ()
    return {
        "places": places,
        "plan": plan,
        "areas": areas if plan else (),
        "standing": standing,
        "standing_in": name_standing_in(standing, areas),
        "chosen_layout": request.form.get("layout", OWN_LAYOUT) if is_sent else OWN_LAYOUT,
    }


def _list_places(photo: ShownPhoto, *, is_sent: bool) -> Sequence[Mapping[str, Any]]:
    if is_sent:
        names = ("piece", *ENDS)
        rows = [
            {name: request.form.get(f"place-{row}-{name}", "") for name in names} for row in range(MAX_PLACEMENTS)
        ]
        return rows[: max([PLACES, *(row for row, each in enumerate(rows, 1) if any(each.values()))])]
    places = [
        {
            "piece": each.piece,
            "x1": f"{100 * each.at[0]:.1f}",
            "y1": f"{100 * each.at[1]:.1f}",
            "x2": f"{100 * each.faces[0]:.1f}" if each.faces else "",
            "y2": f"{100 * each.faces[1]:.1f}" if each.faces else "",
        }
        for each in photo.hints.placements[:MAX_PLACEMENTS]
    ]
    empty = {"piece": "", **dict.fromkeys(ENDS, "")}
    return [*places, *[empty] * max(0, PLACES - len(places))]
