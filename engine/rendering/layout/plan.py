"""Chooses a room's pieces and places: the main piece is tried everywhere, the others are placed around it."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from engine.rendering.furniture import beds, sets
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.furniture.model import Model
from engine.rendering.layout import groups
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.main_pieces import build_bed, build_desk, build_sofa, build_table
from engine.rendering.layout.paths import are_paths_open
from engine.rendering.layout.placed import PlacedPiece
from engine.rendering.layout.placing import PARTLY_IN_VIEW, AddPieces, Layout
from engine.rendering.layout.search import (
    find_places_along_walls,
    find_places_on_floor,
    is_back_out_of_view,
    rate_anchor,
)
from engine.types.enhancements import RoomType

MAX_FURNISHED = 4
"""Greatest number of places of the main piece for which the whole room is furnished; the results are compared."""
MIN_APART = 1.5
"""Least distance, in meters, between places of the main piece that count as different if its turn is the same."""
MIN_FACING_ALIKE = 0.7
"""Least cosine of the angle between the fronts of main pieces whose turn counts as the same."""
MAX_TRIED = 4
"""Most other places of the main piece that are tried."""
MIN_WIDTH = 2.3
"""Least width of the main free floor of a room to be furnished, meters; corridors are narrower."""
MIN_WIDTHS = {RoomType.KITCHEN: 1.8}
"""Used instead of MIN_WIDTH in rooms where a table for two is enough, meters."""
FLOOR_IN_FRONT = {"sofa": 1.2, "dining set": 0.0}
"""Depth of the floor in front of each main piece that must belong to the main free floor, meters."""
SMALL_MAIN_PIECES = frozenset({"stool with towels", "plant", "basket"})
"""Main pieces of narrow rooms, which may stand anywhere."""
MIN_WALKWAY = 0.75
"""Least depth of the free floor behind a sofa that does not stand at a wall, meters."""
_USUAL_FLOOR_IN_FRONT = 0.5
"""Used for main pieces that FLOOR_IN_FRONT does not list, meters."""

# A function that lists every place of one main piece, the best first.
Places = Callable[[FurnitureFactory, Ground], list[PlacedPiece]]


def plan_furniture(ground: Ground, factory: FurnitureFactory, number: int = 0) -> tuple[PlacedPiece, ...]:
    """Choose the pieces of a room and their places.

    Parameters
    ----------
    ground : Ground
        The room.
    factory : FurnitureFactory
        Room type and style; builds the pieces.
    number : int, default 0
        Number of the arrangement, modulo the number of arrangements found; 0 is the best one with the first main
        piece that fits.

    Returns
    -------
    tuple of PlacedPiece
        Empty if the essential pieces of this type of room do not fit.
    """
    main_pieces, add_pieces, least = _RECIPES[factory.room_type]
    found: list[Layout] = []
    for list_places in main_pieces:
        found += _arrange(ground, factory, list_places(factory, ground), add_pieces, least)
        if len(found) > number:
            break
    return tuple(found[number % len(found)].placed) if found else ()


def find_alternatives(
    ground: Ground, factory: FurnitureFactory, kept: Sequence[PlacedPiece]
) -> Iterator[PlacedPiece]:
    """Find other places of the main piece around which the room can be furnished, the best first.

    Parameters
    ----------
    ground : Ground
        The room.
    factory : FurnitureFactory
        Room type and style; builds the pieces.
    kept : sequence of PlacedPiece
        Main pieces at places that are already known.

    Yields
    ------
    PlacedPiece
        Turned differently from, or at least MIN_APART away from, each known and each earlier one; at most
        MAX_TRIED.
    """
    main_pieces, add_pieces, least = _RECIPES[factory.room_type]
    known, tried = list(kept), 0
    for list_places in main_pieces:
        anchors = list_places(factory, ground)
        for anchor in anchors:
            if tried == MAX_TRIED:
                return
            if any(_is_alike(anchor, each) for each in known):
                continue
            known.append(anchor)
            tried += 1
            if _arrange(ground, factory, [anchor], add_pieces, least):
                yield anchor
        if anchors:
            # Smaller pieces hardly ever fit elsewhere, and searching for their places takes seconds.
            return


def _is_alike(one: PlacedPiece, other: PlacedPiece) -> bool:
    """Whether two main pieces stand nearly at the same place; a table has no front."""
    is_turned = one.name != "dining set" and np.cos(one.turn - other.turn) < MIN_FACING_ALIKE
    return not is_turned and bool(np.hypot(one.x - other.x, one.y - other.y) < MIN_APART)


def _arrange(
    ground: Ground, factory: FurnitureFactory, anchors: Sequence[PlacedPiece], add_pieces: AddPieces, least: int
) -> list[Layout]:
    """The room furnished around each of the likeliest places of its main piece, the best first."""
    # Paths are checked before other pieces are added, because these could fill the floor that the main piece cuts
    # off; then are_paths_open would not find that nobody can reach it.
    min_width = MIN_WIDTHS.get(factory.room_type, MIN_WIDTH)
    passed = [
        each
        for each in _drop_near_duplicates(anchors)
        if _faces_main_floor(ground, each, min_width) and are_paths_open(ground, [each])
    ]
    rated: list[tuple[float, Layout]] = []
    for anchor in passed[:MAX_FURNISHED]:
        layout = Layout(ground, [anchor])
        add_pieces(factory, layout, anchor)
        if not _clear_ways(layout) or sum(not each.raised for each in layout.placed) <= least:
            continue
        total = rate_anchor(ground, anchor) + 0.35 * sum(_rate_piece(layout, each) for each in layout.placed[1:])
        if total > 0:
            rated.append((total, layout))
    # The sort is stable: of layouts with equal totals the first one found stays first.
    return [layout for _, layout in sorted(rated, key=lambda each: -each[0])]


def _faces_main_floor(ground: Ground, piece: PlacedPiece, min_width: float = MIN_WIDTH) -> bool:
    """Whether the main free floor is at least `min_width` meters wide and lies in front of a main piece; otherwise
    the piece would face a closet or a corridor."""
    if piece.name in SMALL_MAIN_PIECES:
        return True
    depth = FLOOR_IN_FRONT.get(piece.name, _USUAL_FLOOR_IN_FRONT)
    spots = [piece.find_spot_in_front(away) for away in np.arange(0.3, depth + 0.01, 0.1)]
    if not spots:
        spots = [np.array([piece.x, piece.y])]
    return ground.main_floor.width >= min_width and bool(ground.main_floor.contains(np.array(spots)).all())


def _clear_ways(layout: Layout) -> bool:
    """Remove the pieces added last until all paths are open; False if the main piece alone blocks a path."""
    while not are_paths_open(layout.ground, layout.placed):
        if len(layout.placed) == 1:
            return False
        layout.placed.pop()
    return True


def _drop_near_duplicates(anchors: Sequence[PlacedPiece]) -> list[PlacedPiece]:
    """The anchors, best first, without anchors within 0.35 m of a better one with the same turn."""
    kept: list[PlacedPiece] = []
    for each in anchors:
        if not any(
            each.turn == better.turn and np.hypot(each.x - better.x, each.y - better.y) <= 0.35 for better in kept
        ):
            kept.append(each)
    return kept


def _rate_piece(layout: Layout, piece: PlacedPiece) -> float:
    """How much a piece adds to a layout's rating: more if its front is large and most of it is in view."""
    size = piece.model.high - piece.model.low
    return (0.4 + float(size[0] * size[2])) * layout.measure_view(piece)[0]


