"""Estimates how long an order takes, from the durations of similar recent orders."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from sqlalchemy import Row, Select, select
from sqlalchemy.orm import Session

from app.domain.drafts import DraftOrder
from app.domain.lifecycle import WORKABLE
from app.models import Job, Photo
from engine.types.enhancements import WorkSize

MAX_AGE = timedelta(days=3)
"""Older orders are not read: other machines may have processed them, or under another load."""
MAX_ORDERS_READ = 200
"""The maximum number of orders that an estimate reads."""
MIN_SIMILAR_ORDERS = 10
"""With fewer similar orders, nothing is estimated."""
MAX_SIZE_RATIO = 3
"""An order is similar if neither of the two has more than this many times the photos of the other."""


def estimate(session: Session, job: Job, now: datetime) -> timedelta | None:
    """How long an order like this one usually takes, from when it is placed until all its photos are processed.

    It is the number of photos, times the median duration per photo of the newest similar orders. An order is
    similar if it has a similar number of photos, and if either both orders have rooms (photos of heavy work size)
    or none has. None if this order is processed already, or if there were too few similar orders.
    """
    if job.status not in WORKABLE:
        return None
    has_rooms = bool(_find_with_rooms(session, [job.id]))
    return _compute_usual(session, job.interior_count + job.exterior_count, has_rooms, now)


def estimate_draft(session: Session, draft: DraftOrder, now: datetime) -> timedelta | None:
    """How long the draft would usually take if it were placed now, computed like estimate().

    None for a draft without photos, or if there were too few similar orders.
    """
    photos = draft.priced()
    has_rooms = any(photo.edit_request.work_size is WorkSize.HEAVY for photo in photos)
    return _compute_usual(session, len(photos), has_rooms, now) if photos else None


def _compute_usual(session: Session, photo_count: int, has_rooms: bool, now: datetime) -> timedelta | None:
    """The usual duration, by two queries however many orders there are."""
    rows = session.execute(_select_newest(now)).all()
    with_rooms, seconds_each = _find_with_rooms(session, [row.id for row in rows]), []
    for row in rows:
        if _is_similar(row, photo_count) and (row.id in with_rooms) is has_rooms:
            seconds_each.append((row.completed_at - row.created_at).total_seconds() / row.photos)
    return (
        timedelta(seconds=median(seconds_each) * photo_count) if len(seconds_each) >= MIN_SIMILAR_ORDERS else None
    )


def _select_newest(now: datetime) -> Select[*tuple[Any, ...]]:
    """The newest orders, processed or not: to look for processed ones would take longer when many are waiting."""
    columns = (Job.id, Job.created_at, Job.completed_at, (Job.interior_count + Job.exterior_count).label("photos"))
    recent = select(*columns).where(Job.created_at > now - MAX_AGE)
    return recent.order_by(Job.created_at.desc(), Job.id.desc()).limit(MAX_ORDERS_READ)


def _find_with_rooms(session: Session, job_ids: Sequence[str]) -> set[str]:
    rooms = select(Photo.job_id).where(Photo.job_id.in_(job_ids), Photo.work_size == WorkSize.HEAVY)
    return set(session.scalars(rooms.distinct()))


def _is_similar(row: Row[*tuple[Any, ...]], photo_count: int) -> bool:
    if row.completed_at is None or not row.photos:
        return False
    return bool(photo_count <= row.photos * MAX_SIZE_RATIO and row.photos <= photo_count * MAX_SIZE_RATIO)
