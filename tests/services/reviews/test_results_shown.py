"""Results made again with what a reviewer shows on the photo, before delivery: steps that were declined succeed."""

from decimal import Decimal

import pytest

from app.container import Container
from app.domain.errors import Conflict, InvalidFields, InvalidRequest, NotFound
from app.domain.lifecycle import Status
from app.domain.reviews import CLAIM_VALID_FOR
from app.domain.revisions import MAX_ROUNDS, RemakeChoice
from app.models import Job, Revision
from app.services import audit
from app.services.exports import feedback_export
from app.services.orders import jobs
from app.services.photos.quality import Decision
from app.services.reviews import claims, decisions
from engine.types.enhancements import Enhancement
from engine.types.hints import HintedSurface, LengthHint, PhotoHint, RoomHint, SceneHints
from engine.types.report import Reason, Verdict
from tests.conftest import Api, revise, work
from tests.fakes import FakeClock, photo
from tests.sent_back import HDR, STAGING, hire, result_of

FLOOR = SceneHints(surfaces={HintedSurface.FLOOR: (((0.1, 0.6), (0.9, 0.6), (0.5, 0.9)),)})
BOTH = (Enhancement.STAGING, Enhancement.HDR)
NOTHING_DONE, ONE_LEFT = photo("UNTOLD DECLINE"), photo("UNTOLD HALF")
"""Rooms in which no step, and not the last, succeeds before somebody says what they show."""


def under_review(api: Api, container: Container, *contents: bytes) -> str:
    """The id of a job that the reviewer holds, of rooms with two steps for 0.5 and 1 credit."""
    container.engine.tells_steps = True
    job_id: str = api.order(interior=list(contents), interiorEnhancements=[HDR, STAGING])["jobId"]
    work(container, automatic=False)
    rae = hire(container)
    with container.database.unit_of_work() as session:
        claims.claim(session, rae, job_id, container.clock())
    return job_id


def show(container: Container, job_id: str, hints: SceneHints = FLOOR, place: int = 0) -> Revision:
    rae, image_id = hire(container), result_of(container, job_id, place).id
    with container.database.unit_of_work() as session:
        chosen = RemakeChoice(hints=hints)
        return decisions.make_again(session, rae, job_id, image_id, chosen, "", container.clock())


def approve(container: Container, job_id: str, place: int = 0) -> None:
    decision, image_id = Decision(Verdict.APPROVED, hire(container)), result_of(container, job_id, place).id
    with container.database.unit_of_work() as session:
        decisions.decide(session, job_id, image_id, decision, container.clock())


def finish(container: Container, job_id: str) -> decisions.DecisionEffect:
    rae = hire(container)
    with container.database.unit_of_work() as session:
        version = decisions.preview_effect(session, job_id).version
        return decisions.finish(session, rae, job_id, version, container.clock())


def is_consistent(container: Container) -> bool:
    with container.database.read_session() as session:
        return not list(audit.find_mismatches(session, container.storage))


def test_a_step_that_was_declined_is_done_and_charged_once_somebody_shows_the_floor(
    api: Api, container: Container
) -> None:
    job_id = under_review(api, container, ONE_LEFT)
    assert result_of(container, job_id).report.applied == (Enhancement.STAGING,)
    with container.database.read_session() as session:
        asked = decisions.get_hinted(session, job_id, result_of(container, job_id).id)
    assert tuple(asked.edit_request.steps) == BOTH, "what was declined is asked about"
    sent = show(container, job_id)
    assert sent.made is not None
    assert sent.made.settings.hints == FLOOR
    revise(container)
    assert container.engine.requests[-1].hints == FLOOR
    assert result_of(container, job_id).report.applied == BOTH
    approve(container, job_id)
    assert finish(container, job_id).refunded == 0
    assert api.credits() == Decimal("98.5")
    assert is_consistent(container)


def test_what_is_declined_all_the_same_is_refunded_once(api: Api, container: Container) -> None:
    job_id = under_review(api, container, photo("HALF"))
    show(container, job_id)
    revise(container)
    approve(container, job_id)
    assert finish(container, job_id).refunded == Decimal("0.5")
    assert api.credits() == 99


