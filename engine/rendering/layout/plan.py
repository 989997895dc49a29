"""Chooses a room's pieces and places: the main piece is tried everywhere, the others are placed around it."""

from collections.abc import Callable, Sequence
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
from engine.rendering.layout.placing import Fill, Layout
from engine.rendering.layout.search import find_places_along_walls, rate_anchor, select_likely
from engine.types.enhancements import RoomType

TRIED = 4
"""Greatest number of places of the main piece that are furnished in full and compared."""
WIDE = 2.3
"""Least width of the main free floor for a room to be furnished, meters: corridors are narrower."""
WIDES = {RoomType.KITCHEN: 1.8}
"""Used instead of WIDE in rooms where a table for two is enough, meters."""
FACED = {"sofa": 1.2, "dining set": 0.0}
"""How far in front of each main piece the floor must be part of the main free floor, meters."""
SMALL = frozenset({"stool with towels", "plant", "basket"})
"""Main pieces of narrow rooms, which may stand anywhere."""
_FACED = 0.5
"""Used for main pieces that FACED does not list, meters."""

# A function that lists every place of one main piece, the best first.
Places = Callable[[FurnitureFactory, Ground], list[PlacedPiece]]


def plan_furniture(ground: Ground, factory: FurnitureFactory, other: int = 0) -> tuple[PlacedPiece, ...]:
    """Choose the pieces of a room and their places.

    Parameters
    ----------
    ground : Ground
        The room.
    factory : FurnitureFactory
        Room type and style; builds the pieces.
    other : int, default 0
        Number of the arrangement, modulo the number found; 0 is the best one with the first main piece that fits.

    Returns
    -------
    tuple of PlacedPiece
        Empty where the room has no place for the fewest pieces that its type needs.
    """
    main_pieces, fill, least = _RECIPES[factory.room_type]
    found: list[Layout] = []
    for list_places in main_pieces:
        found += _arrange(ground, factory, list_places(factory, ground), fill, least)
        if len(found) > other:
            break
    return tuple(found[other % len(found)].placed) if found else ()


def _arrange(
    ground: Ground, factory: FurnitureFactory, anchors: Sequence[PlacedPiece], fill: Fill, least: int
) -> list[Layout]:
    """The room furnished around each of the likeliest places of its main piece, the best first."""
    # Checked before other pieces are added: behind a main piece that bars the way they would fill the floor, and
    # are_paths_open would no longer notice that nobody can get there.
    wide = WIDES.get(factory.room_type, WIDE)
    passed = [
        each
        for each in _drop_near_duplicates(anchors)
        if _faces_main_floor(ground, each, wide) and are_paths_open(ground, [each])
    ]
    rated: list[tuple[float, Layout]] = []
    for anchor in passed[:TRIED]:
        layout = Layout(ground, [anchor])
        fill(factory, layout, anchor)
        if not _clear_ways(layout) or sum(not each.raised for each in layout.placed) <= least:
            continue
        total = rate_anchor(ground, anchor) + 0.35 * sum(_rate_piece(layout, each) for each in layout.placed[1:])
        if total > 0:
            rated.append((total, layout))
    # The sort is stable: of layouts with equal totals the first one found stays first.
    return [layout for _, layout in sorted(rated, key=lambda each: -each[0])]


def _faces_main_floor(ground: Ground, piece: PlacedPiece, wide: float = WIDE) -> bool:
    """Whether the main free floor is at least `wide` meters wide and lies in front of a main piece, so that the
    piece does not face a closet or a corridor."""
    if piece.name in SMALL:
        return True
    faced = FACED.get(piece.name, _FACED)
    spots = [piece.find_spot_before(away) for away in np.arange(0.3, faced + 0.01, 0.1)] or [
        np.array([piece.x, piece.y])
    ]
    return ground.main.wide >= wide and bool(ground.main.has(np.array(spots)).all())


def _clear_ways(layout: Layout) -> bool:
    """Remove the pieces added last until all paths are open; False where the main piece alone blocks one."""
    while not are_paths_open(layout.ground, layout.placed):
        if len(layout.placed) == 1:
            return False
        layout.placed.pop()
    return True


