"""The photos of one order are worked with one look, found once and kept whatever happens to workers."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.attempts import PHOTOS
from app.models import Job
from app.services.photos.shared_appearances import MAX_ESTIMATES, SharedAppearances
from engine.types.appearance import SharedAppearance
from tests.acts import KilledError, killed, put
from tests.conftest import PHOTO, Api, photo_worker, work
from tests.fakes import NEUTRAL, WARM, FakeClock, FakeImagery, photo

WARM_ROOM = photo("WARM")
WARM_LOOK = SharedAppearance(cast_indoors=WARM, brightness_indoors=0.5)


def kept(container: Container) -> dict | None:
    with container.database.read_session() as session:
        return session.scalars(select(Job.shared_appearance)).one()


def looks(container: Container) -> list[SharedAppearance]:
    """With which look each photo was worked."""
    return [context.appearance for context in container.engine.contexts]


def finder(container: Container) -> SharedAppearances:
    return SharedAppearances(container.database, container.storage, container.engine)


def test_all_photos_of_an_order_are_worked_with_the_look_that_they_agree_on(api: Api, container: Container) -> None:
    api.order(interior=[WARM_ROOM, PHOTO, WARM_ROOM])
    work(container)
    assert looks(container) == [WARM_LOOK] * 3
    assert len(container.engine.estimated) == 3


def test_each_order_has_a_look_of_its_own(api: Api, container: Container) -> None:
    api.order(interior=[WARM_ROOM])
    api.order(interior=[PHOTO])
    work(container)
    assert {look.cast_indoors for look in looks(container)} == {WARM, NEUTRAL}


def test_the_look_is_settled_before_the_first_photo_is_worked(api: Api, container: Container) -> None:
    api.order(interior=[WARM_ROOM, PHOTO])
    seen = []
    container.engine.before = lambda: seen.append(kept(container))
    work(container)
    assert seen == [looks(container)[0]] * 2


def test_a_photo_that_cannot_be_looked_at_is_left_out_and_refused_at_its_own_turn(
    api: Api, container: Container
) -> None:
    order = api.order(interior=[photo("BROKEN"), photo("DAZZLE"), WARM_ROOM])
    work(container)
    assert looks(container) == [WARM_LOOK] * 3
    assert api.status(order["jobId"])["status"] == "approved"
    assert api.status(order["jobId"])["creditsRefunded"] == 0.5


def test_an_order_of_which_no_photo_can_be_looked_at_has_a_look_that_knows_nothing(api: Api, container) -> None:
    api.order(interior=[photo("DAZZLE"), photo("DAZZLE")])
    work(container)
    assert looks(container) == [SharedAppearance()] * 2
    assert len(container.engine.estimated) == 2


def test_a_photo_whose_file_is_gone_does_not_keep_the_others_from_their_look(api: Api, container) -> None:
    job = api.order(interior=[WARM_ROOM, PHOTO])["jobId"]
    with container.database.read_session() as session:
        key = session.get_one(Job, job).photos[1].storage_key
    lying = container.storage.open(key).read()
    container.storage.delete(key)
    found = finder(container).determine(job)
    put(container.storage, key, lying)  # for the check after the test
    assert found == WARM_LOOK


def test_public_imagery_is_left_out_whether_or_not_it_was_fetched(api: Api, container: Container) -> None:
    container.imagery = FakeImagery({"12 Garden Lane, Springfield, IL 62704": WARM_ROOM})
    room = api.upload(interior=[PHOTO])
    fields = {"serviceType": "both", "exteriorEnhancements": ["sky_enhancement"], **room}
    body = {"address": "12 Garden Lane, Springfield, IL 62704", "interiorEnhancements": ["hdr_enhancement"]}
    assert api.post("/orders/from-uploads", {**body, **fields}).status_code == 200
    work(container)
    with container.database.unit_of_work() as session:
        job = session.scalars(select(Job)).one()
        assert all(container.storage.stat(each.storage_key) for each in job.photos)
        job.shared_appearance = None
    assert finder(container).determine(job.id).cast_indoors == NEUTRAL
    assert container.engine.estimated == [PHOTO, PHOTO]
    assert {look.cast_indoors for look in looks(container)} == {NEUTRAL}


def test_workers_that_race_agree_and_the_first_look_stays(api: Api, container: Container) -> None:
    job = api.order(interior=[WARM_ROOM, WARM_ROOM])["jobId"]
    seen = []

    def overtaken() -> None:
        container.engine.before_estimate = lambda: None
        seen.append(finder(container).determine(job))

    container.engine.before_estimate = overtaken
    seen.append(finder(container).determine(job))
    assert seen == [WARM_LOOK] * 2


def test_a_look_that_is_kept_is_never_replaced(api: Api, container: Container) -> None:
    job = api.order(interior=[WARM_ROOM])["jobId"]
    first = SharedAppearance(brightness_indoors=0.25)
    with container.database.unit_of_work() as session:
        session.get_one(Job, job).shared_appearance = first
    assert finder(container).find(job) == finder(container).determine(job) == first


def test_no_transaction_is_open_while_photos_are_looked_at(api: Api, container: Container) -> None:
    job = api.order(interior=[PHOTO])["jobId"]

    def writes() -> None:
        with container.database.unit_of_work() as session:  # waits for ever beside another writer
            session.get_one(Job, job).error = "written meanwhile"

    container.engine.before_estimate = writes
    finder(container).determine(job)
    with container.database.read_session() as session:
        assert session.get_one(Job, job).error == "written meanwhile"


def test_looking_has_a_watch_of_its_own_and_only_the_first_time(api: Api, container: Container) -> None:
    api.order(interior=[PHOTO, PHOTO])
    estimated_at = []

    class Watched:
        def __enter__(self) -> None:
            estimated_at.append(len(container.engine.estimated))

        def __exit__(self, *_: object) -> None:
            estimated_at.append(len(container.engine.estimated))

    for photo_id in list(container.queue.notified):
        replace(photo_worker(container), watch=lambda _: Watched()).process(photo_id)
    assert estimated_at == [0, *[2] * 13]  # then reading, the engine and writing have one each, of both photos


def test_a_worker_killed_while_it_looks_leaves_the_look_to_the_next(api: Api, container, clock: FakeClock) -> None:
    api.order(interior=[WARM_ROOM])
    container.engine.before_estimate = killed
    with pytest.raises(KilledError):
        work(container)
    assert kept(container) is None
    container.engine.before_estimate = lambda: None
    clock.pass_(seconds=PHOTOS.lease.total_seconds() + 1)
    work(container)
    assert looks(container) == [WARM_LOOK]


def test_a_photo_that_kills_whoever_looks_at_it_does_not_take_its_order_along(
    api: Api, container, clock: FakeClock
) -> None:
    job = api.order(interior=[PHOTO, PHOTO])["jobId"]
    container.engine.before_estimate = killed
    for _ in range(PHOTOS.max_attempts - 1):
        for photo_id in list(container.queue.notified):
            with pytest.raises(KilledError):
                photo_worker(container).process(photo_id)
        clock.pass_(seconds=PHOTOS.lease.total_seconds() + 1)
    assert work(container) == 2
    assert looks(container) == [SharedAppearance()] * 2
    assert api.status(job)["status"] == "approved"


def test_of_a_large_order_some_photos_tell_from_its_beginning_to_its_end(api: Api, container: Container) -> None:
    job = api.order(interior=[photo(f"room {number};") for number in range(30)])["jobId"]
    finder(container).determine(job)
    numbers = [int(content.split(b"room ")[1].split(b";")[0]) for content in container.engine.estimated]
    assert len(numbers) == MAX_ESTIMATES
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 0
    assert numbers[-1] >= 27
