"""The outside world as the services see it: one Protocol for each thing that can be exchanged.

The ways out to customers, webhooks and mail, have theirs in domain/sending.py.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import BinaryIO, Protocol

from engine.types.appearance import LightEstimate
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import WorkSize
from engine.types.media import MediaType
from engine.types.pictures import Enhanced, ListingPicture, Logo, Picture, Previews, WantedPreviews


class Engine(Protocol):
    """Turns a photo into a better one."""

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        """Apply the request to the photo; where the context has frames, to the one photo that these become.

        Raises UnusablePhotoError when it cannot be decoded within the limits or the frames are not of one view,
        and ServerUnavailableError when it may wait and has to.
        """

    def estimate_light(self, photo: BinaryIO) -> LightEstimate:
        """What the photo says of its light, quickly. Raises UnusablePhotoError as `enhance` does."""


class PreviewMaker(Protocol):
    """Makes small pictures for pages."""

    def make(self, picture: BinaryIO, wanted: WantedPreviews) -> Previews:
        """The picture small and middling, never larger than it is, and what is wanted besides.

        Raises UnusablePhotoError when it cannot be decoded within the limits.
        """


LogoEncoder = Callable[[BinaryIO], Logo]
"""Makes a Logo of what somebody sent. Raises UnusablePhotoError for what is none."""


class ListingPictureMaker(Protocol):
    """Makes pictures as listing services take them."""

    def make(self, picture: BinaryIO, wanted: ListingPicture) -> Picture:
        """The picture upright, as a JPEG in sRGB within the limits, without its place; never larger than it is.

        Raises UnusablePhotoError when it cannot be decoded within the limits, or made as small as is wanted.
        """


class ImageryUnavailableError(Exception):
    """The source of public imagery cannot be asked now; asking later may help."""


class Imagery(Protocol):
    """A source of outside views by address."""

    def find(self, address: str) -> bytes | None:
        """An encoded picture of the property, or None where the source has none. Raises ImageryUnavailableError."""


class QueueUnavailableError(Exception):
    """No worker can be notified now; the sweep will find the work."""


class QueueName(StrEnum):
    """Where a wake-up waits. Photos that take long wait by themselves, as ROOMS."""

    PHOTOS = "photos"
    ROOMS = "rooms"
    HOOKS_FAST = "hooks-fast"
    HOOKS_SLOW = "hooks-slow"
    MAIL = "mail"
    PREVIEWS = "previews"


PHOTO_QUEUES: Mapping[WorkSize, QueueName] = {WorkSize.LIGHT: QueueName.PHOTOS, WorkSize.HEAVY: QueueName.ROOMS}
"""Where photos wait: so those that take seconds never wait for those that take most of a minute."""
PICTURE_QUEUES = frozenset({*PHOTO_QUEUES.values(), QueueName.PREVIEWS})
"""Queues whose work decodes what customers sent: a file that ends its process ends no other's work."""
PICTURE_NICENESS = 10
"""Of workers that keep a core busy for seconds: where web processes want the same core, a page goes first."""
SIGN_SECONDS = 15
"""How often a worker shows that it lives, whether it waits for a wake-up or watches over its work."""


@dataclass(frozen=True, slots=True)
class WorkerSign:
    """The last sign of life of a worker process. One that was killed gives none any more, and is forgotten soon."""

    name: str
    queue_names: tuple[QueueName, ...]
    seen_at: datetime
    busy: bool

    @property
    def place(self) -> tuple[list[int], str]:
        """Where it stands in a list: by its queues, in the order of QueueName, then by its name."""
        names = list(QueueName)
        return [names.index(each) for each in self.queue_names], self.name


class Queue(Protocol):
    """Wakes workers: tells an idle worker what is due. Losing a wake-up loses nothing."""

    def notify(self, queue_name: QueueName, ids: Sequence[str]) -> None:
        """Wake workers of the queue for these. Raises QueueUnavailableError."""

    def waiting(self, queue_name: QueueName) -> int:
        """How many wake-ups of the queue nobody has answered yet. Raises QueueUnavailableError."""

    def workers(self) -> Sequence[WorkerSign]:
        """The worker processes that gave a sign of life lately, by queue and name. Raises QueueUnavailableError."""

    def ping(self) -> None:
        """Raises QueueUnavailableError when wake-ups would be lost."""


