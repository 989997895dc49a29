"""Pictures made again of a result with only some of its steps: wanted once, made under a lease, gone with it."""

from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import pytest
from sqlalchemy import select, update

from app.container import Container
from app.domain.attempts import PICTURES
from app.domain.errors import NotFound
from app.domain.lifecycle import WorkState
from app.domain.ports import QueueName
from app.domain.variants import MAX_VARIANTS, VariantObstacle
from app.models import Job, Photo, Preview, Result, StoredPicture
from app.services.photos import downloads, pictures, variants
from app.services.photos.downloads import Variant
from engine.types.enhancements import Enhancement, WorkSize
from engine.types.report import Maker
from tests import acts, reading
from tests.conftest import Api, develop, photo_worker, remake, work
from tests.fakes import FakeClock, photo
from tests.faulty_storage import READING, FaultyStorage
from tests.sent_back import variants_of

HDR, DECLUTTER = Enhancement.HDR, Enhancement.DECLUTTER
EMPTY, STAGING = Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING


def order(api: Api, container: Container, *steps: Enhancement, content: bytes | None = None, **fields) -> str:
    """The id of an approved job of one room with these steps."""
    job_id = api.order(interior=[content or photo("ROOM")], interiorEnhancements=list(steps), **fields)["jobId"]
    work(container)
    assert api.status(job_id)["status"] == "approved"
    return job_id


def made(container: Container, job_id: str) -> list[StoredPicture]:
    with container.database.read_session() as session:
        return variants_of(session, job_id)


def kept_by(container: Container, variant: StoredPicture) -> tuple[Enhancement, ...]:
    """The steps of the result that it keeps."""
    with container.database.read_session() as session:
        both = select(Result, Photo).join(Photo, Photo.id == Result.photo_id).where(Photo.id == variant.photo_id)
        return variants.list_kept(variant, *session.execute(both).one())


def request(
    container: Container, job_id: str, *kept: Enhancement, again: bool = False
) -> StoredPicture | VariantObstacle:
    with container.database.unit_of_work() as session:
        result = session.scalars(select(Result).where(Result.job_id == job_id)).one()
        job = session.get_one(Job, job_id)
        return variants.request(session, job, result, kept, container.clock(), retry_failed=again)


def change_result(container: Container, job_id: str, **values: object) -> None:
    with container.database.unit_of_work() as session:
        result = session.scalars(select(Result).where(Result.job_id == job_id)).one()
        for name, value in values.items():
            setattr(result.picture, name, value)


def files(container: Container, job_id: str) -> set[str]:
    return {each.key for each in container.storage.list_files(f"results/{job_id}/")}


def base_of(container: Container, job_id: str) -> Variant | StoredPicture | None:
    with container.database.read_session() as session:
        return downloads.find_base(
            *session.execute(downloads.select_approved(job_id)).one(), variants_of(session, job_id)
        )


def test_the_base_of_an_approved_picture_is_made_with_the_exempt_steps_alone(
    api: Api, container: Container
) -> None:
    job_id = order(api, container, HDR, DECLUTTER)
    [wanted] = made(container, job_id)
    assert (kept_by(container, wanted), wanted.work_size, wanted.state) == (
        (HDR,),
        WorkSize.LIGHT,
        WorkState.WAITING,
    )
    assert wanted.id in container.queue.queues[QueueName.PHOTOS]
    assert base_of(container, job_id) is None
    assert remake(container) == 1
    [done] = made(container, job_id)
    assert done.is_settled
    with container.storage.open(done.storage_key) as file:
        content = file.read()
    assert (done.sha256, done.size_bytes) == (sha256(content).hexdigest(), len(content))
    assert (done.media_type, done.width, done.height) == ("image/jpeg", 4, 3)
    assert done.report.applied == (HDR,)
    assert base_of(container, job_id).id == done.id


def test_it_is_made_from_what_the_result_was_made_from_without_a_generative_server(
    api: Api, container: Container
) -> None:
    job_id = order(api, container, HDR, DECLUTTER)
    remake(container)
    first, again = container.engine.contexts
    assert (first.order_seed, first.appearance) == (again.order_seed, again.appearance)
    assert again.order_seed == job_id
    assert (first.asks_server, again.asks_server, again.spend()) == (True, False, False)
    assert container.engine.requests[-1].steps == [HDR]


