"""Uploads: sessions with slots for files, files received with their content and size checked, and the stored files
of a session.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from app.domain import limits
from app.domain.checksums import Checksums
from app.domain.errors import (
    Conflict,
    InvalidFields,
    InvalidRequest,
    TooLarge,
    UnsupportedMedia,
    require_found,
)
from app.domain.field_errors import Fault, FaultCode, Location
from app.domain.ports import FileStat, FileWriter, Storage
from app.domain.retention import UPLOADS_KEPT
from app.domain.unsupported_files import explain
from app.models import ApiKey, Draft, DraftPhoto, UploadSession
from app.services.previews import previews
from app.services.uploads import quotas
from app.services.uploads.quotas import Reservation, UploadQuota
from engine.types.enhancements import PhotoType
from engine.types.media import HEADER_BYTES, has_enough_bytes, sniff

BATCH = 100
MAX_STATS = 100
"""At most this many files are looked up one by one; for more, all files of the session are listed."""
FOLDER = "uploads/"
"""The prefix of the keys of all uploaded files, followed by the id of the upload session."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one file of an upload session."""

    type: PhotoType
    index: int
    key: str


def open_session(
    session: Session,
    account_id: str,
    quota: UploadQuota,
    now: datetime,
    interior_count: int = 0,
    exterior_count: int = 0,
    *,
    key_id: str | None = None,
) -> UploadSession:
    """Open an upload session with slots for this many files, for the API key. Raises OpenSessionsExceeded."""
    quotas.open_session(session, account_id, quota)
    upload_session = UploadSession(
        account_id=account_id,
        key_id=key_id,
        interior_count=interior_count,
        exterior_count=exterior_count,
        created_at=now,
    )
    session.add(upload_session)
    session.flush()
    return upload_session


def set_counts(session: Session, session_id: str, interior_count: int, exterior_count: int) -> None:
    """Set the number of files of an upload session, where it was not known when the session was opened."""
    counts = {"interior_count": interior_count, "exterior_count": exterior_count}
    session.execute(update(UploadSession).where(UploadSession.id == session_id).values(counts))


def add_slots(session: Session, session_id: str, photo_type: PhotoType, count: int) -> list[Slot]:
    """Add slots for files of the type, to the session of an order whose number of photos is not known in advance.

    Raises Conflict when the session would have more than MAX_SESSION_FILES slots or was ordered, NotFound when it
    was swept.
    """
    lock_open(session, session_id)
    upload_session = session.get_one(UploadSession, session_id)
    if upload_session.interior_count + upload_session.exterior_count + count > limits.MAX_SESSION_FILES:
        raise Conflict(f"More than {limits.MAX_SESSION_FILES} files were added and removed; start a new order.")
    if photo_type is PhotoType.INTERIOR:
        upload_session.interior_count += count
    else:
        upload_session.exterior_count += count
    session.flush()
    return [slot for slot in list_slots(upload_session) if slot.type is photo_type][-count:] if count else []


def prefix(session_id: str) -> str:
    """The prefix of the keys of all files of an upload session."""
    return f"{FOLDER}{session_id}/"


def imagery_key(session_id: str) -> str:
    """The storage key of an order's public imagery: no slot has this key, so nobody can upload to it; it is
    removed with the session.
    """
    return f"{prefix(session_id)}imagery-0"


def list_slots(upload_session: UploadSession) -> list[Slot]:
    """All slots of an upload session."""
    counts = {PhotoType.INTERIOR: upload_session.interior_count, PhotoType.EXTERIOR: upload_session.exterior_count}
    return [
        Slot(photo_type, index, f"{prefix(upload_session.id)}{photo_type}-{index}")
        for photo_type, count in counts.items()
        for index in range(count)
    ]


class PhotoUpload:
    """One photo that is being received; its first bytes and its size are checked meanwhile.

    Use it as a context manager: without a call of end(), the file is discarded and its reserved bytes are released.
    `partial`: it is part of a larger upload, which owns the `reservation` and ends it. `checksums`: the checksums
    that the sender gave.
    """

    def __init__(
        self,
        storage: Storage,
        key: str,
        reservation: Reservation | None = None,
        *,
        partial: bool = False,
        checksums: Checksums | None = None,
    ) -> None:
        self._storage, self._key = storage, key
        self._reservation, self._partial, self._checksums = reservation, partial, checksums
        self._writing: FileWriter = storage.create(key, limits.MAX_FILE_BYTES)
        self._head: bytes | None = b""
        self._size = 0

    def __enter__(self) -> "PhotoUpload":
        return self

    def __exit__(self, *_: object) -> None:
        self._writing.discard()
        if self._reservation is not None and not self._partial:
            self._reservation.cancel()

    def take(self, chunk: bytes) -> None:
        """Receive more bytes. Raises TooLarge, UploadQuotaExceeded, UnsupportedMedia when the file is no
        picture.
        """
        if self._head is not None:
            self._head += chunk
            if not has_enough_bytes(self._head):
                return
            chunk, self._head = self._check_head(), None
        self._write(chunk)

    def finish(self) -> None:
        """Record that all bytes were received; harmless to repeat. Do not call it inside a transaction, because it
        may reserve bytes in a transaction of its own.

        Raises like take().
        """
        if self._head is not None:
            head, self._head = self._check_head(), None
            self._write(head)

    def end(self, session: Session | None = None, expected_bytes: int | None = None) -> FileStat:
        """Make the whole file visible in the store. Where bytes are reserved for it alone, call finish() first, and
        then this in the unit of work that counts them.

        Raises like take(), InvalidRequest when the file does not have `expected_bytes`, and ChecksumMismatch.
        """
        self.finish()
        if expected_bytes is not None and self._size != expected_bytes:
            raise InvalidRequest({"body": f"Cut short: {self._size} of {expected_bytes} bytes came."})
        if self._checksums is not None:
            self._checksums.verify()
        if session is None or self._reservation is None or self._partial:
            return self._writing.publish()
        replaced_bytes = quotas.uncount(session, self._key)
        if replaced_bytes is None:
            replaced = self._storage.stat(self._key)
            replaced_bytes = replaced.size_bytes if replaced else 0
        stored = self._writing.publish()
        self._reservation.keep(session, replaced_bytes)
        if replaced_bytes:
            forget_content(session, [self._key])
        return stored

    def _check_head(self) -> bytes:
        head = self._head or b""
        if sniff(head[:HEADER_BYTES]) is None:
            raise UnsupportedMedia(explain(head[:HEADER_BYTES]))
        return head

    def _write(self, chunk: bytes) -> None:
        if self._size + len(chunk) > limits.MAX_FILE_BYTES:
            raise TooLarge(f"A file may have at most {limits.MAX_FILE_MEGABYTES} MB.")
        if self._reservation is not None:
            self._reservation.take(len(chunk))
        if self._checksums is not None:
            self._checksums.update(chunk)
        self._size += self._writing.write(chunk)


