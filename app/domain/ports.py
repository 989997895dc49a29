"""Ports: a Protocol for each external system or engine that the services use and that can be exchanged.

The ports for webhooks and mail are in domain/sending.py.
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
from engine.types.outlook import Outlook
from engine.types.pictures import Enhanced, ListingPicture, Logo, Picture, Previews, WantedPreviews


class Engine(Protocol):
    """Enhances photos."""

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        """Apply the edit request to the photo; where the context has frames, to the photo merged from them.

        Raises UnusablePhotoError when a file cannot be decoded within the limits or the frames do not show the same
        view, and ServerUnavailableError when the generative server is needed, is unavailable, and the context
        allows to try again later.
        """

    def estimate_light(self, photo: BinaryIO) -> LightEstimate:
        """A quick estimate of the light in the photo. Raises UnusablePhotoError as enhance() does."""


class PreviewMaker(Protocol):
    """Makes small pictures for pages."""

    def make(self, picture: BinaryIO, wanted: WantedPreviews) -> Previews:
        """The picture in a small and a medium size, never enlarged, and what else is `wanted`.

        Raises UnusablePhotoError when it cannot be decoded within the limits.
        """


class OutlookReader(Protocol):
    """Says what a photo shows and what the steps of an edit request would do to it."""

    def read(
        self, photo: BinaryIO, request: EditRequest, context: EngineContext, keep_preview: Callable[[bytes], None]
    ) -> Outlook:
        """What is seen, and a forecast for each step. Raises UnusablePhotoError as PreviewMaker does.

        Where the request places furniture, `keep_preview` is called before with a JPEG file that shows it.
        """


LogoEncoder = Callable[[BinaryIO], Logo]
"""Makes a Logo from a file that a customer sent. Raises UnusablePhotoError when it cannot be decoded."""


class ListingPictureMaker(Protocol):
    """Makes pictures in the form that listing services accept."""

    def make(self, picture: BinaryIO, wanted: ListingPicture) -> Picture:
        """The picture upright, as a JPEG in sRGB within the wanted limits, without its location, never enlarged.

        Raises UnusablePhotoError when it cannot be decoded within the limits, or made as small as is wanted.
        """


class ImageryUnavailableError(Exception):
    """The source of public imagery is unavailable; a later try may succeed."""


class Imagery(Protocol):
    """A source of public imagery: exterior pictures of properties by address."""

    def find(self, address: str) -> bytes | None:
        """An encoded picture of the property, or None where the source has none. Raises ImageryUnavailableError."""


class QueueUnavailableError(Exception):
    """No worker can be notified now; the sweep will find the work."""


class QueueName(StrEnum):
    """The queues of notifications, one for each kind of work. Photos that take long (heavy) are in ROOMS."""

    PHOTOS = "photos"
    ROOMS = "rooms"
    HOOKS_FAST = "hooks-fast"
    HOOKS_SLOW = "hooks-slow"
    MAIL = "mail"
    PREVIEWS = "previews"


PHOTO_QUEUES: Mapping[WorkSize, QueueName] = {WorkSize.LIGHT: QueueName.PHOTOS, WorkSize.HEAVY: QueueName.ROOMS}
"""The queue for photos of each work size, so that photos that take seconds never wait for those that take a
minute.
"""
PICTURE_QUEUES = frozenset({*PHOTO_QUEUES.values(), QueueName.PREVIEWS})
"""The queues whose work decodes files of customers, and is therefore done in a separate process for each file,
which may crash without affecting other work.
"""
PICTURE_NICENESS = 10
"""The Unix niceness of workers of PICTURE_QUEUES, which keep a core busy for seconds: web processes get the core
first.
"""
SIGN_SECONDS = 15
"""How often a worker gives a sign of life, both while it waits for a notification and during work."""


@dataclass(frozen=True, slots=True)
class WorkerSign:
    """The last sign of life of a worker process. A process that was killed disappears soon from Queue.workers()."""

    name: str
    queue_names: tuple[QueueName, ...]
    seen_at: datetime
    busy: bool

    @property
    def sort_key(self) -> tuple[list[int], str]:
        """The sort key for lists: by queues, in the order of QueueName, then by name."""
        names = list(QueueName)
        return [names.index(each) for each in self.queue_names], self.name


class Queue(Protocol):
    """Notifies workers of due work. No work is lost with a notification: the sweep finds the work in the
    database.
    """

    def notify(self, queue_name: QueueName, ids: Sequence[str]) -> None:
        """Notify workers of the queue of these ids. Raises QueueUnavailableError."""

    def count_waiting(self, queue_name: QueueName) -> int:
        """The number of notifications that no worker has taken from the queue yet. Raises QueueUnavailableError."""

    def workers(self) -> Sequence[WorkerSign]:
        """The workers with a recent sign of life, sorted by queues and name. Raises QueueUnavailableError."""

    def ping(self) -> None:
        """Raises QueueUnavailableError when notifications would be lost."""


class TooLargeError(Exception):
    """More bytes were written to a file than allowed."""


class StorageUnavailableError(Exception):
    """The store cannot read or write now: unreachable, full, read-only or too slow. A later try may succeed.

    Not an OSError, because libraries that decode pictures take an OSError for a broken picture.
    """


@dataclass(frozen=True, slots=True)
class FileStat:
    """The size and ETag of a stored file."""

    size_bytes: int
    etag: str


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A stored file in a listing. `since`: when it was last written."""

    key: str
    stored: FileStat
    since: datetime


