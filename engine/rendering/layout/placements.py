"""Furnishes a room around main pieces at the places that a person chose for them."""

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
from engine.rendering.layout.placing import Fill, Layout
from engine.types.hints import Piece, PlacementHint, Point

FILLS: Mapping[Piece, Fill] = {
    Piece.SOFA: groups.furnish_lounge,
    Piece.BED: groups.furnish_bedroom,
    Piece.DINING_TABLE: groups.furnish_dining_room,
    Piece.DESK: groups.furnish_office,
}
"""The function that adds the other pieces around each kind of main piece."""
ASIDE = ((0.0, 0.1, 0.2, 0.35), (0.5, 0.7, 0.9))
"""Distances by which a piece may be moved from its chosen place, meters. Every size is tried with the first group
before any is tried with the second."""
SQUARE = math.radians(20)
"""Greatest angle to a wall at which a piece is turned parallel to the wall, radians."""
TO_WALL = 1.2
"""Greatest distance by which a piece is moved to the wall behind it, meters."""
GAP = 0.6
"""Greatest gap behind a piece that is closed by moving it to the wall, meters; for beds it is TO_WALL."""
SHOWN = 0.5
"""Least share of a piece that the picture must show, 0-1."""
WIDEST = 0.95
"""Greatest width of a piece in the picture, as a share of the picture's width."""
DEEPEST = 0.3
"""Least distance of a piece's nearest point from the lens along the camera's axis, meters."""


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
    layout = Layout(ground)
    anchors = []
    for placement in placements:
        anchor = next(
            (each for each in _list_candidates(ground, factory, placement) if _add_if_it_fits(layout, each)), None
        )
        if anchor is not None:
            anchors.append((placement.piece, anchor))
    for piece, anchor in anchors:
        FILLS[piece](factory, layout, anchor)
    return tuple(layout.placed)


def _add_if_it_fits(layout: Layout, piece: PlacedPiece) -> bool:
    """Add a piece where it stands on free floor, apart from others and in view, whichever way it faces; return
    whether it was added."""
    clear, seen = layout.ground.free(piece.grid())
    share, depth, wide = layout.view_of(piece)
    in_view = share >= SHOWN and depth >= DEEPEST and wide <= WIDEST
    if not clear.all() or not seen.any() or not in_view or not layout.apart(piece):
        return False
    layout.placed.append(piece)
    return True


def _list_candidates(ground: Ground, factory: FurnitureFactory, placement: PlacementHint) -> Iterator[PlacedPiece]:
    """The main piece in each size and at each place to try, in that order."""
    spot, faced = _find_spot(ground, placement.at), placement.faces and _find_spot(ground, placement.faces)
    if spot is None:
        return
    towards = -spot if faced is None else faced - spot
    turn = _align_to_walls(ground, float(np.arctan2(towards[0], -towards[1])))
    name, build, sizes = MAIN_PIECES[placement.piece]
    for moves in ASIDE:
        for size in sizes:
            piece = _place_centered(name, build(factory, size), spot, turn)
            for start in (*_move_to_wall(ground, piece, always=placement.piece is Piece.BED), piece):
                yield from _list_moved(start, moves)


def _list_moved(piece: PlacedPiece, moves: Sequence[float]) -> Iterator[PlacedPiece]:
    """The piece moved by each distance in each of eight directions."""
    for aside in moves:
        for angle in np.arange(0, 2 * np.pi, np.pi / 4) if aside else (0.0,):
            yield replace(piece, x=piece.x + aside * math.cos(angle), y=piece.y + aside * math.sin(angle))


def _move_to_wall(ground: Ground, piece: PlacedPiece, *, always: bool) -> Iterator[PlacedPiece]:
    """The piece moved back to each wall close behind it; `always` also where the gap is larger than GAP."""
    for wall in ground.room.walls:
        inward = wall.inward[:2]
        if float(inward @ piece.facing) < math.cos(SQUARE):
            continue
        back = float(((piece.corners - np.array(wall.start)) @ inward).min())
        middle = float((np.array([piece.x, piece.y]) - np.array(wall.start)) @ wall.along[:2])
        if -0.3 < middle < wall.length + 0.3 and abs(back) < TO_WALL and (always or back < GAP):
            moved = (WALL_GAP - back) * inward
            yield replace(piece, x=piece.x + float(moved[0]), y=piece.y + float(moved[1]))


def _find_spot(ground: Ground, point: Point) -> Points | None:
    """The spot of the floor that a point of the picture shows; None above the horizon."""
    pixel = np.array([point]) * (ground.width, ground.height)
    spot = ground.room.camera.intersect_floor(pixel)[0, :2]
    return spot if np.isfinite(spot).all() else None


def _align_to_walls(ground: Ground, turn: float) -> float:
    """The turn, made parallel to the walls where it is within SQUARE of parallel."""
    wall = ground.room.walls[0].along
    own = math.atan2(wall[1], wall[0])
    apart = (turn - own + math.pi / 4) % (math.pi / 2) - math.pi / 4
    return turn - apart if abs(apart) < SQUARE else turn


def _place_centered(name: str, model: Model, middle: Points, turn: float) -> PlacedPiece:
    """The piece with the middle of its foot at a spot."""
    x, y = (model.low[:2] + model.high[:2]) / 2
    cos, sin = math.cos(turn), math.sin(turn)
    return PlacedPiece(
        name, model, float(middle[0] - x * cos + y * sin), float(middle[1] - x * sin - y * cos), turn
    )