class TooLargeError(Exception):
    """The stream holds more bytes than allowed."""


class StorageUnavailableError(Exception):
    """The store cannot read or write now: away, full, read-only, too slow; asking later may help.

    No OSError, so that no library that decodes pictures takes it for a broken one.
    """


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored file as it lies there."""

    size_bytes: int
    etag: str


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A stored file as a listing shows it: its key, what lies there, and since when."""

    key: str
    stored: Stored
    since: datetime


INCOMING = "incoming/"
"""Below it lies what customers put into a bucket themselves, until it is looked at."""
UPLOAD_TYPE = "application/octet-stream"
"""The Content-Type of a file whose size is signed with its URL: what it is, is told by its content alone."""


class Writing(Protocol):
    """A file on its way into the store: invisible until `publish`, gone after `discard`."""

    def write(self, chunk: bytes) -> int:
        """Append. Raises TooLargeError past the limit given when it was opened."""

    def publish(self) -> Stored:
        """Make the whole file visible under its key at once, replacing what was there."""

    def discard(self) -> None:
        """Leave nothing behind; harmless after publish."""


def split_key(key: str) -> list[str]:
    """The parts of a storage key between its slashes. Raises ValueError for what is none."""
    parts = key.split("/")
    if not all(part and part[0] != "." and part.isprintable() and "\\" not in part for part in parts):
        raise ValueError(f"{key!r} is no storage key")
    return parts


class Storage(Protocol):
    """Where files lie, under keys such as `uploads/ups_x/interior-0`; never a path.

    Everything but the URLs raises StorageUnavailableError, whatever kept the store from answering; so does reading
    and writing what it opened.
    """

    def create(self, key: str, limit_bytes: int) -> Writing:
        """Begin a file."""

    def stat(self, key: str) -> Stored | None:
        """What lies under the key, or None."""

    def peek(self, key: str) -> tuple[Stored, bytes] | None:
        """What lies under the key with its first HEADER_BYTES bytes, both of the same moment, or None."""

    def listed(self, prefix: str) -> Iterator[ListedFile]:
        """Every file whose key starts with the prefix, which ends in a slash, in no order."""

    def open(self, key: str) -> BinaryIO:
        """The file, seekable, for reading. Raises FileNotFoundError."""

    def copy(
        self, from_key: str, to_key: str, etag: str | None = None, media_type: MediaType | None = None
    ) -> Stored:
        """Give the file a second key, replacing what was there; neither changes with the other.

        With an `etag` only while it is the file's own: one that was replaced meanwhile raises
        StorageUnavailableError. `media_type`: what the store is to call the copy's content. Raises
        FileNotFoundError.
        """

    def delete(self, key: str) -> None:
        """Remove one file; harmless when it is not there."""

    def delete_prefix(self, prefix: str) -> None:
        """Remove every file whose key starts with the prefix, which ends in a slash.

        Harmless to repeat after it was cut short.
        """

    def tidy(self, abandoned_seconds: float) -> None:
        """Remove what writers that died left behind so long ago."""

    @property
    def direct_origin(self) -> str | None:
        """The scheme and host that the URLs below lead to; None where they lead to the service itself."""

    def upload_url(self, key: str, valid_seconds: int, size_bytes: int | None = None) -> str:
        """A URL that takes a PUT of this file until it expires.

        A store that takes it past the service takes no other size than `size_bytes`, sent as UPLOAD_TYPE.
        """

    def download_url(self, key: str, file_name: str, valid_seconds: int, *, fitting: bool = True) -> str:
        """A URL that gives this file, named `file_name`, until it expires.

        `fitting`: the name is known to tell what the file is; where it is not, the URL leads to the service, which
        looks first.
        """

    def ping(self) -> None:
        """Write a small file, read it back and remove it. Raises StorageUnavailableError."""
