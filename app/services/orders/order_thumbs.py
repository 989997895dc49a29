"""The first pictures of each order in the list of orders, and how many of its photos are processed."""

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

MAX_THUMBS = 3
"""The maximum number of small pictures of one order that the list shows."""


@dataclass(frozen=True, slots=True)
class OrderThumb:
    """One small picture: of the photo's result if the owner may see it, otherwise of the photo."""

    photo_id: str
    is_result: bool


@dataclass(frozen=True, slots=True)
class OrderThumbs:
    """The first pictures of one order. `done_count`: how many of its photos are processed; None when the order is
    finished. `undone_count`: how many photos of a finished order have no usable result.
    """

    pictures: Sequence[OrderThumb] = ()
    done_count: int | None = None
    undone_count: int = 0


NO_THUMBS = OrderThumbs()

# Built once: the list of orders runs these queries, and building them takes longer than running them.
_OF_JOBS = Photo.job_id.in_(bindparam("job_ids", expanding=True))
_DONE_COUNT = func.count().filter(Photo.state == WorkState.DONE)
_REJECTED_COUNT = func.count().filter(Result.verdict == Verdict.REJECTED)
_COUNTS = (
    select(Photo.job_id, _DONE_COUNT, _REJECTED_COUNT)
    .outerjoin(Result, Result.photo_id == Photo.id)
    .where(_OF_JOBS)
    .group_by(Photo.job_id)
)
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
    .where(_OF_JOBS, Photo.index < MAX_THUMBS)
    .order_by(Photo.type, Photo.index)
)


def read(reader: Reader, jobs: Mapping[str, Status]) -> Mapping[str, OrderThumbs]:
    """The first pictures of those of these jobs that have photos, in at most two queries."""
    if not jobs:
        return {}
    counts = {row[0]: (row[1], row[2]) for row in reader.execute(_COUNTS, {"job_ids": list(jobs)})}
    pictures = _read_pictures(reader, list(jobs))
    return {job_id: _make_thumbs(jobs[job_id], each, *counts[job_id]) for job_id, each in pictures.items()}


def _make_thumbs(status: Status, pictures: Sequence[OrderThumb], done: int, rejected: int) -> OrderThumbs:
    # While an order is in review, nobody but its reviewer sees what they rejected.
    return OrderThumbs(pictures, done) if status in UNSETTLED else OrderThumbs(pictures, None, rejected)


def _read_pictures(reader: Reader, job_ids: Sequence[str]) -> Mapping[str, Sequence[OrderThumb]]:
    found: dict[str, list[OrderThumb]] = defaultdict(list)
    for row in reader.execute(_PICTURES, {"job_ids": job_ids}):
        thumb = _make_thumb(row)
        kept = found[row.id]
        if thumb is not None and len(kept) < MAX_THUMBS:
            kept.append(thumb)
    return found


def _make_thumb(row: Row[*tuple[Any, ...]]) -> OrderThumb | None:
    """The small picture of one photo; None until it is made."""
    if row.after and row.verdict is Verdict.APPROVED and row.status in DOWNLOADABLE:
        return OrderThumb(row.photo_id, is_result=True)
    return OrderThumb(row.photo_id, is_result=False) if row.before else None
