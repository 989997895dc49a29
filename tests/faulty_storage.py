"""A store that fails where a test says so: held to the contract of storage while nothing is said."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from app.domain.ports import FileStat, FileWriter, ListedFile, Storage, StorageUnavailableError
from engine.types.media import MediaType

READING = frozenset({"stat", "peek", "listed", "open", "read"})
WRITING = frozenset({"create", "write", "publish", "copy", "delete", "delete_prefix", "tidy"})
EVERYTHING = READING | WRITING | {"ping"}


@dataclass
class FaultyStorage:
    """`inner`, but what is in `broken` raises StorageUnavailableError, and keys in `missing` seem not to be there.

    `before` is called with the name of each act and may wait, raise, or mend the store. `acts` remembers them.
    """

    inner: Storage
    broken: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    before: Callable[[str], None] = lambda act: None
    acts: list[str] = field(default_factory=list)

    @contextmanager
    def away(self, acts: frozenset[str] = EVERYTHING) -> Iterator[None]:
        """Nothing of these works meanwhile."""
        self.broken |= acts
        try:
            yield
        finally:
            self.broken -= acts

    def act(self, name: str) -> None:
        self.acts.append(name)
        self.before(name)
        if name in self.broken:
            raise StorageUnavailableError(f"{name} failed as the test wanted")

    def create(self, key: str, limit_bytes: int) -> FileWriter:
        self.act("create")
        return FaultyWriting(self, self.inner.create(key, limit_bytes))

    def stat(self, key: str) -> FileStat | None:
        self.act("stat")
        return None if key in self.missing else self.inner.stat(key)

    def peek(self, key: str) -> tuple[FileStat, bytes] | None:
        self.act("peek")
        return None if key in self.missing else self.inner.peek(key)

    def list_files(self, prefix: str) -> Iterator[ListedFile]:
        self.act("listed")
        return self.inner.list_files(prefix)

    def open(self, key: str) -> BinaryIO:
        self.act("open")
        if key in self.missing:
            raise FileNotFoundError(key)
        return FaultyReading(self, self.inner.open(key))

    def copy(
        self, from_key: str, to_key: str, etag: str | None = None, media_type: MediaType | None = None
    ) -> FileStat:
        self.act("copy")
        return self.inner.copy(from_key, to_key, etag, media_type)

    def delete(self, key: str) -> None:
        self.act("delete")
        self.inner.delete(key)

    def delete_prefix(self, prefix: str) -> None:
        self.act("delete_prefix")
        self.inner.delete_prefix(prefix)

    def tidy(self, abandoned_seconds: float) -> None:
        self.act("tidy")
        self.inner.tidy(abandoned_seconds)

    @property
    def direct_origin(self) -> str | None:
        return self.inner.direct_origin

    def upload_url(self, key: str, valid_seconds: int, size_bytes: int | None = None) -> str:
        return self.inner.upload_url(key, valid_seconds, size_bytes)

    def download_url(self, key: str, file_name: str, valid_seconds: int, *, extension_fits: bool = True) -> str:
        return self.inner.download_url(key, file_name, valid_seconds, extension_fits=extension_fits)

    def ping(self) -> None:
        self.act("ping")
        self.inner.ping()


@dataclass
class FaultyWriting:
    """A file on its way into a store that may fail."""

    storage: FaultyStorage
    inner: FileWriter

    def write(self, chunk: bytes) -> int:
        self.storage.act("write")
        return self.inner.write(chunk)

    def publish(self) -> FileStat:
        self.storage.act("publish")
        return self.inner.publish()

    def discard(self) -> None:
        self.inner.discard()


class FaultyReading:
    """A file whose store may fail while it is read."""

    def __init__(self, storage: FaultyStorage, inner: BinaryIO) -> None:
        self._storage, self._inner = storage, inner

    def read(self, size: int = -1) -> bytes:
        self._storage.act("read")
        return self._inner.read(size)

    def __enter__(self) -> "FaultyReading":
        return self

    def __exit__(self, *_: object) -> None:
        self._inner.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)
