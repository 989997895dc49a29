"""Each content once in a draft: what is there already is neither uploaded nor bought again.

The caller holds the draft, see drafts.get_open().
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
    """Where a file goes: its row, and whether its content `is_there` already. No row: the draft takes no more."""

    row: DraftPhoto | None
    is_there: bool = False


def find_places(session: Session, draft: Draft, files: Sequence[NewFile], now: datetime) -> list[UploadPlace]:
    """A place for each file, in order: the one it had, where it was begun or is there; else a new one.

    What was taken out comes back where the same content is sent again. A file beyond what the draft takes has no
    place; all others have theirs. Raises like uploads.add_slots().
    """
    known, left = _Known(session, draft), min(draft_photos.room_left(session, draft), _slots_left(session, draft))
    places: list[UploadPlace | None] = [known.find(file) for file in files]
    # Of files in one request that are the same only the first needs a place.
    contents = [file.sha256 or str(at) for at, file in enumerate(files)]
    firsts = {content: at for at, content in reversed(list(enumerate(contents)))}
    new = [at for at, place in enumerate(places) if place is None and firsts[contents[at]] == at][:left]
    made = dict(zip(new, draft_photos.add_photos(session, draft, [files[at] for at in new], now), strict=True))
    for at, content in enumerate(contents):
        if places[at] is None:
            row = made.get(firsts[content])
            places[at] = UploadPlace(row, is_there=row is not None and at not in made)
    return [place for place in places if place is not None]


def settle(session: Session, storage: Storage, draft: Draft, photo: DraftPhoto, sha256: str) -> DraftPhoto:
    """Note what the photo that has just arrived contains. Where another has the same, that one is given and this
    one is forgotten with its file.
    """
    same = select(DraftPhoto).where(
        DraftPhoto.draft_id == draft.id, DraftPhoto.sha256 == sha256, DraftPhoto.id != photo.id
    )
    twin = session.scalar(same.where(*drafts.ARRIVED))
    if twin is not None:
        draft_photos.erase(session, storage, draft, photo)
        return twin
    for other in session.scalars(same.where(DraftPhoto.uploaded_at.is_(None), DraftPhoto.removed_at.is_(None))):
        # Still on its way under another name: whichever comes later finds this one.
        other.sha256 = None
    session.flush()
    photo.sha256 = sha256
    session.flush()
    return photo


class _Known:
    """The photos of a draft by what they contain; those on their way by name and size too."""

    def __init__(self, session: Session, draft: Draft) -> None:
        mine = select(DraftPhoto).where(DraftPhoto.draft_id == draft.id, ~DraftPhoto.is_reference)
        # What is there comes before what was taken out, which comes back only where nothing else is the same.
        rows = sorted(session.scalars(mine), key=lambda row: (row.removed_at is not None, row.id))
        self._by_content: dict[str, DraftPhoto] = {}
        self._begun: dict[tuple[str, int], list[DraftPhoto]] = {}
        for row in rows:
            if row.sha256 is not None:
                self._by_content.setdefault(row.sha256, row)
            if row.uploaded_at is None and row.removed_at is None:
                self._begun.setdefault((row.file_name, row.size_bytes), []).append(row)

    def find(self, file: NewFile) -> UploadPlace | None:
        """The place that a file of this content has; None where it needs one."""
        row = self._by_content.get(file.sha256) if file.sha256 is not None else None
        if row is not None:
            row.removed_at = None
            self._forget(row)
            return UploadPlace(row, is_there=row.uploaded_at is not None)
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


def _slots_left(session: Session, draft: Draft) -> int:
    upload_session = session.get_one(UploadSession, draft.upload_session_id)
    return max(0, limits.MAX_SESSION_FILES - upload_session.interior_count - upload_session.exterior_count)
