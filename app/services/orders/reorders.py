"""Ordering again: a new draft gets the address, the edit requests and copies of the photos of an order, or only
what was declined of one photo.
"""

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
from app.services.orders import declines, draft_groups, draft_photos, drafts, jobs
from app.services.orders.draft_photos import NewFile
from app.services.uploads.quotas import Reservation, UploadQuota
from engine.types.edit_request import EditRequest
from engine.types.enhancements import PhotoType
from engine.types.options import OPTIONS, EffectOptions
from engine.types.outlook import HintPart

NOTHING_TO_SHOW = "Nothing of this photo is done by showing it, or its price was not refunded."
GONE = "The photos of this order are no longer kept. Start a new order and upload them again."


@dataclass(frozen=True, slots=True)
class PhotoAgain:
    """A photo that is ordered again: the draft, the id of the photo in it, and what is asked about it."""

    draft_id: str
    photo_id: str
    part: HintPart


class _MadeMeanwhileError(Exception):
    """Another request ordered the photo again while this one copied its files."""

    def __init__(self, draft_id: str, photo_id: str) -> None:
        super().__init__(draft_id)
        self.draft_id, self.photo_id = draft_id, photo_id


@dataclass(frozen=True, slots=True)
class _OrderedPhoto:
    """A photo of the order, and the edit request with which it is ordered again."""

    photo: Photo
    edit_request: EditRequest

    @property
    def type(self) -> PhotoType:
        """What it shows."""
        return self.photo.type

    @property
    def files(self) -> Sequence[Photo | PhotoFrame]:
        """Its files: its frames; for a photo without frames, the photo itself."""
        return self.photo.frames or [self.photo]


@dataclass(frozen=True, slots=True)
class _NewDraft:
    """A draft whose files must still be copied. `files`: the draft's row of each copy, by the storage key of the
    file to copy. `photos`: the ordered photos to copy. `shown_id`: the ordered photo that the customer is about to
    show, if only declined steps are ordered again.
    """

    draft_id: str
    session_id: str
    job_id: str
    files: dict[str, DraftPhoto]
    photos: Sequence[_OrderedPhoto]
    shown_id: str | None

    def find_ids(self, photo: _OrderedPhoto) -> list[str]:
        """The ids of the photo's files in the draft; the first has the edit request."""
        return [self.files[file.storage_key].id for file in photo.files]

    def list_again(self) -> dict[str, str]:
        """The id of each photo in the draft, by the id of the ordered photo."""
        return {each.photo.id: self.find_ids(each)[0] for each in self.photos}


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
        job = _get_kept(session, account_id, job_id)
        copying = _begin(session, job, _list_ordered(session, job, photo_id), quota, now)
    _copy_files(database, storage, account_id, copying, quota, now)
    return copying.draft_id


def order_declined(
    database: Database,
    storage: Storage,
    account_id: str,
    job_id: str,
    photo_id: str,
    quota: UploadQuota,
    now: datetime,
) -> PhotoAgain:
    """Make a new draft with only the declined steps of one photo of the account's order, with the hints so far.
    Exterior photos that lack the same steps are added to it, because they have one price. If an earlier call made a
    draft for this that is still open, that draft is returned. Raises like make_draft(), and Conflict if hints on
    the photo would not help.
    """
    with database.unit_of_work() as session:
        job = _get_kept(session, account_id, job_id)
        _list_ordered(session, job, photo_id)
        lost = declines.find_together(session, job, photo_id)
        if not lost:
            raise Conflict(NOTHING_TO_SHOW)
        part = lost[photo_id].part
        found = _find_made(session, account_id, photo_id)
        if found is not None:
            return PhotoAgain(*found, part)
        ordered = _list_ordered(session, job, None)
        again = [
            _OrderedPhoto(each.photo, lost[each.photo.id].request) for each in ordered if each.photo.id in lost
        ]
        copying = _begin(session, job, again, quota, now, photo_id)
    try:
        _copy_files(database, storage, account_id, copying, quota, now)
    except _MadeMeanwhileError as made:
        return PhotoAgain(made.draft_id, made.photo_id, part)
    return PhotoAgain(copying.draft_id, copying.list_again()[photo_id], part)


def _get_kept(session: Session, account_id: str, job_id: str) -> Job:
    job = jobs.get_even_expired(session, account_id, job_id)
    if job.expired_at is not None:
        raise Conflict(GONE)
    return job


def _list_ordered(session: Session, job: Job, photo_id: str | None) -> list[_OrderedPhoto]:
    """The photos of the job, or only the one with this id. Raises NotFound if there is no such photo."""
    mine = select(Photo).where(Photo.job_id == job.id).order_by(Photo.type, Photo.index)
    if photo_id is not None:
        mine = mine.where(Photo.id == photo_id)
    photos = session.scalars(mine.options(selectinload(Photo.frames))).all()
    if photo_id is not None and not photos:
        raise NotFound
    return [_OrderedPhoto(photo, photo.edit_request) for photo in photos]


