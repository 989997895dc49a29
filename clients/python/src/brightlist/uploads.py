"""Uploading photos: found in a folder, sent several at a time, and gone on with where it ended."""

import hashlib
import time
from base64 import b64encode
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event
from typing import Any, Self

import requests

from brightlist.calls import UploadsCalls
from brightlist.errors import InvalidPhotos
from brightlist.models import FileRef, PhotoType, UploadRequest, UploadTarget
from brightlist.transport import CHUNK_BYTES, TIMEOUT, without_key

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".hif", ".tif", ".tiff"})
THREADS = 4
_SPARE_SECONDS = 60
"""Before its URLs expire, an upload counts as over."""


@dataclass(frozen=True)
class Photo:
    """A file to upload, and what it shows."""

    path: Path
    type: str


@dataclass
class SentFile:
    """One file of an upload; `sent` once the service has it."""

    path: str
    type: str
    file_path: str
    upload_url: str
    sent: bool = False


@dataclass
class Upload:
    """The photos of one order on their way: as JSON it can be kept, and gone on with in another process."""

    session_id: str
    expires_at: float
    files: list[SentFile]

    @classmethod
    def read(cls, content: dict[str, Any]) -> Self:
        """From what to_json() gave."""
        return cls(**{**content, "files": [SentFile(**each) for each in content["files"]]})

    def to_json(self) -> dict[str, Any]:
        """As JSON; whoever has it can replace the photos until they are ordered."""
        return asdict(self)

    @property
    def is_over(self) -> bool:
        """Whether its URLs have expired, so that a new one must be begun."""
        return time.time() > self.expires_at - _SPARE_SECONDS

    def order_fields(self) -> dict[str, Any]:
        """The fields of PlaceOrder that name these photos."""
        refs = {
            kind: [FileRef(file_path=each.file_path, file_name=Path(each.path).name) for each in self._of(kind)]
            for kind in PhotoType
        }
        return {
            "upload_session_id": self.session_id,
            "service_type": "both" if all(refs.values()) else next(kind.value for kind in refs if refs[kind]),
            **{f"{kind}_files": files for kind, files in refs.items() if files},
        }

    def _of(self, kind: str) -> list[SentFile]:
        return [each for each in self.files if each.type == kind]


def find_photos(folder: Path, type: str | None = None) -> list[Photo]:
    """The photos of the folder by name. `type`: what they show, `interior` or `exterior`; without it they lie in
    subfolders of these names. Raises InvalidPhotos.
    """
    places = [(folder, type)] if type else [(folder / kind, kind.value) for kind in PhotoType]
    found = [
        Photo(path, kind)
        for place, kind in places
        if place.is_dir()
        for path in sorted(place.iterdir())
        if path.suffix.lower() in ENDINGS and path.is_file() and not path.name.startswith(".")
    ]
    if not found:
        where = f"{folder}" if type else f"{folder}/interior and {folder}/exterior"
        raise InvalidPhotos(f"No photos in {where}; they end in {', '.join(sorted(ENDINGS))}.")
    return found


class Uploads(UploadsCalls):
    """Signed URLs to upload photos to."""

    def send_folder(self, folder: str | Path, type: str | None = None) -> Upload:
        """Upload the photos of a folder (see find_photos), ready to be ordered."""
        upload = self.begin(find_photos(Path(folder), type))
        self.send(upload)
        return upload

    def begin(self, photos: Sequence[Photo]) -> Upload:
        """Get a URL for each photo. Nothing is sent yet."""
        kinds: dict[str, list[Path]] = {kind.value: [] for kind in PhotoType}
        for photo in photos:
            kinds[photo.type].append(photo.path)
        counts = UploadRequest(interior_count=len(kinds["interior"]), exterior_count=len(kinds["exterior"]))
        session = self.create_upload_urls(counts)
        targets = {"interior": session.interior_urls, "exterior": session.exterior_urls}
        return Upload(
            session_id=session.upload_session_id,
            expires_at=time.time() + session.expires_in,
            files=[
                _file(path, target)
                for kind in kinds
                for path, target in zip(kinds[kind], targets[kind], strict=True)
            ],
        )

    def send(
        self, upload: Upload, threads: int = THREADS, on_sent: Callable[[SentFile], None] = lambda _: None
    ) -> None:
        """PUT every file that was not sent yet, so many at a time. Each is tried again where the connection breaks.

        `on_sent`: told of each, in the calling thread, one after the other. Raises the first refusal; what was sent
        until then is marked, so that a second call sends the rest.
        """
        waiting, stopping = [each for each in upload.files if not each.sent], Event()

        def note(future: Future[None]) -> None:
            future.result()
            futures[future].sent = True
            on_sent(futures[future])

        with ThreadPoolExecutor(threads) as pool:
            futures = {pool.submit(self._put, each, stopping): each for each in waiting}
            try:
                for future in as_completed(futures):
                    note(future)
            except BaseException:
                stopping.set()
                pool.shutdown(cancel_futures=True)
                for future, file in futures.items():
                    if not file.sent and not future.cancelled() and future.exception() is None:
                        note(future)
                raise

    def _put(self, file: SentFile, stopping: Event) -> None:
        digest = _digest(Path(file.path))

        def put(session: requests.Session) -> requests.Response:
            if stopping.is_set():
                raise CancelledError
            with Path(file.path).open("rb") as content:
                return session.put(
                    file.upload_url,
                    data=content,
                    headers={"Content-MD5": digest},
                    auth=without_key,
                    timeout=TIMEOUT,
                )

        self._transport.send(put)


def _file(path: Path, target: UploadTarget) -> SentFile:
    return SentFile(str(path), target.type, target.file_path, target.upload_url)


def _digest(path: Path) -> str:
    found = hashlib.md5(usedforsecurity=False)
    with path.open("rb") as content:
        while piece := content.read(CHUNK_BYTES):
            found.update(piece)
    return b64encode(found.digest()).decode()
