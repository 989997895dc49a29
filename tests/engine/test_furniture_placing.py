"""Furniture stands where it may in drawn rooms: on the floor, within walls, clear of doors and others."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from engine.geometry.room import Wall
from engine.geometry.surface import PLACE, Surface
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.furniture.model import Model
from engine.rendering.layout.furnishing import Furnishing
from engine.rendering.layout.ground import DOOR_CLEARANCE, Ground
from engine.rendering.layout.paths import START_DISTANCE, are_paths_open
from engine.rendering.layout.placed import PlacedPiece, overlap
from engine.rendering.layout.plan import plan_furniture
from engine.rendering.layout.search import find_places_along_walls
from engine.rendering.materials import RenderMaterial
from engine.rendering.meshes import build_block
from engine.types.enhancements import RoomType, Style
from engine.types.furniture import LABELS
from tests.engine import box_rooms
from tests.engine.seeded_rooms import BoxRoom, Hole, box_room

KINDS = list(product(RoomType, Style))
ROOMS = len(KINDS)
"""As many as are asked for differently: each is furnished for another use or in another style."""
SHARES = 24
"""The first is in the quick lane."""
MAY_STAY_EMPTY = 1
"""Of each share."""
LIKE_LIVING_ROOMS = (RoomType.BASEMENT, RoomType.OTHER)
"""They get the same furniture."""
VIEWS = (1, 4, 5)
"""Rooms that each have a place for an armchair and a plant."""
SIZES = {  # width, depth and height in meters that such pieces have in shops
    "sofa": ((1.4, 2.6), (0.8, 1.15), (0.6, 0.95)),
    "armchair": ((0.6, 1.1), (0.7, 1.1), (0.6, 0.95)),
    "bed": ((0.9, 2.4), (2.0, 2.5), (0.55, 1.35)),
    "coffee table": ((0.7, 1.3), (0.4, 1.1), (0.3, 0.6)),
    "nightstand": ((0.35, 0.6), (0.3, 0.5), (0.8, 1.15)),
    "dining set": ((1.0, 2.4), (1.0, 2.1), (0.85, 1.5)),
    "desk": ((1.1, 1.7), (0.55, 0.8), (0.95, 1.4)),
    "sideboard": ((0.8, 1.9), (0.35, 0.55), (0.6, 1.4)),
    "media": ((1.0, 1.9), (0.35, 0.5), (0.9, 1.5)),
    "chest": ((0.8, 1.4), (0.4, 0.75), (0.7, 1.6)),
    "shelf": ((0.8, 1.5), (0.25, 0.45), (0.6, 1.1)),
    "floor lamp": ((0.25, 0.9), (0.25, 0.7), (1.3, 1.8)),
    "office chair": ((0.5, 0.75), (0.5, 0.75), (0.8, 1.15)),
    "plant": ((0.2, 1.3), (0.2, 1.3), (0.7, 1.8)),
    "rug": ((1.0, 3.2), (0.7, 2.4), (0.005, 0.02)),
}


@pytest.mark.parametrize("share", [0, *(pytest.param(each, marks=pytest.mark.long) for each in range(1, SHARES))])
def test_furniture_stands_where_it_may_in_rooms_of_every_use_and_style(share: int) -> None:
    empty = 0
    for number in range(share, ROOMS, SHARES):
        box = box_room(number)
        room_type, style = KINDS[number * 7 % len(KINDS)]
        ground, factory = Ground(box.room, box.surfaces), FurnitureFactory(room_type, style, number)
        placed = plan_furniture(ground, factory)
        faults = _faults(box, placed)
        assert not faults, (number, room_type, style, faults)
        unnamed = {each.piece for each in Furnishing(ground, factory, placed).list_added()} - set(LABELS)
        assert not unnamed, "each kind has a label"
        empty += not placed
    assert empty <= MAY_STAY_EMPTY, f"{empty} rooms stayed empty"


def _faults(box: BoxRoom, placed: tuple[PlacedPiece, ...]) -> list[str]:
    faults = [f"{piece.name}: {fault}" for piece in placed for fault in _faults_of(box, piece)]
    standing = [piece for piece in placed if not piece.flat and not piece.raised]
    for one, other in combinations(standing, 2):
        if overlap(one.corners, other.corners, 0.0):
            faults.append(f"{one.name} and {other.name} meet")
    return faults


def _faults_of(box: BoxRoom, piece: PlacedPiece) -> list[str]:
    points = np.concatenate([form.points.reshape(-1, 3) for _, form in piece.parts])
    faults = []
    if piece.raised:
        if not 1.2 < (points[:, 2].min() + points[:, 2].max()) / 2 < 1.85:
            faults.append("hangs at a wrong height")
    elif abs(points[:, 2].min()) > 1e-3:
        faults.append(f"feet at {points[:, 2].min():.3f} m")
    for wall in box.room.walls:
        if (points @ wall.inward - wall.distance).min() < -1e-6:
            faults.append("through a wall")
    if not piece.raised and not piece.flat:
        faults += _before_doors(box, piece)
    if not piece.flat:
        faults += _before_windows(box, piece)
    if piece.name in SIZES:
        size = np.ptp(np.concatenate([form.points.reshape(-1, 3) for _, form in piece.model.parts]), axis=0)
        for value, (least, most) in zip(size, SIZES[piece.name], strict=True):
            if not least <= value <= most:
                faults.append(f"measures {size.round(2)}")
                break
    return faults


def _before_doors(box: BoxRoom, piece: PlacedPiece) -> list[str]:
    faults = []
    for hole in box.holes:
        if hole.low > 0.2 or not _seen_whole(box, hole):
            continue
        along, away = _beside(box.room.walls[hole.wall], piece)
        if ((along > hole.left + 0.03) & (along < hole.right - 0.03) & (away < DOOR_CLEARANCE - 0.02)).any():
            faults.append(f"before a {hole.kind.value}")
    return faults


def _seen_whole(box: BoxRoom, hole: Hole) -> bool:
    """Whether a door or window is wholly in view: what is behind the camera it cannot know."""
    wall = box.room.walls[hole.wall]
    feet = [np.array(wall.start) + wall.along[:2] * at for at in (hole.left, hole.right)]
    posts = np.array([[*foot, z] for foot in feet for z in (max(0.3, hole.low), 1.8)])
    pixels, depth = box.room.camera.project(posts)
    return bool((depth >= 0.3).all() and (pixels >= 0).all() and (pixels < box.labels.shape[::-1]).all())


def _before_windows(box: BoxRoom, piece: PlacedPiece) -> list[str]:
    """Nothing taller than the sill stands before a window."""
    faults = []
    for hole in box.holes:
        if hole.low <= 0.5 or piece.height <= hole.low + 0.25 or not _seen_whole(box, hole):
            continue
        along, away = _beside(box.room.walls[hole.wall], piece)
        if ((along > hole.left + 0.2) & (along < hole.right - 0.2) & (away < 0.5)).any():
            faults.append(f"{piece.height:.2f} m high before a window over {hole.low:.2f} m")
    return faults


def _beside(wall: Wall, piece: PlacedPiece) -> tuple[np.ndarray, np.ndarray]:
    """How far the spots that a piece covers are along a wall, and how far from it."""
    spots = piece.grid() - np.array(wall.start)
    return spots @ wall.along[:2], spots @ wall.inward[:2]


@cache
def _planned(number: int, room_type: RoomType, style: Style, seed: int) -> tuple[PlacedPiece, ...]:
    box = box_room(number)
    return plan_furniture(Ground(box.room, box.surfaces), FurnitureFactory(room_type, style, seed))


@pytest.fixture(scope="module", autouse=True)
def _forgotten(coarse_textures: None) -> Iterator[None]:
    """The furnished rooms are many."""
    yield
    _planned.cache_clear()


@pytest.mark.long
def test_another_arrangement_of_a_room_keeps_all_rules_and_stands_elsewhere() -> None:
    elsewhere = 0
    for number in range(5):
        box = box_room(number)
        factory = FurnitureFactory(RoomType.LIVING_ROOM, Style.MODERN, number)
        ground = Ground(box.room, box.surfaces)
        first, second = (plan_furniture(ground, factory, other) for other in (0, 1))
        assert not _faults(box, second), number
        assert bool(first) == bool(second)
        elsewhere += [(each.x, each.y, each.turn) for each in first] != [
            (each.x, each.y, each.turn) for each in second
        ]
    assert elsewhere >= 3


def test_uprights_stay_upright() -> None:
    placed = _planned(2, RoomType.LIVING_ROOM, Style.MODERN, 1)
    assert placed
    for piece in placed:
        for (_, own), (_, stood) in zip(piece.model.parts, piece.parts, strict=True):
            assert np.allclose(own.points[..., 2] + piece.raised, stood.points[..., 2])


@pytest.mark.long
def test_the_same_seed_gives_the_same_furniture_in_another_view() -> None:
    placings = [_planned(number, RoomType.LIVING_ROOM, Style.COASTAL, 9) for number in VIEWS]
    plans = [{piece.name: piece for piece in placed} for placed in placings]
    pairs = [
        (one[name], other[name])
        for one, other in pairwise(plans)
        for name in ("armchair", "plant")
        if name in one and name in other
    ]
    assert pairs
    for mine, yours in pairs:
        for (_, left), (_, right) in zip(mine.model.parts, yours.model.parts, strict=True):
            assert np.array_equal(left.points, right.points)


@pytest.mark.long
@pytest.mark.parametrize("room_type", [each for each in RoomType if each not in LIKE_LIVING_ROOMS])
def test_styles_differ_in_form_and_material(room_type: RoomType) -> None:
    plans = {style: _planned(2, room_type, style, 1) for style in (Style.MODERN, Style.TRADITIONAL)}
    assert all(plans.values())
    one, other = ([form for piece in plan for _, form in piece.model.parts] for plan in plans.values())
    assert len(one) != len(other) or any(
        mine.points.shape != yours.points.shape or not np.allclose(mine.points, yours.points)
        for mine, yours in zip(one, other, strict=True)
    )
    colors = [
        {tuple(np.round(material.texture.mean((0, 1)), 2)) for piece in plan for material, _ in piece.model.parts}
        for plan in plans.values()
    ]
    assert len(colors[0] ^ colors[1]) >= 2


def _block(side: float) -> PlacedPiece:
    """A block of this width and depth where the camera stands."""
    model = Model()
    model.add(RenderMaterial(np.ones((2, 2, 3), np.float32)), build_block((side, side, 0.8)))
    return PlacedPiece("block", model, 0.0, 0.0)


def _ground(room: box_rooms.BoxRoom) -> Ground:
    labels = room.drawn(furnished=False)[1]
    return Ground(room.room, np.eye(len(Surface), dtype=np.float32)[labels])


def test_furniture_that_leaves_nowhere_to_stand_near_the_camera_bars_the_way() -> None:
    ground = _ground(box_rooms.BoxRoom(left=-3.0, right=3.0, far=6.0, things=()))
    assert are_paths_open(ground, ())
    assert are_paths_open(ground, [_block(0.4)])
    assert not are_paths_open(ground, [_block(2 * START_DISTANCE + 1.0)])


def test_furniture_bars_no_way_where_the_empty_room_has_nowhere_to_stand_near_the_camera() -> None:
    ground = _ground(box_rooms.BoxRoom(left=-0.25, right=0.25, far=6.0, things=()))
    assert are_paths_open(ground, ())
    assert are_paths_open(ground, [_block(0.2)])


def test_nothing_stands_at_the_front_of_a_counter() -> None:
    room = box_rooms.BoxRoom(things=())
    labels = room.drawn(furnished=False)[1]
    rows, columns = np.indices(labels.shape)
    rays = room.camera.rays(np.column_stack([columns.ravel() + 0.5, rows.ravel() + 0.5])).reshape(*labels.shape, 3)
    x, z = rays[..., 0] / rays[..., 1] * room.far, room.camera.height + rays[..., 2] / rays[..., 1] * room.far
    worktop = (labels == PLACE[Surface.WALL]) & (x > 0) & (x < room.right) & (z > 0.85) & (z < 1.15)
    labels[worktop] = PLACE[Surface.COUNTERTOP]
    ground = Ground(room.room, np.eye(len(Surface), dtype=np.float32)[labels])
    model = Model()
    model.add(RenderMaterial(np.ones((2, 2, 3), np.float32)), build_block((1.0, 0.4, 0.8)))
    places = [each for each in find_places_along_walls(ground, "sideboard", model) if each.y > room.far - 0.5]
    assert places
    assert max(each.x for each in places) < 0.1
    bare = find_places_along_walls(_ground(room), "sideboard", model)
    assert max(each.x for each in bare if each.y > room.far - 0.5) > 1.0
