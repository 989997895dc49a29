"""The outside world as the services see it: one Protocol for each thing that can be exchanged."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol

from app.domain.catalogue import ChangeType, Enhancement, RoomType, Style
from app.domain.quality import QualityReport, Reason


@dataclass(frozen=True, slots=True)
class Staging:
    """How a room is to be furnished."""

    style: Style
    room_type: RoomType


@dataclass(frozen=True, slots=True)
class Change:
    """One renovation wish; `references` are storage keys of pictures, `reference_text` words."""

    type: ChangeType
    description: str
    reference_text: str | None = None
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wish:
    """What one photo is to become. `steps` come in pipeline order; photos of an order share `order_seed`."""

    steps: Sequence[Enhancement]
    order_seed: str = ""
    staging: Staging | None = None
    changes: Sequence[Change] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture with its size in pixels."""

    content: bytes
    media_type: str
    width: int
    height: int

    @property
    def extension(self) -> str:
        """The file name ending that fits the media type, without the dot."""
        return {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}[self.media_type]


@dataclass(frozen=True, slots=True)
class Enhanced:
    """What the engine made: `picture` is None when every step declined."""

    picture: Picture | None
    report: QualityReport


class UnusablePhotoError(Exception):
    """The photo cannot be worked on, whoever tries and however often: broken, bombed or beyond the limits."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class Engine(Protocol):
    """Turns a photo into a better one."""

    def enhance(self, photo: BinaryIO, wish: Wish) -> Enhanced:
        """Work the steps on the photo. Raises UnusablePhotoError when it cannot be decoded within the limits."""


class QueueUnavailableError(Exception):
    """The doorbell cannot be rung now; the sweep will find the work."""


class Queue(Protocol):
    """The doorbell: tells an idle worker which photo is due. Losing a ring loses nothing."""

    def ring(self, photo_ids: Sequence[str]) -> None:
        """Wake workers for these photos. Raises QueueUnavailableError."""

    def waiting(self) -> int:
        """How many rings nobody has answered yet. Raises QueueUnavailableError."""

    def ping(self) -> None:
        """Raises QueueUnavailableError when rings would be lost."""


class TooLargeError(Exception):
    """The stream holds more bytes than allowed."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored file as it lies there."""

    size_bytes: int
    etag: str


class Writing(Protocol):
    """A file on its way into the store: invisible until `publish`, gone after `discard`."""

    def write(self, chunk: bytes) -> int:
        """Append. Raises TooLargeError past the limit given when it was opened."""

    def publish(self) -> Stored:
        """Make the whole file visible under its key at once, replacing what was there."""

    def discard(self) -> None:
        """Leave nothing behind; harmless after publish."""


class Storage(Protocol):
    """Where files lie, under keys such as `uploads/ups_x/interior-0`; never a path."""

    def create(self, key: str, limit_bytes: int) -> Writing:
        """Begin a file."""

    def stat(self, key: str) -> Stored | None:
        """What lies under the key, or None."""

    def open(self, key: str) -> BinaryIO:
        """The file, seekable, for reading. Raises FileNotFoundError."""

    def delete(self, key: str) -> None:
        """Remove one file; harmless when it is not there."""

    def delete_prefix(self, prefix: str) -> None:
        """Remove every file whose key starts with the prefix, which ends in a slash.

        Raises OSError when a file cannot be removed.
        """

    def tidy(self, abandoned_seconds: float) -> None:
        """Remove what writers that died left behind so long ago."""

    def upload_url(self, key: str, valid_seconds: int) -> str:
        """A URL that takes a PUT of this file until it expires."""

    def download_url(self, key: str, file_name: str, valid_seconds: int) -> str:
        """A URL that gives this file, named `file_name`, until it expires."""

    def ping(self) -> None:
        """Raises OSError when files cannot be written now."""
