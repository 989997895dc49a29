"""Whether the report agrees with people: what is counted, what is left out, and what of it is shown."""

import json
from datetime import date

import pytest

from bench.quality.places import PAGE
from bench.quality.rows import written_between
from bench.verdicts import ALL, MARK, as_markdown, by_fault, compared, reached, table, wrong
from engine.types.enhancements import Enhancement
from engine.types.report import QualityReport, Reason
from training.verdict_results import Kept, as_json, from_json
from training.verdicts import Fault, Fit, Half, Judged, Order, half

DAY = date(2026, 11, 24)
PICTURE, OTHER = "a" * 16, "b" * 16
HELD_OUT, SETTLED = "0000000100000000", "0000000200000000"
GOOD, STOPPED = QualityReport(), QualityReport(reason=Reason.HALO)
DECLINED = QualityReport(reason=Reason.ALL_STEPS_DECLINED)


def judged(name: str, fit: Fit, sha256: str = HELD_OUT, result: str = PICTURE) -> Judged:
    faults = (Fault.HALO,) if fit is Fit.NOT else ()
    return Judged(Order(name, (Enhancement.SKY,)), sha256, result, fit, faults, "one", DAY)


def kept(of: Judged, report: QualityReport, result: str = PICTURE) -> Kept:
    return Kept(of.order, of.sha256, result, report, 1.0, "engine")


def test_shares_of_both_halves_stand_beside_each_other() -> None:
    assert (half(HELD_OUT), half(SETTLED)) == (Half.HELD_OUT, Half.SETTLED)
    bad = [judged(f"{number}.jpg", Fit.NOT) for number in range(5)]
    good = [judged(f"good{number}.jpg", Fit.PUBLISHABLE) for number in range(10)]
    fair, settled = judged("fair.jpg", Fit.ACCEPTABLE), judged("settled.jpg", Fit.NOT, SETTLED)
    made = [kept(each, STOPPED) for each in bad[:4]] + [kept(each, GOOD) for each in (*bad[4:], *good)]
    found = compared([*bad, *good, fair, settled], [*made, kept(fair, STOPPED), kept(settled, GOOD)])
    line = ("4 of 5 (80%)", "reached", "0 of 10 (0%)", "reached", "1 of 1 (100%)", "0 of 1 (0%)", "none")
    assert table(found) == [("sky_enhancement", *line), (ALL, *line)]
    assert reached(found)
    assert by_fault(found) == [("halo", "4 of 5 (80%)", "0 of 1 (0%)")]


def test_a_good_result_that_is_stopped_misses_the_aim() -> None:
    good = [judged(f"{number}.jpg", Fit.PUBLISHABLE) for number in range(10)]
    found = compared(good, [kept(good[0], STOPPED), *(kept(each, GOOD) for each in good[1:])])
    assert table(found)[0][3:5] == ("1 of 10 (10%)", "missed")
    assert not reached(found)


def test_what_is_declined_by_now_is_stopped_and_another_picture_is_known_as_one() -> None:
    gone, new = judged("gone.jpg", Fit.NOT), judged("new.jpg", Fit.NOT)
    first, second = compared([gone, new], [kept(gone, DECLINED, ""), kept(new, GOOD, OTHER)])
    assert (first.stopped, first.changed) == (True, False)
    assert (second.stopped, second.changed) == (False, True)


def test_what_failed_or_was_not_made_is_not_compared() -> None:
    failed, lost = judged("failed.jpg", Fit.NOT), judged("lost.jpg", Fit.NOT)
    report = QualityReport(reason=Reason.PROCESSING_FAILED)
    assert compared([failed, lost], [kept(failed, report, "")]) == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_two_verdicts_the_one_on_this_very_picture_counts(order: tuple[int, int]) -> None:
    both = [judged("a.jpg", Fit.NOT), judged("a.jpg", Fit.PUBLISHABLE, result=OTHER)]
    (found,) = compared([both[place] for place in order], [kept(both[0], GOOD, OTHER)])
    assert found.judged.fit is Fit.PUBLISHABLE


def test_names_are_shown_of_the_settled_half_only() -> None:
    hidden, shown = judged("hidden.jpg", Fit.NOT), judged("shown.jpg", Fit.NOT, SETTLED)
    good = judged("good.jpg", Fit.PUBLISHABLE, SETTLED)
    found = compared([hidden, shown, good], [kept(hidden, GOOD), kept(shown, GOOD), kept(good, STOPPED)])
    assert wrong(found) == [
        "good.jpg.sky_enhancement   publishable, stopped: halo",
        "shown.jpg.sky_enhancement   not fit to sell (halo), passed",
    ]
    assert "jpg" not in as_markdown(found)


def test_the_page_on_the_pictures_has_a_place_for_the_agreement() -> None:
    assert "| new |" in written_between(PAGE.read_text(), MARK, "| new |")
    assert as_markdown([]) == "No verdicts yet."


def test_what_is_kept_of_a_result_comes_back_as_it_was() -> None:
    one = kept(judged("a.jpg", Fit.NOT), STOPPED)
    assert from_json(as_json(one)) == one
    assert json.loads(as_json(one))["ending"] == "rejected"
