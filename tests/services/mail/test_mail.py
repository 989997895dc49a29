"""Mail goes out at least once, or is given up with its error kept; a crash anywhere loses none."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import BinaryIO

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.attempts import MAIL
from app.domain.lifecycle import WorkState
from app.domain.mail_text import BASE_URL_PLACEHOLDER as HERE
from app.domain.ports import StorageUnavailableError
from app.domain.sending import Email, MailNotSentError
from app.models import Mail
from app.services.mail import outbox
from app.services.mail.outbox import MailWorker
from tests import databases, reading
from tests.acts import KilledError, killed
from tests.conftest import PHOTO, Api, develop, work
from tests.fakes import FakeClock, photo

LETTER = Email("jo@example.com", "Your webhook fails", "Hello Jo,\n\nit fails.\n")
DAY = timedelta(days=1)
BASE_URL = "https://photos.example"


@dataclass
class FakeMailer:
    """Keeps what it is given, unless `trouble` has something else in mind."""

    sent: list[tuple[str, Email]] = field(default_factory=list)
    trouble: Callable[[], None] = lambda: None

    def send(self, letter: Email, mail_id: str) -> None:
        self.trouble()
        self.sent.append((mail_id, letter))


def not_sent(text: str = "451 later", permanent: bool = False) -> Callable[[], None]:
    def trouble() -> None:
        raise MailNotSentError(text, permanent=permanent)

    return trouble


@pytest.fixture
def mailer() -> FakeMailer:
    return FakeMailer()


@pytest.fixture
def mail_worker(container: Container, mailer: FakeMailer) -> MailWorker:
    return MailWorker(container.database, mailer, container.clock, BASE_URL)


@pytest.fixture
def mail_id(api: Api, container: Container) -> str:
    """A posted mail."""
    return posted(api, container, LETTER)


def posted(api: Api, container: Container, letter: Email) -> str:
    with container.database.unit_of_work() as session:
        return outbox.post(session, api.account_id, letter, container.clock()).id


def row(container: Container, mail_id: str) -> Mail:
    return reading.one(container, Mail, mail_id)


def due(container: Container, limit: int = 100) -> list[str]:
    with container.database.read_session() as session:
        return outbox.QUEUE.due(session, container.clock(), limit)


def test_a_posted_mail_is_sent_once_however_often_it_is_rung(container, mailer, mail_worker, mail_id) -> None:
    assert due(container) == [mail_id]
    for _ in range(3):
        mail_worker.send(mail_id)
    assert mailer.sent == [(mail_id, LETTER)]
    kept = row(container, mail_id)
    assert (kept.state, kept.attempts, kept.error) == (WorkState.DONE, 1, None)
    assert (kept.sent_at, kept.claim_id, kept.lease_until) == (container.clock(), None, None)
    assert due(container) == []


def test_the_address_of_the_service_is_written_out_when_a_mail_is_sent(api, container, mailer, mail_worker) -> None:
    mail_id = posted(
        api,
        container,
        Email("jo@example.com", f"Hi {HERE}", f"See:\n{HERE}/orders\n"),
    )
    mail_worker.send(mail_id)
    assert mailer.sent == [(mail_id, Email("jo@example.com", "Hi", "See:\nhttps://photos.example/orders\n"))]


def test_a_post_that_is_rolled_back_sends_nothing(api: Api, container: Container) -> None:
    with pytest.raises(RuntimeError), container.database.unit_of_work() as session:
        outbox.post(session, api.account_id, LETTER, container.clock())
        raise RuntimeError
    assert due(container) == []


def test_ringing_for_an_unknown_mail_is_harmless(mail_worker: MailWorker, mailer: FakeMailer) -> None:
    mail_worker.send("mai_unknown")
    assert mailer.sent == []


def test_retries_wait_longer_each_time_until_the_mail_is_given_up(
    container, mailer, mail_worker, mail_id, clock: FakeClock
) -> None:
    mailer.trouble = not_sent()
    waits = [
        timedelta(minutes=1),
        timedelta(minutes=5),
        timedelta(minutes=30),
        timedelta(hours=2),
        timedelta(hours=12),
    ]
    for attempt, wait in enumerate(waits, start=1):
        mail_worker.send(mail_id)
        kept = row(container, mail_id)
        assert (kept.state, kept.attempts, kept.error) == (WorkState.WAITING, attempt, "451 later")
        assert kept.next_attempt_at - clock() == wait
        clock.pass_(seconds=wait.total_seconds() - 1)
        assert due(container) == []
        mail_worker.send(mail_id)  # notified too early
        assert row(container, mail_id).attempts == attempt
        clock.pass_(seconds=1)
        assert due(container) == [mail_id]
    mail_worker.send(mail_id)
    kept = row(container, mail_id)
    assert (kept.state, kept.attempts, kept.error, kept.sent_at) == (WorkState.DONE, 6, "451 later", None)
    clock.pass_(days=1)
    assert due(container) == []
    assert mailer.sent == []


def test_a_retry_that_succeeds_forgets_the_error(container, mailer, mail_worker, mail_id, clock: FakeClock) -> None:
    mailer.trouble = not_sent()
    mail_worker.send(mail_id)
    mailer.trouble = lambda: None
    clock.pass_(minutes=1)
    mail_worker.send(mail_id)
    kept = row(container, mail_id)
    assert (kept.state, kept.attempts, kept.error, kept.sent_at) == (WorkState.DONE, 2, None, clock())


def test_a_permanent_refusal_is_given_up_at_once_with_its_words_kept(
    container, mailer, mail_worker, mail_id
) -> None:
    mailer.trouble = not_sent("550 no\x00such user\r\n" + "x" * 1000, permanent=True)
    mail_worker.send(mail_id)
    kept = row(container, mail_id)
    assert (kept.state, kept.attempts, kept.sent_at) == (WorkState.DONE, 1, None)
    assert kept.error == ("550 no such user " + "x" * 1000)[:500]


def test_a_mailer_that_breaks_is_tried_again(container, mailer, mail_worker, mail_id, caplog) -> None:
    mailer.trouble = lambda: 1 / 0
    mail_worker.send(mail_id)
    kept = row(container, mail_id)
    assert (kept.state, kept.attempts) == (WorkState.WAITING, 1)
    assert "ZeroDivisionError" in caplog.text
    assert "ZeroDivisionError" not in kept.error


def test_a_crash_counts_and_the_next_worker_takes_over_after_the_lease(
    container, mailer, mail_worker, mail_id, clock: FakeClock
) -> None:
    mailer.trouble = killed
    with pytest.raises(KilledError):
        mail_worker.send(mail_id)
    assert (row(container, mail_id).state, row(container, mail_id).attempts) == (WorkState.WORKING, 1)
    mailer.trouble = lambda: None
    mail_worker.send(mail_id)
    assert (mailer.sent, due(container)) == ([], [])
    clock.pass_(seconds=MAIL.lease.total_seconds() + 1)
    assert due(container) == [mail_id]
    mail_worker.send(mail_id)
    assert mailer.sent == [(mail_id, LETTER)]
    assert row(container, mail_id).attempts == 2


def test_a_mail_that_kills_its_senders_is_given_up(
    container, mailer, mail_worker, mail_id, clock: FakeClock
) -> None:
    mailer.trouble = killed
    for _ in range(MAIL.max_attempts):
        with pytest.raises(KilledError):
            mail_worker.send(mail_id)
        clock.pass_(seconds=MAIL.lease.total_seconds() + 1)
    mail_worker.send(mail_id)
    kept = row(container, mail_id)
    assert (kept.state, kept.error, kept.sent_at, kept.claim_id) == (WorkState.DONE, outbox.INTERRUPTED, None, None)
    assert due(container) == []


def test_a_sender_that_lost_its_claim_changes_nothing(
    container, mail_worker, mailer, mail_id, clock, caplog
) -> None:
    def overtaken() -> None:
        mailer.trouble = lambda: None
        clock.pass_(seconds=MAIL.lease.total_seconds() + 1)
        mail_worker.send(mail_id)
        raise MailNotSentError("550 too late", permanent=True)

    mailer.trouble = overtaken
    mail_worker.send(mail_id)
    kept = row(container, mail_id)
    assert (kept.state, kept.attempts, kept.error) == (WorkState.DONE, 2, None)
    assert kept.sent_at is not None
    assert "the claim was lost" in caplog.text


@pytest.mark.parametrize("late", [lambda: None, not_sent(), not_sent("550 no", permanent=True)])
def test_a_sender_that_was_overtaken_leaves_the_mail_to_the_one_who_holds_it(
    container, mail_worker, mailer, mail_id, clock, late: Callable[[], None]
) -> None:
    def overtaken() -> None:
        mailer.trouble = killed
        clock.pass_(seconds=MAIL.lease.total_seconds() + 1)
        with pytest.raises(KilledError):
            mail_worker.send(mail_id)  # is still at it, for all the first one knows
        late()

    mailer.trouble = overtaken
    mail_worker.send(mail_id)
    kept = row(container, mail_id)
    assert (kept.state, kept.attempts, kept.error, kept.sent_at) == (WorkState.WORKING, 2, None, None)
    assert kept.lease_until == clock() + MAIL.lease


def test_no_transaction_is_open_while_the_mail_goes_out(api: Api, container, mailer, mail_worker, mail_id) -> None:
    def post_another() -> None:
        mailer.trouble = lambda: None
        posted(api, container, LETTER)  # would wait for ever beside another writer

    mailer.trouble = post_another
    mail_worker.send(mail_id)
    assert len(mailer.sent) == 2, "what is due meanwhile follows at once"


def test_one_wake_up_sends_what_else_is_due_so_many_at_most(
    api: Api, container, mailer, mail_worker, mail_id
) -> None:
    others = [posted(api, container, LETTER) for _ in range(outbox.MAX_PER_WAKE_UP + 4)]
    mail_worker.send(mail_id)
    sent = [each for each, _ in mailer.sent]
    assert sent[0] == mail_id
    assert (len(sent), len(set(sent))) == (outbox.MAX_PER_WAKE_UP, outbox.MAX_PER_WAKE_UP)
    mail_worker.send(due(container)[0])
    assert {each for each, _ in mailer.sent} == {mail_id, *others}
    assert due(container) == []


def test_a_mail_server_that_is_down_is_tried_once_a_wake_up(
    api: Api, container, mailer, mail_worker, mail_id
) -> None:
    other = posted(api, container, LETTER)
    mailer.trouble = not_sent()
    mail_worker.send(mail_id)
    assert (row(container, mail_id).attempts, row(container, other).attempts) == (1, 0)


@pytest.mark.skipif(not databases.GIVEN, reason="SQLite has one writer")
def test_who_takes_the_next_mail_does_not_wait_for_one_that_is_being_taken(api: Api, container, mail_id) -> None:
    other = posted(api, container, LETTER)
    with container.database.unit_of_work() as first, container.database.unit_of_work() as second:
        taken = [outbox.claim_next(each, container.clock()) for each in (first, second)]
        assert {each.key for each in taken if each} == {mail_id, other}


def test_the_longest_due_are_due_first_and_no_more_than_asked_for(api: Api, container, clock: FakeClock) -> None:
    ids = []
    for _ in range(3):
        ids.append(posted(api, container, LETTER))
        clock.pass_(seconds=1)
    assert due(container, 2) == ids[:2]


def test_a_letter_is_cleaned_so_that_no_database_and_no_mail_chokes_on_it(api: Api, container: Container) -> None:
    letter = Email("jo@example.com", "Hi\r\nBcc: x@evil.example\x00" + "ü" * 400, "a\x00b\ud800c\r\nd\te\n")
    kept = row(container, posted(api, container, letter))
    assert kept.subject == ("Hi Bcc: x@evil.example " + "ü" * 400)[:300]
    assert kept.text == "a b c\nd\te\n"
    assert kept.to == "jo@example.com"


@pytest.mark.parametrize(
    "to",
    ["", "jo", "jo@example.com\nBcc: x@evil.example", "jo\x00@example.com", "x" * 320 + "@example.com", "\ud800@x"],
)
def test_a_letter_to_no_address_is_kept_with_its_error_and_never_sent(
    api: Api, container, mailer, mail_worker, to: str
) -> None:
    mail_id = posted(api, container, Email(to, "Hello", "Hello"))
    kept = row(container, mail_id)
    assert (kept.state, kept.error, kept.sent_at) == (WorkState.DONE, outbox.NO_ADDRESS, None)
    mail_worker.send(mail_id)
    assert (mailer.sent, due(container)) == ([], [])


def test_mail_is_forgotten_after_thirty_days_batch_by_batch(
    api: Api, container, clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "BATCH", 2)
    for _ in range(3):
        posted(api, container, LETTER)
    clock.pass_(days=1)
    young = posted(api, container, LETTER)

    def forgotten() -> int:
        with container.database.unit_of_work() as session:
            return outbox.forget(session, clock())

    clock.pass_(days=29, seconds=-1)
    assert forgotten() == 0
    clock.pass_(seconds=1)
    assert [forgotten(), forgotten(), forgotten()] == [2, 1, 0]
    assert reading.found(container, select(Mail.id)) == [young]


def test_the_mail_of_a_ready_order_shows_its_first_results_and_waits_a_minute_for_them(
    api: Api, container: Container, mailer: FakeMailer, clock: FakeClock
) -> None:
    job_id = api.order(interior=[PHOTO], exterior=[PHOTO, photo("DECLINE")])["jobId"]
    work(container)
    ready = reading.found(container, select(Mail).where(Mail.subject.contains("ready")))
    (mail_id,) = [each.id for each in ready if job_id in each.text]
    worker = MailWorker(container.database, mailer, container.clock, BASE_URL, container.storage)
    worker.send(mail_id)
    assert (mailer.sent, row(container, mail_id).attempts) == ([], 0)
    develop(container)
    clock.pass_(minutes=1)
    worker.send(mail_id)
    (letter,) = [letter for sent_id, letter in mailer.sent if sent_id == mail_id]
    assert len(letter.pictures) == 2
    assert all(letter.pictures)
    assert "2 of 3 photos" in letter.subject


def test_a_store_that_cannot_be_reached_is_asked_once_and_holds_up_no_mail(
    api: Api, container: Container, mailer: FakeMailer, clock: FakeClock
) -> None:
    mail_id = posted(api, container, replace(LETTER, picture_keys=("a", "b", "c")))
    clock.pass_(minutes=1)
    store = Unreachable()
    MailWorker(container.database, mailer, container.clock, BASE_URL, store).send(mail_id)
    assert [letter.pictures for _, letter in mailer.sent] == [()]
    assert store.asked == ["a"]


@dataclass
class Unreachable:
    """A store behind a network that is down."""

    asked: list[str] = field(default_factory=list)

    def open(self, key: str) -> BinaryIO:
        self.asked.append(key)
        raise StorageUnavailableError("the network is down")
