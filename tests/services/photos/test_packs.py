"""Packs for listing services are made once, anew when anything changed, tried again, or given up in words."""

import io
import json
import os
import tracemalloc
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.container import Container
from app.domain.attempts import PACKS
from app.domain.disclosure.pack_warnings import PackWarningCode
from app.domain.disclosure.rule_files import all_rules
from app.domain.errors import Conflict, NotFound, NotReady
from app.domain.lifecycle import Status, WorkState
from app.domain.ports import QueueName
from app.models import Job, MlsPack, Photo
from app.services.photos import pack_worker as work_on_packs
from app.services.photos import packs, public_pages
from app.services.photos.pack_plans import PackChoice
from app.services.photos.packs import PackStatus
from app.services.retention import expiry, personal_data
from tests.conftest import PHOTO, Api, new_api, pack_up, pack_worker, remake, work
from tests.fakes import FakeClock, photo

LOS_ANGELES = {
    "address": "12 Garden Lane, Los Angeles, CA 90001",
    "listing": {"mls": "crmls", "acceptsBarred": True},
}
CRMLS = PackChoice(all_rules()["crmls"], labelled=False, base_url="http://localhost")
LAWN = {"exteriorEnhancements": ["grass_enhancement", "sky_enhancement"]}


class KilledError(BaseException):
    """The process is gone: nothing after it runs."""


def ordered(api: Api, container: Container, **order) -> str:
    """An order in Los Angeles with an outside of a new sky and a staged room, done."""
    fields = {**LOS_ANGELES, "interiorEnhancements": ["virtual_staging"], **order}
    made: str = api.order(interior=[PHOTO + b"room"], exterior=[PHOTO + b"front"], **fields)["jobId"]
    work(container)
    return made


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    return ordered(api, container)


def asked(api: Api, container: Container, job_id: str, mls: str = "crmls", *, labelled: bool = False) -> str:
    with container.database.unit_of_work() as session:
        choice = PackChoice(all_rules()[mls], labelled, container.settings.base_url)
        return packs.request(session, api.account_id, job_id, choice, container.clock()).id


def row(container: Container, pack_id: str) -> MlsPack | None:
    with container.database.read_session() as session:
        return session.get(MlsPack, pack_id)


def opened(container: Container, pack_id: str) -> zipfile.ZipFile:
    with container.storage.open(row(container, pack_id).storage_key) as file:
        archive = zipfile.ZipFile(io.BytesIO(file.read()))
    assert archive.testzip() is None
    return archive


def files(container: Container, job_id: str) -> list[str]:
    return sorted(each.key for each in container.storage.listed(packs.prefix_of(job_id)))


def warned(container: Container, pack_id: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(each.code.value, each.photos) for each in row(container, pack_id).warnings.warnings]


def test_a_pack_is_asked_for_made_and_holds_what_the_rule_wants(
    api: Api, container: Container, job_id: str
) -> None:
    pack_id = asked(api, container, job_id)
    assert container.queue.queues[QueueName.PREVIEWS][-1] == pack_id
    assert packs.status_of(row(container, pack_id)) is PackStatus.MAKING
    pack_up(container)
    kept, archive = row(container, pack_id), opened(container, pack_id)
    assert archive.namelist() == [
        "01-exterior-1-altered.jpg",
        "02-exterior-1-original.jpg",
        "03-interior-1-altered.jpg",
        "04-interior-1-original.jpg",
        "captions.csv",
        "media.csv",
        "media.json",
        "README.txt",
    ]
    assert (packs.status_of(kept), kept.state, kept.picture_count) == (PackStatus.READY, WorkState.DONE, 4)
    assert kept.size_bytes == container.storage.stat(kept.storage_key).size_bytes
    altered, original = (archive.read(name).decode("latin-1") for name in archive.namelist()[:2])
    assert "front" in altered
    assert altered.endswith("label=None disclosure=Digitally altered limits=None")
    assert original.endswith("label=None disclosure=None limits=None")


def test_labels_and_limits_are_those_of_the_service(api: Api, container: Container, job_id: str) -> None:
    pack_id = asked(api, container, job_id, "smartmls")
    pack_up(container)
    archive = opened(container, pack_id)
    first = archive.read("01-exterior-1-altered.jpg").decode("latin-1")
    assert first.endswith("label=Digitally altered disclosure=Digitally altered limits=20000000")
    assert "originals/01-exterior-1-original.jpg" in archive.namelist()


