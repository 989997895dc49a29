"""Section "States and transitions": every move the interface names, with what also happens."""

from datetime import timedelta

import pytest

from app.models import Result
from app.services.photos import quality
from app.services.photos.quality import Decision
from engine.types.report import Verdict
from tests.conformance.shapes import events, ledger, rows
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo


def review(container, verdict: Verdict) -> None:
    """Decide every result of the only job and end its review."""
    for result in rows(container, Result):
        with container.database.unit_of_work() as session:
            quality.decide(session, result.id, Decision(verdict, "acc_x", "Crooked"), container.clock())
    with container.database.unit_of_work() as session:
        quality.finish(session, rows(container, Result)[0].job_id, container.clock())


def seen(container) -> list[str]:
    """The names of the recorded events."""
    return sorted(event.name for event in events(container))


def test_an_accepted_order_is_pending_charged_and_told(api: Api, container) -> None:
    order = api.order(interior=[PHOTO])
    assert api.status(order["jobId"])["status"] == "pending"
    assert seen(container) == ["job.created"]
    assert [line.amount for line in ledger(container)] == [100, -0.5]


def test_reviewed_results_become_approved_then_delivered(api: Api, container) -> None:
    job = api.order(interior=[PHOTO])["jobId"]
    work(container, automatic=False)
    review(container, Verdict.APPROVED)
    assert api.status(job)["status"] == "approved"
    api.get(f"/downloads/{job}")
    assert api.status(job)["status"] == "delivered"
    assert "job.delivered" in seen(container)


def test_a_review_without_usable_results_is_undeliverable_refunded_and_told(api: Api, container) -> None:
    job = api.order(interior=[PHOTO, PHOTO])["jobId"]
    work(container, automatic=False)
    review(container, Verdict.REJECTED)
    assert api.status(job)["status"] == "undeliverable"
    assert api.credits() == 100
    assert seen(container).count("job.undeliverable") == 1
    assert api.get(f"/downloads/{job}").status_code == 400


def test_one_usable_result_is_enough(api: Api, container) -> None:
    job = api.order(interior=[PHOTO, photo("BLANK")])["jobId"]
    work(container)
    status = api.status(job)
    assert (status["status"], status["creditsRefunded"]) == ("approved", 0.5)
    assert api.credits() == 99.5


def test_broken_processing_fails_the_job_and_refunds_it_once(api: Api, container, clock) -> None:
    job = api.order(interior=[photo("CRASH")])["jobId"]
    for _ in range(4):
        work(container)
        clock.pass_(minutes=1)
    assert api.status(job)["status"] == "failed"
    assert api.credits() == 100
    assert [line.kind for line in ledger(container)].count("refund") == 1
    assert seen(container) == ["job.created", "job.failed", "job.processing"]


@pytest.mark.parametrize("state", ["pending", "processing", "qc_review"])
def test_a_job_that_is_not_done_in_two_hours_fails_with_error_and_full_refund(
    api: Api, container, clock, state: str
) -> None:
    job = api.order(interior=[photo("CRASH") if state == "processing" else PHOTO], exterior=[PHOTO])["jobId"]
    if state != "pending":
        work(container, automatic=False)
    assert api.status(job)["status"] == state
    clock.now += timedelta(hours=2) - timedelta(seconds=1)
    container.sweep.fail_overdue_jobs()
    assert api.status(job)["status"] == state
    clock.pass_(seconds=1)
    container.sweep.everything()
    status = api.status(job)
    assert (status["status"], status["creditsRefunded"]) == ("failed", 1.5)
    assert "time limit" in status["error"]
    assert api.credits() == 100
    assert seen(container).count("job.failed") == 1


@pytest.mark.parametrize("deliver", [False, True])
def test_approved_and_delivered_jobs_do_not_time_out(api: Api, container, clock, deliver: bool) -> None:
    job = api.order(interior=[PHOTO])["jobId"]
    work(container)
    if deliver:
        api.get(f"/downloads/{job}")
    clock.pass_(hours=48)
    container.sweep.everything()
    assert api.status(job)["status"] == ("delivered" if deliver else "approved")


def test_a_final_job_stays_as_it_is(api: Api, container, clock) -> None:
    job = api.order(interior=[photo("BLANK")])["jobId"]
    work(container)
    clock.pass_(hours=3)
    container.sweep.everything()
    work(container)
    assert api.status(job)["status"] == "undeliverable"
    assert api.credits() == 100
