"""Rooms nobody hoped for: each of the four room steps gives a whole picture or says why it did not."""

import io
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from app.domain.catalogue import ChangeType, Enhancement, RoomType, Style
from app.domain.ports import Change, Enhanced, Staging, Wish
from app.domain.quality import Reason
from app.engine.pipeline import PictureEngine
from app.engine.room.surface import Surface
from app.engine.staging.ground import Ground
from app.engine.staging.order import Order
from app.engine.staging.plan import furnished
from tests import scenes
from tests.engine.strange_rooms import BARE, STRANGE

REMOVAL, STAGING, RENOVATION = Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING, Enhancement.RENOVATION
CHANGES = (Change(ChangeType.FLOOR, "light oak planks"), Change(ChangeType.WALLS, "sage green"))
UNCLEAR = {"no_floor": "panorama|floor", "panorama": "panorama", "curved_wall": "bent|walls"}
SQUEEZED, SQUARE = 0.4, 1.2
"""Metres: a gap that one still slips through, and how deep the end of the corridor is that a sofa may close."""
QUICK = ("panorama", "attic")


def some_long(names: Iterable[str]) -> list[object]:
    """The names as parameters, all but QUICK in the long lane."""
    return [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in sorted(names)]


def asked(name: str, *steps: Enhancement) -> Enhanced:
    wish = Wish(steps, "order", staging=Staging(Style.MODERN, RoomType.OTHER), changes=CHANGES)
    return PictureEngine().enhance(io.BytesIO(scenes.encoded(STRANGE[name](), "PNG")), wish)


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


@pytest.mark.long
@pytest.mark.parametrize(
    "style",
    [Style.MODERN, *(pytest.param(each, marks=pytest.mark.long) for each in (Style.FARMHOUSE, Style.COASTAL))],
)
def test_a_sofa_bars_no_corridor(style: Style) -> None:
    narrow = replace(BARE, left=-0.6, right=0.7, far=9.0, window=None)
    shares = np.eye(len(Surface), dtype=np.float32)[narrow.drawn(furnished=False)[1]]
    placed = furnished(Ground(narrow.room, shares), Order(RoomType.LIVING_ROOM, style, 4))
    assert placed
    main = placed[0]
    left, right = main.corners[:, 0].min() + 0.6, 0.7 - main.corners[:, 0].max()
    assert max(left, right) >= SQUEEZED or narrow.far - main.corners[:, 1].max() < SQUARE, main.name
