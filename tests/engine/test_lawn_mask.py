"""The lawn is where the net sees one and grass has its color."""

import numpy as np
import pytest

from engine.arrays import Plane
from engine.segmentation.labels import Kind
from engine.segmentation.lawn_mask import segment_lawn
from tests import scenes

HEIGHT, WIDTH = 320, 480
TOP = int(HEIGHT * scenes.LAWN_TOP)


def small(picture: scenes.Picture) -> Plane:
    return picture.astype(np.float32) / np.float32(255)


def seen(lawn: float, rows: slice = slice(TOP, None), columns: slice = slice(None)) -> Plane:
    """The net's shares with lawn in these rows and columns, ground around it, things above."""
    shares = np.zeros((HEIGHT, WIDTH, len(Kind)), np.float32)
    shares[rows, columns, Kind.LAWN] = lawn
    shares[TOP:, :, Kind.GROUND] = 1 - shares[TOP:, :, Kind.LAWN]
    shares[:TOP, :, Kind.THINGS] = 1 - shares[:TOP, :, Kind.LAWN]
    return shares


@pytest.mark.parametrize("lawn", [scenes.DRY, scenes.FRESH])
def test_dry_and_green_lawns_are_found_and_nothing_above_them(lawn: tuple[int, int, int]) -> None:
    found = segment_lawn(small(scenes.house(lawn=lawn)), seen(0.9))
    assert found[TOP + 6 :].mean() > 0.9
    assert found[: TOP - 6].max() < 0.02


def test_what_the_net_does_not_see_is_no_lawn_however_green() -> None:
    green = small(scenes.house(lawn=scenes.FRESH))
    assert segment_lawn(green, seen(0.02)).max() == 0


