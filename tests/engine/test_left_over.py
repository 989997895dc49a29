"""What was to be taken away and is still seen in the result speaks against it."""

import numpy as np
import pytest

from app.domain.catalogue import Enhancement
from app.engine.arrays import Plane, plane
from app.engine.geometry.surface import PLACE, Surface
from app.engine.quality import limits, room_figures
from tests.engine.room_results import rules_of

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
    return room_figures._measure_left(work, plane(region))


@pytest.mark.parametrize(
    ("step", "thing"),
    [(Enhancement.FURNITURE_REMOVAL, Surface.FURNITURE), (Enhancement.DECLUTTER, Surface.CLUTTER)],
)
def test_a_thing_still_seen_is_left_over_and_one_that_is_gone_is_not(
    step: Enhancement, thing: Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, gone = (_left(step, thing, after, monkeypatch)[limits.LEFT] for after in (thing, Surface.FLOOR))
    assert not limits.make_figure(limits.LEFT, kept, limits.INSIDE).passed
    assert limits.make_figure(limits.LEFT, gone, limits.INSIDE).passed


def test_where_no_such_thing_was_seen_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _left(Enhancement.DECLUTTER, Surface.FLOOR, Surface.CLUTTER, monkeypatch) == {}
