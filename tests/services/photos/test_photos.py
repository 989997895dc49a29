"""One photo, many hands: claims, leases, fences, retries."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from app.container import Container
from app.domain.attempts import PHOTOS
from app.models import Photo
from app.services.leases import ClaimCallbacks
from app.services.photos import photos
from app.services.photos.pictures import MadePicture
from engine.types.report import QualityReport
from tests.conftest import PHOTO, Api, photo_worker, work
from tests.fakes import FakeClock, photo


@pytest.fixture
def photo_id(api: Api) -> str:
    return api.order(interior=[PHOTO])["assets"][0]["id"]


def claim(container: Container, photo_id: str):
    with container.database.unit_of_work() as session:
        return photos.claim(session, photo_id, container.clock())


def finish(container: Container, held, report: QualityReport | None = None) -> bool:
    with container.database.unit_of_work() as session:
        return photos.finish(session, held, MadePicture(report or QualityReport()), container.clock())


def test_of_many_workers_one_gets_the_photo(container: Container, photo_id: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        held = list(pool.map(lambda _: claim(container, photo_id), range(16)))
    assert len([each for each in held if each]) == 1


def test_a_claim_is_taken_over_only_after_its_lease(container: Container, photo_id: str, clock: FakeClock) -> None:
    first = claim(container, photo_id)
    clock.now += PHOTOS.lease
    assert claim(container, photo_id) is None
    clock.pass_(seconds=1)
    second = claim(container, photo_id)
    assert second is not None
    assert second.claim_id != first.claim_id


def test_a_worker_that_lost_its_claim_cannot_finish(container: Container, photo_id: str, clock: FakeClock) -> None:
    first = claim(container, photo_id)
    clock.pass_(seconds=PHOTOS.lease.total_seconds() + 1)
    second = claim(container, photo_id)
    assert finish(container, first) is False
    assert finish(container, second) is True
    assert finish(container, second) is False


def test_a_renewed_lease_keeps_others_away(container: Container, photo_id: str, clock: FakeClock) -> None:
    held = claim(container, photo_id)
    clock.now += PHOTOS.lease
    with container.database.unit_of_work() as session:
        assert photos.QUEUE.renew(session, held, clock()) is True
    clock.pass_(seconds=20)
    assert claim(container, photo_id) is None
    clock.now += PHOTOS.lease
    assert claim(container, photo_id) is not None
    with container.database.unit_of_work() as session:
        assert photos.QUEUE.renew(session, held, clock()) is False


def test_a_released_photo_is_tried_again_at_once_and_uncounted(
    container: Container, photo_id: str, clock: FakeClock
) -> None:
    for _ in range(PHOTOS.max_attempts + 2):
        held = claim(container, photo_id)
        assert held is not None
        with container.database.unit_of_work() as session:
            photos.QUEUE.release(session, held, clock())
    assert work(container) == 1
    assert finish(container, held) is False


@pytest.fixture
def watches() -> list[ClaimCallbacks]:
    """What the watch of `watched` was given."""
    return []


@pytest.fixture
def watched(container: Container, watches: list[ClaimCallbacks]):
    """Work on a photo under a watch that keeps its callbacks; `meanwhile` happens while the engine works."""

    @contextmanager
    def watch(callbacks: ClaimCallbacks) -> Iterator[None]:
        watches.append(callbacks)
        yield

    def process(photo_id: str, meanwhile) -> None:
        container.engine.before = meanwhile
        replace(photo_worker(container), watch=watch).process(photo_id)

    return process


def test_a_watch_that_renews_keeps_others_away_until_the_work_is_done(
    container: Container, photo_id: str, clock: FakeClock, watches: list[ClaimCallbacks], watched
) -> None:
    seen = []

    def late() -> None:
        clock.now += PHOTOS.lease
        seen.append(watches[0].renew())
        clock.pass_(seconds=20)
        seen.append(claim(container, photo_id))

    watched(photo_id, late)
    assert seen == [True, None]
    with container.database.read_session() as session:
        assert session.get_one(Photo, photo_id).result is not None
    assert watches[0].renew() is False


def test_a_watch_that_releases_lets_another_worker_begin_at_once(
    container: Container, photo_id: str, watches: list[ClaimCallbacks], watched
) -> None:
    seen = []

    def stopped() -> None:
        watches[0].release()
        seen.append(claim(container, photo_id))

    watched(photo_id, stopped)
    assert seen[0] is not None
    assert watches[0].renew() is False
    assert finish(container, seen[0]) is True


def test_the_file_of_a_fenced_worker_is_removed(container: Container, photo_id: str, clock: FakeClock) -> None:
    def overtaken() -> None:
        container.engine.before = lambda: None
        clock.pass_(seconds=PHOTOS.lease.total_seconds() + 1)
        photo_worker(container).process(photo_id)

    container.engine.before = overtaken
    photo_worker(container).process(photo_id)
    results = list((container.settings.data_dir / "storage" / "results").rglob("*.jpg"))
    assert len(results) == 1
    with container.database.read_session() as session:
        kept = session.get_one(Photo, photo_id)
        assert kept.attempts == 2
        assert kept.result.storage_key.endswith(results[0].name)


def test_processing_that_breaks_is_tried_again_later_and_then_given_up(
    api: Api, container: Container, clock: FakeClock
) -> None:
    order = api.order(interior=[photo("CRASH")])
    assert [work(container), work(container)] == [1, 0]
    clock.pass_(seconds=5)
    assert [work(container), work(container)] == [1, 0]
    clock.pass_(seconds=30)
    assert work(container) == 1
    status = api.status(order["jobId"])
    assert status["status"] == "failed"
    assert "every photo" in status["error"]
    assert api.credits() == 100
    clock.pass_(hours=1)
    assert work(container) == 0


def test_a_photo_whose_workers_die_is_given_up_after_as_many_tries(
    api: Api, container: Container, clock: FakeClock
) -> None:
    order = api.order(interior=[PHOTO])
    photo_id = order["assets"][0]["id"]
    for _ in range(PHOTOS.max_attempts):
        assert claim(container, photo_id) is not None
        clock.pass_(seconds=PHOTOS.lease.total_seconds() + 1)
    assert work(container) == 1
    assert api.status(order["jobId"])["status"] == "failed"
    assert api.credits() == 100


def test_one_broken_photo_does_not_fail_the_job(api: Api, container: Container, clock: FakeClock) -> None:
    order = api.order(interior=[photo("CRASH"), PHOTO])
    for _ in range(PHOTOS.max_attempts):
        work(container)
        clock.now += timedelta(seconds=31)
    status = api.status(order["jobId"])
    assert (status["status"], status["creditsRefunded"]) == ("approved", 0.5)


def test_nothing_is_worked_on_after_the_job_ended(api: Api, container: Container, clock: FakeClock) -> None:
    order = api.order(interior=[PHOTO])
    held = claim(container, order["assets"][0]["id"])
    clock.pass_(hours=2)
    container.sweep.fail_overdue_jobs()
    assert api.status(order["jobId"])["status"] == "failed"
    assert finish(container, held) is False
    assert work(container) == 0


def test_a_wake_up_for_an_unknown_photo_makes_nothing_and_leaves_the_others_waiting(
    container: Container, photo_id: str
) -> None:
    photo_worker(container).process("pho_nobody")
    assert (container.engine.estimated, container.engine.requests) == ([], [])
    assert claim(container, photo_id) is not None
