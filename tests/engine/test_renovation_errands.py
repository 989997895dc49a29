"""Renovations: all changes of a photo in as few calls as carry them, with the pictures to go by."""

import io
from typing import BinaryIO

import numpy as np
import pytest

from engine.generative.renovation import MAX_CHANGES, MAX_REFERENCES, split_into_batches
from engine.types.edit_request import RenovationChange
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.report import Reason
from tests import edit_server, scenes
from tests.engine import edits
from tests.engine.generative_runs import Studio
from tests.engine.rooms import ROOMS

pytestmark = pytest.mark.usefixtures("seen_roughly")

RENOVATION = Enhancement.RENOVATION
ROOM = ROOMS[0].drawn()
good = edit_server.edit(edits.refloored)
FILES = {
    "uploads/oak": scenes.encoded(np.full((1400, 2100, 3), (180, 140, 90), np.uint8)),
    "uploads/slate": scenes.encoded(np.full((30, 20, 3), (60, 62, 66), np.uint8), "WEBP"),
    "uploads/broken": b"\xff\xd8\xff no picture",
}


def open_reference(key: str) -> BinaryIO:
    if key not in FILES:
        raise FileNotFoundError(key)
    return io.BytesIO(FILES[key])


def floor(*references: str, kind: ChangeType = ChangeType.FLOOR) -> RenovationChange:
    return RenovationChange(
        change_type=kind, change_description="a new surface of wood", reference_images=references
    )


def test_all_changes_go_into_one_call_with_their_pictures_in_order() -> None:
    changes = (
        floor("uploads/oak"),
        RenovationChange(
            change_type=ChangeType.FLOOR, change_description="dull steel", reference_text="as in a kitchen"
        ),
        floor("uploads/slate"),
    )
    with edit_server.running(good) as server:
        Studio(server, open_reference=open_reference).after(ROOM, RENOVATION, changes)
    (seen,) = server.seen
    sizes = [edit_server.decoded(each).shape[:2] for each in seen.pictures]
    assert sizes == [(512, 768), (683, 1024), (30, 20)]
    prompt = seen.fields["prompt"]
    assert "input image 2," in prompt.splitlines()[1]
    assert '"dull steel"' in prompt.splitlines()[2]
    assert "input image 3," in prompt.splitlines()[3]


@pytest.mark.long
def test_a_change_frees_its_own_surface_and_one_without_a_surface_may_need_all() -> None:
    left, _, right, bottom = ROOMS[0].back
    floor_drawn = (1 - bottom) * (1 + right - left) / 2
    masks = {}
    for kind in (ChangeType.FLOOR, ChangeType.WALLS, ChangeType.LIGHTING):
        with edit_server.running(good) as server:
            Studio(server).enhanced(edit_server.encoded(ROOM), RENOVATION, changes=(floor(kind=kind),))
        masks[kind] = server.seen[0].free
    assert masks[ChangeType.FLOOR].mean() == pytest.approx(floor_drawn, abs=0.04)
    assert masks[ChangeType.FLOOR][450:, 300:500].all()
    assert not masks[ChangeType.WALLS][450:, 300:500].any()
    assert masks[ChangeType.WALLS][170:300, 240:300].all()
    assert masks[ChangeType.LIGHTING].all()


@pytest.mark.parametrize("key", ["uploads/broken", "uploads/gone"])
def test_a_picture_that_cannot_be_used_is_said_before_anything_is_paid(key: str) -> None:
    with edit_server.running(good) as server:
        studio = Studio(server, open_reference=open_reference)
        outcome = studio.declined(ROOM, RENOVATION, (floor("uploads/oak"), floor(key)))
    assert outcome.reason is Reason.REFERENCE_UNUSABLE
    assert "reference picture" in outcome.message
    assert studio.purse.spent == 0
    assert server.seen == []


def test_without_a_change_there_is_nothing_to_ask() -> None:
    with edit_server.running(good) as server:
        assert Studio(server).declined(ROOM, RENOVATION).reason is Reason.NOT_CHANGED
    assert server.seen == []


@pytest.mark.long
def test_a_new_door_is_let_through_only_where_anything_may_be_asked() -> None:
    for kind, reason in ((ChangeType.WALLS, Reason.OPENING_ADDED), (ChangeType.OTHER, None)):
        with edit_server.running(edit_server.edit(edits.within(edits.with_door))) as server:
            done = Studio(server).enhanced(edit_server.encoded(ROOM), RENOVATION, changes=(floor(kind=kind),))
        assert done.report.steps[0].reason is reason


def test_many_changes_are_split_where_one_call_cannot_carry_them() -> None:
    plain = [floor() for _ in range(MAX_CHANGES + 1)]
    assert [len(batch) for batch in split_into_batches(plain)] == [MAX_CHANGES, 1]
    rich = [floor("a", "b", "c", "d") for _ in range(5)]
    assert [len(batch) for batch in split_into_batches(rich)] == [MAX_REFERENCES // 4, 2]
    assert [change for batch in split_into_batches(rich) for change in batch] == rich
    assert list(split_into_batches([])) == []


@pytest.mark.long
def test_each_batch_is_a_call_on_what_the_last_one_made() -> None:
    changes = tuple(floor() for _ in range(MAX_CHANGES + 1))

    def darker(picture: scenes.Picture, free: edits.Free) -> scenes.Picture:
        share = free[..., None] * 0.3
        return (picture * (1 - share)).astype(np.uint8)

    with edit_server.running(edit_server.edit(darker)) as server:
        after = Studio(server).after(ROOM, RENOVATION, changes)
    first, second = (seen.picture for seen in server.seen)
    floor_only = np.s_[400:, 200:560]
    assert second[floor_only].mean() == pytest.approx(first[floor_only].mean() * 0.7, rel=0.03)
    assert after[floor_only].mean() == pytest.approx(first[floor_only].mean() * 0.49, rel=0.05)
