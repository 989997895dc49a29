"""Rooms nobody hoped for: each of the four room steps gives a whole picture or says why it did not."""

import io
from collections.abc import Iterable

import pytest

from engine.pipeline import PictureEngine
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import ChangeType, Enhancement, RoomType, Style
from engine.types.pictures import Enhanced
from engine.types.report import Reason
from tests import scenes
from tests.engine.strange_rooms import STRANGE

REMOVAL, STAGING, RENOVATION = Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING, Enhancement.RENOVATION
CHANGES = (
    RenovationChange(change_type=ChangeType.FLOOR, change_description="light oak planks"),
    RenovationChange(change_type=ChangeType.WALLS, change_description="sage green"),
)
UNCLEAR = {"no_floor": "panorama|floor", "panorama": "panorama", "curved_wall": "bent|walls"}
QUICK = ("panorama", "attic")


def some_long(names: Iterable[str]) -> list[object]:
    """The names as parameters, all but QUICK in the long lane."""
    return [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in sorted(names)]


def asked(name: str, *steps: Enhancement) -> Enhanced:
    request = EditRequest(
        enhancements=tuple(steps), staging=Staging(style=Style.MODERN, room_type=RoomType.OTHER), changes=CHANGES
    )
    return PictureEngine().enhance(
        io.BytesIO(scenes.encoded(STRANGE[name](), "PNG")), request, context=EngineContext(order_seed="order")
    )


@pytest.mark.long
@pytest.mark.parametrize("name", some_long(UNCLEAR))
@pytest.mark.parametrize("step", [REMOVAL, STAGING])
def test_what_cannot_be_measured_is_neither_emptied_nor_furnished(name: str, step: Enhancement) -> None:
    done = asked(name, step)
    assert done.picture is None
    assert done.report.steps[0].reason is Reason.ROOM_UNCLEAR
    assert any(word in done.report.steps[0].message for word in UNCLEAR[name].split("|"))


@pytest.mark.long
@pytest.mark.parametrize("name", some_long(STRANGE))
def test_a_strange_room_is_painted_or_declined_with_the_reason(name: str) -> None:
    done = asked(name, RENOVATION)
    step = done.report.steps[0]
    if done.picture is None:
        assert step.reason and step.message
        return
    assert [each.applied or bool(each.reason and each.message) for each in step.changes] == [True, True]
    assert scenes.decoded(done.picture.content).shape == STRANGE[name]().shape


@pytest.mark.long
@pytest.mark.parametrize("name", some_long(set(STRANGE) - set(UNCLEAR)))
def test_a_strange_room_is_emptied_whole_or_declined_with_the_reason(name: str) -> None:
    done = asked(name, Enhancement.DECLUTTER, REMOVAL)
    if done.picture is not None:
        assert scenes.decoded(done.picture.content).shape == STRANGE[name]().shape
        return
    assert done.report.message
    assert all(step.message for step in done.report.steps if not step.applied)