def test_a_photo_without_a_picture_gets_one_and_is_no_longer_rejected(api: Api, container: Container) -> None:
    job_id = under_review(api, container, photo("ROOM"), NOTHING_DONE)
    approve(container, job_id)
    assert decisions_left(container, job_id) == 0
    show(container, job_id, place=1)
    assert decisions_left(container, job_id) == 1
    with pytest.raises(Conflict):
        finish(container, job_id)
    revise(container)
    assert result_of(container, job_id, 1).storage_key is not None
    with pytest.raises(Conflict):
        finish(container, job_id)
    approve(container, job_id, 1)
    assert finish(container, job_id).next_status is Status.APPROVED
    assert api.credits() == 97
    assert is_consistent(container)


def decisions_left(container: Container, job_id: str) -> int:
    with container.database.read_session() as session:
        return decisions.preview_effect(session, job_id).undecided


@pytest.mark.parametrize("end", ["declined again", "stopped", "undone"])
def test_a_photo_without_a_picture_is_rejected_as_before_where_it_gets_none(
    api: Api, container: Container, end: str
) -> None:
    lost = photo("DECLINE") if end == "declined again" else NOTHING_DONE
    job_id = under_review(api, container, photo("ROOM"), lost)
    approve(container, job_id)
    rae, image_id, sent = hire(container), result_of(container, job_id, 1).id, show(container, job_id, place=1)
    if end != "stopped":
        revise(container)
    with container.database.unit_of_work() as session:
        if end == "stopped":
            decisions.stop_remake(session, rae, job_id, image_id, container.clock())
        elif end == "undone":
            decisions.undo_remake(session, rae, job_id, image_id, sent.id, container.clock())
    now = result_of(container, job_id, 1)
    assert (now.verdict, now.reason, now.message) == (
        Verdict.REJECTED,
        Reason.ALL_STEPS_DECLINED,
        "Not available.",
    )
    assert finish(container, job_id).refunded == Decimal("1.5")
    assert api.credits() == Decimal("98.5")
    with container.database.read_session() as session:
        judged = feedback_export.list_judged(session)
    assert {each.opinion.decision for each in judged} <= {"approved", "rejected"}, "there was no picture to judge"


def test_an_order_that_ends_while_a_photo_is_made_is_refunded_in_full(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = under_review(api, container, photo("ROOM"), NOTHING_DONE)
    show(container, job_id, place=1)
    with container.database.unit_of_work() as session:
        clock.now = session.get_one(Job, job_id).deadline_at
        jobs.fail_if_overdue(session, job_id, clock())
    revise(container)
    assert api.credits() == 100


def test_hints_of_another_photo_and_those_of_the_picture_are_refused(api: Api, container: Container) -> None:
    job_id = under_review(api, container, photo("ROOM"))
    with pytest.raises(InvalidFields):
        show(container, job_id, SceneHints(photo=PhotoHint("0" * 64), surfaces=FLOOR.surfaces))
    with pytest.raises(InvalidFields):
        show(container, job_id, SceneHints(surfaces={HintedSurface.SKY: ()}))
    with pytest.raises(InvalidRequest) as nothing_new:
        show(container, job_id, SceneHints())
    assert list(nothing_new.value.details or {}) == ["hints"]
    show(container, job_id)
    revise(container)
    with pytest.raises(InvalidRequest):
        show(container, job_id)


def test_it_takes_the_claim_and_is_done_no_more_often_than_any_other_change(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = under_review(api, container, photo("ROOM"))
    for number in range(MAX_ROUNDS):
        show(container, job_id, SceneHints(room=RoomHint(length=LengthHint((0, 1), (1, 1), 3 + number))))
        with pytest.raises(Conflict, match="being redone"):
            show(container, job_id)
        revise(container)
    with pytest.raises(Conflict, match="5 times"):
        show(container, job_id)
    image_id, rae = result_of(container, job_id).id, hire(container)
    with container.database.unit_of_work() as session:
        with pytest.raises(Conflict, match="5 times"):
            decisions.require_remakable(session, rae, job_id, image_id, clock())
        clock.now += CLAIM_VALID_FOR
        with pytest.raises(Conflict, match="ran out"):
            decisions.require_remakable(session, rae, job_id, image_id, clock())
    with container.database.read_session() as session, pytest.raises(NotFound):
        decisions.get_hinted(session, job_id, "img_0000000000000000000000")
