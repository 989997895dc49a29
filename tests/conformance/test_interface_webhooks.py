"""Sections "Webhook registration", "/webhooks" and "Delivery": to the letter."""

import hashlib
import hmac
import json

import pytest

from app.container import Container
from tests.conformance.shapes import is_moment
from tests.conftest import PHOTO, Api
from tests.services.hooks import FakeTransport, answered, deliver_all

URL = "https://agency.example/hooks"
INTERFACE = ["job.created", "job.processing", "job.completed", "job.failed", "job.delivered", "job.undeliverable"]


@pytest.fixture(autouse=True)
def transport(container: Container) -> FakeTransport:
    container.transport = FakeTransport()
    return container.transport


def test_the_registration_object_has_the_fields_of_the_interface(api: Api) -> None:
    hook = api.post("/webhooks", {"url": URL, "events": INTERFACE}).json
    assert set(hook) == {"livemode", "id", "url", "events", "active", "secret", "createdAt"}
    assert isinstance(hook["id"], str)
    assert (hook["url"], hook["events"], hook["active"]) == (URL, INTERFACE, True)
    assert isinstance(hook["secret"], str)
    assert is_moment(hook["createdAt"])


def test_the_secret_is_returned_only_at_creation(api: Api) -> None:
    secret = api.post("/webhooks", {"url": URL}).json["secret"]
    assert secret not in api.get("/webhooks").text
    assert "secret" not in api.get("/webhooks").json["webhooks"][0]


@pytest.mark.parametrize("event", INTERFACE)
def test_every_event_of_the_interface_can_be_subscribed_alone(api: Api, event: str) -> None:
    assert api.post("/webhooks", {"url": URL, "events": [event]}).json["events"] == [event]


def test_a_delivery_has_the_four_headers_and_a_json_body(
    api: Api, container: Container, transport: FakeTransport
) -> None:
    secret = api.post("/webhooks", {"url": URL}).json["secret"]
    api.order(interior=[PHOTO])
    deliver_all(container)
    [request] = transport.sent
    body = json.loads(request.body)
    digest = hmac.new(secret.encode(), request.body, hashlib.sha256).hexdigest()
    assert request.headers["X-Service-Signature"] == f"sha256={digest}"
    assert request.headers["X-Service-Timestamp"] == str(int(container.clock().timestamp()))
    assert request.headers["X-Service-Event"] == body["event"] == "job.created"
    assert request.headers["X-Service-Delivery"]


@pytest.mark.parametrize(("status", "attempts"), [(200, 1), (204, 1), (299, 1), (300, 2), (404, 2), (500, 2)])
def test_only_2xx_counts_as_delivered(
    api: Api, container: Container, transport: FakeTransport, clock, status: int, attempts: int
) -> None:
    transport.results = [answered(status)]
    api.post("/webhooks", {"url": URL})
    api.order(interior=[PHOTO])
    deliver_all(container)
    clock.pass_(seconds=34)
    container.sweep.notify_due_deliveries()
    deliver_all(container)
    assert len(transport.sent) == attempts
