"""What the list of orders shows of each order: its first pictures, and how many of its photos are done."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, bindparam, func, select
from sqlalchemy.orm import aliased

from app.database import Reader
from app.domain.lifecycle import DOWNLOADABLE, UNSETTLED, Status, WorkState
from app.models import Job, Photo, Preview, Result, StoredPicture
from engine.types.report import Verdict

MOST = 3
"""Most small pictures of one order in the list."""


@dataclass(frozen=True, slots=True)
class OrderThumb:
    """One small picture: of the photo's result where the owner may see it, else of the photo."""

    photo_id: str
    is_result: bool


@dataclass(frozen=True, slots=True)
class OrderThumbs:
    """The first pictures of one order. `done_count`: how many of its photos are processed, None once the order is
    finished.
    """

    pictures: Sequence[OrderThumb] = ()
    done_count: int | None = None


NO_THUMBS = OrderThumbs()

# Built once: the list of orders runs these queries, and building them takes longer than running them.
_JOBS = Photo.job_id.in_(bindparam("job_ids", expanding=True))
_DONE = func.count().filter(Photo.state == WorkState.DONE)
_COUNTS = select(Photo.job_id, _DONE).where(_JOBS).group_by(Photo.job_id)
_PHOTO_PREVIEW, _RESULT_PREVIEW = aliased(Preview), aliased(Preview)
_COLUMNS = (
    Job.id,
    Job.status,
    Result.verdict,
    _PHOTO_PREVIEW.width.label("before"),
    _RESULT_PREVIEW.width.label("after"),
)
_PICTURES = (
    select(Photo.id.label("photo_id"), *_COLUMNS)
    .join(Job, Job.id == Photo.job_id)
    .outerjoin(Result, Result.photo_id == Photo.id)
    .outerjoin(_PHOTO_PREVIEW, _PHOTO_PREVIEW.source_key == Photo.storage_key)
    .outerjoin(StoredPicture, StoredPicture.id == Result.picture_id)
    .outerjoin(_RESULT_PREVIEW, _RESULT_PREVIEW.source_key == StoredPicture.storage_key)
    .where(_JOBS, Photo.index < MOST)
    .order_by(Photo.type, Photo.index)
)


def read(reader: Reader, jobs: Mapping[str, Status]) -> Mapping[str, OrderThumbs]:
    """The first pictures of each of these jobs that has photos, in at most two queries however many jobs
    there are.
    """
    working = [job_id for job_id, status in jobs.items() if status in UNSETTLED]
    counts = _count_done(reader, working) if working else {}
    pictures = _pictures(reader, list(jobs)) if jobs else {}
    return {job_id: OrderThumbs(each, counts.get(job_id)) for job_id, each in pictures.items()}


def _count_done(reader: Reader, job_ids: Sequence[str]) -> Mapping[str, int]:
    return dict(reader.execute(_COUNTS, {"job_ids": job_ids}).all())


def _pictures(reader: Reader, job_ids: Sequence[str]) -> Mapping[str, Sequence[OrderThumb]]:
    found: dict[str, list[OrderThumb]] = defaultdict(list)
    for row in reader.execute(_PICTURES, {"job_ids": job_ids}):
        thumb = _thumb(row)
        kept = found[row.id]
        if thumb is not None and len(kept) < MOST:
            kept.append(thumb)
    return found


def _thumb(row: Row[*tuple[Any, ...]]) -> OrderThumb | None:
    """The small picture of one photo; None until it is made."""
    if row.after and row.verdict is Verdict.APPROVED and row.status in DOWNLOADABLE:
        return OrderThumb(row.photo_id, is_result=True)
    return OrderThumb(row.photo_id, is_result=False) if row.before else None
