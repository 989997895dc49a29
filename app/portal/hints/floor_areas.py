"""Areas of the floor that stay free: on the page they are rectangles in the floor plan, in hints outlines in the
picture.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import request

from app.domain.errors import InvalidRequest
from app.domain.lengths import METERS_PER_FOOT
from app.portal.hints import plan_geometry
from app.portal.hints.pieces import read_points, write_points
from app.portal.hints.plan_geometry import Matrix, Outline, Spot
from app.portal.hints.words import ENDS
from engine.types.hint_document import MAX_CLEAR_AREAS, MAX_POINTS
from engine.types.hints import SceneHints

SPARE_AREAS = 3
"""The maximum number of areas that can be added at a time."""
MAX_DIFFERENCE = 0.03
"""An outline that differs from a rectangle by at most this share of its area is shown as the rectangle."""
NO_NUMBERS = "Type four numbers in feet, or none."
NOT_SEEN = "This area is not on the floor that the photo shows."
UNREADABLE = "This area cannot be read. Draw it again."
KEEP_ONE = "Leave one area: without any we keep free what we think must stay free."


@dataclass(frozen=True, slots=True)
class FloorArea:
    """A row of the form. `ends`: two opposite corners of a rectangle, as typed: feet to the right of the camera and
    ahead of it; empty in an unused row. `outline`: for an area that is no rectangle, its points in the picture
    instead of `ends`. `is_ours`: the engine keeps the area free by itself. `spots`: its corners in the plan;
    `in_picture`: its outline in the picture, as SVG.
    """

    ends: Sequence[str] = ("", "", "", "")
    outline: str = ""
    is_used: bool = True
    is_ours: bool = False
    spots: Sequence[Spot] = ()
    in_picture: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether the row is unused."""
        return not self.outline and not any(self.ends)

    @property
    def in_plan(self) -> str:
        """Its outline in the plan, as the `points` of SVG."""
        return plan_geometry.write_spots(self.spots)


def list_areas(plan: Mapping[str, Any] | None, hints: SceneHints) -> Sequence[FloorArea]:
    """The rows for the areas in the hints, or for the areas that the engine keeps free, and some empty rows.
    `plan`: the floor plan in an outlook's content; without it there are no rows.
    """
    if not plan or not plan["floor"]:
        return ()
    matrix = flatten(plan)
    if hints.clear:
        rows = [_describe(outline, matrix) for outline in hints.clear]
    else:
        shown = [show_area(outline, matrix) for outline in plan["clear"]]
        rows = [FloorArea(outline=each, is_ours=True) for each in shown if each]
    rows = rows[:MAX_CLEAR_AREAS]
    spare = min(SPARE_AREAS, MAX_CLEAR_AREAS - len(rows))
    return [_draw(each, matrix) for each in (*rows, *[FloorArea()] * spare)]


def list_sent_areas() -> Sequence[FloorArea]:
    """The rows that this request's form sent, drawn where they can be."""
    try:
        matrix = _read_plan()
    except InvalidRequest:
        return ()
    return [] if matrix is None else [_draw(each, matrix) for each in _read_rows()]


def put_areas(document: dict[str, Any]) -> None:
    """Put the areas of this request's form into a document of hints; a form without a floor plan changes no area.
    Raises InvalidRequest with a message for each field.
    """
    matrix = _read_plan()
    if matrix is None:
        return
    rows = list(_read_rows())
    kept = [each for each in rows if each.is_used and not each.is_empty]
    ours = [each for each in rows if each.is_ours]
    if ours and not kept:
        raise InvalidRequest({"area-0-used": KEEP_ONE})
    # An area that the engine keeps free by itself becomes a hint only when somebody changes it.
    is_unchanged = all(each.is_ours for each in kept) and all(each.is_used for each in ours)
    document["clear"] = [] if is_unchanged else [_locate(row, each, matrix) for row, each in _number(rows)]


def flatten(plan: Mapping[str, Any]) -> Matrix:
    """The nine numbers of a plan's `to_picture`."""
    return [number for row in plan["to_picture"] for number in row]


