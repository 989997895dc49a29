"""How long an order usually takes: from what orders of its kind really took lately."""

from datetime import datetime, timedelta
from statistics import median
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, exists, select
from sqlalchemy.orm import Session

from app.domain.catalogue import Cost
from app.domain.lifecycle import WORKABLE
from app.models import Job, Photo

LATELY = timedelta(days=3)
"""Older orders tell of other machines and other crowds."""
MOST_LOOKED_AT = 200
ENOUGH = 10
"""From fewer orders of a kind nothing is said."""
ALIKE = 3
"""Orders are of a kind where one has at most so many times the photos of the other."""


def estimate(session: Session, job: Job, now: datetime) -> timedelta | None:
    """How long an order like this one usually takes from its placing until all of it is processed.

    By the median of the time for each photo, of the newest orders with a like number of photos, with rooms where
    this one has some. None for an order that is processed, and where too few were done lately.
    """
    if job.status not in WORKABLE:
        return None
    photos, rooms = job.interior_count + job.exterior_count, session.scalar(select(_has_rooms(job.id)))
    each = [_seconds_each(row) for row in session.execute(_newest(now)) if _is_alike(row, photos, rooms)]
    return timedelta(seconds=median(each) * photos) if len(each) >= ENOUGH else None


def _newest(now: datetime) -> Select[*tuple[Any, ...]]:
    """The newest orders, done or not, so that it costs the same however many wait."""
    columns = (Job.created_at, Job.completed_at, (Job.interior_count + Job.exterior_count).label("photos"))
    lately = select(*columns, _has_rooms(Job.id).label("rooms")).where(Job.created_at > now - LATELY)
    return lately.order_by(Job.created_at.desc(), Job.id.desc()).limit(MOST_LOOKED_AT)


def _has_rooms(job_id: Any) -> ColumnElement[bool]:
    return exists().where(Photo.job_id == job_id, Photo.cost == Cost.HEAVY)


def _is_alike(row: Row[Any], photos: int, rooms: bool | None) -> bool:
    if row.completed_at is None or not row.photos or bool(row.rooms) is not bool(rooms):
        return False
    return bool(photos <= row.photos * ALIKE and row.photos <= photos * ALIKE)


def _seconds_each(row: Row[Any]) -> float:
    return float((row.completed_at - row.created_at).total_seconds() / row.photos)