def test_what_was_chosen_for_a_step_goes_with_it(api: Api, container: Container) -> None:
    staged = {"virtualStaging": {"0": {"style": "coastal", "roomType": "bedroom"}}}
    job_id = order(api, container, DECLUTTER, STAGING, **staged)
    assert made(container, job_id) == []
    request(container, job_id, STAGING)
    request(container, job_id, DECLUTTER)
    remake(container)
    # Both are due at the same time, so either may be made first.
    declutter, staging = sorted(container.engine.requests[1:], key=lambda request: STAGING in request.steps)
    assert (staging.steps, staging.style, staging.room_type) == ([STAGING], "coastal", "bedroom")
    assert (declutter.steps, declutter.staging) == ([DECLUTTER], None)


@pytest.mark.parametrize(
    ("steps", "base"), [([HDR], Variant.ALTERED), ([DECLUTTER, STAGING], Variant.ORIGINAL)], ids=["light", "told"]
)
def test_a_base_that_is_there_already_is_not_made(
    api: Api, container: Container, steps: list[Enhancement], base: Variant
) -> None:
    job_id = order(api, container, *steps)
    assert made(container, job_id) == []
    assert base_of(container, job_id) is base


def test_a_rejected_picture_has_no_base(api: Api, container: Container) -> None:
    job_id = api.order(
        interior=[photo("BLANK"), photo("ROOM")], interiorEnhancements=["hdr_enhancement", "declutter"]
    )["jobId"]
    work(container)
    assert len(made(container, job_id)) == 1


