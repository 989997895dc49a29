"""The work on results sent back: tried again where it breaks, left to a person where it cannot help."""

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.attempts import PICTURES
from app.domain.lifecycle import WorkState
from app.domain.pictures import AS_ORDERED
from app.domain.ports import QueueName
from app.domain.revisions import (
    RevisionOutcome,
    RevisionReason,
    RevisionStatus,
)
from app.models import Photo, StoredPicture
from app.services.photos import pictures
from tests.conftest import PHOTO, Api, revise, revision_worker, work
from tests.fakes import FakeClock, photo
from tests.faulty_storage import READING, FaultyStorage
from tests.sent_back import (
    events,
    ordered,
    result_of,
    round_of,
    send_back,
)


@pytest.mark.parametrize("reason", ["other", "nothing_done"])
def test_what_a_worker_cannot_help_waits_for_a_person_at_once(api: Api, container: Container, reason: str) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id, reason)
    assert (sent.status, sent.reason) == (RevisionStatus.IN_REVIEW, RevisionReason.NO_REMEDY)
    assert revise(container) == 0
    assert events(container, job_id) == []


def test_a_picture_that_comes_out_the_same_waits_for_a_person(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id)
    with container.database.unit_of_work() as session:
        session.get_one(StoredPicture, sent.made_id).settings = AS_ORDERED
    revise(container)
    left = round_of(container, sent)
    assert (left.status, left.reason) == (RevisionStatus.IN_REVIEW, RevisionReason.SAME_PICTURE)
    assert result_of(container, job_id).picture.settings == AS_ORDERED


@pytest.mark.parametrize(
    ("marker", "reason"),
    [("AGAIN DOUBT", RevisionReason.CHECKS_UNSURE), ("AGAIN BLANK", RevisionReason.CHECKS_FAILED)],
)
def test_a_picture_that_the_checks_are_not_sure_of_waits_for_a_person(
    api: Api, container: Container, marker: str, reason: RevisionReason
) -> None:
    job_id = ordered(api, container, contents=(photo(marker),))
    before = result_of(container, job_id)
    sent = send_back(container, job_id)
    revise(container)
    left = round_of(container, sent)
    assert (left.status, left.reason) == (RevisionStatus.IN_REVIEW, reason)
    assert left.new_picture is not None
    assert result_of(container, job_id).storage_key == before.storage_key


def test_processing_that_breaks_in_every_try_is_left_to_a_person(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = ordered(api, container, contents=(photo("AGAIN CRASH"),))
    sent = send_back(container, job_id)
    for _ in range(PICTURES.max_attempts):
        assert revise(container) == 1
        clock.pass_(minutes=2)
    assert revise(container) == 0
    left = round_of(container, sent)
    assert (left.status, left.reason) == (
        RevisionStatus.IN_REVIEW,
        RevisionReason.PROCESSING_FAILED,
    )


def test_a_store_that_is_away_is_no_try(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id)
    container.storage = store = FaultyStorage(container.storage)
    with store.away(READING):
        for _ in range(PICTURES.max_attempts + 2):
            revise(container)
            clock.pass_(minutes=6)
    waiting = round_of(container, sent).made
    assert waiting is not None
    assert (waiting.state, waiting.attempts) == (WorkState.WAITING, 0)
    assert waiting.postponements == PICTURES.max_attempts + 2
    revise(container)
    assert round_of(container, sent).outcome is RevisionOutcome.REVISED


def test_a_photo_whose_file_is_gone_ends_the_round(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id)
    with container.database.read_session() as session:
        (key,) = session.scalars(select(Photo.storage_key).where(Photo.job_id == job_id))
    container.storage.copy(key, "uploads/aside")
    container.storage.delete(key)
    revise(container)
    container.storage.copy("uploads/aside", key)
    done = round_of(container, sent)
    assert (done.outcome, done.reason) == (RevisionOutcome.DECLINED, RevisionReason.FILES_GONE)
    assert events(container, job_id)[0]["data"]["outcome"] == "declined"


def test_a_worker_that_lost_its_claim_changes_nothing(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id)

    def take_over() -> None:
        container.engine.before = lambda: None
        clock.pass_(minutes=5)
        assert revise(container) == 1

    container.engine.before = take_over
    revision_worker(container).make(sent.id)
    done, now = round_of(container, sent), result_of(container, job_id)
    assert (done.outcome, len(events(container, job_id))) == (RevisionOutcome.REVISED, 1)
    kept = {each.key for each in container.storage.list_files(f"results/{job_id}/") if sent.made_id in each.key}
    assert kept == {now.storage_key}


def test_workers_that_die_at_it_leave_it_to_a_person(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id)
    for _ in range(PICTURES.max_attempts):
        with container.database.unit_of_work() as session:
            assert pictures.claim(session, sent.made_id, clock()) is not None
        clock.pass_(minutes=5)
    revision_worker(container).make(sent.id)
    left = round_of(container, sent)
    assert (left.status, left.reason) == (
        RevisionStatus.IN_REVIEW,
        RevisionReason.PROCESSING_FAILED,
    )


def test_the_sweep_notifies_again_of_those_due(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id)
    container.queue.queues[QueueName.PHOTOS].clear()
    container.sweep.notify_due_pictures()
    assert container.queue.queues[QueueName.PHOTOS] == [sent.made_id]


def test_the_work_on_it_delays_no_other_approved_picture(api: Api, container: Container) -> None:
    job_id = ordered(api, container, contents=(PHOTO, photo("OTHER")))
    send_back(container, job_id)
    answer = api.get(f"/downloads/{job_id}")
    assert (answer.status_code, len(answer.json["images"])) == (200, 2)
    assert api.status(job_id)["status"] == "delivered"
    revise(container)
    assert api.status(job_id)["status"] == "delivered"
    assert work(container) == 0
