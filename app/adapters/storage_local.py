"""Storage in a folder of this machine: atomic writes, URLs that lead to our own web processes."""

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
from app.domain.ports import FileStat, ListedFile, StorageUnavailableError, TooLargeError, split_key
from engine.types.media import HEADER_BYTES, MediaType

log = logging.getLogger(__name__)

INCOMING = ".incoming"
CHUNK_BYTES = 1024 * 1024
PING_BYTES = 4096
"""The size of the file that tests the store. It needs a disk block, which a full disk does not have."""


@contextmanager
def _translating_errors() -> Iterator[None]:
    """Raises StorageUnavailableError for every OSError in the block: disk full, read-only or gone, no descriptors
    left.
    """
    try:
        yield
    except OSError as error:
        metrics.FAULTS.labels("storage").inc()
        raise StorageUnavailableError(str(error)) from error


@contextmanager
def _translating_lookup_errors() -> Iterator[None]:
    """Like _translating_errors(), but raises FileNotFoundError for every OSError that means that no file is
    there.
    """
    try:
        yield
    except OSError as error:
        absent = isinstance(error, FileNotFoundError | NotADirectoryError | IsADirectoryError)
        if absent or error.errno == errno.ENAMETOOLONG:
            raise FileNotFoundError(str(error)) from error
        metrics.FAULTS.labels("storage").inc()
        raise StorageUnavailableError(str(error)) from error


class _Reading(io.FileIO):
    """A file that is read; errors of the disk are raised as StorageUnavailableError."""

    def readinto(self, buffer: Any) -> int:
        """The next bytes. Raises StorageUnavailableError."""
        with _translating_errors():
            return super().readinto(buffer)

    def readall(self) -> bytes:
        """All remaining bytes. Raises StorageUnavailableError."""
        with _translating_errors():
            return super().readall()


class LocalWriting:
    """A file being written: to a temporary path, from which publish() moves it into place in one step."""

    def __init__(self, temporary: Path, place: Path, limit_bytes: int) -> None:
        self._temporary, self._place, self._left = temporary, place, limit_bytes
        with _translating_errors():
            temporary.parent.mkdir(parents=True, exist_ok=True)
            self._file = temporary.open("xb")

    def write(self, chunk: bytes) -> int:
        """Append. Raises TooLargeError beyond the limit, StorageUnavailableError."""
        self._left -= len(chunk)
        if self._left < 0:
            raise TooLargeError
        with _translating_errors():
            return self._file.write(chunk)

    def publish(self) -> FileStat:
        """Make the whole file visible at its key, durably; it replaces an earlier one. Raises
        StorageUnavailableError.
        """
        with _translating_errors():
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._place.parent.mkdir(parents=True, exist_ok=True)
            self._temporary.replace(self._place)
            return _stat(self._place)

    def discard(self) -> None:
        """Remove the temporary file; harmless after publish(). Where the disk refuses that, tidy() does it
        later.
        """
        with suppress(OSError):
            self._file.close()  # tries to write what is still buffered; a full disk refuses that again
        try:
            self._temporary.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s cannot be removed now: %s", self._temporary, error)


