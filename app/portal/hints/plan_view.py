"""The floor plan of a room as a page draws it: outlines in meters, and layouts of furniture to choose from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.portal.hints.plan_geometry import write_spots
from app.portal.hints.words import PIECES
from app.portal.words import humanize
from engine.types.hints import Piece

MARGIN = 0.3
"""Meters shown around the plan."""


@dataclass(frozen=True, slots=True)
class DrawnPiece:
    """A piece of furniture from above. `x`, `y`: its middle, with `y` downwards as on the page. `turn`: degrees
    clockwise; at 0 its front is its lower side.
    """

    name: str
    is_main: bool
    x: float
    y: float
    turn: float
    width: float
    depth: float


@dataclass(frozen=True, slots=True)
class DrawnLayout:
    """A layout to choose. `value`: the text that a form sends for it, see read_layout()."""

    value: str
    pieces: Sequence[DrawnPiece]
    words: str


@dataclass(frozen=True, slots=True)
class DrawnPlan:
    """A floor plan. `to_picture`: nine numbers, see engine.types.floor_plan.FloorPlan; `sizes`: width and depth in
    meters by the value of Piece.
    """

    view_box: str
    floor: Sequence[str]
    clear: Sequence[str]
    walls: Sequence[Sequence[float]]
    camera: Sequence[float]
    to_picture: Sequence[float]
    sizes: Mapping[str, tuple[float, float]]
    layouts: Sequence[DrawnLayout]


_SIZES = {Piece.SOFA: (2.1, 0.9), Piece.BED: (1.7, 2.1), Piece.DINING_TABLE: (1.6, 0.9), Piece.DESK: (1.4, 0.7)}
"""Width and depth, in meters, of pieces that are in no layout."""


def draw_plan(plan: Mapping[str, Any] | None) -> DrawnPlan | None:
    """The plan of an outlook, for the page; None without any."""
    if not plan or not plan["floor"]:
        return None
    points = [*plan["walls"], *([each] for outline in plan["floor"] for each in outline), [plan["camera"]]]
    xs, ys = zip(*(point for part in points for point in part), strict=True)
    left, top = min(xs) - MARGIN, -max(ys) - MARGIN
    box = f"{left:.2f} {top:.2f} {max(xs) - min(xs) + 2 * MARGIN:.2f} {max(ys) - min(ys) + 2 * MARGIN:.2f}"
    mains = [each for layout in plan["layouts"] for each in layout["pieces"] if each["main"]]
    sizes = {str(piece): size for piece, size in _SIZES.items()}
    sizes |= {each["piece"]: (each["width"], each["depth"]) for each in mains}
    return DrawnPlan(
        box,
        [write_spots(each) for each in plan["floor"]],
        [write_spots(each) for each in plan["clear"]],
        [(start[0], -start[1], end[0], -end[1]) for start, end in plan["walls"]],
        (plan["camera"][0], -plan["camera"][1]),
        [number for row in plan["to_picture"] for number in row],
        sizes,
        [_draw_layout(each) for each in plan["layouts"]],
    )


def _draw_layout(layout: Mapping[str, Any]) -> DrawnLayout:
    pieces = [
        DrawnPiece(
            each["piece"],
            each["main"],
            each["x"],
            -each["y"],
            -each["turn"],
            each["width"],
            each["depth"],
        )
        # Flat pieces lie under others, so they are drawn first.
        for each in sorted(layout["pieces"], key=lambda each: not each.get("flat"))
    ]
    mains = [each for each in layout["pieces"] if each["main"] and each.get("at")]
    names = list(dict.fromkeys(_name(each["piece"]) for each in layout["pieces"]))
    return DrawnLayout(";".join(map(_write_place, mains)), pieces, ", ".join(names))


def _name(piece: str) -> str:
    return PIECES[Piece(piece)] if piece in (*Piece,) else humanize(piece)


def _write_place(piece: Mapping[str, Any]) -> str:
    ends = [*piece["at"], *(piece.get("faces") or ())]
    return " ".join([piece["piece"], *(f"{100 * each:.2f}" for each in ends)])


def read_layout(value: str) -> Sequence[Sequence[str]]:
    """The places of a layout as a form sends them: for each a piece, and two or four numbers in percent."""
    return [part.split() for part in value.split(";") if part.strip()]
