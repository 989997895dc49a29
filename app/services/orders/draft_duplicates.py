"""Duplicate files in a draft: a file whose content is in the draft already is neither uploaded nor charged again.

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
from app.services.orders import draft_photos, drafts
from app.services.orders.draft_photos import NewFile


@dataclass(frozen=True, slots=True)
class UploadPlace:
    """Where a file is to be uploaded. `is_uploaded`: its content is in the draft already, so it need not be sent.
    `row` is None where the draft is full.
    """

    row: DraftPhoto | None
    is_uploaded: bool = False


def find_places(session: Session, draft: Draft, files: Sequence[NewFile], now: datetime) -> list[UploadPlace]:
    """Find or make a place for each file, in the order of `files`: its earlier place where its upload was begun or
    has ended, else a new one.

    A removed photo is restored when the same content is sent again. Files beyond the draft's limit get a place
    without a row; the other files get theirs. Raises like uploads.add_slots().
    """
    known, left = (
        _KnownPhotos(session, draft),
        min(draft_photos.count_free_places(session, draft), _count_free_slots(session, draft)),
    )
    places: list[UploadPlace | None] = [known.find(file) for file in files]
    # Of several files with the same content in one request, only the first needs a place.
    contents = [file.sha256 or str(index) for index, file in enumerate(files)]
    firsts = {content: index for index, content in reversed(list(enumerate(contents)))}
    new = [index for index, place in enumerate(places) if place is None and firsts[contents[index]] == index][:left]
    made = dict(
        zip(new, draft_photos.add_photos(session, draft, [files[index] for index in new], now), strict=True)
    )
    for index, content in enumerate(contents):
        if places[index] is None:
            row = made.get(firsts[content])
            places[index] = UploadPlace(row, is_uploaded=row is not None and index not in made)
    return [place for place in places if place is not None]


def record_digest(session: Session, storage: Storage, draft: Draft, photo: DraftPhoto, sha256: str) -> DraftPhoto:
    """Record the SHA-256 digest of a photo that has just arrived. Where another photo of the draft has the same
    content, the other photo is returned, and `photo` is deleted with its file.
    """
    same = select(DraftPhoto).where(
        DraftPhoto.draft_id == draft.id, DraftPhoto.sha256 == sha256, DraftPhoto.id != photo.id
    )
    duplicate = session.scalar(same.where(*drafts.ARRIVED))
    if duplicate is not None:
        draft_photos.erase(session, storage, draft, photo)
        return duplicate
    for other in session.scalars(same.where(DraftPhoto.uploaded_at.is_(None), DraftPhoto.removed_at.is_(None))):
        # This upload of the same content is still under way; when it arrives, record_digest() finds `photo`.
        other.sha256 = None
    session.flush()
    photo.sha256 = sha256
    session.flush()
    return photo


class _KnownPhotos:
    """The photos of a draft by the digest of their content; unfinished uploads also by file name and size."""

    def __init__(self, session: Session, draft: Draft) -> None:
        mine = select(DraftPhoto).where(DraftPhoto.draft_id == draft.id, ~DraftPhoto.is_reference)
        # Present photos come before removed ones: a removed photo is restored only where no present photo has its
        # content.
        rows = sorted(session.scalars(mine), key=lambda row: (row.removed_at is not None, row.id))
        self._by_content: dict[str, DraftPhoto] = {}
        self._begun: dict[tuple[str, int], list[DraftPhoto]] = {}
        for row in rows:
            if row.sha256 is not None:
                self._by_content.setdefault(row.sha256, row)
            if row.uploaded_at is None and row.removed_at is None:
                self._begun.setdefault((row.file_name, row.size_bytes), []).append(row)

    def find(self, file: NewFile) -> UploadPlace | None:
        """The place of a photo with this content, or of the file's unfinished upload; None where it needs a new
        place.
        """
        row = self._by_content.get(file.sha256) if file.sha256 is not None else None
        if row is not None:
            row.removed_at = None
            self._forget(row)
            return UploadPlace(row, is_uploaded=row.uploaded_at is not None)
        begun = self._begun.get((draft_photos.plain_name(file.file_name), file.size_bytes), [])
        fitting = [each for each in begun if each.sha256 is None or file.sha256 is None]
        if not fitting or not file.size_bytes:
            return None
        self._forget(fitting[0])
        fitting[0].sha256 = file.sha256 or fitting[0].sha256
        return UploadPlace(fitting[0])

    def _forget(self, row: DraftPhoto) -> None:
        begun = self._begun.get((row.file_name, row.size_bytes), [])
        if row in begun:
            begun.remove(row)


def _count_free_slots(session: Session, draft: Draft) -> int:
    upload_session = session.get_one(UploadSession, draft.upload_session_id)
    return max(0, limits.MAX_SESSION_FILES - upload_session.interior_count - upload_session.exterior_count)