class LocalStorage:
    """Implements app.domain.ports.Storage with a folder. A malformed key raises ValueError; stat() and peek()
    return None for it.
    """

    def __init__(self, root: Path, urls: SignedUrls) -> None:
        self._root, self._urls = root, urls

    def create(self, key: str, limit_bytes: int) -> LocalWriting:
        """Begin to write a file. Raises StorageUnavailableError."""
        return LocalWriting(self._make_temporary_path(), self._path(key), limit_bytes)

    def stat(self, key: str) -> FileStat | None:
        """Size and ETag of the file under the key, or None. Raises StorageUnavailableError."""
        try:
            with _translating_lookup_errors():
                return _stat(self._path(key))
        except (FileNotFoundError, ValueError):
            return None

    def open(self, key: str) -> BinaryIO:
        """The file, seekable. Raises FileNotFoundError, StorageUnavailableError."""
        path = self._path(key)
        with _translating_lookup_errors():
            return io.BufferedReader(_Reading(path))

    def peek(self, key: str) -> tuple[FileStat, bytes] | None:
        """Size, ETag and first HEADER_BYTES of the file under the key, or None. Raises StorageUnavailableError."""
        try:
            with self.open(key) as file:
                return _make_stat(os.fstat(file.fileno())), file.read(HEADER_BYTES)
        except (FileNotFoundError, ValueError):
            return None

    def list_files(self, prefix: str) -> Iterator[ListedFile]:
        """Every file whose key starts with the prefix. Raises StorageUnavailableError."""
        folder = self._path(prefix.rstrip("/"))
        with _translating_errors():
            for path in folder.rglob("*"):
                # Skip files that are removed meanwhile.
                with suppress(FileNotFoundError):
                    if path.is_file():
                        since = datetime.fromtimestamp(path.stat().st_mtime, UTC)
                        yield ListedFile(path.relative_to(self._root).as_posix(), _stat(path), since)

    def copy(
        self, from_key: str, to_key: str, etag: str | None = None, media_type: MediaType | None = None
    ) -> FileStat:
        """Copy the file to a second key, as a hard link where the file system has hard links.

        Files are replaced, never changed in place, so a later write to one key does not affect the other.
        Raises FileNotFoundError, and StorageUnavailableError, also when the file has another ETag than `etag`.
        """
        source, place, temporary = self._path(from_key), self._path(to_key), self._make_temporary_path()
        if etag is not None and (found := self.stat(from_key)) is not None and found.etag != etag:
            raise StorageUnavailableError(f"{from_key} was replaced meanwhile")
        with _translating_errors():
            for folder in (temporary.parent, place.parent):
                folder.mkdir(parents=True, exist_ok=True)
        try:
            temporary.hardlink_to(source)
            temporary.replace(place)
        except OSError:
            return self._copy_content(from_key, to_key)
        finally:
            # rename() does nothing when both paths are links to the same file: then the temporary one is left.
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        with _translating_lookup_errors():
            return _stat(place)

    def _copy_content(self, from_key: str, to_key: str) -> FileStat:
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
        with _translating_errors():
            self._path(key).unlink(missing_ok=True)

    def delete_prefix(self, prefix: str) -> None:
        """Remove every file whose key starts with the prefix, which ends in a slash.

        Raises StorageUnavailableError; some files may have been removed by then.
        """
        if not prefix.endswith("/"):
            raise ValueError(f"{prefix} does not end in a slash")
        folder = self._path(prefix.rstrip("/"))
        with _translating_errors():
            for path in sorted(folder.rglob("*"), reverse=True):
                _remove(path)
            _remove(folder)

    def tidy(self, abandoned_seconds: float) -> None:
        """Remove temporary files that were last written more than `abandoned_seconds` ago, because their writers
        died. Raises StorageUnavailableError.
        """
        before = time.time() - abandoned_seconds
        with _translating_errors():
            for temporary in (self._root / INCOMING).glob("*"):
                with suppress(FileNotFoundError):
                    if temporary.stat().st_mtime < before:
                        temporary.unlink()

    direct_origin: str | None = None
    """None: its URLs lead to our own web processes."""

    def upload_url(self, key: str, valid_seconds: int, size_bytes: int | None = None) -> str:
        """A URL for a PUT of this file until it expires. `size_bytes` is not used: the web process checks sizes."""
        return self._urls.make(UPLOADS, Permission(key, ""), valid_seconds)

    def download_url(self, key: str, file_name: str, valid_seconds: int, *, extension_fits: bool = True) -> str:
        """A URL for a GET of this file, named `file_name`, until it expires. `extension_fits` only
        matters for URLs that lead to a bucket.
        """
        return self._urls.make(FILES, Permission(key, file_name), valid_seconds)

    def ping(self) -> None:
        """Write a small file, read it and remove it. Raises StorageUnavailableError."""
        place, content = self._make_temporary_path(), os.urandom(PING_BYTES)
        writing = LocalWriting(self._make_temporary_path(), place, PING_BYTES)
        try:
            writing.write(content)
            writing.publish()
        finally:
            writing.discard()
        with _translating_errors():
            try:
                kept = place.read_bytes()
            finally:
                place.unlink(missing_ok=True)
        if kept != content:
            raise StorageUnavailableError("what was written is not what was read back")

    def _make_temporary_path(self) -> Path:
        return self._root / INCOMING / uuid.uuid4().hex

    def _path(self, key: str) -> Path:
        return self._root.joinpath(*split_key(key))


def _remove(path: Path) -> None:
    # Another process may remove the same folder; every other reason why a file stays must be reported.
    with suppress(FileNotFoundError):
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink()


def _stat(path: Path) -> FileStat:
    return _make_stat(path.stat())


def _make_stat(found: os.stat_result) -> FileStat:
    return FileStat(found.st_size, f"{found.st_mtime_ns:x}-{found.st_size:x}")
