"""Texts of the pages on which people give hints about a photo."""

from collections.abc import Mapping
from typing import NamedTuple

from flask import Flask

from app.domain.hint_questions import ASKS
from engine.types.hints import Direction, HintedSurface, Piece, ThingKind
from engine.types.outlook import HintPart


class PartWords(NamedTuple):
    """A part of hints: its short name, the request to show it, and instructions."""

    label: str
    ask: str
    how: str


_ALL_OF_IT = "Tap every piece of it that you see. Leave out what stands in front of it."
PARTS: Mapping[HintPart, PartWords] = {
    HintPart.ROOM: PartWords(
        "Edges of the room",
        ASKS[HintPart.ROOM],
        "Drag lines onto straight edges: two that run up, and two or more along the walls. Say how long one thing "
        "is, if you know it: the size of the furniture follows from it.",
    ),
    HintPart.THINGS: PartWords(
        "What should go",
        ASKS[HintPart.THINGS],
        "Tap every thing that is to be removed, with its shadow. What you do not tap stays.",
    ),
    HintPart.PLACEMENTS: PartWords(
        "Places for furniture",
        ASKS[HintPart.PLACEMENTS],
        "Choose a piece, and tap the place on the floor where it should stand. We furnish the rest around it, "
        "and leave free what you keep free in the plan.",
    ),
    HintPart.FLOOR: PartWords("Floor", ASKS[HintPart.FLOOR], _ALL_OF_IT),
    HintPart.WALL: PartWords("Walls", ASKS[HintPart.WALL], _ALL_OF_IT),
    HintPart.CABINET: PartWords(
        "Cabinets", ASKS[HintPart.CABINET], "Tap every front of a cabinet or drawer. Leave out appliances."
    ),
    HintPart.WORKTOP: PartWords(
        "Countertops", ASKS[HintPart.WORKTOP], "Tap every piece of countertop. Leave out what stands on it."
    ),
    HintPart.BACKSPLASH: PartWords(
        "Backsplash", ASKS[HintPart.BACKSPLASH], "Tap the wall between the countertop and the wall cabinets."
    ),
    HintPart.SKY: PartWords(
        "Sky",
        ASKS[HintPart.SKY],
        "Tap every piece of sky. Leaves, wires and poles in front of it stay as they are.",
    ),
    HintPart.LAWN: PartWords("Lawn", ASKS[HintPart.LAWN], "Tap all grass, brown grass too. Leave out bushes."),
    HintPart.PANE: PartWords("Windows", ASKS[HintPart.PANE], "Tap the glass of every window that should be lit."),
    HintPart.PRIVATE: PartWords(
        "What to blur",
        ASKS[HintPart.PRIVATE],
        "Outline every face, plate or name that nobody should make out. What we find ourselves is blurred besides.",
    ),
}
SURFACE_WORDS: Mapping[HintedSurface | ThingKind, str] = {
    HintedSurface.FLOOR: "floor",
    HintedSurface.WALL: "wall",
    HintedSurface.CEILING: "ceiling",
    HintedSurface.WINDOW: "window",
    HintedSurface.DOOR: "door",
    HintedSurface.PASSAGE: "passage",
    HintedSurface.CABINET: "cabinet",
    HintedSurface.WORKTOP: "countertop",
    HintedSurface.BACKSPLASH: "backsplash",
    HintedSurface.OTHER: "something that stays",
    HintedSurface.SKY: "sky",
    HintedSurface.LAWN: "lawn",
    HintedSurface.PANE: "window",
    ThingKind.FURNITURE: "furniture",
    ThingKind.CLUTTER: "small thing",
}
DIRECTIONS: Mapping[Direction, str] = {
    Direction.UP: "Up",
    Direction.ALONG: "Along the room",
    Direction.ACROSS: "Across the room",
}
LENGTHS: Mapping[str, tuple[str, float]] = {
    "door": ("Height of a door", 2.03),
    "counter": ("Height of a countertop", 0.91),
    "socket": ("Height of a socket above the floor", 0.3),
    "switch": ("Height of a light switch above the floor", 1.2),
    "bed": ("Length of a bed", 2.03),
}
"""Lengths that people know without measuring, in meters."""
STANDING_IN = "stands in an area that stays free: we move it out by up to 3 feet, or leave it out."
"""The rest of the sentence after the name of a piece."""
ENDS = ("x1", "y1", "x2", "y2")
"""The fields of two points in a row of a form."""
PIECES: Mapping[Piece, str] = {
    Piece.SOFA: "Sofa",
    Piece.BED: "Bed",
    Piece.DINING_TABLE: "Dining table",
    Piece.DESK: "Desk",
}


def describe_place(x: float, y: float) -> str:
    """The place of a point in the picture, in words; x and y are 0 to 1."""
    row = "upper" if y < 1 / 3 else "lower" if y > 2 / 3 else "middle"
    column = "left" if x < 1 / 3 else "right" if x > 2 / 3 else "center"
    if (row, column) == ("middle", "center"):
        return "in the center"
    return f"{row} {column}"


def write_share(percent: str) -> str:
    """A typed percentage as a share of the picture; 0 for text that is no number."""
    try:
        return f"{float(percent) / 100:.4f}"
    except ValueError:
        return "0"


def install(app: Flask) -> None:
    """Let every template name the parts of hints."""
    app.jinja_env.globals["hint_words"] = PARTS
    app.jinja_env.globals["standing_in_text"] = STANDING_IN
    app.jinja_env.filters["share"] = write_share
