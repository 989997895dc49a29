"""The sweep: finds what is due in the database and does it; any number of copies may run at once."""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from sqlalchemy.orm import Session

from app.database import Database
from app.domain.ports import PHOTO_QUEUES, Queue, QueueName, QueueUnavailableError, Storage
from app.domain.retention import PARTIAL_FILES_KEPT
from app.models import Heartbeat, Job
from app.services.accounts import logos, mailed_links, sign_ups
from app.services.billing.payment_service import PaymentService
from app.services.idempotency import idempotency_records
from app.services.mail import outbox
from app.services.orders import draft_removals, drafts, jobs
from app.services.photos import lost_originals, packs, photos, pictures, public_pages
from app.services.photos.lost_originals import PublishedOriginal
from app.services.previews import previews
from app.services.retention import expiry
from app.services.security import kept_forms, known_browsers, sign_ins
from app.services.uploads import uploads
from app.services.uploads.arrivals import Arrivals
from app.services.webhooks import deliveries, delivery_log

log = logging.getLogger(__name__)

MAX_WAKE_UPS = 100
"""Wake-ups waiting at once that the sweep may bring about, so that a long backlog is not notified over and over."""
MOST_BATCHES = 50
HEARTBEAT = "sweeper"
_TIMERS: dict[str, tuple[float, bool]] = {}
"""The timers: after how many seconds each is due again, and whether it asks the store."""
_Thing = TypeVar("_Thing")
_Method = TypeVar("_Method", bound=Callable[["Sweep"], None])


def every(seconds: float, *, asks_store: bool = False) -> Callable[[_Method], _Method]:
    """Make a method of the sweep a timer, due again after so many seconds.

    `asks_store`: a store that is silent may hold it up, and it must hold up no other.
    """

    def note(method: _Method) -> _Method:
        _TIMERS[method.__name__] = seconds, asks_store
        return method

    return note


