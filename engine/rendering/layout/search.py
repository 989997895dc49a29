"""Finds places for pieces against walls and for pictures on walls, and rates places."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from engine.geometry.room import Wall
from engine.rendering.furniture import decor
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.furniture.model import Model
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.paths import are_paths_open
from engine.rendering.layout.placed import SEATS, PlacedPiece, overlap, place_at_wall
from engine.rendering.layout.placing import Layout

MAX_STEP = 0.12
"""Greatest distance between neighboring places to try along a wall, meters."""
_MIN_SMALL_DISTANCE = 1.9
"""Least distance, on the floor, from the camera to a small piece, meters: nearer ones would fill the foreground."""
FIREPLACE_RATING = 0.8
"""Added to the rating of a seat that faces the fireplace."""
_PASSAGE_DEPTH = 0.7
"""Depth of the floor in front of a piece that must stay free of other pieces, meters."""
MAX_GAP_BEHIND = 0.1
"""Greatest gap between a piece and the wall that it stands at, meters."""


def rate_anchor(ground: Ground, anchor: PlacedPiece) -> float:
    """Rate the place of a main piece.

    The rating is higher if the piece is in full view and faces the camera, and if it is near, narrow in the picture
    and not in front of a window; for a seat, also if it faces the fireplace.

    Parameters
    ----------
    ground : Ground
        The room.
    anchor : PlacedPiece
        The main piece at that place.

    Returns
    -------
    float
        Higher is better; may be below 0.
    """
    share, depth, wide = Layout(ground).measure_view(anchor)
    facing = anchor.facing
    towards = -np.array([anchor.x, anchor.y]) / max(0.1, float(np.hypot(anchor.x, anchor.y)))
    rating = 3.0 * share + 0.9 * float(facing @ towards) - 0.12 * max(0.0, depth - 3.5) - 0.8 * max(0.0, wide - 0.5)
    if ground.fireplace is not None and anchor.name in SEATS:
        to_fire = np.array(ground.fireplace) - np.array([anchor.x, anchor.y])
        rating += FIREPLACE_RATING * float(facing @ to_fire) / max(0.1, float(np.hypot(to_fire[0], to_fire[1])))
    for opening in ground.openings:
        # A piece in front of a window may be allowed, but a bare wall is better.
        rating -= 0.15 * (not opening.is_passage and ground.is_too_tall(anchor.grid(), 3.0))
    return rating


def find_places_along_walls(ground: Ground, name: str, model: Model) -> list[PlacedPiece]:
    """Find all places along walls where a model fits in the empty room, the best first.

    Parameters
    ----------
    ground : Ground
        The room; it caches the result by model.
    name : str
        Name of the piece.
    model : Model
        The piece's meshes.

    Returns
    -------
    list of PlacedPiece
        The cached list itself: do not change it.
    """
    known = ground.places_along_walls.get(id(model))
    if known is not None:
        return known[1]
    wide = float(model.high[0] - model.low[0])
    bare = Layout(ground)
    tried = [
        place_at_wall(name, model, wall, along) for wall in ground.room.walls for along in _list_places(wall, wide)
    ]
    found = [each for each in select_likely(ground, tried) if bare.fits(each)]
    found.sort(key=lambda each: -rate_anchor(ground, each))
    # The model is stored with its places: while it exists, no other model can get its id.
    ground.places_along_walls[id(model)] = model, found
    return found


def select_likely(ground: Ground, tried: list[PlacedPiece]) -> list[PlacedPiece]:
    """Select the pieces whose four corners are on free floor: a quick test of many places at once.

    Parameters
    ----------
    ground : Ground
        The room.
    tried : list of PlacedPiece
        Pieces at the places to test.

    Returns
    -------
    list of PlacedPiece
        The pieces that pass, in the same order.
    """
    if not tried:
        return []
    clear, _ = ground.find_free(np.concatenate([each.corners for each in tried]))
    free = np.asarray(clear).reshape(-1, 4).all(1)
    return [tried[place] for place in np.flatnonzero(free)]


def _list_places(wall: Wall, wide: float) -> Iterator[float]:
    """Places to try along a wall for the middle of a piece `wide` meters wide; meters from the wall's start."""
    spare = wall.length - wide - 0.06
    if spare >= 0:
        count = int(spare / MAX_STEP) + 1
        yield from np.linspace(wide / 2 + 0.03, wall.length - wide / 2 - 0.03, count + 1)


