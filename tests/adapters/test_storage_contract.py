"""The contract of storage: whole files or none, under keys and never paths."""

from pathlib import Path

import pytest

from app.adapters.signed_urls import FILES, UPLOADS, SignedUrls
from app.adapters.storage_local import LocalStorage
from app.domain.errors import LinkExpired, LinkForged
from app.domain.ports import Storage, TooLargeError
from tests.fakes import FakeClock
from tests.faulty_storage import FaultyStorage


@pytest.fixture
def urls(clock: FakeClock) -> SignedUrls:
    return SignedUrls("http://localhost", ["secret" * 5], clock)


@pytest.fixture(params=["folder", "faulty"])
def storage(tmp_path: Path, urls: SignedUrls, request: pytest.FixtureRequest) -> Storage:
    folder = LocalStorage(tmp_path / "store", urls)
    return FaultyStorage(folder) if request.param == "faulty" else folder


def put(storage: Storage, key: str, content: bytes) -> None:
    writing = storage.create(key, 1000)
    writing.write(content)
    writing.publish()


def content(storage: Storage, key: str) -> bytes:
    with storage.open(key) as file:
        return file.read()


def everything(tmp_path: Path) -> list[str]:
    return [path.name for path in (tmp_path / "store").rglob("*") if path.is_file()]


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


def test_a_discarded_file_leaves_nothing(storage: Storage, tmp_path: Path) -> None:
    writing = storage.create("a/b", 1000)
    writing.write(b"one")
    writing.discard()
    assert storage.stat("a/b") is None
    assert everything(tmp_path) == []


def test_discarding_after_commit_is_harmless(storage: Storage) -> None:
    writing = storage.create("a/b", 1000)
    writing.publish()
    writing.discard()
    assert storage.stat("a/b") is not None


def test_a_file_over_its_limit_is_refused_while_it_is_written(storage: Storage, tmp_path: Path) -> None:
    writing = storage.create("a/b", 10)
    writing.write(b"0123456789")
    with pytest.raises(TooLargeError):
        writing.write(b"x")
    writing.discard()
    assert everything(tmp_path) == []


def test_writing_again_replaces_the_file_and_its_tag(storage: Storage) -> None:
    put(storage, "a/b", b"old")
    old = storage.stat("a/b")
    put(storage, "a/b", b"newer")
    assert storage.stat("a/b") != old
    with storage.open("a/b") as file:
        assert file.read() == b"newer"


def test_a_copy_lives_its_own_life(storage: Storage, tmp_path: Path) -> None:
    put(storage, "a/b", b"one")
    stored = storage.copy("a/b", "c/d/e")
    assert storage.stat("c/d/e") == stored
    assert stored.size_bytes == 3
    put(storage, "a/b", b"another")
    assert content(storage, "c/d/e") == b"one"
    storage.delete("a/b")
    assert content(storage, "c/d/e") == b"one"
    assert everything(tmp_path) == ["e"]


def test_a_copy_replaces_what_was_there_however_often(storage: Storage, tmp_path: Path) -> None:
    put(storage, "a/b", b"one")
    put(storage, "a/c", b"two")
    for _ in range(2):
        storage.copy("a/b", "a/c")
        assert content(storage, "a/c") == b"one"
    storage.copy("a/b", "a/b")
    assert content(storage, "a/b") == b"one"
    assert sorted(everything(tmp_path)) == ["b", "c"]


def test_copying_what_is_not_there_says_so_and_leaves_nothing(storage: Storage, tmp_path: Path) -> None:
    put(storage, "a/c", b"two")
    with pytest.raises(FileNotFoundError):
        storage.copy("a/b", "a/c")
    assert content(storage, "a/c") == b"two"
    assert everything(tmp_path) == ["c"]


def test_where_there_are_no_links_files_are_copied_byte_by_byte(
    storage: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError("this file system has no links")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    put(storage, "a/b", b"one" * 300)
    assert storage.copy("a/b", "a/c").size_bytes == 900
    assert content(storage, "a/c") == b"one" * 300
    assert (tmp_path / "store" / "a" / "c").stat().st_nlink == 1
    assert sorted(everything(tmp_path)) == ["b", "c"]


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


def test_what_writers_that_died_left_behind_is_tidied_away(storage: Storage, tmp_path: Path) -> None:
    storage.create("a/b", 1000).write(b"cut off")
    put(storage, "kept", b"x")
    storage.tidy(3600)
    assert len(everything(tmp_path)) == 2
    storage.tidy(-1)
    assert everything(tmp_path) == ["kept"]


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
