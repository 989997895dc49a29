"""What is thin before the sky keeps its share of each pixel; clouds, noise and the sky itself keep theirs."""

import cv2
import numpy as np
import pytest

from engine.arrays import Pixels, Plane, plane
from engine.segmentation.thin_things import keep_thin_things

HEIGHT, WIDTH = 240, 360
BLUE, WHITE, TWIG = (90, 150, 230), (246, 248, 250), (60, 50, 42)
ROOF = np.s_[180:]


def house(sky: tuple[int, int, int]) -> tuple[Pixels, Plane]:
    """A sky above a dark roof, and the map of that sky."""
    picture = np.full((HEIGHT, WIDTH, 3), sky, np.uint8)
    picture[ROOF] = TWIG
    found = np.ones((HEIGHT, WIDTH), np.float32)
    found[ROOF] = 0
    return picture, found


def share_of(picture: Pixels, sky: Plane, wires: Plane | None = None) -> Plane:
    none = np.zeros_like(sky)
    found = (sky * 255).astype(np.uint8)
    matte = keep_thin_things(found, picture, picture, sky, none if wires is None else wires)
    assert (matte <= found).all()
    return plane(matte) / np.float32(255)


@pytest.mark.parametrize("sky", [BLUE, WHITE])
def test_an_antenna_on_a_roof_stays_before_the_sky_that_was_found_through_it(sky: tuple[int, int, int]) -> None:
    picture, found = house(sky)
    picture[165:180, 100] = TWIG
    picture[165:180, 200] = [(a + b) // 2 for a, b in zip(sky, TWIG, strict=True)]
    share = share_of(picture, found)
    assert share[170, 100] < 0.15
    assert 0.3 < share[170, 200] < 0.7
    assert share[:150].min() == 1


def test_a_wire_far_from_all_things_stays_if_it_was_found() -> None:
    picture, found = house(WHITE)
    picture[60] = (215, 217, 219)
    wires = np.zeros_like(found)
    wires[58:63] = 1
    assert share_of(picture, found)[60].min() == 1
    assert 0.6 < share_of(picture, found, wires)[60, 100] < 0.9
    assert share_of(picture, found, wires)[62, 100] == 1


def test_a_blue_gap_between_clouds_above_a_roof_is_sky() -> None:
    picture, found = house(WHITE)
    picture[170:172] = BLUE
    assert share_of(picture, found)[:176].min() > 0.9


def test_noise_is_no_thing() -> None:
    picture, found = house(BLUE)
    noise = np.random.default_rng(4).normal(0, 3, picture.shape)
    assert share_of(np.clip(picture + noise, 0, 255).astype(np.uint8), found)[:174].mean() > 0.995


def test_a_cloud_that_was_not_found_makes_no_things_of_the_sky_around_it() -> None:
    picture, found = house(BLUE)
    cv2.circle(picture, (180, 80), 30, WHITE, -1)
    cv2.circle(picture, (180, 80), 32, (60, 110, 180), 2)
    found[40:120, 140:220] = 0
    found[40:120, 140:220] = plane(picture[40:120, 140:220, 0] < 200)
    assert share_of(picture, found)[46:50, 178:182].min() > 0.95


def test_a_deep_blue_gap_between_white_clouds_that_was_not_found_is_no_thing_either() -> None:
    picture, found = house(WHITE)
    picture[20:70] = (60, 120, 200)
    picture[20:70, 146] = (55, 100, 170)
    found[30:50, 100:140] = 0
    assert share_of(picture, found)[32:48, 146].min() > 0.95


def test_a_picture_of_any_shape_has_an_answer() -> None:
    for shape in ((1, 1), (1, 700), (700, 1)):
        picture = np.full((*shape, 3), 200, np.uint8)
        assert share_of(picture, np.ones(shape, np.float32)).shape == shape
