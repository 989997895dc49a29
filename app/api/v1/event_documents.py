"""The `webhooks` section of the OpenAPI document: every event with its schema, a sample and its headers."""

from openapi_pydantic import MediaType, Parameter, PathItem, Reference, RequestBody
from openapi_pydantic import Operation as Documented
from openapi_pydantic import Response as DocumentedResponse
from openapi_pydantic.util import PydanticSchema

from app.api.v1.answers import EventBody
from app.api.v1.examples import EVENTS
from app.domain.events import EventName
from app.domain.lifecycle import MOVES

HEADERS = {
    "X-Service-Signature": "`sha256=` and the hex HMAC-SHA256 of the body, keyed with the whole secret string.",
    "X-Service-Timestamp": "Unix time of this attempt.",
    "X-Service-Event": "The event's name.",
    "X-Service-Delivery": "Names this delivery: the same at every attempt and redelivery. Deduplicate by it.",
    "X-Service-Attempt": "1 for the first attempt, and so on.",
    "X-Service-Redelivery": "`true` when somebody sent it again by hand; else absent.",
    "webhook-id": "The same as X-Service-Delivery (Standard Webhooks).",
    "webhook-timestamp": "The same as X-Service-Timestamp (Standard Webhooks).",
    "webhook-signature": "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded part "
    "of the secret; two of them, separated by a space, while a secret is being replaced (Standard Webhooks).",
}
_OPTIONAL = ("X-Service-Redelivery",)
_MEANINGS = {
    EventName.JOB_CREATED: "A new order has been submitted.",
    EventName.JOB_PROCESSING: "The work on its photos has begun.",
    EventName.JOB_COMPLETED: "The work is done; quality review follows.",
    EventName.JOB_APPROVED: "Results can be downloaded now.",
    EventName.JOB_DELIVERED: "Results were downloaded for the first time.",
    EventName.JOB_UNDELIVERABLE: "Review found nothing usable; all credits came back.",
    EventName.JOB_FAILED: "The processing broke or took too long; all credits came back.",
    EventName.PHOTO_REVISED: "A result that was sent back has its answer: another picture, the same one, or "
    "credits.",
    EventName.WEBHOOK_TEST: "Sent by hand to try a receiver; its job never was.",
}


def event_documents() -> dict[str, PathItem | Reference]:
    """Every event as the document describes it."""
    return {name.value: PathItem(post=_documented(name)) for name in EventName}


def _documented(name: EventName) -> Documented:
    states = sorted({to.value for (_, to), event in MOVES.items() if event is name})
    status = f" `data.status` is `{'` or `'.join(states)}`." if states else ""
    body = MediaType.model_validate({"schema": PydanticSchema(schema_class=EventBody), "example": EVENTS[name]})
    return Documented(
        operationId=name.value.replace(".", "_"),
        summary=_MEANINGS[name],
        description=f"{_MEANINGS[name]}{status}",
        parameters=[_header(header, text) for header, text in HEADERS.items()],
        requestBody=RequestBody(required=True, content={"application/json": body}),
        responses={
            "2XX": DocumentedResponse(description="Answer 2xx within 10 seconds; anything else is tried again.")
        },
    )


def _header(name: str, text: str) -> Parameter | Reference:
    facts = {"name": name, "in": "header", "required": name not in _OPTIONAL, "description": text}
    return Parameter.model_validate({**facts, "schema": {"type": "string"}})
