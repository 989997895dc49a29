"""Deliveries of a webhook: the log, one delivery with its attempts, and sending failed ones again."""

from datetime import UTC, datetime, timedelta
from typing import Any

from flask import Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict
from app.domain.events import EventName
from app.domain.mail_text import one_line
from app.domain.retention import DELIVERIES_KEPT
from app.domain.sending import DeliveryState
from app.portal.fragments import render_page_or_fragment, wants_fragment
from app.portal.page_blueprint import PageBlueprint
from app.portal.snippets import list_receivers
from app.portal.visitors import for_signed_in, visitor
from app.portal.webhooks import words
from app.services.webhooks import delivery_log, health, pages, webhooks
from app.services.webhooks.delivery_log import DeliveryFilter
from app.services.webhooks.pages import DeliveryDetails
from app.web.context import container


def list_template_values() -> dict[str, Any]:
    """The values that every template of these pages may use."""
    here = container()
    return {
        "now": here.clock(),
        "words": words,
        "states": DeliveryState,
        "planned_attempts": len(here.settings.webhook_delays),
        "deadline_seconds": here.settings.webhook_deadline_seconds,
        "short_count": health.format_count,
        "subscribed": webhooks.list_events,
        "poll_seconds": words.POLL_SECONDS,
        "receivers": list_receivers(),
    }


blueprint = for_signed_in(PageBlueprint("deliveries", __name__, url_prefix="/webhooks"))
blueprint.context_processor(list_template_values)

_MAX_ID_LENGTH = 40
SIDES = ("request", "response")
_PERIODS = (
    ("Last hour", timedelta(hours=1)),
    ("Last 24 hours", timedelta(hours=24)),
    (f"Last {DELIVERIES_KEPT.days} days", DELIVERIES_KEPT),
)
NO_TIME = "Choose a date and a time, in UTC."


@blueprint.get("/<webhook_id>/deliveries")
def index(webhook_id: str) -> ResponseReturnValue:
    """The deliveries, newest first; htmx gets only the list."""
    wanted, after = _read_filter(), request.args.get("after")
    with container().database.read_session() as session:
        log = pages.read_log(session, visitor().account_id, webhook_id, wanted, after)
    values = {
        "wanted": wanted,
        "query": _build_query(wanted),
        "after": after,
        "events": list(EventName),
        "kept": DELIVERIES_KEPT,
        "looked_through": delivery_log.MAX_SCANNED,
    }
    templates = ("portal/webhooks/log.html", "portal/webhooks/_log.html")
    return render_page_or_fragment(*templates, log=log, webhook=log.webhook, **values)


@blueprint.get("/deliveries/<delivery_id>")
def show(delivery_id: str) -> ResponseReturnValue:
    """One delivery: the request, the answer, every attempt; a fragment for htmx, which polls until it has ended."""
    return _page(delivery_id)


@blueprint.get("/deliveries/<delivery_id>/outcome")
def outcome(delivery_id: str) -> ResponseReturnValue:
    """The outcome of a delivery in short, for the page from which a test event was sent."""
    if not wants_fragment():
        return redirect(url_for("deliveries.show", delivery_id=delivery_id), 303)
    return render_outcome(delivery_id)


@blueprint.post("/deliveries/<delivery_id>/redeliver")
def redeliver(delivery_id: str) -> ResponseReturnValue:
    """Send the delivery once more."""
    try:
        with container().database.unit_of_work() as session:
            delivery_log.redeliver(session, visitor().account_id, delivery_id, container().clock())
    except Conflict as refused:
        return _page(delivery_id, refused.message, 409)
    flash("Sent again: same content, same delivery id.")
    return redirect(url_for("deliveries.show", delivery_id=delivery_id), 303)


@blueprint.post("/deliveries/<delivery_id>/retry")
def retry(delivery_id: str) -> ResponseReturnValue:
    """Make the next attempt of the delivery now."""
    try:
        with container().database.unit_of_work() as session:
            delivery_log.retry_now(session, visitor().account_id, delivery_id, container().clock())
    except Conflict as refused:
        return _page(delivery_id, refused.message, 409)
    flash("The next try is on its way now.")
    return redirect(url_for("deliveries.show", delivery_id=delivery_id), 303)