@dataclass(frozen=True, slots=True)
class Sweep:
    """The timers of the service, each a method."""

    database: Database
    storage: Storage
    queue: Queue
    clock: Callable[[], datetime]
    kept_for: timedelta
    arrivals: Arrivals
    payment_service: PaymentService | None = None

    @every(seconds=5)
    def beat(self) -> None:
        """Show a sign of life."""
        with self.database.unit_of_work() as session:
            session.merge(Heartbeat(name=HEARTBEAT, beat_at=self.clock()))

    @every(seconds=5)
    def fail_overdue_jobs(self) -> None:
        """End jobs that took too long."""
        with self.database.read_session() as session:
            late = jobs.list_overdue(session, self.clock())
        self._each(late, self._change(lambda session, job_id: jobs.expire(session, job_id, self.clock())))

    @every(seconds=5)
    def notify_due_photos(self) -> None:
        """Notify workers again of photos whose wake-up was lost, whose retry is due or whose worker died."""
        for cost, queue_name in PHOTO_QUEUES.items():
            self._notify_due(queue_name, partial(photos.due, cost=cost))

    @every(seconds=5)
    def notify_due_pictures(self) -> None:
        """The same for other pictures than their first, which wait among the photos of their cost."""
        for cost, queue_name in PHOTO_QUEUES.items():
            self._notify_due(queue_name, partial(pictures.due, cost=cost))

    @every(seconds=0.5)
    def notify_due_deliveries(self) -> None:
        """The same for webhook deliveries, queue by queue, soon: the first retry may be three seconds late."""
        for queue_name in (QueueName.HOOKS_FAST, QueueName.HOOKS_SLOW):
            self._notify_due(queue_name, partial(deliveries.due, queue_name=queue_name))

    @every(seconds=5)
    def notify_due_mail(self) -> None:
        """The same for mail."""
        self._notify_due(QueueName.MAIL, outbox.QUEUE.due)

    @every(seconds=5)
    def notify_due_previews(self) -> None:
        """The same for previews."""
        self._notify_due(QueueName.PREVIEWS, previews.QUEUE.due)

    @every(seconds=5)
    def notify_due_packs(self) -> None:
        """The same for packs, which workers of previews make."""
        self._notify_due(QueueName.PREVIEWS, packs.QUEUE.due)

    @every(seconds=5)
    def notify_due_logos(self) -> None:
        """The same for logos, which workers of previews make, too."""
        self._notify_due(QueueName.PREVIEWS, logos.QUEUE.due)

    @every(seconds=60)
    def expire_jobs(self) -> None:
        """Let go of the pictures of jobs settled long ago."""
        with self.database.read_session() as session:
            old = expiry.list_expired(session, self.clock(), self.kept_for)
        self._each(old, self._change(lambda session, job_id: expiry.end_retention(session, job_id, self.clock())))

    @every(seconds=60, asks_store=True)
    def purge_files(self) -> None:
        """Remove the files of expired jobs."""
        with self.database.read_session() as session:
            left = expiry.list_unpurged(session)
        self._each(left, self._purge)

    @every(seconds=60, asks_store=True)
    def purge_public_pages(self) -> None:
        """Remove what is published no longer and nothing else keeps."""
        with self.database.read_session() as session:
            ended = public_pages.list_ended(session, self.clock())
        self._each(ended, self._change(self._purge_page))

    @every(seconds=60, asks_store=True)
    def look_for_originals(self) -> None:
        """See that the originals that are published are there, each once a day."""
        with self.database.read_session() as session:
            unseen = lost_originals.list_unseen(session, self.clock())
        self._each(unseen, self._look)

    @every(seconds=3600)
    def forget_old_drafts(self) -> None:
        """Remove drafts that nobody went on with; their files go with the unused uploads."""
        self._all_of(drafts.forget)

    @every(seconds=300, asks_store=True)
    def forget_removed_photos(self) -> None:
        """Remove photos that were taken out of drafts and not brought back, with their files."""
        with self.database.read_session() as session:
            old = draft_removals.list_old(session, self.clock())
        self._each(old, self._change(lambda session, each: draft_removals.forget(session, self.storage, each)))

    @every(seconds=300, asks_store=True)
    def forget_unused_uploads(self) -> None:
        """Remove upload sessions that no order used, with their files."""
        with self.database.read_session() as session:
            unused = uploads.list_unused(session, self.clock())
        self._each(unused, self._change(self._forget))

    @every(seconds=60, asks_store=True)
    def look_at_incoming_files(self) -> None:
        """Count what customers put into the bucket themselves; remove what no order can use."""
        self.arrivals.look_at_all()

    @every(seconds=3600, asks_store=True)
    def tidy_storage(self) -> None:
        """Remove what cut-off writers left in the store."""
        self.storage.tidy(PARTIAL_FILES_KEPT.total_seconds())

    @every(seconds=300)
    def forget_old_deliveries(self) -> None:
        """Remove from the log what was kept long enough."""
        self._all_of(delivery_log.forget)

    @every(seconds=3600)
    def forget_old_mail(self) -> None:
        """Remove mail that went out, or was given up, long ago."""
        self._all_of(outbox.forget)

    @every(seconds=300)
    def forget_idempotency_records(self) -> None:
        """Remove answers kept for a repeated request, once their time is over."""
        self._all_of(idempotency_records.forget)

    @every(seconds=3600)
    def forget_sign_ins(self) -> None:
        """Remove sign-ins whose time is over."""
        self._all_of(sign_ins.forget)

    @every(seconds=3600)
    def forget_known_browsers(self) -> None:
        """Remove browsers that accounts were not used from for long."""
        self._all_of(known_browsers.forget)

    @every(seconds=3600)
    def forget_kept_forms(self) -> None:
        """Remove what somebody typed after their sign-in had ended, and did not come back for."""
        self._all_of(kept_forms.forget)

    @every(seconds=3600)
    def forget_mailed_links(self) -> None:
        """Remove links sent by mail that hold no longer."""
        self._all_of(mailed_links.forget)

    @every(seconds=3600)
    def forget_unconfirmed(self) -> None:
        """Remove accounts whose e-mail nobody ever confirmed."""
        self._all_of(sign_ups.forget)

    @every(seconds=60)
    def ask_about_payments(self) -> None:
        """Ask how purchases stand of which nothing was heard for long: a message may be lost."""
        if self.payment_service is not None:
            self._each(self.payment_service.unheard(), self.payment_service.ask)

    def timers(self) -> Iterator[tuple[str, float, Callable[[], None], bool]]:
        """Every timer: its name, after how many seconds it is due again, its act, whether it asks the store."""
        for name, (seconds, asks_store) in _TIMERS.items():
            yield name.replace("_", " "), seconds, getattr(self, name), asks_store

    def everything(self) -> None:
        """Each timer once, in the order in which they stand here."""
        for _, _, act, _ in self.timers():
            act()

    def _notify_due(self, queue_name: QueueName, due: Callable[[Session, datetime, int], list[str]]) -> None:
        try:
            free = MAX_WAKE_UPS - self.queue.waiting(queue_name)
            if free > 0:
                with self.database.read_session() as session:
                    found = due(session, self.clock(), free)
                self.queue.notify(queue_name, found)
        except QueueUnavailableError as error:
            log.warning("no worker can be notified: %s", error)

    def _all_of(self, forget: Callable[[Session, datetime], int]) -> None:
        """Batch by batch, each in a unit of work of its own, so that nobody waits long for the database."""
        for _ in range(MOST_BATCHES):
            with self.database.unit_of_work() as session:
                if not forget(session, self.clock()):
                    return

    def _purge(self, job_id: str) -> None:
        # Noted only once the files are gone: a crash or a disk that refuses in between repeats it.
        with self.database.read_session() as session:
            session_id = session.get_one(Job, job_id).upload_session_id
            kept = public_pages.list_kept_keys(session, job_id, self.clock())
        expiry.purge_files(self.storage, session_id, job_id, kept)
        with self.database.unit_of_work() as session:
            jobs.lock(session, job_id).purged_at = self.clock()

    def _purge_page(self, session: Session, page_id: str) -> None:
        public_pages.purge(session, self.storage, page_id, self.clock())

    def _look(self, original: PublishedOriginal) -> None:
        found = self.storage.stat(original.key) is not None
        if not found:
            log.error("public page %s: the original of picture %s is lost", original.page_id, original.number)
        with self.database.unit_of_work() as session:
            lost_originals.note(session, original.page_id, original.number, self.clock(), found=found)

    def _forget(self, session: Session, session_id: str) -> None:
        # Before the commit, for the same reason. An order that comes in meanwhile waits, and is refused uncharged.
        if uploads.forget(session, session_id):
            self.storage.delete_prefix(uploads.prefix(session_id))

    def _change(self, act: Callable[[Session, str], None]) -> Callable[[str], None]:
        """The act on one id, in a unit of work of its own."""

        def change(each: str) -> None:
            with self.database.unit_of_work() as session:
                act(session, each)

        return change

    def _each(self, ids: Iterable[_Thing], act: Callable[[_Thing], None]) -> None:
        """The act on every one: one that breaks is logged, tried again next time, and keeps no other waiting."""
        for each in ids:
            try:
                act(each)
            except Exception:
                log.exception("sweep: %s broke", each)
