"""The sky between twigs: a blue one is told by its blue, a white one by its light, and nothing else becomes sky."""

import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.segmentation.chroma_key import KeyMaps, key_sky

SIDE = 240
BLUE, WHITE, GRAY = (80, 140, 230), (248, 249, 250), (120, 120, 122)
LEAF, WALL = (46, 62, 30), (236, 232, 226)
CROWN = np.s_[100:160, 60:180]


def half(one: tuple[int, int, int], other: tuple[int, int, int]) -> tuple[int, ...]:
    return tuple((a + b) // 2 for a, b in zip(one, other, strict=True))


def photo(sky: tuple[int, int, int]) -> Pixels:
    """Sky above a crown whose every fourth column lets half of it through, before a wall."""
    picture = np.empty((SIDE, SIDE, 3), np.uint8)
    picture[:100], picture[100:] = sky, WALL
    picture[CROWN] = LEAF
    picture[100:160, 60:180:4] = half(LEAF, sky)
    return picture


def share_of(picture: Pixels) -> Plane:
    sky, trees = np.zeros((SIDE, SIDE), np.float32), np.zeros((SIDE, SIDE), np.float32)
    sky[:100], trees[CROWN] = 1, 1
    found = (sky * 255).astype(np.uint8)
    small = picture.astype(np.float32) / 255
    matte = key_sky(found, picture, small, KeyMaps(sky, trees, np.zeros_like(sky), np.zeros_like(sky)))
    assert (matte >= found).all()
    return matte.astype(np.float32) / 255


def test_a_blue_sky_is_told_in_gaps_of_a_crown_and_its_leaves_stay() -> None:
    share = share_of(photo(BLUE))
    assert 0.35 < share[130, 100] < 0.65
    assert share[130, 102] < 0.05


def test_a_white_sky_is_told_in_gaps_of_a_crown_and_its_leaves_stay() -> None:
    picture = photo(WHITE)
    picture[100:160, 60:180:4] = WHITE
    share = share_of(picture)
    assert share[130, 100] > 0.9
    assert share[130, 102] < 0.05


def test_no_wall_becomes_sky_white_as_it_may_be() -> None:
    for sky in (BLUE, WHITE):
        assert share_of(photo(sky))[110:, :40].max() < 0.05


def test_a_gray_sky_tells_nothing() -> None:
    assert share_of(photo(GRAY))[CROWN].max() == 0


def beside_a_pole(houses: float = 0, hills: float = 0) -> Plane:
    """The matte beside a pole before a white sky, whose outline was found two pixels too wide."""
    picture = np.full((SIDE, SIDE, 3), WHITE, np.uint8)
    picture[:, 100:110] = LEAF
    sky, none = np.ones((SIDE, SIDE), np.float32), np.zeros((SIDE, SIDE), np.float32)
    sky[:, 98:112] = 0
    small, found = picture.astype(np.float32) / 255, (sky * 255).astype(np.uint8)
    return plane(key_sky(found, picture, small, KeyMaps(sky, none, plane(none + houses), plane(none + hills))))[120]


def test_a_white_sky_reaches_to_the_edge_of_a_pole_but_not_to_that_of_a_house_or_hill() -> None:
    assert beside_a_pole()[[98, 99, 110, 111]].min() > 240
    assert beside_a_pole()[100:110].max() < 10
    assert beside_a_pole(houses=1)[98:112].max() < 10
    assert beside_a_pole(hills=1)[98:112].max() < 10


def test_a_bare_tree_is_keyed_far_from_the_open_sky_but_not_before_a_house_nor_below_the_sky() -> None:
    picture = np.full((SIDE, SIDE, 3), WHITE, np.uint8)
    picture[:, :160:4], picture[200:] = LEAF, WALL
    sky, trees, none = (np.zeros((SIDE, SIDE), np.float32) for _ in range(3))
    sky[:150, 170:], trees[:200, :165] = 1, 1
    small, found = picture.astype(np.float32) / 255, (sky * 255).astype(np.uint8)
    matte = key_sky(found, picture, small, KeyMaps(sky, trees, none, none))
    assert matte[100, 82] > 150
    assert matte[100, 80] < 30
    assert matte[185, 82] < 30
    assert key_sky(found, picture, small, KeyMaps(sky, trees, plane(trees * 0.3), none))[100, 82] < 30
