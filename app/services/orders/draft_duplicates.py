"""Duplicate files of a draft: a file whose content is in the draft already is not uploaded or charged again.

The caller has locked the draft, see drafts.get_open().
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain import limits
from app.domain.ports import Storage
from app.models import Draft, DraftPhoto, UploadSession
from app.services.orders import draft_arrivals, draft_photos, drafts
from app.services.orders.draft_photos import NewFile


@dataclass(frozen=True, slots=True)
class UploadPlace:
    """The draft's photo to which a file is uploaded; `row` is None when the draft is full. `is_uploaded`: whether
    the draft has the file's content already, so that the file must not be sent again.
    """

    row: DraftPhoto | None
    is_uploaded: bool = False


def find_places(session: Session, draft: Draft, files: Sequence[NewFile], now: datetime) -> list[UploadPlace]:
    """Find or make a place for each file, in the order of `files`. A file whose upload was begun or completed
    before keeps its place; another file gets a new one.

    A removed photo is restored when the same content is sent again. Files beyond the draft's limit get a place
    without a row. Raises the exceptions of uploads.add_slots().
    """
    known = _KnownPhotos(session, draft)
    left = min(
        draft_photos.count_free_places(session, draft) - draft_arrivals.count_arriving(session, draft, now),
        _count_free_slots(session, draft),
    )
    places = [known.find(file) for file in files]
    # Of several files with the same content in one request, only the first is uploaded; the others get its place.
    contents = [file.sha256 or str(index) for index, file in enumerate(files)]
    first_index: dict[str, int] = {}
    for index, content in enumerate(contents):
        first_index.setdefault(content, index)
    for place in places:
        if place is not None and place.row is not None:
            place.row.expected_until = now + draft_arrivals.UNDER_WAY
    new = [index for index in first_index.values() if places[index] is None][: max(0, left)]
    rows = draft_photos.add_photos(session, draft, [files[index] for index in new], now)
    for index, row in zip(new, rows, strict=True):
        places[index] = UploadPlace(row)
    return [
        place or _share_place(places[first_index[content]]) for place, content in zip(places, contents, strict=True)
    ]


def _share_place(first: UploadPlace | None) -> UploadPlace:
    """The place of a file whose content another file of the request (`first`) uploads. It has no row if `first` has
    none.
    """
    return UploadPlace(None) if first is None else UploadPlace(first.row, is_uploaded=True)


def record_digest(session: Session, storage: Storage, draft: Draft, photo: DraftPhoto, sha256: str) -> DraftPhoto:
    """Record the SHA-256 digest of a photo that has just been uploaded, and return the photo. If another photo of
    the draft has the same content, `photo` is deleted with its file, and the other photo is returned.
    """
    same = select(DraftPhoto).where(
        DraftPhoto.draft_id == draft.id, DraftPhoto.sha256 == sha256, DraftPhoto.id != photo.id
    )
    duplicate = session.scalar(same.where(*drafts.ARRIVED))
    if duplicate is not None:
        draft_photos.erase(session, storage, draft, photo)
        return duplicate
    for other in session.scalars(same.where(DraftPhoto.uploaded_at.is_(None), DraftPhoto.removed_at.is_(None))):
        # The upload of `other` is not complete yet. Once it is, record_digest() finds `photo` as its duplicate.
        other.sha256 = None
    session.flush()
    photo.sha256 = sha256
    session.flush()
    return photo


class _KnownPhotos:
    """The photos of a draft, found by the digest of their content; unfinished uploads also by name and size."""

    def __init__(self, session: Session, draft: Draft) -> None:
        mine = select(DraftPhoto).where(DraftPhoto.draft_id == draft.id, ~DraftPhoto.is_reference)
        # Present photos come first, so that a removed photo is restored only if no present photo has its content.
        rows = sorted(session.scalars(mine), key=lambda row: (row.removed_at is not None, row.id))
        self._by_content: dict[str, DraftPhoto] = {}
        self._begun: dict[tuple[str, int], list[DraftPhoto]] = {}
        for row in rows:
            if row.sha256 is not None:
                self._by_content.setdefault(row.sha256, row)
            if row.uploaded_at is None and row.removed_at is None:
                self._begun.setdefault((row.file_name, row.size_bytes), []).append(row)

    def find(self, file: NewFile) -> UploadPlace | None:
        """The place of the photo with this content, or of the file's unfinished upload; None if there is neither. A
        removed photo is restored.
        """
        row = self._by_content.get(file.sha256) if file.sha256 is not None else None
        if row is not None:
            row.removed_at = None
            self._remove_begun(row)
            return UploadPlace(row, is_uploaded=row.uploaded_at is not None)
        begun = self._begun.get((draft_photos.plain_name(file.file_name), file.size_bytes), [])
        # If both digests are known, they differ: photos with an equal digest were found above.
        row = next((each for each in begun if each.sha256 is None or file.sha256 is None), None)
        if row is None or not file.size_bytes:
            return None
        self._remove_begun(row)
        row.sha256 = file.sha256 or row.sha256
        if file.capture is not None:
            row.capture = file.capture.model_dump(mode="json")
        return UploadPlace(row)

    def _remove_begun(self, row: DraftPhoto) -> None:
        begun = self._begun.get((row.file_name, row.size_bytes), [])
        if row in begun:
            begun.remove(row)


def _count_free_slots(session: Session, draft: Draft) -> int:
    upload_session = session.get_one(UploadSession, draft.upload_session_id)
    return max(0, limits.MAX_SESSION_FILES - upload_session.interior_count - upload_session.exterior_count)
