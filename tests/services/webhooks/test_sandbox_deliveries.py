"""Deliveries about test orders: by their address receivers seem to fail, with all that follows from failures."""

import json

import pytest

from app.container import Container
from app.domain.sandbox_addresses import ADDRESSES, SandboxAddress
from app.domain.sending import AttemptOutcome, DeliveryState
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.sandboxes import enter_test_mode
from tests.services.hooks import FakeTransport, all_attempts, all_deliveries, deliver_all, register, sweep, webhook


@pytest.fixture
def tried(api: Api, container: Container) -> Api:
    """A client in test mode."""
    container.transport = FakeTransport()
    return enter_test_mode(api, container)


def asked(street: str) -> SandboxAddress:
    return next(each for each in ADDRESSES if each.street == f"1 Webhook {street} Street")


def hasten(api: Api, job_id: str) -> None:
    assert api.post(f"/test/jobs/{job_id}/clock", {"to": "next_attempts"}).status_code == 200


def test_the_first_attempt_fails_and_the_second_is_sent(tried: Api, container: Container, clock: FakeClock) -> None:
    register(container, tried.account_id, "job.created")
    job_id = tried.order([PHOTO], address=asked("Retry").line)["jobId"]
    deliver_all(container)
    (attempt,) = all_attempts(container)
    assert (attempt.outcome, attempt.response_status) == (AttemptOutcome.REJECTED, 503)
    assert container.transport.sent == []
    hasten(tried, job_id)
    deliver_all(container)
    (delivery,), (sent,) = all_deliveries(container), container.transport.sent
    assert (delivery.state, delivery.attempts_made) == (DeliveryState.SUCCEEDED, 2)
    assert json.loads(sent.body)["livemode"] is False


def test_every_attempt_fails_until_the_delivery_has_failed(tried: Api, container: Container) -> None:
    register(container, tried.account_id, "job.created")
    job_id = tried.order([PHOTO], address=asked("Failure").line)["jobId"]
    deliver_all(container)
    for _ in range(4):
        hasten(tried, job_id)
        deliver_all(container)
    (delivery,) = all_deliveries(container)
    assert (delivery.state, delivery.attempts_made) == (DeliveryState.FAILED, 5)
    assert {each.response_status for each in all_attempts(container)} == {500}
    assert container.transport.sent == []


def test_a_receiver_that_seems_gone_is_switched_off(tried: Api, container: Container) -> None:
    webhook_id, _ = register(container, tried.account_id, "job.created")
    tried.order([PHOTO], address=asked("Gone").line)
    deliver_all(container)
    assert not webhook(container, webhook_id).active


def test_other_test_orders_and_live_orders_are_really_sent(api: Api, tried: Api, container: Container) -> None:
    for each in (api, tried):
        register(container, each.account_id, "job.created", "webhook.test")
    api.order([PHOTO], address=asked("Failure").line)
    tried.order([PHOTO])
    deliver_all(container)
    assert [json.loads(each.body)["livemode"] for each in container.transport.sent] == [True, False]


def test_the_clock_of_one_job_hastens_nothing_else(tried: Api, container: Container) -> None:
    register(container, tried.account_id, "job.created")
    first, _ = (tried.order([PHOTO], address=asked("Retry").line)["jobId"] for _ in range(2))
    deliver_all(container)
    hasten(tried, first)
    sweep(container)
    assert [each.attempts_made for each in all_deliveries(container)] == [2, 1]
    work(container)


def test_test_events_say_the_mode_of_their_webhook(api: Api, tried: Api, container: Container) -> None:
    for each in (api, tried):
        webhook_id, _ = register(container, each.account_id)
        assert each.post(f"/webhooks/{webhook_id}/test").status_code in (200, 201, 202)
    deliver_all(container)
    assert [json.loads(each.body)["livemode"] for each in container.transport.sent] == [True, False]
