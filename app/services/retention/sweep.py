"""The sweep: does the work that is due by the clock. Any number of processes may run it at the same time."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from sqlalchemy.orm import Session

from app.database import Database
from app.domain.ports import PHOTO_QUEUES, Queue, QueueName, QueueUnavailableError, Storage
from app.domain.retention import PARTIAL_FILES_KEPT
from app.models import Heartbeat
from app.services.accounts import logos, mailed_links, sign_ups
from app.services.billing.payment_service import PaymentService
from app.services.idempotency import idempotency_records
from app.services.mail import outbox
from app.services.orders import draft_removals, drafts, jobs
from app.services.photos import lost_originals, packs, photos, pictures, public_pages, quality
from app.services.previews import outlooks, previews
from app.services.retention import expiry, keeping
from app.services.security import kept_forms, known_browsers, sign_ins
from app.services.team import activity, invitations
from app.services.uploads import fetches, uploads
from app.services.uploads.bucket_uploads import BucketIntake
from app.services.webhooks import deliveries, delivery_log, events

log = logging.getLogger(__name__)

MAX_WAKE_UPS = 100
"""The number of waiting notifications in a queue at which the sweep stops adding others, so that a long backlog is
not notified repeatedly.
"""
MAX_BATCHES = 50
"""The maximum number of batches of rows that one run of a timer removes."""
HEARTBEAT = "sweeper"
"""The name of the sweep's row in the table of heartbeats."""
MINUTE, HOUR = 60, 3600
_Item = TypeVar("_Item")
_FindDue = Callable[[Session, datetime, int], list[str]]


@dataclass(frozen=True, slots=True)
class _Timer:
    """One task of the sweep, repeated every `seconds`.

    `asks_store`: the task calls the store, which may not answer for long, so it runs apart from the other tasks.
    """

    act: Callable[["Sweep"], None]
    seconds: float
    asks_store: bool = False

    def __get__(self, sweep: "Sweep", _: type) -> Callable[[], None]:
        """Make a timer in the class body of Sweep callable like a method."""
        return partial(self.act, sweep)


def _every(seconds: float, *, asks_store: bool = False) -> Callable[[Callable[["Sweep"], None]], _Timer]:
    """Decorator that makes a method of the sweep a timer."""
    return lambda act: _Timer(act, seconds, asks_store)


def _make_notify_timer(queues: Mapping[QueueName, _FindDue], seconds: float = 5) -> _Timer:
    """Make a timer that notifies workers of due work in each queue, because a retry is due, a notification was
    lost, or a worker died.
    """

    def act(sweep: "Sweep") -> None:
        for queue_name, find_due in queues.items():
            try:
                free = MAX_WAKE_UPS - sweep.queue.count_waiting(queue_name)
                if free > 0:
                    with sweep.database.read_session() as session:
                        found = find_due(session, sweep.clock(), free)
                    sweep.queue.notify(queue_name, found)
            except QueueUnavailableError as error:
                log.warning("no worker can be notified: %s", error)

    return _Timer(act, seconds)


def _by_work_size(find_due: Callable[..., list[str]]) -> Mapping[QueueName, _FindDue]:
    """The function that finds due work, by queue: each queue of photos has the photos of one work size."""
    return {queue_name: partial(find_due, work_size=work_size) for work_size, queue_name in PHOTO_QUEUES.items()}


def _make_forget_timer(forget: Callable[[Session, datetime], int], seconds: float) -> _Timer:
    """Make a timer that deletes old rows in batches, each in its own transaction, so that locks are short."""

    def act(sweep: "Sweep") -> None:
        for _ in range(MAX_BATCHES):
            with sweep.database.unit_of_work() as session:
                if not forget(session, sweep.clock()):
                    return

    return _Timer(act, seconds)


