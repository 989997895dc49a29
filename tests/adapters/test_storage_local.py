"""What a folder does that no bucket needs: copies without links, and parts of files of writers that died."""

from pathlib import Path

import pytest

from app.adapters.signed_urls import SignedUrls
from app.adapters.storage_local import LocalStorage
from tests.acts import put
from tests.fakes import FakeClock


@pytest.fixture
def storage(tmp_path: Path, clock: FakeClock) -> LocalStorage:
    return LocalStorage(tmp_path / "store", SignedUrls("http://localhost", ["secret" * 5], clock))


def everything(tmp_path: Path) -> list[str]:
    return [path.name for path in (tmp_path / "store").rglob("*") if path.is_file()]


def test_where_there_are_no_links_files_are_copied_byte_by_byte(
    storage: LocalStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError("this file system has no links")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    put(storage, "a/b", b"one" * 300)
    assert storage.copy("a/b", "a/c").size_bytes == 900
    assert storage.open("a/c").read() == b"one" * 300
    assert (tmp_path / "store" / "a" / "c").stat().st_nlink == 1
    assert sorted(everything(tmp_path)) == ["b", "c"]


def test_what_writers_that_died_left_behind_is_tidied_away(storage: LocalStorage, tmp_path: Path) -> None:
    storage.create("a/b", 1000).write(b"cut off")
    put(storage, "kept", b"x")
    storage.tidy(3600)
    assert len(everything(tmp_path)) == 2
    storage.tidy(-1)
    assert everything(tmp_path) == ["kept"]