def order_sides(anchor: PlacedPiece) -> tuple[int, int]:
    """The two sides of a piece, the one farther from the camera first.

    Parameters
    ----------
    anchor : PlacedPiece
        The piece.

    Returns
    -------
    tuple of int
        1 is the right, -1 the left of the piece.
    """
    distances = [
        float(np.linalg.norm(anchor.convert_to_room(np.array([[side * 1.0, 0.0]]))[0])) for side in (1, -1)
    ]
    return (1, -1) if distances[0] >= distances[1] else (-1, 1)


def place_against_wall(
    layout: Layout,
    *choices: tuple[str, Callable[[], Model]],
    small: bool = False,
    facing: PlacedPiece | None = None,
) -> PlacedPiece | None:
    """Add the first of several pieces that fits against any wall, at its best place.

    Parameters
    ----------
    layout : Layout
        The room; the piece is added to it.
    *choices : (str, callable)
        Name of each piece and the function that builds its model, called only if no earlier piece fits.
    small : bool, default False
        Whether the piece must be wholly in view and out of the foreground.
    facing : PlacedPiece or None, default None
        A piece to stand opposite: walls that face in the same direction as this piece are left out. None for all
        walls.

    Returns
    -------
    PlacedPiece or None
        The piece added; None where none fits.
    """
    for name, build in choices:
        for best in find_places_along_walls(layout.ground, name, build()):
            if small and (
                layout.measure_view(best)[0] < 0.97 or layout.measure_distance(best) < _MIN_SMALL_DISTANCE
            ):
                continue
            if facing is not None and np.cos(best.turn - facing.turn) > 0.5:
                continue
            if layout.is_apart(best) and _leaves_passage(layout, best):
                tried = [*layout.placed, best]
                if are_paths_open(layout.ground, tried):
                    layout.placed.append(best)
                    return best
    return None


def _build_picture(factory: FurnitureFactory, wide: float, tall: float) -> Model:
    return decor.build_picture(factory.look, wide, tall, factory.make_rng("picture"))


def _leaves_passage(layout: Layout, piece: PlacedPiece) -> bool:
    """Whether _PASSAGE_DEPTH meters of floor are free in front of a piece."""
    left, front, right = float(piece.model.low[0]), float(piece.model.low[1]), float(piece.model.high[0])
    in_front = piece.convert_to_room(
        np.array([[left, front], [right, front], [right, front - _PASSAGE_DEPTH], [left, front - _PASSAGE_DEPTH]])
    )
    return not any(overlap(in_front, other.corners, -0.03) for other in layout.standing_pieces)


def hang_picture(factory: FurnitureFactory, layout: Layout, anchor: PlacedPiece) -> None:
    """Add a picture to the wall above a piece, its middle 1.55 to 1.75 m high, where the wall is bare.

    Parameters
    ----------
    factory : FurnitureFactory
        Builds the picture.
    layout : Layout
        The room; the picture is added to it where it fits.
    anchor : PlacedPiece
        The piece below the picture; nothing is added where it does not stand at a wall.
    """
    inward = np.array([np.sin(anchor.turn), -np.cos(anchor.turn)])
    for wall in layout.ground.room.walls:
        if wall.inward[:2] @ inward < 0.99:
            continue
        spot = np.array([anchor.x, anchor.y]) - np.array(wall.start)
        along, away = float(spot @ wall.along[:2]), float(spot @ wall.inward[:2])
        if away > float(anchor.model.high[1]) + MAX_GAP_BEHIND or not 0 < along < wall.length:
            continue
        low = max(1.55, anchor.height + 0.45)
        for wide, tall in ((1.1, 0.75), (0.8, 0.55), (0.5, 0.65)):
            middle = max(low, anchor.height + 0.12 + tall / 2) if anchor.height > 1.2 else low
            edges = (
                along - wide / 2 - 0.08,
                along + wide / 2 + 0.08,
                middle - tall / 2 - 0.08,
                middle + tall / 2 + 0.08,
            )
            if middle > 1.75 or not layout.ground.is_wall_bare(wall, *edges):
                continue
            model = factory.get_or_build(f"picture {wide}", partial(_build_picture, factory, wide, tall))
            foot = np.array(wall.start) + wall.along[:2] * along + wall.inward[:2] * 0.004
            layout.placed.append(
                PlacedPiece("picture", model, float(foot[0]), float(foot[1]), anchor.turn, raised=middle - tall / 2)
            )
            return
