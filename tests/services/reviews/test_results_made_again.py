"""Results that a reviewer sends back before delivery: made again by workers, back in the same review."""

from decimal import Decimal

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.attempts import PICTURES
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.events import EventName
from app.domain.lifecycle import Status
from app.domain.pictures import AS_ORDERED, PictureSettings
from app.domain.reviews import CLAIM_VALID_FOR
from app.domain.revisions import MAX_ROUNDS, RemakeChoice, RevisionOutcome, RevisionReason
from app.models import Event, Job, Mail, Result, Revision, StaffAct, StoredPicture
from app.services import audit
from app.services.exports import feedback_export
from app.services.orders import jobs
from app.services.photos import pictures
from app.services.photos.make_pictures import _AnotherPicture
from app.services.photos.quality import Decision
from app.services.reviews import claims, decisions, lists
from app.services.revisions import queue
from engine.types.enhancements import Enhancement
from engine.types.report import Verdict
from tests.conftest import Api, photo_worker, revise, revision_worker, work
from tests.fakes import FakeClock, photo
from tests.sent_back import HDR, STAGING, content_of, hire, result_of, rounds, send_back

SEED = RemakeChoice(another_seed=True)


def under_review(api: Api, container: Container, *contents: bytes, outside: tuple[bytes, ...] = ()) -> str:
    """The id of a job that the reviewer holds, of rooms with two steps and of photos outside with two."""
    container.engine.tells_steps = True
    asked: dict[str, object] = {}
    if contents:
        asked = {"interior": list(contents), "interiorEnhancements": [HDR, STAGING]}
    if outside:
        asked |= {"exterior": list(outside), "exteriorEnhancements": ["grass_enhancement", "sky_enhancement"]}
    job_id: str = api.order(**asked)["jobId"]
    work(container, automatic=False)
    with container.database.unit_of_work() as session:
        claims.claim(session, hire(container), job_id, container.clock())
    return job_id


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """One room."""
    return under_review(api, container, photo("ROOM"))


def rework(
    container: Container, job_id: str, chosen: RemakeChoice = SEED, words: str = "", place: int = 0
) -> Revision:
    rae, image_id = hire(container), result_of(container, job_id, place).id
    with container.database.unit_of_work() as session:
        return decisions.make_again(session, rae, job_id, image_id, chosen, words, container.clock())


def decide(container: Container, job_id: str, verdict: Verdict, *refunded_steps: str, place: int = 0) -> None:
    reason = "Colors are off." if verdict is Verdict.REJECTED else ""
    steps = [Enhancement(each) for each in refunded_steps]
    decision = Decision(verdict, hire(container), reason, steps)
    image_id = result_of(container, job_id, place).id
    with container.database.unit_of_work() as session:
        decisions.decide(session, job_id, image_id, decision, container.clock())


def finish(container: Container, job_id: str) -> decisions.DecisionEffect:
    rae = hire(container)
    with container.database.unit_of_work() as session:
        version = decisions.preview_effect(session, job_id).version
        return decisions.finish(session, rae, job_id, version, container.clock())


def kept(container: Container, job_id: str) -> list[Revision]:
    with container.database.read_session() as session:
        mine = select(Revision).where(Revision.job_id == job_id, Revision.by_reviewer)
        return list(session.scalars(mine.order_by(Revision.result_id, Revision.round)))


def test_a_photo_is_made_again_otherwise_while_the_rest_is_approved(api: Api, container: Container) -> None:
    job_id = under_review(api, container, photo("ROOM 1"), photo("ROOM 2"))
    before = result_of(container, job_id)
    sent = rework(container, job_id, RemakeChoice(another_seed=True, less=True), "The sofa floats.")
    assert sent.made.settings == PictureSettings(photo_seed=1, strength=0.65)
    decide(container, job_id, Verdict.APPROVED, place=1)
    with pytest.raises(Conflict):
        finish(container, job_id)
    assert revise(container) == 1
    now, (done,) = result_of(container, job_id), kept(container, job_id)
    assert (now.verdict, now.picture.settings) == (Verdict.UNDECIDED, sent.made.settings)
    assert content_of(container, now.storage_key) != content_of(container, before.storage_key)
    assert (done.outcome, done.round, done.before.storage_key) == (RevisionOutcome.REVISED, 1, before.storage_key)
    decide(container, job_id, Verdict.APPROVED)
    assert finish(container, job_id).next_status is Status.APPROVED


def test_the_customer_hears_nothing_of_it(api: Api, container: Container, job_id: str) -> None:
    rework(container, job_id)
    revise(container)
    decide(container, job_id, Verdict.APPROVED)
    finish(container, job_id)
    with container.database.read_session() as session:
        assert EventName.PHOTO_REVISED not in session.scalars(select(Event.name)).all()
        assert [each for each in session.scalars(select(Mail.subject)) if "sent back" in each] == []
        assert queue.queue(session).total == 0
    assert rounds(container, job_id) == []
    image_id = result_of(container, job_id).id
    assert api.get(f"/jobs/{job_id}/images/{image_id}/revisions").json == {"livemode": True, "revisions": []}


