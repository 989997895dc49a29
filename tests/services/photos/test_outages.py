"""The store or the database is away: no try of any photo; the work goes on afterwards, or its job ends in time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from sqlalchemy.exc import OperationalError

from app.container import Container
from app.domain.attempts import PHOTOS, PREVIEWS
from app.domain.lifecycle import WorkState
from app.models import Job, Photo, Preview
from app.services.leases import ClaimCallbacks
from app.services.photos import photos
from app.services.photos.make_pictures import FILE_GONE
from app.services.photos.shared_appearances import SharedAppearances
from tests import reading
from tests.conftest import PHOTO, Api, develop, photo_worker, work
from tests.fakes import FakeClock, photo
from tests.faulty_storage import READING, WRITING, FaultyStorage


@pytest.fixture
def store(container: Container) -> FaultyStorage:
    container.storage = FaultyStorage(container.storage)
    return container.storage


def work_for(container: Container, clock: FakeClock, seconds: int) -> int:
    """Work on what is due, second by second; how often something was."""
    count = 0
    for _ in range(seconds):
        count += work(container)
        clock.pass_(seconds=1)
    return count


@pytest.mark.parametrize("acts", [READING, WRITING, frozenset({"read"}), frozenset({"publish"})])
def test_a_store_that_is_away_for_45_seconds_costs_no_try(
    api: Api, container: Container, clock: FakeClock, store: FaultyStorage, acts: frozenset[str]
) -> None:
    order = api.order(interior=[PHOTO])
    with store.away(acts):
        assert work_for(container, clock, 45) == 4  # at 0, 5, 15 and 35 seconds
        assert reading.tries(container, order["assets"][0]["id"]) == (0, 4)
        assert api.status(order["jobId"])["status"] == "processing"
    work_for(container, clock, 60)
    assert reading.tries(container, order["assets"][0]["id"]) == (1, 4)
    assert api.status(order["jobId"])["status"] == "approved"
    assert api.credits() == 99.5


def test_however_long_the_store_was_away_it_is_used_again_within_35_seconds(
    api: Api, container: Container, clock: FakeClock, store: FaultyStorage
) -> None:
    order = api.order(interior=[PHOTO])
    with store.away():
        work_for(container, clock, 321)
    work_for(container, clock, 30)  # and five until the sweep looks
    assert api.status(order["jobId"])["status"] == "approved"


def test_an_outage_between_two_tries_takes_none_of_those_that_are_left(
    api: Api, container: Container, clock: FakeClock, store: FaultyStorage
) -> None:
    order = api.order(interior=[photo("CRASH")])
    photo_id = order["assets"][0]["id"]
    work_for(container, clock, 6)
    assert reading.tries(container, photo_id) == (2, 0)
    with store.away():
        for _ in range(10):
            work(container)
            clock.pass_(minutes=1)
        assert reading.tries(container, photo_id) == (2, 9)  # the first minute is that of the retry
    work_for(container, clock, 60)
    assert api.status(order["jobId"])["status"] == "failed"
    assert reading.tries(container, photo_id)[0] == PHOTOS.max_attempts


def test_a_store_that_stays_away_fails_the_job_at_its_deadline_and_gives_the_credits_back(
    api: Api, container: Container, clock: FakeClock, store: FaultyStorage
) -> None:
    order = api.order(interior=[PHOTO])
    with store.away():
        for _ in range(11):
            work(container)
            clock.pass_(minutes=10)
            container.sweep.fail_overdue_jobs()
        assert api.status(order["jobId"])["status"] == "processing"
        assert reading.tries(container, order["assets"][0]["id"]) == (0, 11)
        clock.pass_(minutes=10)
        container.sweep.fail_overdue_jobs()
        status = api.status(order["jobId"])
        assert (status["status"], status["creditsRefunded"]) == ("failed", 0.5)
        assert work(container) == 0
    assert reading.tries(container, order["assets"][0]["id"])[0] == 0
    assert api.credits() == 100


def test_an_outage_settles_no_look_for_the_order(api: Api, container: Container, store: FaultyStorage) -> None:
    order = api.order(interior=[PHOTO])
    with store.away():
        work(container)
    assert reading.one(container, Job, order["jobId"]).shared_appearance is None


def test_a_file_that_appears_late_is_worked_on_as_if_it_had_been_there(
    api: Api, container: Container, clock: FakeClock, store: FaultyStorage
) -> None:
    order = api.order(interior=[PHOTO, PHOTO])
    late = order["assets"][0]["id"]
    store.missing.add(reading.one(container, Photo, late).storage_key)
    work_for(container, clock, 120)
    assert reading.tries(container, late)[0] == 0
    store.missing.clear()
    work_for(container, clock, 61)
    assert api.status(order["jobId"])["status"] == "approved"
    assert api.credits() == 99


def test_a_file_that_stays_away_for_half_the_jobs_time_costs_its_photo_and_no_other(
    api: Api, container: Container, clock: FakeClock, store: FaultyStorage
) -> None:
    order = api.order(interior=[PHOTO, PHOTO])
    lost = reading.one(container, Photo, order["assets"][0]["id"])
    store.missing.add(lost.storage_key)
    work(container)
    clock.pass_(minutes=59)
    work(container)
    assert api.status(order["jobId"])["status"] == "processing"
    clock.pass_(minutes=1)
    work(container)
    status = api.status(order["jobId"])
    assert (status["status"], status["creditsRefunded"]) == ("approved", 0.5)
    with container.database.read_session() as session:
        assert session.get_one(Photo, lost.id).result.message == FILE_GONE
    store.missing.clear()  # for the check after the test


def test_a_store_too_slow_for_a_photo_costs_no_try_and_an_engine_too_slow_does(
    api: Api, container: Container, clock: FakeClock, store: FaultyStorage
) -> None:
    watched: list[ClaimCallbacks] = []

    @contextmanager
    def watch(callbacks: ClaimCallbacks) -> Iterator[None]:
        watched.append(callbacks)
        yield

    def time_is_over() -> None:
        watched[-1].give_up()
        raise SystemExit  # as the watch ends the process

    order = api.order(interior=[PHOTO])
    photo_id = order["assets"][0]["id"]
    SharedAppearances(container.database, store, container.engine).determine(order["jobId"])
    shop = replace(photo_worker(container), watch=watch)
    store.before = lambda act: act == "read" and time_is_over()
    with pytest.raises(SystemExit):
        shop.process(photo_id)
    assert reading.tries(container, photo_id) == (0, 1)
    store.before = lambda act: None
    clock.now += PHOTOS.pauses[0]
    container.engine.before = time_is_over
    with pytest.raises(SystemExit):
        shop.process(photo_id)
    assert reading.tries(container, photo_id) == (1, 1)


class DatabaseAway(OperationalError):
    """What a statement raises while no database answers."""

    def __init__(self) -> None:
        super().__init__("SELECT 1", {}, Exception("the database is away"))


@pytest.fixture
def outage(container: Container, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Let every unit of work fail, until it is let work again."""
    real = container.database.unit_of_work

    def begin(away: bool) -> None:
        def refuse() -> None:
            raise DatabaseAway

        monkeypatch.setattr(container.database, "unit_of_work", refuse if away else real)

    return begin


