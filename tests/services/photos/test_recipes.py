"""What a result can be made again from is kept with it: the engine's version and the digests of its files."""

from hashlib import sha256

from sqlalchemy import select

from app.container import Container
from app.models import Job, Photo, PublicPicture, Result
from app.services.exports import personal_data
from app.services.photos import public_pages, recipes
from engine.version import engine_version
from tests import acts, reading
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo


def rows(container: Container) -> list[tuple[Photo, Result]]:
    with container.database.read_session() as session:
        both = select(Photo, Result).join(Result, Result.photo_id == Photo.id).order_by(Photo.index)
        return [(photo, result) for photo, result in session.execute(both)]


def digest_of(container: Container, key: str | None) -> str:
    assert key is not None
    with container.storage.open(key) as file:
        return sha256(file.read()).hexdigest()


def test_a_result_is_kept_with_its_engine_and_the_digests_of_both_files(api: Api, container: Container) -> None:
    api.order(interior=[PHOTO, photo("OTHER")])
    work(container)
    found = rows(container)
    assert len(found) == 2
    for ordered, result in found:
        assert ordered.sha256 == digest_of(container, ordered.storage_key)
        assert result.picture.sha256 == result.picture.picture_sha256 == digest_of(container, result.storage_key)
        assert result.picture.engine_version == engine_version()
    assert found[0][1].picture.sha256 != found[1][1].picture.sha256


def test_a_photo_that_gives_no_picture_has_its_own_digest_alone(api: Api, container: Container) -> None:
    api.order(interior=[photo("BROKEN"), photo("DECLINE")])
    work(container)
    found = rows(container)
    assert len(found) == 2
    for ordered, result in found:
        assert ordered.sha256 == digest_of(container, ordered.storage_key)
        assert (result.picture.sha256, result.picture.picture_sha256) == (None, None)
        assert result.picture.engine_version == engine_version()


def test_what_is_published_says_which_files_these_are_and_who_made_them(api: Api, container: Container) -> None:
    job_id = api.order(exterior=[PHOTO])["jobId"]
    work(container)
    with container.database.unit_of_work() as session:
        public_pages.publish(session, api.account_id, job_id, container.clock())
    picture = reading.only(container, select(PublicPicture))
    assert picture.original_sha256 == digest_of(container, picture.original_key)
    assert picture.altered_sha256 == digest_of(container, picture.altered_key)
    assert picture.engine_version == engine_version()


def test_downloads_say_which_engine_made_each_picture(api: Api, container: Container) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    images = api.get(f"/downloads/{job_id}").json["images"]
    assert [each["engineVersion"] for each in images] == [engine_version()]


def test_recipes_stay_when_the_pictures_go_and_go_with_the_account(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    clock.pass_(days=8)
    container.sweep.expire_jobs()
    with container.database.read_session() as session:
        [kept] = recipes.read(session, api.account_id, job_id)
        assert (kept.seed, kept.engine_version) == (job_id, engine_version())
        document = personal_data.collect(session, api.account_id, api.account_id, clock())
    assert document["orders"][0]["recipes"] == [kept.model_dump(mode="json", exclude_none=True)]
    acts.delete_account(container, api.account_id)
    assert reading.one(container, Job, job_id).recipes is None
