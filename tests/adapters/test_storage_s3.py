"""A bucket: large files in parts, what its server's faults mean, and URLs that lead past the service."""

import os
import signal
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import requests

from app.adapters.signed_urls import SignedUrls
from app.adapters.storage_s3 import PART_BYTES, S3Storage
from app.domain.ports import UPLOAD_TYPE, StorageUnavailableError
from engine.types.media import MediaType
from tests import acts, s3_servers
from tests.fakes import FakeClock
from tests.ports import kept_port
from tests.s3_servers import BUCKET, S3Server
from tests.waiting import PATIENCE_SECONDS, eventually

JPEG = b"\xff\xd8\xff" + b"x" * 97


@pytest.fixture(scope="module", params=s3_servers.KINDS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with s3_servers.KINDS[request.param](tmp_path_factory.mktemp(request.param) / "data") as server:
        yield server


@pytest.fixture
def urls(clock: FakeClock) -> SignedUrls:
    return SignedUrls("http://localhost", ["secret" * 5], clock)


@pytest.fixture
def storage(server: S3Server, urls: SignedUrls) -> S3Storage:
    server.empty()
    return S3Storage(server.access(), "", urls, direct=True)


def put(storage: S3Storage, key: str, content: bytes) -> None:
    acts.put(storage, key, content)


@pytest.mark.long
def test_a_large_file_goes_in_parts_and_comes_back_whole(storage: S3Storage, server: S3Server) -> None:
    content = os.urandom(2 * PART_BYTES + 5)
    put(storage, "a/b", content)
    assert storage.stat("a/b").size_bytes == len(content)
    with storage.open("a/b") as file:
        assert file.read() == content
    assert server.names() == ["a/b"]


def test_parts_that_nobody_finished_are_tidied_away(storage: S3Storage, server: S3Server) -> None:
    server.client.create_multipart_upload(Bucket=BUCKET, Key="a/b")
    storage.tidy(3600)
    assert server.names() == ["a/b"]
    storage.tidy(-60)
    assert server.names() == []
    storage.tidy(-60)


def test_a_file_bears_the_type_that_its_content_tells(storage: S3Storage, server: S3Server) -> None:
    for key, content, media_type in (("a/b", JPEG, "image/jpeg"), ("a/c", b"words", UPLOAD_TYPE)):
        put(storage, key, content)
        assert server.client.head_object(Bucket=BUCKET, Key=key)["ContentType"] == media_type


def test_a_copy_bears_the_type_that_it_is_given(storage: S3Storage, server: S3Server) -> None:
    server.client.put_object(Bucket=BUCKET, Key="a/b", Body=JPEG, ContentType="text/html")
    storage.copy("a/b", "a/c", None, MediaType.JPEG)
    assert server.client.head_object(Bucket=BUCKET, Key="a/c")["ContentType"] == "image/jpeg"


def test_a_store_that_kept_less_than_was_sent_is_not_believed(
    storage: S3Storage, server: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep_half(file, bucket, name, **_):
        server.client.put_object(Bucket=bucket, Key=name, Body=file.read()[:50])

    monkeypatch.setattr(storage._client, "upload_fileobj", keep_half)
    with pytest.raises(StorageUnavailableError, match="has 50 bytes, sent were 100"):
        put(storage, "a/b", JPEG)


def test_a_file_replaced_while_it_is_read_is_the_stores_fault(storage: S3Storage) -> None:
    put(storage, "a/b", b"one" * 200_000)
    with storage.open("a/b") as file:
        assert file.read(3) == b"one"
        put(storage, "a/b", b"two" * 200_000)
        file.seek(500_000)
        with pytest.raises(StorageUnavailableError):
            file.read()


def test_a_bucket_that_is_not_there_loses_no_file(server: S3Server, urls: SignedUrls) -> None:
    nowhere = S3Storage(server.access(bucket="nowhere"), "", urls)
    for act in (
        lambda: nowhere.stat("a/b"),
        lambda: nowhere.open("a/b"),
        lambda: nowhere.copy("a/b", "a/c"),
        lambda: nowhere.delete_prefix("a/"),
        lambda: put(nowhere, "a/b", b"x"),
        nowhere.ping,
    ):
        with pytest.raises(StorageUnavailableError):
            act()


def test_wrong_credentials_are_the_stores_fault(server: S3Server, urls: SignedUrls) -> None:
    if server.name != "rclone":
        assert server.name == "ministack", "which takes any key, but in URLs"
        return
    stranger = S3Storage(server.access(secret_access_key="another"), "", urls)
    for act in (lambda: stranger.stat("a/b"), lambda: stranger.open("a/b"), stranger.ping):
        with pytest.raises(StorageUnavailableError):
            act()


def test_nobody_there_is_the_stores_fault(server: S3Server, urls: SignedUrls) -> None:
    with kept_port() as port:
        away = S3Storage(server.access(endpoint=f"http://127.0.0.1:{port}"), "", urls)
        for act in (lambda: away.stat("a/b"), lambda: away.open("a/b"), lambda: put(away, "a/b", b"x"), away.ping):
            with pytest.raises(StorageUnavailableError):
                act()


def test_an_upload_url_takes_what_it_was_signed_for_and_nothing_else(storage: S3Storage) -> None:
    url = storage.upload_url("a/b", 60, len(JPEG))
    sent_as = {"Content-Type": UPLOAD_TYPE}
    for content, headers in ((JPEG + b"x", sent_as), (JPEG, {"Content-Type": "text/html"})):
        assert requests.put(url, data=content, headers=headers, timeout=PATIENCE_SECONDS).status_code == 403
    other = url.replace("/a/b?", "/a/c?")
    assert requests.put(other, data=JPEG, headers=sent_as, timeout=PATIENCE_SECONDS).status_code == 403
    assert storage.stat("a/b") is None
    assert requests.put(url, data=JPEG, headers=sent_as, timeout=PATIENCE_SECONDS).status_code == 200
    assert storage.stat("a/b").size_bytes == len(JPEG)


def test_an_upload_url_of_unknown_size_takes_any(storage: S3Storage) -> None:
    url = storage.upload_url("a/b", 60)
    assert requests.put(url, data=JPEG, timeout=PATIENCE_SECONDS).status_code == 200
    assert storage.stat("a/b").size_bytes == len(JPEG)


def test_a_download_url_names_the_file_for_its_time(storage: S3Storage) -> None:
    put(storage, "a/b", JPEG)
    url = storage.download_url("a/b", "Küche.jpg", 60)
    answer = requests.get(url, timeout=PATIENCE_SECONDS)
    assert (answer.status_code, answer.content) == (200, JPEG)
    assert (
        answer.headers["Content-Disposition"]
        == "attachment; filename=\"K_che.jpg\"; filename*=UTF-8''K%C3%BCche.jpg"
    )
    assert (answer.headers["Content-Type"], answer.headers["Cache-Control"]) == ("image/jpeg", "private, no-store")
    forged = url[:-1] + ("0" if url[-1] != "0" else "1")
    assert requests.get(forged, timeout=PATIENCE_SECONDS).status_code == 403
    begun = f"{datetime.now(UTC):%Y%m%d}T"
    assert f"X-Amz-Date={begun}" in url
    assert url.startswith(f"{storage.direct_origin}/{BUCKET}/a/b?")


def test_a_store_that_is_not_direct_gives_urls_of_the_service(server: S3Server, urls: SignedUrls) -> None:
    storage = S3Storage(server.access(), "", urls)
    assert storage.direct_origin is None
    assert storage.upload_url("a/b", 60, 10).startswith("http://localhost/uploads/")
    assert storage.download_url("a/b", "x.jpg", 60).startswith("http://localhost/files/")


def test_customers_are_sent_to_the_stores_public_address(server: S3Server, urls: SignedUrls) -> None:
    storage = S3Storage(server.access(public_endpoint="https://files.example.com"), "", urls, direct=True)
    assert storage.direct_origin == "https://files.example.com"
    assert storage.upload_url("a/b", 60).startswith("https://files.example.com/photos/a/b?")


def test_a_bucket_of_aws_has_an_origin_of_its_own(urls: SignedUrls) -> None:
    access = s3_servers.Access("photos", region="eu-central-1", access_key_id="id", secret_access_key="secret")
    assert S3Storage(access, "", urls, direct=True).direct_origin == "https://photos.s3.eu-central-1.amazonaws.com"


@pytest.mark.long
def state_of(pid: int) -> str:
    """The letter by which Linux names the state of a process."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_a_silent_server_is_given_up_and_serves_again_afterwards(tmp_path: Path, urls: SignedUrls) -> None:
    with s3_servers.rclone(tmp_path / "data") as server:
        storage = S3Storage(server.access(), "", urls, direct=True)
        put(storage, "a/b", JPEG)
        server.process.send_signal(signal.SIGSTOP)
        try:
            # A busy machine stops it a moment later.
            eventually("a server that stands still", lambda: state_of(server.process.pid) == "T")
            with pytest.raises(StorageUnavailableError):
                storage.ping()
        finally:
            server.process.send_signal(signal.SIGCONT)
        storage.ping()
        assert storage.stat("a/b").size_bytes == len(JPEG)