def forget_content(session: Session, keys: Iterable[str]) -> None:
    """Delete the data about the content of files that are replaced: facts, and hints of a draft's photos. Their
    previews are made again.
    """
    replaced = set(keys)
    previews.make_again(session, replaced)
    for photo in session.scalars(select(DraftPhoto).where(DraftPhoto.storage_key.in_(replaced))):
        if photo.edit_request.hints is not None:
            photo.edit_request = replace(photo.edit_request, hints=None)


def session_of(key: str) -> str:
    """The id of the upload session that a key belongs to."""
    return key.split("/")[1]


def is_open(session: Session, account_id: str, session_id: str) -> bool:
    """Whether this is an upload session of the account that was not ordered yet."""
    mine = UploadSession.id == session_id, UploadSession.account_id == account_id, UploadSession.job_id.is_(None)
    return session.scalar(select(UploadSession.id).where(*mine)) is not None


def list_origins(session: Session, session_id: str) -> list[str]:
    """The origins of the pages that may upload to the session: those that the key that opened it has now, even if
    it was revoked meanwhile, because the session's URLs still work. None if no key opened it.
    """
    origins = select(ApiKey.upload_origins).join(UploadSession, UploadSession.key_id == ApiKey.id)
    return session.scalar(origins.where(UploadSession.id == session_id)) or []


def lock_open(session: Session, session_id: str) -> None:
    """Lock the upload session, so that no order can use it until this unit of work ends.

    Raises Conflict when it was ordered already, because an order's photos may no longer change, NotFound when it
    was swept.
    """
    upload_session = require_found(
        session.get(UploadSession, session_id, with_for_update=True, populate_existing=True)
    )
    if upload_session.job_id is not None:
        raise Conflict("These files were ordered already and can no longer change.", jobId=upload_session.job_id)


def stat_files(storage: Storage, session_id: str, keys: Iterable[str]) -> dict[str, FileStat]:
    """The stored files under these keys, as far as the keys belong to the upload session."""
    mine = [key for key in dict.fromkeys(keys) if key.startswith(prefix(session_id))]
    if len(mine) > MAX_STATS:
        listed = list_files(storage, session_id)
        return {key: listed[key] for key in mine if key in listed}
    found = {key: storage.stat(key) for key in mine}
    return {key: stored for key, stored in found.items() if stored is not None}


def list_files(storage: Storage, session_id: str) -> dict[str, FileStat]:
    """All stored files of the upload session by key, including small pictures."""
    return {each.key: each.stored for each in storage.list_files(prefix(session_id))}


def require(named: Mapping[Location, str], found: Mapping[str, FileStat], session_id: str) -> None:
    """Raise InvalidFields with each field of the request whose file is not in `found`. `named`: the storage key by
    field.
    """
    mine = prefix(session_id)
    faults = [
        Fault(where, FaultCode.NOT_UPLOADED if key.startswith(mine) else FaultCode.OTHER_SESSION)
        for where, key in named.items()
        if key not in found
    ]
    if faults:
        raise InvalidFields(faults)


def list_unused(session: Session, now: datetime) -> list[str]:
    """At most BATCH upload sessions that no order used within UPLOADS_KEPT, and no draft has."""
    has_draft = select(Draft.id).where(Draft.upload_session_id == UploadSession.id)
    old = select(UploadSession.id).where(
        UploadSession.job_id.is_(None), UploadSession.created_at <= now - UPLOADS_KEPT, ~has_draft.exists()
    )
    return list(session.scalars(old.limit(BATCH)))


def forget(session: Session, session_id: str) -> bool:
    """Delete an unused upload session, and the previews of its files; the caller removes the files in the same unit
    of work.

    False when it was ordered meanwhile.
    """
    deletion = delete(UploadSession).where(UploadSession.id == session_id, UploadSession.job_id.is_(None))
    deleted = session.execute(deletion.returning(UploadSession.account_id, UploadSession.held_bytes)).first()
    if deleted is None:
        return False
    quotas.close(session, deleted.account_id, deleted.held_bytes)
    previews.forget(session, prefix(session_id))
    return True
