"""Copies of a draft's files, for a draft that becomes several orders with an upload session each.

The first order uses the uploaded files; each other order uses copies. Nothing is charged here and the draft does
not change. Copies that remain after a crash are removed by the sweep, like every upload session that no order used.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.database import Database
from app.domain.drafts import DraftOrder
from app.domain.errors import Conflict
from app.domain.ports import Storage, StorageUnavailableError
from app.models import Draft, DraftPhoto, Photo, PhotoFrame
from app.services.previews import photo_facts, previews
from app.services.uploads import uploads
from app.services.uploads.quotas import Reservation, UploadQuota
from engine.types.enhancements import PhotoType

log = logging.getLogger(__name__)

COPY_THREADS = 8
"""How many files are measured or copied at the same time."""
GONE = "A photo no longer exists. Remove it and add it again."


def copy(
    database: Database, storage: Storage, account_id: str, part: DraftOrder, quota: UploadQuota, now: datetime
) -> DraftOrder:
    """Copy the files of the order `part` into a new upload session; returns the order with the keys of the copies.

    No transaction is open while files are copied. Raises OpenSessionsExceeded, UploadQuotaExceeded, and Conflict
    when a file no longer exists; after an exception, the new session and its copies are removed.
    """
    reference_ids = _list_reference_ids(part)
    with database.unit_of_work() as session:
        keys = _open_session(session, account_id, part, reference_ids, quota, now)
    copied = _with_keys(part, keys, reference_ids)
    try:
        reservation = Reservation(database, copied.session_id, quota)
        with ThreadPoolExecutor(COPY_THREADS) as pool:
            sizes = list(pool.map(lambda key: _size_of(storage, key), keys))
            reservation.take(sum(sizes))
            list(pool.map(storage.copy, keys.keys(), keys.values()))
        with database.unit_of_work() as session:
            reservation.keep(session)
            photo_facts.copy(session, keys, copied.session_id)
    except Exception as error:
        discard(database, storage, [copied])
        if isinstance(error, FileNotFoundError):
            raise Conflict(GONE) from None
        raise
    return copied


def discard(database: Database, storage: Storage, copies: Sequence[DraftOrder]) -> None:
    """Remove the copies whose orders were not placed; copies of placed orders stay."""
    for each in copies:
        with database.unit_of_work() as session:
            if uploads.forget(session, each.session_id):
                storage.delete_prefix(uploads.prefix(each.session_id))


def remove_unused_files(database: Database, storage: Storage, draft_id: str) -> None:
    """Remove the photo files of a placed draft that its first order does not use: they belong to photos that were
    removed from the draft, or to the other orders, which have copies.

    Files that stay because of a crash or an unreachable store are removed together with the files of the first
    order.
    """
    with database.unit_of_work() as session:
        draft = session.get(Draft, draft_id)
        if draft is None or draft.job_id is None:
            return
        ordered = set(session.scalars(select(Photo.storage_key).where(Photo.job_id == draft.job_id)))
        frames = select(PhotoFrame.storage_key).join(Photo, Photo.id == PhotoFrame.photo_id)
        ordered |= set(session.scalars(frames.where(Photo.job_id == draft.job_id)))
        photo_keys = select(DraftPhoto.storage_key).where(DraftPhoto.draft_id == draft_id, ~DraftPhoto.is_reference)
        unused = [key for key in session.scalars(photo_keys) if key not in ordered]
        for key in unused:
            previews.forget_file(session, key)
    try:
        for key in unused:
            for file_key in (key, *previews.list_keys(key)):
                storage.delete(file_key)
    except StorageUnavailableError as error:
        log.warning("files of %s stay as long as its order: %s", draft_id, error)


def _list_reference_ids(part: DraftOrder) -> list[str]:
    """The ids of the reference pictures that the renovation changes of the order's photos refer to."""
    ids = (
        reference_id
        for photo in part.photos
        for change in part.edit_request(photo).changes
        for reference_id in change.reference_images
    )
    return [each for each in dict.fromkeys(ids) if each in part.references]


def _open_session(
    session: Session,
    account_id: str,
    part: DraftOrder,
    reference_ids: Sequence[str],
    quota: UploadQuota,
    now: datetime,
) -> dict[str, str]:
    """Open an upload session with a slot for each file; returns the keys of the copies by the keys of the files."""
    files = [(key, photo.type) for photo in part.photos for key in photo.storage_keys]
    files += [(part.references[each], PhotoType.INTERIOR) for each in reference_ids]
    counts = Counter(kind for _, kind in files)
    upload_session = uploads.open_session(
        session, account_id, quota, now, counts[PhotoType.INTERIOR], counts[PhotoType.EXTERIOR]
    )
    slots = uploads.list_slots(upload_session)
    free_keys = {kind: iter([slot.key for slot in slots if slot.type is kind]) for kind in PhotoType}
    return {key: next(free_keys[kind]) for key, kind in files}


def _with_keys(part: DraftOrder, keys: dict[str, str], reference_ids: Sequence[str]) -> DraftOrder:
    return replace(
        part,
        session_id=uploads.session_of(next(iter(keys.values()))),
        photos=[photo.with_storage_keys(keys) for photo in part.photos],
        references={each: keys[part.references[each]] for each in reference_ids},
    )


def _size_of(storage: Storage, key: str) -> int:
    found = storage.stat(key)
    if found is None:
        raise FileNotFoundError(key)
    return found.size_bytes
