"""The frames of photos that were taken in several exposures: looked up, read for the work on them, told apart."""

import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import BinaryIO

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.models import Photo, PhotoFrame


@dataclass(frozen=True, slots=True)
class FrameFile:
    """Where one frame lies, and its digest where it is known."""

    key: str
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class ReadFrames:
    """Frames read from the store: what opens each, and the SHA-256 of its file."""

    openers: Sequence[Callable[[], BinaryIO]] = ()
    sha256s: Sequence[str] = ()


def get_all(session: Session, job_id: str) -> dict[str, list[PhotoFrame]]:
    """The frames of the job's photos, in order, by the photo's id, in one query; photos of one file have none."""
    found: dict[str, list[PhotoFrame]] = {}
    mine = select(PhotoFrame).join(Photo, Photo.id == PhotoFrame.photo_id).where(Photo.job_id == job_id)
    for frame in session.scalars(mine.order_by(PhotoFrame.photo_id, PhotoFrame.place)):
        found.setdefault(frame.photo_id, []).append(frame)
    return found


def list_files(session: Session, photo_id: str) -> tuple[FrameFile, ...]:
    """The frames of one photo, in order; none for a photo of one file."""
    rows = select(PhotoFrame.storage_key, PhotoFrame.sha256).where(PhotoFrame.photo_id == photo_id)
    return tuple(FrameFile(*row) for row in session.execute(rows.order_by(PhotoFrame.place)))


def keep_digests(session: Session, photo_id: str, sha256s: Sequence[str]) -> None:
    """Keep what the files of the photo's frames are, in their order."""
    for place, digest in enumerate(sha256s):
        mine = (PhotoFrame.photo_id == photo_id, PhotoFrame.place == place)
        change = update(PhotoFrame).where(*mine).values(sha256=digest)
        session.execute(change.execution_options(synchronize_session=False))


def read(files: Iterable[FrameFile], whole: Callable[[str], BytesIO]) -> ReadFrames:
    """Read each frame by `whole`, one after the other, and set it aside on the disk: in memory there is one.

    Raises what `whole` does, and FileNotFoundError where a file is another than its digest says.
    """
    openers, digests = [], []
    for file in files:
        content = whole(file.key).getbuffer()
        digest = sha256(content).hexdigest()
        if file.sha256 not in (None, digest):
            raise FileNotFoundError(f"{file.key} is another file than the one that was ordered")
        aside = _make_file()
        aside.write(content)
        openers.append(partial(_reopen, aside))
        digests.append(digest)
    return ReadFrames(openers, digests)


def _make_file() -> BinaryIO:
    """One without a name: whatever ends this process removes it."""
    return tempfile.TemporaryFile()


def _reopen(aside: BinaryIO) -> BinaryIO:
    aside.seek(0)
    return BytesIO(aside.read())
