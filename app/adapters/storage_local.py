"""Storage in a folder of this machine: atomic writes, URLs served by our own web process."""

import errno
import io
import logging
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from app import metrics
from app.adapters.signed_urls import FILES, UPLOADS, Permission, SignedUrls
from app.domain.ports import ListedFile, StorageUnavailableError, Stored, TooLargeError, split_key
from engine.types.media import HEADER_BYTES, MediaType

log = logging.getLogger(__name__)

INCOMING = ".incoming"
CHUNK_BYTES = 1024 * 1024
PING_BYTES = 4096
"""A file of this size needs a block of its own, which a full disk does not have."""


@contextmanager
def _reached() -> Iterator[None]:
    """Whatever the file system refuses is the store's fault: full, read-only, gone, no descriptors left."""
    try:
        yield
    except OSError as error:
        metrics.FAULTS.labels("storage").inc()
        raise StorageUnavailableError(str(error)) from error


@contextmanager
def _looked_up() -> Iterator[None]:
    """The same, but for a file that is not there: that is FileNotFoundError, however the file system says it."""
    try:
        yield
    except OSError as error:
        absent = isinstance(error, FileNotFoundError | NotADirectoryError | IsADirectoryError)
        if absent or error.errno == errno.ENAMETOOLONG:
            raise FileNotFoundError(str(error)) from error
        metrics.FAULTS.labels("storage").inc()
        raise StorageUnavailableError(str(error)) from error


class _Reading(io.FileIO):
    """A file whose disk may fail while it is read."""

    def readinto(self, buffer: Any) -> int:
        """The next bytes. Raises StorageUnavailableError."""
        with _reached():
            return super().readinto(buffer)

    def readall(self) -> bytes:
        """All that is left. Raises StorageUnavailableError."""
        with _reached():
            return super().readall()


class LocalWriting:
    """A file on its way: written aside, moved into place in one step."""

    def __init__(self, aside: Path, place: Path, limit_bytes: int) -> None:
        self._aside, self._place, self._left = aside, place, limit_bytes
        with _reached():
            aside.parent.mkdir(parents=True, exist_ok=True)
            self._file = aside.open("xb")

    def write(self, chunk: bytes) -> int:
        """Append. Raises TooLargeError past the limit, StorageUnavailableError."""
        self._left -= len(chunk)
        if self._left < 0:
            raise TooLargeError
        with _reached():
            return self._file.write(chunk)

    def publish(self) -> Stored:
        """Make the file visible at once and for good, replacing what was there. Raises StorageUnavailableError."""
        with _reached():
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._place.parent.mkdir(parents=True, exist_ok=True)
            self._aside.replace(self._place)
            return _stored(self._place)

    def discard(self) -> None:
        """Leave nothing behind; harmless after publish, and on a disk that refuses: tidy() comes later."""
        with suppress(OSError):
            self._file.close()  # what a full disk did not take yet is written once more, and refused
        try:
            self._aside.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s stays for now: %s", self._aside, error)


