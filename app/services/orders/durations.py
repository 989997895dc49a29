"""How long an order usually takes: computed from the times that similar orders took lately."""

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
"""Older orders are not counted: they ran on other machines, or under other load."""
MAX_ORDERS_READ = 200
"""Most orders that one estimate reads."""
MIN_SIMILAR_ORDERS = 10
"""Least number of similar orders for an estimate."""
MAX_SIZE_RATIO = 3
"""Orders are similar where one has at most this many times the photos of the other."""


def estimate(session: Session, job: Job, now: datetime) -> timedelta | None:
    """How long an order like this one usually takes from its placing until all photos are processed.

    The median time for each photo, of the newest orders with a similar number of photos; they have rooms (photos of
    heavy work size) only if this one has some, and always then. None for an order that is processed, and where too
    few similar orders were done lately.
    """
    if job.status not in WORKABLE:
        return None
    has_rooms = bool(_find_with_rooms(session, [job.id]))
    return _find_usual(session, job.interior_count + job.exterior_count, has_rooms, now)


def estimate_draft(session: Session, draft: DraftOrder, now: datetime) -> timedelta | None:
    """How long the draft would usually take if it were placed now, computed like estimate().

    None for a draft without photos, and where too few similar orders were done lately.
    """
    photos = draft.priced()
    has_rooms = any(photo.edit_request.work_size is WorkSize.HEAVY for photo in photos)
    return _find_usual(session, len(photos), has_rooms, now) if photos else None


def _find_usual(session: Session, photo_count: int, has_rooms: bool, now: datetime) -> timedelta | None:
    """Two queries, however many orders there are."""
    rows = session.execute(_select_newest(now)).all()
    with_rooms, seconds_each = _find_with_rooms(session, [row.id for row in rows]), []
    for row in rows:
        if _is_similar(row, photo_count) and (row.id in with_rooms) is has_rooms:
            seconds_each.append((row.completed_at - row.created_at).total_seconds() / row.photos)
    return (
        timedelta(seconds=median(seconds_each) * photo_count) if len(seconds_each) >= MIN_SIMILAR_ORDERS else None
    )


def _select_newest(now: datetime) -> Select[*tuple[Any, ...]]:
    """The newest orders, processed or not, so that the query costs the same however many are waiting."""
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
