"""Furniture in rooms whose walls have no place for it: groups free on the floor, beds cut off by the picture."""

import numpy as np
import pytest

from engine.geometry.surface import PLACE, Surface
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.layout import plan
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.main_pieces import build_table
from engine.rendering.layout.placed import PlacedPiece
from engine.rendering.layout.placing import PARTLY_IN_VIEW, WELL_IN_VIEW, Layout
from engine.rendering.layout.plan import plan_furniture
from engine.rendering.layout.search import is_at_wall, is_back_out_of_view
from engine.rendering.occluders import find_things_in_front
from engine.types.enhancements import RoomType, Style
from tests.engine.box_rooms import BoxRoom

HALL = BoxRoom(left=-4.0, right=4.0, far=7.0, yaw=0.0, things=())
CLOSE = BoxRoom(left=-2.4, right=3.0, far=3.6, yaw=0.5, pitch=0.3, things=())


def order(room_type: RoomType) -> FurnitureFactory:
    return FurnitureFactory(room_type, Style.MODERN, 4)


def ground_with(box: BoxRoom, surface: Surface | None) -> Ground:
    """The ground of a box room, all walls of which show `surface` in place of wall."""
    labels = box.drawn(furnished=False)[1]
    if surface is not None:
        labels[labels == PLACE[Surface.WALL]] = PLACE[surface]
    return Ground(box.room, np.eye(len(Surface), dtype=np.float32)[labels])


def main_piece(placed: tuple[PlacedPiece, ...], name: str) -> PlacedPiece:
    return next(each for each in placed if each.name == name)


@pytest.mark.parametrize("surface", [Surface.DOOR, Surface.WINDOW])
def test_a_sofa_stands_free_in_a_hall_whose_walls_are_doors_or_glass(surface: Surface) -> None:
    ground = ground_with(HALL, surface)
    placed = plan_furniture(ground, order(RoomType.LIVING_ROOM))
    sofa = main_piece(placed, "sofa")
    assert not is_at_wall(ground, sofa)
    assert {"rug", "coffee table"} <= {each.name for each in placed}
    behind = sofa.convert_to_room(np.array([[0.0, float(sofa.model.high[1]) + away] for away in (0.2, 0.7)]))
    assert ground.find_free(behind, flat=True)[0].all()
    assert not sofa.turns_its_back()


def test_a_wall_is_better_for_a_sofa_than_the_middle_of_the_room() -> None:
    ground = ground_with(HALL, None)
    assert is_at_wall(ground, main_piece(plan_furniture(ground, order(RoomType.LIVING_ROOM)), "sofa"))


def test_a_sofa_in_the_room_leaves_no_narrow_strip_behind_it() -> None:
    ground = ground_with(HALL, None)
    places = plan._sofa_places(2.2)(order(RoomType.LIVING_ROOM), ground)
    gaps = [_measure_gap(ground, each) for each in places if not is_at_wall(ground, each)]
    assert gaps
    assert min(gaps) >= plan.MIN_WALKWAY


def _measure_gap(ground: Ground, piece: PlacedPiece) -> float:
    """Meters between the back of a piece and the wall behind it."""
    return min(
        float(((piece.corners - np.array(wall.start)) @ wall.inward[:2]).min())
        for wall in ground.room.walls
        if wall.inward[:2] @ piece.facing > 0.99
    )


def test_a_bed_may_be_cut_off_with_its_head_out_of_view() -> None:
    ground = ground_with(CLOSE, Surface.DOOR)
    placed = plan_furniture(ground, order(RoomType.BEDROOM))
    bed = main_piece(placed, "bed")
    assert is_back_out_of_view(ground, bed)
    assert Layout(ground).fits(bed, PARTLY_IN_VIEW)
    assert not Layout(ground).fits(bed, WELL_IN_VIEW)


def test_a_thing_hides_furniture_only_in_the_columns_where_it_stands_nearer() -> None:
    """Cabinets in one piece that begin behind the table and end beside the camera."""
    table = PlacedPiece("dining set", build_table(order(RoomType.DINING_ROOM), 1.8), 0.0, 3.6, 0.0)
    camera, shape = HALL.camera, (HALL.height, HALL.width)
    feet, _ = camera.project(np.column_stack([table.corners, np.zeros(4)]))
    left, right, nearest = int(feet[:, 0].min()), int(feet[:, 0].max()), int(feet[:, 1].max())
    middle = (left + right) // 2
    kinds = np.full(shape, PLACE[Surface.FLOOR])
    kinds[: nearest - 30, :middle] = PLACE[Surface.CABINET]
    kinds[:-2, middle:] = PLACE[Surface.CABINET]
    found = find_things_in_front([table], np.eye(len(Surface), dtype=np.float32)[kinds], camera)
    assert not found[:, :middle].any()
    assert found[:-2, middle + 1 : right - 1].all()