def name_area(number: int) -> str:
    """The field of the form for the area at a place in the hints."""
    row, area = list(_number(list(_read_rows())))[number]
    return f"area-{row}-{'used' if area.outline else 'x1'}"


def _number(rows: Sequence[FloorArea]) -> Iterator[tuple[int, FloorArea]]:
    """The used rows with their numbers."""
    return ((row, each) for row, each in enumerate(rows) if each.is_used and not each.is_empty)


def _read_plan() -> Matrix | None:
    text = request.form.get("plan", "")
    try:
        return plan_geometry.read_matrix(text) if text else None
    except ValueError:
        raise InvalidRequest({"areas": UNREADABLE}) from None


def _read_rows() -> Iterator[FloorArea]:
    for row in range(MAX_CLEAR_AREAS):
        name = f"area-{row}"
        outline = request.form.get(f"{name}-points", "")
        ends = tuple(request.form.get(f"{name}-{end}", "").strip()[:20] for end in ENDS)
        if outline:
            is_used, is_ours = f"{name}-used" in request.form, f"{name}-ours" in request.form
            yield FloorArea(outline=outline, is_used=is_used, is_ours=is_ours)
        elif f"{name}-x1" in request.form:
            yield FloorArea(ends)
        else:
            return


def _locate(row: int, area: FloorArea, matrix: Matrix) -> list[list[float]]:
    """The outline of a row's area in the picture, in the form of hints."""
    if area.outline:
        try:
            return read_points(area.outline)
        except ValueError:
            raise InvalidRequest({f"area-{row}-used": UNREADABLE}) from None
    try:
        ends = _read_ends(area.ends)
    except ValueError:
        raise InvalidRequest({f"area-{row}-x1": NO_NUMBERS}) from None
    shown = show_area(plan_geometry.draw_box(ends), matrix)
    if not shown:
        raise InvalidRequest({f"area-{row}-x1": NOT_SEEN})
    return read_points(shown)


def _read_ends(texts: Sequence[str]) -> Sequence[float]:
    ends = [float(each.replace(",", ".")) * METERS_PER_FOOT for each in texts]
    if not all(map(math.isfinite, ends)):
        raise ValueError("no numbers")
    return ends


def _describe(outline: Outline, matrix: Matrix) -> FloorArea:
    """The row for an outline in the picture: a rectangle of the floor if its visible part has this outline."""
    spots = [plan_geometry.find_spot(matrix, point) for point in outline]
    known = [each for each in spots if each is not None]
    if len(known) == len(outline):
        box = plan_geometry.box_of(known)
        seen = plan_geometry.measure(plan_geometry.clip(box, plan_geometry.list_picture_sides(matrix)))
        if seen and 1 - plan_geometry.measure(known) / seen < MAX_DIFFERENCE:
            (left, near), _, (right, far), _ = box
            return FloorArea(tuple(_write_feet(each) for each in (left, near, right, far)))
    return FloorArea(outline=write_points(outline))


def _write_feet(meters: float) -> str:
    return f"{round(meters / METERS_PER_FOOT, 1) + 0:.1f}"


def _draw(area: FloorArea, matrix: Matrix) -> FloorArea:
    """The row with its outlines in plan and picture; an outline that cannot be drawn is left out."""
    try:
        if area.outline:
            points = read_points(area.outline)
            if len(points) > MAX_POINTS:
                return area
            spots = [plan_geometry.find_spot(matrix, each) for each in points]
            known = [each for each in spots if each is not None]
            return replace(area, spots=known if len(known) == len(points) else (), in_picture=area.outline)
        box = plan_geometry.draw_box(_read_ends(area.ends))
        return replace(area, spots=box, in_picture=show_area(box, matrix))
    except (ValueError, TypeError, ZeroDivisionError):
        return area


def show_area(outline: Outline, matrix: Matrix) -> str:
    """What the picture shows of an outline in the plan, as `points`; empty if it shows nothing."""
    seen = plan_geometry.clip(outline, plan_geometry.list_picture_sides(matrix))
    points = [plan_geometry.project(matrix, each) for each in seen]
    inside = [(min(1.0, max(0.0, point[0])), min(1.0, max(0.0, point[1]))) for point in points if point is not None]
    return write_points(inside) if len(inside) > 2 else ""