def _find_made(session: Session, account_id: str, photo_id: str) -> tuple[str, str] | None:
    """Find an open draft in which the declined steps of the ordered photo are ordered again; returns the ids of the
    draft and of the photo in it.
    """
    for draft in drafts.find_all_open(session, account_id):
        made_id = drafts.content_of(draft).again.get(photo_id)
        if made_id is not None and any(each.id == made_id for each in draft_photos.get_all(session, draft)):
            return draft.id, made_id
    return None


def _begin(
    session: Session,
    job: Job,
    photos: Sequence[_OrderedPhoto],
    quota: UploadQuota,
    now: datetime,
    shown_id: str | None = None,
) -> _NewDraft:
    draft = drafts.begin(session, job.account_id, quota, now)
    # Written in the same transaction, because drafts.begin() returns an unchanged draft to any request.
    drafts.write(session, draft, _make_content(job, photos), now)
    uploaded = [each for each in photos if not each.photo.from_imagery]
    files = _add_files(session, draft, uploaded, now)
    return _NewDraft(draft.id, draft.upload_session_id, job.id, files, uploaded, shown_id)


def _add_files(
    session: Session, draft: Draft, photos: Sequence[_OrderedPhoto], now: datetime
) -> dict[str, DraftPhoto]:
    """Make a place in the draft for every file; returns the rows by the storage keys of the files to copy."""
    files = {
        file.storage_key: NewFile(photo.type, file.file_name, type_is_chosen=True)
        for photo in photos
        for file in photo.files
    }
    references = (
        key for photo in photos for change in photo.edit_request.changes for key in change.reference_images
    )
    for number, key in enumerate(dict.fromkeys(references), 1):
        files.setdefault(key, NewFile(PhotoType.INTERIOR, f"reference-{number}", is_reference=True))
    added = draft_photos.add_photos(session, draft, list(files.values()), now)
    return dict(zip(files, added, strict=True))


def _copy_files(
    database: Database, storage: Storage, account_id: str, copying: _NewDraft, quota: UploadQuota, now: datetime
) -> None:
    """Copy the files of a new draft and complete it; after an exception the draft is discarded."""
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


def _complete(session: Session, storage: Storage, draft: Draft, copying: _NewDraft, now: datetime) -> None:
    for copied in copying.files.values():
        draft_photos.confirm(session, storage, draft, copied.id, now)
    shared = _find_shared_types(copying.photos)
    groups = []
    for photo in copying.photos:
        edit_request = _adapt_to_draft(photo.edit_request, copying, is_shared=photo.type in shared)
        ids = copying.find_ids(photo)
        draft_photos.write(session, draft, ids[0], edit_request, now)
        if len(ids) > 1:
            groups.append(ids)
    draft_groups.merge_all(session, draft, groups, now)
    # These photos had several frames in the order, too, so undoing the merge is not offered.
    draft.last_merge = None
    if copying.shown_id is not None:
        _note_ordered(session, draft, copying, copying.shown_id, now)


def _note_ordered(session: Session, draft: Draft, copying: _NewDraft, shown_id: str, now: datetime) -> None:
    """Record in the draft which ordered photos its photos are. Raises _MadeMeanwhileError if another draft has the
    photo that the customer is about to show.
    """
    # Requests for photos of one job come one after the other here.
    jobs.lock(session, copying.job_id)
    found = _find_made(session, draft.account_id, shown_id)
    if found is not None:
        raise _MadeMeanwhileError(*found)
    content = drafts.content_of(draft).model_copy(update={"again": copying.list_again()})
    drafts.write(session, draft, content, now)


def _make_content(job: Job, photos: Sequence[_OrderedPhoto]) -> Content:
    shared = _find_shared_types(photos)
    chosen: dict[str, Any] = {"options": EffectOptions.of(_find_shared_options(photos))}
    chosen |= {f"{kind}_enhancements": photo.edit_request.enhancements for kind, photo in shared.items()}
    imagery = any(each.photo.from_imagery for each in photos)
    chosen |= {"external_id": job.external_id, "metadata": job.own_metadata}
    chosen |= {"mls": job.listing.mls, "jurisdiction": find_chosen_law(job.listing, job.address)}
    return Content(public_imagery=imagery, **chosen).with_address(job.address)


def _find_shared_types(photos: Sequence[_OrderedPhoto]) -> dict[PhotoType, _OrderedPhoto]:
    """The photo types whose photos all have the same enhancements, each with one of its photos: the draft stores
    these enhancements once for the type.
    """
    by_type = {kind: [photo for photo in photos if photo.type is kind] for kind in PhotoType}
    return {
        kind: same[0]
        for kind, same in by_type.items()
        if len({photo.edit_request.enhancements for photo in same}) == 1
    }


def _find_shared_options(photos: Sequence[_OrderedPhoto]) -> dict[str, StrEnum]:
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