def test_a_database_away_when_the_result_is_ready_is_waited_for_and_the_result_kept(
    api: Api, container: Container, outage: Callable[[bool], None]
) -> None:
    order = api.order(interior=[PHOTO])
    container.engine.before = lambda: outage(True)
    waited: list[float] = []

    def pause(seconds: float) -> None:
        waited.append(seconds)
        if sum(waited) > 45:
            outage(False)

    replace(photo_worker(container), pause=pause).process(order["assets"][0]["id"])
    assert waited == [1, 2, 4, 8, 15, 15, 15][: len(waited)]
    assert reading.tries(container, order["assets"][0]["id"]) == (1, 0)
    assert api.status(order["jobId"])["status"] == "approved"
    assert len(container.engine.requests) == 1


def test_a_claim_that_was_lost_while_the_database_was_away_is_no_try(
    api: Api, container: Container, clock: FakeClock, outage: Callable[[bool], None]
) -> None:
    order = api.order(interior=[PHOTO])
    photo_id = order["assets"][0]["id"]
    container.engine.before = lambda: outage(True)

    def another_takes_over(seconds: float) -> None:
        outage(False)
        clock.pass_(seconds=PHOTOS.lease.total_seconds() + 1)
        with container.database.unit_of_work() as session:
            assert photos.claim(session, photo_id, clock()) is not None

    replace(photo_worker(container), pause=another_takes_over).process(photo_id)
    assert reading.tries(container, photo_id) == (1, 0)  # that of the other, still under way


def test_a_lease_that_cannot_be_renewed_for_a_while_costs_no_try_either(
    api: Api, container: Container, clock: FakeClock, outage: Callable[[bool], None]
) -> None:
    photo_id = api.order(interior=[PHOTO])["assets"][0]["id"]
    watched: list[ClaimCallbacks] = []

    @contextmanager
    def watch(callbacks: ClaimCallbacks) -> Iterator[None]:
        watched.append(callbacks)
        yield

    def away_and_back() -> None:
        outage(True)
        with pytest.raises(OperationalError):
            watched[-1].renew()
        outage(False)
        clock.pass_(seconds=PHOTOS.lease.total_seconds() + 1)
        with container.database.unit_of_work() as session:
            assert photos.claim(session, photo_id, clock()) is not None
        assert watched[-1].renew() is False
        assert watched[-1].renew() is False
        raise SystemExit  # as the watch ends the process

    container.engine.before = away_and_back
    with pytest.raises(SystemExit):
        replace(photo_worker(container), watch=watch).process(photo_id)
    assert reading.tries(container, photo_id) == (1, 0)


def test_previews_wait_for_the_store_uncounted(
    api: Api, container: Container, clock: FakeClock, store: FaultyStorage
) -> None:
    order = api.order(interior=[PHOTO])
    work(container)
    key = reading.one(container, Photo, order["assets"][0]["id"]).storage_key

    def row() -> Preview:
        return reading.one(container, Preview, key)

    for acts in (READING, WRITING):
        with store.away(acts):
            for _ in range(10):
                develop(container)
                clock.now += PREVIEWS.pauses[-1]
        assert (row().state, row().attempts) == (WorkState.WAITING, 0)
    develop(container)
    assert (row().state, row().attempts, row().width) == (WorkState.DONE, 1, 4)
