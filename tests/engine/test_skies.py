"""The drawn skies: air, clouds and sun at three hours of the day."""

from dataclasses import replace

import numpy as np
import pytest

from engine.arrays import Plane
from engine.color.channels import rgb_to_gray
from engine.filters.smoothing import gradient_magnitude
from engine.sky.atmosphere import compute_sun_direction
from engine.sky.cloud_field import make_cumulus_field
from engine.sky.clouds import Mood, draw_sky
from engine.sky.moods import DAY, DUSK, GOLDEN
from engine.sky.view import SkyView

VIEW = SkyView(height=300, width=450, horizon=0.6, sun_side=0.9, rows=180)
HOURS = pytest.mark.parametrize("mood", [DAY, GOLDEN, DUSK], ids=["day", "golden", "dusk"])


def chance(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def drawn(mood: Mood, view: SkyView = VIEW, weather: int = 1, place: int = 2) -> Plane:
    return draw_sky(mood, view, chance(weather), chance(place))


def clear(mood: Mood) -> Mood:
    return replace(mood, cover=0.0, cirrus=-1.0)


def warmth(part: Plane) -> float:
    red, _, blue = part.reshape(-1, 3).mean(0)
    return float(red - blue)


def whiteness(sky: Plane) -> float:
    """The share of a day sky that is cloud, above the haze of the horizon."""
    high = sky[: len(sky) * 2 // 3]
    return float((high[..., 2] - high[..., 0] < 35).mean())


def test_a_clear_day_is_blue_above_and_paler_towards_the_horizon() -> None:
    sky = drawn(clear(DAY), replace(VIEW, sun_side=1.0))
    top, low = sky[:15].mean((0, 1)), sky[-30:-10].mean((0, 1))
    assert top[2] > top[0] + 70
    assert low[2] - low[0] < 0.75 * (top[2] - top[0])
    assert low.mean() > top.mean() + 15


def test_golden_hour_glows_low_on_the_suns_side() -> None:
    sky = drawn(clear(GOLDEN))
    assert warmth(sky[-40:-10, -80:]) > warmth(sky[-40:-10, :80]) + 10
    assert warmth(sky[-40:-10, -80:]) > warmth(sky[:20, -80:]) + 60
    mirrored = drawn(clear(GOLDEN), replace(VIEW, sun_side=-0.9))
    assert np.allclose(mirrored[:, ::-1], sky, atol=1.0)


def test_dusk_is_deep_blue_above_an_afterglow() -> None:
    sky = drawn(clear(DUSK))
    top = sky[:20].mean((0, 1))
    assert top[2] > 1.5 * top[0]
    assert top.mean() < 110
    assert warmth(sky[-40:-10, -80:]) > 25
    assert warmth(sky[-40:-10, -80:]) > warmth(sky[-40:-10, :80]) + 40


@HOURS
def test_no_sky_clips(mood: Mood) -> None:
    sky = drawn(mood)
    assert sky.min() >= 0
    assert sky.max() < 254


def test_more_cover_is_more_cloud() -> None:
    shares = [whiteness(drawn(replace(DAY, cover=cover, cirrus=-1.0))) for cover in (0.0, 0.25, 0.6)]
    assert shares[0] < 0.1
    assert shares[0] + 0.08 < shares[1] < shares[2] - 0.1


def test_clouds_are_finer_towards_the_horizon() -> None:
    sky = rgb_to_gray(drawn(replace(DAY, cover=0.4, cirrus=-1.0), replace(VIEW, height=600, width=900, rows=340)))
    crossings = (np.diff(np.sign(sky - sky.mean(1, keepdims=True)), axis=1) != 0).sum(1)
    assert crossings[230:300].mean() > 1.5 * crossings[:70].mean()


@pytest.mark.long
def test_two_places_under_one_weather_have_different_clouds_of_like_amount() -> None:
    one, other = drawn(DAY, place=3), drawn(DAY, place=4)
    assert np.abs(one - other).mean() > 5
    amounts = [whiteness(drawn(replace(DAY, cirrus=-1.0), replace(VIEW, width=900), place=each)) for each in (3, 4)]
    assert abs(amounts[0] - amounts[1]) < 0.25


def test_the_same_chance_draws_the_same_sky() -> None:
    assert np.array_equal(drawn(DAY), drawn(DAY))


def test_only_the_rows_asked_for_are_drawn_and_they_are_those_of_the_whole_view() -> None:
    whole, part = drawn(clear(DAY), replace(VIEW, rows=0)), drawn(clear(DAY), replace(VIEW, rows=90))
    assert len(part) == 90
    assert np.abs(whole[:90] - part).mean() < 1


def test_clouds_shade_what_lies_behind_them_from_the_sun() -> None:
    tops, shadow = np.moveaxis(make_cumulus_field(chance(7), 0.3, (0.9, 0.4, 0.0)).tops, -1, 0)
    high = tops > np.quantile(tops, 0.98)
    reach = [shadow[np.roll(high, shift, axis=1)].mean() for shift in (-8, 8)]
    assert reach[0] > reach[1] + 30


def test_the_sun_is_on_the_side_asked_for() -> None:
    right, up, _ = compute_sun_direction(GOLDEN.air, 0.8)
    assert right > 0.3
    assert 0 < up < 0.3
    assert compute_sun_direction(GOLDEN.air, -0.8)[0] == pytest.approx(-right)


def test_cloud_edges_stay_crisp_when_drawn_large() -> None:
    wide = replace(VIEW, height=933, width=1400, rows=560)
    steep = gradient_magnitude(rgb_to_gray(drawn(replace(DAY, cover=0.35, cirrus=-1.0), wide)))
    assert np.quantile(steep, 0.998) > 12


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1400, 1), (1, 1400), (175, 1400)])
@HOURS
def test_a_sky_of_any_shape_is_a_sane_one(mood: Mood, height: int, width: int) -> None:
    sky = drawn(mood, SkyView(height, width, 0.5, -0.7))
    assert sky.shape == (height, width, 3)
    assert np.isfinite(sky).all()
    assert 5 < sky.mean() < 250
