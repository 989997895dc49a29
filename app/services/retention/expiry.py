"""Expiry of jobs: pictures and their rows are removed when their retention is over; the order and its ledger lines
stay.
"""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from sqlalchemy import delete, select, text
from sqlalchemy.orm import Session

from app.database import Database
from app.domain.ports import Storage
from app.domain.retention import find_length
from app.models import Job, Photo, Result, StoredPicture
from app.models.order import IS_TEST
from app.services.orders import jobs
from app.services.photos import evidence, packs, pictures, public_pages, recipes, shares
from app.services.previews import previews
from app.services.retention import keeping
from app.services.revisions import settlement
from app.services.uploads import uploads
from app.services.webhooks import callbacks

BATCH = 100


def list_expired(session: Session, now: datetime, kept_for: timedelta) -> list[str]:
    """The ids of jobs that have not expired and whose time is over, at most half of BATCH of each kind, the oldest
    first: settled `kept_for` ago, kept by their owner until now, or test jobs settled find_length() ago.
    """
    unexpired = select(Job.id).where(Job.expired_at.is_(None))
    old = unexpired.where(Job.settled_at <= now - kept_for)
    usual = old.where(Job.kept_until.is_(None)).order_by(Job.settled_at)
    kept = old.where(Job.kept_until <= now).order_by(Job.kept_until)
    test_end = now - find_length(kept_for.total_seconds(), livemode=False)
    tried = unexpired.where(text(IS_TEST), Job.settled_at <= test_end).order_by(Job.settled_at)
    found = (session.scalars(query.limit(BATCH // 2)) for query in (usual, kept, tried))
    return list(dict.fromkeys(job_id for ids in found for job_id in ids))


def end_retention(session: Session, job_id: str, now: datetime) -> None:
    """Expire a job whose retention is over, after ending its open rounds by settlement.end_unanswered()."""
    job = jobs.lock(session, job_id)
    if job.expired_at is None:
        settlement.end_unanswered(session, job, now)
        session.flush()
        expire(session, job_id, now)


def expire(session: Session, job_id: str, now: datetime) -> None:
    """Delete the rows of the job's photos, results and pictures: from now on the API answers 404 for them. Before
    that, recipes and evidence are stored in the job. purge() removes the files later.
    """
    job = jobs.lock(session, job_id)
    if job.expired_at is None:
        job.expired_at = now
        keeping.release(session, job)
        recipes.keep(session, job)
        job.evidence = evidence.collect(session, job)
        job.file_names = None
        packs.forget(session, job_id)
        callbacks.end_for_job(session, job, now)
        settlement.forget(session, job_id)
        shares.forget(session, job_id)
        session.execute(delete(Result).where(Result.job_id == job_id))
        session.execute(delete(StoredPicture).where(StoredPicture.job_id == job_id))
        session.execute(delete(Photo).where(Photo.job_id == job_id))
        for folder in (pictures.results_prefix(job_id), uploads.prefix(job.upload_session_id)):
            previews.forget(session, folder)


def list_unpurged(session: Session) -> list[str]:
    """The ids of at most BATCH expired jobs whose files may still be in the store."""
    query = select(Job.id).where(Job.expired_at.is_not(None), Job.purged_at.is_(None))
    return list(session.scalars(query.limit(BATCH)))


def purge(database: Database, storage: Storage, job_id: str, clock: Callable[[], datetime]) -> None:
    """Remove the files of an expired job, except published ones, and then record that they are removed.

    After a crash or an error of the store nothing is recorded, and the next sweep repeats the removal.
    """
    with database.read_session() as session:
        session_id = session.get_one(Job, job_id).upload_session_id
        kept = public_pages.list_kept_keys(session, job_id, clock())
    purge_files(storage, session_id, job_id, kept)
    with database.unit_of_work() as session:
        jobs.lock(session, job_id).purged_at = clock()


def purge_files(storage: Storage, session_id: str, job_id: str, kept: Collection[str]) -> None:
    """Remove the files of an expired job, except those `kept`; harmless to repeat."""
    for prefix in (pictures.results_prefix(job_id), uploads.prefix(session_id)):
        if not any(key.startswith(prefix) for key in kept):
            storage.delete_prefix(prefix)
            continue
        for file in list(storage.list_files(prefix)):
            if file.key not in kept:
                storage.delete(file.key)
