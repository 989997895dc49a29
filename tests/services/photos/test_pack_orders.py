"""Packs for listing services are made once, hold what the rule wants, and are made anew when anything changed."""

import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.container import Container
from app.domain.disclosure.pack_warnings import PackWarningCode
from app.domain.errors import Conflict, NotFound, NotReady
from app.domain.lifecycle import Status, WorkState
from app.domain.ports import QueueName
from app.models import Job, MlsPack, Photo
from app.services.exports import personal_data
from app.services.photos import packs, public_pages
from app.services.photos.packs import PackStatus
from app.services.retention import expiry
from tests import acts, reading
from tests.conftest import PHOTO, Api, new_api, pack_up, remake, work
from tests.fakes import FakeClock, photo
from tests.services.photos.packing import CRMLS, LAWN, LOS_ANGELES, asked, files, opened, ordered, row, warned


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    return ordered(api, container)


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
    labeled = asked(api, container, job_id, labeled=True)
    assert row(container, first) is None
    assert files(container, job_id) == old, "what may just be downloaded stays until the next is there"
    pack_up(container)
    assert len(files(container, job_id)) == 1 != old
    with container.database.unit_of_work() as session:
        public_pages.publish(session, api.account_id, job_id, clock())
    linked = asked(api, container, job_id, labeled=True)
    assert linked != labeled
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
    keys = reading.found(container, select(Photo.storage_key).order_by(Photo.type))
    kept = {key: container.storage.open(key).read() for key in keys}
    container.storage.delete(keys[1])
    asks, asks_not = asked(api, container, job_id), asked(api, container, job_id, "mls-now")
    pack_up(container)
    assert row(container, asks).error == (
        "Photo 2: The original is no longer in our store, and the listing service asks for it. Write to support."
    )
    assert (PackWarningCode.ORIGINAL_LOST.value, (2,)) in warned(container, asks_not)
    assert not any("original" in name for name in opened(container, asks_not).namelist() if "interior" in name)
    assert f"pack {asks}: the original of photo 2 is lost" in caplog.text, "staff see it"
    for key, content in kept.items():
        acts.put(container.storage, key, content)
    again = asked(api, container, job_id)
    assert again != asks, "asked again after it failed it is tried anew"
    pack_up(container)
    assert row(container, again).error is None


def test_a_picture_that_cannot_be_opened_is_named(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    key = reading.first(container, select(Photo.storage_key).where(Photo.type == "interior"))
    before = container.storage.open(key).read()
    acts.put(container.storage, key, photo("BROKEN"))
    pack_id = asked(api, container, job_id)
    pack_up(container)
    kept = row(container, pack_id)
    assert (kept.error, kept.attempts) == ("Photo 2: The photo cannot be decoded.", 1)
    assert files(container, job_id) == []
    assert before


def test_packs_go_with_the_orders_pictures(api, container, clock: FakeClock, job_id) -> None:
    pack_id = asked(api, container, job_id)
    pack_up(container)
    with container.database.unit_of_work() as session:
        expiry.expire(session, job_id, clock())
    job = reading.one(container, Job, job_id)
    expiry.purge_files(container.storage, job.upload_session_id, job_id, ())
    assert row(container, pack_id) is None
    assert files(container, job_id) == []


def test_packs_are_part_of_what_is_kept_about_a_person(api, container, clock, job_id) -> None:
    pack_id = asked(api, container, job_id)
    pack_up(container)
    with container.database.read_session() as session:
        document = personal_data.collect(session, api.account_id, api.account_id, clock())
    (pack,) = json.loads(json.dumps(document))["mlsPacks"]
    assert (pack["id"], pack["jobId"], pack["mls"]) == (pack_id, job_id, "crmls")


def test_names_that_collide_and_come_from_anywhere_are_told_apart(api: Api, container: Container) -> None:
    made = api.order(interior=[PHOTO, PHOTO, PHOTO], **LOS_ANGELES)["jobId"]
    work(container)
    with container.database.unit_of_work() as session:
        session.execute(update(Photo).values(file_name="../Küche.HEIC"))
    pack_id = asked(api, container, made)
    pack_up(container)
    assert opened(container, pack_id).namelist()[:3] == ["01-kuche.jpg", "02-kuche.jpg", "03-kuche.jpg"]
