"""Uploads into a draft that have not arrived yet: under way in a tab of some device, or lost.

A page that uploads files reports them every ALIVE_SECONDS, and reports when it is closed. A file that was not
reported for UNDER_WAY is lost: its tab crashed, or its device is off or asleep. It is under way again once a page
reports it or chooses the file again. Callers that change anything have locked the draft, see drafts.get_open().
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.errors import NotFound
from app.models import Draft, DraftPhoto

ALIVE_SECONDS = 30
"""How often a page reports which files are under way; browsers delay this to a minute for a tab in the
background."""
UNDER_WAY = timedelta(minutes=3)
FORM_UNDER_WAY = timedelta(minutes=30)
"""Like UNDER_WAY, for a file that a form sends without a script that could report it."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The number of lost files that were left out, and of files that stay because they arrived or are under way
    again.
    """

    count: int
    kept_count: int


def list_unfinished(session: Session, draft: Draft) -> list[DraftPhoto]:
    """Photos that have a place but whose files have not arrived, oldest first."""
    mine = select(DraftPhoto).where(
        DraftPhoto.draft_id == draft.id,
        DraftPhoto.uploaded_at.is_(None),
        DraftPhoto.removed_at.is_(None),
        ~DraftPhoto.is_reference,
    )
    return list(session.scalars(mine.order_by(DraftPhoto.created_at, DraftPhoto.position, DraftPhoto.id)))


def count_arriving(session: Session, draft: Draft, now: datetime) -> int:
    """The number of photos that are being uploaded. They count as photos of the draft, so that a file beyond the
    limit is refused before it is sent.
    """
    return sum(not is_lost(photo, now) for photo in list_unfinished(session, draft))


def lacks_frames(unfinished: Iterable[DraftPhoto]) -> bool:
    """Whether frames that were merged into a photo have not arrived, so that the draft cannot be ordered yet."""
    return any(photo.group_id for photo in unfinished)


def is_lost(photo: DraftPhoto, now: datetime) -> bool:
    """Whether the file of an unfinished photo is lost."""
    return photo.expected_until is None or photo.expected_until <= now


def keep_expecting(session: Session, draft: Draft, photo_ids: Collection[str], now: datetime) -> list[str]:
    """Record that these uploads are under way; returns those ids that no longer belong to the draft."""
    mine = select(DraftPhoto).where(
        DraftPhoto.draft_id == draft.id, DraftPhoto.id.in_(photo_ids), DraftPhoto.removed_at.is_(None)
    )
    known = {photo.id: photo for photo in session.scalars(mine)}
    for photo in known.values():
        photo.expected_until = now + UNDER_WAY
    return [each for each in photo_ids if each not in known]


def stop_expecting(session: Session, draft: Draft, photo_ids: Collection[str], now: datetime) -> None:
    """Record that nobody uploads these files any more: those that have not arrived are lost. Raises NotFound if
    none of them is expected.
    """
    awaited = [photo for photo in list_unfinished(session, draft) if photo.id in photo_ids]
    if not awaited:
        raise NotFound
    for photo in awaited:
        photo.expected_until = now


def leave_out(
    session: Session, draft: Draft, photo_ids: Sequence[str], now: datetime, *, also_under_way: bool = False
) -> LeftOut:
    """Delete those of the photos whose files are lost or, if the page that uploads them asks, `also_under_way`."""
    mine = select(DraftPhoto).where(DraftPhoto.draft_id == draft.id, DraftPhoto.id.in_(photo_ids))
    photos = list(session.scalars(mine.where(DraftPhoto.removed_at.is_(None))))
    gone = [each for each in photos if each.uploaded_at is None and (also_under_way or is_lost(each, now))]
    for photo in gone:
        session.delete(photo)
    session.flush()
    return LeftOut(len(gone), len(photos) - len(gone))