INCOMING = "incoming/"
"""The key prefix of files that customers uploaded to the bucket directly, until the service has processed them."""
UPLOAD_TYPE = "application/octet-stream"
"""The Content-Type of a direct upload whose size is signed with its URL. The service recognizes the type of the
file by its content alone.
"""


class FileWriter(Protocol):
    """A file being written to the store: not visible before publish(), removed by discard()."""

    def write(self, chunk: bytes) -> int:
        """Append. Raises TooLargeError beyond the limit given to Storage.create()."""

    def publish(self) -> FileStat:
        """Make the whole file visible under its key in one step; it replaces an earlier one."""

    def discard(self) -> None:
        """Remove the unpublished file; harmless after publish()."""


def split_key(key: str) -> list[str]:
    """The parts of a storage key between its slashes. Raises ValueError for text that is not a storage key."""
    parts = key.split("/")
    if not all(part and part[0] != "." and part.isprintable() and "\\" not in part for part in parts):
        raise ValueError(f"{key!r} is no storage key")
    return parts


class Storage(Protocol):
    """The store of files, by keys such as `uploads/ups_x/interior-0`. A key is not a path.

    All methods except those for URLs raise StorageUnavailableError for every reason why the store does not answer;
    so do reading from and writing to the files that they open.
    """

    def create(self, key: str, limit_bytes: int) -> FileWriter:
        """Begin to write a file of at most `limit_bytes`."""

    def stat(self, key: str) -> FileStat | None:
        """Size and ETag of the file under the key, or None."""

    def peek(self, key: str) -> tuple[FileStat, bytes] | None:
        """Size, ETag and first HEADER_BYTES of the same version of the file under the key, or None."""

    def list_files(self, prefix: str) -> Iterator[ListedFile]:
        """Every file whose key starts with the prefix, which ends in a slash, in no order."""

    def open(self, key: str) -> BinaryIO:
        """The file, seekable, for reading. Raises FileNotFoundError."""

    def copy(
        self, from_key: str, to_key: str, etag: str | None = None, media_type: MediaType | None = None
    ) -> FileStat:
        """Copy the file to a second key, replacing a file there; later changes to one do not affect the other.

        `etag`: copy only if the file has this ETag; if it was replaced meanwhile, StorageUnavailableError is
        raised. `media_type`: the Content-Type of the copy in the store. Raises FileNotFoundError.
        """

    def delete(self, key: str) -> None:
        """Remove one file; harmless when it is not there."""

    def delete_prefix(self, prefix: str) -> None:
        """Remove every file whose key starts with the prefix, which ends in a slash.

        Harmless to repeat after it was interrupted.
        """

    def tidy(self, abandoned_seconds: float) -> None:
        """Remove unpublished files whose writers died, older than `abandoned_seconds`."""

    @property
    def direct_origin(self) -> str | None:
        """The scheme and host of the URLs of this store; None where they lead to the service itself."""

    def upload_url(self, key: str, valid_seconds: int, size_bytes: int | None = None) -> str:
        """A URL for a PUT of this file until it expires.

        A store with URLs of its own accepts only a file of exactly `size_bytes` (if given), sent as UPLOAD_TYPE.
        """

    def download_url(self, key: str, file_name: str, valid_seconds: int, *, extension_fits: bool = True) -> str:
        """A URL for a GET of this file, named `file_name`, until it expires.

        `extension_fits`: whether the extension of the name is known to fit the content. Otherwise the URL leads to
        the service, which looks at the content first.
        """

    def ping(self) -> None:
        """Write a small file, read it and remove it. Raises StorageUnavailableError."""
