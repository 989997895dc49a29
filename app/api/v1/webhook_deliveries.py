"""Deliveries to webhooks: listed, read with their attempts, sent again, released."""

from flask import Blueprint
from pydantic import Field

from app.api.v1.examples import example_of
from app.api.v1.lists import ListQuery, make_cursor, read_cursor, read_query, refuse_cursor
from app.api.v1.operations import Operation, serve
from app.api.v1.webhook_answers import (
    DeliveryAnswer,
    DeliveryCount,
    DeliveryDetailsAnswer,
    DeliveryList,
    answer_delivery,
    answer_whole_delivery,
)
from app.domain.actors import Scope
from app.domain.api_types import Instant, Text
from app.domain.errors import Conflict, NotFound
from app.domain.events import EventName
from app.domain.request_limits import Request
from app.domain.retention import DELIVERIES_KEPT
from app.domain.sending import DeliveryState
from app.services.webhooks import delivery_log, pages, webhooks
from app.services.webhooks.delivery_log import DeliveryFilter
from app.web import idempotency
from app.web.authentication import actor
from app.web.bodies import json_object, read_model
from app.web.context import container

blueprint = Blueprint("deliveries_v1", __name__)
_ONE = "/deliveries/{deliveryId}"
_SENT_AGAIN = {**example_of(DeliveryAnswer), "status": "waiting", "nextAttemptAt": "2026-11-20T14:03:27.512Z"}


class RedeliveryRequest(Request):
    """The time since which failed deliveries are sent again."""

    since: Instant = Field(description="Those that failed since then.", examples=["2026-11-20T00:00:00Z"])


class DeliveryQuery(ListQuery):
    """The query of a list of deliveries."""

    status: DeliveryState | None = Field(default=None, description="Only those in this state.")
    event: EventName | None = Field(default=None, description="Only those of this event.")
    job_id: Text | None = Field(default=None, max_length=40, description="Only those of this job.")
    since: Instant | None = Field(default=None, description="Only those created since then.")


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/webhooks/{webhookId}/deliveries",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="List the deliveries to a webhook",
        list_query=DeliveryQuery,
        answer=DeliveryList,
        answer_example={"deliveries": [example_of(DeliveryAnswer)], "nextCursor": None},
        refusals=(NotFound,),
        notes=f"They are kept for {DELIVERIES_KEPT.days} days. With `event`, a page may have few rows, or none, "
        "and still a `nextCursor`.",
    ),
)
def list_deliveries(webhook_id: str) -> DeliveryList:
    """A page of the deliveries to the webhook, newest first."""
    wanted = read_query(DeliveryQuery)
    after = read_cursor(wanted)
    which = DeliveryFilter(wanted.status, wanted.event, wanted.job_id, wanted.since)
    with container().database.read_session() as session:
        webhook = webhooks.get(session, actor().account_id, webhook_id)
        try:
            page = pages.list_deliveries(session, webhook, which, after, wanted.limit)
        except NotFound:  # The delivery was removed from the log meanwhile.
            raise refuse_cursor() from None
    next_cursor = make_cursor(wanted, page.next)
    return DeliveryList(deliveries=[answer_delivery(each) for each in page.rows], next_cursor=next_cursor)


@serve(
    blueprint,
    Operation(
        method="GET",
        path=_ONE,
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Get a delivery with its attempts",
        answer=DeliveryDetailsAnswer,
        refusals=(NotFound,),
        notes="The delivery's id is in the header X-Service-Delivery of each attempt.",
    ),
)
def show_delivery(delivery_id: str) -> DeliveryDetailsAnswer:
    """One delivery of the account."""
    with container().database.read_session() as session:
        return answer_whole_delivery(*pages.read_whole_delivery(session, actor().account_id, delivery_id))


@serve(
    blueprint,
    Operation(
        method="POST",
        path=f"{_ONE}/redeliver",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Send a delivery again",
        answer=DeliveryAnswer,
        answer_example=_SENT_AGAIN,
        refusals=(NotFound, Conflict),
        notes="The same bytes under the same id, in one attempt. Refused (409) before it has succeeded or failed, "
        "and while the webhook is off.",
    ),
)
def redeliver_delivery(delivery_id: str) -> DeliveryAnswer:
    """Send the settled delivery once more."""
    here, account_id = container(), actor().account_id
    idempotency.begin({"delivery": delivery_id})
    with idempotency.effect() as made:
        delivery_log.redeliver(made.session, account_id, delivery_id, here.clock())
        made.answer = answer = answer_delivery(pages.read_entry(made.session, account_id, delivery_id))
    return answer


@serve(
    blueprint,
    Operation(
        method="POST",
        path=f"{_ONE}/retry",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Make the next attempt at a delivery now",
        answer=DeliveryAnswer,
        answer_example=_SENT_AGAIN,
        refusals=(NotFound, Conflict),
        notes="Only while it waits for another attempt; the attempt counts like any other.",
    ),
)
def retry_delivery(delivery_id: str) -> DeliveryAnswer:
    """Make the waiting delivery's next attempt now."""
    here, account_id = container(), actor().account_id
    idempotency.begin({"delivery": delivery_id})
    with idempotency.effect() as made:
        delivery_log.retry_now(made.session, account_id, delivery_id, here.clock())
        made.answer = answer = answer_delivery(pages.read_entry(made.session, account_id, delivery_id))
    return answer


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/webhooks/{webhookId}/redeliver",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Send a webhook's failed deliveries again",
        body=RedeliveryRequest,
        answer=DeliveryCount,
        refusals=(NotFound, Conflict),
        notes="Each in one attempt. Switching the webhook off stops them.",
    ),
)
def redeliver_failed_deliveries(webhook_id: str) -> DeliveryCount:
    """Send all deliveries that failed since the given time once more."""
    here, content = container(), json_object()
    since = read_model(RedeliveryRequest, content).since
    idempotency.begin({"webhook": webhook_id, **content})
    with idempotency.effect() as made:
        account_id, now = actor().account_id, here.clock()
        count = delivery_log.redeliver_failed(made.session, account_id, webhook_id, since, now)
        made.answer = answer = DeliveryCount(count=count)
    return answer


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/webhooks/{webhookId}/release",
        scope=Scope.WEBHOOKS_MANAGE,
        summary="Send what was held while a webhook was off",
        answer=DeliveryCount,
        refusals=(NotFound, Conflict),
        notes="Once it is on again.",
    ),
)
def release_held_deliveries(webhook_id: str) -> DeliveryCount:
    """Send the held deliveries."""
    here = container()
    idempotency.begin({"webhook": webhook_id})
    with idempotency.effect() as made:
        count = delivery_log.release_held(made.session, actor().account_id, webhook_id, here.clock())
        made.answer = answer = DeliveryCount(count=count)
    return answer
