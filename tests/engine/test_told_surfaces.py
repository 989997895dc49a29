"""Surfaces that somebody outlined in seconds: what of them is changed."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.materials.outlined_skirting import find_outlined_skirting
from engine.materials.told_surfaces import find_set_in
from engine.materials.unlike_pieces import find_unlike_pieces
from engine.segmentation.hinted_surfaces import draw_polygons
from engine.segmentation.straight_borders import straighten_polygon
from engine.segmentation.traced_outlines import trace_outline

HEIGHT, WIDTH = 300, 400
TOP, FOOT, RIGHT = 60, 240, 330
"""The wall's upper edge, the skirting's upper edge, and the wall's right end."""


def wall_picture() -> Plane:
    """A beige wall below a white ceiling, with white skirting above a brown floor, and a gray door."""
    picture = np.full((HEIGHT, WIDTH, 3), (0.95, 0.95, 0.94))
    picture[TOP:, :] = (0.8, 0.72, 0.6)
    picture[TOP:, RIGHT:] = (0.45, 0.5, 0.55)
    picture[FOOT : FOOT + 10] = (0.92, 0.92, 0.9)
    picture[FOOT + 10 :] = (0.4, 0.25, 0.15)
    noise = np.random.Generator(np.random.PCG64(3)).normal(0, 0.006, picture.shape)
    return plane(np.clip(picture + noise, 0, 1))


def wall() -> Mask:
    inside = np.zeros((HEIGHT, WIDTH), np.bool_)
    inside[TOP:FOOT, :RIGHT] = True
    return inside


def find_wall(offset: int) -> Mask:
    """The wall as found by an outline that is wrong by some pixels, inward where negative."""
    top, foot, right = ((TOP - offset) / HEIGHT, (FOOT + offset) / HEIGHT, (RIGHT + offset) / WIDTH)
    drawn = ((0.0, top), (right, top + 3 / HEIGHT), (right, foot - 3 / HEIGHT), (0.0, foot))
    picture = wall_picture()
    inside = draw_polygons((straighten_polygon(drawn, picture),), WIDTH, HEIGHT) > 0
    return np.asarray(trace_outline(inside, np.zeros_like(inside), picture) > 0.5)


def test_an_outline_that_is_wrong_by_some_pixels_ends_at_the_edges_of_the_wall() -> None:
    for offset in (-9, -4, 3):
        assert (find_wall(offset) ^ wall()).sum() < 0.012 * wall().sum()


def test_an_outline_where_the_picture_has_no_edge_stays_straight() -> None:
    picture = plane(np.full((HEIGHT, WIDTH, 3), 0.7))
    drawn = ((0.2, 0.2), (0.8, 0.25), (0.8, 0.8), (0.2, 0.8))
    assert np.allclose(straighten_polygon(drawn, picture), drawn)
    inside = draw_polygons((drawn,), WIDTH, HEIGHT) > 0
    found = trace_outline(inside, np.zeros_like(inside), picture) > 0.5
    assert (found ^ inside).sum() < 0.02 * inside.sum()


def test_lines_of_a_floor_of_tiles_do_not_attract_its_border() -> None:
    picture = wall_picture()
    picture[::12, :300] *= 0.9
    drawn = ((0.0, (FOOT + 14) / HEIGHT), (1.0, (FOOT + 14) / HEIGHT), (1.0, 1.0), (0.0, 1.0))
    found = np.array(straighten_polygon(drawn, picture)) * (WIDTH, HEIGHT)
    assert np.abs(found[:2, 1] - (FOOT + 10)).max() < 2


def test_an_outline_along_the_nearer_edge_of_a_skirting_stays_there() -> None:
    picture = wall_picture()
    # Its lower edge, above the dark floor, is the stronger one.
    picture[FOOT : FOOT + 10] = (0.7, 0.7, 0.75)
    drawn = ((0.0, 0.3), (0.8, 0.3), (0.8, (FOOT - 1) / HEIGHT), (0.0, (FOOT - 1) / HEIGHT))
    found = np.array(straighten_polygon(drawn, picture)) * (WIDTH, HEIGHT)
    assert np.abs(found[2:, 1] - FOOT).max() <= 3