def test_asked_again_it_is_the_same_pack_until_something_changed(api, container, clock: FakeClock, job_id) -> None:
    first = asked(api, container, job_id)
    assert asked(api, container, job_id) == first, "while it is made"
    pack_up(container)
    assert asked(api, container, job_id) == first
    old = files(container, job_id)
    labelled = asked(api, container, job_id, labelled=True)
    assert row(container, first) is None
    assert files(container, job_id) == old, "what may just be downloaded stays until the next is there"
    pack_up(container)
    assert len(files(container, job_id)) == 1 != old
    with container.database.unit_of_work() as session:
        public_pages.publish(session, api.account_id, job_id, clock())
    linked = asked(api, container, job_id, labelled=True)
    assert linked != labelled
    pack_up(container)
    assert b"Original, unaltered image: http://localhost/o/" in opened(container, linked).read("captions.csv")
    assert warned(container, linked) == []


def test_packs_of_two_services_stand_beside_each_other(api: Api, container: Container, job_id: str) -> None:
    both = [asked(api, container, job_id, mls) for mls in ("crmls", "mls-now")]
    assert pack_up(container) == 2
    assert len(files(container, job_id)) == 2
    with container.database.read_session() as session:
        assert {each.id for each in packs.list_of(session, api.account_id, job_id)} == set(both)


def test_many_who_ask_for_the_same_at_once_get_one(api: Api, container: Container, job_id: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: asked(api, container, job_id), range(16)))
    assert len(found) == 1
    assert container.queue.queues[QueueName.PREVIEWS].count(*found) == 1


def test_a_pack_waits_for_the_picture_without_what_is_barred(api, container, clock: FakeClock) -> None:
    job_id = ordered(api, container, **LAWN)
    pack_id = asked(api, container, job_id)
    for wait in (5, 10):
        pack_up(container)
        kept = row(container, pack_id)
        assert (packs.status_of(kept), kept.attempts) == (PackStatus.MAKING, 0), "to wait is no try"
        clock.now += timedelta(seconds=wait)
    pack_up(container)
    # The picture that is there wakes it, long before it would have looked by itself.
    remake(container)
    pack_up(container)
    assert warned(container, pack_id) == [("barred_steps_left_out", (1,)), ("originals_not_published", (1, 2))]
    archive = opened(container, pack_id)
    assert archive.namelist()[:2] == ["01-exterior-1-altered.jpg", "02-exterior-1-original.jpg"]
    assert "CRMLS bars green lawn: photo 1 is in the pack without it." in archive.read("README.txt").decode()
    assert asked(api, container, job_id) == pack_id


def test_what_is_barred_and_cannot_be_left_out_stands_there_as_the_original(api: Api, container: Container) -> None:
    job_id = ordered(api, container, exteriorEnhancements=["grass_enhancement"])
    pack_id = asked(api, container, job_id)
    pack_up(container)
    assert warned(container, pack_id) == [("barred_so_original", (1,)), ("originals_not_published", (2,))]
    assert opened(container, pack_id).namelist()[0] == "01-exterior-1-original.jpg"


def test_nobody_gets_a_pack_of_anothers_order_or_of_nothing(
    api: Api, app: Flask, container: Container, job_id: str
) -> None:
    other = new_api(app, container, "kim@example.com")
    pack_id = asked(api, container, job_id)
    for act in (
        lambda session: packs.request(session, other.account_id, job_id, CRMLS, container.clock()),
        lambda session: packs.get(session, other.account_id, job_id, pack_id),
        lambda session: packs.list_of(session, other.account_id, job_id),
        lambda session: packs.get(session, api.account_id, job_id, "pck_1"),
    ):
        with pytest.raises(NotFound), container.database.unit_of_work() as session:
            act(session)
    waiting = api.order(interior=[PHOTO])["jobId"]
    with pytest.raises(NotReady):
        asked(api, container, waiting)


