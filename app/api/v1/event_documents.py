"""The `webhooks` section of the OpenAPI document: every event with its schema, a sample and its headers."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from openapi_pydantic import MediaType, Parameter, PathItem, Reference, RequestBody
from openapi_pydantic import Operation as DocumentedOperation
from openapi_pydantic import Response as DocumentedResponse
from openapi_pydantic.util import PydanticSchema
from pydantic import Field

from app.api.v1.answers import CreditsNumber, Moment
from app.domain.api_types import WireAnswer
from app.domain.events import (
    SAMPLE_CANCEL,
    SAMPLE_REVISION,
    CancelFacts,
    EventName,
    RevisionFacts,
    payload,
    sample_facts,
)
from app.domain.fields import OwnId, OwnMetadata
from app.domain.lifecycle import MOVES, Status
from app.domain.revisions import RevisionOutcome

HEADERS = {
    "X-Service-Signature": "`sha256=` and the hex HMAC-SHA256 of the body, keyed with the whole secret string.",
    "X-Service-Timestamp": "Unix time of this attempt.",
    "X-Service-Event": "The event's name.",
    "X-Service-Event-Id": "Names the event: the same for all your webhooks, and in `GET /api/v1/events`.",
    "X-Service-Delivery": "Names this delivery: the same at every attempt and redelivery. Deduplicate by it.",
    "X-Service-Attempt": "1 for the first attempt, and so on.",
    "X-Service-Redelivery": "`true` when somebody sent it again by hand; else absent.",
    "webhook-id": "The same as X-Service-Delivery (Standard Webhooks).",
    "webhook-timestamp": "The same as X-Service-Timestamp (Standard Webhooks).",
    "webhook-signature": "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded part "
    "of the secret; two of them, separated by a space, while a secret is being replaced (Standard Webhooks).",
}
_OPTIONAL_HEADERS = ("X-Service-Redelivery",)
_MEANINGS = {
    EventName.JOB_CREATED: "A new order has been submitted.",
    EventName.JOB_PROCESSING: "The work on its photos has begun.",
    EventName.JOB_COMPLETED: "The work is done; quality review follows.",
    EventName.JOB_APPROVED: "Results can be downloaded now.",
    EventName.JOB_DELIVERED: "Results were downloaded for the first time.",
    EventName.JOB_UNDELIVERABLE: "Nothing usable came out, or all was cancelled; all credits were refunded.",
    EventName.JOB_FAILED: "The processing broke or took too long; all credits were refunded.",
    EventName.JOB_CANCELLED: "Photos of the job were cancelled by request, and refunded. Sent only to webhooks "
    "that name it.",
    EventName.PHOTO_REVISED: "A result that was sent back has its answer: another picture, the same one, or "
    "credits.",
    EventName.WEBHOOK_TEST: "Sent by hand to try a receiver; its job does not exist.",
}

_FACTS: Mapping[EventName, RevisionFacts | CancelFacts] = {
    EventName.PHOTO_REVISED: SAMPLE_REVISION,
    EventName.JOB_CANCELLED: SAMPLE_CANCEL,
}
_STATUSES = {EventName.PHOTO_REVISED: Status.DELIVERED, EventName.JOB_CANCELLED: Status.UNDELIVERABLE}


class PhotoCount(WireAnswer):
    """How many photos a job has."""

    interior: int
    exterior: int


class EventData(WireAnswer):
    """The job of an event, as it was right after the event."""

    job_id: str
    status: Status = Field(description="Where the job stood right after the event.")
    profile_id: str = Field(description="The account.")
    address: str = Field(description="Of the property, as ordered.")
    credit_cost: CreditsNumber = Field(description="What was charged, in credits.")
    photo_count: PhotoCount
    timestamp: Moment = Field(description="When it happened.")
    engine_version: str = Field(description="The engine of the release that wrote the event.")
    external_id: OwnId = None
    metadata: OwnMetadata = None
    photos_cancelled: int | None = Field(
        default=None, description="`job.cancelled` alone: how many photos were cancelled."
    )
    credits_refunded: CreditsNumber | None = Field(
        default=None, description="`job.cancelled` alone: what was refunded for them."
    )
    image_id: str | None = Field(default=None, description="`photo.revised` alone: the result that was sent back.")
    revision_id: str | None = Field(default=None, description="`photo.revised` alone: names the round.")
    round: int | None = Field(default=None, description="`photo.revised` alone: which round it was, from 1.")
    outcome: RevisionOutcome | None = Field(default=None, description="`photo.revised` alone: how the round ended.")


class EventBody(WireAnswer):
    """What is sent to a webhook."""

    event: EventName = Field(description="What happened.")
    timestamp: Moment = Field(description="When it happened.")
    data: EventData = Field(description="To which job.")


def event_documents() -> dict[str, PathItem | Reference]:
    """The path item of every event, by the event's name."""
    return {name.value: PathItem(post=_describe_event(name)) for name in EventName}


def _describe_event(name: EventName) -> DocumentedOperation:
    states = sorted({to.value for (_, to), event in MOVES.items() if event is name})
    status = f" `data.status` is `{'` or `'.join(states)}`." if states else ""
    body = MediaType.model_validate(
        {"schema": PydanticSchema(schema_class=EventBody), "example": make_sample(name)}
    )
    return DocumentedOperation(
        operationId=name.value.replace(".", "_"),
        summary=_MEANINGS[name],
        description=f"{_MEANINGS[name]}{status}",
        parameters=[_make_header(header, text) for header, text in HEADERS.items()],
        requestBody=RequestBody(required=True, content={"application/json": body}),
        responses={
            "2XX": DocumentedResponse(description="Answer 2xx within 10 seconds; anything else is tried again.")
        },
    )


def make_sample(name: EventName) -> dict[str, Any]:
    """A sample of the event, made by the same function that makes real events."""
    about = _FACTS.get(name)
    default_status = _STATUSES.get(name, Status.PENDING)
    status = next((to for (_, to), event in reversed(MOVES.items()) if event is name), default_status)
    at = datetime(2026, 11, 20, 14, 3, 27, 512_000, tzinfo=UTC)
    return payload(name, sample_facts("acc_3Tz8FhUe5SgIw1Pr7BnCxM", status), at, about)


def _make_header(name: str, text: str) -> Parameter | Reference:
    facts = {"name": name, "in": "header", "required": name not in _OPTIONAL_HEADERS, "description": text}
    return Parameter.model_validate({**facts, "schema": {"type": "string"}})
