"""Files that customers upload directly to a bucket: counted, checked, and moved to keys that customers cannot
change.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.database import Database
from app.domain import limits
from app.domain.errors import Conflict, NotFound, TooLarge
from app.domain.field_errors import FaultCode
from app.domain.ports import INCOMING, FileStat, ListedFile, Storage, StorageUnavailableError
from app.domain.unsupported_files import UnsupportedKind, recognize
from app.models import Draft, DraftPhoto, IncomingFile, UploadSession
from app.services.uploads import quotas, uploads
from app.services.uploads.quotas import UploadQuota
from engine.types.media import MediaType, sniff

log = logging.getLogger(__name__)

MAX_PARALLEL = 8
"""How many requests to the store run at a time, and how many files are moved in one transaction, which locks the
row of the upload session.
"""
LISTING_BATCH = 500
"""Files of the bucket that are compared with the database at a time."""
_FAULTS: Mapping[UnsupportedKind | None, FaultCode] = {
    None: FaultCode.NO_PICTURE,
    UnsupportedKind.CAMERA_RAW: FaultCode.CAMERA_RAW,
    UnsupportedKind.VIDEO: FaultCode.VIDEO,
    UnsupportedKind.PDF: FaultCode.PDF,
}
"""Why a file that is not a photo cannot be ordered, by what it was recognized as."""


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file as it was in the bucket when it was checked. `other`: its kind, where it is no photo but was
    recognized.
    """

    stored: FileStat
    media_type: MediaType | None
    other: UnsupportedKind | None = None

    @property
    def fault(self) -> FaultCode | None:
        """Why it cannot be ordered; None if it can."""
        if self.stored.size_bytes > limits.MAX_FILE_BYTES:
            return FaultCode.FILE_TOO_LARGE
        return None if self.media_type else _FAULTS[self.other]


@dataclass(frozen=True, slots=True)
class BucketIntake:
    """Takes files in from the bucket. Every step may be repeated; after a crash between two steps no file is lost
    or counted twice.
    """

    database: Database
    storage: Storage
    quota: UploadQuota

    def take_in(self, account_id: str, session_id: str, keys: Iterable[str]) -> dict[str, FaultCode]:
        """Take in the files that were uploaded for these keys of the account's upload session; returns the refused
        keys, and why.

        Keys without a file in the bucket are skipped. Raises UploadQuotaExceeded, and StorageUnavailableError, also
        when a file is replaced at this moment.
        """
        if self.storage.direct_origin is None or not self._is_open(account_id, session_id):
            return {}
        mine = [key for key in dict.fromkeys(keys) if key.startswith(uploads.prefix(session_id))]
        with ThreadPoolExecutor(MAX_PARALLEL) as pool:
            seen = dict(zip(mine, pool.map(self._check_file, mine), strict=True))
            uploaded = {key: file for key, file in seen.items() if file is not None}
            good = {key: file for key, file in uploaded.items() if file.fault is None}
            # An order may have used the session meanwhile. The caller's next step checks that, and raises.
            with suppress(Conflict, NotFound):
                self._count(session_id, {key: file.stored for key, file in good.items()}, pool)
                for batch in _batches(good, MAX_PARALLEL):
                    self._move(session_id, {key: good[key] for key in batch}, pool)
        return {key: file.fault for key, file in uploaded.items() if file.fault is not None}

    def check_all(self) -> None:
        """Count the files in the bucket that are not ordered yet, and remove those that no order can use.

        Raises StorageUnavailableError.
        """
        listed = self.storage.list_files(INCOMING)
        while some := {each.key: each for each in islice(listed, LISTING_BATCH)}:
            for session_id, files in self._list_uncounted(some).items():
                for file in files:
                    self._count_or_remove(session_id, file)

    def _is_open(self, account_id: str, session_id: str) -> bool:
        with self.database.read_session() as session:
            return uploads.is_open(session, account_id, session_id)

    def _check_file(self, key: str) -> UploadedFile | None:
        seen = self.storage.peek(incoming_key(key))
        if seen is None:
            return None
        kind = sniff(seen[1])
        return UploadedFile(seen[0], kind, None if kind else recognize(seen[1]))

    def _count(self, session_id: str, files: Mapping[str, FileStat], pool: ThreadPoolExecutor) -> None:
        """Count these files against the quota, each once, however often it is checked."""
        with self.database.read_session() as session:
            known = _rows(session, files)
        new = [key for key in files if key not in known]
        # A file that was uploaded through the service under the same key is counted already.
        replaced = dict(zip(new, pool.map(self.storage.stat, new), strict=True))
        with self.database.unit_of_work() as session:
            uploads.lock_open(session, session_id)
            for key, stored in files.items():
                before = replaced.get(key)
                _record(session, session_id, key, stored, before.size_bytes if before else 0, self.quota)

    def _move(self, session_id: str, files: Mapping[str, UploadedFile], pool: ThreadPoolExecutor) -> None:
        """Move exactly the files that were checked. The session's row is locked, so that no file changes after an
        order has used it.
        """
        with self.database.unit_of_work() as session:
            uploads.lock_open(session, session_id)
            moved = dict(zip(files, pool.map(self._move_one, files, files.values()), strict=True))
            for key, was_moved in moved.items():
                if not was_moved and self.storage.stat(key) is None:
                    # The owner has removed the file meanwhile.
                    quotas.release(session, session_id, quotas.uncount(session, key) or 0)
            uploads.forget_content(session, [key for key, was_moved in moved.items() if was_moved])

    def _move_one(self, key: str, file: UploadedFile) -> bool:
        """Move one file. Returns False when the file is no longer in the bucket, because another request took it in
        or removed it.
        """
        try:
            copy = self.storage.copy(incoming_key(key), key, file.stored.etag, file.media_type)
        except FileNotFoundError:
            return False
        if copy.size_bytes != file.stored.size_bytes:
            raise StorageUnavailableError(
                f"{key} has {copy.size_bytes} bytes, judged were {file.stored.size_bytes}"
            )
        self.storage.delete(incoming_key(key))
        return True

    def _list_uncounted(self, listed: Mapping[str, ListedFile]) -> dict[str, list[ListedFile]]:
        """The listed files that are new or have changed since they were counted, by the upload session."""
        with self.database.read_session() as session:
            known = _rows(session, map(_key_of, listed))
        changed: dict[str, list[ListedFile]] = defaultdict(list)
        for each in listed.values():
            row = known.get(_key_of(each.key))
            # A key without a session belongs to a check of the bucket, which removes the file itself.
            if each.key.count("/") == 2 and (row is None or row.etag != each.stored.etag):
                changed[each.key.split("/")[1]].append(each)
        return changed

    def _count_or_remove(self, session_id: str, file: ListedFile) -> None:
        try:
            with self.database.unit_of_work() as session:
                uploads.lock_open(session, session_id)
                if not _is_expected(session, session_id, _key_of(file.key)):
                    raise NotFound
                if file.stored.size_bytes > limits.MAX_FILE_BYTES:
                    raise TooLarge(f"it has {file.stored.size_bytes} bytes")
                # A file that was taken in or removed since the listing is counted already, or must not be counted.
                if self.storage.stat(file.key) == file.stored:
                    before = self.storage.stat(_key_of(file.key))
                    replaced = before.size_bytes if before else 0
                    _record(session, session_id, _key_of(file.key), file.stored, replaced, self.quota)
        except (Conflict, NotFound, TooLarge) as useless:
            log.info("%s is removed unused: %s", file.key, useless)
            self.storage.delete(file.key)