def render_outcome(delivery_id: str) -> Response:
    """The fragment with the outcome of a delivery, which polls until the delivery has ended."""
    found = _read(delivery_id)
    template = "portal/webhooks/_outcome.html"
    return render_page_or_fragment(
        template, template, record=found, delivery=found.delivery, state_changed=_has_changed(found)
    )


@blueprint.get("/<webhook_id>/deliveries/failed")
def failed(webhook_id: str) -> ResponseReturnValue:
    """Ask for the time since which failed deliveries are sent again; once a time is chosen, show their count."""
    return _failed_page(webhook_id, request.args.get("since"))


@blueprint.post("/<webhook_id>/deliveries/failed")
def redeliver_failed(webhook_id: str) -> ResponseReturnValue:
    """Send all deliveries that failed since the chosen time once more."""
    here, since = container(), _read_moment(request.form.get("since", ""))
    if since is None:
        return _failed_page(webhook_id, request.form.get("since", ""))
    try:
        with here.database.unit_of_work() as session:
            now, account_id = here.clock(), visitor().account_id
            count = delivery_log.redeliver_failed(session, account_id, webhook_id, since, now)
    except Conflict as refused:
        return _failed_page(webhook_id, request.form["since"], refused.message, 409)
    flash("Nothing failed since then." if not count else f"{count:,} sent again; see the results in the log.")
    return redirect(url_for("deliveries.index", webhook_id=webhook_id), 303)


def _page(delivery_id: str, refusal: str = "", http_status: int = 200) -> ResponseReturnValue:
    number, side = request.args.get("attempt", type=int), request.args.get("show", "")
    found = _read(delivery_id, number)
    values = {
        "record": found,
        "delivery": found.delivery,
        "webhook": found.delivery.webhook,
        "shown": found.shown,
        "side": side if side in SIDES else SIDES[found.has_ended],
        "chosen": {"attempt": number, "show": side if side in SIDES else None},
        "state_changed": _has_changed(found),
        "refusal": refusal,
    }
    templates = ("portal/webhooks/delivery.html", "portal/webhooks/_delivery_answer.html")
    return render_page_or_fragment(*templates, http_status, **values)


def _read(delivery_id: str, attempt_number: int | None = None) -> DeliveryDetails:
    with container().database.read_session() as session:
        return pages.read_delivery(session, visitor().account_id, delivery_id, attempt_number)


def _has_changed(found: DeliveryDetails) -> bool:
    """Whether the delivery's state differs from that on the page that polls."""
    return request.args.get("seen", found.mark) != found.mark


def _read_filter() -> DeliveryFilter:
    given = {name: one_line(request.args.get(name, ""))[:_MAX_ID_LENGTH] for name in ("result", "event", "job")}
    state = DeliveryState(given["result"]) if given["result"] in list(DeliveryState) else None
    event = given["event"] if given["event"] in list(EventName) else None
    return DeliveryFilter(state, event, given["job"] or None)


def _build_query(wanted: DeliveryFilter) -> dict[str, Any]:
    given = {"result": wanted.state, "event": wanted.event_name, "job": wanted.job_id}
    return {name: str(value) for name, value in given.items() if value}


def _failed_page(
    webhook_id: str, typed: str | None, refusal: str = "", http_status: int = 200
) -> ResponseReturnValue:
    here = container()
    now, since = here.clock(), _read_moment(typed or "")
    with here.database.read_session() as session:
        webhook = webhooks.get(session, visitor().account_id, webhook_id)
        count = delivery_log.count_failed(session, webhook.account_id, webhook_id, since) if since else None
    fault = NO_TIME if typed is not None and since is None else ""
    usual = [(label, _write_moment(now - length)) for label, length in _PERIODS]
    # A `datetime-local` field can show only a time, not other text that was typed.
    shown = _write_moment(since) if since else "" if fault else usual[1][1]
    values = {"webhook": webhook, "since": since, "shown": shown, "count": count, "fault": fault, "usual": usual}
    return render_template("portal/webhooks/failed.html", **values, refusal=refusal), 422 if fault else http_status


def _read_moment(text: str) -> datetime | None:
    """The chosen time in UTC; None for text that is no time."""
    try:
        found = datetime.fromisoformat(one_line(text))
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _write_moment(moment: datetime) -> str:
    """The time in the format of a browser's `datetime-local` field."""
    return moment.replace(tzinfo=None).isoformat(timespec="minutes")
