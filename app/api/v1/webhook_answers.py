"""Answers about one webhook: its health, its deliveries and their attempts."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from app.api.v1.answers import Moment, WebhookAnswer, WebhookId
from app.api.v1.lists import ListAnswer
from app.domain.api_types import WireAnswer
from app.domain.events import SAMPLE_JOB, EventName
from app.domain.fields import JobId
from app.domain.mail_text import clean
from app.domain.sending import AttemptOutcome, DeliveryState
from app.models import Attempt, Delivery
from app.services.webhooks.health import MAX_COUNTED, MAX_MEASURED, WebhookState
from app.services.webhooks.pages import DeliveryEntry

DeliveryId = Annotated[str, Field(examples=["dlv_2Wn7PkDx4SfHq9YjMb0GtC"])]
MAX_BODY = 2000
"""The most characters of a response's body in an answer."""


class WebhookHealthAnswer(WireAnswer):
    """The health of a webhook."""

    condition: WebhookState = Field(description="In one word; `untried`: nothing was delivered yet.")
    attempts: int = Field(description=f"In the last 24 hours, of the last {MAX_MEASURED}.", examples=[1])
    succeeded: int = Field(description="How many of these succeeded.", examples=[1])
    seconds_p95: float | None = Field(default=None, description="95 % of them took no longer.", examples=[0.18])
    last_success_at: Moment | None = None
    waiting: int = Field(description="Deliveries to come, those being sent among them.", examples=[0])
    held: int = Field(description=f"Held while it was off. Counts end at {MAX_COUNTED + 1}.", examples=[0])
    failed: int = Field(description="Given up, as far as they are in the log.", examples=[0])


class WebhookDetailsAnswer(WebhookAnswer):
    """A registered receiver with its health."""

    health: WebhookHealthAnswer


class DeliveryAnswer(WireAnswer):
    """The delivery of one event to one receiver."""

    id: DeliveryId = Field(description="As in X-Service-Delivery.")
    webhook_id: WebhookId
    event: EventName
    job_id: JobId | None = Field(default=None, description="Absent where the event is about no job.")
    status: DeliveryState = Field(description="`held`: the webhook is off; `failed`: given up.")
    attempts_made: int = Field(examples=[1])
    response_status: int | None = Field(
        default=None, description="The last response's, if one came.", examples=[200]
    )
    created_at: Moment
    last_attempt_at: Moment | None = None
    next_attempt_at: Moment | None = Field(default=None, description="While it waits for an attempt.")


class DeliveryList(ListAnswer):
    """Deliveries to one receiver."""

    deliveries: list[DeliveryAnswer] = Field(description="The newest first.")


class AttemptAnswer(WireAnswer):
    """One attempt at a delivery."""

    number: int = Field(description="From 1.", examples=[1])
    redelivery: bool = Field(description="Whether somebody asked for it by hand.", examples=[False])
    outcome: AttemptOutcome
    message: str = Field(description="What happened, for people.", examples=["Your receiver answered 200."])
    started_at: Moment
    ended_at: Moment | None = None
    response_status: int | None = Field(default=None, examples=[200])
    response_headers: dict[str, str] = Field(examples=[{"Content-Type": "text/plain"}])
    response_body: str = Field(description=f"Its first {MAX_BODY} characters.", examples=["ok"])


class DeliveryDetailsAnswer(DeliveryAnswer):
    """One delivery with its payload and every attempt."""

    payload: dict[str, Any] = Field(
        description="The body that every attempt sends.",
        examples=[{"event": EventName.JOB_APPROVED, "data": {"jobId": SAMPLE_JOB}}],
    )
    attempts: list[AttemptAnswer] = Field(description="The newest first, at most 50.")


class DeliveryCount(WireAnswer):
    """The count of deliveries that will be sent."""

    count: int = Field(examples=[3])


def answer_delivery(entry: DeliveryEntry) -> DeliveryAnswer:
    """The delivery with the outcome of its last attempt."""
    delivery, last = entry.delivery, entry.attempt
    return DeliveryAnswer(
        id=delivery.id,
        webhook_id=delivery.webhook_id,
        event=EventName(delivery.event_name),
        job_id=delivery.job_id,
        status=delivery.state,
        attempts_made=delivery.attempts_made,
        response_status=last and last.response_status,
        created_at=delivery.created_at,
        last_attempt_at=last and last.started_at,
        next_attempt_at=delivery.next_attempt_at if delivery.state is DeliveryState.WAITING else None,
    )


def answer_whole_delivery(delivery: Delivery, attempts: Sequence[Attempt]) -> DeliveryDetailsAnswer:
    """The delivery with its payload and all of `attempts`, the latest first."""
    last = attempts[0] if attempts else None
    return DeliveryDetailsAnswer(
        **dict(answer_delivery(DeliveryEntry(delivery, last))),
        payload=json.loads(delivery.event.body),
        attempts=[_answer_attempt(each) for each in attempts],
    )


def _answer_attempt(attempt: Attempt) -> AttemptAnswer:
    return AttemptAnswer(
        number=attempt.number,
        redelivery=attempt.by_hand,
        outcome=attempt.outcome,
        message=attempt.message,
        started_at=attempt.started_at,
        ended_at=attempt.ended_at,
        response_status=attempt.response_status,
        response_headers=attempt.response_headers,
        response_body=clean(attempt.response_body.decode(errors="replace"))[:MAX_BODY],
    )
