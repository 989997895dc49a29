"""Photos that an owner keeps stay for twelve months, count once, and are removed once nobody keeps them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.errors import Conflict, KeepQuotaExceeded, NotFound
from app.domain.retention import RESULTS_KEPT, Keeping
from app.domain.security_events import SecurityEvent
from app.models import AccountUse, Activity, Job
from app.services.orders import jobs
from app.services.photos import shares
from app.services.photos.shares import SharePlan
from app.services.retention import keeping
from tests import reading
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.services.retention.test_sweep import files

WEEK, ROOM = timedelta(days=7), 10**9
SIZE = 2 * len(PHOTO)
"""The bytes of an order of one photo: the photo and its result."""


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """A finished order of one photo."""
    made: str = api.order(interior=[PHOTO])["jobId"]
    work(container)
    return made


def keep(container: Container, account_id: str, job_id: str, room: int = ROOM) -> None:
    with container.database.unit_of_work() as session:
        keeping.keep(session, account_id, job_id, room, container.clock())


def stop(container: Container, account_id: str, job_id: str) -> None:
    with container.database.unit_of_work() as session:
        keeping.stop(session, account_id, job_id, container.clock())


def keep_always(container: Container, account_id: str, always: bool) -> None:
    with container.database.unit_of_work() as session:
        keeping.keep_always(session, account_id, always, container.clock())


def row(container: Container, job_id: str) -> Job:
    return reading.one(container, Job, job_id)


def used(container: Container) -> int:
    return sum(reading.found(container, select(AccountUse.kept_bytes)))


def test_a_kept_order_outlives_its_week_and_ends_with_its_year(
    api: Api, container: Container, clock: FakeClock, job_id: str
) -> None:
    keep(container, api.account_id, job_id)
    assert (row(container, job_id).kept_until, used(container)) == (clock() + RESULTS_KEPT, SIZE)
    clock.now += RESULTS_KEPT - timedelta(seconds=1)
    container.sweep.everything()
    assert api.status(job_id)["status"] == "approved"
    assert files(container)
    clock.pass_(seconds=1)
    container.sweep.everything()
    assert row(container, job_id).expired_at == clock()
    assert (files(container), used(container)) == ([], 0)


def test_what_is_kept_no_longer_is_removed_once_its_week_is_over(
    api: Api, container: Container, clock: FakeClock, job_id: str
) -> None:
    keep(container, api.account_id, job_id)
    clock.now += WEEK / 2
    stop(container, api.account_id, job_id)
    assert (row(container, job_id).kept_until, used(container)) == (None, 0)
    container.sweep.everything()
    assert files(container), "its week is not over"
    clock.now += WEEK
    container.sweep.everything()
    assert files(container) == []


def test_to_keep_it_again_counts_once_and_moves_the_end(
    api: Api, container: Container, clock: FakeClock, job_id: str
) -> None:
    keep(container, api.account_id, job_id, SIZE)
    clock.pass_(days=100)
    keep(container, api.account_id, job_id, SIZE)
    assert (row(container, job_id).kept_until, used(container)) == (clock() + RESULTS_KEPT, SIZE)


def test_beyond_the_storage_nothing_is_kept_and_what_was_stays(
    api: Api, container: Container, job_id: str, clock: FakeClock
) -> None:
    keep(container, api.account_id, job_id, SIZE)
    other = api.order(interior=[PHOTO])["jobId"]
    work(container)
    with pytest.raises(KeepQuotaExceeded) as refused:
        keep(container, api.account_id, other, SIZE)
    assert refused.value.details == {"keptBytes": SIZE, "requestedBytes": SIZE, "limitBytes": SIZE}
    assert (row(container, job_id).keeping, row(container, other).keeping) == (Keeping.KEPT, None)
    assert used(container) == SIZE


@pytest.mark.long
def test_of_many_kept_at_once_no_more_than_there_is_room_for(api: Api, container: Container) -> None:
    job_ids = [api.order(interior=[PHOTO])["jobId"] for _ in range(6)]
    work(container)

    def try_to_keep(job_id: str) -> bool:
        try:
            keep(container, api.account_id, job_id, 3 * SIZE)
        except KeepQuotaExceeded:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(try_to_keep, job_ids)) == 3
    assert used(container) == 3 * SIZE


def test_an_account_that_keeps_every_order_keeps_those_it_has_and_those_to_come(
    api: Api, container: Container, clock: FakeClock, job_id: str
) -> None:
    keep_always(container, api.account_id, True)
    later = api.order(interior=[PHOTO])["jobId"]
    container.sweep.keep_wanted_jobs()
    assert [row(container, each).keeping for each in (job_id, later)] == [Keeping.KEPT, Keeping.WANTED]
    work(container)
    container.sweep.keep_wanted_jobs()
    assert row(container, later).kept_until == clock() + RESULTS_KEPT
    keep_always(container, api.account_id, False)
    assert api.order(interior=[PHOTO + b"3"])["jobId"]
    assert [row(container, each).keeping for each in (job_id, later)] == [Keeping.KEPT] * 2
    assert reading.found(container, select(Job.id).where(Job.keeping == Keeping.WANTED)) == []


def test_what_its_owner_no_longer_keeps_is_not_kept_again_by_itself(
    api: Api, container: Container, job_id: str
) -> None:
    keep_always(container, api.account_id, True)
    container.sweep.keep_wanted_jobs()
    stop(container, api.account_id, job_id)
    keep_always(container, api.account_id, True)
    container.sweep.keep_wanted_jobs()
    assert row(container, job_id).keeping is Keeping.STOPPED


def test_without_room_an_order_is_marked_and_expires_as_usual(
    api: Api, container: Container, clock: FakeClock, job_id: str
) -> None:
    keep_always(container, api.account_id, True)
    with container.database.unit_of_work() as session:
        keeping.keep_wanted(session, job_id, SIZE - 1, clock())
    assert (row(container, job_id).keeping, used(container)) == (Keeping.NO_ROOM, 0)
    clock.now += WEEK
    container.sweep.everything()
    assert row(container, job_id).expired_at == clock()


def test_an_order_without_results_is_never_kept(api: Api, container: Container) -> None:
    keep_always(container, api.account_id, True)
    job_id = api.order(interior=[PHOTO])["jobId"]
    with container.database.unit_of_work() as session:
        jobs.fail(session, jobs.lock(session, job_id), "It broke.", container.clock())
    container.sweep.keep_wanted_jobs()
    assert row(container, job_id).keeping is None
    with pytest.raises(Conflict):
        keep(container, api.account_id, job_id)


def test_who_kept_and_who_stopped_is_in_the_log_once(api: Api, container: Container) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    keep(container, api.account_id, job_id)
    for _ in range(2):
        stop(container, api.account_id, job_id)
    events = reading.found(container, select(Activity.event).order_by(Activity.id))
    assert events[-2:] == [SecurityEvent.PHOTOS_KEPT, SecurityEvent.KEEPING_STOPPED]


def test_nobody_keeps_what_is_anothers(api: Api, container: Container, other_api: Api, job_id: str) -> None:
    for act in (keep, stop):
        with pytest.raises(NotFound):
            act(container, other_api.account_id, job_id)
    assert row(container, job_id).keeping is None


def test_a_link_for_clients_may_last_as_long_as_the_photos_are_kept(
    api: Api, container: Container, clock: FakeClock, job_id: str
) -> None:
    keep(container, api.account_id, job_id)
    with container.database.unit_of_work() as session:
        plan = SharePlan(WEEK, days=30)
        link = shares.create(session, container.vault, api.account_id, job_id, plan, clock())
    assert link.expires_at == clock() + timedelta(days=30)
