"""Mail: posted with what it tells, claimed under a lease, sent, tried again later, given up, forgotten."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.database import Database, notify_after_commit
from app.domain.attempts import MAIL
from app.domain.lifecycle import WorkState
from app.domain.mail_text import clean, mailbox, one_line, render
from app.domain.ports import QueueName
from app.domain.retention import MAIL_KEPT
from app.domain.sending import Email, Mailer, MailNotSentError
from app.models import Mail
from app.services.leases import Lease, WorkQueue

log = logging.getLogger(__name__)

QUEUE = WorkQueue(Mail.id, Mail.attempts, MAIL)
BATCH = 1000
IN_ONE_GO = 20
"""So many mails one wake-up may send, so that few wake-ups are enough after many were lost, and a stop is soon."""
MAX_TO, MAX_SUBJECT, MAX_ERROR = 320, 300, 500
NO_ADDRESS = "This is no e-mail address."
INTERRUPTED = "Sending was interrupted at every try."


@dataclass(frozen=True, slots=True)
class MailClaim(Lease):
    """One worker's hold on one mail for one attempt."""

    message: Email


def post(session: Session, user_id: str, message: Email, now: datetime) -> Mail:
    """Put the message to the user into the mail, in the caller's transaction; its worker hears after the commit.

    Never raises for what is in the message, so that no business fails over its mail: control characters are
    dropped, the subject is cut to one line of 300 characters, and one to no address is given up at once.
    """
    known = len(message.to) <= MAX_TO and mailbox(message.to) is not None
    mail = Mail(
        user_id=user_id,
        to=message.to if known else one_line(message.to)[:MAX_TO],
        subject=one_line(message.subject)[:MAX_SUBJECT],
        text=clean(message.text),
        state=WorkState.WAITING if known else WorkState.DONE,
        error=None if known else NO_ADDRESS,
        next_attempt_at=now,
        created_at=now,
    )
    session.add(mail)
    session.flush()
    if known:
        notify_after_commit(session, QueueName.MAIL, [mail.id])
    return mail


def claim(session: Session, mail_id: str, now: datetime) -> MailClaim | None:
    """Take the mail if it is due and nobody else's; the attempt counts from now on, whatever becomes of it.

    None when there is nothing to do: also when its senders died too often and it was given up.
    """
    lease = QUEUE.claim(session, mail_id, now)
    return None if lease is None else _held(session, lease)


def claim_next(session: Session, now: datetime) -> MailClaim | None:
    """Take the mail longest due, like claim()."""
    lease = QUEUE.claim_next(session, now)
    return None if lease is None else _held(session, lease)


def _held(session: Session, lease: Lease) -> MailClaim | None:
    mail = session.get_one(Mail, lease.key, populate_existing=True)
    held = MailClaim(lease.claim_id, mail.id, lease.attempt, Email(mail.to, mail.subject, mail.text))
    if held.attempt > MAIL.max_attempts:
        QUEUE.finish(session, held, error=mail.error or INTERRUPTED)
        return None
    return held


def finish(session: Session, held: MailClaim, now: datetime) -> bool:
    """Note that the mail went out; False, with nothing changed, when the claim was lost meanwhile."""
    return QUEUE.finish(session, held, sent_at=now, error=None)


def retry(session: Session, held: MailClaim, error: MailNotSentError, now: datetime) -> bool:
    """The mail did not go out: let another try follow, later each time; give it up when none can help or it was
    the last. The error is kept. False like finish().
    """
    message = one_line(str(error))[:MAX_ERROR]
    if error.permanent or held.attempt >= MAIL.max_attempts:
        return QUEUE.finish(session, held, error=message)
    return QUEUE.retry(session, held, now, error=message)


def forget(session: Session, now: datetime) -> int:
    """Remove some mails older than 30 days, sent or not: nobody waits for one so late; how many there were."""
    old = select(Mail.id).where(Mail.created_at <= now - MAIL_KEPT).limit(BATCH)
    gone = delete(Mail).where(Mail.id.in_(old)).returning(Mail.id)
    return len(session.execute(gone.execution_options(synchronize_session=False)).all())


@dataclass(frozen=True, slots=True)
class MailWorker:
    """What sending needs."""

    database: Database
    mailer: Mailer
    clock: Callable[[], datetime]
    base_url: str
    """Where the pages are that mails lead to."""

    def send(self, mail_id: str) -> None:
        """Make one try if the mail is due and nobody else's, and one at what else is due, one after the other.

        Harmless otherwise, however often it is called. At least once: a crash after the mailer took the message
        sends it again, under the same Message-ID.
        """
        with self.database.unit_of_work() as session:
            held = claim(session, mail_id, self.clock())
        for number in range(1, IN_ONE_GO + 1):
            if held is None:
                return
            # No transaction is open while the mail server is spoken to.
            failure = self._hand_over(held)
            # A mail server that is down would hold this worker up: what else is due has its own wake-ups.
            held = self._note(held, failure, goes_on=number < IN_ONE_GO and failure is None)

    def _note(self, held: MailClaim, failure: MailNotSentError | None, *, goes_on: bool) -> MailClaim | None:
        """What became of one mail; the next one, in the same transaction."""
        with self.database.unit_of_work() as session:
            now = self.clock()
            kept = retry(session, held, failure, now) if failure else finish(session, held, now)
            following = claim_next(session, now) if goes_on else None
        if not kept:
            log.warning("mail %s: the claim was lost before the outcome was known", held.key)
        return following

    def _hand_over(self, held: MailClaim) -> MailNotSentError | None:
        try:
            whole = render(held.message.text, self.base_url)
            self.mailer.send(replace(held.message, text=whole), held.key)
        except MailNotSentError as error:
            log.warning("mail %s: attempt %d: %s", held.key, held.attempt, error)
            return error
        except Exception:
            log.exception("mail %s: attempt %d broke", held.key, held.attempt)
            return MailNotSentError("Sending broke down; the log says where.")
        return None