def _is_floor_in_front_seen(ground: Ground, piece: PlacedPiece) -> bool:
    """Whether the picture shows the floor in front of a piece, where its rug and table will be."""
    spots = np.array(
        [piece.find_spot_in_front(away) for away in np.arange(0.3, FLOOR_IN_FRONT["sofa"] + 0.01, 0.1)]
    )
    return bool(ground.find_free(spots)[1].all())


def _sofa_places(width: float) -> Places:
    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        model = build_sofa(factory, width)
        found = find_places_along_walls(ground, "sofa", model)
        standing_free = find_places_on_floor(ground, "sofa", model, walkway=MIN_WALKWAY)
        found = found + [each for each in standing_free if _is_floor_in_front_seen(ground, each)]
        return sorted(found, key=lambda each: -rate_anchor(ground, each))

    return places


def _bed_places(width: float) -> Places:
    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        return find_places_along_walls(ground, "bed", build_bed(factory, width))

    return places


def _cut_off_bed_places(width: float) -> Places:
    """Beds that the picture's border cuts off: at a wall in view, or with their heads at a wall out of view."""

    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        model = build_bed(factory, width)
        found = find_places_on_floor(ground, "bed", model, limits=PARTLY_IN_VIEW)
        found = [each for each in found if is_back_out_of_view(ground, each)]
        found += find_places_along_walls(ground, "bed", model, PARTLY_IN_VIEW)
        return sorted(found, key=lambda each: -rate_anchor(ground, each))

    return places


