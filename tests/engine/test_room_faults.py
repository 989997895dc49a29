"""The report tells good results of the steps inside rooms from the same with planted faults."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.quality.room_figures import find_worst_figures
from engine.types.figures import FigureCode
from engine.types.report import Figure, Reason
from tests.engine import room_results
from tests.engine.room_faults import FAULTS
from tests.engine.room_results import RoomResult

STAGED, RENOVATED, EMPTIED = 0, 18, 1
"""Seeds of rooms; bench/room_faults.py measures many."""
SHOWN = {  # of each fault the least strength: the hardest to see
    "door, panelled": "staged",
    "door, flush": "emptied",
    "window moved, 3 %": "emptied",
    "lifted, 12 cm": "staged",
    "lifted, no shadow": "staged",
    "1.6 times": "staged",
    "half": "staged",
    "melt, 3 %": "staged",
    "bent, 8 %": "emptied",
    "smear, 5 %": "staged",
    "view, other": "renovated",
    "view, night": "renovated",
}


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """The results are large."""
    yield
    for kept in (room_results.staged, room_results.renovated, room_results.emptied):
        kept.cache_clear()


def good(name: str) -> RoomResult:
    seed = {"staged": STAGED, "renovated": RENOVATED, "emptied": EMPTIED}[name]
    result = getattr(room_results, name)(seed)
    assert isinstance(result, RoomResult)
    return result


@pytest.mark.long
@pytest.mark.parametrize("name", ["staged", "renovated", "emptied"])
def test_a_good_result_passes_whoever_made_it(name: str) -> None:
    for result in (good(name), room_results.as_edit(good(name))):
        report = result.report()
        assert report.passed, [each for each in report.figures if not each.passed]


@pytest.mark.long
@pytest.mark.parametrize("name", SHOWN)
def test_a_planted_fault_in_a_room_is_caught_for_what_it_is(name: str) -> None:
    result, fault = good(SHOWN[name]), FAULTS[name]
    spoilt = fault.plant(result)
    assert spoilt is not None
    report = result.report(spoilt)
    assert report.reason in fault.reasons, [(each.code, each.value) for each in result.figures(spoilt)]


def test_of_several_steps_the_fault_counts() -> None:
    fine = Figure(code=FigureCode.NEW_OPENINGS, value=0, maximum=0, fault=Reason.OPENING_ADDED)
    broken = replace(fine, value=2)
    assert find_worst_figures([(fine,), (broken,), (fine,)]) == (broken,)
    assert find_worst_figures([(), ()]) == ()


def test_of_several_steps_what_is_near_its_limit_goes_before_what_keeps_it_and_after_what_breaks_it() -> None:
    fine = Figure(code=FigureCode.FLOATING_FURNITURE, value=0, maximum=0.4, fault=Reason.FLOATING, margin=0.1)
    near, barely, broken = (replace(fine, value=value) for value in (0.39, 0.41, 0.9))
    assert find_worst_figures([(near,), (fine,)]) == (near,)
    assert find_worst_figures([(barely,), (near,)]) == (barely,)
    assert find_worst_figures([(barely,), (broken,), (barely,)]) == (broken,)
