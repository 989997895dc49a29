"""A worker killed at any step of its work: another one does it, once, and nothing is lost or left over."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from app.container import Container
from app.domain.ports import QueueName
from app.domain.revisions import RevisionOutcome
from app.domain.sending import DeliveryRequest, DeliveryResult, DeliveryState, Email
from app.models import Mail, Result, Revision
from app.services.mail import outbox
from app.services.mail.outbox import MailWorker
from app.services.previews import previews
from tests.conftest import PHOTO, Api, develop, photo_worker, preview_worker, revise, revision_worker, work
from tests.fakes import FakeClock
from tests.faults.crash_points import MOST_STEPS, Steps, killed
from tests.sent_back import HDR, STAGING, ordered, round_of, send_back
from tests.services.hooks import FakeTransport, all_deliveries, answered, register, sweep

LEASES = {"minutes": 3}
"""Longer than any lease and any first pause: whoever was killed, their work may be taken over."""
RETENTION = timedelta(days=9)
Work = Callable[[Container, Steps], None]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "steps"


@pytest.fixture
def transport(container: Container) -> FakeTransport:
    container.transport = FakeTransport()
    return container.transport


def every_step(container: Container, log: Path, begin: Callable[[], Work]) -> Iterator[None]:
    """Begin anew and kill it at the first step, then at the second, until it comes to its end unharmed."""
    for turn in range(1, MOST_STEPS):
        work_on = begin()
        log.write_text("")
        died = killed(container, Steps(turn, log), work_on)
        yield
        if not died:
            return
    pytest.fail(f"the work has more than {MOST_STEPS} steps")


def files(container: Container) -> list[Path]:
    return [each for each in container.settings.storage_path.rglob("*") if each.is_file()]


def swept(container: Container, clock: FakeClock) -> list[Path]:
    """What the sweep leaves of the store once everything is past its retention."""
    clock.now += RETENTION
    for _ in range(10):
        container.sweep.everything()
        container.storage.tidy(0)
    return files(container)


def test_a_photos_work(api: Api, container: Container, clock: FakeClock, log: Path) -> None:
    order: dict = {}

    def begin() -> Work:
        order.update(api.order(interior=[PHOTO]))
        photo_id = order["assets"][0]["id"]

        def work_on(here: Container, steps: Steps) -> None:
            here.engine.before = lambda: steps.reach("the engine")
            photo_worker(here).process(photo_id)

        return work_on

    count = 0
    for _ in every_step(container, log, begin):
        count += 1
        clock.pass_(**LEASES)
        work(container)
        assert api.status(order["jobId"])["status"] == "approved", log.read_text()
        with container.database.read_session() as session:
            made = session.scalar(select(func.count()).where(Result.job_id == order["jobId"]))
        assert made == 1, log.read_text()
        assert api.credits() == 100 - count * 0.5
    assert count > 12, "claim, look, read, engine, write, finish: each with what comes before and after"
    assert swept(container, clock) == []


def test_the_work_on_a_result_that_was_sent_back(
    api: Api, container: Container, clock: FakeClock, log: Path
) -> None:
    sent: dict[str, Revision] = {}

    def begin() -> Work:
        job_id = ordered(api, container, HDR, STAGING)
        sent["back"] = send_back(container, job_id, "melted", without=STAGING)
        revision_id = sent["back"].id

        def work_on(here: Container, steps: Steps) -> None:
            here.engine.before = lambda: steps.reach("the engine")
            revision_worker(here).make(revision_id)

        return work_on

    count = 0
    for _ in every_step(container, log, begin):
        count += 1
        clock.pass_(**LEASES)
        revise(container)
        done = round_of(container, sent["back"])
        assert (done.outcome, done.credits_refunded) == (RevisionOutcome.REVISED, 1), log.read_text()
        assert api.credits() == 100 - count * 0.5, "the step that was left out came back once"
    assert count > 8, "claim, read, engine, write, finish: each with what comes before and after"
    assert swept(container, clock) == []


def wanted(container: Container) -> list[str]:
    """The files whose previews are due."""
    with container.database.read_session() as session:
        return previews.QUEUE.due(session, container.clock(), 100)


def test_a_previews_work(api: Api, container: Container, clock: FakeClock, log: Path) -> None:
    def begin() -> Work:
        api.order(interior=[PHOTO])
        work(container)
        source_key, *others = wanted(container)
        for other in others:
            preview_worker(container).make(other)
        return lambda here, _: preview_worker(here).make(source_key)

    count = 0
    for _ in every_step(container, log, begin):
        count += 1
        clock.pass_(**LEASES)
        develop(container)
        assert wanted(container) == [], log.read_text()
    assert count > 8, "claim, read, make, two pictures, finish"
    assert swept(container, clock) == []


def test_a_deliverys_work(
    api: Api, container: Container, clock: FakeClock, transport: FakeTransport, log: Path
) -> None:
    register(container, api.account_id)
    sends: Counter[str] = Counter()

    def begin() -> Work:
        api.order(interior=[PHOTO])
        waiting = next(each.id for each in all_deliveries(container) if each.state is DeliveryState.WAITING)

        def work_on(here: Container, steps: Steps) -> None:
            def send(request: DeliveryRequest) -> DeliveryResult:
                steps.reach("the send")
                steps.note(f"sent {request.headers['X-Service-Delivery']}")
                steps.reach("the answer")
                return answered(200)

            here.transport.send = send
            here.dispatch.deliver(waiting, QueueName.HOOKS_FAST)

        return work_on

    count = 0
    for _ in every_step(container, log, begin):
        count += 1
        sends.update(line.removeprefix("sent ") for line in log.read_text().splitlines() if line.startswith("sent"))
        clock.pass_(**LEASES)
        sweep(container)
        assert {each.state for each in all_deliveries(container)} == {DeliveryState.SUCCEEDED}, log.read_text()
    sends.update(request.headers["X-Service-Delivery"] for request in transport.sent)
    assert count > 4, "claim, send, answer, settle"
    assert set(sends) == {each.id for each in all_deliveries(container)}
    assert max(sends.values()) <= 2, "who was killed between the answer and its record is sent once more"
    attempts = {each.id: each.attempts_made for each in all_deliveries(container)}
    assert all(attempts[each] >= count for each, count in sends.items()), "no send without a record"


def test_a_mails_work(api: Api, container: Container, clock: FakeClock, log: Path) -> None:
    letter = Email("jo@example.com", "Your order", "Hello")
    sent: Counter[str] = Counter()

    class Mailer:
        """Says what it sends to the test, in whichever process."""

        def __init__(self, reach: Callable[[str], None]) -> None:
            self._reach = reach

        def send(self, _: Email, mail_id: str) -> None:
            self._reach("the send")
            with log.open("a") as told:
                told.write(f"sent {mail_id}\n")
            self._reach("the answer")

    def mail_worker(here: Container, reach: Callable[[str], None]) -> MailWorker:
        return MailWorker(here.database, Mailer(reach), here.clock, "https://photos.example")

    def begin() -> Work:
        with container.database.unit_of_work() as session:
            mail_id = outbox.post(session, api.account_id, letter, container.clock()).id
        return lambda here, steps: mail_worker(here, steps.reach).send(mail_id)

    count = 0
    for _ in every_step(container, log, begin):
        count += 1
        clock.pass_(**LEASES)
        with container.database.read_session() as session:
            due = outbox.QUEUE.due(session, container.clock(), 100)
        for mail_id in due:
            mail_worker(container, lambda _: None).send(mail_id)
        with container.database.read_session() as session:
            unsent = list(session.scalars(select(Mail.id).where(Mail.sent_at.is_(None))))
        assert unsent == [], log.read_text()
        sent.update(line.removeprefix("sent ") for line in log.read_text().splitlines() if line.startswith("sent"))
    assert count > 4
    assert len(sent) == count
    assert max(sent.values()) <= 2, "who was killed between the answer and its record is sent once more"