def _sideways_bed_places(width: float) -> Places:
    """Beds with a long side at the wall, for narrow rooms."""

    def build(factory: FurnitureFactory, turn: float) -> Model:
        model = Model()
        model.add_model(beds.build_bed(factory.look, width, factory.make_rng("bed")), turn=turn)
        return model

    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        turns = (np.pi / 2, -np.pi / 2)
        models = [factory.get_or_build(f"bed {width} {turn}", partial(build, factory, turn)) for turn in turns]
        found = [each for model in models for each in find_places_along_walls(ground, groups.SIDEWAYS, model)]
        return sorted(found, key=lambda each: -rate_anchor(ground, each))

    return places


def _desk_places(width: float) -> Places:
    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        return find_places_along_walls(ground, "desk", build_desk(factory, width))

    return places


def _table_places(length: float) -> Places:
    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        return find_places_on_floor(ground, "dining set", build_table(factory, length))

    return places


def _small_piece_places(*names: str) -> Places:
    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        return [
            each
            for name in names
            for each in find_places_along_walls(ground, name, sets.get_small_piece(factory, name))
        ]

    return places


_LOUNGE = ((_sofa_places(2.2), _sofa_places(1.9), _sofa_places(1.6)), groups.furnish_lounge, 2)


_RECIPES: dict[RoomType, tuple[Sequence[Places], AddPieces, int]] = {
    RoomType.LIVING_ROOM: _LOUNGE,
    RoomType.BASEMENT: _LOUNGE,
    RoomType.OTHER: _LOUNGE,
    RoomType.BEDROOM: (
        (
            _bed_places(1.6),
            _bed_places(1.4),
            _sideways_bed_places(1.4),
            _bed_places(0.9),
            _sideways_bed_places(0.9),
            _cut_off_bed_places(1.6),
            _cut_off_bed_places(1.4),
            _cut_off_bed_places(0.9),
        ),
        groups.furnish_bedroom,
        1,
    ),
    RoomType.DINING_ROOM: (
        (_table_places(1.8), _table_places(1.4), _table_places(1.1)),
        groups.furnish_dining_room,
        0,
    ),
    RoomType.OFFICE: ((_desk_places(1.5), _desk_places(1.2)), groups.furnish_office, 1),
    RoomType.KITCHEN: ((_table_places(1.4), _table_places(1.1)), groups.furnish_kitchen, 0),
    RoomType.BATHROOM: ((_small_piece_places("stool with towels", "plant", "basket"),), groups.furnish_bathroom, 0),
    RoomType.OUTDOOR_SPACE: ((_sofa_places(1.9), _sofa_places(1.6)), groups.furnish_terrace, 1),
}
"""By room type: the main pieces, in the order in which they are tried; the function that adds the other pieces; and
the least number of other pieces on the floor."""
