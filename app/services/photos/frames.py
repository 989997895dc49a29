"""Frames, the exposures of a photo that was taken in several: looked up, read for the work on the photo, and
identified by digests.
"""

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
    """The storage key of one frame, and its SHA-256 digest where it is known."""

    key: str
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class ReadFrames:
    """Frames read from the store: functions that open them, and the SHA-256 digests of their files."""

    openers: Sequence[Callable[[], BinaryIO]] = ()
    sha256s: Sequence[str] = ()


def get_all(session: Session, job_id: str) -> dict[str, list[PhotoFrame]]:
    """The frames of the job's photos, in order, by the photo's id, in one query; photos of one file are left
    out.
    """
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
    """Store the digests of the photo's frames; `sha256s` is in the order of the frames."""
    for place, digest in enumerate(sha256s):
        mine = (PhotoFrame.photo_id == photo_id, PhotoFrame.place == place)
        change = update(PhotoFrame).where(*mine).values(sha256=digest)
        session.execute(change.execution_options(synchronize_session=False))


def read(files: Iterable[FrameFile], read_file: Callable[[str], BytesIO]) -> ReadFrames:
    """Read each frame with `read_file`, one after the other, into a temporary file, so that only one is in memory
    at a time.

    Raises what `read_file` raises, and FileNotFoundError if a file does not have its known digest.
    """
    openers, digests = [], []
    for file in files:
        content = read_file(file.key).getbuffer()
        digest = sha256(content).hexdigest()
        if file.sha256 not in (None, digest):
            raise FileNotFoundError(f"{file.key} is another file than the one that was ordered")
        temporary = _open_temporary_file()
        temporary.write(content)
        openers.append(partial(_reopen, temporary))
        digests.append(digest)
    return ReadFrames(openers, digests)


def _open_temporary_file() -> BinaryIO:
    """A temporary file without a name, which the operating system removes however this process ends."""
    return tempfile.TemporaryFile()


def _reopen(temporary: BinaryIO) -> BinaryIO:
    temporary.seek(0)
    return BytesIO(temporary.read())
