"""Previews are made once, tried again, or given up in words; they go with the folder of their file."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.attempts import PHOTOS, PREVIEWS
from app.domain.lifecycle import WorkState
from app.domain.ports import QueueName
from app.models import Job, Photo, PhotoFacts, Preview, Result
from app.services.photos import photos, pictures
from app.services.previews import previews, worker
from app.services.uploads import uploads
from engine.types.enhancements import PhotoType
from engine.types.pictures import Previews, PreviewSize
from engine.types.report import QualityReport
from tests import acts, reading
from tests.conftest import PHOTO, Api, develop, preview_worker, work
from tests.fakes import FakeClock, make_facts, photo

FOLDER = "uploads/ups_1/"
KEY = FOLDER + "interior-0"
STAGED = "Virtually staged"


def put(container: Container, key: str, content: bytes = PHOTO) -> None:
    acts.put(container.storage, key, content)


def wanted(container: Container, key: str = KEY, content: bytes = PHOTO, label: str | None = None) -> str:
    put(container, key, content)
    with container.database.unit_of_work() as session:
        previews.request(session, key, key[: key.rindex("/") + 1], container.clock(), label)
    return key


def row(container: Container, key: str = KEY) -> Preview:
    return reading.one(container, Preview, key)


def due(container: Container, limit: int = 100) -> list[str]:
    with container.database.read_session() as session:
        return previews.QUEUE.due(session, container.clock(), limit)


def claim(container: Container, key: str = KEY):
    with container.database.unit_of_work() as session:
        return previews.claim(session, key, container.clock())


def stored(container: Container, key: str = KEY) -> set[PreviewSize]:
    return {size for size in PreviewSize if container.storage.stat(previews.key_of(key, size))}


def keys(container: Container) -> list[str]:
    return reading.found(container, select(Preview.source_key))


def test_what_is_wanted_is_rung_for_after_the_commit_and_made_once(container: Container) -> None:
    wanted(container)
    assert container.queue.queues[QueueName.PREVIEWS] == [KEY]
    made = []
    container.previews.before = lambda: made.append(1)
    for _ in range(3):
        preview_worker(container).make(KEY)
    kept = row(container)
    assert (kept.state, kept.attempts, kept.width, kept.height, kept.error) == (WorkState.DONE, 1, 4, 3, None)
    assert (kept.claim_id, kept.lease_until) == (None, None)
    assert made == [1]
    assert stored(container) == {PreviewSize.THUMB, PreviewSize.VIEW}
    assert due(container) == []


def test_wanting_again_changes_nothing_and_notifies_nobody(container: Container) -> None:
    wanted(container, label=STAGED)
    develop(container)
    wanted(container, label="Something else")
    kept = row(container)
    assert (kept.state, kept.label, kept.width) == (WorkState.DONE, STAGED, 4)
    assert container.queue.queues[QueueName.PREVIEWS] == [KEY]


def test_many_who_want_the_same_at_once_are_one(container: Container) -> None:
    put(container, KEY)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: wanted(container), range(16)))
    assert keys(container) == [KEY]
    assert container.queue.queues[QueueName.PREVIEWS] == [KEY]


def test_a_want_that_is_rolled_back_is_none(container: Container) -> None:
    with pytest.raises(RuntimeError), container.database.unit_of_work() as session:
        previews.request(session, KEY, FOLDER, container.clock())
        raise RuntimeError
    assert keys(container) == container.queue.queues[QueueName.PREVIEWS] == []


def test_wanting_twice_spoils_nothing_else_in_the_same_unit_of_work(container: Container) -> None:
    with container.database.unit_of_work() as session:
        for key in (KEY, KEY, FOLDER + "interior-1"):
            previews.request(session, key, FOLDER, container.clock())
    assert sorted(keys(container)) == [KEY, FOLDER + "interior-1"]


def test_a_label_brings_a_labeled_copy(container: Container) -> None:
    wanted(container, label=STAGED)
    develop(container)
    assert stored(container) == {PreviewSize.THUMB, PreviewSize.VIEW, PreviewSize.LABELED}
    with container.storage.open(previews.key_of(KEY, PreviewSize.LABELED)) as file:
        assert file.read().endswith(STAGED.encode())


def test_a_public_copy_wanted_later_is_made_while_the_small_pictures_stay(container: Container) -> None:
    wanted(container, content=PHOTO + b"SECRET")
    develop(container)
    assert row(container).holds == ["place"]
    with container.database.unit_of_work() as session:
        previews.request_public(session, KEY, FOLDER, container.clock())
    assert row(container).width == 4, "pages show what is there"
    assert develop(container) == 1
    assert stored(container) == {PreviewSize.THUMB, PreviewSize.VIEW, PreviewSize.PUBLIC}
    with container.storage.open(previews.key_of(KEY, PreviewSize.PUBLIC)) as file:
        assert b"SECRET" not in file.read()


def test_previews_stay_where_copies_cannot_be_made(container: Container) -> None:
    wanted(container)
    develop(container)
    put(container, KEY, photo("BROKEN"))
    with container.database.unit_of_work() as session:
        previews.request_copies(session, [KEY])
    develop(container)
    kept = row(container)
    assert (kept.state, kept.error, kept.width, kept.copies) == (WorkState.DONE, None, 4, {})
    assert previews.are_copies_given_up(kept)


def test_what_a_program_sends_is_not_guessed_at(api: Api, container: Container) -> None:
    container.previews.facts = lambda content: make_facts(content, guessed_type=PhotoType.EXTERIOR)
    api.upload(interior=[PHOTO])
    develop(container)
    assert reading.found(container, select(PhotoFacts.guessed_type)) == [None]


def test_a_wake_up_for_what_nobody_wants_makes_nothing_and_leaves_the_others_waiting(container: Container) -> None:
    wanted(container)
    preview_worker(container).make("uploads/ups_9/interior-0")
    assert stored(container) == set()
    assert due(container) == [KEY]


@pytest.mark.parametrize(
    ("content", "error"), [(photo("BROKEN"), "The photo cannot be decoded."), (None, worker.GONE)]
)
def test_what_can_have_no_preview_is_given_up_in_words(container, clock: FakeClock, content, error) -> None:
    wanted(container)
    if content is None:
        container.storage.delete(KEY)
        clock.now += previews.MAX_MISSING_TIME
    else:
        put(container, KEY, content)
    develop(container)
    kept = row(container)
    assert (kept.state, kept.attempts, kept.error, kept.width) == (WorkState.DONE, 1, error, None)
    assert stored(container) == set()


def test_work_that_breaks_is_tried_again_later_and_then_given_up(container: Container, clock: FakeClock) -> None:
    wanted(container, content=photo("CRASH"))
    for wait in (5, 60):
        assert develop(container) == 1
        assert row(container).state is WorkState.WAITING
        clock.pass_(seconds=wait - 1)
        assert due(container) == []
        clock.pass_(seconds=1)
        assert due(container) == [KEY]
    develop(container)
    kept = row(container)
    assert (kept.state, kept.attempts, kept.error) == (WorkState.DONE, PREVIEWS.max_attempts, previews.GIVEN_UP)
    clock.pass_(days=1)
    assert due(container) == []


def test_a_retry_that_succeeds_leaves_no_error(container: Container, clock: FakeClock) -> None:
    wanted(container, content=photo("CRASH"))
    develop(container)
    put(container, KEY)
    clock.pass_(seconds=5)
    develop(container)
    assert (row(container).error, row(container).width) == (None, 4)


def test_a_file_that_kills_its_workers_is_given_up(container: Container, clock: FakeClock) -> None:
    wanted(container)
    container.previews.before = acts.killed
    for _ in range(PREVIEWS.max_attempts):
        with pytest.raises(acts.KilledError):
            preview_worker(container).make(KEY)
        assert due(container) == []
        clock.pass_(seconds=PREVIEWS.lease.total_seconds() + 1)
        assert due(container) == [KEY]
    preview_worker(container).make(KEY)
    kept = row(container)
    assert (kept.state, kept.error, kept.claim_id) == (WorkState.DONE, previews.GIVEN_UP, None)
    assert due(container) == []


def test_a_claim_is_one_workers_until_its_lease_is_over(container: Container, clock: FakeClock) -> None:
    wanted(container)
    with ThreadPoolExecutor(8) as pool:
        [first] = filter(None, pool.map(lambda _: claim(container), range(8)))
    clock.now += PREVIEWS.lease
    assert claim(container) is None
    with container.database.unit_of_work() as session:
        assert previews.QUEUE.renew(session, first, clock())
    clock.pass_(seconds=20)
    assert claim(container) is None
    clock.now += PREVIEWS.lease
    second = claim(container)
    assert second is not None
    with container.database.unit_of_work() as session:
        for late in (
            previews.QUEUE.renew(session, first, clock()),
            previews.finish(session, first, Previews({}, 9, 9)),
            previews.retry(session, first, clock()),
            previews.give_up(session, first, "late"),
        ):
            assert late is False
        assert previews.finish(session, second, Previews({}, 4, 3))


def test_a_released_claim_is_taken_again_at_once_and_uncounted(container: Container) -> None:
    wanted(container)
    for _ in range(PREVIEWS.max_attempts + 2):
        held = claim(container)
        assert held is not None
        with container.database.unit_of_work() as session:
            previews.QUEUE.release(session, held, container.clock())
    assert row(container).attempts == 0


def test_a_worker_that_was_overtaken_leaves_the_pictures_of_the_other(container: Container, clock) -> None:
    wanted(container)

    def overtaken() -> None:
        container.previews.before = lambda: None
        clock.pass_(seconds=PREVIEWS.lease.total_seconds() + 1)
        preview_worker(container).make(KEY)

    container.previews.before = overtaken
    preview_worker(container).make(KEY)
    assert row(container).attempts == 2
    assert stored(container) == {PreviewSize.THUMB, PreviewSize.VIEW}


def test_pictures_that_were_forgotten_while_they_were_made_leave_nothing_behind(container: Container) -> None:
    wanted(container, label=STAGED)

    def forgotten() -> None:
        with container.database.unit_of_work() as session:
            previews.forget(session, FOLDER)
        container.storage.delete_prefix(FOLDER)

    container.previews.before = forgotten
    preview_worker(container).make(KEY)
    assert (keys(container), stored(container)) == ([], set())


def test_no_transaction_is_open_while_pictures_are_made(container: Container) -> None:
    wanted(container)
    other = FOLDER + "interior-1"
    container.previews.before = lambda: wanted(container, other) and None  # would wait for ever beside a writer
    preview_worker(container).make(KEY)
    assert row(container).width == 4


def test_the_longest_due_come_first_and_no_more_than_asked_for(container: Container, clock: FakeClock) -> None:
    for number in range(3):
        wanted(container, f"{FOLDER}interior-{number}")
        clock.pass_(seconds=1)
    assert due(container, 2) == [f"{FOLDER}interior-0", f"{FOLDER}interior-1"]


def test_a_lost_wake_up_is_rung_again_by_the_sweep(container: Container) -> None:
    container.queue.away = True
    wanted(container)
    container.queue.away = False
    container.sweep.notify_due_previews()
    assert container.queue.queues[QueueName.PREVIEWS] == [KEY]


def test_those_of_many_files_are_known_at_once(container: Container) -> None:
    wanted(container)
    develop(container)
    with container.database.read_session() as session:
        known = previews.get_all(session, [KEY, "uploads/ups_1/nothing"])
        assert previews.get_all(session, []) == {}
    assert {key: each.width for key, each in known.items()} == {KEY: 4}


def test_results_and_their_photos_get_previews_with_their_result(api: Api, container: Container) -> None:
    job_id = api.order(
        interior=[PHOTO, photo("HALF"), photo("DECLINE")],
        exterior=[PHOTO],
        interiorEnhancements=["virtual_staging", "hdr_enhancement", "declutter"],
    )["jobId"]
    assert all(key.startswith("uploads/") for key in keys(container)), "those of the photos, since they came"
    work(container)
    with container.database.read_session() as session:
        rows = session.execute(select(Photo, Result).join(Result).order_by(Photo.type, Photo.index)).all()
        known = previews.get_all(session, keys(container))
    assert set(known) == {each.storage_key for pair in rows for each in pair if each.storage_key}
    labels = [known[result.storage_key].label if result.storage_key else "none" for _, result in rows]
    # Staging comes after decluttering and before the light, which the second photo was refused.
    both = "Virtually staged, digitally altered"
    assert labels == ["Digitally altered", both, both, "none"]
    assert {known[each.storage_key].label for each, _ in rows} == {None}
    folders = {known[result.storage_key].folder for _, result in rows if result.storage_key}
    assert folders == {pictures.results_prefix(job_id)}
    assert len({known[each.storage_key].folder for each, _ in rows}) == 1


def test_a_photo_that_was_given_up_has_a_preview_all_the_same(api: Api, container: Container, clock) -> None:
    api.order(interior=[photo("CRASH")])
    for _ in range(PHOTOS.max_attempts):
        work(container)
        clock.now += timedelta(seconds=31)
    assert len(keys(container)) == 1


def test_previews_of_a_fenced_worker_are_not_wanted(api: Api, container: Container, clock: FakeClock) -> None:
    photo_id = api.order(interior=[PHOTO])["assets"][0]["id"]
    with container.database.unit_of_work() as session:
        held = photos.claim(session, photo_id, clock())
    clock.pass_(hours=2)
    container.sweep.fail_overdue_jobs()
    with container.database.unit_of_work() as session:
        assert not photos.finish(session, held, pictures.MadePicture(QualityReport()), clock())
    assert all(key.startswith("uploads/") for key in keys(container))


def test_previews_go_when_the_pictures_of_an_order_go(api: Api, container: Container, clock: FakeClock) -> None:
    first, second = (api.order(interior=[PHOTO], exterior=[PHOTO])["jobId"] for _ in range(2))
    work(container)
    assert develop(container) == 8
    with container.database.unit_of_work() as session:
        session.get_one(Job, second).settled_at = clock() + timedelta(days=1)
    clock.pass_(days=7)
    container.sweep.expire_jobs()
    assert len(keys(container)) == 4
    assert all(first not in key for key in keys(container))
    container.sweep.purge_files()
    files = [path for path in (container.settings.data_dir / "storage").rglob("*") if path.is_file()]
    assert len(files) == 4 + 4 * 2 + 1, "and the labeled copy of the outside"


def test_previews_go_with_an_unused_upload(api: Api, container: Container, clock: FakeClock) -> None:
    session_id = api.upload(interior=[PHOTO])["uploadSessionId"]
    key = f"{uploads.prefix(session_id)}interior-0"
    with container.database.unit_of_work() as session:
        previews.request(session, key, uploads.prefix(session_id), clock())
    develop(container)
    clock.pass_(hours=24)
    container.sweep.forget_unused_uploads()
    assert (keys(container), stored(container, key)) == ([], set())
