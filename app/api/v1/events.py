"""The events of the account in their order, for programs that read them instead of receiving webhooks."""

import json

from flask import Blueprint
from pydantic import Field

from app.api.v1.event_documents import BalanceData, EventData, Livemode, make_sample
from app.api.v1.lists import ListAnswer, ListQuery, read_query
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.domain.api_types import Moment, Text, WireAnswer
from app.domain.errors import Forbidden, InvalidFields, NotFound
from app.domain.events import SAMPLE_EVENT, EventName
from app.domain.field_errors import Fault, FaultCode
from app.domain.retention import EVENTS_KEPT, TEST_EVENTS_KEPT, find_events_length
from app.services.webhooks import events
from app.web.authentication import actor
from app.web.context import container

blueprint = Blueprint("events_v1", __name__)


class EventQuery(ListQuery):
    """The query of a list of events."""

    after: Text | None = Field(
        default=None,
        max_length=40,
        description="The `id` of the last event that you have: those that follow are answered. Left out: from the "
        "oldest that is kept. `cursor` takes its place on the next page.",
    )
    type: EventName | None = Field(default=None, description="Only events of this name.")


class EventAnswer(WireAnswer):
    """An event as it is sent to webhooks, with its id."""

    id: str = Field(
        description="Names the event; deliveries have it in `X-Service-Event-Id`.", examples=[SAMPLE_EVENT]
    )
    event: EventName = Field(description="What happened.")
    timestamp: Moment = Field(description="When it happened.")
    livemode: Livemode
    data: EventData | BalanceData = Field(description="To which job; of `credits.low`: to which account.")


class EventListAnswer(ListAnswer):
    """Events of the account."""

    events: list[EventAnswer] = Field(description="In the order in which they happened, the oldest first.")


_EXAMPLE = {"events": [{**make_sample(EventName.JOB_APPROVED), "id": SAMPLE_EVENT}], "nextCursor": None}


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/events",
        scope=Scope.JOBS_READ,
        summary="Read what happened since an event",
        list_query=EventQuery,
        answer=EventListAnswer,
        answer_example=_EXAMPLE,
        notes="The cure for lost webhooks, and works without any. Keep the `id` of the last event that you "
        "have dealt with, and ask for those `after` it: none is ever skipped, also where several happen at once. "
        f"Events are kept for {EVENTS_KEPT.days} days, in test mode for {TEST_EVENTS_KEPT.days}; an `after` "
        "that is older is answered 400. `credits.low` is only for keys that have the scope "
        f"`{Scope.CREDITS_READ}` too.",
    ),
)
def list_events() -> EventListAnswer:
    """A page of the account's events, the oldest first."""
    wanted = read_query(EventQuery)
    place = wanted.cursor or wanted.after
    hidden = None if Scope.CREDITS_READ in actor().scopes else EventName.CREDITS_LOW
    if wanted.type is not None and wanted.type is hidden:
        raise Forbidden(f"This API key lacks the scope {Scope.CREDITS_READ}.")
    with container().database.read_session() as session:
        try:
            page = events.read_after(session, actor().account_id, place, wanted.type, wanted.limit, hidden)
        except NotFound:
            where = "cursor" if wanted.cursor else "after"
            kept = find_events_length(livemode=actor().livemode)
            raise InvalidFields([Fault((where,), FaultCode.NO_EVENT, {"days": kept.days})]) from None
    bodies = [{"id": each.id, **json.loads(each.body)} for each in page.rows]
    return EventListAnswer(events=[EventAnswer.model_validate(each) for each in bodies], next_cursor=page.next)
