"""A room of which somebody said what is seen: its camera, its surfaces, places for furniture."""

import base64
from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.geometry.estimation import Obstacle, RoomUnclear, estimate_room
from engine.geometry.surface import PLACE, Surface
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.main_pieces import build_table
from engine.rendering.layout.placements import arrange_placements, furnish_placements
from engine.rendering.layout.placing import PARTLY_IN_VIEW, WELL_IN_VIEW, Layout
from engine.segmentation.hinted_surfaces import apply_hints, draw_polygons
from engine.types.enhancements import RoomType, Style
from engine.types.hints import (
    Direction,
    HintedSurface,
    LengthHint,
    LineHint,
    MaskHint,
    Piece,
    PlacementHint,
    Point,
    RoomHint,
    SceneHints,
    ThingHint,
    ThingKind,
)
from tests.engine.box_rooms import BoxRoom

ROOM = BoxRoom(width=768, height=512, things=())
Spot = tuple[float, float, float]


def at(*spot: float) -> Point:
    """Where in the picture a spot of the room is, as a hand finds it."""
    (place,), _ = ROOM.camera.project(np.array([spot]))
    hand = np.random.Generator(np.random.PCG64(abs(hash(spot)) % 2**32))
    x, y = place / (ROOM.width, ROOM.height) + hand.normal(0, 0.001, 2)
    return float(x), float(y)


def line(direction: Direction, start: Spot, end: Spot) -> LineHint:
    return LineHint(direction, at(*start), at(*end))


LINES = (
    line(Direction.UP, (ROOM.left, ROOM.far, 0.0), (ROOM.left, ROOM.far, 2.0)),
    line(Direction.UP, (1.0, ROOM.far, 0.3), (1.0, ROOM.far, 2.0)),
    line(Direction.ACROSS, (ROOM.left, ROOM.far, 0), (1.0, ROOM.far, 0)),
    line(Direction.ALONG, (ROOM.left, 3.2, 0), (ROOM.left, ROOM.far, 0)),
)
DOOR = LengthHint(at(0.2, ROOM.far, 0), at(0.2, ROOM.far, 2.03), 2.03)


def hinted(lines: Iterable[LineHint] = LINES, length: LengthHint | None = DOOR) -> SceneHints:
    return SceneHints(RoomHint(tuple(lines), length))


def surfaces(labels: np.ndarray) -> np.ndarray:
    return np.eye(len(Surface), dtype=np.float32)[labels]


def test_four_lines_and_a_length_give_the_camera_and_the_walls() -> None:
    picture, labels = ROOM.drawn(furnished=False)
    found = estimate_room(picture, surfaces(labels), None, hinted())
    assert found.camera.height == pytest.approx(1.4, rel=0.04)
    assert found.camera.focal == pytest.approx(ROOM.camera.focal, rel=0.06)
    assert found.camera.turn == pytest.approx(ROOM.camera.turn, abs=0.03)
    assert (found.scale_source, found.confidence) == ("hint", 1.0)
    assert max(wall.end[1] for wall in found.walls) == pytest.approx(ROOM.far, rel=0.06)


def test_lines_are_enough_where_no_edge_can_be_seen() -> None:
    _, labels = ROOM.drawn(furnished=False)
    blank = np.full((*labels.shape, 3), 200, np.uint8)
    with pytest.raises(RoomUnclear):
        estimate_room(blank, surfaces(labels))
    found = estimate_room(blank, surfaces(labels), None, hinted())
    assert found.camera.height == pytest.approx(1.4, rel=0.08)


@pytest.mark.parametrize("meters", [1.0, 2.03, 4.0])
def test_all_of_the_room_grows_with_the_length(meters: float) -> None:
    picture, labels = ROOM.drawn(furnished=False)
    length = LengthHint(DOOR.start, DOOR.end, meters)
    found = estimate_room(picture, surfaces(labels), None, hinted(length=length))
    assert found.camera.height == pytest.approx(1.4 * meters / 2.03, rel=0.04)


def test_a_length_may_lie_on_the_floor_or_hang_at_a_wall() -> None:
    picture, labels = ROOM.drawn(furnished=False)
    level = LengthHint(at(-1.0, 3.0, 0), at(1.0, 3.0, 0), 2.0)
    sill = LengthHint(at(0.4, ROOM.far, 0.9), at(0.4, ROOM.far, 1.9), 1.0)
    for length in (level, sill):
        found = estimate_room(picture, surfaces(labels), None, hinted(length=length))
        assert found.camera.height == pytest.approx(1.4, rel=0.08)


