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
from engine.rendering.layout.placing import WELL_IN_VIEW, Layout, ViewLimits

MAX_STEP = 0.12
"""Greatest distance between neighboring places to try along a wall, meters."""
_MIN_SMALL_DISTANCE = 1.9
"""Least distance, on the floor, from the camera to a small piece, meters; nearer pieces would fill the foreground.
"""
FIREPLACE_RATING = 0.8
"""Added to the rating of a seat that faces the fireplace."""
SPOT_STEP = 0.3
"""Distance between neighboring places to try on the open floor, meters."""
FREE_STANDING_RATING = -0.4
"""Added to the rating of a seat that does not stand at a wall, because a wall behind its back is better."""
PLACES_AT_ONCE = 64
"""Number of places that are tested together, which is faster."""
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
    if anchor.name in SEATS and not is_at_wall(ground, anchor):
        rating += FREE_STANDING_RATING
    for opening in ground.openings:
        # A piece in front of a window may be allowed, but a bare wall is better.
        rating -= 0.15 * (not opening.is_passage and ground.is_too_tall(anchor.grid(), 3.0))
    return rating


def is_at_wall(ground: Ground, piece: PlacedPiece) -> bool:
    """Whether a piece stands with its back at a wall in view.

    Parameters
    ----------
    ground : Ground
        The room.
    piece : PlacedPiece
        The piece.

    Returns
    -------
    bool
        True where the gap behind it is at most MAX_GAP_BEHIND.
    """
    return any(_measure_along(wall, piece) is not None for wall in ground.room.walls)


def _measure_along(wall: Wall, piece: PlacedPiece) -> float | None:
    """Meters from the wall's start to a piece with its back at the wall; None for other pieces."""
    spot = np.array([piece.x, piece.y]) - np.array(wall.start)
    along, away = float(spot @ wall.along[:2]), float(spot @ wall.inward[:2])
    at_wall = wall.inward[:2] @ piece.facing >= 0.99 and away <= float(piece.model.high[1]) + MAX_GAP_BEHIND
    return along if at_wall and 0 < along < wall.length else None


def find_places_along_walls(
    ground: Ground, name: str, model: Model, limits: ViewLimits = WELL_IN_VIEW
) -> list[PlacedPiece]:
    """Find all places along walls where a model fits in the empty room, the best first.

    Parameters
    ----------
    ground : Ground
        The room; it caches the result by model.
    name : str
        Name of the piece.
    model : Model
        The piece's meshes.
    limits : ViewLimits, default WELL_IN_VIEW
        How much of the piece the picture must show.

    Returns
    -------
    list of PlacedPiece
        The cached list itself: do not change it.
    """
    known = ground.places_along_walls.get((id(model), limits))
    if known is not None:
        return known[1]
    wide = float(model.high[0] - model.low[0])
    bare = Layout(ground)
    tried = [
        place_at_wall(name, model, wall, along)
        for wall in ground.room.walls
        for along in _list_places(wall, wide)
        if not ground.is_at_counter(wall, along - wide / 2, along + wide / 2)
    ]
    found = [each for each in select_likely(ground, tried) if bare.fits(each, limits)]
    found.sort(key=lambda each: -rate_anchor(ground, each))
    # The model is stored with its places, because no other model can get its id while it exists.
    ground.places_along_walls[id(model), limits] = model, found
    return found


def find_places_on_floor(
    ground: Ground, name: str, model: Model, *, walkway: float = 0.0, limits: ViewLimits = WELL_IN_VIEW
) -> list[PlacedPiece]:
    """Find places on the main free floor where a model fits in the empty room, parallel to the walls, best first.

    Parameters
    ----------
    ground : Ground
        The room.
    name : str
        Name of the piece.
    model : Model
        The piece's meshes.
    walkway : float, default 0.0
        Depth of the floor that must be free behind the piece, meters.
    limits : ViewLimits, default WELL_IN_VIEW
        How much of the piece the picture must show.

    Returns
    -------
    list of PlacedPiece
        At least SPOT_STEP meters apart; the cached list itself: do not change it.
    """
    known = ground.places_on_floor.get((id(model), walkway, limits))
    if known is not None:
        return known[1]
    spots = ground.main_floor.list_spots(SPOT_STEP)
    tried = [PlacedPiece(name, model, float(x), float(y), turn) for turn in list_turns(ground) for x, y in spots]
    bare = Layout(ground)
    likely = _select_free(ground, select_likely(ground, tried))
    found = [each for each in likely if bare.fits(each, limits)]
    if walkway:
        found = [each for each in found if _is_free_behind(ground, each, walkway)]
    found.sort(key=lambda each: -rate_anchor(ground, each))
    ground.places_on_floor[id(model), walkway, limits] = model, found
    return found


def is_back_out_of_view(ground: Ground, piece: PlacedPiece) -> bool:
    """Whether the picture shows neither the back of a piece nor the foot of a wall that may be behind it.

    Parameters
    ----------
    ground : Ground
        The room.
    piece : PlacedPiece
        The piece.

    Returns
    -------
    bool
        True where both ends of its back are out of view, at the floor and at the piece's height.
    """
    back = piece.corners[2:]
    points = np.concatenate([np.column_stack([back, np.full(2, height)]) for height in (0.0, piece.height)])
    pixels, depth = ground.room.camera.project(points)
    inside = (depth > 0.05) & (pixels >= 0).all(1) & (pixels < (ground.width, ground.height)).all(1)
    return not inside.any()


def list_turns(ground: Ground) -> list[float]:
    """The turns of pieces that stand parallel to the room's walls.

    Parameters
    ----------
    ground : Ground
        The room.

    Returns
    -------
    list of float
        Radians, four for each direction of walls.
    """
    along = [np.arctan2(wall.along[1], wall.along[0]) for wall in ground.room.walls]
    angles = {round(float(each % (np.pi / 2)), 3) % 1.57 for each in along} or {0.0}
    return sorted(each + quarter * np.pi / 2 for each in angles for quarter in range(4))


def _is_free_behind(ground: Ground, piece: PlacedPiece, depth: float) -> bool:
    """Whether the floor behind a piece is free, as far as it is in view."""
    left, right, back = float(piece.model.low[0]), float(piece.model.high[0]), float(piece.model.high[1])
    x, y = np.meshgrid(np.linspace(left, right, 7), back + np.linspace(0.1, depth, 4))
    spots = piece.convert_to_room(np.column_stack([x.ravel(), y.ravel()]))
    return bool(ground.find_free(spots, flat=True)[0].all())


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


def _select_free(ground: Ground, tried: list[PlacedPiece]) -> list[PlacedPiece]:
    """The pieces of one model that are completely on free floor: the first test of `Layout.fits`, for many places
    at once."""
    kept = []
    for first in range(0, len(tried), PLACES_AT_ONCE):
        some = tried[first : first + PLACES_AT_ONCE]
        clear, _ = ground.find_free(np.concatenate([each.grid() for each in some]))
        free = np.asarray(clear).reshape(len(some), -1).all(1)
        kept += [some[place] for place in np.flatnonzero(free)]
    return kept


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
        Whether the piece must be completely in view and out of the foreground.
    facing : PlacedPiece or None, default None
        A piece to stand opposite: walls that face in the same direction as this piece are left out. None for all
        walls.

    Returns
    -------
    PlacedPiece or None
        The added piece; None if no piece fits.
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
    for wall in layout.ground.room.walls:
        along = _measure_along(wall, anchor)
        if along is None:
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
