"""Webhooks in the Python client: verified as the service signs them, and signed as it does."""

import json
import time
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from brightlist import errors, webhooks
from brightlist.models import EventData
from standardwebhooks.webhooks import Webhook

from app.api.v1.event_documents import make_sample
from app.domain.events import EventName
from app.domain.webhooks import new_secret
from app.services.webhooks.signing import DeliveryLabel, Secrets, headers

NOW = datetime(2026, 11, 20, 14, 3, 27, tzinfo=UTC)
OLD, SECRET, NEW = new_secret(), new_secret(), new_secret()
BODY = json.dumps(make_sample(EventName.JOB_APPROVED)).encode()
LABEL = DeliveryLabel("dlv_1", "evt_1", EventName.JOB_APPROVED, attempt=1, by_hand=False, sent_at=NOW)
SENT = headers(LABEL, BODY, Secrets(SECRET, (SECRET,)))


def test_what_the_service_sends_is_verified_and_read() -> None:
    event = webhooks.verify(BODY, SENT, SECRET, now=NOW.timestamp())
    assert (event.id, event.event) == ("evt_1", "job.approved")
    assert isinstance(event.data, EventData)
    assert event.data.status == "approved"
    lower = {name.lower(): value for name, value in SENT.items()}
    assert webhooks.verify(BODY, lower, [OLD, SECRET], now=NOW.timestamp()) == event


def test_a_secret_that_is_being_replaced_is_verified_with_either() -> None:
    sent = headers(LABEL, BODY, Secrets(SECRET, (SECRET, NEW)))
    assert webhooks.verify(BODY, sent, SECRET, now=NOW.timestamp())
    assert webhooks.verify(BODY, sent, [NEW, SECRET], now=NOW.timestamp())


TAMPERED = {
    "body": (BODY.replace(b"approved", b"failed"), SENT),
    "another secret": (BODY, headers(LABEL, BODY, Secrets(NEW, (NEW,)))),
    "the standard signature of another": (BODY, {**SENT, "webhook-signature": "v1,AAAA"}),
    "our signature of another": (BODY, {**SENT, "X-Service-Signature": "sha256=" + "0" * 64}),
    "the standard signature missing": (BODY, {k: v for k, v in SENT.items() if k != "webhook-signature"}),
    "our signature missing": (BODY, {k: v for k, v in SENT.items() if k != "X-Service-Signature"}),
    "another delivery": (BODY, {**SENT, "webhook-id": "dlv_2", "X-Service-Delivery": "dlv_2"}),
    "two deliveries": (BODY, {**SENT, "X-Service-Delivery": "dlv_2"}),
    "another time": (BODY, {**SENT, "webhook-timestamp": str(int(NOW.timestamp()) + 1)}),
    "no time": (BODY, {k: v for k, v in SENT.items() if k != "webhook-timestamp"}),
    "a time that is none": (BODY, {**SENT, "webhook-timestamp": "²"}),
    "no headers": (BODY, {}),
}


@pytest.mark.parametrize("case", TAMPERED)
def test_what_was_changed_is_refused(case: str) -> None:
    body, sent = TAMPERED[case]
    with pytest.raises(errors.InvalidSignature):
        webhooks.verify(body, sent, SECRET, now=NOW.timestamp())


@pytest.mark.parametrize("late", [-301, 301])
def test_what_is_stale_or_of_the_future_is_refused(late: float) -> None:
    assert webhooks.verify(BODY, SENT, SECRET, now=NOW.timestamp() + late, tolerance=302)
    with pytest.raises(errors.InvalidSignature, match="300 seconds"):
        webhooks.verify(BODY, SENT, SECRET, now=NOW.timestamp() + late)


def test_it_signs_as_the_service_and_any_library_verifies_it() -> None:
    made = webhooks.sign(
        BODY, SECRET, event="job.approved", event_id="evt_1", delivery_id="dlv_1", now=NOW.timestamp()
    )
    assert made == SENT
    assert made | {"X-Service-Attempt": "3"} == headers(replace(LABEL, attempt=3), BODY, Secrets(SECRET, (SECRET,)))
    now = webhooks.sign(BODY, SECRET, event="job.approved", event_id="evt_1", delivery_id="d", now=time.time())
    assert Webhook(SECRET).verify(BODY, now)


def test_a_secret_that_is_none_is_told() -> None:
    with pytest.raises(ValueError, match="whsec_"):
        webhooks.verify(BODY, {**SENT}, "whsec_!", now=NOW.timestamp())
