"""The sweep: finds what is due in the database and does it; any number of copies may run at once."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.database import Database
from app.domain.ports import Queue, QueueUnavailableError, Storage
from app.models import Heartbeat, Job
from app.services import jobs, photos, retention, uploads

log = logging.getLogger(__name__)

MAX_RINGS = 100
"""Rings waiting at once that the sweep may bring about, so that a long backlog is not rung for over and over."""
ABANDONED = timedelta(hours=6)
"""No upload takes this long."""
HEARTBEAT = "sweeper"


@dataclass(frozen=True, slots=True)
class Sweep:
    """What the timers do, each method one of them."""

    database: Database
    storage: Storage
    queue: Queue
    clock: Callable[[], datetime]
    kept_for: timedelta

    def beat(self) -> None:
        """Show a sign of life."""
        with self.database.unit_of_work() as session:
            session.merge(Heartbeat(name=HEARTBEAT, beat_at=self.clock()))

    def ring_due_photos(self) -> None:
        """Ring again for photos whose ring was lost, whose retry is due or whose worker died."""
        try:
            room = MAX_RINGS - self.queue.waiting()
            if room > 0:
                with self.database.reading() as session:
                    due = photos.due(session, self.clock(), room)
                self.queue.ring(due)
        except QueueUnavailableError as error:
            log.warning("the doorbell cannot be rung: %s", error)

    def fail_overdue_jobs(self) -> None:
        """End jobs that took too long."""
        with self.database.reading() as session:
            late = jobs.overdue(session, self.clock())
        for job_id in late:
            with self.database.unit_of_work() as session:
                jobs.expire(session, job_id, self.clock())

    def expire_jobs(self) -> None:
        """Let go of the pictures of jobs settled long ago."""
        with self.database.reading() as session:
            old = retention.ripe(session, self.clock(), self.kept_for)
        for job_id in old:
            with self.database.unit_of_work() as session:
                retention.expire(session, job_id, self.clock())

    def purge_files(self) -> None:
        """Remove the files of expired jobs; noted only afterwards, so a crash in between repeats it."""
        with self.database.reading() as session:
            left = [session.get_one(Job, job_id) for job_id in retention.unpurged(session)]
        for job in left:
            retention.purge_files(self.storage, job.upload_session_id, job.id)
            with self.database.unit_of_work() as session:
                jobs.lock(session, job.id).purged_at = self.clock()

    def forget_unused_uploads(self) -> None:
        """Remove upload sessions that no order used. The files go first: a crash in between repeats it.

        An order that comes in at this very moment finds its files gone and is refused, uncharged.
        """
        with self.database.reading() as session:
            unused = uploads.unused(session, self.clock())
        for session_id in unused:
            with self.database.unit_of_work() as session:
                if uploads.forget(session, session_id):
                    self.storage.delete_prefix(uploads.prefix(session_id))

    def tidy_storage(self) -> None:
        """Remove what cut-off writers left in the store."""
        self.storage.tidy(ABANDONED.total_seconds())

    def everything(self) -> None:
        """Each timer once."""
        self.fail_overdue_jobs()
        self.ring_due_photos()
        self.expire_jobs()
        self.purge_files()
        self.forget_unused_uploads()
        self.tidy_storage()
        self.beat()
