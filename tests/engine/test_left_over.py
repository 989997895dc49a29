"""What was to be taken away and is still seen in the result speaks against it."""

import json

import numpy as np
import pytest

from engine.arrays import Plane, plane
from engine.geometry.surface import PLACE, Surface
from engine.quality import limits, room_figures
from engine.quality.removal_residue import measure_cut_things, measure_unclear
from engine.types.enhancements import Enhancement
from engine.types.figures import FigureCode
from tests.engine.room_results import rules_of
from tests.scenes import Picture

SHAPE = (60, 90)
PICTURE = np.full((*SHAPE, 3), 128, np.uint8)
WHERE = np.s_[20:40, 30:60]


def _surfaces(thing: Surface) -> Plane:
    found = np.zeros((*SHAPE, len(Surface)), np.float32)
    found[..., PLACE[Surface.FLOOR]] = 1
    found[WHERE] = 0
    found[WHERE][..., PLACE[thing]] = 1
    return plane(found)


def _left(step: Enhancement, before: Surface, after: Surface, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    monkeypatch.setattr(room_figures, "segment_room", lambda _: _surfaces(after))
    region = np.zeros(SHAPE, np.float32)
    region[WHERE] = 1
    work = room_figures.RoomChange(rules_of(step), PICTURE, PICTURE, plane(region), _surfaces(before), None)
    return room_figures._measure_remains(work, plane(region))


@pytest.mark.parametrize(
    ("step", "thing"),
    [(Enhancement.FURNITURE_REMOVAL, Surface.FURNITURE), (Enhancement.DECLUTTER, Surface.CLUTTER)],
)
def test_a_thing_still_seen_is_left_over_and_one_that_is_gone_is_not(
    step: Enhancement, thing: Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, gone = (
        _left(step, thing, after, monkeypatch)[FigureCode.REMAINING_OBJECTS] for after in (thing, Surface.FLOOR)
    )
    assert not limits.make_figure(FigureCode.REMAINING_OBJECTS, kept, limits.ROOM_LIMITS).passed
    assert limits.make_figure(FigureCode.REMAINING_OBJECTS, gone, limits.ROOM_LIMITS).passed


def test_where_no_such_thing_was_seen_nothing_is_said_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert FigureCode.REMAINING_OBJECTS not in _left(
        Enhancement.DECLUTTER, Surface.FLOOR, Surface.CLUTTER, monkeypatch
    )


def _chair(legs: bool, seat: bool) -> tuple[Picture, Plane]:
    """A wide dark seat on two legs before a plain floor, and where seat and what is just around it are."""
    picture = np.full((200, 300, 3), (150, 120, 90), np.uint8)
    if seat:
        picture[60:100, 100:200] = (60, 40, 30)
    if legs:
        picture[100:150, 108:114] = picture[100:150, 186:192] = (60, 40, 30)
    region = np.zeros((200, 300), np.float32)
    region[56:104, 96:204] = 1
    return picture, plane(region)


def _cut(legs_before: bool, legs_after: bool) -> float:
    surfaces = np.zeros((200, 300, len(Surface)), np.float32)
    surfaces[..., PLACE[Surface.FLOOR]] = 1
    before, region = _chair(legs_before, seat=True)
    after, _ = _chair(legs_after, seat=False)
    after[56:104, 96:204] = (150, 120, 90)
    return measure_cut_things((before, after), region, plane(surfaces), (Surface.FURNITURE,))


def test_legs_that_stand_on_below_a_seat_that_is_gone_speak_against_the_result() -> None:
    assert not limits.make_figure(
        FigureCode.CUT_OBJECTS, _cut(legs_before=True, legs_after=True), limits.ROOM_LIMITS
    ).passed
    assert _cut(legs_before=False, legs_after=False) == 0


def test_a_figure_can_be_written_as_json() -> None:
    figure = limits.make_figure(FigureCode.CUT_OBJECTS, np.float64(0.008), limits.ROOM_LIMITS)
    assert (
        json.loads(json.dumps({"value": figure.value, "passed": figure.passed, "near": figure.near}))["passed"]
        is False
    )


def test_an_edge_that_was_at_the_border_before_is_no_piece_of_what_is_gone() -> None:
    surfaces = np.zeros((200, 300, len(Surface)), np.float32)
    surfaces[..., PLACE[Surface.FLOOR]] = 1
    before = np.full((200, 300, 3), (150, 120, 90), np.uint8)
    before[60:100, 100:200] = (60, 40, 30)
    after = np.full((200, 300, 3), (150, 120, 90), np.uint8)
    after[60:100, 100:200] = (190, 170, 150)
    region = np.zeros((200, 300), np.float32)
    region[60:100, 100:200] = 1
    assert measure_cut_things((before, after), plane(region), plane(surfaces), (Surface.FURNITURE,)) == 0


def test_what_looks_like_no_floor_and_no_wall_where_things_were_speaks_against_our_own_result() -> None:
    region = np.zeros(SHAPE, np.float32)
    region[WHERE] = 1
    shares = [measure_unclear(_surfaces(each), plane(region)) for each in (Surface.FLOOR, Surface.OTHER)]
    assert shares == [0, 1]
    passed = [limits.make_figure(FigureCode.UNCLEAR_BACKGROUND, each, limits.ROOM_LIMITS).passed for each in shares]
    assert passed == [True, False]
    assert measure_unclear(_surfaces(Surface.OTHER), plane(np.zeros(SHAPE, np.float32))) == 0
