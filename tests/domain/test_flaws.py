"""What can be said to be wrong with a result fits what was done to it."""

from collections.abc import Collection
from pathlib import Path

import pytest

from app.domain.errors import InvalidRequest
from app.domain.flaws import (
    LABELS,
    MAX_NOTE,
    Flaw,
    SendBackDetails,
    SendBackInput,
    check_no_result,
    check_send_back,
    list_flaws,
)
from engine.types import usable_options
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.hints import SceneHints
from engine.types.options import Brightness, DuskKind, EffectOptions, Privacy
from engine.types.report import ChangeOutcome, QualityReport, StepOutcome

LIGHTER = EffectOptions.of({"brightness": Brightness.BRIGHTER})
ALWAYS = [Flaw.HALO, Flaw.NOTHING_DONE, Flaw.OTHER]


def report(*applied: Enhancement, declined: Collection[Enhancement] = ()) -> QualityReport:
    outcomes = [*((each, True) for each in applied), *((each, False) for each in declined)]
    return QualityReport(steps=tuple(StepOutcome(step, applied=done) for step, done in outcomes))


@pytest.mark.parametrize("enhancement", Enhancement)
def test_every_enhancement_has_a_short_list_that_ends_with_something_else(enhancement: Enhancement) -> None:
    offered = list_flaws(report(enhancement))
    assert 6 <= len(offered) <= 9
    assert offered[-3:] == ALWAYS


def test_every_kind_is_in_words_and_can_be_said_of_some_result() -> None:
    every = report(*Enhancement, declined=[Enhancement.SKY])
    assert set(LABELS) == set(Flaw) == {*list_flaws(every), Flaw.NO_RESULT}
    assert len(set(LABELS.values())) == len(Flaw)


def test_of_what_was_not_done_nothing_is_asked() -> None:
    assert Flaw.SKY_ON_WALL not in list_flaws(report(Enhancement.GRASS))
    assert list_flaws(report()) == ALWAYS


def test_what_was_declined_can_be_said_to_be_missing() -> None:
    assert Flaw.STEP_DECLINED in list_flaws(report(Enhancement.GRASS, declined=[Enhancement.SKY]))
    changed = (ChangeOutcome(0, ChangeType.FLOOR, applied=True), ChangeOutcome(1, ChangeType.WALLS, applied=False))
    partly = QualityReport(steps=(StepOutcome(Enhancement.RENOVATION, applied=True, changes=changed),))
    assert Flaw.STEP_DECLINED in list_flaws(partly)


def test_of_a_photo_without_a_result_only_that_is_said_and_what_is_tried_is_a_persons_choice() -> None:
    said = SendBackInput("no_result", " It is\r\na lawn. ")
    assert check_no_result(said) == SendBackDetails(Flaw.NO_RESULT, "It is a lawn.")
    hints = SceneHints(clear=(((0, 0), (1, 0), (1, 1)),))
    wrong = SendBackInput("other", "x" * (MAX_NOTE + 1), "sky_enhancement", hints, LIGHTER)
    with pytest.raises(InvalidRequest) as refused:
        check_no_result(wrong)
    assert (refused.value.details or {}).keys() == {"reason", "message", "without", "hints", "options.brightness"}


def test_what_is_said_is_put_on_one_line() -> None:
    heard = check_send_back(SendBackInput("sky_on_wall", " At the\r\nchimney\x00 "), report(Enhancement.SKY))
    assert heard == SendBackDetails(Flaw.SKY_ON_WALL, "At the chimney", None)


@pytest.mark.parametrize("wrong", ["pane_dark", "sky", "SKY_ON_WALL"])
def test_what_is_not_on_the_list_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_send_back(SendBackInput(wrong), report(Enhancement.SKY))
    assert refused.value.details == {"reason": "Choose from the list."}


@pytest.mark.parametrize("wrong", [Enhancement.STAGING, "nonsense"])
def test_only_steps_that_were_done_can_be_left_out(wrong: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_send_back(SendBackInput("other", "", wrong), report(Enhancement.SKY, Enhancement.GRASS))
    assert (refused.value.details or {}).keys() == {"without"}


def test_the_only_step_cannot_be_left_out() -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_send_back(SendBackInput("other", "", Enhancement.SKY), report(Enhancement.SKY))
    assert (refused.value.details or {}).keys() == {"without"}
    both = report(Enhancement.GRASS, Enhancement.SKY)
    assert check_send_back(SendBackInput("other", "", Enhancement.SKY), both).without is Enhancement.SKY


def test_options_of_other_steps_and_those_whose_detector_is_not_installed_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(usable_options, "FACE_DETECTOR", tmp_path)
    for options in (EffectOptions(dusk=DuskKind.DEEP), EffectOptions(privacy=Privacy.BLURRED)):
        with pytest.raises(InvalidRequest) as refused:
            check_send_back(SendBackInput("other", "", options=options), report(Enhancement.SKY))
        assert [*(refused.value.details or {})] == [f"options.{name}" for name in options.chosen]
    usual = SendBackInput("other", "", options=EffectOptions(privacy=Privacy.AS_SHOT))
    assert check_send_back(usual, report(Enhancement.SKY)).options == usual.options


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_send_back(SendBackInput("", "x" * (MAX_NOTE + 1), "x"), report(Enhancement.SKY))
    assert (refused.value.details or {}).keys() == {"reason", "message", "without"}
    assert check_send_back(SendBackInput("other", "x" * MAX_NOTE), report()).words == "x" * MAX_NOTE
