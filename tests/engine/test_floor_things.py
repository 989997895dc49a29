"""Rugs and legs that were taken for floor, in drawn rooms."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.geometry.surface import PLACE, Surface
from engine.quality.limits import ROOM_LIMITS, make_figure
from engine.quality.lost_legs import measure_lost_legs
from engine.segmentation.floor_things import find_floor_things
from engine.types.figures import FigureCode

HEIGHT, WIDTH, HORIZON = 400, 600, 160


def room() -> tuple[Plane, Plane, Plane]:
    """A floor of planks below a wall, lit from the right, and a table: shares of floor, picture, surfaces."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    noise = np.random.Generator(np.random.PCG64(3)).normal(0, 0.01, (HEIGHT, WIDTH, 1))
    light = (0.75 + 0.25 * x / WIDTH)[..., None]
    picture = np.where((y < HORIZON)[..., None], (0.8, 0.8, 0.78), (0.7, 0.6, 0.48)) * light + noise
    joints = (y >= HORIZON) & ((y - HORIZON) % 24 == 0)
    picture[joints] *= 0.85
    labels = np.where(y < HORIZON, PLACE[Surface.WALL], PLACE[Surface.FLOOR])
    picture[180:205, 100:260] = (0.3, 0.2, 0.12)
    labels[180:205, 100:260] = PLACE[Surface.FURNITURE]
    surfaces = plane(np.stack([labels == place for place in range(len(Surface))], -1))
    return surfaces[..., PLACE[Surface.FLOOR]], plane(np.clip(picture, 0, 1)), surfaces


def found_in(picture: Plane) -> Mask:
    share, _, surfaces = room()
    return find_floor_things(share, picture, surfaces)


def test_a_floor_with_nothing_on_it_is_all_floor() -> None:
    assert not found_in(room()[1]).any()


def test_thin_legs_below_a_table_are_no_floor() -> None:
    picture = room()[1].copy()
    for left in (110, 240):
        picture[205:290, left : left + 7] = (0.3, 0.2, 0.12)
    found = found_in(picture)
    for left in (110, 240):
        assert found[206:288, left : left + 7].all()
    assert np.count_nonzero(found) < 2.2 * 2 * 85 * 7


def test_a_dark_stripe_that_carries_nothing_is_floor() -> None:
    picture = room()[1].copy()
    picture[260:345, 400:407] *= 0.4
    assert not found_in(picture).any()


def test_a_rug_is_no_floor() -> None:
    picture = room()[1].copy()
    rug = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.fillPoly(rug, [np.array([[320, 280], [480, 280], [520, 350], [300, 350]])], 1)
    picture[rug > 0] *= (0.8, 0.35, 0.4)
    found = found_in(picture)
    assert (found & (rug > 0)).sum() > 0.95 * rug.sum()
    assert (found & (rug == 0)).sum() < 0.05 * rug.sum()


def test_colored_light_and_shadows_are_floor() -> None:
    picture = room()[1].copy()
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    blue = np.exp(-(((x - 40) / 130.0) ** 2 + ((y - 360) / 100.0) ** 2))[..., None] * (y >= HORIZON)[..., None]
    picture *= plane(1 - blue * (0.5, 0.3, -0.05))
    picture[300:360, 350:500] *= 0.5
    assert not found_in(plane(picture)).any()


def test_tiles_of_many_colors_are_floor() -> None:
    picture = room()[1].copy()
    colors = np.random.Generator(np.random.PCG64(11)).uniform(0.4, 1, (20, 20, 3))
    y, x = np.mgrid[HORIZON:HEIGHT, :WIDTH]
    picture[HORIZON:] *= plane(colors[(y - HORIZON) // 40, x // 60])
    picture[180:205, 100:260] = (0.3, 0.2, 0.12)
    assert not found_in(picture)[210:].any()


def test_a_new_floor_over_legs_is_rejected_and_one_around_them_is_not() -> None:
    share, picture, surfaces = room()
    picture = picture.copy()
    for left in (110, 240):
        picture[205:290, left : left + 7] = (0.3, 0.2, 0.12)
    photo = np.asarray(picture * 255, np.uint8)
    floor = np.asarray(share > 0.5)
    for kept, passed in ((floor & ~found_in(picture), True), (floor, False)):
        result = photo.copy()
        result[kept] = (90, 92, 95)
        lost = measure_lost_legs(photo, result, kept, surfaces)
        assert make_figure(FigureCode.LOST_LEGS, lost, ROOM_LIMITS).passed is passed
