"""The contract of storage: whole files or none, under keys and never paths. In a folder, and in buckets."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.adapters.signed_urls import FILES, UPLOADS, SignedUrls
from app.adapters.storage_local import LocalStorage
from app.adapters.storage_s3 import S3Storage
from app.domain.errors import LinkExpired, LinkForged
from app.domain.ports import Storage, StorageUnavailableError, TooLargeError
from engine.types.media import HEADER_BYTES
from tests import s3_servers
from tests.acts import put
from tests.fakes import FakeClock
from tests.faulty_storage import FaultyStorage
from tests.s3_servers import S3Server

Names = Callable[[], list[str]]


@pytest.fixture
def urls(clock: FakeClock) -> SignedUrls:
    return SignedUrls("http://localhost", ["secret" * 5], clock)


@pytest.fixture(scope="module", params=["folder", "faulty", *s3_servers.KINDS])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def server(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server | None]:
    """The server of a bucket, one for all tests of its kind."""
    if kind not in s3_servers.KINDS:
        yield None
        return
    with s3_servers.KINDS[kind](tmp_path_factory.mktemp(kind) / "data") as server:
        yield server


@pytest.fixture
def storage(kind: str, server: S3Server | None, tmp_path: Path, urls: SignedUrls) -> Storage:
    if server is not None:
        server.empty()
        return S3Storage(server.access(), "of/ours", urls)
    folder = LocalStorage(tmp_path / "store", urls)
    return FaultyStorage(folder) if kind == "faulty" else folder


@pytest.fixture
def everything(server: S3Server | None, tmp_path: Path) -> Names:
    """The names of all files that lie in the store, finished or not, without their folders."""

    def names() -> list[str]:
        if server is not None:
            return [name.rpartition("/")[2] for name in server.names()]
        return [path.name for path in (tmp_path / "store").rglob("*") if path.is_file()]

    return names


def content(storage: Storage, key: str) -> bytes:
    with storage.open(key) as file:
        return file.read()


def test_a_file_is_seen_whole_or_not_at_all(storage: Storage) -> None:
    writing = storage.create("a/b", 1000)
    writing.write(b"one ")
    assert storage.stat("a/b") is None
    writing.write(b"two")
    stored = writing.publish()
    assert storage.stat("a/b") == stored
    assert stored.size_bytes == 7
    with storage.open("a/b") as file:
        file.seek(4)
        assert file.read() == b"two"


def test_a_discarded_file_leaves_nothing(storage: Storage, everything: Names) -> None:
    writing = storage.create("a/b", 1000)
    writing.write(b"one")
    writing.discard()
    assert storage.stat("a/b") is None
    assert everything() == []


def test_discarding_after_commit_is_harmless(storage: Storage) -> None:
    writing = storage.create("a/b", 1000)
    writing.publish()
    writing.discard()
    assert storage.stat("a/b") is not None


def test_a_file_over_its_limit_is_refused_while_it_is_written(storage: Storage, everything: Names) -> None:
    writing = storage.create("a/b", 10)
    writing.write(b"0123456789")
    with pytest.raises(TooLargeError):
        writing.write(b"x")
    writing.discard()
    assert everything() == []


def test_writing_again_replaces_the_file_and_its_tag(storage: Storage) -> None:
    put(storage, "a/b", b"old")
    old = storage.stat("a/b")
    put(storage, "a/b", b"newer")
    assert storage.stat("a/b") != old
    with storage.open("a/b") as file:
        assert file.read() == b"newer"


def test_a_copy_lives_its_own_life(storage: Storage, everything: Names) -> None:
    put(storage, "a/b", b"one")
    stored = storage.copy("a/b", "c/d/e")
    assert storage.stat("c/d/e") == stored
    assert stored.size_bytes == 3
    put(storage, "a/b", b"another")
    assert content(storage, "c/d/e") == b"one"
    storage.delete("a/b")
    assert content(storage, "c/d/e") == b"one"
    assert everything() == ["e"]


def test_a_copy_replaces_what_was_there_however_often(storage: Storage, everything: Names) -> None:
    put(storage, "a/b", b"one")
    put(storage, "a/c", b"two")
    for _ in range(2):
        storage.copy("a/b", "a/c")
        assert content(storage, "a/c") == b"one"
    storage.copy("a/b", "a/b")
    assert content(storage, "a/b") == b"one"
    assert sorted(everything()) == ["b", "c"]


def test_copying_what_is_not_there_says_so_and_leaves_nothing(storage: Storage, everything: Names) -> None:
    put(storage, "a/c", b"two")
    with pytest.raises(FileNotFoundError):
        storage.copy("a/b", "a/c")
    assert content(storage, "a/c") == b"two"
    assert everything() == ["c"]


def test_a_copy_of_a_file_that_was_replaced_meanwhile_is_refused(storage: Storage) -> None:
    put(storage, "a/b", b"one")
    seen = storage.stat("a/b")
    assert seen is not None
    assert storage.copy("a/b", "a/c", seen.etag).size_bytes == 3
    put(storage, "a/b", b"another")
    with pytest.raises(StorageUnavailableError):
        storage.copy("a/b", "a/c", seen.etag)


def test_a_glance_shows_size_tag_and_first_bytes(storage: Storage) -> None:
    assert storage.peek("a/b") is None
    assert storage.peek("../x") is None
    for held in (b"", b"short", bytes(range(250))):
        put(storage, "a/b", held)
        assert storage.peek("a/b") == (storage.stat("a/b"), held[:HEADER_BYTES])


def test_a_listing_has_every_file_below_and_no_others(storage: Storage) -> None:
    assert list(storage.list_files("a/")) == []
    for key in ("a/b/c", "a/d", "ab", "z/a/b"):
        put(storage, key, key.encode())
    found = {each.key: each for each in storage.list_files("a/")}
    assert {key: each.stored for key, each in found.items()} == {key: storage.stat(key) for key in ("a/b/c", "a/d")}
    now = datetime.now(UTC)
    assert all(now - timedelta(minutes=5) < each.since < now + timedelta(minutes=5) for each in found.values())


def test_deleting_a_prefix_takes_its_files_and_no_others(storage: Storage) -> None:
    for key in ("a/b/c", "a/b/d", "a/bc", "z"):
        put(storage, key, b"x")
    storage.delete_prefix("a/b/")
    storage.delete_prefix("nowhere/")
    assert [key for key in ("a/b/c", "a/b/d", "a/bc", "z") if storage.stat(key)] == ["a/bc", "z"]


def test_deleting_what_is_not_there_is_harmless(storage: Storage) -> None:
    storage.delete("a/b")
    with pytest.raises(FileNotFoundError):
        storage.open("a/b")


@pytest.mark.parametrize("key", ["../x", "a/../../x", "/etc/passwd", "a//b", "a/.hidden", "a\\b", "a\0b", ""])
def test_what_is_no_key_reaches_no_file(storage: Storage, key: str) -> None:
    assert storage.stat(key) is None
    with pytest.raises(ValueError, match="no storage key"):
        storage.create(key, 10)


def test_a_key_too_long_for_any_store_names_no_file(storage: Storage) -> None:
    put(storage, "a/b", b"x")
    for key in (f"a/{'x' * 300}", f"a/{'ä' * 200}"):
        assert storage.stat(key) is None
        with pytest.raises(FileNotFoundError):
            storage.open(key)


def test_a_file_is_read_from_anywhere(storage: Storage) -> None:
    put(storage, "a/b", bytes(range(200)))
    with storage.open("a/b") as file:
        assert file.read(2) == b"\0\1"
        assert (file.seek(0, 2), file.read()) == (200, b"")
        assert (file.seek(-3, 2), file.read(), file.tell()) == (197, bytes([197, 198, 199]), 200)
        assert (file.seek(10), file.read(1), file.seek(0), file.read()) == (10, b"\n", 0, bytes(range(200)))


def test_a_ping_leaves_nothing(storage: Storage, everything: Names) -> None:
    storage.ping()
    assert everything() == []


def test_a_signed_url_allows_one_thing_for_its_time(storage: Storage, urls: SignedUrls, clock: FakeClock) -> None:
    token = storage.download_url("a/b", "front.jpg", 60).rpartition("/")[2]
    assert (urls.read(FILES, token).key, urls.read(FILES, token).file_name) == ("a/b", "front.jpg")
    with pytest.raises(LinkForged):
        urls.read(UPLOADS, token)
    with pytest.raises(LinkForged):
        urls.read(FILES, token[:-1] + ("A" if token[-1] != "A" else "B"))
    clock.pass_(seconds=60)
    with pytest.raises(LinkExpired):
        urls.read(FILES, token)
