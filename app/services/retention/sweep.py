"""The sweep: finds work that is due in the database, and does it; any number of copies may run at once."""

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
from app.services.photos import lost_originals, packs, photos, pictures, public_pages
from app.services.previews import previews
from app.services.retention import expiry
from app.services.security import kept_forms, known_browsers, sign_ins
from app.services.uploads import uploads
from app.services.uploads.bucket_uploads import BucketIntake
from app.services.webhooks import deliveries, delivery_log

log = logging.getLogger(__name__)

MAX_WAKE_UPS = 100
"""Most wake-ups in a queue after the sweep has added some, so that a long backlog is not notified again and
again.
"""
MAX_BATCHES = 50
"""Most batches that one run of a timer removes."""
HEARTBEAT = "sweeper"
MINUTE, HOUR = 60, 3600
_Item = TypeVar("_Item")
_FindDue = Callable[[Session, datetime, int], list[str]]


@dataclass(frozen=True, slots=True)
class _Timer:
    """One task of the sweep, repeated every `seconds`.

    `asks_store`: it may hang while the store does not answer, and must not hold up the other tasks then.
    """

    act: Callable[["Sweep"], None]
    seconds: float
    asks_store: bool = False

    def __get__(self, sweep: "Sweep", _: type) -> Callable[[], None]:
        return partial(self.act, sweep)


def _every(seconds: float, *, asks_store: bool = False) -> Callable[[Callable[["Sweep"], None]], _Timer]:
    """Decorator that makes a method of the sweep a timer."""
    return lambda act: _Timer(act, seconds, asks_store)


def _notify(queues: Mapping[QueueName, _FindDue], seconds: float = 5) -> _Timer:
    """A timer that notifies workers again of due work in each queue: a wake-up was lost, a retry is due, or a
    worker died.
    """

    def act(sweep: "Sweep") -> None:
        for queue_name, due in queues.items():
            try:
                free = MAX_WAKE_UPS - sweep.queue.count_waiting(queue_name)
                if free > 0:
                    with sweep.database.read_session() as session:
                        found = due(session, sweep.clock(), free)
                    sweep.queue.notify(queue_name, found)
            except QueueUnavailableError as error:
                log.warning("no worker can be notified: %s", error)

    return _Timer(act, seconds)


def _by_work_size(due: Callable[..., list[str]]) -> Mapping[QueueName, _FindDue]:
    """The function that finds due work for each queue of photos; each queue has the photos of one work size."""
    return {queue_name: partial(due, work_size=work_size) for work_size, queue_name in PHOTO_QUEUES.items()}