def test_asking_again_changes_nothing(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = order(api, container, HDR, DECLUTTER, STAGING)
    first = request(container, job_id, STAGING, HDR)
    second = request(container, job_id, HDR, STAGING)
    assert first.id == second.id
    assert set(kept_by(container, first)) == {HDR, STAGING}
    assert container.queue.queues[QueueName.ROOMS].count(first.id) == 1
    remake(container)
    clock.pass_(hours=1)
    assert request(container, job_id, HDR, STAGING, again=True).state is WorkState.DONE
    assert remake(container) == 0


def test_what_takes_long_waits_among_rooms(api: Api, container: Container) -> None:
    job_id = order(api, container, HDR, STAGING)
    wanted = request(container, job_id, STAGING)
    assert wanted.work_size is WorkSize.HEAVY
    assert wanted.id in container.queue.queues[QueueName.ROOMS]


def test_the_sweep_notifies_again_of_those_due(api: Api, container: Container) -> None:
    job_id = order(api, container, HDR, STAGING)
    heavy = request(container, job_id, STAGING)
    light = next(each for each in made(container, job_id) if each.work_size is WorkSize.LIGHT)
    for waiting in container.queue.queues.values():
        waiting.clear()
    container.sweep.notify_due_pictures()
    assert container.queue.queues[QueueName.ROOMS] == [heavy.id]
    assert container.queue.queues[QueueName.PHOTOS] == [light.id]


def test_nothing_kept_and_nothing_left_out_are_files_there_are(api: Api, container: Container) -> None:
    job_id = order(api, container, HDR, DECLUTTER)
    assert request(container, job_id) is VariantObstacle.NOTHING_KEPT
    assert request(container, job_id, STAGING) is VariantObstacle.NOTHING_KEPT
    assert request(container, job_id, DECLUTTER, HDR) is VariantObstacle.NOTHING_LEFT_OUT


def test_a_result_of_another_engine_is_not_made_again(api: Api, container: Container) -> None:
    job_id = order(api, container, HDR, DECLUTTER)
    with container.database.unit_of_work() as session:
        session.execute(update(StoredPicture).values(engine_version="0.0.9+00000000"))
    assert request(container, job_id, DECLUTTER) is VariantObstacle.ENGINE_CHANGED
    assert remake(container) == 1, "the base was wanted before"
    [base] = made(container, job_id)
    assert (base.error, base.storage_key) == (VariantObstacle.ENGINE_CHANGED, None)
    assert len(container.engine.requests) == 1
    assert len(files(container, job_id)) == 1, "the result itself stays"


def test_a_step_by_a_generative_server_is_not_made_again_and_may_be_left_out(
    api: Api, container: Container
) -> None:
    job_id = order(api, container, HDR, DECLUTTER, STAGING)
    report = reading.only(container, select(Result)).report
    by_server = [
        replace(step, maker=Maker.SERVER if step.enhancement is STAGING else Maker.WORKER) for step in report.steps
    ]
    change_result(container, job_id, report=replace(report, steps=tuple(by_server)))
    assert request(container, job_id, STAGING, HDR) is VariantObstacle.MADE_BY_SERVER
    assert isinstance(request(container, job_id, DECLUTTER, HDR), StoredPicture)


def test_only_so_many_are_made_of_one_picture(api: Api, container: Container) -> None:
    job_id = order(api, container, HDR, DECLUTTER, EMPTY, STAGING)
    kept = [(HDR, DECLUTTER), (HDR, EMPTY), (HDR, STAGING), (DECLUTTER,), (EMPTY,), (STAGING,), (DECLUTTER, EMPTY)]
    assert all(isinstance(request(container, job_id, *each), StoredPicture) for each in kept)
    assert len(made(container, job_id)) == MAX_VARIANTS
    assert request(container, job_id, EMPTY, STAGING) is VariantObstacle.TOO_MANY
    assert isinstance(request(container, job_id, *kept[0]), StoredPicture)


def test_a_step_that_declines_alone_leaves_the_original(api: Api, container: Container) -> None:
    job_id = order(api, container, HDR, DECLUTTER, content=photo("ROOM"))
    key = reading.only(container, select(Photo.storage_key))
    with container.storage.open(key) as file:
        content = file.read()
    acts.put(container.storage, key, content.replace(b"ROOM", b"DECLINE"))
    with container.database.unit_of_work() as session:
        session.scalars(select(Photo)).one().sha256 = None
    remake(container)
    [base] = made(container, job_id)
    assert (base.has_declined, base.storage_key, base.error) == (True, None, None)
    assert base_of(container, job_id) is Variant.ORIGINAL


def test_work_that_breaks_is_tried_again_and_given_up_and_tried_anew_when_asked(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = order(api, container, HDR, DECLUTTER)

    def crash() -> None:
        raise RuntimeError("the engine crashed")

    container.engine.before = crash
    for _ in range(PICTURES.max_attempts):
        assert remake(container) == 1
        clock.pass_(minutes=2)
    assert remake(container) == 0
    [base] = made(container, job_id)
    assert (base.state, base.error) == (WorkState.DONE, VariantObstacle.PROCESSING_FAILED)
    container.engine.before = lambda: None
    assert request(container, job_id, HDR).error == VariantObstacle.PROCESSING_FAILED
    assert remake(container) == 0
    assert request(container, job_id, HDR, again=True).error is None
    assert remake(container) == 1
    [base] = made(container, job_id)
    assert base.storage_key in files(container, job_id)


def test_a_worker_that_dies_over_and_over_is_given_up(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = order(api, container, HDR, DECLUTTER)
    [base] = made(container, job_id)
    for _ in range(PICTURES.max_attempts + 1):
        with container.database.unit_of_work() as session:
            last = pictures.claim(session, base.id, clock())
        clock.pass_(seconds=PICTURES.lease.total_seconds() + 1)
    assert last is None
    assert [each.error for each in made(container, job_id)] == [VariantObstacle.PROCESSING_FAILED]


def test_who_lost_the_claim_keeps_nothing(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = order(api, container, HDR, DECLUTTER)
    [base] = made(container, job_id)

    def another_was_quicker() -> None:
        container.engine.before = lambda: None
        clock.pass_(seconds=PICTURES.lease.total_seconds() + 1)
        photo_worker(container).make(base.id)

    container.engine.before = another_was_quicker
    photo_worker(container).make(base.id)
    [base] = made(container, job_id)
    assert len(container.engine.requests) == 3
    assert len(files(container, job_id)) == 2
    assert base.storage_key in files(container, job_id)


def test_a_store_that_is_away_puts_it_off_uncounted(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = order(api, container, HDR, DECLUTTER)
    container.storage = store = FaultyStorage(container.storage)
    for _ in range(PICTURES.max_attempts + 2):
        with store.away(READING):
            assert remake(container) == 1
        clock.pass_(minutes=10)
    assert [(each.attempts, each.error) for each in made(container, job_id)] == [(0, None)]
    assert remake(container) == 1
    [base] = made(container, job_id)
    assert base.storage_key in files(container, job_id)


@pytest.mark.parametrize("gone", [True, False], ids=["gone", "another file"])
def test_without_the_very_photo_there_is_none(api: Api, container: Container, gone: bool) -> None:
    job_id = order(api, container, HDR, DECLUTTER)
    key = reading.only(container, select(Photo.storage_key))
    with container.storage.open(key) as file:
        content = file.read()
    container.storage.delete(key)
    if not gone:
        acts.put(container.storage, key, content + b"!")
    remake(container)
    assert [each.error for each in made(container, job_id)] == [VariantObstacle.FILES_GONE]
    assert len(container.engine.requests) == 1
    acts.put(container.storage, key, content)


def test_the_copy_that_says_what_is_altered_is_made_of_a_variant_too(api: Api, container: Container) -> None:
    job_id = order(api, container, HDR, DECLUTTER, STAGING)
    request(container, job_id, STAGING)
    remake(container)
    develop(container)
    labels = {each.source_key: each.label for each in reading.found(container, select(Preview))}
    told = {kept_by(container, each): labels[each.storage_key] for each in made(container, job_id)}
    assert told == {(HDR,): None, (STAGING,): "Virtually staged"}


def test_variants_go_with_the_pictures_of_their_order(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = order(api, container, HDR, DECLUTTER, STAGING)
    remake(container)
    late = request(container, job_id, STAGING)

    def expired_meanwhile() -> None:
        clock.now += timedelta(days=8)
        container.sweep.expire_jobs()
        container.sweep.purge_files()

    container.engine.before = expired_meanwhile
    photo_worker(container).make(late.id)
    assert made(container, job_id) == []
    assert files(container, job_id) == set()
    assert photo_worker(container).process("pho_none") is False


def test_once_the_pictures_are_gone_none_is_made_again(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = order(api, container, HDR, DECLUTTER)
    with container.database.unit_of_work() as session:
        job = session.get_one(Job, job_id)
        job.expired_at = clock()
        result = session.scalars(select(Result)).one()
        session.flush()
        answer = variants.request(session, job, result, [DECLUTTER], clock())
        session.rollback()
    assert answer is VariantObstacle.FILES_GONE


def test_a_version_of_another_photo_is_not_downloaded_as_one_of_this(
    api: Api, other_api: Api, container: Container
) -> None:
    mine, theirs = order(api, container, HDR, DECLUTTER), order(other_api, container, HDR, DECLUTTER)
    remake(container)
    [own], [foreign] = made(container, mine), made(container, theirs)
    with container.database.read_session() as session:
        image_id = session.scalars(select(Result.id).where(Result.job_id == mine)).one()
        assert downloads.link_variant(session, container.storage, mine, image_id, own.id, 60)
        for variant_id in (foreign.id, "pic_none"):
            with pytest.raises(NotFound):
                downloads.link_variant(session, container.storage, mine, image_id, variant_id, 60)


def test_what_a_server_made_is_no_variant_whoever_asked_for_it(api: Api, container: Container) -> None:
    job_id = order(api, container, DECLUTTER, STAGING)
    wanted = request(container, job_id, STAGING)
    remake(container)
    assert [each.id for each in made(container, job_id)] == [wanted.id]
    with container.database.unit_of_work() as session:
        by_server = session.get_one(StoredPicture, wanted.id)
        steps = tuple(replace(step, maker=Maker.SERVER) for step in by_server.report.steps)
        by_server.report = replace(by_server.report, steps=steps)
    assert made(container, job_id) == []
    assert request(container, job_id, STAGING) is VariantObstacle.MADE_BY_SERVER
