"""The log of deliveries: paged, filtered, looked into, sent again."""

from datetime import timedelta

import pytest

from app.container import Container
from app.domain.errors import Conflict, NotFound
from app.domain.sending import DeliveryState
from app.services.webhooks import delivery_log
from app.services.webhooks.delivery_log import DeliveryFilter
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.services.hooks import (
    FakeTransport,
    all_deliveries,
    answered,
    deliver_all,
    fail_for_good,
    register,
    sweep,
    webhook,
)


def test_the_log_is_paged_by_key_and_filtered(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created", "job.approved")
    jobs = [api.order(interior=[PHOTO])["jobId"] for _ in range(7)]
    work(container)
    transport.results = [answered(200)] * 3 + [answered(400)]
    deliver_all(container)
    with container.database.read_session() as session:
        seen, after = [], None
        while True:
            page = delivery_log.paginate(session, api.account_id, hook, after=after, limit=4)
            seen += [each.id for each in page.rows]
            after = page.next
            if after is None:
                break
        assert seen == [each.id for each in reversed(all_deliveries(container))]

        def found(**wanted: object) -> int:
            return len(delivery_log.paginate(session, api.account_id, hook, DeliveryFilter(**wanted)).rows)

        assert found() == 14
        assert found(event_name="job.approved") == 7
        assert found(job_id=jobs[0]) == 2
        assert found(state=DeliveryState.SUCCEEDED) == 3
        assert found(state=DeliveryState.WAITING, event_name="job.approved", job_id=jobs[6]) == 1
        assert found(since=clock() + timedelta(seconds=1)) == 0
        with pytest.raises(NotFound):
            delivery_log.paginate(session, api.account_id, hook, after="dlv_" + "0" * 22)


def test_one_delivery_shows_every_attempt_with_what_was_sent_and_answered(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    register(container, api.account_id)
    body, headers = b"\xff<b>no</b>", {"Server": "x"}
    transport.results = [answered(500, body=body, headers=headers, address="93.184.216.34"), answered(204)]
    api.order(interior=[PHOTO])
    deliver_all(container)
    clock.pass_(seconds=35)
    sweep(container)
    with container.database.read_session() as session:
        delivery = delivery_log.show(session, api.account_id, all_deliveries(container)[0].id)
        first, second = delivery.attempts
        assert delivery.event.body.encode() == transport.sent[0].body
    assert (first.response_status, first.response_body, first.response_headers) == (500, body, headers)
    assert first.address == "93.184.216.34"
    assert (second.number, second.response_status) == (2, 204)


def test_a_redelivery_sends_the_same_bytes_under_the_same_id_once_and_says_so(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.results = [answered(500)]
    fail_for_good(api, container, clock)
    [delivery] = all_deliveries(container)
    assert (delivery.state, delivery.attempts_made) == (DeliveryState.FAILED, 5)
    for result, state in ((answered(500), DeliveryState.FAILED), (answered(200), DeliveryState.SUCCEEDED)):
        transport.results = [result]
        with container.database.unit_of_work() as session:
            delivery_log.redeliver(session, api.account_id, delivery.id, clock())
            with pytest.raises(Conflict):
                delivery_log.redeliver(session, api.account_id, delivery.id, clock())
        deliver_all(container)
        clock.pass_(hours=3)
        assert sweep(container) == 0
        assert all_deliveries(container)[0].state is state
    assert len({(request.body, request.headers["X-Service-Delivery"]) for request in transport.sent}) == 1
    marks = [request.headers.get("X-Service-Redelivery") for request in transport.sent]
    assert marks == [None] * 5 + ["true"] * 2
    assert transport.sent[-1].headers["X-Service-Attempt"] == "7"
    assert webhook(container, hook).failed_deliveries == 0


def test_a_redelivery_that_fails_is_not_tried_again(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    register(container, api.account_id, "job.created")
    api.order(interior=[PHOTO])
    deliver_all(container)
    transport.results = [answered(500)]
    with container.database.unit_of_work() as session:
        delivery_log.redeliver(session, api.account_id, all_deliveries(container)[0].id, clock())
    deliver_all(container)
    clock.pass_(hours=2)
    assert sweep(container) == 0
    assert len(transport.sent) == 2
    assert all_deliveries(container)[0].state is DeliveryState.FAILED


def test_a_try_that_waits_is_made_now_where_the_owner_wants_it_and_is_one_of_its_tries(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    register(container, api.account_id, "job.created")
    transport.results = [answered(500)] * 2 + [answered(200)]
    api.order(interior=[PHOTO])
    [delivery] = all_deliveries(container)

    def retry() -> None:
        with container.database.unit_of_work() as session:
            delivery_log.retry_now(session, api.account_id, delivery.id, clock())

    with pytest.raises(Conflict):
        retry()
    for tries in (1, 2):
        deliver_all(container)
        assert (len(transport.sent), all_deliveries(container)[0].state) == (tries, DeliveryState.WAITING)
        retry()
        with pytest.raises(Conflict):
            retry()
    deliver_all(container)
    assert [each.headers["X-Service-Attempt"] for each in transport.sent] == ["1", "2", "3"]
    assert "X-Service-Redelivery" not in transport.sent[-1].headers
    assert all_deliveries(container)[0].state is DeliveryState.SUCCEEDED
    with pytest.raises(Conflict):
        retry()


@pytest.mark.long
def test_all_failed_since_a_time_are_counted_first_and_sent_again(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.results = [answered(500)]
    fail_for_good(api, container, clock, times=2)
    since = clock()
    fail_for_good(api, container, clock, times=7)
    transport.results = [answered(200)]
    with container.database.unit_of_work() as session:
        assert delivery_log.count_failed(session, api.account_id, hook, since) == 7
        assert delivery_log.redeliver_failed(session, api.account_id, hook, since, clock()) == 7
        assert delivery_log.count_failed(session, api.account_id, hook, since) == 0
    deliver_all(container)
    assert [each.state for each in all_deliveries(container)] == [DeliveryState.FAILED] * 2 + [
        DeliveryState.SUCCEEDED
    ] * 7