def _forget(forget: Callable[[Session, datetime], int], seconds: float) -> _Timer:
    """A timer that removes old rows in batches, each in a unit of work of its own, so that nobody waits long for
    the database.
    """

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
    bucket_intake: BucketIntake
    payment_service: PaymentService | None = None

    @_every(5)
    def beat(self) -> None:
        """Record that the sweep is running."""
        with self.database.unit_of_work() as session:
            session.merge(Heartbeat(name=HEARTBEAT, beat_at=self.clock()))

    @_every(5)
    def fail_overdue_jobs(self) -> None:
        """End jobs that took too long."""
        self._change_each(
            jobs.list_overdue, lambda session, each: jobs.fail_if_overdue(session, each, self.clock())
        )

    notify_due_photos = _notify(_by_work_size(photos.due))
    notify_due_pictures = _notify(_by_work_size(pictures.due))
    # Often, because the first retry may be at most three seconds late.
    notify_due_deliveries = _notify(
        {each: partial(deliveries.due, queue_name=each) for each in (QueueName.HOOKS_FAST, QueueName.HOOKS_SLOW)},
        seconds=0.5,
    )
    notify_due_mail = _notify({QueueName.MAIL: outbox.QUEUE.due})
    # Workers of previews make packs and logos, too.
    notify_due_previews = _notify({QueueName.PREVIEWS: previews.QUEUE.due})
    notify_due_packs = _notify({QueueName.PREVIEWS: packs.QUEUE.due})
    notify_due_logos = _notify({QueueName.PREVIEWS: logos.QUEUE.due})

    @_every(MINUTE)
    def expire_jobs(self) -> None:
        """Expire jobs whose pictures were kept long enough."""
        self._change_each(
            partial(expiry.list_expired, kept_for=self.kept_for),
            lambda session, each: expiry.end_retention(session, each, self.clock()),
        )

    @_every(MINUTE, asks_store=True)
    def purge_files(self) -> None:
        """Remove the files of expired jobs."""
        with self.database.read_session() as session:
            unpurged = expiry.list_unpurged(session)
        self._each(unpurged, lambda each: expiry.purge(self.database, self.storage, each, self.clock))

    @_every(MINUTE, asks_store=True)
    def purge_public_pages(self) -> None:
        """Remove files of public pages that have ended, where nothing else needs them."""
        self._change_each(
            public_pages.list_ended,
            lambda session, each: public_pages.purge(session, self.storage, each, self.clock()),
        )

    @_every(MINUTE, asks_store=True)
    def look_for_originals(self) -> None:
        """Look whether published originals are in the store, for each once a day."""
        with self.database.read_session() as session:
            unchecked = lost_originals.list_unchecked(session, self.clock())
        self._each(unchecked, lambda each: lost_originals.check(self.database, self.storage, each, self.clock))

    # The files of drafts go with the unused uploads.
    forget_old_drafts = _forget(drafts.forget, HOUR)

    @_every(5 * MINUTE, asks_store=True)
    def forget_removed_photos(self) -> None:
        """Delete photos that were taken out of drafts and not restored, with their files."""
        self._change_each(
            draft_removals.list_old, lambda session, each: draft_removals.forget(session, self.storage, each)
        )

    @_every(5 * MINUTE, asks_store=True)
    def forget_unused_uploads(self) -> None:
        """Remove upload sessions that no order used, with their files."""
        self._change_each(uploads.list_unused, self._forget_upload)

    @_every(MINUTE, asks_store=True)
    def look_at_incoming_files(self) -> None:
        """Count what customers put into the bucket themselves; remove what no order can use."""
        self.bucket_intake.check_all()

    @_every(HOUR, asks_store=True)
    def tidy_storage(self) -> None:
        """Remove partial files that interrupted writers left in the store."""
        self.storage.tidy(PARTIAL_FILES_KEPT.total_seconds())

    forget_old_deliveries = _forget(delivery_log.forget, 5 * MINUTE)
    forget_old_mail = _forget(outbox.forget, HOUR)
    forget_idempotency_records = _forget(idempotency_records.forget, 5 * MINUTE)
    forget_sign_ins = _forget(sign_ins.forget, HOUR)
    forget_known_browsers = _forget(known_browsers.forget, HOUR)
    forget_kept_forms = _forget(kept_forms.forget, HOUR)
    forget_mailed_links = _forget(mailed_links.forget, HOUR)
    forget_unconfirmed = _forget(sign_ups.forget, HOUR)

    @_every(MINUTE)
    def ask_about_payments(self) -> None:
        """Ask the provider about undecided purchases that it sent nothing about for long, in case its message was
        lost.
        """
        if self.payment_service is not None:
            self._each(self.payment_service.list_unreported(), self.payment_service.ask)

    def timers(self) -> Iterator[tuple[str, float, Callable[[], None], bool]]:
        """Each timer's name, the seconds after which it is due again, its function, and whether it asks the
        store.
        """
        for name, timer in vars(type(self)).items():
            if isinstance(timer, _Timer):
                yield name.replace("_", " "), timer.seconds, partial(timer.act, self), timer.asks_store

    def everything(self) -> None:
        """Run each timer once, in the order of this class."""
        for _, _, act, _ in self.timers():
            act()

    def _forget_upload(self, session: Session, session_id: str) -> None:
        # The files are removed before the commit, so that the removal is repeated after a crash in between. An
        # order for the session waits meanwhile, and is then refused uncharged.
        if uploads.forget(session, session_id):
            self.storage.delete_prefix(uploads.prefix(session_id))

    def _change_each(
        self, find: Callable[[Session, datetime], Iterable[str]], act: Callable[[Session, str], None]
    ) -> None:
        """Run `act` on each id that is found, each in a unit of work of its own."""

        def change(each: str) -> None:
            with self.database.unit_of_work() as session:
                act(session, each)

        with self.database.read_session() as session:
            found = find(session, self.clock())
        self._each(found, change)

    def _each(self, ids: Iterable[_Item], act: Callable[[_Item], None]) -> None:
        """Run `act` on each item. An item that fails is logged and tried again next time; the others go on."""
        for each in ids:
            try:
                act(each)
            except Exception:
                log.exception("sweep: %s broke", each)
