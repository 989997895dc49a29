"""What a picture server gives back, well and badly edited, and what the engine makes of it."""

import numpy as np
import pytest

from engine.types.edit_request import RenovationChange
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.hints import SceneHints, ThingHint, ThingKind
from engine.types.report import Reason
from tests import edit_server, scenes
from tests.engine import edits
from tests.engine.generative_runs import Studio
from tests.engine.rooms import ROOMS

E = Enhancement
FLOOR = (
    RenovationChange(
        change_type=ChangeType.FLOOR, change_description="gray oak planks", reference_text="a matt finish"
    ),
)
GOOD = {
    E.STAGING: (edits.furnished, lambda picture: picture),
    E.DECLUTTER: (edits.tidied, edits.cluttered),
    E.FURNITURE_REMOVAL: (edits.emptied, edits.with_sofa),
    E.RENOVATION: (edits.refloored, lambda picture: picture),
}


def blank(picture: scenes.Picture, _: edits.Free) -> scenes.Picture:
    return np.full_like(picture, 128)


def squared(picture: scenes.Picture, free: edits.Free) -> scenes.Picture:
    return np.ascontiguousarray(edits.furnished(picture, free)[:, 120:-120])


def tenfold(picture: scenes.Picture, _: edits.Free) -> scenes.Picture:
    return np.repeat(np.repeat(picture, 10, 0), 10, 1)


def as_it_came(picture: scenes.Picture, _: edits.Free) -> scenes.Picture:
    return picture


def only_rendered(picture: scenes.Picture, _: edits.Free) -> scenes.Picture:
    return edits.rendered(picture)


@pytest.mark.long
def test_a_good_edit_after_a_bad_one_is_taken_and_the_server_was_told_what_was_wrong() -> None:
    answers = (edit_server.edit(edits.shifted), edit_server.edit(edits.furnished))
    with edit_server.running(*answers) as server:
        studio = Studio(server)
        studio.after(ROOMS[0].drawn(), E.STAGING)
    first, second = (seen.fields["prompt"] for seen in server.seen)
    assert studio.purse.spent == 2
    assert second.startswith(first)
    assert "Do not move the camera" in second


@pytest.mark.long
def test_the_report_shows_what_the_edit_was_held_to() -> None:
    with edit_server.running(edit_server.edit(edits.furnished)) as server:
        done = Studio(server).enhanced(scenes.encoded(ROOMS[0].drawn(), "PNG"), E.STAGING)
    figures = {(figure.edit, figure.code): figure for figure in done.report.figures}
    moved = figures["Virtual staging", "parts_in_place"]
    assert moved.passed
    assert moved.fault is Reason.DRIFTED


@pytest.mark.parametrize(
    ("step", "room"),
    [
        (E.STAGING, 0),
        *(
            pytest.param(step, room, marks=pytest.mark.long)
            for step in GOOD
            for room in range(len(ROOMS))
            # The outline of the first room's floor is so close that an edit of all of it is asked for once more.
            if (step, room) not in ((E.STAGING, 0), (E.RENOVATION, 0))
        ),
    ],
)
def test_a_good_edit_is_taken_at_once(step: Enhancement, room: int) -> None:
    editor, before = GOOD[step]
    picture = before(ROOMS[room].drawn())
    with edit_server.running(edit_server.edit(editor)) as server:
        studio = Studio(server)
        after = studio.after(picture, step, FLOOR if step is E.RENOVATION else ())
    assert len(server.seen) == studio.purse.spent == 1
    assert after.shape == picture.shape
    floor = np.s_[int(0.66 * 512) : int(0.82 * 512), int(0.45 * 768) : int(0.62 * 768)]
    assert np.abs(after[floor].astype(int) - picture[floor]).mean() > 4
    # What must stay is there to the byte, though the server gave all of it back in another tone.
    ceiling = np.s_[: int(0.09 * 512)]
    assert (after[ceiling] == picture[ceiling]).all()


@pytest.mark.parametrize(
    ("step", "editor", "reason"),
    [
        (E.STAGING, edits.shifted, Reason.DRIFTED),
        pytest.param(E.STAGING, edits.zoomed, Reason.DRIFTED, marks=pytest.mark.long),
        pytest.param(E.STAGING, edits.bent, Reason.DRIFTED, marks=pytest.mark.long),
        (E.STAGING, edits.with_door, Reason.OPENING_ADDED),
        pytest.param(E.STAGING, edits.with_window, Reason.OPENING_ADDED, marks=pytest.mark.long),
        pytest.param(E.STAGING, edits.without_window, Reason.STRUCTURE_CHANGED, marks=pytest.mark.long),
        pytest.param(E.STAGING, edits.cut_off, Reason.CUT_OFF, marks=pytest.mark.long),
        pytest.param(E.STAGING, as_it_came, Reason.NOT_CHANGED, marks=pytest.mark.long),
        pytest.param(E.STAGING, only_rendered, Reason.NOT_CHANGED, marks=pytest.mark.long),
        pytest.param(E.STAGING, blank, Reason.BLANK, marks=pytest.mark.long),
        pytest.param(E.STAGING, squared, Reason.SIZE_CHANGED, marks=pytest.mark.long),
        pytest.param(E.STAGING, tenfold, Reason.ANSWER_UNUSABLE, marks=pytest.mark.long),
        pytest.param(E.DECLUTTER, edits.repainted, Reason.TOO_MUCH_CHANGED, marks=pytest.mark.long),
    ],
)
def test_a_bad_edit_is_tried_again_and_then_declined(
    step: Enhancement, editor: edits.Editor, reason: Reason
) -> None:
    with edit_server.running(edit_server.edit(editor)) as server:
        studio = Studio(server)
        outcome = studio.declined(ROOMS[1].drawn(), step)
    assert outcome.reason is reason
    assert len(server.seen) == studio.purse.spent == 3
    assert "was not done" in outcome.message


