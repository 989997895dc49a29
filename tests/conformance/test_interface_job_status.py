"""Section "Job status": every field in every state."""

import pytest

from tests.conformance.shapes import is_moment, is_number, is_text
from tests.conftest import PHOTO, Api, photo_worker, work
from tests.fakes import photo

ALWAYS = {"livemode", "jobId", "status", "progress", "createdAt"}


def test_a_waiting_job_has_exactly_the_required_fields(api: Api) -> None:
    job = api.order(interior=[PHOTO, PHOTO])["jobId"]
    answer = api.get(f"/jobs/{job}/status")
    assert answer.status_code == 200
    status = answer.json
    assert set(status) == ALWAYS
    assert (status["jobId"], status["status"]) == (job, "pending")
    assert is_moment(status["createdAt"])
    assert status["createdAt"] == "2026-11-20T12:00:00.000Z"
    assert status["progress"] == {"total": 2, "completed": 0, "percentage": 0}
    assert all(is_number(value) for value in status["progress"].values())


def test_progress_counts_finished_photos_in_whole_percent(api: Api, container) -> None:
    job = api.order(interior=[PHOTO] * 3)["jobId"]
    seen = []
    for photo_id in list(container.queue.notified):
        photo_worker(container).process(photo_id)
        seen.append(api.status(job)["progress"])
    assert seen == [
        {"total": 3, "completed": 1, "percentage": 33},
        {"total": 3, "completed": 2, "percentage": 66},
        {"total": 3, "completed": 3, "percentage": 100},
    ]


def test_a_job_is_processing_while_its_first_photo_is_worked_on(api: Api, container) -> None:
    job = api.order(interior=[PHOTO])["jobId"]
    seen = []
    container.engine.before = lambda: seen.append(api.status(job))
    work(container)
    assert [(each["status"], each["progress"]["completed"]) for each in seen] == [("processing", 0)]


def test_a_job_under_manual_review_says_so(api: Api, container) -> None:
    job = api.order(interior=[PHOTO])["jobId"]
    work(container, automatic=False)
    status = api.status(job)
    assert (status["status"], status["progress"]["percentage"]) == ("qc_review", 100)
    assert set(status) == ALWAYS


def test_a_failed_job_carries_its_error(api: Api, container, clock) -> None:
    job = api.order(interior=[photo("CRASH")])["jobId"]
    for _ in range(3):
        work(container)
        clock.pass_(minutes=1)
    status = api.status(job)
    assert set(status) == {*ALWAYS, "error", "creditsRefunded"}
    assert status["status"] == "failed"
    assert is_text(status["error"])
    assert status["creditsRefunded"] == 0.5


def test_an_undeliverable_job_carries_its_reason_and_its_refund(api: Api, container) -> None:
    job = api.order(interior=[photo("BLANK")])["jobId"]
    work(container)
    status = api.status(job)
    assert set(status) == {*ALWAYS, "undeliverable", "creditsRefunded"}
    assert set(status["undeliverable"]) == {"reason", "creditsRefunded"}
    assert "The picture is blank." in status["undeliverable"]["reason"]
    assert status["undeliverable"]["creditsRefunded"] == 0.5
    assert api.credits() == 100


@pytest.mark.parametrize("download", [False, True])
def test_a_good_job_carries_neither_error_nor_undeliverable(api: Api, container, download: bool) -> None:
    job = api.order(interior=[PHOTO])["jobId"]
    work(container)
    if download:
        api.get(f"/downloads/{job}")
    status = api.status(job)
    assert set(status) == ALWAYS
    assert status["status"] == ("delivered" if download else "approved")