def _drop_near_duplicates(anchors: Sequence[PlacedPiece]) -> list[PlacedPiece]:
    """The anchors, best first, without any that has the turn of a better one within 0.35 m."""
    kept: list[PlacedPiece] = []
    for each in anchors:
        if all(
            np.hypot(each.x - better.x, each.y - better.y) > 0.35 or each.turn != better.turn for better in kept
        ):
            kept.append(each)
    return kept


def _rate_piece(layout: Layout, piece: PlacedPiece) -> float:
    """How much a piece adds to a layout's rating: more the larger its front is and the more of it is in view."""
    size = piece.model.high - piece.model.low
    return (0.4 + float(size[0] * size[2])) * layout.view_of(piece)[0]


def _sofas(width: float) -> Places:
    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        return find_places_along_walls(ground, "sofa", build_sofa(factory, width))

    return places


def _beds(width: float) -> Places:
    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        return find_places_along_walls(ground, "bed", build_bed(factory, width))

    return places


def _beds_sideways(width: float) -> Places:
    """Beds with a long side at the wall, for narrow rooms."""

    def build(factory: FurnitureFactory, turn: float) -> Model:
        model = Model()
        model.add_model(beds.build_bed(factory.look, width, factory.chance("bed")), turn=turn)
        return model

    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        turns = (np.pi / 2, -np.pi / 2)
        models = [factory.get_or_build(f"bed {width} {turn}", partial(build, factory, turn)) for turn in turns]
        found = [each for model in models for each in find_places_along_walls(ground, groups.SIDEWAYS, model)]
        return sorted(found, key=lambda each: -rate_anchor(ground, each))

    return places


def _desks(width: float) -> Places:
    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        return find_places_along_walls(ground, "desk", build_desk(factory, width))

    return places


def _tables(length: float) -> Places:
    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        model = build_table(factory, length)
        along = [np.arctan2(wall.along[1], wall.along[0]) for wall in ground.room.walls]
        angles = {round(float(each % (np.pi / 2)), 3) % 1.57 for each in along} or {0.0}
        turns = sorted(angles | {each + np.pi / 2 for each in angles})
        spots = [(x, y) for x in np.arange(-3.0, 3.01, 0.25) for y in np.arange(1.4, 6.01, 0.25)]
        tried = [PlacedPiece("dining set", model, float(x), float(y), turn) for turn in turns for x, y in spots]
        bare = Layout(ground)
        return sorted(
            (each for each in select_likely(ground, tried) if bare.fits(each)),
            key=lambda each: -rate_anchor(ground, each),
        )

    return places


def _things(*names: str) -> Places:
    def places(factory: FurnitureFactory, ground: Ground) -> list[PlacedPiece]:
        return [
            each
            for name in names
            for each in find_places_along_walls(ground, name, sets.choose_thing(factory, name))
        ]

    return places


_LOUNGE = ((_sofas(2.2), _sofas(1.9), _sofas(1.6)), groups.furnish_lounge, 2)


_RECIPES: dict[RoomType, tuple[Sequence[Places], Fill, int]] = {
    RoomType.LIVING_ROOM: _LOUNGE,
    RoomType.BASEMENT: _LOUNGE,
    RoomType.OTHER: _LOUNGE,
    RoomType.BEDROOM: (
        (_beds(1.6), _beds(1.4), _beds_sideways(1.4), _beds(0.9), _beds_sideways(0.9)),
        groups.furnish_bedroom,
        1,
    ),
    RoomType.DINING_ROOM: ((_tables(1.8), _tables(1.4), _tables(1.1)), groups.furnish_dining_room, 0),
    RoomType.OFFICE: ((_desks(1.5), _desks(1.2)), groups.furnish_office, 1),
    RoomType.KITCHEN: ((_tables(1.4), _tables(1.1)), groups.furnish_kitchen, 0),
    RoomType.BATHROOM: ((_things("stool with towels", "plant", "basket"),), groups.furnish_bathroom, 0),
    RoomType.OUTDOOR_SPACE: ((_sofas(1.9), _sofas(1.6)), groups.furnish_terrace, 1),
}
"""By room type: the main pieces to try in this order, the function that adds the other pieces, and the least number
of other pieces on the floor."""