def test_afterwards_the_customer_has_all_their_rounds_and_other_chances(container: Container, job_id: str) -> None:
    for _ in range(MAX_ROUNDS):
        rework(container, job_id)
        revise(container)
    decide(container, job_id, Verdict.APPROVED)
    finish(container, job_id)
    sent = send_back(container, job_id, "furniture_place")
    assert (sent.round, sent.made.settings) == (1, PictureSettings(photo_seed=MAX_ROUNDS + 1))


def test_a_result_is_made_again_so_often_and_no_more(container: Container, job_id: str) -> None:
    for _ in range(MAX_ROUNDS):
        rework(container, job_id)
        revise(container)
    with pytest.raises(Conflict, match="5 times"):
        rework(container, job_id)
    assert [each.round for each in kept(container, job_id)] == [1, 2, 3, 4, 5]


def test_the_price_of_a_step_left_out_goes_back_when_the_review_ends_and_not_before(
    api: Api, container: Container, job_id: str
) -> None:
    before = api.credits()
    rework(container, job_id, RemakeChoice(left_out=[Enhancement.STAGING]))
    revise(container)
    assert api.credits() == before
    decide(container, job_id, Verdict.APPROVED)
    assert finish(container, job_id).refunded == 1
    assert api.credits() == before + 1


def test_a_rejected_photo_gives_back_its_price_once_whatever_was_left_out(
    api: Api, container: Container, job_id: str
) -> None:
    rework(container, job_id, RemakeChoice(left_out=[Enhancement.STAGING]))
    revise(container)
    decide(container, job_id, Verdict.APPROVED, HDR)
    decide(container, job_id, Verdict.REJECTED)
    assert finish(container, job_id).refunded == Decimal("1.5")
    assert api.credits() == 100


def test_the_price_of_a_step_that_stays_goes_back_when_the_review_ends(
    api: Api, container: Container, job_id: str
) -> None:
    before = api.credits()
    with pytest.raises(InvalidRequest):
        decide(container, job_id, Verdict.APPROVED, "declutter")
    decide(container, job_id, Verdict.APPROVED, STAGING)
    assert finish(container, job_id).refunded == 1
    assert api.credits() == before + 1
    assert send_back(container, job_id, "other").round == 1


def test_a_step_outside_gives_back_its_share_and_all_of_them_no_more_than_was_paid(
    api: Api, container: Container
) -> None:
    outside = tuple(photo(f"HOUSE {number}") for number in range(3))
    job_id = under_review(api, container, outside=outside)
    for place in range(3):
        decide(container, job_id, Verdict.APPROVED, "grass_enhancement", "sky_enhancement", place=place)
    assert finish(container, job_id).refunded == Decimal("1.98")
    with container.database.read_session() as session:
        assert list(audit.find_mismatches(session, container.storage)) == []


def test_the_picture_from_before_can_be_taken_back(container: Container, job_id: str) -> None:
    before = result_of(container, job_id)
    first = rework(container, job_id)
    revise(container)
    rae, image_id = hire(container), before.id
    with container.database.unit_of_work() as session:
        decisions.undo_remake(session, rae, job_id, image_id, first.id, container.clock())
    now = result_of(container, job_id)
    assert (now.picture_id, now.picture.settings) == (before.picture_id, AS_ORDERED)
    with pytest.raises(Conflict), container.database.unit_of_work() as session:
        decisions.undo_remake(session, rae, job_id, image_id, first.id, container.clock())
    assert rework(container, job_id).made.settings == PictureSettings(photo_seed=2)


def test_what_is_being_made_is_not_decided_but_can_be_stopped(container: Container, job_id: str) -> None:
    before, sent = result_of(container, job_id), rework(container, job_id)
    for act in (lambda: decide(container, job_id, Verdict.APPROVED), lambda: rework(container, job_id)):
        with pytest.raises(Conflict, match="being redone"):
            act()
    with container.database.unit_of_work() as session:
        held = pictures.claim(session, sent.made_id, container.clock())
    assert held is not None
    rae = hire(container)
    with container.database.unit_of_work() as session:
        decisions.stop_remake(session, rae, job_id, before.id, container.clock())
    with container.database.unit_of_work() as session:
        assert not pictures.retry(session, held, container.clock())
    assert revise(container) == 0
    assert result_of(container, job_id).storage_key == before.storage_key
    decide(container, job_id, Verdict.APPROVED)
    assert [each.outcome for each in kept(container, job_id)] == [RevisionOutcome.WITHDRAWN]
    with pytest.raises(Conflict), container.database.unit_of_work() as session:
        decisions.stop_remake(session, rae, job_id, before.id, container.clock())


