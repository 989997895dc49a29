"""Ordering again: a new draft gets the address, the edit requests and copies of the photos of an order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from app.database import Database
from app.domain.disclosure.listing import find_chosen_law
from app.domain.drafts import Content
from app.domain.errors import Conflict, NotFound
from app.domain.ports import Storage
from app.models import Draft, DraftPhoto, Job, Photo, PhotoFrame
from app.services.orders import draft_groups, draft_photos, drafts, jobs
from app.services.orders.draft_photos import NewFile
from app.services.uploads.quotas import Reservation, UploadQuota
from engine.types.edit_request import EditRequest
from engine.types.enhancements import PhotoType
from engine.types.options import OPTIONS, EffectOptions

GONE = "The photos of this order are no longer kept. Start a new order and upload them again."


@dataclass(frozen=True, slots=True)
class _NewDraft:
    """A draft whose files must still be copied. `files`: the draft's row of each copy, by the storage key of the
    file to copy. `photos`: the ordered photos to copy.
    """

    draft_id: str
    session_id: str
    files: dict[str, DraftPhoto]
    photos: Sequence[Photo]


def make_draft(
    database: Database,
    storage: Storage,
    account_id: str,
    job_id: str,
    quota: UploadQuota,
    now: datetime,
    photo_id: str | None = None,
) -> str:
    """Make a new draft like the account's order, or like one photo of it; returns its id.

    No transaction is open while files are copied. The draft gets places for the copies first, and the copies are
    confirmed at the end, so that copies that remain after a crash are deleted with the draft.

    Raises NotFound, Conflict when the photos no longer exist or the account has too many drafts,
    OpenSessionsExceeded and UploadQuotaExceeded; then the new draft is discarded.
    """
    with database.unit_of_work() as session:
        copying = _begin(session, account_id, job_id, quota, now, photo_id)
    try:
        reservation = Reservation(database, copying.session_id, quota)
        for from_key, photo in copying.files.items():
            found = storage.stat(from_key)
            reservation.take(found.size_bytes if found else 0)
            storage.copy(from_key, photo.storage_key)
        with database.unit_of_work() as session:
            reservation.keep(session)
            _complete(session, storage, drafts.get_open(session, account_id, copying.draft_id), copying, now)
    except Exception as error:
        with database.unit_of_work() as session:
            drafts.discard(session, storage, drafts.get(session, account_id, copying.draft_id))
        if isinstance(error, FileNotFoundError):
            raise Conflict(GONE) from None
        raise
    return copying.draft_id


def _begin(
    session: Session, account_id: str, job_id: str, quota: UploadQuota, now: datetime, photo_id: str | None
) -> _NewDraft:
    job = jobs.get_even_expired(session, account_id, job_id)
    if job.expired_at is not None:
        raise Conflict(GONE)
    mine = select(Photo).where(Photo.job_id == job.id).order_by(Photo.type, Photo.index)
    if photo_id is not None:
        mine = mine.where(Photo.id == photo_id)
    photos = list(session.scalars(mine.options(selectinload(Photo.frames))))
    if photo_id is not None and not photos:
        raise NotFound
    draft = drafts.begin(session, account_id, quota, now)
    # Written in the same transaction, because drafts.begin() returns an unchanged draft to any request.
    drafts.write(session, draft, _make_content(job, photos), now)
    uploaded = [photo for photo in photos if not photo.from_imagery]
    return _NewDraft(draft.id, draft.upload_session_id, _add_files(session, draft, uploaded, now), uploaded)


def _add_files(session: Session, draft: Draft, photos: Sequence[Photo], now: datetime) -> dict[str, DraftPhoto]:
    """Make a place in the draft for every file; returns the rows by the storage keys of the files to copy."""
    files = {
        file.storage_key: NewFile(photo.type, file.file_name, type_is_chosen=True)
        for photo in photos
        for file in _list_files(photo)
    }
    references = (
        key for photo in photos for change in photo.edit_request.changes for key in change.reference_images
    )
    for number, key in enumerate(dict.fromkeys(references), 1):
        files.setdefault(key, NewFile(PhotoType.INTERIOR, f"reference-{number}", is_reference=True))
    added = draft_photos.add_photos(session, draft, list(files.values()), now)
    return dict(zip(files, added, strict=True))


def _complete(session: Session, storage: Storage, draft: Draft, copying: _NewDraft, now: datetime) -> None:
    for copied in copying.files.values():
        draft_photos.confirm(session, storage, draft, copied.id, now)
    shared = _find_shared_types(copying.photos)
    groups = []
    for photo in copying.photos:
        edit_request = _adapt_to_draft(photo.edit_request, copying, is_shared=photo.type in shared)
        ids = [copying.files[file.storage_key].id for file in _list_files(photo)]
        draft_photos.write(session, draft, ids[0], edit_request, now)
        if len(ids) > 1:
            groups.append(ids)
    draft_groups.merge_all(session, draft, groups, now)
    # These photos were made of several frames in the order, too: that is not offered to be undone.
    draft.last_merge = None


def _list_files(photo: Photo) -> Sequence[Photo | PhotoFrame]:
    """The files of a photo: its frames; for a photo without frames, the photo itself."""
    return photo.frames or [photo]


def _make_content(job: Job, photos: Sequence[Photo]) -> Content:
    shared = _find_shared_types(photos)
    chosen: dict[str, Any] = {"options": EffectOptions.of(_find_shared_options(photos))}
    chosen |= {f"{kind}_enhancements": photo.edit_request.enhancements for kind, photo in shared.items()}
    imagery = any(photo.from_imagery for photo in photos)
    chosen |= {"mls": job.listing.mls, "jurisdiction": find_chosen_law(job.listing, job.address)}
    return Content(public_imagery=imagery, **chosen).with_address(job.address)


def _find_shared_types(photos: Sequence[Photo]) -> dict[PhotoType, Photo]:
    """The photo types whose photos all have the same enhancements, each with one of its photos: the draft stores
    these enhancements once for the type.
    """
    by_type = {kind: [photo for photo in photos if photo.type is kind] for kind in PhotoType}
    return {
        kind: same[0]
        for kind, same in by_type.items()
        if len({photo.edit_request.enhancements for photo in same}) == 1
    }


def _find_shared_options(photos: Sequence[Photo]) -> dict[str, StrEnum]:
    """The options, by name, that have the same value in all photos to whose steps they apply."""
    shared = {}
    for option in OPTIONS:
        requests = [photo.edit_request for photo in photos if option.is_for(photo.edit_request.steps)]
        values = {each.chosen_options.chosen.get(option.name) for each in requests}
        value = values.pop() if len(values) == 1 else None
        if value is not None:
            shared[option.name] = value
    return shared


def _adapt_to_draft(ordered: EditRequest, copying: _NewDraft, *, is_shared: bool) -> EditRequest:
    """The edit request with the ids of the copied reference pictures, and without the enhancements and options that
    the draft stores once for all photos.
    """
    files, shared = copying.files, _find_shared_options(copying.photos)
    changes = tuple(
        replace(change, reference_images=tuple(files[key].id for key in change.reference_images))
        for change in ordered.changes
    )
    enhancements = None if is_shared else ordered.enhancements
    own_options = {name: value for name, value in ordered.chosen_options.chosen.items() if name not in shared}
    return replace(ordered, enhancements=enhancements, changes=changes, options=EffectOptions.of(own_options))
