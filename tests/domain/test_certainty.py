"""How sure a quality report is of its picture, and what each mode of review leaves to a person."""

from dataclasses import asdict, replace

import pytest
from pydantic import TypeAdapter

from app.domain.reviews import QcMode
from engine.types.enhancements import Enhancement
from engine.types.report import Certainty, Figure, QualityReport, Reason, StepOutcome, Verdict, judge

LIMIT = Figure(code="noise_added", value=0, maximum=2, fault=Reason.NOISY, margin=0.1)


def report(*values: float) -> QualityReport:
    return judge((), tuple(replace(LIMIT, value=value) for value in values))


def certainty(*values: float) -> Certainty:
    return report(*values).certainty


def test_what_is_far_below_its_limit_is_surely_good_and_what_is_far_beyond_it_surely_bad() -> None:
    assert certainty(0, 1.7) is Certainty.SURE_GOOD
    assert certainty(2.3) is Certainty.SURE_BAD


@pytest.mark.parametrize("value", [1.81, 2, 2.19])
def test_near_a_limit_on_either_side_of_it_nothing_is_sure(value: float) -> None:
    assert certainty(0, value) is Certainty.UNSURE


def test_one_limit_broken_for_sure_settles_what_others_leave_unsure() -> None:
    assert certainty(1.9, 2.1, 5) is Certainty.SURE_BAD
    assert certainty(2.1, 2.15) is Certainty.UNSURE


def test_a_twilight_is_never_surely_good_and_other_effects_may_be() -> None:
    def told(step: Enhancement, value: float) -> Certainty:
        figure = replace(LIMIT, value=value)
        return judge((StepOutcome(enhancement=step, applied=True),), (figure,)).certainty

    assert [told(Enhancement.TWILIGHT, value) for value in (0, 5)] == [Certainty.UNSURE, Certainty.SURE_BAD]
    assert told(Enhancement.SKY, 0) is Certainty.SURE_GOOD


def test_a_least_value_has_its_margin_too() -> None:
    kept = Figure(code="sharpness_ratio", value=0.5, minimum=0.8, fault=Reason.SOFTENED, margin=0.1)
    near = [value for value in (0.7, 0.73, 0.79, 0.87, 0.9) if replace(kept, value=value).near]
    assert near == [0.73, 0.79, 0.87]


@pytest.mark.parametrize(("value", "maximum", "margin"), [(0, 0, 0.1), (1, 0, 0.1), (2, 2, 0)])
def test_a_limit_of_nothing_and_one_without_a_margin_are_never_near(
    value: float, maximum: float, margin: float
) -> None:
    assert not Figure(code="new doors", value=value, maximum=maximum, margin=margin).near


def test_a_figure_that_is_no_fault_leaves_nothing_unsure() -> None:
    told = replace(LIMIT, value=2, fault=None)
    assert judge((), (told,)).certainty is Certainty.SURE_GOOD


def test_what_was_rejected_for_no_figure_is_surely_bad() -> None:
    near = replace(LIMIT, value=1.9)
    for figures in ((), (near,)):
        rejected = QualityReport(reason=Reason.UNDECODABLE, figures=figures)
        assert rejected.certainty is Certainty.SURE_BAD


def test_a_report_kept_from_before_there_were_margins_is_sure() -> None:
    kept = asdict(report(2.1))
    for figure in kept["figures"]:
        del figure["margin"]
    assert TypeAdapter(QualityReport).validate_python(kept).certainty is Certainty.SURE_BAD


@pytest.mark.parametrize(
    ("mode", "verdicts"),
    [
        (QcMode.AUTO, "approved approved rejected rejected"),
        (QcMode.AUTO_REVIEW, "approved undecided undecided rejected"),
        (QcMode.MANUAL, "undecided undecided undecided undecided"),
    ],
)
def test_a_mode_leaves_to_people_what_its_checks_may_not_decide(mode: QcMode, verdicts: str) -> None:
    decided = [mode.verdict(report(value)) for value in (1, 1.9, 2.1, 3)]
    assert decided == [Verdict(each) for each in verdicts.split()]