@pytest.mark.parametrize("end", ["time limit", "failed by staff"])
def test_an_order_that_ends_meanwhile_ends_the_round_and_its_picture_is_dropped(
    api: Api, container: Container, clock: FakeClock, job_id: str, end: str
) -> None:
    sent = rework(container, job_id)
    with container.database.unit_of_work() as session:
        held = pictures.claim(session, sent.made_id, container.clock())
    assert held is not None
    with container.database.unit_of_work() as session:
        if end == "time limit":
            clock.now = session.get_one(Job, job_id).deadline_at
            jobs.fail_if_overdue(session, job_id, clock())
        else:
            jobs.fail(session, jobs.lock(session, job_id), "Stopped.", clock())
    worker = photo_worker(container)
    _AnotherPicture(worker, held, worker.engine).run()
    (over,) = kept(container, job_id)
    assert over.outcome is RevisionOutcome.DECLINED
    assert over.new_picture is None
    assert api.credits() == 100
    with container.database.read_session() as session:
        lying = {file.key for file in container.storage.list_files(f"results/{job_id}/")}
        results = session.scalars(select(StoredPicture.storage_key).where(StoredPicture.job_id == job_id)).all()
    assert lying == {key for key in results if key}


def test_a_worker_that_dies_leaves_it_to_the_next_and_the_last_leaves_the_picture_as_it_was(
    container: Container, clock: FakeClock, job_id: str
) -> None:
    before, sent = result_of(container, job_id), rework(container, job_id)
    for _ in range(PICTURES.max_attempts):
        with container.database.unit_of_work() as session:
            assert pictures.claim(session, sent.made_id, clock()) is not None
        clock.pass_(minutes=5)
    revision_worker(container).make(sent.id)
    (over,) = kept(container, job_id)
    assert (over.outcome, over.reason) == (RevisionOutcome.DECLINED, RevisionReason.PROCESSING_FAILED)
    assert result_of(container, job_id).storage_key == before.storage_key


def test_only_who_holds_the_order_sends_back_and_what_cannot_be_is_refused(
    api: Api, container: Container, clock: FakeClock, job_id: str
) -> None:
    other = under_review(api, container, photo("OTHER"))
    foreign, rae = result_of(container, other).id, hire(container)
    with pytest.raises(NotFound), container.database.unit_of_work() as session:
        decisions.make_again(session, rae, job_id, foreign, SEED, "", clock())
    every = RemakeChoice(left_out=[Enhancement.HDR, Enhancement.STAGING])
    for wrong in (RemakeChoice(), every, RemakeChoice(left_out=[Enhancement.SKY])):
        with pytest.raises(InvalidRequest):
            rework(container, job_id, wrong)
    with pytest.raises(InvalidRequest):
        rework(container, job_id, SEED, "x" * 501)
    clock.now += CLAIM_VALID_FOR
    with pytest.raises(Conflict, match="ran out"):
        rework(container, job_id)
    assert kept(container, job_id) == []


def test_sending_back_renews_the_claim_and_is_written_down(
    container: Container, clock: FakeClock, job_id: str
) -> None:
    clock.pass_(minutes=15)
    rework(container, job_id, SEED, "The sofa floats.")
    with container.database.read_session() as session:
        assert session.get_one(Job, job_id).review_until == clock() + CLAIM_VALID_FOR
        said = session.scalars(select(StaffAct.detail).order_by(StaffAct.id.desc())).first()
    assert said == "interior-1, before delivery, round 1, another random start (number 1). The sofa floats"


def test_the_next_to_decide_is_none_that_is_being_made(api: Api, container: Container) -> None:
    job_id = under_review(api, container, *(photo(f"ROOM {number}") for number in range(3)))
    rework(container, job_id, place=1)
    with container.database.read_session() as session:
        assert lists.next_undecided(session, job_id, result_of(container, job_id).id) == (3, True)
    decide(container, job_id, Verdict.APPROVED, place=2)
    with container.database.read_session() as session:
        assert lists.next_undecided(session, job_id, result_of(container, job_id).id) == (1, False)


def judged(container: Container) -> list[tuple[str, str, str, bool]]:
    """What leaves as verdicts: whose, which, why, and whether on the picture there is now."""
    with container.database.read_session() as session:
        current = {each.storage_key for each in session.scalars(select(Result))}
        return [
            (each.opinion.judge, each.opinion.decision, each.opinion.reason, each.result_key in current)
            for each in feedback_export.list_judged(session)
        ]


def test_what_a_reviewer_had_made_again_is_a_verdict_on_the_picture_before_once_the_job_is_done(
    container: Container, job_id: str
) -> None:
    rework(container, job_id, words="The sofa floats.")
    revise(container)
    decide(container, job_id, Verdict.APPROVED)
    assert judged(container) == [], "all may still be taken back"
    finish(container, job_id)
    assert set(judged(container)) == {
        ("reviewer", "not", "The sofa floats.", False),
        ("reviewer", "approved", "", True),
    }


def test_what_a_reviewer_stopped_is_no_verdict(container: Container, job_id: str) -> None:
    rework(container, job_id, words="The sofa floats.")
    with container.database.unit_of_work() as session:
        decisions.stop_remake(session, hire(container), job_id, result_of(container, job_id).id, container.clock())
    decide(container, job_id, Verdict.APPROVED)
    finish(container, job_id)
    assert [decision for _, decision, _, _ in judged(container)] == ["approved"]
