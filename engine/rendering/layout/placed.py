"""A piece of furniture at its place in a room, and pieces placed by walls and by other pieces."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from engine.geometry.camera import Points
from engine.geometry.room import Wall
from engine.rendering.furniture.model import Model
from engine.rendering.materials import RenderMaterial
from engine.rendering.meshes import Mesh

WALL_GAP = 0.04
"""Gap between a piece and the wall behind it, meters; the thickest baseboards are as deep."""
SEATS = frozenset({"sofa", "armchair"})
"""Names of pieces to sit on that must face the camera; chairs at a table or desk need not."""
MIN_FACING = 0.2
"""Least cosine of the angle between the direction that a seat faces and the direction to the camera; below it, the
seat turns its back."""


@dataclass(frozen=True, eq=False)
class PlacedPiece:
    """A piece at its place in the room.

    The origin of its model is at (`x`, `y`), in meters; `turn` is its rotation in radians, counterclockwise from
    above. A `flat` piece, such as a rug, may lie under others. A piece on a wall has its lower edge `raised` meters
    above the floor.
    """

    name: str
    model: Model
    x: float
    y: float
    turn: float = 0.0
    flat: bool = False
    raised: float = 0.0

    @property
    def parts(self) -> list[tuple[RenderMaterial, Mesh]]:
        """The piece's materials and meshes, moved to its place in the room."""
        return [
            (each, mesh.rotate(self.turn).translate(self.x, self.y, self.raised)) for each, mesh in self.model.parts
        ]

    @property
    def height(self) -> float:
        """Meters from the floor to its top."""
        return self.raised + float(self.model.high[2])

    @cached_property
    def corners(self) -> Points:
        """The corners (4 x 2) of the floor that the piece covers, meters in the room."""
        (left, front, _), (right, back, _) = self.model.low, self.model.high
        return self.convert_to_room(np.array([[left, front], [right, front], [right, back], [left, back]]))

    def convert_to_room(self, spots: Points) -> Points:
        """Convert spots from the piece's own coordinates to the room's.

        Parameters
        ----------
        spots : (N, 2) ndarray of float64
            Meters from the piece's origin, x to its right and y to its back.

        Returns
        -------
        (N, 2) ndarray of float64
            Meters in the room.
        """
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        return np.asarray(spots @ np.array([[cos, sin], [-sin, cos]]) + np.array([self.x, self.y]))

    @property
    def facing(self) -> Points:
        """The horizontal direction (x, y) that the piece's front faces, of length 1."""
        return np.array([np.sin(self.turn), -np.cos(self.turn)])

    def find_spot_in_front(self, away: float) -> Points:
        """The spot of the floor in front of the middle of the piece's front.

        Parameters
        ----------
        away : float
            Meters from the front.

        Returns
        -------
        (2,) ndarray of float64
            Meters in the room.
        """
        middle = (float(self.model.low[0]) + float(self.model.high[0])) / 2
        return np.asarray(self.convert_to_room(np.array([[middle, float(self.model.low[1]) - away]]))[0])

    def turns_its_back(self) -> bool:
        """Whether the piece is a seat that the camera sees from behind or from the side.

        Returns
        -------
        bool
            Always False for other pieces than SEATS.
        """
        towards = -np.array([self.x, self.y]) / max(0.1, float(np.hypot(self.x, self.y)))
        return self.name in SEATS and float(self.facing @ towards) < MIN_FACING

    def grid(self, step: float = 0.08) -> Points:
        """List spots in a grid on the floor that the piece covers.

        Parameters
        ----------
        step : float, default 0.08
            Greatest distance between neighboring spots, meters.

        Returns
        -------
        (N, 2) ndarray of float64
            Meters in the room.
        """
        (left, front, _), (right, back, _) = self.model.low, self.model.high
        return self.convert_to_room(_lattice(float(left), float(right), float(front), float(back), step))


@lru_cache(maxsize=64)
def _lattice(left: float, right: float, front: float, back: float, step: float) -> Points:
    """Spots in a grid on a rectangle (count x 2); cached, because a model is tried in many places."""
    across = np.linspace(left, right, max(2, int((right - left) / step) + 2))
    along = np.linspace(front, back, max(2, int((back - front) / step) + 2))
    x, y = np.meshgrid(across, along)
    spots = np.column_stack([x.ravel(), y.ravel()])
    spots.setflags(write=False)
    return spots


def place_at_wall(name: str, model: Model, wall: Wall, along: float) -> PlacedPiece:
    """A piece with its back to a wall.

    Parameters
    ----------
    name : str
        Name of the piece.
    model : Model
        The piece's meshes.
    wall : Wall
        The wall.
    along : float
        Meters from the wall's start to the middle of the piece.

    Returns
    -------
    PlacedPiece
        The piece, WALL_GAP in front of the wall.
    """
    inward = wall.inward
    turn = float(np.arctan2(inward[0], -inward[1]))
    away = float(model.high[1]) + WALL_GAP
    foot = np.array(wall.start) + wall.along[:2] * along + inward[:2] * away
    shift = (float(model.low[0]) + float(model.high[0])) / 2
    foot = foot - shift * np.array([np.cos(turn), np.sin(turn)])
    return PlacedPiece(name, model, float(foot[0]), float(foot[1]), turn)


def place_beside(
    anchor: PlacedPiece, name: str, model: Model, x: float, y: float, turn: float = 0.0
) -> PlacedPiece:
    """A piece at a place relative to another piece.

    Parameters
    ----------
    anchor : PlacedPiece
        The other piece.
    name : str
        Name of the new piece.
    model : Model
        Meshes of the new piece.
    x, y : float
        Origin of the new piece, meters to the right and to the back of the origin of `anchor`.
    turn : float, default 0.0
        Radians, relative to `anchor`, counterclockwise from above.

    Returns
    -------
    PlacedPiece
        The piece, standing on the floor.
    """
    spot = anchor.convert_to_room(np.array([[x, y]]))[0]
    return PlacedPiece(name, model, float(spot[0]), float(spot[1]), anchor.turn + turn)


def place_under(anchor: PlacedPiece, model: Model, x: float, y: float, name: str = "rug") -> PlacedPiece:
    """A rug or mat at a place relative to another piece, parallel to it.

    Parameters
    ----------
    anchor : PlacedPiece
        The other piece.
    model : Model
        Meshes of the rug or mat.
    x, y : float
        Origin of the new piece, meters to the right and to the back of the origin of `anchor`.
    name : str, default "rug"
        Name of the new piece.

    Returns
    -------
    PlacedPiece
        A flat piece.
    """
    spot = anchor.convert_to_room(np.array([[x, y]]))[0]
    return PlacedPiece(name, model, float(spot[0]), float(spot[1]), anchor.turn, flat=True)


def overlap(one: Points, other: Points, gap: float = 0.02) -> bool:
    """Whether two rectangles of floor overlap or come closer than `gap`, by the separating axis theorem.

    Parameters
    ----------
    one, other : (4, 2) ndarray of float64
        Corners in order around the rectangle, meters.
    gap : float, default 0.02
        Least distance between the rectangles, meters; a negative value allows that much overlap.

    Returns
    -------
    bool
        True where no line along a side of either rectangle separates them by more than `gap`.
    """
    for corners in (one, other):
        for side in (corners[1] - corners[0], corners[2] - corners[1]):
            axis = side / max(float(np.hypot(side[0], side[1])), 1e-9)
            first, second = one @ axis, other @ axis
            if first.max() + gap < second.min() or second.max() + gap < first.min():
                return False
    return True
