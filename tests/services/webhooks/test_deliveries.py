"""Deliveries on their way: the schedule, the fence, the queues, the order, what is held."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlsplit

import pytest

from app.container import Container
from app.domain.ports import QueueName
from app.domain.sending import AttemptOutcome, DeliveryState
from app.domain.webhooks import FAIR_SHARE, HELD_UP_SECONDS, retry_after
from app.services.webhooks import deliveries, delivery_log, webhooks
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.services.hooks import (
    TIMEOUT,
    FakeTransport,
    all_attempts,
    all_deliveries,
    answered,
    deliver_all,
    register,
    sweep,
    webhook,
)


def states(container: Container) -> list[DeliveryState]:
    return [delivery.state for delivery in all_deliveries(container)]


def test_every_event_of_an_orders_life_is_delivered_in_order(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    register(container, api.account_id)
    job = api.order(interior=[PHOTO])["jobId"]
    work(container)
    api.get(f"/downloads/{job}")
    deliver_all(container)
    names = [request.headers["X-Service-Event"] for request in transport.sent]
    assert names == ["job.created", "job.processing", "job.completed", "job.approved", "job.delivered"]
    assert set(states(container)) == {DeliveryState.SUCCEEDED}
    assert all(request.headers["X-Service-Attempt"] == "1" for request in transport.sent)


def test_deliveries_are_written_with_the_event_and_rung_after_the_commit(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    register(container, api.account_id)
    container.queue.away = True
    api.order(interior=[PHOTO])
    assert states(container) == [DeliveryState.WAITING]
    assert transport.sent == []
    container.queue.away = False
    assert sweep(container) == 1
    assert states(container) == [DeliveryState.SUCCEEDED]


def test_a_webhook_hears_only_of_its_own_account_and_its_own_events(
    api: Api, other_api: Api, container: Container, transport: FakeTransport
) -> None:
    register(container, other_api.account_id)
    register(container, api.account_id, "job.approved")
    api.order(interior=[PHOTO])
    work(container)
    deliver_all(container)
    assert [request.headers["X-Service-Event"] for request in transport.sent] == ["job.approved"]


def test_five_attempts_at_the_times_of_the_interface_and_no_sixth(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    transport.results = [answered(500)]
    register(container, api.account_id)
    began = clock()
    api.order(interior=[PHOTO])
    deliver_all(container)
    while states(container) == [DeliveryState.WAITING]:
        (waiting,) = all_deliveries(container)
        for moment, sent in ((waiting.next_attempt_at - timedelta(seconds=1), 0), (waiting.next_attempt_at, 1)):
            clock.now = moment
            assert sweep(container) == sent
    for _ in range(24):
        clock.pass_(hours=1)
        assert sweep(container) == 0
    gaps = [attempt.started_at - began for attempt in all_attempts(container)]
    steps = [0, 30, 120, 600, 3600]
    assert len(gaps) == 5
    due = timedelta(0)
    for gap, step, before in zip(gaps, steps, [timedelta(0), *gaps], strict=False):
        due = before + timedelta(seconds=step)
        assert due <= gap <= due + timedelta(seconds=step * 0.1), (gap, step)
    assert states(container) == [DeliveryState.FAILED]
    ids = {request.headers["X-Service-Delivery"] for request in transport.sent}
    assert len(ids) == 1
    assert len({request.body for request in transport.sent}) == 1
    assert [request.headers["X-Service-Attempt"] for request in transport.sent] == ["1", "2", "3", "4", "5"]


def test_retry_after_delays_to_twice_the_step_and_never_hastens(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    register(container, api.account_id)
    for asked, expected in (("1", 30), ("45", 45), ("9999", 60)):
        transport.results = [answered(503, headers={"Retry-After": asked})]
        api.order(interior=[PHOTO])
        deliver_all(container)
        waited = all_deliveries(container)[-1].next_attempt_at - clock()
        assert timedelta(seconds=expected) <= waited <= timedelta(seconds=max(expected, 33))


def test_retry_after_is_read_as_seconds_or_as_a_date(clock: FakeClock) -> None:
    assert retry_after({"retry-after": " 7 "}, clock()) == timedelta(seconds=7)
    assert retry_after({"Retry-After": "Fri, 20 Nov 2026 12:00:09 GMT"}, clock()) == timedelta(seconds=9)
    for nonsense in ("", "soon", "-1", "1e9", "٣", "Fri, 20 Nov 2026 12:00:09", "Fri, 99 Nov"):
        assert retry_after({"Retry-After": nonsense}, clock()) is None, nonsense


def test_an_attempt_is_on_record_before_anything_is_sent(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    seen = []
    transport.meanwhile = lambda request: seen.extend(all_attempts(container))
    register(container, api.account_id)
    api.order(interior=[PHOTO])
    deliver_all(container)
    assert [attempt.number for attempt in seen] == [1]
    assert seen[0].outcome is AttemptOutcome.STARTED
    assert seen[0].request_headers == transport.sent[0].headers


def crash(*_: object) -> None:
    raise SystemExit


@pytest.mark.long
def test_a_sender_that_dies_costs_an_attempt_and_five_deaths_end_the_delivery(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    transport.meanwhile = crash
    register(container, api.account_id)
    api.order(interior=[PHOTO])
    for _ in range(200):
        try:
            sweep(container)
        except SystemExit:
            # Another sender may take it only once the lease is over.
            before = len(transport.sent)
            sweep(container)
            assert len(transport.sent) == before
        clock.pass_(seconds=31)
    assert len(transport.sent) == 5
    assert [attempt.outcome for attempt in all_attempts(container)] == [AttemptOutcome.CUT_OFF] * 5
    assert states(container) == [DeliveryState.FAILED]


def test_after_a_death_the_next_attempt_follows_within_35_seconds(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    transport.meanwhile = crash
    register(container, api.account_id)
    api.order(interior=[PHOTO])
    with pytest.raises(SystemExit):
        deliver_all(container)
    transport.meanwhile = lambda request: None
    for _ in range(8):
        clock.pass_(seconds=5)
        sweep(container)
    assert [attempt.outcome for attempt in all_attempts(container)] == [
        AttemptOutcome.CUT_OFF,
        AttemptOutcome.SUCCEEDED,
    ]


def test_a_sender_that_comes_back_after_its_lease_changes_nothing(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    register(container, api.account_id)
    api.order(interior=[PHOTO])

    def overtaken(request: object) -> None:
        transport.meanwhile = lambda request: None
        clock.pass_(seconds=31)
        transport.results = [answered(500), answered(200)]
        assert sweep(container)

    transport.meanwhile = overtaken
    deliver_all(container)
    first, second = all_attempts(container)
    assert (first.outcome, second.outcome) == (AttemptOutcome.SUCCEEDED, AttemptOutcome.REJECTED)
    # The late success is on record, but the delivery is in other hands: it goes on.
    assert states(container) == [DeliveryState.WAITING]


@pytest.mark.parametrize("skew", [-15, 15])
def test_senders_whose_clocks_differ_do_not_send_twice(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock, skew: int
) -> None:
    register(container, api.account_id)
    api.order(interior=[PHOTO])
    [delivery] = all_deliveries(container)
    other = replace(container.dispatch, clock=lambda: clock() + timedelta(seconds=skew))

    def meanwhile(request: object) -> None:
        # As long as an attempt may take at most.
        clock.pass_(seconds=10)
        other.deliver(delivery.id, QueueName.HOOKS_FAST)

    transport.meanwhile = meanwhile
    container.dispatch.deliver(delivery.id, QueueName.HOOKS_FAST)
    assert len(transport.sent) == 1
    assert states(container) == [DeliveryState.SUCCEEDED]


def test_every_attempt_carries_its_own_time_so_that_late_ones_verify(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    register(container, api.account_id)
    transport.results = [answered(500)]
    api.order(interior=[PHOTO])
    deliver_all(container)
    clock.pass_(hours=1)
    sweep(container)
    first, second = (int(request.headers["webhook-timestamp"]) for request in transport.sent)
    assert second - first == 3600
    assert transport.sent[0].headers["webhook-signature"] != transport.sent[1].headers["webhook-signature"]
    assert transport.sent[0].headers["X-Service-Signature"] == transport.sent[1].headers["X-Service-Signature"]


def test_a_duplicate_wake_up_makes_no_second_attempt(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    register(container, api.account_id)
    api.order(interior=[PHOTO])
    [delivery] = all_deliveries(container)
    transport.meanwhile = lambda request: container.dispatch.deliver(delivery.id, QueueName.HOOKS_FAST)
    for _ in range(3):
        container.dispatch.deliver(delivery.id, QueueName.HOOKS_FAST)
    assert len(transport.sent) == 1


def test_a_retry_at_a_receiver_that_answers_stays_in_the_fast_lane(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    register(container, api.account_id, "job.created")
    transport.results = [answered(500)]
    api.order(interior=[PHOTO])
    deliver_all(container)
    clock.pass_(seconds=33)
    container.sweep.notify_due_deliveries()
    assert len(container.queue.queues[QueueName.HOOKS_FAST]) == 1
    assert container.queue.queues[QueueName.HOOKS_SLOW] == []


def test_a_receiver_that_takes_deliveries_slowly_uses_the_slow_lane_until_it_takes_one_promptly(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.meanwhile = lambda _: clock.pass_(seconds=HELD_UP_SECONDS)
    api.order(interior=[PHOTO])
    deliver_all(container)
    assert not deliveries.is_troubled(webhook(container, hook), clock()), "it takes them, by two as before"
    clock.pass_(hours=1)
    api.order(interior=[PHOTO])
    assert len(container.queue.queues[QueueName.HOOKS_SLOW]) == 1
    transport.meanwhile = lambda _: None
    deliver_all(container)
    assert webhook(container, hook).slow_until is None
    assert set(states(container)) == {DeliveryState.SUCCEEDED}


def test_while_most_senders_are_busy_no_account_gets_more_than_its_share(
    api: Api, other_api: Api, container: Container, transport: FakeTransport
) -> None:
    for number in range(FAIR_SHARE + 2):
        register(container, api.account_id, "job.created", url=f"https://agency.example/{number}")
    register(container, other_api.account_id, "job.created", url="https://studio.example/hooks")
    api.order(interior=[PHOTO])
    other_api.order(interior=[PHOTO])
    waiting = [each.id for each in all_deliveries(container)]

    def send_all(_: object) -> None:
        while waiting:
            container.dispatch.deliver(waiting.pop(0), QueueName.HOOKS_FAST, crowded=True)

    transport.meanwhile = send_all
    send_all(None)
    hosts = [urlsplit(each.url).hostname for each in transport.sent]
    assert hosts == ["agency.example"] * FAIR_SHARE + ["studio.example"]
    transport.meanwhile = lambda _: None
    sweep(container)
    assert len(transport.sent) == FAIR_SHARE + 3


def test_webhooks_that_hold_senders_up_use_the_slow_lane(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.results = [TIMEOUT]
    api.order(interior=[PHOTO])
    deliver_all(container)
    assert webhook(container, hook).slow_until > clock()
    api.order(interior=[PHOTO])
    assert container.queue.queues[QueueName.HOOKS_FAST] == []
    assert len(container.queue.queues[QueueName.HOOKS_SLOW]) == 1
    clock.pass_(seconds=33)
    container.queue.queues[QueueName.HOOKS_SLOW].clear()
    container.sweep.notify_due_deliveries()
    assert container.queue.queues[QueueName.HOOKS_FAST] == []
    transport.results = [answered(200)]
    deliver_all(container)
    assert webhook(container, hook).slow_until is None
    assert set(states(container)) == {DeliveryState.SUCCEEDED}


def test_a_wake_up_in_the_fast_lane_for_a_troubled_webhook_moves_over(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    api.order(interior=[PHOTO])
    with container.database.unit_of_work() as session:
        session.get_one(type(webhook(container, hook)), hook).slow_until = clock() + timedelta(minutes=1)
    [delivery_id] = container.queue.queues[QueueName.HOOKS_FAST]
    container.dispatch.deliver(delivery_id, QueueName.HOOKS_FAST)
    assert transport.sent == []
    assert container.queue.queues[QueueName.HOOKS_SLOW] == [delivery_id]


def test_no_more_than_two_attempts_at_one_webhook_are_in_flight_and_one_while_it_is_troubled(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    for _ in range(6):
        api.order(interior=[PHOTO])
    depths, deep = [], [0]

    def nested(request: object) -> None:
        deep[0] += 1
        depths.append(deep[0])
        for delivery in all_deliveries(container):
            container.dispatch.deliver(delivery.id, QueueName.HOOKS_SLOW)
        deep[0] -= 1

    transport.meanwhile = nested
    container.dispatch.deliver(all_deliveries(container)[0].id, QueueName.HOOKS_FAST)
    assert max(depths) == 2
    assert len(transport.sent) == 6
    with container.database.unit_of_work() as session:
        session.get_one(type(webhook(container, hook)), hook).slow_until = clock() + timedelta(minutes=1)
    depths.clear()
    for _ in range(3):
        api.order(interior=[PHOTO])
    transport.results = [TIMEOUT]
    deliver_all(container)
    assert max(depths) == 1


def test_what_one_attempt_kept_waiting_is_rung_when_it_ends(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    register(container, api.account_id, "job.created")
    for _ in range(5):
        api.order(interior=[PHOTO])
    first = container.queue.queues[QueueName.HOOKS_FAST][0]
    container.queue.queues[QueueName.HOOKS_FAST].clear()
    container.dispatch.deliver(first, QueueName.HOOKS_FAST)
    deliver_all(container)
    assert set(states(container)) == {DeliveryState.SUCCEEDED}


def test_a_later_event_does_not_overtake_the_first_attempt_of_an_earlier_one(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    register(container, api.account_id)
    api.order(interior=[PHOTO])
    work(container)
    later = all_deliveries(container)[-1]
    container.dispatch.deliver(later.id, QueueName.HOOKS_FAST)
    assert transport.sent == []
    transport.results = [answered(500), answered(200)]
    deliver_all(container)
    names = [request.headers["X-Service-Event"] for request in transport.sent]
    # The first failed: its retry waits its time, and the others do not wait for that.
    assert names == ["job.created", "job.processing", "job.completed", "job.approved"]


def test_two_senders_at_once_make_one_attempt(api: Api, container: Container, transport: FakeTransport) -> None:
    register(container, api.account_id, "job.created")
    for _ in range(5):
        api.order(interior=[PHOTO])
    ids = [delivery.id for delivery in all_deliveries(container)] * 8
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda each: container.dispatch.deliver(each, QueueName.HOOKS_FAST), ids))
    deliver_all(container)
    assert len(transport.sent) == 5
    assert set(states(container)) == {DeliveryState.SUCCEEDED}


def test_the_log_is_kept_for_a_week_and_what_is_held_for_a_month(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    api.order(interior=[PHOTO])
    deliver_all(container)
    with container.database.unit_of_work() as session:
        webhooks.switch_off(session, api.account_id, hook)
    api.order(interior=[PHOTO])
    clock.pass_(days=6, hours=23)
    container.sweep.forget_old_deliveries()
    assert states(container) == [DeliveryState.SUCCEEDED, DeliveryState.HELD]
    clock.pass_(hours=1)
    container.sweep.forget_old_deliveries()
    assert states(container) == [DeliveryState.HELD]
    assert all_attempts(container) == []
    clock.pass_(days=23)
    container.sweep.forget_old_deliveries()
    assert states(container) == []


def test_a_delivery_that_failed_late_stays_a_week_from_then(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    transport.results = [answered(500)]
    register(container, api.account_id, "job.created")
    api.order(interior=[PHOTO])
    deliver_all(container)
    for _ in range(5):
        clock.pass_(hours=2)
        sweep(container)
    clock.pass_(days=7, hours=-3)
    container.sweep.forget_old_deliveries()
    assert states(container) == [DeliveryState.FAILED]
    with container.database.unit_of_work() as session:
        delivery_log.redeliver(session, api.account_id, all_deliveries(container)[0].id, clock())
    clock.pass_(days=2)
    container.sweep.forget_old_deliveries()
    assert states(container) == [DeliveryState.WAITING]