def test_a_wall_outlined_down_to_the_floor_ends_at_its_skirting() -> None:
    picture = wall_picture()
    picture[FOOT : FOOT + 10, 50:70] = (0.8, 0.72, 0.6)
    outlined = np.zeros((HEIGHT, WIDTH), np.float32)
    outlined[TOP : FOOT + 10, :RIGHT] = 1
    heights = plane((FOOT + 10 - np.mgrid[:HEIGHT, :WIDTH][0]) / 100)
    found = find_outlined_skirting(outlined, picture, heights)
    assert found[FOOT : FOOT + 10, :RIGHT].mean() > 0.9
    assert not found[: FOOT - 2].any()
    plain = wall_picture()
    plain[FOOT : FOOT + 10] = (0.8, 0.72, 0.6)
    assert not find_outlined_skirting(outlined, plain, heights).any()


NONE = np.zeros((HEIGHT, WIDTH), np.bool_)


def find_pieces(picture: Plane, *, closed: Mask = NONE, pierced: Mask = NONE, alone: bool = True) -> Mask:
    return find_unlike_pieces(wall(), picture, closed, pierced, alone=alone)


def test_a_bare_wall_has_no_pieces_unlike_it() -> None:
    assert not find_pieces(wall_picture()).any()


def test_a_clock_and_a_blue_plate_are_unlike_the_wall() -> None:
    picture = wall_picture()
    clock = cv2.circle(np.zeros((HEIGHT, WIDTH), np.uint8), (100, 120), 18, 1, -1) > 0
    picture[clock] = (0.1, 0.1, 0.1)
    picture[150:170, 200:214] = (0.5, 0.6, 0.8)
    found = find_pieces(picture)
    assert found[clock].all() and found[150:170, 200:214].all()
    assert found.sum() < 1.3 * (clock.sum() + 280)
    assert not find_pieces(picture, alone=False).any()


def test_shadows_and_patches_of_sun_belong_to_the_wall() -> None:
    picture = wall_picture()
    picture[100:160, 60:140] *= 0.75
    picture[100:160, 200:280] = (0.98, 0.96, 0.92)
    assert not find_pieces(plane(picture)).any()


def test_a_side_of_the_wall_in_the_shade_belongs_to_it_where_the_outline_ends() -> None:
    picture = wall_picture()
    steep = np.linspace(0.5, 0.95, 60)[None, :, None]
    picture[100:FOOT, RIGHT - 60 : RIGHT] = np.array((0.8, 0.72, 0.6)) * steep
    whole = find_unlike_pieces(wall(), plane(picture), NONE, NONE, alone=True)
    folded = find_unlike_pieces(wall(), plane(picture), NONE, NONE, alone=True, cornered=True)
    assert whole.any() and not folded.any()


def test_a_picture_in_a_pale_frame_is_found_whole_if_the_net_sees_it() -> None:
    picture = wall_picture()
    picture[110:150, 130:190] = (0.15, 0.3, 0.25)
    things = np.zeros((HEIGHT, WIDTH), np.bool_)
    things[95:165, 115:205] = True
    assert find_pieces(picture, closed=things)[things].all()
    things[:] = False
    things[180:230, 20:120] = True
    assert not find_pieces(picture, closed=things)[things].any()


def test_the_soft_border_of_a_thing_that_was_left_out_is_wall() -> None:
    picture = wall_picture()
    picture[100:160, RIGHT - 4 : RIGHT] *= 0.6
    things = np.zeros((HEIGHT, WIDTH), np.bool_)
    things[100:160, RIGHT - 4 : RIGHT] = True
    assert not find_pieces(plane(picture), closed=things, alone=False).any()
    picture[100:160, RIGHT - 30 : RIGHT] = (0.1, 0.1, 0.1)
    things[100:160, RIGHT - 30 : RIGHT] = True
    assert find_pieces(plane(picture), closed=things, alone=False)[things].all()


def test_between_the_legs_of_a_chair_the_surface_is_changed() -> None:
    picture = wall_picture()
    for left in (100, 140):
        picture[180:240, left : left + 6] = (0.2, 0.12, 0.08)
    chair = np.zeros((HEIGHT, WIDTH), np.bool_)
    chair[175:240, 95:150] = True
    found = find_pieces(picture, pierced=chair, alone=False)
    assert found[182:238, 101:105].all() and found[182:238, 141:145].all()
    assert not found[182:238, 110:136].any()


def test_a_sink_stays_in_its_worktop_and_a_worktop_that_the_net_takes_for_a_sink_is_changed() -> None:
    likely = plane(np.zeros((HEIGHT, WIDTH)))
    likely[100:140, 100:160] = 0.4
    assert (find_set_in(wall(), likely) == (likely > 0)).all()
    likely[80:220, 20:300] = 0.4
    assert not find_set_in(wall(), likely).any()
