"""The log of a webhook's deliveries, one delivery with its attempts, and the button that sends it again."""

from typing import Any

from flask import Response, flash, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict
from app.domain.events import EventName
from app.domain.mail_text import one_line
from app.domain.sending import DeliveryState
from app.domain.webhooks import KEPT
from app.portal.fragments import wants_fragment
from app.portal.visitors import visitor
from app.portal.webhooks.doors import log_blueprint, written
from app.services import delivery_log, webhook_pages
from app.services.delivery_log import Filter
from app.services.webhook_pages import Record
from app.web.context import container

_LONGEST_ID = 40
SIDES = ("request", "response")


@log_blueprint.get("/<webhook_id>/deliveries")
def index(webhook_id: str) -> ResponseReturnValue:
    """The deliveries, newest first; the list alone where htmx polls."""
    wanted, after = _wanted(), request.args.get("after")
    with container().database.reading() as session:
        log = webhook_pages.log(session, visitor().account_id, webhook_id, wanted, after)
    template = "_log" if wants_fragment() else "log"
    values = {
        "wanted": wanted,
        "query": _query(wanted),
        "after": after,
        "events": list(EventName),
        "kept": KEPT,
        "looked_through": delivery_log.LOOKED_THROUGH,
    }
    return _varying(written(template, log=log, webhook=log.webhook, **values))


@log_blueprint.get("/deliveries/<delivery_id>")
def show(delivery_id: str) -> ResponseReturnValue:
    """One delivery: what was sent, what came back, every attempt; the same for htmx while it is on its way."""
    return _page(delivery_id)


@log_blueprint.get("/deliveries/<delivery_id>/outcome")
def outcome(delivery_id: str) -> ResponseReturnValue:
    """What came of it in short, for the page that a test event was sent from."""
    if not wants_fragment():
        return redirect(url_for("deliveries.show", delivery_id=delivery_id), 303)
    return outcome_of(delivery_id)


@log_blueprint.post("/deliveries/<delivery_id>/redeliver")
def redeliver(delivery_id: str) -> ResponseReturnValue:
    """Send it once more."""
    try:
        with container().database.unit_of_work() as session:
            delivery_log.redeliver(session, visitor().account_id, delivery_id, container().clock())
    except Conflict as refused:
        return _page(delivery_id, refused.message, 409)
    flash("On its way once more: the same content under the same delivery id.")
    return redirect(url_for("deliveries.show", delivery_id=delivery_id), 303)


def outcome_of(delivery_id: str) -> Response:
    """The part of a page that tells what came of a delivery, and asks again as long as it moves."""
    found = _read(delivery_id)
    return _varying(written("_outcome", record=found, delivery=found.delivery, moved=_moved(found)))


def _page(delivery_id: str, told: str = "", http_status: int = 200) -> ResponseReturnValue:
    number, side = request.args.get("attempt", type=int), request.args.get("show", "")
    found = _read(delivery_id, number)
    values = {
        "record": found,
        "delivery": found.delivery,
        "webhook": found.delivery.webhook,
        "shown": found.shown,
        "side": side if side in SIDES else SIDES[found.answered],
        "chosen": {"attempt": number, "show": side if side in SIDES else None},
        "moved": _moved(found),
        "told": told,
    }
    template = "_delivery_answer" if wants_fragment() else "delivery"
    return _varying(written(template, **values)), http_status


def _read(delivery_id: str, attempt_number: int | None = None) -> Record:
    with container().database.reading() as session:
        return webhook_pages.record(session, visitor().account_id, delivery_id, attempt_number)


def _moved(found: Record) -> bool:
    """Whether it stands elsewhere than the page that asks says."""
    return request.args.get("seen", found.mark) != found.mark


def _wanted() -> Filter:
    given = {name: one_line(request.args.get(name, ""))[:_LONGEST_ID] for name in ("result", "event", "job")}
    state = DeliveryState(given["result"]) if given["result"] in list(DeliveryState) else None
    event = given["event"] if given["event"] in list(EventName) else None
    return Filter(state, event, given["job"] or None)


def _query(wanted: Filter) -> dict[str, Any]:
    given = {"result": wanted.state, "event": wanted.event_name, "job": wanted.job_id}
    return {name: str(value) for name, value in given.items() if value}


def _varying(text: str) -> Response:
    response = make_response(text)
    response.vary.add("HX-Request")
    return response
