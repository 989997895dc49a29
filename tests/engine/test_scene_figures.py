"""Steps outside are held to how surely sky and windows were found: what is unsure is stopped."""

import numpy as np
import pytest

from engine.arrays import Plane
from engine.canvas import Canvas
from engine.effects.table import EFFECTS
from engine.quality.scene_figures import estimate_sky_doubt
from engine.segmentation.labels import Label
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.hints import NO_HINTS, HintedSurface, SceneHints
from engine.types.report import Certainty, QualityReport, Reason, judge

SKY, GOLDEN, TWILIGHT, GRASS = Enhancement.SKY, Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT, Enhancement.GRASS


class Told:
    """A scene with sky down to half, of this light, which the net saw or not, with so many torn rows below it."""

    def __init__(
        self,
        light: float = 0.5,
        *,
        seen: bool = True,
        torn: int = 0,
        glass: float = 0.02,
        dark: float = 0.0,
        turf: float = 3.0,
        hints: SceneHints = NO_HINTS,
    ) -> None:
        self.hints = hints
        self.sky = np.zeros((100, 100), np.float32)
        self.sky[:50] = 1
        self.sky_share = self.sky.copy()
        self.sky_share[50 : 50 + torn] = 0.5
        self.small = np.full((100, 100, 3), light, np.float32)
        self.seen = seen
        self.lawn = 1 - self.sky
        self.turf_odds = np.full((100, 100), turf, np.float32)
        self.windows = np.zeros((100, 100), np.float32)
        self.windows[80, : round(glass * 10000)] = 1
        self.close_glass = self.windows.copy()
        self.close_glass[90, : round(dark * 10000)] = 1

    def label_share(self, *_: Label) -> Plane:
        return self.sky * self.seen


def report_on(told: Told, step: Enhancement, *steps: Enhancement) -> QualityReport:
    canvas = Canvas(
        np.zeros((1, 1, 3), np.uint8),
        told,
        EditRequest(
            enhancements=(
                step,
                *steps,
            )
        ),
    )  # type: ignore[arg-type]
    return judge((), EFFECTS[step].measure_scene(canvas))


def reason_of(told: Told, step: Enhancement, *steps: Enhancement) -> Reason | None:
    return report_on(told, step, *steps).reason


def test_a_sky_that_ends_clearly_is_sold() -> None:
    assert reason_of(Told(), SKY) is None


@pytest.mark.parametrize("told", [Told(0.95, torn=16), Told(0.9, seen=False), Told(torn=22)])
def test_a_sky_that_is_torn_or_only_colors_told_is_stopped(told: Told) -> None:
    assert reason_of(told, SKY) is Reason.SKY_UNCLEAR


@pytest.mark.parametrize("step", [SKY, GOLDEN])
def test_a_sky_that_a_person_outlined_is_not_doubted(step: Enhancement) -> None:
    outlined = SceneHints(surfaces={HintedSurface.SKY: (((0, 0), (1, 0), (1, 0.5), (0, 0.5)),)})
    assert reason_of(Told(0.95, torn=22), step) is Reason.SKY_UNCLEAR
    assert reason_of(Told(0.95, torn=22, hints=outlined), step) is None


def test_whiter_skies_are_doubted_more() -> None:
    assert estimate_sky_doubt(Told(0.95)) > estimate_sky_doubt(Told(0.4))  # type: ignore[arg-type]


def test_a_sky_that_another_step_draws_is_held_to_that_step_alone() -> None:
    assert reason_of(Told(0.9, seen=False), SKY, GOLDEN) is None
    assert reason_of(Told(0.95, torn=20), GOLDEN) is Reason.SKY_UNCLEAR


def test_a_golden_hour_is_held_to_the_doubt_about_a_sky_and_to_torn_borders() -> None:
    assert reason_of(Told(0.7, torn=12), GOLDEN) is None
    assert reason_of(Told(0.2, torn=17), GOLDEN) is Reason.SKY_UNCLEAR
    assert reason_of(Told(1.0, torn=3, seen=False), GOLDEN) is Reason.SKY_UNCLEAR


def test_a_twilight_without_a_lit_window_is_stopped() -> None:
    assert reason_of(Told(), TWILIGHT) is None
    assert reason_of(Told(glass=0.001), TWILIGHT) is Reason.NOTHING_LIT


def test_a_twilight_goes_to_a_person_with_much_glass_in_the_dark_and_is_stopped_with_most_of_it() -> None:
    outlined = SceneHints(surfaces={HintedSurface.PANE: (((0, 0.8), (1, 0.8), (1, 0.81), (0, 0.81)),)})
    assert report_on(Told(glass=0.01, dark=0.005), TWILIGHT).certainty is Certainty.SURE_GOOD
    assert report_on(Told(glass=0.004, dark=0.006), TWILIGHT).certainty is Certainty.UNSURE
    assert reason_of(Told(glass=0.002, dark=0.009), TWILIGHT) is Reason.NOTHING_LIT
    assert reason_of(Told(glass=0.002, dark=0.009, hints=outlined), TWILIGHT) is None


def test_a_lawn_that_may_be_ground_goes_to_a_person_and_one_that_is_ground_is_stopped() -> None:
    outlined = SceneHints(surfaces={HintedSurface.LAWN: (((0, 0.5), (1, 0.5), (1, 1), (0, 1)),)})
    assert report_on(Told(turf=3), GRASS).certainty is Certainty.SURE_GOOD
    assert report_on(Told(turf=-0.3), GRASS).certainty is Certainty.UNSURE
    assert report_on(Told(turf=-4.5), GRASS).certainty is Certainty.SURE_BAD
    assert reason_of(Told(turf=-4.5), GRASS) is Reason.LAWN_UNCLEAR
    assert reason_of(Told(turf=-4.5, hints=outlined), GRASS) is None


def test_every_other_step_is_held_to_none_of_it() -> None:
    for step in set(Enhancement) - {SKY, GOLDEN, TWILIGHT, GRASS}:
        assert reason_of(Told(0.95, seen=False, torn=20, glass=0), step) is None
