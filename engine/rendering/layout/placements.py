"""Furnishes a room around main pieces that stand at places chosen by a person."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.geometry.camera import Points
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.furniture.model import Model
from engine.rendering.layout import groups
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.main_pieces import MAIN_PIECES
from engine.rendering.layout.placed import WALL_GAP, PlacedPiece
from engine.rendering.layout.placing import (
    PARTLY_IN_VIEW,
    WELL_IN_VIEW,
    WHOLLY_IN_VIEW,
    AddPieces,
    Layout,
    ViewLimits,
)
from engine.types.enhancements import RoomType
from engine.types.hints import Piece, PlacementHint, Point

ADD_PIECES: Mapping[Piece, AddPieces] = {
    Piece.SOFA: groups.furnish_lounge,
    Piece.BED: groups.furnish_bedroom,
    Piece.DINING_TABLE: groups.furnish_dining_room,
    Piece.DESK: groups.furnish_office,
}
"""The function that adds the other pieces around each kind of main piece."""
ADD_PIECES_IN: Mapping[tuple[RoomType, Piece], AddPieces] = {
    (RoomType.KITCHEN, Piece.DINING_TABLE): groups.furnish_kitchen,
    (RoomType.OUTDOOR_SPACE, Piece.SOFA): groups.furnish_terrace,
}
"""The same function where it depends on the type of the room."""
NEAR, FAR = (0.0, 0.1, 0.2, 0.35), (0.5, 0.7, 0.9)
"""Distances by which a piece may be moved from its chosen place, meters."""
Tries = tuple[tuple[ViewLimits, tuple[float, ...]], ...]
TRIES: Tries = ((PARTLY_IN_VIEW, NEAR), (PARTLY_IN_VIEW, FAR))
"""Pairs of how much of a piece the picture must show and how far the piece may be moved for that. All sizes are
tried with a pair before the next pair is tried.
"""
TRIES_OF: Mapping[Piece, Tries] = {
    Piece.DINING_TABLE: ((WHOLLY_IN_VIEW, NEAR), (WELL_IN_VIEW, NEAR), (WELL_IN_VIEW, FAR), *TRIES)
}
"""Used instead of TRIES for these pieces: a smaller table in view looks better than a large table that the border
cuts off. Other pieces have more furniture beside them, for which there would be no room then.
"""
MAX_ALIGNED_ANGLE = math.radians(20)
"""Greatest angle between a piece and a wall at which the piece is turned parallel to the wall, radians."""
MAX_MOVE_TO_WALL = 1.2
"""Greatest distance by which a piece is moved to the wall behind it, meters."""
MAX_CLOSED_GAP = 0.6
"""Greatest gap between a piece and the wall behind it at which the piece is moved to the wall, meters; for beds the
limit is MAX_MOVE_TO_WALL."""


def furnish_placements(
    ground: Ground, factory: FurnitureFactory, placements: Sequence[PlacementHint]
) -> tuple[PlacedPiece, ...]:
    """Place each main piece in the largest size that fits at its chosen place, and add other pieces around it.

    Parameters
    ----------
    ground : Ground
        The room.
    factory : FurnitureFactory
        Builds the pieces.
    placements : Sequence of PlacementHint
        The main pieces and their chosen places; a piece that fits nowhere near its place is left out.

    Returns
    -------
    tuple of PlacedPiece
        Empty where no main piece fits.
    """
    return arrange_placements(ground, factory, placements)[1]


def arrange_placements(
    ground: Ground, factory: FurnitureFactory, placements: Sequence[PlacementHint]
) -> tuple[tuple[tuple[PlacementHint, PlacedPiece], ...], tuple[PlacedPiece, ...]]:
    """Furnish the room as `furnish_placements` does, and also return which pieces are the main pieces.

    Parameters
    ----------
    ground : Ground
        The room.
    factory : FurnitureFactory
        Builds the pieces.
    placements : Sequence of PlacementHint
        The main pieces and their chosen places.

    Returns
    -------
    main_pieces : tuple of (PlacementHint, PlacedPiece)
        The pieces that fit, each with its placement.
    placed : tuple of PlacedPiece
        All pieces, including the main pieces.
    """
    layout = Layout(ground)
    anchors: list[tuple[PlacementHint, PlacedPiece]] = []
    for placement in placements:
        anchor = next(
            (
                piece
                for piece, limits in _list_candidates(ground, factory, placement)
                if _add_if_it_fits(layout, piece, limits)
            ),
            None,
        )
        if anchor is not None:
            anchors.append((placement, anchor))
    for placement, anchor in anchors:
        piece = placement.piece
        add_pieces = ADD_PIECES_IN.get((factory.room_type, piece), ADD_PIECES[piece])
        add_pieces(factory, layout, anchor)
    return tuple(anchors), tuple(layout.placed)


def _add_if_it_fits(layout: Layout, piece: PlacedPiece, limits: ViewLimits) -> bool:
    """Add a piece if it stands on free floor, apart from others and in view; it may face in any direction. Return
    whether it was added."""
    clear, seen = layout.ground.find_free(piece.grid())
    in_view = layout.is_in_view(piece, limits)
    if not clear.all() or not seen.any() or not in_view or not layout.is_apart(piece):
        return False
    layout.placed.append(piece)
    return True


def _list_candidates(
    ground: Ground, factory: FurnitureFactory, placement: PlacementHint
) -> Iterator[tuple[PlacedPiece, ViewLimits]]:
    """The main piece in each size and at each place to try, with the limits of its view there, in that order."""
    spot, faced = _find_spot(ground, placement.at), placement.faces and _find_spot(ground, placement.faces)
    if spot is None:
        return
    towards = -spot if faced is None else faced - spot
    turn = _align_to_walls(ground, float(np.arctan2(towards[0], -towards[1])))
    name, build, sizes = MAIN_PIECES[placement.piece]
    for limits, moves in TRIES_OF.get(placement.piece, TRIES):
        for size in sizes:
            piece = _place_centered(name, build(factory, size), spot, turn)
            for start in (*_move_to_wall(ground, piece, always=placement.piece is Piece.BED), piece):
                yield from ((each, limits) for each in _list_moved(start, moves))


def _list_moved(piece: PlacedPiece, moves: Sequence[float]) -> Iterator[PlacedPiece]:
    """The piece moved by each distance in each of eight directions."""
    for aside in moves:
        for angle in np.arange(0, 2 * np.pi, np.pi / 4) if aside else (0.0,):
            yield replace(piece, x=piece.x + aside * math.cos(angle), y=piece.y + aside * math.sin(angle))


def _move_to_wall(ground: Ground, piece: PlacedPiece, *, always: bool) -> Iterator[PlacedPiece]:
    """The piece, moved back to each wall close behind it; with `always`, also over gaps above MAX_CLOSED_GAP."""
    for wall in ground.room.walls:
        inward = wall.inward[:2]
        if float(inward @ piece.facing) < math.cos(MAX_ALIGNED_ANGLE):
            continue
        back = float(((piece.corners - np.array(wall.start)) @ inward).min())
        middle = float((np.array([piece.x, piece.y]) - np.array(wall.start)) @ wall.along[:2])
        if -0.3 < middle < wall.length + 0.3 and abs(back) < MAX_MOVE_TO_WALL and (always or back < MAX_CLOSED_GAP):
            moved = (WALL_GAP - back) * inward
            yield replace(piece, x=piece.x + float(moved[0]), y=piece.y + float(moved[1]))


def _find_spot(ground: Ground, point: Point) -> Points | None:
    """The spot of the floor at a point of the picture; None above the horizon."""
    pixel = np.array([point]) * (ground.width, ground.height)
    spot = ground.room.camera.intersect_floor(pixel)[0, :2]
    return spot if np.isfinite(spot).all() else None


def _align_to_walls(ground: Ground, turn: float) -> float:
    """The turn, made parallel to the walls if it differs from parallel by less than MAX_ALIGNED_ANGLE."""
    wall = ground.room.walls[0].along
    own = math.atan2(wall[1], wall[0])
    apart = (turn - own + math.pi / 4) % (math.pi / 2) - math.pi / 4
    return turn - apart if abs(apart) < MAX_ALIGNED_ANGLE else turn


def _place_centered(name: str, model: Model, middle: Points, turn: float) -> PlacedPiece:
    """The piece, with its middle at a spot of the floor."""
    x, y = (model.low[:2] + model.high[:2]) / 2
    cos, sin = math.cos(turn), math.sin(turn)
    return PlacedPiece(
        name, model, float(middle[0] - x * cos + y * sin), float(middle[1] - x * sin - y * cos), turn
    )