@dataclass(frozen=True, slots=True)
class Sweep:
    """The timers of the service, in the order in which everything() runs them."""

    database: Database
    storage: Storage
    queue: Queue
    clock: Callable[[], datetime]
    kept_for: timedelta
    keep_quota: int
    bucket_intake: BucketIntake
    payment_service: PaymentService | None = None

    @_every(5)
    def beat(self) -> None:
        """Record that the sweep is running."""
        with self.database.unit_of_work() as session:
            session.merge(Heartbeat(name=HEARTBEAT, beat_at=self.clock()))

    @_every(5)
    def fail_overdue_jobs(self) -> None:
        """Fail jobs whose time limit is over."""
        self._run_in_units_of_work(
            jobs.list_overdue, lambda session, each: jobs.fail_if_overdue(session, each, self.clock())
        )

    @_every(5)
    def end_slow_reviews(self) -> None:
        """End the reviews of test orders that were to be slow."""
        self._run_in_units_of_work(
            quality.list_slow_reviews, lambda session, each: quality.end_slow_review(session, each, self.clock())
        )

    notify_due_photos = _make_notify_timer(_by_work_size(photos.due))
    notify_due_pictures = _make_notify_timer(_by_work_size(pictures.due))
    # Every half second, because the first retry must be at most three seconds late.
    notify_due_deliveries = _make_notify_timer(
        {each: partial(deliveries.due, queue_name=each) for each in (QueueName.HOOKS_FAST, QueueName.HOOKS_SLOW)},
        seconds=0.5,
    )
    # Files are fetched by the senders to slow receivers, so they are in the same queue.
    notify_due_fetches = _make_notify_timer({QueueName.HOOKS_SLOW: fetches.due})
    notify_due_mail = _make_notify_timer({QueueName.MAIL: outbox.QUEUE.due})
    # Packs, outlooks and logos are made by the workers of previews, so they are in the same queue.
    notify_due_previews = _make_notify_timer({QueueName.PREVIEWS: previews.QUEUE.due})
    notify_due_packs = _make_notify_timer({QueueName.PREVIEWS: packs.QUEUE.due})
    notify_due_outlooks = _make_notify_timer({QueueName.PREVIEWS: outlooks.QUEUE.due})
    notify_due_logos = _make_notify_timer({QueueName.PREVIEWS: logos.QUEUE.due})

    @_every(MINUTE)
    def keep_wanted_jobs(self) -> None:
        """Keep the photos of finished orders whose owner asked for that."""
        self._run_in_units_of_work(
            keeping.list_wanted,
            lambda session, each: keeping.keep_wanted(session, each, self.keep_quota, self.clock()),
        )

    @_every(MINUTE)
    def expire_jobs(self) -> None:
        """Expire jobs whose retention is over."""
        self._run_in_units_of_work(
            partial(expiry.list_expired, kept_for=self.kept_for),
            lambda session, each: expiry.end_retention(session, each, self.clock()),
        )

    @_every(MINUTE, asks_store=True)
    def purge_files(self) -> None:
        """Remove the files of expired jobs."""
        with self.database.read_session() as session:
            unpurged = expiry.list_unpurged(session)
        self._run_for_each(unpurged, lambda each: expiry.purge(self.database, self.storage, each, self.clock))

    @_every(MINUTE, asks_store=True)
    def purge_public_pages(self) -> None:
        """Remove the files of ended public pages, unless they are needed elsewhere."""
        self._run_in_units_of_work(
            public_pages.list_ended,
            lambda session, each: public_pages.purge(session, self.storage, each, self.clock()),
        )

    @_every(MINUTE, asks_store=True)
    def look_for_originals(self) -> None:
        """Check once a day for each published original whether it is in the store."""
        with self.database.read_session() as session:
            unchecked = lost_originals.list_unchecked(session, self.clock())
        self._run_for_each(
            unchecked, lambda each: lost_originals.check(self.database, self.storage, each, self.clock)
        )

    # The files of these drafts are removed by forget_unused_uploads().
    forget_old_drafts = _make_forget_timer(drafts.forget, HOUR)

    @_every(5 * MINUTE, asks_store=True)
    def forget_removed_photos(self) -> None:
        """Delete photos that were removed from drafts and not restored, with their files."""
        self._run_in_units_of_work(
            draft_removals.list_old, lambda session, each: draft_removals.forget(session, self.storage, each)
        )

    @_every(5 * MINUTE, asks_store=True)
    def forget_unused_uploads(self) -> None:
        """Remove upload sessions that no order used, with their files."""
        self._run_in_units_of_work(uploads.list_unused, self._forget_upload)

    @_every(MINUTE, asks_store=True)
    def look_at_incoming_files(self) -> None:
        """Count files that customers uploaded directly to the bucket; remove files that no order can use."""
        self.bucket_intake.check_all()

    @_every(HOUR, asks_store=True)
    def tidy_storage(self) -> None:
        """Remove incomplete files that remain in the store after a writer was interrupted."""
        self.storage.tidy(PARTIAL_FILES_KEPT.total_seconds())

    forget_old_deliveries = _make_forget_timer(delivery_log.forget, 5 * MINUTE)
    forget_old_events = _make_forget_timer(events.forget, 5 * MINUTE)
    forget_old_mail = _make_forget_timer(outbox.forget, HOUR)
    forget_idempotency_records = _make_forget_timer(idempotency_records.forget, 5 * MINUTE)
    forget_sign_ins = _make_forget_timer(sign_ins.forget, HOUR)
    forget_known_browsers = _make_forget_timer(known_browsers.forget, HOUR)
    forget_kept_forms = _make_forget_timer(kept_forms.forget, HOUR)
    forget_mailed_links = _make_forget_timer(mailed_links.forget, HOUR)
    forget_invitations = _make_forget_timer(invitations.forget, HOUR)
    forget_activity = _make_forget_timer(activity.forget, HOUR)
    forget_unconfirmed = _make_forget_timer(sign_ups.forget, HOUR)

    @_every(MINUTE)
    def ask_about_payments(self) -> None:
        """Ask the provider about undecided purchases for which no event came for too long: events may be lost."""
        if self.payment_service is not None:
            self._run_for_each(self.payment_service.list_unreported(), self.payment_service.ask)

    def timers(self) -> Iterator[tuple[str, float, Callable[[], None], bool]]:
        """For each timer: its name, the seconds between two runs, its function, and whether it calls the store."""
        for name, timer in vars(type(self)).items():
            if isinstance(timer, _Timer):
                yield name.replace("_", " "), timer.seconds, partial(timer.act, self), timer.asks_store

    def everything(self) -> None:
        """Run each timer once, in the order of this class."""
        for _, _, act, _ in self.timers():
            act()

    def _forget_upload(self, session: Session, session_id: str) -> None:
        # The files are removed before the commit, so that a crash between the two only repeats the removal. An
        # order with this session waits for the lock meanwhile, and is then refused without a charge.
        if uploads.forget(session, session_id):
            self.storage.delete_prefix(uploads.prefix(session_id))

    def _run_in_units_of_work(
        self, find: Callable[[Session, datetime], Iterable[str]], act: Callable[[Session, str], None]
    ) -> None:
        """Run `act` for each id that `find` returns, each in its own unit of work."""

        def change(each: str) -> None:
            with self.database.unit_of_work() as session:
                act(session, each)

        with self.database.read_session() as session:
            found = find(session, self.clock())
        self._run_for_each(found, change)

    def _run_for_each(self, ids: Iterable[_Item], act: Callable[[_Item], None]) -> None:
        """Run `act` for each item. If it raises an exception, this is logged, and the other items follow; the next
        run of the timer tries the item again.
        """
        for each in ids:
            try:
                act(each)
            except Exception:
                log.exception("sweep: %s broke", each)
