"""A new sky behind the houses of photos: what changes, what stays, when the step declines."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.arrays import Matte, Pixels, Plane, plane
from engine.canvas import Canvas, Declined
from engine.color.profiles import ColorProfile
from engine.effects import sky_enhancement as sky_step
from engine.effects.sky_enhancement import EFFECT
from engine.filters import strips
from engine.quality.tones import measure_new_clipping
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene
from engine.sky.clouds import Mood
from engine.sky.exchange import SkyChange
from engine.sky.moods import DAY, DUSK, GOLDEN
from engine.sky.replacement import (
    choose_sun_side,
    estimate_horizon_row,
    make_sky_change,
    shrink_canvas,
    start_sky_drawing,
    start_weather,
)
from engine.types.appearance import SharedAppearance
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.report import Reason
from tests import scenes
from tests.engine.engine_runs import after

pytestmark = pytest.mark.usefixtures("seen_roughly")

SKY_PART = (0.02, 0.02, 0.98, 0.12)
WALL_PART = (0.54, 0.44, 0.62, 0.62)
STEPS = (Enhancement.SKY,)


def canvas(
    picture: scenes.Picture, order: str = "order", look: SharedAppearance | None = None, profile: bytes = b""
) -> Canvas:
    scene = Scene(picture, ColorProfile(profile), "photo")
    return Canvas(
        picture,
        scene,
        EditRequest(enhancements=tuple(STEPS)),
        context=EngineContext(order_seed=order, appearance=look or SharedAppearance()),
    )


def under(height: int, width: int, sky_rows: int, seed: str = "photo") -> Canvas:
    """A gray picture whose first rows are known to be sky."""
    picture = np.full((height, width, 3), 90, np.uint8)
    picture[:sky_rows] = 230
    scene = Scene(picture, ColorProfile(), seed)
    sky = np.zeros(scene.own_small.shape[:2], np.float32)
    sky[: max(1, round(len(sky) * sky_rows / height))] = 1
    matte = np.zeros((height, width), np.uint8)
    matte[:sky_rows] = 255
    scene.__dict__.update(sky=sky, sky_matte=matte, outdoors=True, dark=False, low_sun=False)
    scene.__dict__.update(colorless=False, foggy=False)
    return Canvas(picture, scene, EditRequest(enhancements=tuple(STEPS)), context=EngineContext(order_seed="order"))


def put_sky(photo: Canvas, mood: Mood) -> Pixels:
    """The picture with the sky of this mood, and nothing else of a step."""
    new = start_sky_drawing(photo, start_weather(photo, mood))
    return strips.map_strips(photo.pixels, make_sky_change(photo, shrink_canvas(photo), new).apply_to)


def color(picture: scenes.Picture, box: tuple[float, float, float, float]) -> Plane:
    return plane(scenes.part(picture, box).reshape(-1, 3).mean(0))


def declined_for(photo: Canvas) -> Reason:
    with pytest.raises(Declined) as declined:
        EFFECT.apply(photo)
    return declined.value.reason


def exchanged(picture: Pixels, matte: Matte, old: int, new: int) -> Pixels:
    skies = [np.full((4, 4, 3), level, np.float32) for level in (old, new)]
    return strips.map_strips(picture, SkyChange(matte, *skies).apply_to)


def test_an_overcast_sky_turns_blue() -> None:
    red, _, blue = color(after(scenes.house(), Enhancement.SKY), SKY_PART)
    assert blue > red + 25


def test_a_sky_that_was_blue_is_exchanged_as_well() -> None:
    drawn = scenes.house(sky=scenes.BLUE)
    changed = put_sky(canvas(drawn), DAY)
    assert np.abs(scenes.part(changed, SKY_PART).astype(int) - scenes.part(drawn, SKY_PART)).mean() > 6


def test_the_sky_step_changes_nothing_on_the_ground() -> None:
    drawn = scenes.house()
    ground = slice(int(320 * 0.72), None)
    assert np.array_equal(EFFECT.apply(canvas(drawn)).pixels[ground], drawn[ground])


def test_a_white_house_under_a_white_sky_stays_white() -> None:
    drawn = scenes.house(sky=(250, 250, 251))
    difference = np.abs(color(put_sky(canvas(drawn), DAY), WALL_PART) - color(drawn, WALL_PART))
    assert difference.max() < 1


def test_twigs_before_the_old_sky_stand_before_the_new_one_without_its_gray() -> None:
    share = np.tile(np.linspace(0, 1, 64, dtype=np.float32), (40, 1))
    twig, old, new = 40.0, 235.0, 120.0
    before = np.repeat(np.round(share * old + (1 - share) * twig)[..., None], 3, -1).astype(np.uint8)
    result = exchanged(before, np.round(share * 255).astype(np.uint8), int(old), int(new))
    wanted = share * new + (1 - share) * twig
    assert np.abs(result.mean((0, 2)) - wanted[0]).max() < 9


def test_twigs_are_relit_without_the_light_and_hue_of_the_sky_behind_them() -> None:
    share = np.tile(np.linspace(0, 1, 64, dtype=np.float32), (40, 1))
    old, twig, new = np.array((70.0, 130.0, 230.0)), np.array((90.0, 80.0, 60.0)), (40.0, 40.0, 60.0)
    before = np.round(share[..., None] * old + (1 - share[..., None]) * twig).astype(np.uint8)
    skies = [np.full((4, 4, 3), each, np.float32) for each in (old * 2, new, old)]
    change = SkyChange(np.round(share * 255).astype(np.uint8), skies[0], skies[1], shot=skies[2])
    things = strips.map_strips(before, change.remove_old)
    assert np.abs(things[:, 8:40].astype(float) - twig).max() < 18
    assert (things[..., 2] <= things[..., :2].max(-1)).all(where=share < 0.8)
    # Lit twice as bright, the twig's share of each pixel is, and not the sky's.
    lit = np.clip(things.astype(int) * 2, 0, 255).astype(np.uint8)
    wanted = share[..., None] * new + (1 - share[..., None]) * twig * 2
    assert np.abs(strips.map_strips(lit, change.apply_to) - wanted)[:, 8:40].max() < 26


def test_a_hard_roof_line_gets_no_halo() -> None:
    before = np.full((60, 300, 3), 60, np.uint8)
    before[:30] = 235
    matte = np.zeros((60, 300), np.uint8)
    matte[:30] = 255
    result = exchanged(before, matte, 235, 120).astype(int)
    assert np.array_equal(result[30:], before[30:])
    assert np.abs(result[:30] - 120).max() <= 1


def test_old_clouds_do_not_shine_through() -> None:
    before = np.full((60, 300, 3), 200, np.uint8)
    before[10:30, 50:120] = 255
    matte = np.full((60, 300), 255, np.uint8)
    matte[:, 200] = 0
    result = np.delete(exchanged(before, matte, 210, 120), 200, axis=1).astype(int)
    assert np.abs(result - 120).max() <= 1


def test_open_sky_and_edges_in_one_row_meet_without_a_seam() -> None:
    before = np.full((40, 1024, 3), 235, np.uint8)
    matte = np.full((40, 1024), 255, np.uint8)
    matte[:, 700] = 252
    result = exchanged(before, matte, 235, 120).astype(int)
    assert np.abs(result - 120).max() <= 2


def test_photos_of_one_order_share_the_weather_and_orders_differ() -> None:
    one, same = (color(put_sky(under(200, 300, 120, seed), DAY), SKY_PART) for seed in ("one", "two"))
    assert np.abs(one - same).max() < 45
    photo = under(200, 300, 120)
    other = replace(
        photo, request=EditRequest(enhancements=tuple(STEPS)), context=EngineContext(order_seed="another")
    )
    assert np.abs(put_sky(photo, DAY).astype(int) - put_sky(other, DAY)).mean() > 1


def test_two_photos_of_one_order_do_not_have_the_same_clouds() -> None:
    first, second = (put_sky(under(200, 300, 120, seed), DAY)[:100].astype(int) for seed in ("one", "two"))
    assert np.abs(first - second).mean() > 4


def test_a_new_sky_has_no_bands() -> None:
    sky = put_sky(under(640, 960, 200), replace(DAY, cover=0.0, cirrus=-1.0))[:200].astype(int)
    equal_neighbors = (np.diff(sky[..., 2], axis=1) == 0).mean()
    assert equal_neighbors < 0.6


@pytest.mark.parametrize("mood", [DAY, GOLDEN, DUSK])
def test_a_new_sky_clips_nothing(mood: Mood) -> None:
    photo = canvas(scenes.house())
    assert measure_new_clipping(photo.pixels, put_sky(photo, mood)) == 0


@pytest.mark.long
@pytest.mark.usefixtures("seen_anew")
def test_the_number_of_threads_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    many = put_sky(under(300, 450, 200), DAY)
    monkeypatch.setattr(strips, "THREADS", 1)
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        assert np.array_equal(put_sky(under(300, 450, 200), DAY), many)
    finally:
        cv2.setNumThreads(threads)


def test_the_sun_stands_where_the_orders_photos_say() -> None:
    for side in (-1.0, -0.2, 0.3, 1.0):
        known = choose_sun_side(canvas(scenes.house(), look=SharedAppearance(sun_side=side)))
        assert np.sign(known) == np.sign(side)
        assert 0.5 <= abs(known) <= 1
    unknown = [choose_sun_side(canvas(scenes.house(light=light), order="same")) for light in (1.0, 0.9)]
    assert unknown[0] == unknown[1]


def test_the_skys_sun_follows_the_orders_side() -> None:
    glow = []
    for side in (-1.0, 1.0):
        photo = under(300, 450, 200)
        look = SharedAppearance(sun_side=side)
        sky = put_sky(
            replace(
                photo,
                request=EditRequest(enhancements=tuple(STEPS)),
                context=EngineContext(order_seed="order", appearance=look),
            ),
            GOLDEN,
        ).astype(int)
        warm = sky[120:190, :, 0] - sky[120:190, :, 2]
        glow.append(warm[:, 300:].mean() - warm[:, :150].mean())
    assert glow[1] > glow[0] + 10


@pytest.mark.parametrize(
    "later", [Enhancement.GOLDEN_HOUR, pytest.param(Enhancement.TWILIGHT, marks=pytest.mark.long)]
)
def test_the_sky_is_left_to_a_later_step_that_draws_its_own(
    later: Enhancement, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = canvas(scenes.house())
    made: list[Mood] = []
    with monkeypatch.context() as watched:
        watched.setattr(sky_step, "start_weather", lambda _, mood: made.append(mood))
        done = EFFECT.apply(
            replace(
                photo,
                request=EditRequest(
                    enhancements=(
                        Enhancement.SKY,
                        later,
                    )
                ),
                context=EngineContext(order_seed="order"),
            )
        )
    assert np.array_equal(done.pixels, photo.pixels)
    assert made == [], "weather was made for a sky nobody draws"
    both, alone = after(scenes.house(), Enhancement.SKY, later), after(scenes.house(), later)
    assert np.array_equal(both, alone)


def test_the_find_ground_columns_are_all_that_hold_anything_but_sky() -> None:
    matte = np.full((20, 60), 255, np.uint8)
    matte[4, 7] = matte[9, 40] = 254
    change = SkyChange(matte, np.zeros((2, 3, 3), np.float32), np.zeros((2, 3, 3), np.float32))
    found = [change.find_ground_columns(rows) for rows in (slice(0, 10), slice(5, 20), slice(10, 20))]
    assert [(columns.start, columns.stop) for columns in found] == [(7, 41), (40, 41), (0, 0)]


def with_water(place: tuple[slice, slice]) -> Canvas:
    photo = under(300, 450, 150)
    shares = np.zeros((300, 450, len(Kind)), np.float32)
    shares[..., Kind.GROUND] = 1
    shares[(*place, Kind.WATER)], shares[(*place, Kind.GROUND)] = 1, 0
    photo.scene.__dict__["shares"] = shares
    return photo


def test_water_mirrors_the_new_sky_and_the_ground_beside_it_stays() -> None:
    photo = with_water(np.s_[170:230, 100:350])
    done = EFFECT.apply(photo)
    red, _, blue = done.pixels[175:200, 150:300].reshape(-1, 3).mean(0)
    assert blue > red + 8
    assert np.array_equal(done.pixels[240:], photo.pixels[240:])
    assert done.matte is not None
    assert done.region is not None
    assert 10 < done.matte[185, 200] < 128
    assert done.region[185, 200] == 1
    changed = (done.pixels != photo.pixels).any(-1)
    assert not changed[done.matte == 0].any()


def test_falling_water_mirrors_nothing() -> None:
    photo = with_water(np.s_[90:230, 300:350])
    done = EFFECT.apply(photo)
    assert np.array_equal(done.pixels[170:], photo.pixels[170:])


def test_a_picture_in_a_wide_space_gets_the_same_sky_in_its_own_numbers() -> None:
    wide = scenes.wide_rgb_profile()
    plain, own = canvas(scenes.house()), canvas(scenes.house(), profile=wide)
    own.scene.__dict__.update(sky=plain.scene.sky, sky_matte=plain.scene.sky_matte)
    seen = ColorProfile(wide).to_srgb(put_sky(own, DAY))
    assert np.abs(color(seen, SKY_PART) - color(put_sky(plain, DAY), SKY_PART)).max() < 4


def test_the_horizon_is_where_a_level_sky_ends_and_half_way_behind_houses() -> None:
    level = np.zeros((100, 150), np.float32)
    level[:30] = 1
    assert estimate_horizon_row(level) == pytest.approx(0.3, abs=0.02)
    roofs = np.ones((100, 150), np.float32)
    roofs[30:, :50], roofs[10:, 50:100], roofs[38:, 100:] = 0, 0, 0
    assert estimate_horizon_row(roofs) == pytest.approx(0.52, abs=0.02)
    roofs[:66, 100:] = 1
    assert estimate_horizon_row(roofs) == pytest.approx(0.66, abs=0.02)


@pytest.mark.parametrize(("height", "width", "rows"), [(1, 1, 1), (1, 20_000, 1), (4000, 1, 900), (60, 480, 30)])
def test_a_picture_of_any_shape_gets_a_sky(height: int, width: int, rows: int) -> None:
    photo = under(height, width, rows)
    done = EFFECT.apply(photo)
    assert done.pixels.shape == photo.pixels.shape
    assert np.array_equal(done.pixels[rows:], photo.pixels[rows:])


def test_a_photo_without_sky_declines() -> None:
    assert declined_for(canvas(scenes.house_without_sky())) is Reason.NO_SKY


def test_a_room_declines() -> None:
    assert declined_for(canvas(scenes.room())) is Reason.NOT_EXTERIOR


def test_a_photo_taken_in_the_dark_declines() -> None:
    photo = under(200, 300, 100)
    photo.scene.__dict__["dark"] = True
    assert declined_for(photo) is Reason.ALREADY_DARK


@pytest.mark.parametrize("mood", [GOLDEN, pytest.param(DUSK, marks=pytest.mark.long)])
def test_a_house_under_the_sky_of_another_hour_declines(mood: Mood) -> None:
    before = canvas(scenes.house(light=0.9 if mood is GOLDEN else 0.3))
    shown = canvas(put_sky(before, mood))
    assert declined_for(shown) is (Reason.LOW_SUN if mood is GOLDEN else Reason.ALREADY_DARK)


@pytest.mark.parametrize(("later", "declines"), [(Enhancement.GOLDEN_HOUR, True), (Enhancement.TWILIGHT, False)])
def test_under_a_low_sun_only_a_later_dusk_draws_its_sky(later: Enhancement, declines: bool) -> None:
    shown = under(200, 300, 100)
    shown.scene.__dict__["low_sun"] = True
    both = replace(shown, request=EditRequest(enhancements=(Enhancement.SKY, later)))
    if declines:
        assert declined_for(both) is Reason.LOW_SUN
    else:
        assert np.array_equal(EFFECT.apply(both).pixels, shown.pixels)


@pytest.mark.parametrize(
    "sky",
    [
        scenes.BLUE,
        *(pytest.param(each, marks=pytest.mark.long) for each in ((190, 191, 193), (252,) * 3, (214, 210, 204))),
    ],
)
def test_by_day_a_house_in_its_own_shade_gets_its_sky(sky: tuple[int, int, int]) -> None:
    backlit = canvas(scenes.backlit_house(sky))
    assert not np.array_equal(EFFECT.apply(backlit).pixels, backlit.pixels)
