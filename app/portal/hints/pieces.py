"""The pieces of a picture from which people choose, each with words: segments, and outlines that were found or
drawn.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.portal.hints.words import SURFACE_WORDS, describe_place
from engine.types.hints import HintedSurface, Polygon, SceneHints, ThingKind
from engine.types.outlook import HintPart

UNSURE_BELOW = 0.6
"""Certainty below which a piece is shown as unsure."""
MARGIN = 0.04
"""Share of the picture shown around a piece in its small picture."""
Outline = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class PicturePiece:
    """One piece of the picture that can be chosen. `points`: its outline as `x,y x,y …`, 0 to 1 of the picture.
    `kind`: for things, the kind that says which steps remove it. `is_drawn`: the piece is a drawn outline, not a
    segment.
    """

    points: str
    name: str
    place: str
    view_box: str
    is_chosen: bool
    is_unsure: bool = False
    is_drawn: bool = False
    kind: ThingKind | None = None


def list_pieces(
    part: HintPart, content: Mapping[str, Any], hints: SceneHints, kinds: Collection[ThingKind]
) -> Sequence[PicturePiece]:
    """The pieces for a part of hints, from an outlook's `content`: unsure ones first, then the largest. The pieces
    shown in `hints` are chosen; if there are none, the pieces that we see. `kinds`: the things that the photo's
    steps remove.
    """
    if part is HintPart.THINGS:
        return list(_list_things(content, hints, kinds))
    if part is HintPart.PRIVATE:
        return list(_list_private(content, hints))
    surface = part.surface
    return [] if surface is None else list(_list_of_surface(surface, content, hints))


def _list_private(content: Mapping[str, Any], hints: SceneHints) -> Iterator[PicturePiece]:
    shown = [write_points(each) for each in hints.private]
    for outline in hints.private:
        yield _make(outline, "what is blurred", is_chosen=True, is_drawn=True)
    for each in content.get("segments") or []:
        if write_points(each["polygon"]) not in shown:
            yield _make(each["polygon"], _name(each["seen"]), is_chosen=False)


def _list_of_surface(
    surface: HintedSurface, content: Mapping[str, Any], hints: SceneHints
) -> Iterator[PicturePiece]:
    shown = {write_points(each) for each in hints.get_outlines(surface)}
    segments = content.get("segments") or []
    is_shown = surface in hints.surfaces
    outlines = {write_points(each["polygon"]) for each in segments}
    if is_shown:
        drawn = [each for each in hints.get_outlines(surface) if write_points(each) not in outlines]
    else:
        # Without segments, the outlines from the outlook are offered.
        seen = content["seen"].get("surfaces", {}).get(surface.value, [])
        drawn = [] if any(each["seen"] == surface for each in segments) else seen
    for outline in drawn:
        yield _make(outline, SURFACE_WORDS[surface], is_chosen=True, is_drawn=True)
    for each in sorted(segments, key=lambda each: (not _is_doubtful(each, surface), -_measure(each["polygon"]))):
        chosen = write_points(each["polygon"]) in shown if is_shown else each["seen"] == surface
        unsure = _is_doubtful(each, surface) and not is_shown
        yield _make(each["polygon"], _name(each["seen"]), is_chosen=chosen, is_unsure=unsure)


def _is_doubtful(segment: Mapping[str, Any], surface: HintedSurface) -> bool:
    return bool(segment["seen"] == surface and segment["certainty"] < UNSURE_BELOW)


def _list_things(
    content: Mapping[str, Any], hints: SceneHints, kinds: Collection[ThingKind]
) -> Iterator[PicturePiece]:
    default = ThingKind.FURNITURE if ThingKind.FURNITURE in kinds else ThingKind.CLUTTER
    shown = {write_points(each.polygon): each.kind for each in hints.things}
    seen = {
        write_points(each["polygon"]): ThingKind(each["kind"])
        for each in content["seen"].get("things", [])
        if each["kind"] in kinds
    }
    things = {**seen, **shown}
    for points, kind in things.items():
        chosen = points in shown or not shown
        yield _make(read_points(points), SURFACE_WORDS[kind], is_chosen=chosen, is_drawn=True, kind=kind)
    for each in content.get("segments") or []:
        if each["seen"] not in (*ThingKind,) and write_points(each["polygon"]) not in things:
            yield _make(each["polygon"], _name(each["seen"]), is_chosen=False, kind=default)


def make_drawn(points: str, kind: ThingKind | None = None) -> PicturePiece | None:
    """The piece for an outline that somebody drew; None for other text."""
    try:
        outline = read_points(points)
        return _make(outline, "drawn outline", is_chosen=True, is_drawn=True, kind=kind)
    except (ValueError, ZeroDivisionError):
        return None


def _name(seen: str) -> str:
    if not seen:
        return "not recognized"
    return SURFACE_WORDS[HintedSurface(seen) if seen in (*HintedSurface,) else ThingKind(seen)]


def _make(outline: Outline, name: str, **values: Any) -> PicturePiece:
    xs, ys = [point[0] for point in outline], [point[1] for point in outline]
    left, top = max(0.0, min(xs) - MARGIN), max(0.0, min(ys) - MARGIN)
    right, bottom = min(1.0, max(xs) + MARGIN), min(1.0, max(ys) + MARGIN)
    box = f"{left:.3f} {top:.3f} {right - left:.3f} {bottom - top:.3f}"
    place = describe_place(sum(xs) / len(xs), sum(ys) / len(ys))
    return PicturePiece(write_points(outline), name, place, box, **values)


def _measure(outline: Outline) -> float:
    """The area of a polygon, as a share of the picture."""
    pairs = zip(outline, [*outline[1:], outline[0]], strict=True)
    return abs(sum(x * v - u * y for (x, y), (u, v) in pairs)) / 2


def write_points(outline: Outline | Polygon) -> str:
    """An outline as the `points` of an SVG polygon in a picture of 1 by 1."""
    return " ".join(f"{x:.4f},{y:.4f}" for x, y in outline)


def read_points(text: str) -> list[list[float]]:
    """Read the text of write_points() as points in the form of hints. Raises ValueError for any other text."""
    points = [[float(part) for part in point.split(",")] for point in text.split()]
    if not all(len(point) == 2 and all(map(math.isfinite, point)) for point in points):
        raise ValueError("no points")
    return points