@pytest.mark.long
@pytest.mark.parametrize("editor", [edits.shifted, edits.with_door, edits.with_window])
@pytest.mark.parametrize("room", [0, 2])
def test_no_room_hides_a_moved_camera_or_a_new_opening(editor: edits.Editor, room: int) -> None:
    with edit_server.running(edit_server.edit(editor)) as server:
        outcome = Studio(server).declined(ROOMS[room].drawn(), E.STAGING)
    assert outcome.reason in {Reason.DRIFTED, Reason.OPENING_ADDED}


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(50),
        *(pytest.param(each, marks=pytest.mark.long) for each in (b"", b"<html>", b"GIF89a" + bytes(50))),
    ],
)
def test_what_is_no_picture_is_an_unusable_answer(body: bytes) -> None:
    with edit_server.running(edit_server.content(body)) as server:
        outcome = Studio(server).declined(ROOMS[0].drawn(480, 320), E.DECLUTTER)
    # An empty text is no answer at all, which the adapter takes for a server in trouble.
    assert outcome.reason is (Reason.ANSWER_UNUSABLE if body else Reason.SERVER_UNAVAILABLE)


@pytest.mark.long
def test_a_step_that_declines_leaves_the_results_of_the_others() -> None:
    content = scenes.encoded(edits.cluttered(ROOMS[0].drawn()), "PNG")
    answers = (edit_server.edit(edits.tidied), edit_server.edit(edits.with_door))
    with edit_server.running(*answers) as server:
        done = Studio(server).enhanced(content, E.DECLUTTER, E.STAGING, E.HDR)
    assert done.picture is not None
    assert done.report.passed
    assert done.report.declined == (E.STAGING,)


@pytest.mark.long
@pytest.mark.usefixtures("seen_anew")
def test_the_same_photo_and_the_same_edit_give_the_same_bytes() -> None:
    content = scenes.encoded(ROOMS[2].drawn())
    with edit_server.running(edit_server.edit(edits.furnished)) as server:
        one, other = (Studio(server).enhanced(content, E.STAGING).picture for _ in range(2))
    assert one == other
    assert server.seen[0] == server.seen[1]


def test_a_photo_too_small_to_judge_costs_nothing() -> None:
    for size in ((1, 1), (60, 2000), (100, 90)):
        with edit_server.running(edit_server.edit(edits.furnished)) as server:
            outcome = Studio(server).declined(ROOMS[0].drawn()[: size[0], : size[1]], E.STAGING)
        assert outcome.reason is Reason.TOO_SMALL
        assert server.seen == []


@pytest.mark.long
def test_a_hinted_thing_goes_alone_however_small_it_is() -> None:
    box = (0.6, 0.9, 0.625, 0.93)
    left, top, right, bottom = box
    picture = ROOMS[0].drawn().copy()
    edits.rectangle(picture, box, (176, 138, 96))
    outline = ((left, top), (right, top), (right, bottom), (left, bottom))
    hints = SceneHints(things=(ThingHint(ThingKind.CLUTTER, outline),))
    with edit_server.running(edit_server.edit(edits.without((box,)))) as server:
        studio = Studio(server)
        hinted = studio.enhanced(scenes.encoded(picture, "PNG"), E.DECLUTTER, hints=hints)
        plain = studio.enhanced(scenes.encoded(picture, "PNG"), E.DECLUTTER)
    assert hinted.picture is not None, hinted.report
    assert [each.reason for each in plain.report.steps] == [Reason.NOT_CHANGED]
    assert "62" in server.seen[0].fields["prompt"]
    assert server.seen[0].free.mean() < 0.01
    after = scenes.decoded(hinted.picture.content)
    changed = np.argwhere(np.abs(after.astype(int) - picture).max(-1) > 8) / picture.shape[:2]
    assert (changed.min(0) > (top - 0.05, left - 0.05)).all()
    assert (changed.max(0) < (bottom + 0.05, right + 0.05)).all()
