"""The floor plan of a room: its visible floor, its walls, and layouts of furniture to choose from."""

from dataclasses import dataclass

from engine.types.hints import Point, Polygon

LOOKS = (2.0, 1.0, 0.5, 0.25)
"""Distances, in meters, from a piece to the point that it faces; the first point that is in the picture is used."""
Homography = tuple[tuple[float, float, float], ...]
"""Three rows of three numbers."""


@dataclass(frozen=True, slots=True)
class PlannedPiece:
    """A piece of furniture in a floor plan.

    `piece` is a value of `Piece` if it is a `main` piece, which hints can place; else its name. (`x`, `y`) is the
    middle of the floor that it covers, in meters; `turn` is in degrees, counterclockwise from above, 0 if its front
    looks along -y. `width`, `depth` and `height` are in meters, `raised` is the height of its foot over the floor.
    A `flat` piece lies under others. `at` and `faces` are points of the picture, 0-1, for a PlacementHint; None if
    it is not a main piece, `faces` also if that point is not in the picture.
    """

    piece: str
    main: bool
    x: float
    y: float
    turn: float
    width: float
    depth: float
    height: float
    raised: float = 0.0
    flat: bool = False
    at: Point | None = None
    faces: Point | None = None


@dataclass(frozen=True, slots=True)
class PlannedLayout:
    """One way to furnish the room: the engine makes it if its main pieces are sent as placements.

    A layout without main pieces is made if no placements are sent.
    """

    pieces: tuple[PlannedPiece, ...]


@dataclass(frozen=True, slots=True)
class FloorPlan:
    """A room from above, in meters: x to the right and y away from the camera, along the room's main directions.

    `camera` is the spot below the lens. `floor` are outlines of the visible floor, `clear` of the parts of it that
    furniture leaves free, `walls` the ends of the foot of each visible wall, from left to right. `to_picture` maps
    (x, y, 1) to the point of the picture, 0-1, that shows this spot of the floor, times a third number. `layouts`
    are up to three, the best first.
    """

    camera: Point
    floor: tuple[Polygon, ...]
    clear: tuple[Polygon, ...]
    walls: tuple[tuple[Point, Point], ...]
    to_picture: Homography
    layouts: tuple[PlannedLayout, ...] = ()
