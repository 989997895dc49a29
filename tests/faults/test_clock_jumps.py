"""The clock jumps, forwards and back, at any reading of it: nothing is lost or doubled, and every job ends."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from app.container import Container
from app.domain.attempts import PHOTOS
from app.domain.errors import InFlight
from app.domain.lifecycle import WorkState
from app.domain.sending import DeliveryState, Email
from app.models import Mail, Photo, Result
from app.services.idempotency import idempotency_records
from app.services.idempotency.idempotency_records import KeyUse
from app.services.mail import outbox
from app.services.mail.outbox import MailWorker
from app.services.photos import photos
from engine.types.enhancements import WorkSize
from tests.conftest import PHOTO, Api, order_body, photo_worker, work
from tests.fakes import FakeClock, photo
from tests.services.hooks import FakeTransport, all_deliveries, deliver_all, register, sweep

AHEAD, BACK, A_LITTLE = timedelta(minutes=25), timedelta(minutes=-10), timedelta(minutes=2)
JUMPS = (AHEAD, BACK, A_LITTLE, -(AHEAD + BACK + A_LITTLE))
"""The last is back to where it began."""
LONGEST = timedelta(minutes=30)
"""What was to be done at a moment that the clock has left is done once it comes there again."""
MOST_READINGS = 60


class JumpingClock(FakeClock):
    """A clock that jumps at its next but so many readings, and tells the jumps that it made."""

    def __init__(self) -> None:
        super().__init__()
        self.jumped = 0
        self._left, self._by = 0, timedelta(0)

    def jump_at(self, reading: int, by: timedelta) -> None:
        """At the first reading, or a later one, from now on."""
        self._left, self._by, self.jumped = reading, by, 0

    def __call__(self) -> datetime:
        self._left -= 1
        if self._left == 0:
            self.now += self._by
            self.jumped += 1
        return self.now


@pytest.fixture
def clock() -> JumpingClock:
    return JumpingClock()


@pytest.fixture
def transport(container: Container) -> FakeTransport:
    container.transport = FakeTransport()
    return container.transport


def every_reading(clock: JumpingClock, by: timedelta, act: Callable[[], None]) -> Iterator[None]:
    """Act while the clock jumps at the first reading, then again at the second, until there is none left."""
    for reading in range(1, MOST_READINGS):
        clock.jump_at(reading, by)
        act()
        if not clock.jumped:
            return
        yield
    pytest.fail(f"the clock is read more than {MOST_READINGS} times")


def work_until_settled(api: Api, container: Container, clock: FakeClock, job_id: str) -> str:
    """Work on what is due, minute by minute; how the job ended."""
    over = clock.now + LONGEST
    while (status := api.status(job_id)["status"]) in ("pending", "processing") and clock.now <= over:
        container.sweep.fail_overdue_jobs()
        work(container)
        clock.pass_(minutes=1)
    return status


def tries(container: Container, job_id: str) -> list[int]:
    with container.database.read_session() as session:
        return list(session.scalars(select(Photo.attempts).where(Photo.job_id == job_id)))


def results(container: Container, job_id: str) -> int:
    with container.database.read_session() as session:
        return session.scalar(select(func.count()).where(Result.job_id == job_id)) or 0


@pytest.mark.parametrize("by", JUMPS)
def test_a_photo_is_worked_on_once_at_whichever_reading_the_clock_jumps(
    api: Api, container: Container, clock: JumpingClock, by: timedelta
) -> None:
    orders = []

    def act() -> None:
        clock.jump_at(0, by)
        orders.append(api.order(interior=[PHOTO]))
        clock.jump_at(len(orders), by)
        photo_worker(container).process(orders[-1]["assets"][0]["id"])

    for _ in every_reading(clock, by, act):
        job_id = orders[-1]["jobId"]
        assert work_until_settled(api, container, clock, job_id) == "approved"
        assert results(container, job_id) == 1
        assert tries(container, job_id) == [1]
    assert len(orders) > 3, "claim, look, finish"
    assert api.credits() == 100 - 0.5 * len(orders)


def test_a_photo_taken_over_at_a_jump_has_one_result_within_its_tries(
    api: Api, container: Container, clock: JumpingClock
) -> None:
    """Between claim and finish the clock jumps, and another worker takes up what seems to be abandoned."""
    jumps = [*JUMPS]

    def jump_and_take_over() -> None:
        while jumps:
            clock.now += jumps.pop(0)
            work(container)

    container.engine.before = jump_and_take_over
    job_id = api.order(interior=[PHOTO])["jobId"]
    assert work_until_settled(api, container, clock, job_id) == "approved"
    assert jumps == []
    assert results(container, job_id) == 1
    assert 1 < tries(container, job_id)[0] <= PHOTOS.max_attempts
    assert api.credits() == 99.5


def test_a_claim_whose_worker_died_before_the_clock_was_set_back_is_taken_over_when_its_lease_is_over(
    api: Api, container: Container, clock: JumpingClock
) -> None:
    order = api.order(interior=[PHOTO])
    with container.database.unit_of_work() as session:
        assert photos.claim(session, order["assets"][0]["id"], clock())
    clock.now += BACK
    assert work_until_settled(api, container, clock, order["jobId"]) == "approved"
    assert tries(container, order["jobId"]) == [2]


def test_a_photo_that_fails_is_refunded_once_and_tried_no_more_often_however_the_clock_jumps(
    api: Api, container: Container, clock: JumpingClock
) -> None:
    jumps = [*JUMPS]

    def jump() -> None:
        if jumps:
            clock.now += jumps.pop(0)

    container.engine.before = jump
    job_id = api.order(interior=[photo("CRASH")])["jobId"]
    assert work_until_settled(api, container, clock, job_id) == "failed"
    assert tries(container, job_id) == [PHOTOS.max_attempts]
    assert api.credits() == 100


def test_an_account_served_before_the_clock_was_set_back_waits_for_no_flood_of_another(
    api: Api, other_api: Api, container: Container, clock: JumpingClock
) -> None:
    api.order(interior=[PHOTO])
    work(container)
    clock.now += BACK
    other_api.order(interior=[PHOTO] * 5)
    mine = api.order(interior=[PHOTO])["assets"][0]["id"]
    turns = []
    for _ in range(6):
        with container.database.read_session() as session:
            turns.append(photos.next_due(session, clock(), WorkSize.LIGHT))
        photo_worker(container).process(turns[-1])
        clock.pass_(seconds=1)
    assert turns.index(mine) <= 1


@pytest.mark.parametrize("by", JUMPS)
def test_deliveries_are_made_at_whichever_reading_the_clock_jumps(
    api: Api, container: Container, clock: JumpingClock, transport: FakeTransport, by: timedelta
) -> None:
    register(container, api.account_id)
    api.order(interior=[PHOTO])
    count = 0

    def act() -> None:
        clock.jump_at(0, by)
        api.order(interior=[PHOTO])
        clock.jump_at(count + 1, by)
        deliver_all(container)

    for _ in every_reading(clock, by, act):
        count += 1
        over = clock.now + LONGEST
        while any(each.state is not DeliveryState.SUCCEEDED for each in all_deliveries(container)):
            assert clock.now <= over, f"the clock jumped at reading {count}"
            sweep(container)
            clock.pass_(minutes=1)
    assert count > 1, "claim and finish"
    sends = Counter(request.headers["X-Service-Delivery"] for request in transport.sent)
    assert sends == {each.id: 1 for each in all_deliveries(container)}


def test_a_delivery_under_way_when_the_clock_jumps_is_made_at_most_five_times_under_one_id(
    api: Api, container: Container, clock: JumpingClock, transport: FakeTransport
) -> None:
    jumps = [*JUMPS]

    def jump_and_take_over(_: object) -> None:
        while jumps:
            clock.now += jumps.pop(0)
            sweep(container)

    transport.meanwhile = jump_and_take_over
    register(container, api.account_id)
    api.order(interior=[PHOTO])
    deliver_all(container)
    for _ in range(90):
        clock.pass_(minutes=1)
        sweep(container)
    assert jumps == []
    (delivery,) = all_deliveries(container)
    assert delivery.state is DeliveryState.SUCCEEDED
    assert {request.headers["X-Service-Delivery"] for request in transport.sent} == {delivery.id}
    assert len(transport.sent) == delivery.attempts_made <= 5


class JumpingMailer:
    """Keeps what it is given while the clock jumps, and another worker asks for the same mail."""

    def __init__(self, clock: FakeClock) -> None:
        self.sent: list[str] = []
        self.mail_worker: MailWorker | None = None
        self._clock, self._jumps = clock, [*JUMPS]

    def send(self, letter: Email, mail_id: str) -> None:
        self.sent.append(mail_id)
        while self._jumps and self.mail_worker is not None:
            self._clock.now += self._jumps.pop(0)
            self.mail_worker.send(mail_id)


def test_a_mail_under_way_when_the_clock_jumps_goes_out_under_one_id_and_is_done(
    api: Api, container: Container, clock: JumpingClock
) -> None:
    mailer = JumpingMailer(clock)
    mailer.mail_worker = MailWorker(container.database, mailer, clock, "https://photos.example")
    with container.database.unit_of_work() as session:
        mail_id = outbox.post(session, api.account_id, Email("jo@example.com", "Hello", "Hello Jo.\n"), clock()).id
    over = clock.now + LONGEST
    while clock.now <= over:
        mailer.mail_worker.send(mail_id)
        clock.pass_(minutes=1)
    with container.database.read_session() as session:
        kept = session.get_one(Mail, mail_id)
    assert (kept.state, kept.error) == (WorkState.DONE, None)
    assert kept.sent_at is not None
    # Forwards by more than the lease twice: each time the sender seemed to have died.
    assert mailer.sent == [mail_id] * kept.attempts
    assert 1 <= kept.attempts <= 3


@pytest.mark.parametrize("by", JUMPS)
def test_an_order_sent_again_under_its_key_is_placed_and_charged_once_at_whichever_reading_the_clock_jumps(
    api: Api, container: Container, clock: JumpingClock, by: timedelta
) -> None:
    count = 0
    first: dict[str, Any] = {}

    def act() -> None:
        clock.jump_at(0, by)
        body = {**order_body(), **api.upload(interior=[PHOTO])}
        first.update(body=body, key=f"once-{count}")
        clock.jump_at(count + 1, by)
        answer = api.post("/orders/from-uploads", body, headers={"Idempotency-Key": first["key"]})
        assert answer.status_code == 200, answer.text
        first["job"] = answer.json["jobId"]

    for _ in every_reading(clock, by, act):
        count += 1
        again = api.post("/orders/from-uploads", first["body"], headers={"Idempotency-Key": first["key"]})
        assert (again.status_code, again.json["jobId"]) == (200, first["job"])
        assert again.headers["Idempotent-Replayed"] == "true"
        assert api.credits() == 100 - 0.5 * count
    assert count > 3, "the key of the account, that of the request, the order"


def test_a_request_whose_key_another_took_over_at_a_jump_has_no_effect_of_its_own(
    api: Api, container: Container, clock: JumpingClock
) -> None:
    """The clock jumps ahead in the midst of a request, which comes again: of the two, one places the order."""
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    answers = []
    stat = container.storage.stat

    def jump_and_send_again(key: str) -> object:
        container.storage.stat = stat
        clock.now += AHEAD
        answers.append(api.post("/orders/from-uploads", body, headers={"Idempotency-Key": "once"}))
        return stat(key)

    container.storage.stat = jump_and_send_again
    answers.append(api.post("/orders/from-uploads", body, headers={"Idempotency-Key": "once"}))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json["jobId"] == answers[1].json["jobId"]
    assert api.credits() == 99.5


def test_a_key_whose_process_died_before_the_clock_was_set_back_is_free_at_once(
    api: Api, container: Container, clock: JumpingClock
) -> None:
    def claim() -> object:
        with container.database.unit_of_work() as session:
            return idempotency_records.claim(session, api.account_id, "once", "a", clock())

    dead = claim()
    clock.now += BACK
    second = claim()
    assert isinstance(second, KeyUse) and second != dead
    with pytest.raises(InFlight):
        claim()
