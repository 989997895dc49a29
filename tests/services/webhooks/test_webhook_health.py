"""The health of webhooks: what is warned of, what switches one off, and the figures."""

from sqlalchemy import select

from app.container import Container
from app.domain.sending import DeliveryState
from app.models import Mail, Webhook
from app.services.webhooks import health as webhook_health
from app.services.webhooks import webhooks
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock
from tests.services.hooks import (
    TIMEOUT,
    FakeTransport,
    all_deliveries,
    answered,
    deliver_all,
    fail_for_good,
    register,
    webhook,
)


def mails(container: Container) -> list[Mail]:
    with container.database.read_session() as session:
        return list(session.scalars(select(Mail).order_by(Mail.created_at)))


def as_if_failed(container: Container, hook: str, times: int) -> None:
    """So many deliveries in a row have failed by now."""
    with container.database.unit_of_work() as session:
        session.get_one(Webhook, hook).failed_deliveries = times


def test_410_switches_off_at_once_and_tells_the_owner(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.results = [answered(410)]
    for _ in range(3):
        api.order(interior=[PHOTO])
    deliver_all(container)
    assert len(transport.sent) == 1
    off = webhook(container, hook)
    assert (off.active, off.off_reason) == (False, "The receiver answered 410 Gone.")
    assert [each.state for each in all_deliveries(container)] == [DeliveryState.FAILED, *[DeliveryState.HELD] * 2]
    [mail] = mails(container)
    assert mail.to == "jo@example.com"
    assert "turned off" in mail.subject


def test_long_failure_is_warned_of_and_then_switches_off(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.results = [TIMEOUT]
    fail_for_good(api, container, clock)
    assert len(mails(container)) == 1
    assert webhook(container, hook).failed_deliveries == 1
    as_if_failed(container, hook, 19)
    clock.pass_(days=2)
    assert webhook(container, hook).active
    assert len(mails(container)) == 1
    fail_for_good(api, container, clock)
    # Twenty failures, and more than half of the three days: the second warning.
    assert len(mails(container)) == 2
    clock.pass_(days=1)
    fail_for_good(api, container, clock)
    assert not webhook(container, hook).active
    assert len(mails(container)) == 3
    assert "3 days" in webhook(container, hook).off_reason


def test_few_failures_switch_nothing_off_however_long_they_last(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.results = [answered(500)]
    for _ in range(5):
        clock.pass_(days=1)
        fail_for_good(api, container, clock)
    assert webhook(container, hook).active


def test_one_success_begins_a_new_count(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.results = [answered(500)]
    fail_for_good(api, container, clock)
    as_if_failed(container, hook, 19)
    clock.pass_(days=4)
    transport.results = [answered(200)]
    api.order(interior=[PHOTO])
    deliver_all(container)
    transport.results = [answered(500)]
    fail_for_good(api, container, clock, times=2)
    assert webhook(container, hook).active
    assert webhook(container, hook).failed_deliveries == 2


def test_a_secret_that_cannot_be_opened_switches_off_and_loses_nothing(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    with container.database.unit_of_work() as session:
        webhooks.get(session, api.account_id, hook).secret = "spoilt"
    api.order(interior=[PHOTO])
    deliver_all(container)
    assert transport.sent == []
    assert not webhook(container, hook).active
    assert [each.state for each in all_deliveries(container)] == [DeliveryState.HELD]


def test_the_figures_say_how_a_webhook_does(
    api: Api, container: Container, transport: FakeTransport, clock: FakeClock
) -> None:
    hook, _ = register(container, api.account_id, "job.created")
    transport.meanwhile = lambda request: clock.pass_(seconds=1)
    transport.results = [answered(200)] * 3 + [answered(500)]
    for _ in range(4):
        api.order(interior=[PHOTO])
    deliver_all(container)
    with container.database.read_session() as session:
        health = webhook_health.figures(session, webhooks.get(session, api.account_id, hook), clock())
    assert (health.attempts, health.succeeded, health.failure_rate) == (4, 3, 0.25)
    assert (health.waiting, health.held, health.failed) == (1, 0, 0)
    assert health.p95_seconds == 1
    clock.pass_(days=2)
    with container.database.read_session() as session:
        health = webhook_health.figures(session, webhooks.get(session, api.account_id, hook), clock())
    assert (health.attempts, health.failure_rate) == (0, None)