def test_lines_that_fit_no_camera_are_refused() -> None:
    picture, labels = ROOM.drawn(furnished=False)
    crossed = [
        LineHint(Direction.UP, (0.1, 0.1), (0.9, 0.2)),
        LineHint(Direction.UP, (0.1, 0.9), (0.2, 0.1)),
        LineHint(Direction.ALONG, (0.4, 0.1), (0.4, 0.9)),
        LineHint(Direction.ACROSS, (0.6, 0.9), (0.7, 0.2)),
        LineHint(Direction.ACROSS, (0.2, 0.5), (0.8, 0.1)),
    ]
    with pytest.raises(RoomUnclear) as refused:
        estimate_room(picture, surfaces(labels), None, hinted(crossed))
    assert refused.value.reason is Obstacle.HINTS_DISAGREE


SKEW = line(Direction.ALONG, (0.9, 2.6, 0), (2.3, 4.2, 0))
"""Beside a wall that is not at right angles to the others."""


def test_a_line_that_contradicts_all_others_is_left_out_where_the_edges_of_the_photo_confirm_them() -> None:
    picture, labels = ROOM.drawn(furnished=False)
    found = estimate_room(picture, surfaces(labels), None, hinted([*LINES, SKEW]))
    assert found.camera.height == pytest.approx(1.4, rel=0.05)
    assert found.camera.turn == pytest.approx(ROOM.camera.turn, abs=0.04)
    blank = np.full_like(picture, 200)
    with pytest.raises(RoomUnclear) as refused:
        estimate_room(blank, surfaces(labels), None, hinted([*LINES, SKEW]))
    assert refused.value.reason is Obstacle.HINTS_DISAGREE


def test_lines_whose_directions_are_mixed_up_are_refused() -> None:
    picture, labels = ROOM.drawn(furnished=False)
    other = {Direction.UP: Direction.ACROSS, Direction.ACROSS: Direction.UP, Direction.ALONG: Direction.ALONG}
    mixed = [replace(each, direction=other[each.direction]) for each in LINES]
    with pytest.raises(RoomUnclear) as refused:
        estimate_room(picture, surfaces(labels), None, hinted(mixed))
    assert refused.value.reason is Obstacle.HINTS_DISAGREE


def test_a_length_in_the_air_is_refused() -> None:
    picture, labels = ROOM.drawn(furnished=False)
    level_above = LengthHint((0.1, 0.1), (0.6, 0.1), 2.0)
    with pytest.raises(RoomUnclear) as refused:
        estimate_room(picture, surfaces(labels), None, hinted(length=level_above))
    assert refused.value.reason is Obstacle.HINTS_DISAGREE


CORNERS = (at(ROOM.left, 2.6, 0), at(ROOM.left, ROOM.far, 0), at(1.2, ROOM.far, 0))


def cornered(corners: Iterable[Point] = CORNERS, lines: Iterable[LineHint] = LINES) -> SceneHints:
    return SceneHints(RoomHint(tuple(lines), DOOR, tuple(corners)))


@pytest.mark.parametrize("lines", [LINES, ()])
def test_corners_place_the_walls_even_where_everything_else_is_hidden(lines: tuple[LineHint, ...]) -> None:
    picture, labels = ROOM.drawn(furnished=False)
    labels[:400] = PLACE[Surface.OTHER]
    found = estimate_room(picture, surfaces(labels), None, cornered(lines=lines))
    assert found.camera.height == pytest.approx(1.4, rel=0.06)
    assert [wall.start[0] for wall in found.walls] == pytest.approx([ROOM.left] * 2, rel=0.06)
    assert [wall.end[1] for wall in found.walls] == pytest.approx([ROOM.far] * 2, rel=0.06)
    assert found.walls[0].start[1] == pytest.approx(2.6, rel=0.08)
    assert found.confidence == 1.0


