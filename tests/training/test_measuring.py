"""Outlines: polygons become labels as they say, and every file of the project holds together."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.geometry.surface import PLACE, Surface
from engine.segmentation.labels import INDOOR_KINDS, Kind
from training.measuring import IGNORED, Area, Outline, Part, labels, opened, outlines, read, surfaces

SKY_BLUE, LEAF, WALL = (120, 170, 230), (40, 70, 30), (230, 228, 220)
ALL = list(outlines())


def _outline(*areas: Area) -> Outline:
    return Outline("drawn.png", "", 200, 100, Kind.THINGS, areas)


def _box(left: int, top: int, right: int, bottom: int) -> tuple[tuple[int, int], ...]:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def test_later_areas_are_painted_over_earlier_ones() -> None:
    picture = np.full((100, 200, 3), WALL, np.uint8)
    wall = Area(Kind.BUILDING, _box(50, 20, 150, 80), {})
    pane = Area(Kind.GLASS, _box(80, 40, 120, 60), {})
    painted = labels(picture, _outline(wall, pane))
    assert painted[50, 100] == Kind.GLASS
    assert painted[30, 100] == Kind.BUILDING
    assert painted[10, 10] == Kind.THINGS
    assert labels(picture, _outline(pane, wall))[50, 100] == Kind.BUILDING


def test_a_color_rule_picks_the_pixels_inside_its_polygon_only() -> None:
    picture = np.full((100, 200, 3), LEAF, np.uint8)
    picture[:, ::4] = SKY_BLUE
    sky = Area(Kind.SKY, _box(0, 0, 99, 99), {"brighter": 120, "bluer": 40})
    painted = labels(picture, _outline(sky))
    assert set(painted[50, 0:80:4]) == {Kind.SKY}
    assert set(painted[50, 1:80:4]) == {Kind.THINGS}
    assert Kind.SKY not in painted[:, 120:]


def test_edges_drawn_by_hand_judge_nobody_but_those_found_by_color_do() -> None:
    picture = np.full((100, 200, 3), WALL, np.uint8)
    picture[:40] = SKY_BLUE
    by_hand = labels(picture, _outline(Area(Kind.SKY, _box(0, 0, 199, 39), {})))
    by_color = labels(picture, _outline(Area(Kind.SKY, _box(0, 0, 199, 60), {"bluer": 40})))
    assert (by_hand == IGNORED).any()
    assert not (by_color == IGNORED).any()
    assert (by_color == Kind.SKY).sum() == 40 * 200


def test_an_unknown_rule_is_named() -> None:
    picture = np.full((100, 200, 3), WALL, np.uint8)
    with pytest.raises(KeyError, match="shinier"):
        labels(picture, _outline(Area(Kind.SKY, _box(0, 0, 9, 9), {"shinier": 3})))


def _room(*parts: Part) -> Outline:
    floor = Area(Kind.FLOOR, _box(0, 60, 199, 99), {})
    sofa = Area(Kind.THINGS, _box(20, 40, 80, 80), {})
    return Outline("drawn.png", "", 200, 100, Kind.WALL, (floor, sofa), parts)


def test_surfaces_follow_from_the_kinds_where_nothing_more_is_said() -> None:
    picture = np.full((100, 200, 3), WALL, np.uint8)
    lamp = Area(Kind.LAMP, _box(150, 5, 170, 20), {})
    room = _room()
    painted = surfaces(picture, replace(room, areas=(*room.areas, lamp)))
    assert painted[90, 150] == PLACE[Surface.FLOOR]
    assert painted[30, 150] == PLACE[Surface.WALL]
    assert painted[60, 50] == PLACE[Surface.FURNITURE]
    assert painted[12, 160] == PLACE[Surface.OTHER]


def test_a_part_paints_only_the_surfaces_it_names() -> None:
    picture = np.full((100, 200, 3), WALL, np.uint8)
    rough = _box(10, 30, 120, 99)
    everything = surfaces(picture, _room(Part(Surface.CABINET, rough, {}, ())))
    chosen = surfaces(picture, _room(Part(Surface.CABINET, rough, {}, (Surface.FURNITURE,))))
    assert everything[90, 100] == PLACE[Surface.CABINET]
    assert chosen[90, 100] == PLACE[Surface.FLOOR]
    assert chosen[60, 50] == PLACE[Surface.CABINET]
    assert PLACE[Surface.FURNITURE] not in chosen


def test_later_parts_are_painted_over_earlier_ones_and_may_say_that_nobody_knows() -> None:
    picture = np.full((100, 200, 3), WALL, np.uint8)
    rug = Part(Surface.RUG, _box(100, 70, 190, 95), {}, ())
    box = Part(Surface.CLUTTER, _box(120, 75, 140, 90), {}, (Surface.RUG,))
    unsure = Part(None, _box(160, 75, 180, 90), {}, ())
    painted = surfaces(picture, _room(rug, box, unsure))
    assert painted[82, 110] == PLACE[Surface.RUG]
    assert painted[82, 130] == PLACE[Surface.CLUTTER]
    assert painted[82, 170] == IGNORED
    assert PLACE[Surface.CLUTTER] not in surfaces(picture, _room(box, rug))


def test_an_edge_of_kinds_under_a_part_is_no_edge_of_surfaces() -> None:
    picture = np.full((100, 200, 3), WALL, np.uint8)
    cover = Part(Surface.DOOR, _box(90, 20, 190, 90), {}, ())
    painted = surfaces(picture, _room(cover))
    assert labels(picture, _room())[60, 150] == IGNORED
    assert painted[60, 150] == PLACE[Surface.DOOR]
    assert painted[20, 150] == IGNORED
    assert painted[60, 5] == IGNORED


def test_a_part_found_by_color_is_right_up_to_its_edge() -> None:
    picture = np.full((100, 200, 3), WALL, np.uint8)
    picture[5:25, 120:160] = LEAF
    plant = Part(Surface.CLUTTER, _box(110, 0, 180, 30), {"darker": 100}, ())
    painted = surfaces(picture, _room(plant))
    assert (painted == PLACE[Surface.CLUTTER]).sum() == 20 * 40
    assert not (painted[:35, 100:] == IGNORED).any()


def test_a_file_says_its_surfaces_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    said = {"photo": "drawn.png", "sha256": "", "width": 200, "height": 100, "base": "WALL", "areas": []}
    path = tmp_path / "drawn.json"
    rug = {"surface": "rug", "points": [[1, 2], [3, 4], [5, 6]], "only": ["floor"], "where": {"darker": 9}}
    path.write_text(json.dumps({**said, "surfaces": [rug, {"surface": None, "points": [[0, 0], [9, 0], [9, 9]]}]}))
    first, second = read(path).parts
    assert first == Part(Surface.RUG, ((1, 2), (3, 4), (5, 6)), {"darker": 9}, (Surface.FLOOR,))
    assert second.surface is None
    path.write_text(json.dumps(said))
    assert read(path).parts == ()
    path.write_text(json.dumps({**said, "surfaces": [{**rug, "surface": "moat"}]}))
    with pytest.raises(ValueError, match="moat"):
        read(path)


@pytest.mark.parametrize("outline", ALL, ids=lambda each: each.photo)
def test_every_outline_keeps_within_its_photo(outline: Outline) -> None:
    points = [point for area in outline.areas for point in area.points]
    points += [point for part in outline.parts for point in part.points]
    assert all(0 <= x <= outline.width and 0 <= y <= outline.height for x, y in points)
    assert all(len(area.points) >= 3 for area in (*outline.areas, *outline.parts))
    assert len(outline.sha256) == 64


def test_every_room_and_nothing_else_has_surfaces() -> None:
    for outline in ALL:
        inside = outline.base in INDOOR_KINDS
        assert bool(outline.parts) == inside, outline.photo


def test_outlines_fit_the_photos_that_are_here() -> None:
    pictures = [(outline, opened(outline)) for outline in ALL[:3]]
    if pictures[0][1] is None:
        pytest.skip("the hand-out photos are not here")
    for outline, picture in pictures:
        assert picture is not None
        assert picture.shape == (outline.height, outline.width, 3)
        assert Kind.SKY in labels(picture, outline) or not outline.photo.startswith("exterior")
