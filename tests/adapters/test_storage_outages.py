"""A folder on a disk that is read-only, full or broken: the store's fault, and nothing half done stays."""

import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.adapters.signed_urls import SignedUrls
from app.adapters.storage_local import LocalStorage
from app.domain.ports import Storage, StorageUnavailableError
from tests.fakes import FakeClock

DISK_BYTES = 256 * 1024
NO_MOUNTS = "mounting is not allowed here"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = mount("-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(place))
    if not mounted:
        pytest.skip(NO_MOUNTS)
    yield place
    subprocess.run(["umount", str(place)], check=True)


def mount(*arguments: str) -> bool:
    return (
        os.geteuid() == 0
        and subprocess.run(["mount", *arguments], check=False, capture_output=True).returncode == 0
    )


@pytest.fixture
def storage(disk: Path, clock: FakeClock) -> Storage:
    return LocalStorage(disk / "store", SignedUrls("http://localhost", "secret" * 5, clock))


def put(storage: Storage, key: str, content: bytes) -> None:
    writing = storage.create(key, 10 * DISK_BYTES)
    try:
        for start in range(0, len(content), 1000):
            writing.write(content[start : start + 1000])
        writing.publish()
    finally:
        writing.discard()


def read(storage: Storage, key: str) -> bytes:
    with storage.open(key) as file:
        return file.read()


def files(disk: Path) -> list[str]:
    return sorted(path.name for path in disk.rglob("*") if path.is_file())


def fill(disk: Path) -> Path:
    stuffing = disk / "stuffing"
    with stuffing.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
        while True:
            file.write(b"." * 512)
    return stuffing


def test_a_full_disk_is_the_stores_fault_and_keeps_no_part_of_a_file(storage: Storage, disk: Path) -> None:
    put(storage, "a/kept", b"kept")
    with pytest.raises(StorageUnavailableError, match="No space left"):
        put(storage, "a/b", b"x" * 2 * DISK_BYTES)
    assert files(disk) == ["kept"]
    stuffing = fill(disk)
    with pytest.raises(StorageUnavailableError, match="No space left"):
        storage.ping()
    assert read(storage, "a/kept") == b"kept"
    stuffing.unlink()
    storage.ping()
    put(storage, "a/b", b"x" * 1000)
    assert files(disk) == ["b", "kept"]


def test_a_last_write_that_a_full_disk_refuses_leaves_nothing_either(storage: Storage, disk: Path) -> None:
    writing = storage.create("a/b", 1000)
    writing.write(b"small enough to wait in memory")
    stuffing = fill(disk)
    with pytest.raises(StorageUnavailableError):
        writing.publish()
    writing.discard()
    stuffing.unlink()
    assert files(disk) == []


def test_a_read_only_disk_still_gives_its_files(storage: Storage, disk: Path) -> None:
    put(storage, "a/b", b"kept")
    assert mount("-o", "remount,ro", str(disk))
    for act in (
        storage.ping,
        lambda: put(storage, "a/c", b"x"),
        lambda: storage.delete("a/b"),
        lambda: storage.delete_prefix("a/"),
        lambda: storage.copy("a/b", "a/c"),
    ):
        with pytest.raises(StorageUnavailableError, match="Read-only"):
            act()
    assert read(storage, "a/b") == b"kept"
    assert mount("-o", "remount,rw", str(disk))
    storage.ping()


def test_a_key_that_names_no_file_is_no_outage(storage: Storage) -> None:
    put(storage, "a/b", b"x")
    for key in ("a/nobody", "nowhere/b", "a/b/c", f"a/{'x' * 300}"):
        assert storage.stat(key) is None
        with pytest.raises(FileNotFoundError):
            storage.open(key)


@contextmanager
def files_of_at_most(size_bytes: int) -> Iterator[None]:
    """No file of this process grows larger: writing on fails as on a disk over its quota."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_limit_on_files_is_the_stores_fault_on_any_machine(tmp_path: Path, clock: FakeClock) -> None:
    storage = LocalStorage(tmp_path / "store", SignedUrls("http://localhost", "secret" * 5, clock))
    with files_of_at_most(10_000), pytest.raises(StorageUnavailableError):
        put(storage, "a/b", b"x" * 50_000)
    with files_of_at_most(100), pytest.raises(StorageUnavailableError):
        storage.ping()
    assert files(tmp_path) == []
    storage.ping()


def test_a_disk_that_fails_while_a_file_is_read_is_no_broken_file(tmp_path: Path, clock: FakeClock) -> None:
    storage = LocalStorage(tmp_path / "store", SignedUrls("http://localhost", "secret" * 5, clock))
    put(storage, "a/b", b"x" * 50_000)
    for act in (lambda file: file.read(), lambda file: file.read(100), lambda file: file.readinto(bytearray(9))):
        with storage.open("a/b") as file, (tmp_path / "other").open("wb") as other:
            # A descriptor that cannot be read stands for a disk that cannot: EBADF is as good as EIO.
            os.dup2(other.fileno(), file.fileno())
            with pytest.raises(StorageUnavailableError):
                act(file)