def test_a_foot_that_ends_at_the_edge_of_the_picture_goes_on_beyond_it() -> None:
    picture, labels = ROOM.drawn(furnished=False)
    left_end, corner, right_end = CORNERS
    left_edge, right_edge, almost = (
        (x, find_height(corner, end, x)) for x, end in ((0.0, left_end), (1.0, right_end), (0.97, right_end))
    )
    inside, left_beyond, right_inside, right_beyond = (
        estimate_room(picture, surfaces(labels), None, cornered((left, corner, right)))
        for left, right in (
            (left_end, right_end),
            (left_edge, right_end),
            (left_end, almost),
            (left_end, right_edge),
        )
    )
    assert left_beyond.walls[0].start[1] < inside.walls[0].start[1] - 0.5
    assert right_beyond.walls[1].end[0] > right_inside.walls[1].end[0] + 0.8


def find_height(start: Point, end: Point, x: float) -> float:
    """How far down the line through two points is at this place of the picture."""
    return start[1] + (x - start[0]) / (end[0] - start[0]) * (end[1] - start[1])


@pytest.mark.parametrize(
    "corners",
    [
        ((0.1, 0.2), (0.5, 0.15), (0.9, 0.25)),
        (CORNERS[2], CORNERS[1], CORNERS[0]),
        (CORNERS[0], CORNERS[1], (0.95, 0.95)),
        (CORNERS[0], CORNERS[1], at(1.2, ROOM.far - 1.2, 0)),
    ],
    ids=["above the horizon", "from right to left", "not at right angles", "a back wall that slants"],
)
def test_corners_of_no_room_are_refused(corners: tuple[Point, ...]) -> None:
    picture, labels = ROOM.drawn(furnished=False)
    with pytest.raises(RoomUnclear) as refused:
        estimate_room(picture, surfaces(labels), None, cornered(corners))
    assert refused.value.reason is Obstacle.HINTS_DISAGREE


def test_walls_meet_where_their_outlines_meet() -> None:
    picture, labels = ROOM.drawn(furnished=False)
    # A sloped ceiling, which no level one explains, and a thing before the corner.
    rows, columns = np.indices(labels.shape)
    slope = rows < 0.1 * ROOM.height + 0.12 * (columns - 0.3 * ROOM.width)
    labels[(labels == PLACE[Surface.WALL]) & slope & (rows < 0.4 * ROOM.height)] = PLACE[Surface.CEILING]
    labels[(rows > 0.45 * ROOM.height) & (columns > 100) & (columns < 420)] = PLACE[Surface.FURNITURE]
    low, high = at(ROOM.left, ROOM.far, 0.8), at(ROOM.left, ROOM.far, 2.4)
    left = ((0.0, 0.05), high, low, (0.0, low[1]))
    right = (high, (1.0, high[1]), (1.0, low[1]), low)
    hints = SceneHints(RoomHint(LINES, DOOR), {HintedSurface.WALL: (left, right)})
    found = estimate_room(picture, surfaces(labels), None, hints)
    assert len(found.walls) == 2
    (x, y), told = found.walls[0].end, (ROOM.left, ROOM.far)
    assert np.arctan2(x, y) == pytest.approx(np.arctan2(*told), abs=0.01)
    assert found.walls[1].start == found.walls[0].end
    without = estimate_room(picture, surfaces(labels), None, hinted())
    assert len(without.walls) != 2


def test_a_surface_is_inside_its_outlines_and_nowhere_else() -> None:
    picture, labels = ROOM.drawn(furnished=False)
    floor = ((0.2, 0.7), (0.7, 0.7), (0.7, 0.95), (0.2, 0.95))
    rug = ((0.3, 0.8), (0.4, 0.8), (0.4, 0.9), (0.3, 0.9))
    hints = SceneHints(surfaces={HintedSurface.FLOOR: (floor,)}, things=(ThingHint(ThingKind.CLUTTER, rug),))
    found = apply_hints(surfaces(labels), picture, hints)
    assert found.sum(2) == pytest.approx(1, abs=1e-3)
    height, width = labels.shape
    assert found[round(0.75 * height), round(0.6 * width), PLACE[Surface.FLOOR]] > 0.95
    assert found[round(0.85 * height), round(0.35 * width), PLACE[Surface.CLUTTER]] > 0.95
    assert found[-8:, :, PLACE[Surface.FLOOR]].max() < 0.05
    assert apply_hints(surfaces(labels), picture, SceneHints()) == pytest.approx(surfaces(labels))


