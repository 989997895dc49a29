"""Facts of uploaded files. The workers that make previews store the facts, and they are deleted with the previews.

Until an order is placed with an upload session, the facts are used to find the frames of one view and the types of
the photos.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.domain.ids import Prefix, is_id
from app.domain.photo_places import Place
from app.models import Draft, PhotoFacts, UploadSession
from engine.types.file_facts import DroppedContent, FileFacts
from engine.types.report import Reason


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The result of reading a file: its facts, or the `fault` for which it has none. `sha256` is None if the file
    did not exist.
    """

    facts: FileFacts | None = None
    fault: Reason | None = None
    sha256: str | None = None


UNREAD = ReadFile(fault=Reason.PROCESSING_FAILED)
FILE_FAULTS = frozenset({Reason.UNDECODABLE, Reason.TOO_MANY_PIXELS})
"""Faults of a file itself: every other attempt to process it would fail too."""


def find_open_session(session: Session, folder: str) -> str | None:
    """The id of the upload session whose files are in the folder; None for other folders, and after an order was
    placed with the session.
    """
    session_id = _session_of(folder)
    if session_id is None:
        return None
    mine = select(UploadSession.id).where(UploadSession.id == session_id, UploadSession.job_id.is_(None))
    return session.scalar(mine)


def is_of_draft(session: Session, session_id: str | None) -> bool:
    """Whether the upload session has the files of a draft."""
    mine = select(Draft.id).where(Draft.upload_session_id == session_id)
    return session_id is not None and session.scalar(mine) is not None


def keep(session: Session, key: str, session_id: str, read: ReadFile) -> None:
    """Store the result of reading the file, in place of an earlier one."""
    values = asdict(read.facts) if read.facts is not None else {}
    row = PhotoFacts(storage_key=key, upload_session_id=session_id, sha256=read.sha256, fault=read.fault, **values)
    session.merge(row)
    session.flush()


def get_all(session: Session, keys: Iterable[str]) -> dict[str, PhotoFacts]:
    """The facts of these files by storage key, in one query; files without facts yet are left out."""
    found = session.scalars(select(PhotoFacts).where(PhotoFacts.storage_key.in_(set(keys))))
    return {each.storage_key: each for each in found}


def copy(session: Session, keys: Mapping[str, str], session_id: str) -> None:
    """Store the facts of files also for their copies in another upload session. `keys`: the storage key of each
    copy by the storage key of its file.
    """
    columns = {column.name for column in PhotoFacts.__table__.columns} - {"storage_key", "upload_session_id"}
    for key, row in get_all(session, keys).items():
        known = {name: getattr(row, name) for name in columns}
        session.merge(PhotoFacts(storage_key=keys[key], upload_session_id=session_id, **known))
    session.flush()


def as_file_facts(row: PhotoFacts) -> FileFacts | None:
    """The facts as the engine's rules for grouping take them; None for a file with a fault."""
    if row.fault is not None or row.width is None or row.height is None:
        return None
    return FileFacts(
        width=row.width,
        height=row.height,
        taken_at=row.taken_at,
        exposure_value=row.exposure_value,
        flash_fired=row.flash_fired,
        perceptual_hash=row.perceptual_hash or "",
        view_signature=row.view_signature or "",
        brightness=row.brightness or 0.0,
        guessed_type=row.guessed_type,
        place=(row.place[0], row.place[1]) if row.place else None,
        not_kept=tuple(DroppedContent(each) for each in row.not_kept or ()),
    )


def list_places(rows: Iterable[PhotoFacts | None]) -> dict[str, Place]:
    """The places where photos were taken, by storage key; photos with no known place are left out."""
    return {row.storage_key: (row.place[0], row.place[1]) for row in rows if row is not None and row.place}


def forget(session: Session, folder: str) -> None:
    """Delete the facts of the files in the folder."""
    session_id = _session_of(folder)
    if session_id is not None:
        deletion = delete(PhotoFacts).where(PhotoFacts.upload_session_id == session_id)
        session.execute(deletion.execution_options(synchronize_session=False))


def forget_files(session: Session, keys: Iterable[str]) -> None:
    """Delete the facts of these files."""
    deletion = delete(PhotoFacts).where(PhotoFacts.storage_key.in_(set(keys)))
    session.execute(deletion.execution_options(synchronize_session=False))


def _session_of(folder: str) -> str | None:
    name = folder.rstrip("/").rpartition("/")[2]
    return name if is_id(name, Prefix.UPLOAD_SESSION) else None