class LocalStorage:
    """The storage port over a folder."""

    def __init__(self, root: Path, urls: SignedUrls) -> None:
        self._root, self._urls = root, urls

    def create(self, key: str, limit_bytes: int) -> LocalWriting:
        """Begin a file. Raises StorageUnavailableError."""
        return LocalWriting(self._aside(), self._path(key), limit_bytes)

    def stat(self, key: str) -> Stored | None:
        """What lies under the key, or None. Raises StorageUnavailableError."""
        try:
            with _looked_up():
                return _stored(self._path(key))
        except (FileNotFoundError, ValueError):
            return None

    def open(self, key: str) -> BinaryIO:
        """The file, seekable. Raises FileNotFoundError, StorageUnavailableError."""
        path = self._path(key)
        with _looked_up():
            return io.BufferedReader(_Reading(path))

    def peek(self, key: str) -> tuple[Stored, bytes] | None:
        """What lies under the key with its first bytes, or None. Raises StorageUnavailableError."""
        try:
            with self.open(key) as file:
                return _stored_as(os.fstat(file.fileno())), file.read(HEADER_BYTES)
        except (FileNotFoundError, ValueError):
            return None

    def listed(self, prefix: str) -> Iterator[ListedFile]:
        """Every file whose key starts with the prefix. Raises StorageUnavailableError."""
        folder = self._path(prefix.rstrip("/"))
        with _reached():
            for path in folder.rglob("*"):
                # Gone meanwhile: then it is not there.
                with suppress(FileNotFoundError):
                    if path.is_file():
                        since = datetime.fromtimestamp(path.stat().st_mtime, UTC)
                        yield ListedFile(path.relative_to(self._root).as_posix(), _stored(path), since)

    def copy(
        self, from_key: str, to_key: str, etag: str | None = None, media_type: MediaType | None = None
    ) -> Stored:
        """Give the file a second key, by a second link to it where the file system has those.

        Files are only ever replaced, never written to in place, so neither key changes with the other.
        Raises FileNotFoundError, StorageUnavailableError, also when the file has another `etag`.
        """
        source, place, aside = self._path(from_key), self._path(to_key), self._aside()
        if etag is not None and (found := self.stat(from_key)) is not None and found.etag != etag:
            raise StorageUnavailableError(f"{from_key} was replaced meanwhile")
        with _reached():
            for folder in (aside.parent, place.parent):
                folder.mkdir(parents=True, exist_ok=True)
        try:
            aside.hardlink_to(source)
            aside.replace(place)
        except OSError:
            return self._copied(from_key, to_key)
        finally:
            # Still there when both were links to the same file already: then replacing does nothing.
            with suppress(OSError):
                aside.unlink(missing_ok=True)
        with _looked_up():
            return _stored(place)

    def _copied(self, from_key: str, to_key: str) -> Stored:
        with self.open(from_key) as file:
            writing = self.create(to_key, os.fstat(file.fileno()).st_size)
            try:
                while chunk := file.read(CHUNK_BYTES):
                    writing.write(chunk)
                return writing.publish()
            finally:
                writing.discard()

    def delete(self, key: str) -> None:
        """Remove one file; harmless when it is not there. Raises StorageUnavailableError."""
        with _reached():
            self._path(key).unlink(missing_ok=True)

    def delete_prefix(self, prefix: str) -> None:
        """Remove every file whose key starts with the prefix, which ends in a slash.

        Raises StorageUnavailableError, when some may be gone already.
        """
        if not prefix.endswith("/"):
            raise ValueError(f"{prefix} does not end in a slash")
        folder = self._path(prefix.rstrip("/"))
        with _reached():
            for path in sorted(folder.rglob("*"), reverse=True):
                _remove(path)
            _remove(folder)

    def tidy(self, abandoned_seconds: float) -> None:
        """Remove what writers that died left behind so long ago. Raises StorageUnavailableError."""
        before = time.time() - abandoned_seconds
        with _reached():
            for aside in (self._root / INCOMING).glob("*"):
                with suppress(FileNotFoundError):
                    if aside.stat().st_mtime < before:
                        aside.unlink()

    direct_origin: str | None = None
    """Its URLs lead to our own web process, which sees every byte."""

    def upload_url(self, key: str, valid_seconds: int, size_bytes: int | None = None) -> str:
        """A URL that takes a PUT of this file until it expires, of any size: the web process counts."""
        return self._urls.make(UPLOADS, Permission(key, ""), valid_seconds)

    def download_url(self, key: str, file_name: str, valid_seconds: int, *, fitting: bool = True) -> str:
        """A URL that gives this file, named `file_name`, until it expires."""
        return self._urls.make(FILES, Permission(key, file_name), valid_seconds)

    def ping(self) -> None:
        """Write a small file, read it back and remove it. Raises StorageUnavailableError."""
        place, content = self._aside(), os.urandom(PING_BYTES)
        writing = LocalWriting(self._aside(), place, PING_BYTES)
        try:
            writing.write(content)
            writing.publish()
        finally:
            writing.discard()
        with _reached():
            try:
                kept = place.read_bytes()
            finally:
                place.unlink(missing_ok=True)
        if kept != content:
            raise StorageUnavailableError("what was written is not what was read back")

    def _aside(self) -> Path:
        return self._root / INCOMING / uuid.uuid4().hex

    def _path(self, key: str) -> Path:
        return self._root.joinpath(*split_key(key))


def _remove(path: Path) -> None:
    # Another sweep may be at the same folder; anything else that keeps a file must be heard of.
    with suppress(FileNotFoundError):
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink()


def _stored(path: Path) -> Stored:
    return _stored_as(path.stat())


def _stored_as(found: os.stat_result) -> Stored:
    return Stored(found.st_size, f"{found.st_mtime_ns:x}-{found.st_size:x}")
