"""Public imagery is fetched once, by the worker, and what cannot be had costs nothing."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain import limits
from app.domain.attempts import PHOTOS
from app.domain.file_names import slug
from app.models import Photo, Result
from app.services import audit
from app.services.photos import imagery, photos
from app.services.photos.make_pictures import IMAGERY_UNREACHABLE, PictureWorker
from engine.types.report import Reason
from tests import acts, reading
from tests.conftest import PHOTO, Api, order_body, photo_worker
from tests.fakes import FakeImagery, photo

ADDRESS = order_body()["address"]
OUTSIDE = photo("OUTSIDE")


@pytest.fixture
def source(container: Container) -> FakeImagery:
    """The configured source, with a picture of the house."""
    container.imagery = FakeImagery({ADDRESS: OUTSIDE})
    return container.imagery


@pytest.fixture
def shop(container: Container, source: FakeImagery) -> PictureWorker:
    return replace(photo_worker(container), imagery=source)


def ordered(api: Api, **fields: Any) -> dict[str, Any]:
    """An order without an exterior photo."""
    room = api.post("/orders/upload-urls", {"exteriorCount": 1}).json
    body = {**order_body(interior=False, exterior=True), "uploadSessionId": room["uploadSessionId"], **fields}
    answer = api.post("/orders/from-uploads", body)
    assert answer.status_code == 200, answer.text
    return answer.json


def work(container: Container, shop: PictureWorker) -> None:
    """Work on every photo that is due."""
    with container.database.read_session() as session:
        due = photos.due(session, container.clock(), 100)
    for photo_id in due:
        shop.process(photo_id)


def the_photo(container: Container) -> Photo:
    return reading.only(container, select(Photo).where(Photo.from_imagery))


def test_placing_the_order_asks_nobody(api: Api, container: Container, source: FakeImagery) -> None:
    ordered(api)
    kept = the_photo(container)
    assert source.asked == []
    assert container.storage.stat(kept.storage_key) is None
    assert (kept.size_bytes, kept.file_name) == (0, slug(ADDRESS))
    assert container.queue.notified == [kept.id]


def test_the_worker_fetches_stores_and_enhances_it(api: Api, container: Container, shop, source) -> None:
    job_id = ordered(api)["jobId"]
    work(container, shop)
    kept = the_photo(container)
    assert source.asked == [ADDRESS]
    assert kept.size_bytes == len(OUTSIDE)
    with container.storage.open(kept.storage_key) as file:
        assert file.read() == OUTSIDE
    assert api.status(job_id)["status"] == "approved"
    image = api.get(f"/downloads/{job_id}").json["images"][0]
    assert image["fileName"] == f"{slug(ADDRESS)}.jpg"
    original = api.client.get(image["originalUrl"].removeprefix("http://localhost"))
    assert original.data == OUTSIDE
    assert f'filename="{slug(ADDRESS)}.jpg"' in original.headers["Content-Disposition"]


def test_a_retry_of_the_work_does_not_fetch_again(api: Api, container: Container, shop, source, clock) -> None:
    source.pictures = {ADDRESS: photo("CRASH")}
    ordered(api)
    work(container, shop)
    clock.pass_(seconds=5)
    work(container, shop)
    assert source.asked == [ADDRESS]


def test_nothing_found_is_undeliverable_and_refunded(api: Api, container: Container, shop, source) -> None:
    source.pictures = {}
    order = ordered(api)
    assert api.credits() == 100 - order["creditCost"]
    work(container, shop)
    status = api.status(order["jobId"])
    assert status["status"] == "undeliverable"
    assert imagery.NO_IMAGERY in status["undeliverable"]["reason"]
    assert api.credits() == 100
    assert reading.only(container, select(Result).join(Photo).where(Photo.from_imagery)).reason == Reason.NO_IMAGERY
    assert source.asked == [ADDRESS]


def test_nothing_found_outside_leaves_the_inside_going_on(api: Api, container: Container, shop, source) -> None:
    source.pictures = {}
    fields = {**order_body(True, True), **api.upload(interior=[PHOTO])}
    order = ordered(api, **fields)
    assert order["creditCost"] == 1.5
    work(container, shop)
    status = api.status(order["jobId"])
    assert (status["status"], status["creditsRefunded"]) == ("approved", 1)
    images = api.get(f"/downloads/{order['jobId']}").json["images"]
    assert [image["type"] for image in images] == ["generated_interior"]
    assert api.credits() == 99.5


def test_a_source_that_is_away_is_asked_again_and_costs_no_try(
    api: Api, container: Container, shop, source, clock
) -> None:
    source.away = True
    job_id = ordered(api)["jobId"]
    work(container, shop)
    assert api.status(job_id)["status"] == "processing"
    source.away = False
    clock.pass_(seconds=5)
    work(container, shop)
    assert api.status(job_id)["status"] == "approved"
    assert source.asked == [ADDRESS, ADDRESS]
    assert (the_photo(container).attempts, the_photo(container).postponements) == (1, 1)


@pytest.mark.long
def test_a_source_that_stays_away_for_half_the_jobs_time_costs_its_photo_and_no_other(
    api: Api, container, shop, source, clock
) -> None:
    source.away = True
    job_id = ordered(api, **{**order_body(True, True), **api.upload(interior=[PHOTO])})["jobId"]
    for _ in range(59):
        work(container, shop)
        clock.pass_(minutes=1)
    assert api.status(job_id)["status"] == "processing"
    clock.pass_(minutes=1)
    work(container, shop)
    status = api.status(job_id)
    assert (status["status"], status["creditsRefunded"]) == ("approved", 1)
    assert (
        reading.only(container, select(Result).join(Photo).where(Photo.from_imagery)).message == IMAGERY_UNREACHABLE
    )
    assert len(source.asked) > PHOTOS.max_attempts


def test_a_source_taken_out_of_the_settings_meanwhile_is_one_that_is_away(api: Api, container, shop, clock) -> None:
    job_id = ordered(api)["jobId"]
    work(container, replace(shop, imagery=None))
    assert api.status(job_id)["status"] == "processing"
    clock.pass_(seconds=5)
    work(container, shop)
    assert api.status(job_id)["status"] == "approved"


@pytest.mark.parametrize("content", [b"", b"<html>", photo() * 20], ids=["empty", "page", "too large"])
def test_what_is_no_picture_within_the_limits_is_not_stored(
    api: Api, container, shop, source, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 1000)
    source.pictures = {ADDRESS: content}
    job_id = ordered(api)["jobId"]
    work(container, shop)
    status = api.status(job_id)
    assert status["status"] == "undeliverable"
    assert imagery.UNUSABLE_IMAGERY in status["undeliverable"]["reason"]
    assert container.storage.stat(the_photo(container).storage_key) is None
    assert api.credits() == 100


def test_no_transaction_is_open_while_the_source_is_asked(api: Api, container: Container, shop) -> None:
    ordered(api)

    class Busy(FakeImagery):
        def find(self, address: str) -> bytes | None:
            with container.database.unit_of_work() as session:  # waits for ever beside another writer
                session.scalars(select(Photo).with_for_update()).one().file_name = "changed meanwhile"
            return super().find(address)

    work(container, replace(shop, imagery=Busy({ADDRESS: OUTSIDE})))
    assert the_photo(container).file_name == "changed meanwhile"
    assert the_photo(container).size_bytes == len(OUTSIDE)


def test_an_uploaded_photo_asks_for_no_imagery(api: Api, container: Container, shop, source) -> None:
    api.order(exterior=[PHOTO])
    work(container, shop)
    assert source.asked == []


def test_an_uploaded_photo_whose_file_is_gone_is_not_replaced(
    api: Api, container: Container, shop, source, caplog: pytest.LogCaptureFixture
) -> None:
    job_id = api.order(exterior=[PHOTO])["jobId"]
    key = reading.only(container, select(Photo.storage_key))
    container.storage.delete(key)
    work(container, shop)
    assert source.asked == []
    assert "is put off" in caplog.text
    assert api.status(job_id)["status"] == "processing"
    acts.put(container.storage, key, PHOTO)  # for the check after the test


def test_retention_takes_the_fetched_file(api: Api, container: Container, shop, clock) -> None:
    ordered(api)
    work(container, shop)
    key = the_photo(container).storage_key
    assert container.storage.stat(key) is not None
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    container.sweep.purge_files()
    assert container.storage.stat(key) is None


def test_a_watch_is_over_the_fetching_too(api: Api, container: Container, shop, source) -> None:
    ordered(api)
    asked_under_watch = []

    class Watched:
        def __enter__(self) -> None:
            asked_under_watch.append(list(source.asked))

        def __exit__(self, *_: object) -> None:
            asked_under_watch.append(list(source.asked))

    work(container, replace(shop, watch=lambda _: Watched()))
    assert asked_under_watch[:4] == [[], [], [], [ADDRESS]]  # the first time it is over the look of the order


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("12 St. James Rd., Springfield", "12-st-james-rd-springfield"),
        ("12 " + "Long Street " * 24, ("12" + "-long-street" * 24)[:189].rstrip("-")),
        ("東京都千代田区1丁目", "東京都千代田区1丁目"),
    ],
)
def test_the_file_is_named_by_the_address(api: Api, container, shop, source, address: str, name: str) -> None:
    source.pictures = {address.strip(): OUTSIDE}
    job_id = ordered(api, address=address)["jobId"]
    assert the_photo(container).file_name == name
    work(container, shop)
    assert api.get(f"/downloads/{job_id}").json["images"][0]["fileName"] == f"{name}.jpg"


def test_the_check_finds_imagery_that_was_fetched_and_is_gone(api: Api, container, shop) -> None:
    ordered(api)
    work(container, shop)
    key = the_photo(container).storage_key
    container.storage.delete(key)
    with container.database.read_session() as session:
        assert [each for each in audit.find_mismatches(session, container.storage) if key in each]
    acts.put(container.storage, key, OUTSIDE)  # for the check after the test
