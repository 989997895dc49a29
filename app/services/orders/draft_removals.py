"""Photos removed from a draft: for REMOVED_PHOTOS_KEPT they can be restored, then they are deleted with their
files.

The caller has locked the draft, see drafts.get_open().
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.errors import NotFound
from app.domain.ports import Storage
from app.domain.retention import REMOVED_PHOTOS_KEPT
from app.models import Draft, DraftPhoto
from app.services.orders import draft_arrivals, draft_photos, draft_selections, drafts

BATCH = 100


@dataclass(frozen=True, slots=True)
class Restored:
    """How many photos were restored, and how many were not, because the draft has a photo with the same content."""

    count: int
    duplicate_count: int


def remove(session: Session, draft: Draft, photo_ids: Sequence[str], now: datetime) -> int:
    """Remove the photos, each with all its frames, also those still being uploaded; returns how many photos.

    Raises NotFound for ids that do not belong to the draft.
    """
    photos = draft_selections.find(session, draft, photo_ids)
    groups = {frames[0].group_id for frames in photos} - {None}
    late = [each for each in draft_arrivals.list_unfinished(session, draft) if each.group_id in groups]
    for frame in [*chain.from_iterable(photos), *late]:
        frame.removed_at = now
    drafts.touch(session, draft, now)
    return len(photos)


def list_last_removed(session: Session, draft: Draft) -> list[DraftPhoto]:
    """The files that were removed together last, in their order."""
    newest = select(DraftPhoto.removed_at).where(
        DraftPhoto.draft_id == draft.id, DraftPhoto.removed_at.is_not(None)
    )
    last = newest.order_by(DraftPhoto.removed_at.desc()).limit(1).scalar_subquery()
    mine = select(DraftPhoto).where(DraftPhoto.draft_id == draft.id, DraftPhoto.removed_at == last)
    return list(session.scalars(mine.order_by(DraftPhoto.type, DraftPhoto.position, DraftPhoto.id)))


def restore(session: Session, draft: Draft, photo_ids: Sequence[str], now: datetime) -> Restored:
    """Restore these photos to their places, except photos whose content another photo of the draft has now. Raises
    NotFound when none of the ids is a photo that was removed from the draft.
    """
    mine = select(DraftPhoto).where(DraftPhoto.draft_id == draft.id, DraftPhoto.id.in_(photo_ids))
    photos = list(session.scalars(mine.where(DraftPhoto.removed_at.is_not(None))))
    if not photos:
        raise NotFound
    present = select(DraftPhoto.sha256).where(DraftPhoto.draft_id == draft.id, DraftPhoto.removed_at.is_(None))
    known = {sha256 for sha256 in session.scalars(present) if sha256 is not None}
    restored = []
    for photo in photos:
        if photo.sha256 not in known:
            photo.removed_at = None
            restored.append(photo)
            if photo.sha256 is not None:
                known.add(photo.sha256)
    drafts.touch(session, draft, now)
    return Restored(len(restored), len(photos) - len(restored))


def list_old(session: Session, now: datetime) -> list[str]:
    """The ids of at most BATCH photos that were removed from open drafts at least REMOVED_PHOTOS_KEPT ago."""
    old = (
        select(DraftPhoto.id)
        .join(Draft)
        .where(DraftPhoto.removed_at.is_not(None), DraftPhoto.removed_at <= now - REMOVED_PHOTOS_KEPT)
        .where(Draft.job_id.is_(None))
        .order_by(DraftPhoto.removed_at)
    )
    return list(session.scalars(old.limit(BATCH)))


def forget(session: Session, storage: Storage, photo_id: str) -> None:
    """Delete a removed photo with its file, unless it was restored or its draft was placed meanwhile."""
    draft_id = session.scalar(select(DraftPhoto.draft_id).where(DraftPhoto.id == photo_id))
    draft = session.get(Draft, draft_id, with_for_update=True) if draft_id else None
    photo = session.get(DraftPhoto, photo_id)
    if draft is not None and draft.job_id is None and photo is not None and photo.removed_at is not None:
        draft_photos.erase(session, storage, draft, photo)
