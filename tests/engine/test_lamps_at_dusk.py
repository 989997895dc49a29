"""Lamps outside a house: which places count as one, how they glow at dusk and what their light falls on."""

import numpy as np
import pytest

from engine.arrays import Pixels, Plane
from engine.canvas import Canvas
from engine.color.profiles import ColorProfile
from engine.effects.twilight_conversion import EFFECT
from engine.relighting import lamps
from engine.segmentation.labels import Kind
from engine.segmentation.lamps import MAX_LAMPS, LampPlace, find_lamps
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from tests import scenes

pytestmark = pytest.mark.usefixtures("seen_roughly")

SMALL = (200, 300)
LAMP = LampPlace(100, 80, 106, 92)
WALLS = np.ones(SMALL, np.float32)


def seen_at(*places: LampPlace, sure: float = 0.9) -> Plane:
    """What the net makes of lamps at these places: surest in the middle."""
    likely = np.full(SMALL, 0.02, np.float32)
    for left, top, right, bottom in places:
        likely[top:bottom, left:right] = sure * 0.8
        likely[(top + bottom) // 2, (left + right) // 2] = sure
    return likely


def found(likely: Plane, sky: Plane | None = None) -> list[LampPlace]:
    return find_lamps(likely, np.zeros(SMALL, np.float32) if sky is None else sky)


def gray(level: int, times: int = 4) -> Pixels:
    return np.full((SMALL[0] * times, SMALL[1] * times, 3), level, np.uint8)


def lit(day: Pixels, *places: LampPlace) -> Pixels:
    """A dim blue picture of the day's size with its lamps lit."""
    dusky = np.empty_like(day)
    dusky[:] = (30, 40, 60)
    lamps.light_lamps(dusky, day, places, SMALL)
    return dusky


def test_a_small_compact_place_is_a_lamp_where_the_net_saw_it() -> None:
    assert found(seen_at(LAMP)) == [LAMP]


def test_lamps_come_surest_first_and_are_not_endless() -> None:
    other = LampPlace(40, 20, 46, 30)
    likely = np.maximum(seen_at(LAMP, sure=0.88), seen_at(other, sure=0.95))
    assert found(likely) == [other, LAMP]
    many = [
        LampPlace(10 + 12 * each, 10 + 20 * row, 14 + 12 * each, 16 + 20 * row)
        for each in range(20)
        for row in (0, 1)
    ]
    assert len(found(seen_at(*many))) == MAX_LAMPS


@pytest.mark.parametrize(
    "place",
    [LampPlace(50, 50, 90, 60), LampPlace(50, 50, 51, 51)],
    ids=["as wide as a window", "a single pixel"],
)
def test_what_has_not_the_size_of_a_lamp_is_none(place: LampPlace) -> None:
    assert found(seen_at(place)) == []


def test_what_the_net_is_unsure_of_is_no_lamp() -> None:
    assert found(seen_at(LAMP, sure=0.8)) == []


def test_a_thin_slanted_thing_is_no_lamp() -> None:
    likely = seen_at()
    for step in range(14):
        likely[50 + step, 50 + step : 52 + step] = 0.9
    assert found(likely) == []


def test_no_lamp_hangs_in_the_sky() -> None:
    sky = np.zeros(SMALL, np.float32)
    sky[:120] = 1
    assert found(seen_at(LAMP), sky) == []


def test_a_lamp_glows_warm_and_the_rest_of_the_picture_stays() -> None:
    changed = lit(gray(120), LAMP)
    red, green, blue = changed[86 * 4, 103 * 4].astype(int)
    assert red > green > blue > 100
    assert red > 230
    veiled = changed[86 * 4, 109 * 4].astype(int)
    assert veiled[0] > 30 + 20
    assert veiled[0] - 30 > veiled[2] - 60
    assert (changed[:, : 60 * 4] == (30, 40, 60)).all()


def test_a_bar_before_the_light_is_darker_than_the_pane() -> None:
    day = gray(200)
    day[:, 102 * 4 : 103 * 4] = 20
    changed = lit(day, LAMP).astype(int)
    row = 89 * 4
    assert changed[row, 102 * 4 + 2].sum() < 0.9 * changed[row, 103 * 4 + 2].sum()


def test_a_lamp_cut_by_the_border_of_the_picture_is_lit_too() -> None:
    changed = lit(gray(120), LampPlace(0, 0, 5, 8), LampPlace(296, 195, 300, 200))
    assert changed[8, 8].min() > 100
    assert changed[-8, -8].min() > 100


def test_thrown_light_fades_with_distance_and_ends() -> None:
    light = lamps.compute_lamp_spill([LAMP], WALLS)[86, :, 0]
    assert light[103] > 1.5 * light[135] > 0
    assert (np.diff(light[103:]) <= 0).all()
    assert light[-20:].max() == 0


def test_less_light_falls_on_the_ground_than_on_the_wall() -> None:
    wall, ground = (
        lamps.compute_lamp_spill([LAMP], np.full(SMALL, standing, np.float32)) for standing in (1.0, 0.0)
    )
    assert 0 < ground[100, 103, 0] < 0.6 * wall[100, 103, 0]


def test_lamps_side_by_side_do_not_blow_the_wall_out() -> None:
    many = [LampPlace(100 + each, 80, 106 + each, 92) for each in range(10)]
    assert lamps.compute_lamp_spill(many, WALLS).max() <= lamps.MAX_SPILL


def test_twilight_lights_the_lamps_and_the_wall_about_them() -> None:
    picture = scenes.house()
    height, width = Scene(picture, ColorProfile(), "a photo").small.shape[:2]
    row, column = int(0.53 * height), int(0.58 * width)
    place = LampPlace(column - 3, row - 6, column + 3, row + 6)
    with_lamp, without = (at_twilight(picture, hung) for hung in ([place], []))
    scale = picture.shape[0] / height
    at = int(row * scale), int(column * scale)
    assert with_lamp[at].astype(int).sum() > without[at].astype(int).sum() + 200
    # Farther off than the lamp's veil reaches.
    beside = at[0], slice(int((column + 50) * scale), int((column + 60) * scale))
    assert with_lamp[beside].astype(int).mean() > without[beside].astype(int).mean() + 2


def at_twilight(picture: Pixels, hung: list[LampPlace]) -> Pixels:
    scene = Scene(picture, ColorProfile(), "a photo")
    shares = np.zeros((*scene.small.shape[:2], len(Kind)), np.float32)
    shares[..., Kind.BUILDING] = 1
    vars(scene).update(windows=np.zeros(shares.shape[:2], np.float32), shares=shares, lamps=hung)
    request = EditRequest(enhancements=(Enhancement.TWILIGHT,))
    return EFFECT.apply(Canvas(picture, scene, request, context=EngineContext(order_seed="an order"))).pixels
