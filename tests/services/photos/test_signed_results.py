"""Results are signed where the service has credentials, and none is lost, refused or late because it cannot be."""

import io
import json
import re
from hashlib import sha256
from typing import Any

import c2pa
import pytest
from PIL import Image
from sqlalchemy import select

from app.adapters.content_credentials import C2paCredentials
from app.adapters.signing_identity import keep_demo_identity
from app.container import Container
from app.domain.attempts import PHOTOS
from app.domain.content_credentials import CredentialKind, PictureClaim, SigningError
from app.domain.lifecycle import Status
from app.models import Job, Photo, Preview, PublicPicture, Result, StoredPicture
from app.services.photos import public_pages
from app.services.previews import previews
from engine.pipeline import PictureEngine
from engine.preview import PicturePreviews
from engine.types.pictures import PreviewSize
from tests import reading
from tests.acts import KilledError
from tests.conftest import PHOTO, Api, develop, photo_worker, remake, work
from tests.fakes import FakeClock, FakeCredentials, photo
from tests.manifests import words_of
from tests.scenes import encoded, house


@pytest.fixture
def signer(container: Container) -> FakeCredentials:
    """What the service signs with."""
    made = FakeCredentials()
    container.credentials = made
    return made


def file_of(container: Container, key: str | None) -> bytes:
    assert key is not None
    with container.storage.open(key) as file:
        return file.read()


def test_a_result_is_signed_and_kept_with_the_digests_of_both_files(
    api: Api, container: Container, signer: FakeCredentials
) -> None:
    api.order(interior=[PHOTO])
    work(container)
    result = reading.only(container, select(Result))
    content = file_of(container, result.storage_key)
    assert content.endswith(b" SIGNED")
    assert result.picture.credentials is CredentialKind.DEMO
    assert result.picture.sha256 == sha256(content).hexdigest()
    assert result.picture.picture_sha256 == sha256(content.removesuffix(b" SIGNED")).hexdigest()
    assert result.picture.size_bytes == len(content)
    (claim,) = signer.claims
    assert claim.parent.sha256 == sha256(PHOTO).hexdigest()
    assert claim.parent.content is None
    assert len(claim.edits) == 1


def test_a_picture_made_again_without_a_step_is_signed_for_what_is_in_it(
    api: Api, container: Container, signer: FakeCredentials
) -> None:
    job_id = api.order(exterior=[PHOTO], exteriorEnhancements=["grass_enhancement", "sky_enhancement"])["jobId"]
    work(container)
    path = f"/jobs/{job_id}/images/{reading.only(container, select(Result)).id}/variants"
    assert api.post(path, {"without": ["grass_enhancement"]}).status_code == 202
    remake(container)
    (made,) = api.get(path).json["variants"]
    variant = reading.only(container, select(StoredPicture).where(StoredPicture.is_variant))
    content = file_of(container, variant.storage_key)
    assert content.endswith(b" SIGNED")
    assert (made["contentCredentials"], made["sha256"]) == ("demo", sha256(content).hexdigest())
    claim = signer.claims[-1]
    assert claim.parent.sha256 == sha256(PHOTO).hexdigest()
    assert [edit.description for edit in claim.edits] == ["Blue sky."]


def test_without_credentials_a_result_is_as_it_was_encoded_and_says_none(api: Api, container: Container) -> None:
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    result = reading.only(container, select(Result))
    assert result.picture.credentials is CredentialKind.NONE
    assert result.picture.sha256 == result.picture.picture_sha256
    assert api.get(f"/downloads/{job_id}").json["images"][0]["contentCredentials"] == "none"


@pytest.mark.parametrize("broken", [SigningError("no"), RuntimeError("surprise"), MemoryError()])
def test_a_picture_that_cannot_be_signed_is_kept_as_it_is_and_the_customer_has_it(
    api: Api,
    container: Container,
    signer: FakeCredentials,
    broken: Exception,
    caplog: pytest.LogCaptureFixture,
) -> None:
    signer.broken = broken
    job_id = api.order(interior=[PHOTO])["jobId"]
    work(container)
    assert reading.one(container, Job, job_id).status is Status.APPROVED
    result = reading.only(container, select(Result))
    assert (result.picture.credentials, file_of(container, result.storage_key)) == (CredentialKind.NONE, PHOTO)
    assert api.get(f"/downloads/{job_id}").json["images"][0]["contentCredentials"] == "none"
    assert "could not be signed" in caplog.text


def test_a_library_that_ends_its_process_costs_tries_and_never_the_photo(
    api: Api, container: Container, clock: FakeClock, signer: FakeCredentials
) -> None:
    deaths: list[PictureClaim] = []

    def die(content: bytes, media_type: str, claim: PictureClaim) -> bytes:
        deaths.append(claim)
        raise KilledError

    signer.sign = die
    job_id = api.order(interior=[PHOTO])["jobId"]
    photo_id = reading.only(container, select(Photo.id))
    for _ in range(PHOTOS.max_attempts - 1):
        with pytest.raises(KilledError):
            photo_worker(container).process(photo_id)
        clock.pass_(minutes=2)
    assert photo_worker(container).process(photo_id)
    assert len(deaths) == PHOTOS.max_attempts - 1
    assert reading.only(container, select(Result)).picture.credentials is CredentialKind.NONE
    assert reading.one(container, Job, job_id).status is Status.APPROVED


