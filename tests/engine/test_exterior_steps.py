"""Sky, lawn, golden hour and twilight on drawn houses."""

import numpy as np
import pytest

from app.domain.catalogue import Enhancement
from app.domain.quality import Reason
from tests import scenes
from tests.engine.engine_runs import after, enhanced

SKY_PART = (0.02, 0.02, 0.98, 0.12)
WALL_PART = (0.54, 0.44, 0.62, 0.62)
LAWN_PART = (0.05, 0.8, 0.95, 0.98)


def declined_for(picture: scenes.Picture, step: Enhancement) -> Reason | None:
    done = enhanced(scenes.encoded(picture), step)
    assert done.picture is None
    assert done.report.reason is Reason.ALL_STEPS_DECLINED
    return done.report.steps[0].reason


def colour(picture: scenes.Picture, box: tuple[float, float, float, float]) -> np.ndarray:
    return scenes.part(picture, box).reshape(-1, 3).mean(0)


def test_an_overcast_sky_turns_blue() -> None:
    red, _, blue = colour(after(scenes.house(), Enhancement.SKY), SKY_PART)
    assert blue > red + 25


def test_the_sky_step_changes_nothing_on_the_ground() -> None:
    drawn = scenes.house()
    changed = after(drawn, Enhancement.SKY)
    ground = slice(int(320 * 0.72), None)
    assert np.array_equal(changed[ground], drawn[ground])


def test_a_white_house_under_a_white_sky_stays_white() -> None:
    drawn = scenes.house(sky=(250, 250, 251))
    difference = np.abs(colour(after(drawn, Enhancement.SKY), WALL_PART) - colour(drawn, WALL_PART))
    assert difference.max() < 1


def test_photos_of_one_order_share_the_weather_and_orders_differ() -> None:
    one = colour(after(scenes.house(), Enhancement.SKY), SKY_PART)
    same = colour(after(scenes.house(light=0.97), Enhancement.SKY), SKY_PART)
    skies = [after(scenes.house(), Enhancement.SKY, order_seed=str(each)) for each in range(2)]
    assert np.abs(one - same).max() < 30
    assert np.abs(skies[0].astype(int) - skies[1]).mean() > 1


def test_a_new_sky_has_no_bands() -> None:
    sky = scenes.part(after(scenes.house(960, 640), Enhancement.SKY), (0, 0, 1, 0.12)).astype(int)
    equal_neighbours = (np.diff(sky[..., 2], axis=1) == 0).mean()
    assert equal_neighbours < 0.75


def test_a_photo_without_sky_declines_the_sky_step() -> None:
    assert declined_for(scenes.house_without_sky(), Enhancement.SKY) is Reason.NO_SKY


@pytest.mark.parametrize(
    "step", [Enhancement.SKY, Enhancement.GRASS, Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT]
)
def test_a_room_declines_every_outdoor_step(step: Enhancement) -> None:
    assert declined_for(scenes.room(), step) is Reason.NOT_EXTERIOR


def test_a_dry_lawn_turns_green_and_keeps_its_blades() -> None:
    drawn = scenes.house()
    changed = after(drawn, Enhancement.GRASS)
    red, green, blue = colour(changed, LAWN_PART)
    assert green > red * 1.15
    assert green > blue * 1.15
    before, now = (scenes.part(each, LAWN_PART).astype(float).sum(-1).std() for each in (drawn, changed))
    assert now > 0.7 * before


def test_the_lawn_step_leaves_house_bushes_and_sky_alone() -> None:
    drawn = scenes.house()
    above = slice(0, int(320 * 0.66))
    assert np.array_equal(after(drawn, Enhancement.GRASS)[above], drawn[above])


def test_a_photo_without_lawn_declines_the_lawn_step() -> None:
    assert declined_for(scenes.house_on_asphalt(), Enhancement.GRASS) is Reason.NO_LAWN


def test_golden_hour_warms_what_is_lit_and_the_horizon() -> None:
    drawn = scenes.house()
    changed = after(drawn, Enhancement.GOLDEN_HOUR)
    before, now = colour(drawn, WALL_PART), colour(changed, WALL_PART)
    assert now[0] - now[2] > before[0] - before[2] + 20
    low = colour(changed, (0.0, 0.36, 0.12, 0.44))
    high = colour(changed, (0.0, 0.0, 1.0, 0.06))
    assert low[0] - low[2] > high[0] - high[2] + 20


def test_golden_hour_lights_one_side_more_than_the_other() -> None:
    changed = after(scenes.house(), Enhancement.GOLDEN_HOUR).astype(float)
    ground = changed[int(320 * 0.67) : int(320 * 0.71)].mean((0, 2))
    assert abs(ground[:120].mean() - ground[-120:].mean()) > 15


def test_twilight_is_dark_and_blue_with_warm_windows() -> None:
    drawn = scenes.house()
    changed = after(drawn, Enhancement.TWILIGHT)
    sky, wall = colour(changed, SKY_PART), colour(changed, WALL_PART)
    assert changed.mean() < 0.55 * drawn.mean()
    assert sky[2] > sky[0] + 15
    for window in scenes.WINDOWS:
        pane = colour(changed, window)
        assert pane[0] > pane[2] + 60
        assert pane.mean() > wall.mean() + 20


def test_lit_windows_spill_on_the_wall_beside_them() -> None:
    changed = after(scenes.house(), Enhancement.TWILIGHT)
    beside = colour(changed, (0.365, 0.44, 0.385, 0.53))
    away = colour(changed, (0.36, 0.62, 0.52, 0.65))
    assert beside[0] - beside[2] > away[0] - away[2] + 10


@pytest.mark.parametrize("step", [Enhancement.TWILIGHT, Enhancement.GOLDEN_HOUR])
def test_a_photo_taken_in_the_dark_declines_another_hour(step: Enhancement) -> None:
    assert declined_for(scenes.house(sky=scenes.DUSK, light=0.3), step) is Reason.ALREADY_DARK