def incoming_key(key: str) -> str:
    """The key in the bucket to which customers upload the file that is to have this key of an upload session."""
    return INCOMING + key.partition("/")[2]


def _key_of(incoming: str) -> str:
    return uploads.FOLDER + incoming.partition("/")[2]


def upload_url(storage: Storage, key: str, valid_seconds: int, size_bytes: int | None = None) -> str:
    """A URL for uploading the file of a slot: to the service, or directly into the bucket, where the file waits to
    be taken in.

    With `size_bytes` a bucket accepts only a file of that size, sent as UPLOAD_TYPE.
    """
    place = key if storage.direct_origin is None else incoming_key(key)
    return storage.upload_url(place, valid_seconds, size_bytes)


def _record(
    session: Session, session_id: str, key: str, stored: FileStat, replaced_bytes: int, quota: UploadQuota
) -> None:
    """Count the file against the quota, in place of what was counted for its key before. The caller has locked the
    session's row.
    """
    row = session.get(IncomingFile, key)
    more = stored.size_bytes - (row.size_bytes if row else replaced_bytes)
    if more > 0:
        quotas.reserve(session, session_id, more, quota)
    elif more < 0:
        quotas.release(session, session_id, -more)
    if row is None:
        row = IncomingFile(key=key, upload_session_id=session_id)
        session.add(row)
    row.etag, row.size_bytes = stored.etag, stored.size_bytes
    session.flush()


def _rows(session: Session, keys: Iterable[str]) -> dict[str, IncomingFile]:
    found = select(IncomingFile).where(IncomingFile.key.in_(list(keys)))
    return {row.key: row for row in session.scalars(found)}


def _is_expected(session: Session, session_id: str, key: str) -> bool:
    """Whether the session has a slot, or its draft a photo, for this key; a photo that was deleted from a draft is
    not expected.
    """
    draft_id = session.scalar(select(Draft.id).where(Draft.upload_session_id == session_id))
    if draft_id is None:
        return key in {slot.key for slot in uploads.list_slots(session.get_one(UploadSession, session_id))}
    mine = select(DraftPhoto.id).where(DraftPhoto.draft_id == draft_id, DraftPhoto.storage_key == key)
    return session.scalar(mine) is not None


def _batches(keys: Iterable[str], size: int) -> Iterable[list[str]]:
    rest = iter(keys)
    while batch := list(islice(rest, size)):
        yield batch
