"""Published originals that are missing. A request or the sweep records that an original is missing, or is available
again.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from app.database import Database
from app.domain.ports import Storage
from app.models import Job, PublicPage, PublicPicture
from app.services.photos import public_pages

log = logging.getLogger(__name__)

CHECK_INTERVAL = timedelta(days=1)
"""How often the sweep checks that each published original is in the store."""
BATCH = 100


@dataclass(frozen=True, slots=True)
class PublishedOriginal:
    """The original of one published picture, and its storage key."""

    page_id: str
    number: int
    key: str


@dataclass(frozen=True, slots=True)
class LostOriginals:
    """One job with missing originals: the numbers of the pictures, and since when the first of them is known to be
    missing.
    """

    job_id: str
    address: str
    numbers: Sequence[int]
    since: datetime


def list_unchecked(session: Session, now: datetime) -> list[PublishedOriginal]:
    """At most BATCH originals on live pages that were not checked within CHECK_INTERVAL."""
    unchecked = PublicPicture.looked_at.is_(None) | (PublicPicture.looked_at < now - CHECK_INTERVAL)
    rows = select(PublicPicture).join(PublicPage, PublicPage.id == PublicPicture.public_page_id)
    found = session.scalars(rows.where(public_pages.is_live(now), unchecked).limit(BATCH))
    return [PublishedOriginal(each.public_page_id, each.number, public_pages.original_key(each)) for each in found]


def check(database: Database, storage: Storage, original: PublishedOriginal, clock: Callable[[], datetime]) -> None:
    """Check whether the original is in the store, and record that."""
    found = storage.stat(original.key) is not None
    if not found:
        log.error("public page %s: the original of picture %s is lost", original.page_id, original.number)
    with database.unit_of_work() as session:
        record(session, original.page_id, original.number, clock(), found=found)


def record(session: Session, page_id: str, number: int, now: datetime, *, found: bool) -> None:
    """Record that the original was checked now. If it was not `found`, it is missing since the first check that did
    not find it.
    """
    which = (PublicPicture.public_page_id == page_id, PublicPicture.number == number)
    since = None if found else func.coalesce(PublicPicture.original_lost_at, now)
    session.execute(update(PublicPicture).where(*which).values(looked_at=now, original_lost_at=since))


def list_lost(session: Session, now: datetime, job_id: str | None = None) -> list[LostOriginals]:
    """The jobs whose published originals are missing, the longest missing first; with `job_id`, only that job."""
    rows = select(Job.id, Job.address, PublicPicture.number, PublicPicture.original_lost_at)
    rows = rows.join(PublicPage, PublicPage.id == PublicPicture.public_page_id).join(
        Job, Job.id == PublicPage.job_id
    )
    rows = rows.where(PublicPicture.original_lost_at.is_not(None), public_pages.is_live(now))
    if job_id is not None:
        rows = rows.where(Job.id == job_id)
    found: dict[str, LostOriginals] = {}
    for each_id, address, number, since in session.execute(rows.order_by(PublicPicture.original_lost_at)):
        known = found.get(each_id)
        numbers = sorted({*(known.numbers if known else ()), number})
        found[each_id] = LostOriginals(each_id, address, numbers, known.since if known else since or now)
    return list(found.values())
