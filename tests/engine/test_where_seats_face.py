"""Where staged seats face and which floor they take: the main one, the room, the fire, never away from the lens."""

from dataclasses import replace

import numpy as np
import pytest

from engine.geometry.room import Room, Wall
from engine.geometry.surface import PLACE, Surface
from engine.rendering.furniture import sets
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.layout import plan
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.placed import MIN_FACING, SEATS, PlacedPiece
from engine.rendering.layout.placing import Layout
from engine.rendering.layout.plan import plan_furniture
from engine.rendering.layout.search import rate_anchor
from engine.types.enhancements import RoomType, Style
from tests.engine.box_rooms import BoxRoom
from tests.engine.seeded_rooms import box_room

ORDER = FurnitureFactory(RoomType.LIVING_ROOM, Style.MODERN, 4)
WIDE = BoxRoom(left=-3.0, right=3.0, far=6.0, yaw=0.0, things=())
SEEN_FROM_BEHIND = (0, 5, 15)
"""Rooms of seeded_rooms in which armchairs stood with their backs to the lens."""


def shares(labels: np.ndarray) -> np.ndarray:
    return np.eye(len(Surface), dtype=np.float32)[labels]


def ground_of(box: BoxRoom) -> Ground:
    return Ground(box.room, shares(box.drawn(furnished=False)[1]))


def armchair(x: float, y: float, turn: float) -> PlacedPiece:
    return PlacedPiece("armchair", sets.get_armchair(ORDER), x, y, turn)


def strip(box: BoxRoom, near: float, far: float) -> np.ndarray:
    """The pixels that show the floor between `near` and `far` meters ahead."""
    rows, columns = np.indices((box.height, box.width)) + 0.5
    spots = box.camera.intersect_floor(np.column_stack([columns.ravel(), rows.ravel()]))[:, 1]
    return np.asarray((spots > near) & (spots < far)).reshape(box.height, box.width)


@pytest.mark.parametrize(("turn", "may"), [(0.0, True), (np.pi / 3, True), (np.pi * 0.48, False), (np.pi, False)])
def test_a_seat_never_turns_its_back_to_the_lens_however_far_away(turn: float, may: bool) -> None:
    assert Layout(ground_of(WIDE)).fits(armchair(0.0, 4.5, turn)) is may


@pytest.mark.parametrize("number", SEEN_FROM_BEHIND)
def test_all_seats_of_a_furnished_room_show_their_fronts(number: int) -> None:
    box = box_room(number)
    placed = plan_furniture(Ground(box.room, box.surfaces), ORDER)
    for piece in (each for each in placed if each.name in SEATS):
        away = np.array([piece.x, piece.y])
        assert piece.facing @ -away / np.hypot(*away) >= MIN_FACING


def test_the_main_floor_is_the_largest_in_meters_not_in_pixels() -> None:
    labels = WIDE.drawn(furnished=False)[1]
    floor = labels == PLACE[Surface.FLOOR]
    labels[floor & strip(WIDE, 3.3, 3.7)] = PLACE[Surface.CABINET]
    kept = labels == PLACE[Surface.FLOOR]
    assert (kept & strip(WIDE, 0, 3.3)).sum() > (kept & strip(WIDE, 3.7, 9)).sum()
    main = Ground(WIDE.room, shares(labels)).main_floor
    assert main.contains(np.array([[0.0, 5.0]])).all()
    assert not main.contains(np.array([[0.0, 2.6]])).any()
    assert main.area == pytest.approx(6.0 * 2.3, rel=0.2)
    assert main.width == pytest.approx(2.3, abs=0.3)


def test_no_main_piece_stands_off_the_main_floor() -> None:
    ground = ground_of(WIDE)
    places = plan._sofa_places(1.6)(ORDER, ground)
    assert any(plan._faces_main_floor(ground, each) for each in places)
    labels = WIDE.drawn(furnished=False)[1]
    labels[(labels == PLACE[Surface.FLOOR]) & strip(WIDE, 0, 4.6)] = PLACE[Surface.CABINET]
    alcove = Ground(WIDE.room, shares(labels))
    assert 0 < alcove.main_floor.width < plan.MIN_WIDTH
    assert not any(plan._faces_main_floor(alcove, each) for each in places)


def test_a_sofa_faces_no_wall_close_before_it() -> None:
    ground = ground_of(WIDE)
    model = plan._sofa_places(1.6)(ORDER, ground)[0].model
    deep = float(model.high[1])
    open_room, at_wall = (
        PlacedPiece("sofa", model, 0.0, 6.0 - deep, 0.0),
        PlacedPiece("sofa", model, 0.0, 4.2 + deep, np.pi),
    )
    assert plan._faces_main_floor(ground, open_room)
    assert not plan._faces_main_floor(ground, at_wall)


@pytest.mark.parametrize("room_type", [RoomType.LIVING_ROOM, RoomType.BEDROOM, RoomType.DINING_ROOM])
def test_a_corridor_is_not_furnished_as_a_room(room_type: RoomType) -> None:
    narrow = BoxRoom(left=-1.0, right=1.0, far=9.0, yaw=0.0, things=())
    assert not plan_furniture(ground_of(narrow), replace(ORDER, room_type=room_type))


@pytest.mark.parametrize(("least", "empty"), [(0, False), (1, True)])
def test_a_sofa_alone_furnishes_no_room(monkeypatch: pytest.MonkeyPatch, least: int, empty: bool) -> None:
    starts, _, _ = plan._RECIPES[RoomType.LIVING_ROOM]
    monkeypatch.setitem(plan._RECIPES, RoomType.LIVING_ROOM, (starts, lambda *_: None, least))
    assert plan._RECIPES[RoomType.OTHER][2] == 2
    assert (not plan_furniture(ground_of(WIDE), ORDER)) is empty


def test_a_seat_that_faces_the_fire_is_better() -> None:
    labels = WIDE.drawn(furnished=False)[1]
    fires = np.zeros(labels.shape, np.float32)
    fires[(labels == PLACE[Surface.WALL]) & (np.arange(WIDE.width) > 0.46 * WIDE.width)] = 1
    fires[:, round(0.54 * WIDE.width) :] = 0
    bare, warm = Ground(WIDE.room, shares(labels)), Ground(WIDE.room, shares(labels), None, fires)
    assert bare.fireplace is None
    assert warm.fireplace == pytest.approx((0.0, 6.0), abs=0.4)
    facing, beside = armchair(-2.4, 4.0, 2.2), armchair(-2.4, 4.0, 0.6)
    gain = [rate_anchor(warm, each) - rate_anchor(bare, each) for each in (facing, beside)]
    assert gain[0] > 0.6
    assert gain[1] < 0


def test_walls_off_the_axes_are_faced_as_well() -> None:
    turned = Room(WIDE.camera, (Wall((-3.0, 2.0), (1.0, 6.0)), Wall((1.0, 6.0), (4.0, 3.0))), 2.6)
    ground = Ground(turned, shares(WIDE.drawn(furnished=False)[1]))
    for piece in plan._sofa_places(1.6)(ORDER, ground):
        assert not piece.turns_its_back()
