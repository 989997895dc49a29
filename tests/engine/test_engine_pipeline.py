"""The engine as a whole: order of steps, honest declines, report."""

import pytest

from app.domain.ports import Engine
from engine.effects.table import EFFECTS
from engine.pipeline import PictureEngine
from engine.types.enhancements import ENHANCEMENTS, Enhancement
from tests import scenes
from tests.engine.engine_runs import after, enhanced

pytestmark = pytest.mark.usefixtures("seen_roughly")


def test_the_engine_keeps_the_contract_of_the_services() -> None:
    engine: Engine = PictureEngine()
    assert engine.enhance


def test_every_enhancement_sold_has_its_step() -> None:
    assert set(EFFECTS) == set(ENHANCEMENTS)


def test_a_step_that_declines_is_named_while_the_others_go_on() -> None:
    done = enhanced(scenes.encoded(scenes.house_on_asphalt()), Enhancement.GRASS, Enhancement.SKY)
    assert done.picture is not None
    assert done.report.passed
    assert done.report.declined == (Enhancement.GRASS,)


def test_steps_run_in_the_catalogs_order_however_they_are_listed() -> None:
    one = after(scenes.house(), Enhancement.GRASS, Enhancement.SKY, Enhancement.GOLDEN_HOUR)
    other = after(scenes.house(), Enhancement.GOLDEN_HOUR, Enhancement.SKY, Enhancement.GRASS)
    assert (one == other).all()


def test_a_tiny_picture_gets_a_verdict_not_a_crash() -> None:
    for size in ((1, 1), (3, 200), (200, 2), (9, 9)):
        done = enhanced(scenes.encoded(scenes.house()[: size[0], : size[1]], "PNG"), *ENHANCEMENTS)
        assert done.report.steps
