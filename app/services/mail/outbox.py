"""The outbox: mails are queued in the transaction of the change that they report, then sent by workers."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.database import Database, notify_after_commit
from app.domain.attempts import MAIL
from app.domain.lifecycle import WorkState
from app.domain.mail_text import clean, mailbox, one_line, render
from app.domain.ports import QueueName, Storage, StorageUnavailableError
from app.domain.retention import MAIL_KEPT
from app.domain.sending import Email, Mailer, MailNotSentError
from app.models import Mail
from app.services.leases import Lease, WorkQueue

log = logging.getLogger(__name__)

QUEUE = WorkQueue(Mail.id, Mail.attempts, MAIL)
BATCH = 1000
MAX_PER_WAKE_UP = 20
"""The maximum number of mails that a worker sends after one notification: enough to catch up when notifications
were lost, and few enough that the worker can stop soon.
"""
PICTURES_MADE_IN = timedelta(minutes=1)
"""How long a mail waits for the small pictures that it shows, so that they are made when it is sent."""
MAX_TO, MAX_SUBJECT, MAX_ERROR = 320, 300, 500
NO_ADDRESS = "This is no e-mail address."
INTERRUPTED = "Sending was interrupted at every try."


@dataclass(frozen=True, slots=True)
class MailClaim(Lease):
    """One worker's claim on one mail for one attempt."""

    message: Email


def post(session: Session, user_id: str, message: Email, now: datetime) -> Mail:
    """Queue the message to the user, in the caller's transaction; a worker is notified after the commit. A message
    with pictures is due PICTURES_MADE_IN later, and the sweep notifies a worker.

    No content of the message raises an exception, so that no change fails because of its mail: control characters
    are removed, the subject is cut to one line of MAX_SUBJECT characters, and a mail without a valid address is not
    sent.
    """
    is_valid = len(message.to) <= MAX_TO and mailbox(message.to) is not None
    due_at = now + PICTURES_MADE_IN if message.picture_keys else now
    mail = Mail(
        user_id=user_id,
        to=message.to if is_valid else one_line(message.to)[:MAX_TO],
        subject=one_line(message.subject)[:MAX_SUBJECT],
        text=clean(message.text),
        picture_keys=list(message.picture_keys) or None,
        state=WorkState.WAITING if is_valid else WorkState.DONE,
        error=None if is_valid else NO_ADDRESS,
        next_attempt_at=due_at,
        created_at=now,
    )
    session.add(mail)
    session.flush()
    if is_valid and due_at == now:
        notify_after_commit(session, QueueName.MAIL, [mail.id])
    return mail


def claim(session: Session, mail_id: str, now: datetime) -> MailClaim | None:
    """Claim the mail if it is due and no other worker has claimed it; this counts as an attempt.

    None when there is nothing to do. This includes a mail whose attempts are used up because workers died: it is
    given up now.
    """
    lease = QUEUE.claim(session, mail_id, now)
    return None if lease is None else _load_claim(session, lease)


def claim_next(session: Session, now: datetime) -> MailClaim | None:
    """Claim the mail that has been due for the longest time, like claim()."""
    lease = QUEUE.claim_next(session, now)
    return None if lease is None else _load_claim(session, lease)


def _load_claim(session: Session, lease: Lease) -> MailClaim | None:
    mail = session.get_one(Mail, lease.key, populate_existing=True)
    held = MailClaim(
        lease.claim_id,
        mail.id,
        lease.attempt,
        Email(mail.to, mail.subject, mail.text, tuple(mail.picture_keys or ())),
    )
    if held.attempt > MAIL.max_attempts:
        QUEUE.finish(session, held, error=mail.error or INTERRUPTED)
        return None
    return held


def finish(session: Session, held: MailClaim, now: datetime) -> bool:
    """Record that the mail was sent. Returns False, with nothing changed, when the claim was lost."""
    return QUEUE.finish(session, held, sent_at=now, error=None)


def retry(session: Session, held: MailClaim, error: MailNotSentError, now: datetime) -> bool:
    """Record a failed attempt with its error, and queue another attempt after a longer delay. If the error is
    permanent or this was the last attempt, give the mail up. Returns False like finish().
    """
    message = one_line(str(error))[:MAX_ERROR]
    if error.permanent or held.attempt >= MAIL.max_attempts:
        return QUEUE.finish(session, held, error=message)
    return QUEUE.retry(session, held, now, error=message)


def forget(session: Session, now: datetime) -> int:
    """Delete up to BATCH mails older than MAIL_KEPT, sent or not; returns how many."""
    old = select(Mail.id).where(Mail.created_at <= now - MAIL_KEPT).limit(BATCH)
    deleted = delete(Mail).where(Mail.id.in_(old)).returning(Mail.id)
    return len(session.execute(deleted.execution_options(synchronize_session=False)).all())


@dataclass(frozen=True, slots=True)
class MailWorker:
    """Sends queued mails."""

    database: Database
    mailer: Mailer
    clock: Callable[[], datetime]
    base_url: str
    """Scheme and host of the pages to which mails link."""
    storage: Storage | None = None
    """Where the pictures are that mails show; without it they show none."""

    def send(self, mail_id: str) -> None:
        """Make one attempt to send the mail if it is due and no other worker has claimed it, then other due mails.

        Does nothing if no mail is due. A mail is sent at least once: after a crash between sending and recording
        it, it is sent again with the same Message-ID.
        """
        with self.database.unit_of_work() as session:
            held = claim(session, mail_id, self.clock())
        for number in range(1, MAX_PER_WAKE_UP + 1):
            if held is None:
                return
            # No transaction is open during the call to the mail server.
            failure = self._attempt(held)
            # Stops after a failure: the mail server may be down, and the sweep notifies workers of the other mails.
            may_continue = failure is None and number < MAX_PER_WAKE_UP
            held = self._record_outcome(held, failure, claims_next=may_continue)

    def _record_outcome(
        self, held: MailClaim, failure: MailNotSentError | None, *, claims_next: bool
    ) -> MailClaim | None:
        """Record the outcome of one attempt; with `claims_next`, claim the next due mail in this transaction."""
        with self.database.unit_of_work() as session:
            now = self.clock()
            recorded = retry(session, held, failure, now) if failure else finish(session, held, now)
            next_claim = claim_next(session, now) if claims_next else None
        if not recorded:
            log.warning("mail %s: the claim was lost before the outcome was known", held.key)
        return next_claim

    def _attempt(self, held: MailClaim) -> MailNotSentError | None:
        try:
            pictures = self._read_pictures(held.message)
            whole = render(held.message.text, self.base_url)
            self.mailer.send(replace(held.message, text=whole, pictures=pictures), held.key)
        except MailNotSentError as error:
            log.warning("mail %s: attempt %d: %s", held.key, held.attempt, error)
            return error
        except Exception:
            log.exception("mail %s: attempt %d broke", held.key, held.attempt)
            return MailNotSentError("Sending broke down; the log says where.")
        return None

    def _read_pictures(self, message: Email) -> tuple[bytes, ...]:
        """The pictures of the message that are made already. If the store cannot be reached, the mail is sent
        without the other pictures.
        """
        storage, found = self.storage, list[bytes]()
        if storage is None:
            return ()
        for key in message.picture_keys:
            try:
                with storage.open(key) as file:
                    found.append(file.read())
            except FileNotFoundError:
                continue
            except StorageUnavailableError:
                break
        return tuple(found)
