"""Ordering again: a new draft with the address, the wishes and copies of the photos of an order."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.database import Database
from app.domain.catalogue import PhotoType
from app.domain.drafts import ChangeWish, Content, PhotoWish, StagingChoice
from app.domain.errors import Conflict
from app.domain.ports import EditRequest, Storage
from app.models import Draft, DraftPhoto, Job, Photo
from app.services.orders import draft_photos, drafts, jobs, orders
from app.services.orders.draft_photos import Announced
from app.services.uploads.quotas import Reservation, UploadQuota

GONE = "The photos of this order are no longer kept. Begin a new order and upload them again."


@dataclass(frozen=True, slots=True)
class _Copying:
    """A draft in the making: where each file comes from and where it goes, and which photo each stands for."""

    draft_id: str
    session_id: str
    files: dict[str, DraftPhoto]
    photos: Sequence[Photo]


def again(
    database: Database, storage: Storage, account_id: str, job_id: str, quota: UploadQuota, now: datetime
) -> str:
    """The id of a new draft like the account's order.

    No transaction is open while files are copied: the draft has room for them first and owns them at the end, so
    that whatever a crash leaves goes with the draft. Raises NotFound, and Conflict when the photos are gone or the
    account has too many drafts, OpenSessionsExceeded and UploadQuotaExceeded; then there is no draft.
    """
    with database.unit_of_work() as session:
        copying = _begin(session, account_id, job_id, quota, now)
    try:
        reservation = Reservation(database, copying.session_id, quota)
        for from_key, photo in copying.files.items():
            found = storage.stat(from_key)
            reservation.take(found.size_bytes if found else 0)
            storage.copy(from_key, photo.storage_key)
        with database.unit_of_work() as session:
            reservation.keep(session)
            _complete(session, storage, drafts.own_open(session, account_id, copying.draft_id), copying, now)
    except Exception as broken:
        with database.unit_of_work() as session:
            drafts.discard(session, storage, drafts.own(session, account_id, copying.draft_id))
        if isinstance(broken, FileNotFoundError):
            raise Conflict(GONE) from None
        raise
    return copying.draft_id


def _begin(session: Session, account_id: str, job_id: str, quota: UploadQuota, now: datetime) -> _Copying:
    job = jobs.of_account(session, account_id, job_id)
    if job.expired_at is not None:
        raise Conflict(GONE)
    photos = list(session.scalars(select(Photo).where(Photo.job_id == job.id).order_by(Photo.type, Photo.index)))
    draft = drafts.begin(session, account_id, quota, now)
    # Written at once, so that nobody else is given this draft as an untouched one.
    drafts.write(session, draft, _content(job, photos), now)
    uploaded = [photo for photo in photos if not photo.from_imagery]
    return _Copying(draft.id, draft.upload_session_id, _add_files(session, draft, uploaded, now), uploaded)


def _add_files(session: Session, draft: Draft, photos: Sequence[Photo], now: datetime) -> dict[str, DraftPhoto]:
    """A place for every file, by the key it has now."""
    files = {photo.storage_key: Announced(photo.type, photo.file_name) for photo in photos}
    references = (key for photo in photos for change in orders.wish(photo).changes for key in change.references)
    for number, key in enumerate(dict.fromkeys(references), 1):
        files.setdefault(key, Announced(PhotoType.INTERIOR, f"reference-{number}", is_reference=True))
    added = draft_photos.add_photos(session, draft, list(files.values()), now)
    return dict(zip(files, added, strict=True))


def _complete(session: Session, storage: Storage, draft: Draft, copying: _Copying, now: datetime) -> None:
    for copied in copying.files.values():
        draft_photos.confirm(session, storage, draft, copied.id, now)
    shared = _shared(copying.photos)
    for photo in copying.photos:
        wish = _photo_wish(orders.wish(photo), copying.files, is_shared=photo.type in shared)
        draft_photos.wish(session, draft, copying.files[photo.storage_key].id, wish, now)


def _content(job: Job, photos: Sequence[Photo]) -> Content:
    shared = _shared(photos)
    lists = {f"{kind}_enhancements": tuple(orders.wish(photo).steps) for kind, photo in shared.items()}
    imagery = any(photo.from_imagery for photo in photos)
    return Content(service_type=job.service_type, public_imagery=imagery, **lists).at(job.address)


def _shared(photos: Sequence[Photo]) -> dict[PhotoType, Photo]:
    """The types whose photos all become the same, each with one of them: that is chosen once for all."""
    by_type = {kind: [photo for photo in photos if photo.type is kind] for kind in PhotoType}
    return {
        kind: same[0]
        for kind, same in by_type.items()
        if len({tuple(photo.wish["enhancements"]) for photo in same}) == 1
    }


def _photo_wish(wish: EditRequest, files: dict[str, DraftPhoto], *, is_shared: bool) -> PhotoWish:
    return PhotoWish(
        enhancements=None if is_shared else tuple(wish.steps),
        staging=StagingChoice(style=wish.staging.style, room_type=wish.staging.room_type)
        if wish.staging
        else StagingChoice(),
        changes=tuple(
            ChangeWish(
                change_type=change.type,
                description=change.description,
                reference_text=change.reference_text or "",
                reference_ids=tuple(files[key].id for key in change.references),
            )
            for change in wish.changes
        ),
    )