def test_what_gave_no_picture_is_not_signed(api: Api, container: Container, signer: FakeCredentials) -> None:
    api.order(interior=[photo("DECLINE")])
    work(container)
    assert reading.only(container, select(Result)).picture.credentials is None
    assert signer.claims == []


def test_a_labeled_copy_is_signed_as_made_of_the_result(
    api: Api, container: Container, signer: FakeCredentials
) -> None:
    job_id = api.order(exterior=[PHOTO])["jobId"]
    work(container)
    develop(container)
    result = reading.only(container, select(Result))
    key = result.storage_key or ""
    assert file_of(container, previews.key_of(key, PreviewSize.LABELED)).endswith(b" SIGNED")
    assert not file_of(container, previews.key_of(key, PreviewSize.VIEW)).endswith(b" SIGNED")
    parent = signer.claims[-1].parent
    assert (parent.sha256, parent.content) == (result.picture.sha256, file_of(container, key))
    files = {each["variant"]: each for each in api.get(f"/downloads/{job_id}").json["images"][0]["variants"]}
    assert "contentCredentials" not in files["original"]
    assert {files[each]["contentCredentials"] for each in ("altered", "labeled")} == {"demo"}


def test_a_labeled_copy_that_cannot_be_signed_is_there_all_the_same(
    api: Api, container: Container, signer: FakeCredentials
) -> None:
    job_id = api.order(exterior=[PHOTO])["jobId"]
    work(container)
    signer.broken = SigningError("away")
    develop(container)
    files = {each["variant"]: each for each in api.get(f"/downloads/{job_id}").json["images"][0]["variants"]}
    assert files["altered"]["contentCredentials"] == "demo"
    assert files["labeled"]["contentCredentials"] == "none"


def test_what_is_published_tells_whose_credentials_its_file_carries(
    api: Api, container: Container, signer: FakeCredentials
) -> None:
    signer.kind = CredentialKind.CERTIFICATE
    job_id = api.order(exterior=[PHOTO])["jobId"]
    work(container)
    with container.database.unit_of_work() as session:
        public_pages.publish(session, api.account_id, job_id, container.clock())
    assert reading.only(container, select(PublicPicture.credentials)) is CredentialKind.CERTIFICATE


def test_a_result_of_the_release_before_says_none(api: Api, container: Container) -> None:
    job_id = api.order(exterior=[PHOTO])["jobId"]
    work(container)
    develop(container)
    with container.database.unit_of_work() as session:
        session.scalars(select(Result)).one().picture.credentials = None
        for preview in session.scalars(select(Preview)):
            preview.credentials = None
    (image,) = api.get(f"/downloads/{job_id}").json["images"]
    assert image["contentCredentials"] == "none"
    assert {each.get("contentCredentials") for each in image["variants"]} == {None, "none"}


def with_place(format_name: str) -> bytes:
    """A photo that tells where it was taken, and in words."""
    exif = Image.Exif()
    exif[0x010E] = "Garden Lane"
    exif.get_ifd(0x8825).update({1: "N", 2: (39.0, 47.0, 58.5), 3: "W", 4: (89.0, 39.0, 1.0)})
    return encoded(house(), format_name, exif=exif)


def manifests(content: bytes, media_type: str) -> dict[str, Any]:
    """What C2PA's own reader finds, valid but for the signer whom it does not trust."""
    with c2pa.Reader(media_type, io.BytesIO(content)) as reader:
        assert reader.get_validation_state() == "Valid"
        told: dict[str, Any] = json.loads(reader.json())
    assert [each["code"] for each in told["validation_status"]] == ["signingCredential.untrusted"]
    return told


@pytest.mark.long
@pytest.mark.parametrize("format_name", ["JPEG", "PNG", "WEBP"])
def test_the_whole_way_gives_files_that_are_valid_and_tell_nobody_where_or_whose_they_are(
    api: Api, container: Container, clock: FakeClock, format_name: str
) -> None:
    identity = keep_demo_identity(container.settings.data_dir / "demo.pem", clock())
    container.engine, container.previews = PictureEngine(), PicturePreviews()
    container.credentials = C2paCredentials(CredentialKind.DEMO, identity, "1", None)
    original = with_place(format_name)
    assert b"Garden" in original
    api.order(exterior=[original])
    work(container)
    develop(container)
    result = reading.only(container, select(Result))
    altered = file_of(container, result.storage_key)
    told = manifests(altered, result.picture.media_type or "")
    (parent,) = told["manifests"][told["active_manifest"]]["ingredients"]
    assert parent["instance_id"] == f"sha256:{sha256(original).hexdigest()}"
    labeled = file_of(container, previews.key_of(result.storage_key or "", PreviewSize.LABELED))
    chain = manifests(labeled, "image/jpeg")
    assert told["active_manifest"] in chain["manifests"]
    job = api.account_id, result.job_id
    for each in (told, chain):
        assert "Original photo" in words_of(each)
        assert not re.search(r"gps|exif|garden|springfield|\.(jpe?g|png|webp)\b", words_of(each), re.IGNORECASE)
        assert not any(name in json.dumps(each) for name in job)