def test_no_outline_says_that_there_is_none() -> None:
    picture, labels = ROOM.drawn(furnished=False)
    found = apply_hints(surfaces(labels), picture, SceneHints(surfaces={HintedSurface.FLOOR: ()}))
    assert found[..., PLACE[Surface.FLOOR]].max() < 0.05


def placed(*placements: PlacementHint, clear: np.ndarray | None = None) -> dict[str, tuple[float, float, float]]:
    _, labels = ROOM.drawn(furnished=False)
    factory = FurnitureFactory(RoomType.LIVING_ROOM, Style.MODERN, 1)
    pieces = furnish_placements(Ground(ROOM.room, surfaces(labels), reserved=clear), factory, placements)
    return {each.name: (each.x, each.y, each.turn) for each in pieces}


def test_a_sofa_stands_where_it_was_placed_and_faces_what_it_was_turned_to() -> None:
    found = placed(PlacementHint(Piece.SOFA, at(0.5, 3.2, 0), at(0.5, 1.5, 0)))
    x, y, turn = found["sofa"]
    assert np.hypot(x - 0.5, y - 3.2) < 0.5
    assert turn == pytest.approx(0, abs=0.01)
    assert len(found) > 1


def test_a_bed_is_moved_to_the_wall_behind_it() -> None:
    _, y, _ = placed(PlacementHint(Piece.BED, at(0.2, 3.3, 0), at(0.2, 2.0, 0)))["bed"]
    assert 3.3 < y < ROOM.far


def test_a_smaller_piece_in_view_comes_before_a_large_one_that_the_border_cuts_off() -> None:
    _, labels = ROOM.drawn(furnished=False)
    ground = Ground(ROOM.room, surfaces(labels))
    factory = FurnitureFactory(RoomType.DINING_ROOM, Style.MODERN, 1)
    placement = PlacementHint(Piece.DINING_TABLE, at(1.0, 2.3, 0))
    ((_, table),), _ = arrange_placements(ground, factory, [placement])
    layout = Layout(ground)
    assert layout.is_in_view(table, WELL_IN_VIEW)
    assert np.hypot(table.x - 1.0, table.y - 2.3) < 1.0
    large = replace(table, model=build_table(factory, 1.8), x=1.0, y=2.3)
    assert layout.is_in_view(large, PARTLY_IN_VIEW)
    assert not layout.is_in_view(large, WELL_IN_VIEW)


def test_two_places_are_both_furnished() -> None:
    found = placed(
        PlacementHint(Piece.SOFA, at(-1.2, 3.9, 0), at(-1.2, 2.0, 0)),
        PlacementHint(Piece.DINING_TABLE, at(1.5, 3.6, 0)),
    )
    assert {"sofa", "dining set"} <= found.keys()


def test_a_place_that_is_kept_clear_in_the_air_or_behind_a_wall_gets_nothing() -> None:
    everywhere = np.ones((ROOM.height, ROOM.width), np.float32)
    assert placed(PlacementHint(Piece.SOFA, at(0.5, 3.2, 0)), clear=everywhere) == {}
    assert placed(PlacementHint(Piece.SOFA, (0.5, 0.05))) == {}
    assert placed(PlacementHint(Piece.SOFA, at(0.5, 12.0, 0))) == {}


def test_a_mask_does_the_same_as_the_outline_that_it_has() -> None:
    picture, labels = ROOM.drawn(furnished=False)
    floor = ((0.0, 0.7), (0.5, 0.64), (1.0, 0.75), (1.0, 1.0), (0.0, 1.0))
    _, content = cv2.imencode(".png", (255 * draw_polygons((floor,), 384, 256)).astype(np.uint8))
    mask = MaskHint(base64.b64encode(content).decode())
    outlined, masked = (
        apply_hints(surfaces(labels), picture, SceneHints(surfaces={HintedSurface.FLOOR: hint}))
        for hint in ((floor,), mask)
    )
    assert (outlined.argmax(-1) == masked.argmax(-1)).mean() > 0.995
    assert masked.sum(-1) == pytest.approx(1, abs=1e-4)
    assert (masked[..., PLACE[Surface.FLOOR]] > 0.5).mean() == pytest.approx(0.31, abs=0.03)