def test_grass_the_net_half_sees_beside_a_sure_lawn_belongs_to_it() -> None:
    half = seen(0.07)
    half[:, : WIDTH // 2] = seen(0.9)[:, : WIDTH // 2]
    found = segment_lawn(small(scenes.house(lawn=scenes.FRESH)), half)
    assert found[TOP + 6 :, WIDTH // 2 + 10 : WIDTH // 2 + 30].mean() > 0.9
    assert found[TOP + 6 :, -60:].mean() < 0.1


def test_a_pale_path_across_the_lawn_stays_out() -> None:
    picture = scenes.house(lawn=scenes.FRESH)
    picture[TOP:, 200:240] = (206, 200, 186)
    found = segment_lawn(small(picture), seen(0.9))
    assert found[TOP + 6 :, 205:235].max() < 0.1
    assert found[TOP + 6 :, :190].mean() > 0.9


@pytest.mark.parametrize("color", [(150, 146, 140), (168, 138, 108), (96, 92, 90)])
def test_gravel_and_earth_are_no_lawn_however_sure_the_net_is(color: tuple[int, int, int]) -> None:
    picture = scenes.house(lawn=scenes.FRESH)
    grain = np.random.default_rng(2).normal(0, 12, (HEIGHT - TOP, WIDTH, 1))
    picture[TOP:] = np.clip(np.array(color) + grain, 0, 255).astype(np.uint8)
    assert segment_lawn(small(picture), seen(0.95)).max() == 0


def test_a_crumb_of_lawn_is_none() -> None:
    picture = small(scenes.house(lawn=scenes.FRESH))
    crumb = seen(0.9, slice(300, 308), slice(100, 112))
    assert segment_lawn(picture, crumb).max() == 0
    beside = seen(0.9, columns=slice(240, None)) + crumb
    assert segment_lawn(picture, beside)[296:312, 96:116].max() == 0
    assert segment_lawn(picture, beside)[TOP + 6 :, 250:].mean() > 0.9


def test_a_bush_that_the_net_takes_for_a_little_lawn_is_none_however_green() -> None:
    bush = seen(0.9)
    bush[TOP:, :80, Kind.LAWN], bush[TOP:, :80, Kind.TREES], bush[TOP:, :80, Kind.GROUND] = 0.2, 0.7, 0.1
    found = segment_lawn(small(scenes.house(lawn=scenes.FRESH)), bush)
    assert found[TOP + 6 :, :70].max() < 0.1
    assert found[TOP + 6 :, 90:].mean() > 0.9


def test_coarse_growth_that_may_be_trees_is_no_lawn_and_a_dappled_lawn_is_one() -> None:
    picture = scenes.house(lawn=scenes.FRESH)
    left = picture[TOP:, : WIDTH // 2]
    leaves = np.random.default_rng(3).choice((0.2, 1.0), (len(left) // 6 + 1, WIDTH // 12))
    left[:] = left * np.kron(leaves, np.ones((6, 6)))[: len(left), :, None]
    hedge = seen(0.6)
    hedge[TOP:, : WIDTH // 2, Kind.TREES], hedge[TOP:, : WIDTH // 2, Kind.GROUND] = 0.4, 0.0
    assert segment_lawn(small(picture), hedge)[TOP + 12 : -12, 12 : WIDTH // 2 - 24].mean() < 0.2
    assert segment_lawn(small(picture), seen(0.6))[TOP + 12 : -12, 12 : WIDTH // 2 - 24].mean() > 0.8


BARE, BARE_PLACE = (178, 156, 104), (slice(TOP + 30, TOP + 60), slice(200, 240))


def test_a_bare_patch_in_the_lawn_belongs_to_it_though_the_net_takes_it_for_ground() -> None:
    picture, shares = scenes.house(lawn=scenes.FRESH), seen(0.9)
    picture[BARE_PLACE] = BARE
    shares[(*BARE_PLACE, Kind.LAWN)], shares[(*BARE_PLACE, Kind.GROUND)] = 0.02, 0.98
    assert segment_lawn(small(picture), shares)[BARE_PLACE].mean() > 0.9


def test_a_thing_of_the_color_of_a_bare_patch_stays_out() -> None:
    picture, shares = scenes.house(lawn=scenes.FRESH), seen(0.9)
    picture[BARE_PLACE] = BARE
    shares[(*BARE_PLACE, Kind.LAWN)], shares[(*BARE_PLACE, Kind.GROUND)] = 0.02, 0.0
    shares[(*BARE_PLACE, Kind.THINGS)] = 0.98
    assert segment_lawn(small(picture), shares)[TOP + 36 : TOP + 54, 206:234].max() < 0.1


def test_straw_that_the_net_takes_for_ground_rather_is_lawn_beside_a_sure_one_and_gravel_is_not() -> None:
    picture, shares = scenes.house(lawn=scenes.DRY), seen(0.9)
    shares[TOP:, 300:, Kind.LAWN], shares[TOP:, 300:, Kind.GROUND] = 0.3, 0.7
    shares[TOP:, 280:300, Kind.LAWN], shares[TOP:, 280:300, Kind.GROUND] = 0.0, 1.0
    assert segment_lawn(small(picture), shares)[TOP + 6 :, 310:].mean() > 0.9
    grain = np.random.default_rng(2).normal(0, 12, (HEIGHT - TOP, WIDTH - 280, 1))
    picture[TOP:, 280:] = np.clip(np.array((150, 146, 140)) + grain, 0, 255).astype(np.uint8)
    assert segment_lawn(small(picture), shares)[TOP + 6 :, 310:].max() < 0.1


def test_leaves_that_the_net_takes_for_lawn_and_a_little_for_bushes_are_none() -> None:
    cover = seen(0.8)
    cover[TOP:, :, Kind.TREES], cover[TOP:, :, Kind.GROUND] = 0.12, 0.08
    assert segment_lawn(small(scenes.house(lawn=scenes.FRESH)), cover).max() == 0


def test_a_blue_sky_does_not_make_the_lawn_look_like_earth() -> None:
    picture, shares = scenes.house(sky=scenes.BLUE, lawn=(168, 164, 62)), seen(0.9)
    shares[: TOP // 2, :, Kind.SKY], shares[: TOP // 2, :, Kind.THINGS] = 1, 0
    assert segment_lawn(small(picture), shares)[TOP + 6 :].mean() > 0.9
