"""Surfaces that the net found by mistake, in drawn pictures of which everything is known."""

import numpy as np
import pytest

from engine.arrays import Plane, plane
from engine.canvas import Declined
from engine.materials.adapted_light import LIGHT_SHOULDER, MAX_LIGHT, limit_light
from engine.materials.regions import check_floor
from engine.materials.unsure_surfaces import find_strange_parts, measure_continued
from engine.types.report import Reason

HEIGHT, WIDTH, EDGE = 300, 400, 140


def tiled_room() -> Plane:
    """A pale wall above a floor of brown tiles with light joints."""
    picture = np.full((HEIGHT, WIDTH, 3), (0.85, 0.83, 0.8))
    picture[EDGE:] = (0.5, 0.36, 0.25)
    picture[EDGE::18], picture[EDGE:, ::24] = (0.75, 0.7, 0.65), (0.75, 0.7, 0.65)
    noise = np.random.Generator(np.random.PCG64(5)).normal(0, 0.01, picture.shape)
    return plane(np.clip(picture + noise, 0, 1))


def floor(*, right: int = WIDTH) -> Plane:
    share = np.zeros((HEIGHT, WIDTH), np.float32)
    share[EDGE:, :right] = 1
    return plane(share)


def test_a_whole_floor_is_sure_and_one_that_ends_amid_its_tiles_is_not() -> None:
    check_floor(floor(), tiled_room())
    assert measure_continued(floor(), tiled_room()) < 0.05
    assert measure_continued(floor(right=240), tiled_room()) > 0.3
    with pytest.raises(Declined) as declined:
        check_floor(floor(right=240), tiled_room())
    assert declined.value.reason is Reason.SURFACE_UNCLEAR


def test_a_floor_that_takes_in_a_trunk_is_unsure() -> None:
    picture = tiled_room()
    picture[200:290, 20:160] = (0.08, 0.1, 0.22)
    with pytest.raises(Declined):
        check_floor(floor(), picture)


def test_a_part_apart_with_another_color_is_strange_and_a_cabinet_in_the_shade_is_not() -> None:
    picture = plane(np.full((HEIGHT, WIDTH, 3), 0.9))
    share = np.zeros((HEIGHT, WIDTH), np.float32)
    for rows, columns, color in (
        (slice(100, 280), slice(20, 200), (0.6, 0.38, 0.2)),
        (slice(100, 280), slice(220, 300), (0.42, 0.26, 0.14)),
        (slice(10, 60), slice(330, 390), (0.95, 0.95, 0.75)),
    ):
        picture[rows, columns], share[rows, columns] = color, 1
    found = find_strange_parts(plane(share), picture)
    assert found[20:50, 340:380].all() and not found[100:].any()


def test_white_walls_among_gray_ones_are_not_taken_for_walls_in_three_times_the_light() -> None:
    shade = plane(np.full((HEIGHT, WIDTH, 3), 0.8))
    shade[:, 300:] *= 3
    shade[:, :50] *= LIGHT_SHOULDER - 0.05
    limited = limit_light(shade, plane(np.ones((HEIGHT, WIDTH))))
    assert limited[:, :300] == pytest.approx(shade[:, :300])
    assert limited[:, 300:].min() > 0.8 * LIGHT_SHOULDER and limited.max() <= 0.8 * MAX_LIGHT
