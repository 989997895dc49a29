"""One wake-up sends what else is due at its webhook: each claimed as the one before ends, within bounds."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.ports import QueueName
from app.domain.sending import AttemptOutcome, DeliveryRequest, DeliveryState
from app.domain.webhooks import HELD_UP_SECONDS, MAX_CONCURRENT_ATTEMPTS
from app.models import Delivery
from app.services.webhooks import deliveries, webhooks
from app.services.webhooks.dispatch import MAX_IN_A_ROW, ROW_SECONDS
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock
from tests.services.hooks import (
    QUEUES,
    FakeTransport,
    all_attempts,
    all_deliveries,
    answered,
    deliver_all,
    register,
    sweep,
)


def order(api: Api, count: int) -> None:
    """So many orders, each with one delivery."""
    for _ in range(count):
        api.order(interior=[PHOTO])


def answer_first(container: Container) -> None:
    """Answer the first wake-up of the fast queue, all others being lost."""
    first = container.queue.queues[QueueName.HOOKS_FAST][0]
    for queue_name in QUEUES:
        container.queue.queues[queue_name].clear()
    container.dispatch.deliver(first, QueueName.HOOKS_FAST)


def test_one_wake_up_sends_all_that_is_due_at_its_webhook(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    register(container, api.account_id, "job.created")
    order(api, 5)
    answer_first(container)
    assert [each.headers["X-Service-Delivery"] for each in transport.sent] == [
        each.id for each in all_deliveries(container)
    ]
    assert {each.state for each in all_deliveries(container)} == {DeliveryState.SUCCEEDED}
    assert [each.outcome for each in all_attempts(container)] == [AttemptOutcome.SUCCEEDED] * 5
    assert not any(container.queue.queues[each] for each in QUEUES)


@pytest.mark.long
def test_after_so_many_the_others_get_a_wake_up_behind_those_of_other_webhooks(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    register(container, api.account_id, "job.created")
    order(api, MAX_IN_A_ROW + 5)
    answer_first(container)
    assert len(transport.sent) == MAX_IN_A_ROW
    left = [each.id for each in all_deliveries(container)][MAX_IN_A_ROW:]
    assert container.queue.queues[QueueName.HOOKS_FAST] == left[:MAX_CONCURRENT_ATTEMPTS]
    deliver_all(container)
    assert len(transport.sent) == MAX_IN_A_ROW + 5


def test_a_receiver_that_takes_long_is_left_after_each_attempt(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    register(container, api.account_id, "job.created")
    order(api, 3)
    transport.meanwhile = lambda _: clock.pass_(seconds=ROW_SECONDS)
    answer_first(container)
    assert len(transport.sent) == 1
    assert container.queue.queues[QueueName.HOOKS_FAST] == [each.id for each in all_deliveries(container)][1:]


def test_a_receiver_that_fails_is_left_at_once(api: Api, container: Container, transport: FakeTransport) -> None:
    register(container, api.account_id, "job.created")
    order(api, 3)
    transport.results = [answered(500)]
    answer_first(container)
    assert len(transport.sent) == 1
    assert len(container.queue.queues[QueueName.HOOKS_FAST]) == 2


def test_a_sender_that_dies_in_the_midst_loses_no_delivery_and_counts_one_attempt(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    register(container, api.account_id, "job.created")
    order(api, 3)

    def die(_: DeliveryRequest) -> None:
        if len(transport.sent) == 2:
            raise SystemExit

    transport.meanwhile = die
    with pytest.raises(SystemExit):
        answer_first(container)
    states = [each.state for each in all_deliveries(container)]
    assert states == [DeliveryState.SUCCEEDED, DeliveryState.SENDING, DeliveryState.WAITING]
    transport.meanwhile = lambda _: None
    clock.pass_(hours=1)
    sweep(container)
    clock.pass_(hours=1)
    sweep(container)
    assert [each.attempts_made for each in all_deliveries(container)] == [1, 2, 1]
    assert {each.state for each in all_deliveries(container)} == {DeliveryState.SUCCEEDED}


def test_a_go_ends_where_the_receiver_begins_to_hold_up_its_sender_and_the_rest_waits_in_the_slow_queue(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    register(container, api.account_id, "job.created")
    order(api, 3)
    transport.meanwhile = lambda _: clock.pass_(seconds=HELD_UP_SECONDS)
    answer_first(container)
    assert [each.attempts_made for each in all_deliveries(container)] == [1, 0, 0]
    assert container.queue.queues[QueueName.HOOKS_SLOW]
    transport.meanwhile = lambda _: None
    deliver_all(container)
    assert {each.state for each in all_deliveries(container)} == {DeliveryState.SUCCEEDED}


def test_a_unit_of_work_that_posts_many_wakes_as_many_as_may_be_in_flight_and_all_are_sent(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    webhook_id, _ = register(container, api.account_id)
    with container.database.unit_of_work() as session:
        for _ in range(MAX_CONCURRENT_ATTEMPTS + 3):
            webhooks.send_test(session, api.account_id, webhook_id, container.clock())
    assert len(container.queue.queues[QueueName.HOOKS_FAST]) == MAX_CONCURRENT_ATTEMPTS
    deliver_all(container)
    assert len(transport.sent) == MAX_CONCURRENT_ATTEMPTS + 3


def test_a_wake_up_for_a_full_webhook_takes_no_lock_and_what_ends_there_wakes_the_next(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(container, api.account_id, "job.created")
    order(api, MAX_CONCURRENT_ATTEMPTS + 2)
    waiting = [each.id for each in all_deliveries(container)]
    woken: list[list[str]] = []

    def meanwhile(_: DeliveryRequest) -> None:
        clock.pass_(seconds=ROW_SECONDS)
        if len(transport.sent) < MAX_CONCURRENT_ATTEMPTS:
            container.dispatch.deliver(waiting[len(transport.sent)], QueueName.HOOKS_FAST)
            return
        container.queue.queues[QueueName.HOOKS_FAST].clear()
        with monkeypatch.context() as patched:
            patched.setattr(container.database, "unit_of_work", lambda: 1 / 0)
            container.dispatch.deliver(waiting[-1], QueueName.HOOKS_FAST)
        woken.append(list(container.queue.queues[QueueName.HOOKS_FAST]))

    transport.meanwhile = meanwhile
    container.dispatch.deliver(waiting[0], QueueName.HOOKS_FAST)
    assert woken == [[]]
    assert set(waiting[MAX_CONCURRENT_ATTEMPTS:]) == set(container.queue.queues[QueueName.HOOKS_FAST])
    assert len(transport.sent) == MAX_CONCURRENT_ATTEMPTS


def test_where_an_attempt_is_just_ending_a_wake_up_for_a_full_webhook_waits_for_it_on_postgresql(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    webhook_id, _ = register(container, api.account_id, "job.created")
    order(api, MAX_CONCURRENT_ATTEMPTS + 1)
    now, database = container.clock(), container.database
    waiting = [each.id for each in all_deliveries(container)][-1]
    with database.unit_of_work() as session:
        sending = (
            select(Delivery)
            .where(Delivery.webhook_id == webhook_id)
            .order_by(Delivery.number)
            .limit(MAX_CONCURRENT_ATTEMPTS)
        )
        for each in session.scalars(sending):
            each.state, each.lease_until = DeliveryState.SENDING, now + timedelta(minutes=1)

    def awaited() -> bool:
        with database.read_session() as session:
            return deliveries.may_need_sender(session, waiting, now)

    assert not awaited()
    with database.unit_of_work() as ending:
        assert deliveries.lock_with_webhook(ending, waiting)
        # SQLite has one writer at a time: what that one does not see of the queue came after its commit.
        assert awaited() is (database.engine.dialect.name == "postgresql")