def test_the_first_url_of_a_pack_delivers_the_order(api: Api, container: Container, job_id: str) -> None:
    pack_id = asked(api, container, job_id)
    with pytest.raises(Conflict), container.database.unit_of_work() as session:
        packs.deliver(session, container.storage, session.get_one(MlsPack, pack_id), container.clock(), 60)
    pack_up(container)
    with container.database.unit_of_work() as session:
        pack = session.get_one(MlsPack, pack_id)
        url = packs.deliver(session, container.storage, pack, container.clock(), 60)
        assert session.get_one(Job, job_id).status is Status.DELIVERED
    answer = api.client.get(url.removeprefix("http://localhost"))
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == (
        'attachment; filename="12-garden-lane-los-angeles-ca-90001-crmls.zip"'
    )
    assert zipfile.ZipFile(io.BytesIO(answer.data)).testzip() is None


def test_an_original_that_is_lost_is_missed_only_where_the_rule_does_not_ask_for_it(
    api: Api, container: Container, job_id: str, caplog
) -> None:
    with container.database.read_session() as session:
        keys = list(session.scalars(select(Photo.storage_key).order_by(Photo.type)))
    kept = {key: container.storage.open(key).read() for key in keys}
    container.storage.delete(keys[1])
    asks, asks_not = asked(api, container, job_id), asked(api, container, job_id, "mls-now")
    pack_up(container)
    assert row(container, asks).error == (
        "Photo 2: The original is not in our store any more, and the listing service asks for it. Write to support."
    )
    assert (PackWarningCode.ORIGINAL_LOST.value, (2,)) in warned(container, asks_not)
    assert not any("original" in name for name in opened(container, asks_not).namelist() if "interior" in name)
    assert f"pack {asks}: the original of photo 2 is lost" in caplog.text, "staff see it"
    for key, content in kept.items():
        writing = container.storage.create(key, 1000)
        writing.write(content)
        writing.publish()
    again = asked(api, container, job_id)
    assert again != asks, "asked again after it failed it is tried anew"
    pack_up(container)
    assert row(container, again).error is None


def test_a_picture_that_cannot_be_opened_is_named(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    with container.database.read_session() as session:
        key = session.scalar(select(Photo.storage_key).where(Photo.type == "interior"))
    before = container.storage.open(key).read()
    writing = container.storage.create(key, 1000)
    writing.write(photo("BROKEN"))
    writing.publish()
    pack_id = asked(api, container, job_id)
    pack_up(container)
    kept = row(container, pack_id)
    assert (kept.error, kept.attempts) == ("Photo 2: The photo cannot be decoded.", 1)
    assert files(container, job_id) == []
    assert before


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
    assert row(container, pack_id).error == packs.GIVEN_UP
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
        found.append(asked(api, container, job_id, labelled=True))

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


def test_packs_go_with_the_orders_pictures(api, container, clock: FakeClock, job_id) -> None:
    pack_id = asked(api, container, job_id)
    pack_up(container)
    with container.database.unit_of_work() as session:
        expiry.expire(session, job_id, clock())
    with container.database.read_session() as session:
        job = session.get_one(Job, job_id)
    expiry.purge_files(container.storage, job.upload_session_id, job_id, ())
    assert row(container, pack_id) is None
    assert files(container, job_id) == []


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


def test_packs_are_part_of_what_is_kept_about_a_person(api, container, clock, job_id) -> None:
    pack_id = asked(api, container, job_id)
    pack_up(container)
    with container.database.read_session() as session:
        document = personal_data.collect(session, api.account_id, api.account_id, clock())
    (pack,) = json.loads(json.dumps(document))["mlsPacks"]
    assert (pack["id"], pack["jobId"], pack["mls"]) == (pack_id, job_id, "crmls")


@pytest.mark.long
def test_two_hundred_pictures_are_in_memory_one_at_a_time(api: Api, container: Container) -> None:
    job_id = api.order(
        interior=[PHOTO] * 50,
        exterior=[PHOTO] * 50,
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
    assert (kept.error, kept.picture_count) == (None, 200)
    assert kept.size_bytes > 200 * 500_000
    assert peak < 20_000_000
    assert container.storage.stat(kept.storage_key).size_bytes == kept.size_bytes


def test_names_that_collide_and_come_from_anywhere_are_told_apart(api: Api, container: Container) -> None:
    made = api.order(interior=[PHOTO, PHOTO, PHOTO], **LOS_ANGELES)["jobId"]
    work(container)
    with container.database.unit_of_work() as session:
        session.execute(update(Photo).values(file_name="../Küche.HEIC"))
    pack_id = asked(api, container, made)
    pack_up(container)
    assert opened(container, pack_id).namelist()[:3] == ["01-kuche.jpg", "02-kuche.jpg", "03-kuche.jpg"]
