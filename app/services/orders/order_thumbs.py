"""What the list shows of each order: its first pictures, and how many of its photos are done."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session, aliased

from app.domain.lifecycle import DOWNLOADABLE, WorkState
from app.domain.quality import Verdict
from app.models import Job, Photo, Preview, Result, StoredPicture

MOST = 3
"""Small pictures of one order in the list."""


@dataclass(frozen=True, slots=True)
class OrderThumb:
    """One small picture: the result of the photo where its owner may see that, else the photo."""

    photo_id: str
    is_result: bool


@dataclass(frozen=True, slots=True)
class OrderThumbs:
    """The first pictures of one order, and how many of its photos were worked on; None where that is not known."""

    pictures: Sequence[OrderThumb] = ()
    done_count: int | None = None


NO_THUMBS = OrderThumbs()


def read(session: Session, job_ids: Sequence[str]) -> Mapping[str, OrderThumbs]:
    """Those of these jobs that have photos, in two queries however many there are."""
    if not job_ids:
        return {}
    done = func.count().filter(Photo.state == WorkState.DONE)
    counted = select(Photo.job_id, done).where(Photo.job_id.in_(job_ids)).group_by(Photo.job_id)
    counts: dict[str, int] = {row[0]: row[1] for row in session.execute(counted)}
    return {job_id: OrderThumbs(each, counts.get(job_id)) for job_id, each in _pictures(session, job_ids).items()}


def _pictures(session: Session, job_ids: Sequence[str]) -> Mapping[str, Sequence[OrderThumb]]:
    before, after = aliased(Preview), aliased(Preview)
    columns = (Job.id, Job.status, Result.verdict, before.width.label("before"), after.width.label("after"))
    asked = (
        select(Photo.id.label("photo_id"), *columns)
        .join(Job, Job.id == Photo.job_id)
        .outerjoin(Result, Result.photo_id == Photo.id)
        .outerjoin(before, before.source_key == Photo.storage_key)
        .outerjoin(StoredPicture, StoredPicture.id == Result.picture_id)
        .outerjoin(after, after.source_key == StoredPicture.storage_key)
        .where(Photo.job_id.in_(job_ids), Photo.index < MOST)
        .order_by(Photo.type, Photo.index)
    )
    found: dict[str, list[OrderThumb]] = defaultdict(list)
    for row in session.execute(asked):
        thumb = _thumb(row)
        kept = found[row.id]
        if thumb is not None and len(kept) < MOST:
            kept.append(thumb)
    return found


def _thumb(row: Row[*tuple[Any, ...]]) -> OrderThumb | None:
    """None while no small picture of the photo is there."""
    if row.after and row.verdict is Verdict.APPROVED and row.status in DOWNLOADABLE:
        return OrderThumb(row.photo_id, is_result=True)
    return OrderThumb(row.photo_id, is_result=False) if row.before else None
