"""Webhooks: what their owner can do with them, and when the service switches one off."""

import hashlib
import hmac
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from app.container import Container
from app.domain.errors import Conflict, NotFound
from app.domain.sending import DeliveryRequest, DeliveryState
from app.domain.webhooks import MAX_WEBHOOKS, WebhookChange
from app.services.webhooks import delivery_log, webhooks
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.services.hooks import (
    URL,
    FakeTransport,
    all_attempts,
    all_deliveries,
    answered,
    deliver_all,
    register,
    sweep,
    webhook,
)


def signed_for_interface(request: DeliveryRequest, secret: str) -> bool:
    expected = hmac.new(secret.encode(), request.body, hashlib.sha256).hexdigest()
    return request.headers["X-Service-Signature"] == f"sha256={expected}"


def signed_by_standard(request: DeliveryRequest, secret: str, clock: FakeClock) -> bool:
    # The library reads the machine's own clock, so the age is judged elsewhere.
    verifier = Verifier(secret)
    signature = verifier.sign(request.headers["webhook-id"], clock(), request.body.decode())
    return signature in request.headers["webhook-signature"].split(" ")


def test_a_delivery_carries_the_interfaces_headers_and_the_standard_ones(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    _, secret = register(container, api.account_id)
    api.order(interior=[PHOTO], address="1 Café St — 東京")
    deliver_all(container)
    [request] = transport.sent
    [delivery] = all_deliveries(container)
    headers = request.headers
    assert request.url == URL
    assert signed_for_interface(request, secret)
    assert signed_by_standard(request, secret, clock)
    assert headers["X-Service-Timestamp"] == headers["webhook-timestamp"] == str(int(clock().timestamp()))
    assert headers["X-Service-Delivery"] == headers["webhook-id"] == delivery.id
    assert headers["X-Service-Event"] == json.loads(request.body)["event"] == "job.created"
    assert headers["Content-Type"] == "application/json"
    assert "X-Service-Redelivery" not in headers
    assert "東京".encode() in request.body


def test_the_official_library_accepts_what_is_fresh_and_refuses_what_was_changed(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    clock.now = datetime.now(UTC)
    _, secret = register(container, api.account_id)
    api.order(interior=[PHOTO])
    deliver_all(container)
    [request] = transport.sent
    assert Verifier(secret).verify(request.body, dict(request.headers))["event"] == "job.created"
    with pytest.raises(WebhookVerificationError):
        Verifier(secret).verify(request.body + b" ", dict(request.headers))


def test_secrets_are_unreadable_in_the_database(api: Api, container: Container) -> None:
    hook, secret = register(container, api.account_id)
    kept = webhook(container, hook).secret
    assert secret.startswith("whsec_")
    assert secret not in kept
    assert container.vault.open(kept) == secret


def test_a_rotation_signs_with_both_until_somebody_switches(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, old = register(container, api.account_id)
    with container.database.unit_of_work() as session:
        _, new = webhooks.rotate(session, container.vault, api.account_id, hook, clock())
    api.order(interior=[PHOTO])
    deliver_all(container)
    during = transport.sent[-1]
    assert signed_for_interface(during, old)
    assert signed_by_standard(during, old, clock)
    assert signed_by_standard(during, new, clock)
    with container.database.unit_of_work() as session:
        webhooks.switch_secret(session, api.account_id, hook, clock())
        with pytest.raises(Conflict):
            webhooks.switch_secret(session, api.account_id, hook, clock())
    api.order(interior=[PHOTO])
    deliver_all(container)
    after = transport.sent[-1]
    assert signed_for_interface(after, new)
    assert signed_by_standard(after, new, clock)
    assert not signed_by_standard(after, old, clock)


def test_a_rotation_is_over_after_a_day_by_itself_and_a_second_one_builds_on_it(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id)
    with container.database.unit_of_work() as session:
        _, second = webhooks.rotate(session, container.vault, api.account_id, hook, clock())
    clock.pass_(hours=24)
    with container.database.unit_of_work() as session:
        _, third = webhooks.rotate(session, container.vault, api.account_id, hook, clock())
    api.order(interior=[PHOTO])
    deliver_all(container)
    assert signed_for_interface(transport.sent[-1], second)
    clock.pass_(hours=24)
    api.order(interior=[PHOTO])
    deliver_all(container)
    assert signed_for_interface(transport.sent[-1], third)
    assert not signed_by_standard(transport.sent[-1], second, clock)


def test_a_test_event_goes_out_at_once_signed_with_the_secret_to_come(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.failed")
    with container.database.unit_of_work() as session:
        _, new = webhooks.rotate(session, container.vault, api.account_id, hook, clock())
        webhooks.send_test(session, api.account_id, hook, clock())
    deliver_all(container)
    [request] = transport.sent
    assert request.headers["X-Service-Event"] == "webhook.test"
    assert set(json.loads(request.body)["data"]) >= {"jobId", "status", "profileId", "photoCount"}
    assert signed_for_interface(request, new)


def test_while_a_webhook_is_off_events_are_held_and_released_with_one_click(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.results = [answered(500)]
    api.order(interior=[PHOTO])
    deliver_all(container)
    with container.database.unit_of_work() as session:
        webhooks.switch_off(session, api.account_id, hook)
        with pytest.raises(Conflict):
            webhooks.send_test(session, api.account_id, hook, clock())
    api.order(interior=[PHOTO])
    clock.pass_(hours=1)
    assert sweep(container) == 0
    assert [each.state for each in all_deliveries(container)] == [DeliveryState.HELD] * 2
    with container.database.unit_of_work() as session, pytest.raises(Conflict):
        delivery_log.release_held(session, api.account_id, hook, clock())
    transport.results = [answered(200)]
    with container.database.unit_of_work() as session:
        webhooks.switch_on(session, api.account_id, hook, clock())
    assert sweep(container) == 0
    with container.database.unit_of_work() as session:
        assert delivery_log.release_held(session, api.account_id, hook, clock()) == 2
    deliver_all(container)
    assert [each.state for each in all_deliveries(container)] == [DeliveryState.SUCCEEDED] * 2
    assert sorted(attempt.number for attempt in all_attempts(container)) == [1, 1, 2]


def test_an_attempt_in_flight_when_the_webhook_is_switched_off_ends_well_or_is_held(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    hook, _ = register(container, api.account_id, "job.created")

    def off(request: DeliveryRequest) -> None:
        with container.database.unit_of_work() as session:
            webhooks.switch_off(session, api.account_id, hook)

    transport.meanwhile, transport.results = off, [answered(500)]
    api.order(interior=[PHOTO])
    deliver_all(container)
    assert [each.state for each in all_deliveries(container)] == [DeliveryState.HELD]


def test_a_deleted_webhook_gets_nothing_more_and_its_log_goes(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id)
    transport.results = [answered(500)]
    api.order(interior=[PHOTO])
    deliver_all(container)
    with container.database.unit_of_work() as session:
        webhooks.delete(session, api.account_id, hook, clock())
    api.order(interior=[PHOTO])
    clock.pass_(hours=1)
    assert sweep(container) == 0
    with container.database.read_session() as session, pytest.raises(NotFound):
        delivery_log.paginate(session, api.account_id, hook)
    container.sweep.forget_old_deliveries()
    assert all_deliveries(container) == []


def test_events_and_address_can_be_edited(api: Api, container: Container, transport: FakeTransport) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    with container.database.unit_of_work() as session:
        wanted = WebhookChange(url="https://new.example/", events=["job.approved"])
        webhooks.edit(session, api.account_id, hook, wanted, container.clock())
    api.order(interior=[PHOTO])
    work(container)
    deliver_all(container)
    assert [(each.url, each.headers["X-Service-Event"]) for each in transport.sent] == [
        ("https://new.example/", "job.approved")
    ]


def test_nobody_reaches_anothers_webhook(
    api: Api, other_api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id)
    api.order(interior=[PHOTO])
    [delivery] = all_deliveries(container)
    me, now, vault = other_api.account_id, clock(), container.vault
    acts = [
        lambda s: webhooks.get(s, me, hook),
        lambda s: webhooks.edit(s, me, hook, WebhookChange(url=URL), now),
        lambda s: webhooks.switch_off(s, me, hook),
        lambda s: webhooks.switch_on(s, me, hook, now),
        lambda s: webhooks.rotate(s, vault, me, hook, now),
        lambda s: webhooks.switch_secret(s, me, hook, now),
        lambda s: webhooks.send_test(s, me, hook, now),
        lambda s: webhooks.delete(s, me, hook, now),
        lambda s: delivery_log.paginate(s, me, hook),
        lambda s: delivery_log.show(s, me, delivery.id),
        lambda s: delivery_log.redeliver(s, me, delivery.id, now),
        lambda s: delivery_log.count_failed(s, me, hook, now),
        lambda s: delivery_log.redeliver_failed(s, me, hook, now, now),
        lambda s: delivery_log.release_held(s, me, hook, now),
    ]
    for act in acts:
        with container.database.unit_of_work() as session, pytest.raises(NotFound):
            act(session)


def test_the_twenty_first_webhook_is_refused_even_when_many_come_at_once(api: Api, container: Container) -> None:
    for _ in range(MAX_WEBHOOKS - 2):
        register(container, api.account_id)

    def one_more(_: int) -> bool:
        try:
            register(container, api.account_id)
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(one_more, range(6))) == 2
