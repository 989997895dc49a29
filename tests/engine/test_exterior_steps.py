"""Lawns of drawn houses, and what is no outside view."""

import numpy as np
import pytest

from engine.types.enhancements import Enhancement
from engine.types.report import Reason
from tests import scenes
from tests.engine.engine_runs import after, enhanced

pytestmark = pytest.mark.usefixtures("seen_roughly")

LAWN_PART = (0.05, 0.8, 0.95, 0.98)


def declined_for(picture: scenes.Picture, step: Enhancement) -> Reason | None:
    done = enhanced(scenes.encoded(picture), step)
    assert done.picture is None
    assert done.report.reason is Reason.ALL_STEPS_DECLINED
    return done.report.steps[0].reason


def color(picture: scenes.Picture, box: tuple[float, float, float, float]) -> np.ndarray:
    return scenes.part(picture, box).reshape(-1, 3).mean(0)


@pytest.mark.parametrize(
    "step", [Enhancement.SKY, Enhancement.GRASS, Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT]
)
def test_a_room_declines_every_outdoor_step(step: Enhancement) -> None:
    assert declined_for(scenes.room(), step) is Reason.NOT_EXTERIOR


def test_a_dry_lawn_turns_green_and_keeps_its_blades() -> None:
    drawn = scenes.house()
    changed = after(drawn, Enhancement.GRASS)
    red, green, blue = color(changed, LAWN_PART)
    assert green > red * 1.15
    assert green > blue * 1.15
    before, now = (scenes.part(each, LAWN_PART).astype(float).sum(-1).std() for each in (drawn, changed))
    assert now > 0.7 * before


def test_the_lawn_step_leaves_house_bushes_and_sky_alone() -> None:
    drawn = scenes.house()
    changed = after(drawn, Enhancement.GRASS)
    house, bushes = slice(0, int(320 * 0.5)), slice(int(320 * 0.5), int(320 * 0.66))
    assert np.array_equal(changed[house], drawn[house])
    # Where a bush stands on the lawn nobody can tell its last leaves from grass.
    assert np.abs(changed[bushes].astype(int) - drawn[bushes]).mean() < 0.6


def test_a_green_lawn_declines_the_lawn_step_and_is_not_charged() -> None:
    assert declined_for(scenes.house(lawn=scenes.FRESH), Enhancement.GRASS) is Reason.NOT_CHANGED


def test_a_photo_without_lawn_declines_the_lawn_step() -> None:
    assert declined_for(scenes.house_on_asphalt(), Enhancement.GRASS) is Reason.NO_LAWN
