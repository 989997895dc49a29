"""The sweep finds what is due: lost wake-ups, late jobs, old pictures, forgotten uploads."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from app.container import Container
from app.models import Job, LedgerLine, Photo, Result, UploadSession
from app.services.orders import jobs
from app.services.retention.sweep import MAX_WAKE_UPS
from tests import reading
from tests.conftest import PHOTO, Api, order_body, work
from tests.fakes import FakeClock


def files(container: Container) -> list[Path]:
    return [path for path in (container.settings.data_dir / "storage").rglob("*") if path.is_file()]


def test_a_lost_wake_up_is_rung_again(api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO])
    container.queue.notified.clear()
    container.sweep.notify_due_photos()
    assert container.queue.notified == [order["assets"][0]["id"]]


def test_a_dead_worker_is_replaced_after_its_lease(api: Api, container: Container, clock: FakeClock) -> None:
    api.order(interior=[PHOTO])
    container.queue.notified.clear()

    def die() -> None:
        raise SystemExit

    container.engine.before = die
    with pytest.raises(SystemExit):
        work(container)
    container.engine.before = lambda: None
    container.sweep.notify_due_photos()
    assert container.queue.notified == []
    clock.pass_(seconds=31)
    container.sweep.notify_due_photos()
    assert len(container.queue.notified) == 1
    assert work(container) == 1


@pytest.mark.long
def test_a_long_backlog_is_not_rung_for_over_and_over(api: Api, container: Container) -> None:
    for _ in range(3):
        api.order(interior=[PHOTO] * 40)
    container.queue.notified.clear()
    for _ in range(3):
        container.sweep.notify_due_photos()
    assert len(container.queue.notified) == MAX_WAKE_UPS


def test_a_queue_that_is_away_stops_no_other_timer(api: Api, container: Container) -> None:
    api.order(interior=[PHOTO])
    container.queue.away = True
    container.sweep.everything()
    assert container.queue.notified


@pytest.mark.parametrize("review", [True, False])
def test_a_job_over_its_time_fails_once_with_its_credits_back(
    api: Api, container: Container, clock: FakeClock, review: bool
) -> None:
    order = api.order(interior=[PHOTO], exterior=[PHOTO])
    if review:
        work(container, automatic=False)
    clock.pass_(hours=2, seconds=-1)
    container.sweep.fail_overdue_jobs()
    assert api.status(order["jobId"])["status"] != "failed"
    clock.pass_(seconds=1)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: container.sweep.fail_overdue_jobs(), range(4)))
    status = api.status(order["jobId"])
    assert (status["status"], status["creditsRefunded"]) == ("failed", 1.5)
    assert "120 minutes" in status["error"]
    assert api.credits() == 100
    assert reading.count(container, LedgerLine) == 3


def test_a_job_that_ended_since_it_was_found_overdue_stays_as_it_is(
    api: Api, container: Container, clock: FakeClock
) -> None:
    order = api.order(interior=[PHOTO])
    clock.pass_(hours=2)
    with container.database.read_session() as session:
        assert jobs.list_overdue(session, clock()) == [order["jobId"]]
    work(container)
    with container.database.unit_of_work() as session:
        jobs.fail_if_overdue(session, order["jobId"], clock())
    assert api.status(order["jobId"])["status"] == "approved"
    assert api.credits() == 99.5


def test_one_job_that_breaks_does_not_keep_the_others_waiting(
    api: Api, container: Container, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = (api.order(interior=[PHOTO])["jobId"] for _ in range(2))
    clock.pass_(hours=2)
    fail = jobs.fail_if_overdue

    def breaking(session: Session, job_id: str, now: datetime) -> None:
        fail(session, job_id, now)
        if job_id == broken:
            raise RuntimeError("poison")

    monkeypatch.setattr(jobs, "fail_if_overdue", breaking)
    container.sweep.fail_overdue_jobs()
    assert [api.status(job_id)["status"] for job_id in (broken, sound)] == ["pending", "failed"]


def test_files_that_could_not_be_removed_are_removed_by_a_later_purge(
    api: Api, container: Container, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.order(interior=[PHOTO])
    work(container)
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        container.sweep.purge_files()
    assert files(container)
    container.sweep.purge_files()
    assert files(container) == []


def refuse(*_: object, **__: object) -> None:
    raise PermissionError("a disk that does not let go")


def test_an_approved_job_does_not_time_out(api: Api, container: Container, clock: FakeClock) -> None:
    order = api.order(interior=[PHOTO])
    work(container)
    clock.pass_(hours=3)
    container.sweep.everything()
    assert api.status(order["jobId"])["status"] == "approved"


def test_after_its_retention_a_job_is_gone_but_for_order_and_ledger(
    api: Api, container: Container, clock: FakeClock
) -> None:
    order = api.order(interior=[PHOTO], exterior=[PHOTO])
    work(container)
    clock.pass_(days=7, seconds=-1)
    container.sweep.everything()
    assert api.get(f"/downloads/{order['jobId']}").status_code == 200
    clock.pass_(seconds=1)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: container.sweep.everything(), range(3)))
    for path in (f"/downloads/{order['jobId']}", f"/jobs/{order['jobId']}/status"):
        assert api.get(path).status_code == 404
    assert files(container) == []
    assert [reading.count(container, model) for model in (Photo, Result)] == [0, 0]
    assert [reading.count(container, model) for model in (Job, LedgerLine)] == [1, 2]


def test_the_upload_session_of_an_expired_job_is_expired_too(
    api: Api, container: Container, clock: FakeClock
) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    assert api.post("/orders/from-uploads", body).status_code == 200
    work(container)
    clock.pass_(days=7)
    container.sweep.everything()
    for again in (body, {**body, "address": "7 Other Street"}):
        refused = api.post("/orders/from-uploads", again)
        assert (refused.status_code, list(refused.json["details"])) == (400, ["uploadSessionId"])


def test_a_crash_between_expiry_and_purge_leaves_no_file(api: Api, container: Container, clock: FakeClock) -> None:
    api.order(interior=[PHOTO])
    work(container)
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    assert files(container)
    container.sweep.purge_files()
    assert files(container) == []


def test_uploads_that_no_order_used_go_after_a_day(api: Api, container: Container, clock: FakeClock) -> None:
    unused = api.upload(interior=[PHOTO])
    ordered = api.order(interior=[PHOTO])
    clock.pass_(hours=24)
    container.sweep.forget_unused_uploads()
    assert len(files(container)) == 1
    assert reading.count(container, UploadSession) == 1
    body = {"address": "1 Road", "serviceType": "interior", "interiorEnhancements": ["hdr_enhancement"], **unused}
    refused = api.post("/orders/from-uploads", body)
    assert refused.status_code == 400
    assert "uploadSessionId" in refused.json["details"]
    assert api.status(ordered["jobId"])["status"] == "pending"


def test_readiness_follows_the_sweepers_sign_of_life(api: Api, container: Container, clock: FakeClock) -> None:
    assert api.client.get("/readyz").json["parts"]["sweeper"] is False
    container.sweep.beat()
    assert api.client.get("/readyz").status_code == 200
    clock.pass_(seconds=16)
    late = api.client.get("/readyz")
    assert (late.status_code, late.json["parts"]["sweeper"]) == (503, False)
    container.sweep.beat()
    container.queue.away = True
    assert api.client.get("/readyz").json["parts"]["redis"] is False
