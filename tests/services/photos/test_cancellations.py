"""Cancelling a job: what was not begun is refunded exactly and at once, whoever acts at the same time."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.errors import Conflict
from app.domain.events import EventName
from app.domain.lifecycle import Status
from app.domain.reviews import QcMode
from app.models import Event, Job, Mail, Result
from app.services.orders import jobs
from app.services.photos import cancellations, photos, quality
from app.services.photos.cancellations import CancelOutcome
from app.services.photos.quality import Decision
from engine.types.report import Verdict
from tests.acts import at_once, delete_account
from tests.conftest import Api, photo_worker, work
from tests.fakes import FakeClock, photo

GOOD = [photo("GOOD")]


def cancel(container: Container, api: Api, job_id: str, mode: QcMode = QcMode.AUTO) -> CancelOutcome:
    with container.database.unit_of_work() as session:
        outcome, _ = cancellations.cancel(session, api.account_id, job_id, container.clock(), mode)
        return outcome


def claim(container: Container, job: dict[str, Any], place: int) -> None:
    """Let a worker begin with this photo, and die."""
    with container.database.unit_of_work() as session:
        assert photos.claim(session, job["assets"][place]["id"], container.clock())


def finish(container: Container, clock: FakeClock, mode: QcMode | None = None) -> None:
    """Let other workers end what was begun."""
    clock.pass_(seconds=60)
    work(container, mode=mode)


def read_events(container: Container, job_id: str) -> list[str]:
    with container.database.read_session() as session:
        return list(session.scalars(select(Event.name).where(Event.job_id == job_id)))


def test_a_job_of_which_nothing_was_begun_is_cancelled_whole(container: Container, api: Api) -> None:
    before = api.credits()
    job = api.order(GOOD * 2, GOOD)
    assert cancel(container, api, job["jobId"]) is CancelOutcome.CANCELLED
    assert api.credits() == before
    status = api.status(job["jobId"])
    assert status["status"] == "undeliverable"
    assert status["undeliverable"]["code"] == "cancelled"
    assert status["undeliverable"]["creditsRefunded"] == job["creditCost"]
    assert status["cancelledAt"]
    assert {each["reason"] for each in api.get(f"/jobs/{job['jobId']}/quality").json["photos"]} == {"cancelled"}
    assert sorted(read_events(container, job["jobId"])) == ["job.cancelled", "job.created", "job.undeliverable"]
    assert work(container) == 0, "no worker finds it"
    assert cancel(container, api, job["jobId"]) is CancelOutcome.CANCELLED, "harmless to repeat"
    assert api.credits() == before


def test_photos_that_were_begun_go_on_and_are_settled_as_usual(
    container: Container, api: Api, clock: FakeClock
) -> None:
    before = api.credits()
    job = api.order(
        [photo("DECLINE"), photo("GOOD"), photo("GOOD")], GOOD, exteriorEnhancements=["sky_enhancement"]
    )
    assert job["creditCost"] == 2.5
    claim(container, job, 1)
    claim(container, job, 2)
    assert cancel(container, api, job["jobId"]) is CancelOutcome.CANCELLING
    assert api.credits() == before - 1, "two rooms go on"
    assert cancel(container, api, job["jobId"]) is CancelOutcome.CANCELLING
    assert api.status(job["jobId"])["status"] == "processing"
    finish(container, clock)
    assert api.status(job["jobId"])["status"] == "approved"
    assert api.credits() == before - 0.5, "one of the two declined"
    assert cancel(container, api, job["jobId"]) is CancelOutcome.ALREADY_DONE
    reasons = [each.get("reason") for each in api.get(f"/jobs/{job['jobId']}/quality").json["photos"]]
    assert sorted(map(str, reasons)) == ["None", "all_steps_declined", "cancelled", "cancelled"]
    assert api.get(f"/downloads/{job['jobId']}").json["imageCount"] == 1


def test_outside_the_price_per_property_falls_to_that_of_the_photos_that_go_on(
    container: Container, api: Api, clock: FakeClock
) -> None:
    before = api.credits()
    entries = [
        {"photoType": "exterior", "enhancements": [each]} for each in ("sky_enhancement", "grass_enhancement")
    ]
    job = api.order([], GOOD * 2, photoConfigs=entries)
    assert job["creditCost"] == 2
    claim(container, job, 0)
    assert cancel(container, api, job["jobId"]) is CancelOutcome.CANCELLING
    assert api.credits() == before - 1
    causes = [line["cause"] for line in api.get(f"/credits/ledger?jobId={job['jobId']}").json["ledger"]]
    assert causes == ["property_refund", "order"]
    finish(container, clock)
    assert (api.status(job["jobId"])["status"], api.credits()) == ("approved", before - 1)


def test_when_what_goes_on_is_done_already_the_job_is_settled_at_once(container: Container, api: Api) -> None:
    job = api.order([photo("GOOD"), photo("GOOD")])
    photo_worker(container).process(job["assets"][0]["id"])
    cancel(container, api, job["jobId"])
    assert api.status(job["jobId"])["status"] == "approved"


def test_a_photo_that_all_workers_left_is_cancelled_with_the_whole_job(container: Container, api: Api) -> None:
    before, job = api.credits(), api.order(GOOD)
    with container.database.unit_of_work() as session:
        lease = photos.claim(session, job["assets"][0]["id"], container.clock())
        assert photos.QUEUE.release(session, lease, container.clock())
    assert cancel(container, api, job["jobId"]) is CancelOutcome.CANCELLED
    assert (api.status(job["jobId"])["status"], api.credits()) == ("undeliverable", before)


def test_a_photo_that_went_on_and_waits_for_another_try_is_not_cancelled_later(
    container: Container, api: Api, clock: FakeClock
) -> None:
    before, job = api.credits(), api.order([], GOOD * 2)
    with container.database.unit_of_work() as session:
        lease = photos.claim(session, job["assets"][0]["id"], clock())
    assert cancel(container, api, job["jobId"]) is CancelOutcome.CANCELLING
    with container.database.unit_of_work() as session:
        assert photos.retry(session, lease, clock())
    assert cancel(container, api, job["jobId"]) is CancelOutcome.CANCELLING
    assert api.credits() == before - 1
    assert read_events(container, job["jobId"]).count("job.cancelled") == 1
    finish(container, clock)
    assert (api.status(job["jobId"])["status"], api.credits()) == ("approved", before - 1)


def test_a_job_fails_where_the_work_on_all_photos_that_went_on_failed(
    container: Container, api: Api, clock: FakeClock
) -> None:
    before, job = api.credits(), api.order(GOOD * 2, GOOD)
    claim(container, job, 0)
    cancel(container, api, job["jobId"])
    while api.status(job["jobId"])["status"] == "processing":
        clock.pass_(minutes=2)
        with container.database.unit_of_work() as session:
            photos.claim(session, job["assets"][0]["id"], clock())
        with container.database.unit_of_work() as session:
            quality.complete_job_of(session, job["assets"][0]["id"], clock(), QcMode.AUTO)
    assert (api.status(job["jobId"])["status"], api.credits()) == ("failed", before)


def test_in_review_nothing_is_cancelled_and_reviewers_decide_nothing_on_cancelled_photos(
    container: Container, api: Api, clock: FakeClock
) -> None:
    job = api.order(GOOD * 2)
    claim(container, job, 0)
    cancel(container, api, job["jobId"], QcMode.MANUAL)
    finish(container, clock, QcMode.MANUAL)
    assert api.status(job["jobId"])["status"] == "qc_review"
    assert cancel(container, api, job["jobId"]) is CancelOutcome.ALREADY_DONE
    with container.database.unit_of_work() as session:
        cancelled = session.scalars(select(Result.id).where(Result.reason == "cancelled")).one()
        for verdict in (Verdict.APPROVED, Verdict.REJECTED):
            with pytest.raises(Conflict):
                quality.decide(session, cancelled, Decision(verdict, "usr_1", "dark"), clock())
        other = session.scalars(select(Result.id).where(Result.id != cancelled)).one()
        quality.decide(session, other, Decision(Verdict.APPROVED, "usr_1"), clock())
        quality.finish(session, job["jobId"], clock())
    sent_back = api.post(
        f"/jobs/{job['jobId']}/images/{cancelled}/revisions", {"reason": "no_result", "message": "Please."}
    )
    assert (sent_back.status_code, sent_back.json["details"]["reason"]) == (409, "refunded")


def test_members_get_a_mail_that_says_what_is_refunded(container: Container, api: Api) -> None:
    job = api.order(GOOD * 2)
    claim(container, job, 0)
    cancel(container, api, job["jobId"])
    cancel(container, api, api.order(GOOD)["jobId"])
    with container.database.read_session() as session:
        mails = [(each.subject, each.text) for each in session.scalars(select(Mail).order_by(Mail.created_at))]
    assert sorted(subject.split(":")[0] for subject, _ in mails) == ["Cancelled in part", "Cancelled, refunded"]
    assert all("Refunded to your balance: 0.5 credits" in text for _, text in mails)


def fail(container: Container, job_id: str) -> None:
    with container.database.unit_of_work() as session:
        jobs.fail_if_overdue(session, job_id, container.clock())


def list_rival_acts(container: Container, api: Api, job: dict[str, Any], rival: str) -> list[Callable[[], Any]]:
    ids = [each["id"] for each in job["assets"]]
    return {
        "cancel": [],
        "worker": [lambda: photo_worker(container).process(ids[0])],
        "workers": [lambda each=each: photo_worker(container).process(each) for each in ids],
        "deadline": [lambda: fail(container, job["jobId"])],
        "deletion": [lambda: delete_account(container, api.account_id)],
    }[rival]


def race(container: Container, api: Api, clock: FakeClock, rival: str) -> None:
    before, job = api.credits(), api.order(GOOD * 2, GOOD)
    job_id = job["jobId"]
    if rival == "deadline":
        clock.pass_(hours=3)
    cancels = [lambda: cancel(container, api, job_id)] * 2
    outcomes = at_once(*cancels, *list_rival_acts(container, api, job, rival))
    assert [each for each in outcomes if isinstance(each, Exception) and not isinstance(each, Conflict)] == []
    events = read_events(container, job_id)
    assert events.count(EventName.JOB_CANCELLED) <= 1
    assert len([each for each in events if each in ("job.undeliverable", "job.failed", "job.approved")]) <= 1
    if rival == "cancel":
        assert (events.count(EventName.JOB_CANCELLED), {*outcomes}) == (1, {CancelOutcome.CANCELLED})
    if rival == "deletion" and outcomes[-1] is None:
        with container.database.read_session() as session:
            assert session.get_one(Job, job_id).credits_refunded == job["creditCost"]
        return
    finish(container, clock)
    with container.database.read_session() as session:
        settled = session.get_one(Job, job_id)
        assert settled.status in (Status.APPROVED, Status.UNDELIVERABLE, Status.FAILED)
        assert api.credits() == before - float(settled.credit_cost - settled.credits_refunded)


@pytest.mark.parametrize(
    ("rival", "rounds"), [("cancel", 3), ("worker", 3), ("workers", 3), ("deadline", 3), ("deletion", 1)]
)
def test_at_once_with_others_there_is_one_outcome_and_every_credit_is_right(
    container: Container, api: Api, clock: FakeClock, rival: str, rounds: int
) -> None:
    for _ in range(rounds):
        race(container, api, clock, rival)
