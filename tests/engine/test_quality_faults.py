"""The report tells the engine's own good results from the same results with planted faults."""

import io
from collections.abc import Iterator
from functools import cache

import pytest

from engine.io.photo import decode
from engine.types.enhancements import Enhancement
from tests import scenes
from tests.engine.faults import BOUND, FAULTS, HOURS, ROOMS, Result, results

pytestmark = pytest.mark.usefixtures("seen_roughly")

QUICK = {name.partition(",")[0]: name for name in reversed(FAULTS)}.values()
"""Of each fault the least strength: the hardest to see."""
# Under stronger casts nobody can tell what is left of one from what was added to none.
CASTS = ((1.0, 1.0, 1.0), (1.0, 0.98, 0.95), (1.0, 0.97, 0.93))


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """The results are many."""
    yield
    good.cache_clear()
    spoilable.cache_clear()


@cache
def good() -> tuple[Result, ...]:
    """What all fitting steps make of drawn houses and rooms: overcast and sunny, dry and green, neutral and yellow.

    bench/quality_faults.py does the same with real photos.
    """
    found: list[Result] = []
    for pictures, steps in ((houses(), (*BOUND, *HOURS)), (rooms(), ROOMS)):
        for picture in pictures:
            found += made_of(picture, steps)
    return tuple(found)


def houses() -> list[scenes.Picture]:
    looks = ((scenes.OVERCAST, scenes.DRY), (scenes.BLUE, scenes.FRESH))
    return [scenes.house(640, 430, sky, lawn) for sky, lawn in looks]


def rooms() -> list[scenes.Picture]:
    return [scenes.room(640, 430, cast) for cast in CASTS]


def made_of(picture: scenes.Picture, steps: tuple[Enhancement, ...]) -> Iterator[Result]:
    return results(decode(io.BytesIO(scenes.encoded(picture, "PNG"))), steps)


@cache
def spoilable() -> dict[Enhancement, Result]:
    """The result of each step that faults are planted in."""
    found: dict[Enhancement, Result] = {}
    (dry, fresh), room = houses(), rooms()[-1]
    for picture, steps in ((fresh, (*BOUND, *HOURS)), (dry, BOUND[1:]), (room, ROOMS)):
        for each in made_of(picture, steps):
            found.setdefault(each.step, each)
    return {step: found[step] for step in (*BOUND, *HOURS, *ROOMS)}


@pytest.mark.long
def test_no_good_result_is_rejected() -> None:
    assert len(good()) >= 13
    reports = [(each.step, each.report()) for each in good()]
    assert [(step, report.reason) for step, report in reports if not report.passed] == []


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in FAULTS]
)
def test_a_planted_fault_is_caught_for_what_it_is(name: str) -> None:
    fault = FAULTS[name]
    fitting = {step: each for step, each in spoilable().items() if step in fault.steps}
    # Two steps at a time; of a fault that is planted in several strengths, other steps for each.
    turn = list(FAULTS).index(name)
    chosen = [*fitting.values(), *fitting.values()][turn % len(fitting) :][:2]
    reasons = {each.step: each.report(each.with_fault(fault)).reason for each in chosen}
    assert None not in reasons.values(), reasons
    assert any(reason in fault.reasons for reason in reasons.values()), reasons
