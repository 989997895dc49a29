"""Storage in a folder of this machine: atomic writes, URLs served by our own web process."""

import os
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from app.adapters.signed_urls import FILES, UPLOADS, Permission, SignedUrls
from app.domain.ports import Stored, TooLargeError

INCOMING = ".incoming"
CHUNK_BYTES = 1024 * 1024


class LocalWriting:
    """A file on its way: written aside, moved into place in one step."""

    def __init__(self, aside: Path, place: Path, limit_bytes: int) -> None:
        self._aside, self._place, self._left = aside, place, limit_bytes
        aside.parent.mkdir(parents=True, exist_ok=True)
        self._file = aside.open("xb")

    def write(self, chunk: bytes) -> int:
        """Append. Raises TooLargeError past the limit."""
        self._left -= len(chunk)
        if self._left < 0:
            raise TooLargeError
        return self._file.write(chunk)

    def publish(self) -> Stored:
        """Make the file visible at once and for good, replacing what was there."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._place.parent.mkdir(parents=True, exist_ok=True)
        self._aside.replace(self._place)
        return _stored(self._place)

    def discard(self) -> None:
        """Leave nothing behind; harmless after publish."""
        self._file.close()
        self._aside.unlink(missing_ok=True)


class LocalStorage:
    """The storage port over a folder."""

    def __init__(self, root: Path, urls: SignedUrls) -> None:
        self._root, self._urls = root, urls

    def create(self, key: str, limit_bytes: int) -> LocalWriting:
        """Begin a file."""
        return LocalWriting(self._aside(), self._path(key), limit_bytes)

    def stat(self, key: str) -> Stored | None:
        """What lies under the key, or None."""
        try:
            return _stored(self._path(key))
        except (OSError, ValueError):
            return None

    def open(self, key: str) -> BinaryIO:
        """The file, seekable. Raises FileNotFoundError."""
        return self._path(key).open("rb")

    def copy(self, from_key: str, to_key: str) -> Stored:
        """Give the file a second key, by a second link to it where the file system has those.

        Files are only ever replaced, never written to in place, so neither key changes with the other.
        Raises FileNotFoundError.
        """
        source, place, aside = self._path(from_key), self._path(to_key), self._aside()
        for folder in (aside.parent, place.parent):
            folder.mkdir(parents=True, exist_ok=True)
        try:
            aside.hardlink_to(source)
            aside.replace(place)
        except OSError:
            return self._copied(source, to_key)
        finally:
            # Still there when both were links to the same file already: then replacing does nothing.
            aside.unlink(missing_ok=True)
        return _stored(place)

    def _copied(self, source: Path, to_key: str) -> Stored:
        with source.open("rb") as file:
            writing = self.create(to_key, os.fstat(file.fileno()).st_size)
            try:
                while chunk := file.read(CHUNK_BYTES):
                    writing.write(chunk)
                return writing.publish()
            finally:
                writing.discard()

    def delete(self, key: str) -> None:
        """Remove one file; harmless when it is not there."""
        self._path(key).unlink(missing_ok=True)

    def delete_prefix(self, prefix: str) -> None:
        """Remove every file whose key starts with the prefix, which ends in a slash."""
        if not prefix.endswith("/"):
            raise ValueError(f"{prefix} does not end in a slash")
        folder = self._path(prefix.rstrip("/"))
        for path in sorted(folder.rglob("*"), reverse=True):
            _remove(path)
        _remove(folder)

    def tidy(self, abandoned_seconds: float) -> None:
        """Remove what writers that died left behind so long ago."""
        before = time.time() - abandoned_seconds
        for aside in (self._root / INCOMING).glob("*"):
            with suppress(FileNotFoundError):
                if aside.stat().st_mtime < before:
                    aside.unlink()

    def upload_url(self, key: str, valid_seconds: int) -> str:
        """A URL that takes a PUT of this file until it expires."""
        return self._urls.make(UPLOADS, Permission(key, ""), valid_seconds)

    def download_url(self, key: str, file_name: str, valid_seconds: int) -> str:
        """A URL that gives this file, named `file_name`, until it expires."""
        return self._urls.make(FILES, Permission(key, file_name), valid_seconds)

    def ping(self) -> None:
        """Raises OSError when files cannot be written now."""
        self._root.mkdir(parents=True, exist_ok=True)
        if not os.access(self._root, os.W_OK):
            raise PermissionError(self._root)

    def _aside(self) -> Path:
        return self._root / INCOMING / uuid.uuid4().hex

    def _path(self, key: str) -> Path:
        parts = key.split("/")
        if not all(part and part[0] != "." and part.isprintable() and "\\" not in part for part in parts):
            raise ValueError(f"{key!r} is no storage key")
        return self._root.joinpath(*parts)


def _remove(path: Path) -> None:
    # Another sweep may be at the same folder; anything else that keeps a file must be heard of.
    with suppress(FileNotFoundError):
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink()


def _stored(path: Path) -> Stored:
    found = path.stat()
    return Stored(found.st_size, f"{found.st_mtime_ns:x}-{found.st_size:x}")
