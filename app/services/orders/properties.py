"""Properties: the orders that were placed together for one property; there are several only for many photos."""

from collections.abc import Collection, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.errors import NotFound
from app.domain.ids import Prefix, is_id
from app.models import Job, Photo
from app.services.orders import jobs


def find(session: Session, account_id: str, property_id: str) -> list[Job]:
    """The account's orders that were placed from the draft with this id, in their sequence. If the id is a job's,
    only that order. Expired orders are included. Raises NotFound, also for a draft that is not placed.
    """
    if not is_id(property_id, Prefix.DRAFT):
        return [jobs.get_even_expired(session, account_id, property_id)]
    query = select(Job).where(Job.account_id == account_id, Job.draft_id == property_id)
    found = list(session.scalars(query.order_by(Job.draft_place, Job.created_at, Job.id)))
    if not found:
        raise NotFound
    return found


def count_orders(session: Session, job: Job) -> int:
    """How many orders were placed together with this one, itself included."""
    if job.draft_id is None:
        return 1
    query = select(func.count()).where(Job.draft_id == job.draft_id, Job.account_id == job.account_id)
    return session.scalar(query) or 1


def list_photos(session: Session, found: Sequence[Job]) -> list[tuple[str, str]]:
    """The ids of all photos of these orders, in their sequence, each with the id of its order."""
    places = {job.id: place for place, job in enumerate(found)}
    query = select(Photo.id, Photo.job_id).where(Photo.job_id.in_(places)).order_by(Photo.type, Photo.index)
    rows = [(row[0], row[1]) for row in session.execute(query)]
    return sorted(rows, key=lambda row: places[row[1]])


def find_photo(session: Session, job: Job, number: int) -> str | None:
    """The id of the order's photo with this number, counted from 1; None if there is none."""
    photos = list_photos(session, [job])
    return photos[number - 1][0] if 0 < number <= len(photos) else None


def pick(session: Session, found: Sequence[Job], photo_ids: Collection[str]) -> list[Job]:
    """The orders, of those `found`, that have these photos. Raises NotFound when a photo is in none of them."""
    wanted = frozenset(photo_ids)
    job_ids = {photo_id: job_id for photo_id, job_id in list_photos(session, found) if photo_id in wanted}
    if len(job_ids) < len(wanted):
        raise NotFound
    return [job for job in found if job.id in job_ids.values()]
