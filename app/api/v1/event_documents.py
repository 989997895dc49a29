"""The `webhooks` section of the OpenAPI document: every event with its schema, a sample and its headers."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

from openapi_pydantic import MediaType, Parameter, PathItem, Reference, RequestBody
from openapi_pydantic import Operation as DocumentedOperation
from openapi_pydantic import Response as DocumentedResponse
from openapi_pydantic.util import PydanticSchema
from pydantic import Field

from app.api.v1.answers import CreditsNumber, Moment
from app.domain import events
from app.domain.api_types import WireAnswer
from app.domain.events import OPT_IN, EventName, Facts, balance_payload, payload, sample_facts
from app.domain.fields import OwnId, OwnMetadata
from app.domain.lifecycle import MOVES, Status
from app.domain.revisions import RevisionOutcome
from app.web.answers import LIVEMODE_MEANING
from engine.types.enhancements import Enhancement, PhotoType

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
    EventName.JOB_CANCELLED: "Photos of the job were cancelled by request, and refunded.",
    EventName.PHOTO_COMPLETED: "The work on one photo is done, before the others of its job and before review.",
    EventName.VARIANT_READY: "A variant of a result can be downloaded, also one that we make by ourselves.",
    EventName.PACK_READY: "The pack for a listing service can be downloaded.",
    EventName.CREDITS_LOW: "The balance fell below the limit that the account has set under Notifications; sent "
    "once until it has risen above it again.",
    EventName.PHOTO_REVISED: "A result that was sent back has its answer: another picture, the same one, or "
    "credits.",
    EventName.WEBHOOK_TEST: "Sent by hand to try a receiver; its job does not exist.",
}

_FACTS: Mapping[EventName, tuple[Facts, Status]] = {
    EventName.PHOTO_REVISED: (events.SAMPLE_REVISION, Status.DELIVERED),
    EventName.JOB_CANCELLED: (events.SAMPLE_CANCEL, Status.UNDELIVERABLE),
    EventName.PHOTO_COMPLETED: (events.SAMPLE_PHOTO, Status.PROCESSING),
    EventName.VARIANT_READY: (events.SAMPLE_VARIANT, Status.APPROVED),
    EventName.PACK_READY: (events.SAMPLE_PACK, Status.DELIVERED),
}
_OPT_IN = " Sent only to webhooks that name it."


Livemode = Annotated[bool, Field(description=LIVEMODE_MEANING)]


class PhotoCount(WireAnswer):
    """How many photos a job has."""

    interior: int
    exterior: int


class EventData(WireAnswer):
    """The job of an event, in its state right after the event."""

    job_id: str
    status: Status = Field(description="Where the job stood right after the event.")
    profile_id: str = Field(description="The account.")
    address: str = Field(description="Of the property, as ordered.")
    credit_cost: CreditsNumber = Field(description="What was charged, in credits.")
    photo_count: PhotoCount
    timestamp: Moment = Field(description="When it happened.")
    engine_version: str = Field(
        description="Of the picture that the event is about; of other events, the engine for the job's pictures."
    )
    external_id: OwnId = None
    metadata: OwnMetadata = None
    photos_cancelled: int | None = Field(
        default=None, description="`job.cancelled` alone: how many photos were cancelled."
    )
    credits_refunded: CreditsNumber | None = Field(
        default=None, description="`job.cancelled` alone: what was refunded for them."
    )
    image_id: str | None = Field(
        default=None, description="The result that was sent back, is done, or has the variant; as in the downloads."
    )
    photo_id: str | None = Field(default=None, description="`photo.completed` alone: an asset of the order.")
    photo_type: PhotoType | None = Field(default=None, description="`photo.completed` alone.")
    photo_index: int | None = Field(default=None, description="`photo.completed` alone: from 0, within the type.")
    has_picture: bool | None = Field(
        default=None, description="`photo.completed` alone: false where nothing usable came out."
    )
    enhancements: list[Enhancement] | None = Field(
        default=None, description="`variant.ready` alone: the steps that are in the variant."
    )
    pack_id: str | None = Field(default=None, description="`pack.ready` alone.")
    mls: str | None = Field(default=None, description="`pack.ready` alone: the listing service.")
    revision_id: str | None = Field(default=None, description="`photo.revised` alone: names the round.")
    round: int | None = Field(default=None, description="`photo.revised` alone: which round it was, from 1.")
    outcome: RevisionOutcome | None = Field(default=None, description="`photo.revised` alone: how the round ended.")


class BalanceData(WireAnswer):
    """The account whose balance is low."""

    profile_id: str = Field(description="The account.")
    credits: CreditsNumber = Field(description="The balance right after the event.")
    threshold: CreditsNumber = Field(description="The limit below which it fell.")
    timestamp: Moment = Field(description="When it happened.")


class EventBody(WireAnswer):
    """What is sent to a webhook."""

    event: EventName = Field(description="What happened.")
    timestamp: Moment = Field(description="When it happened.")
    livemode: Livemode
    data: EventData = Field(description="To which job.")


class BalanceEventBody(WireAnswer):
    """What is sent to a webhook for `credits.low`, the only event that is not about a job."""

    event: EventName = Field(description="What happened.")
    timestamp: Moment = Field(description="When it happened.")
    livemode: Livemode
    data: BalanceData = Field(description="To which account.")


def event_documents() -> dict[str, PathItem | Reference]:
    """The path item of every event, by the event's name."""
    return {name.value: PathItem(post=_describe_event(name)) for name in EventName}


def _describe_event(name: EventName) -> DocumentedOperation:
    states = sorted({to.value for (_, to), event in MOVES.items() if event is name})
    status = f" `data.status` is `{'` or `'.join(states)}`." if states else ""
    model = BalanceEventBody if name is EventName.CREDITS_LOW else EventBody
    body = MediaType.model_validate({"schema": PydanticSchema(schema_class=model), "example": make_sample(name)})
    return DocumentedOperation(
        operationId=name.value.replace(".", "_"),
        summary=_MEANINGS[name],
        description=f"{_MEANINGS[name]}{status}{_OPT_IN if name in OPT_IN else ''}",
        parameters=[_make_header(header, text) for header, text in HEADERS.items()],
        requestBody=RequestBody(required=True, content={"application/json": body}),
        responses={
            "2XX": DocumentedResponse(description="Answer 2xx within 10 seconds; anything else is tried again.")
        },
    )


def make_sample(name: EventName) -> dict[str, Any]:
    """A sample of the event, made by the same function that makes real events."""
    at = datetime(2026, 11, 20, 14, 3, 27, 512_000, tzinfo=UTC)
    if name is EventName.CREDITS_LOW:
        return balance_payload(events.SAMPLE_BALANCE, at)
    about, usual_status = _FACTS.get(name, (None, Status.PENDING))
    status = next((to for (_, to), event in reversed(MOVES.items()) if event is name), usual_status)
    return payload(name, sample_facts(events.SAMPLE_ACCOUNT, status), at, about)


def _make_header(name: str, text: str) -> Parameter | Reference:
    facts = {"name": name, "in": "header", "required": name not in _OPTIONAL_HEADERS, "description": text}
    return Parameter.model_validate({**facts, "schema": {"type": "string"}})
