"""The work on packs: tried again, given up in words, dropped where it is late, noticed where a wake-up was lost."""

import os
import tracemalloc
from dataclasses import replace
from datetime import timedelta

import pytest

from app.container import Container
from app.domain.attempts import PACKS
from app.domain.lifecycle import WorkState
from app.domain.ports import QueueName
from app.models import Job
from app.services.photos import pack_worker as work_on_packs
from app.services.photos import packs, public_pages
from app.services.photos.packs import PackStatus
from app.services.retention import expiry
from tests.acts import KilledError
from tests.conftest import PHOTO, Api, pack_up, pack_worker, work
from tests.fakes import FakeClock
from tests.services.photos.packing import asked, files, opened, ordered, row, warned


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    return ordered(api, container)


def test_work_that_breaks_is_tried_again_later_and_then_given_up(api, container, clock: FakeClock, job_id) -> None:
    pack_id = asked(api, container, job_id)

    def crash() -> None:
        raise RuntimeError("crashed")

    container.listing_pictures.before = crash
    for wait in (5, 60):
        pack_up(container)
        assert packs.status_of(row(container, pack_id)) is PackStatus.MAKING
        clock.now += timedelta(seconds=wait)
    pack_up(container)
    assert row(container, pack_id).error == packs.FAILED_MESSAGE
    assert files(container, job_id) == []


def test_a_worker_that_is_killed_leaves_the_pack_to_the_next(api, container, clock: FakeClock, job_id) -> None:
    pack_id = asked(api, container, job_id)

    def kill() -> None:
        raise KilledError

    container.listing_pictures.before = kill
    with pytest.raises(KilledError):
        pack_worker(container).make(pack_id)
    container.listing_pictures.before = lambda: None
    assert pack_up(container) == 0, "it is held"
    clock.now += PACKS.lease + timedelta(seconds=1)
    assert pack_up(container) == 1
    assert row(container, pack_id).attempts == 2
    assert len(opened(container, pack_id).namelist()) == 8


def test_a_worker_that_lost_its_claim_changes_nothing_and_leaves_no_file(api, container, clock, job_id) -> None:
    pack_id = asked(api, container, job_id)
    maker = container.listing_pictures

    def overtaken() -> None:
        maker.before = lambda: None
        clock.now += PACKS.lease + timedelta(seconds=1)
        pack_worker(container).make(pack_id)

    maker.before = overtaken
    pack_worker(container).make(pack_id)
    kept = row(container, pack_id)
    assert (kept.attempts, kept.state) == (2, WorkState.DONE)
    assert files(container, job_id) == [kept.storage_key]


def test_a_pack_that_is_replaced_while_it_is_made_leaves_no_file(api, container, job_id) -> None:
    first = asked(api, container, job_id)
    maker, found = container.listing_pictures, []

    def replace() -> None:
        maker.before = lambda: None
        found.append(asked(api, container, job_id, labeled=True))

    maker.before = replace
    pack_worker(container).make(first)
    assert files(container, job_id) == []
    pack_up(container)
    assert files(container, job_id) == [row(container, found[0]).storage_key]


def test_a_pack_too_large_is_given_up_in_words(api, container, job_id, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_on_packs, "MAX_PACK_BYTES", 300)
    pack_id = asked(api, container, job_id)
    pack_up(container)
    assert row(container, pack_id).error == work_on_packs.TOO_LARGE
    assert files(container, job_id) == []


def test_what_changed_before_the_work_began_is_in_the_pack(api, container, clock, job_id) -> None:
    pack_id = asked(api, container, job_id)
    asked_for = row(container, pack_id).digest
    with container.database.unit_of_work() as session:
        public_pages.publish(session, api.account_id, job_id, clock())
    pack_up(container)
    assert row(container, pack_id).digest != asked_for
    assert warned(container, pack_id) == [], "the originals are published now"
    assert asked(api, container, job_id) == pack_id


def test_a_pack_of_an_order_let_go_while_it_was_made_leaves_no_file(api, container, clock, job_id) -> None:
    pack_id = asked(api, container, job_id)

    def let_go() -> None:
        container.listing_pictures.before = lambda: None
        with container.database.unit_of_work() as session:
            expiry.expire(session, job_id, clock())

    container.listing_pictures.before = let_go
    pack_worker(container).make(pack_id)
    assert files(container, job_id) == []


def test_a_pack_that_the_release_before_left_of_an_order_let_go_is_not_made(api, container, clock, job_id) -> None:
    pack_id = asked(api, container, job_id)
    with container.database.unit_of_work() as session:
        session.get_one(Job, job_id).expired_at = clock()
    pack_up(container)
    assert row(container, pack_id).error == work_on_packs.GONE
    assert files(container, job_id) == []


def test_a_wake_up_for_a_pack_that_is_none_makes_nothing(container: Container) -> None:
    pack_worker(container).make("pck_" + "0" * 22)
    assert pack_up(container) == 0


def test_the_sweep_notifies_again_of_a_pack_whose_wake_up_was_lost(api, container, job_id) -> None:
    pack_id = asked(api, container, job_id)
    container.queue.queues[QueueName.PREVIEWS].clear()
    container.sweep.notify_due_packs()
    assert container.queue.queues[QueueName.PREVIEWS] == [pack_id]


@pytest.mark.long
def test_many_pictures_are_in_memory_one_at_a_time(api: Api, container: Container) -> None:
    job_id = api.order(
        interior=[PHOTO] * 15,
        exterior=[PHOTO] * 15,
        address="12 Garden Lane, Oakland, CA 94601",
        exteriorEnhancements=["sky_enhancement"],
        interiorEnhancements=["declutter"],
    )["jobId"]
    work(container)
    pack_id = asked(api, container, job_id, "bay-east")
    made = container.listing_pictures.make

    def large(picture, wanted):
        return replace(made(picture, wanted), content=os.urandom(500_000))

    container.listing_pictures.make = large
    tracemalloc.start()
    pack_up(container)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    kept = row(container, pack_id)
    assert (kept.error, kept.picture_count) == (None, 60)
    assert kept.size_bytes > 60 * 500_000
    assert peak < 15_000_000
    assert container.storage.stat(kept.storage_key).size_bytes == kept.size_bytes
