"""Everything sent again that failed since a time: how many there are first, and then the button."""

from datetime import UTC, datetime, timedelta

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict
from app.domain.mail_text import one_line
from app.domain.webhooks import KEPT
from app.portal.visitors import visitor
from app.portal.webhooks.doors import log_blueprint, written
from app.services import delivery_log, webhooks
from app.web.context import container

_USUAL = (
    ("Last hour", timedelta(hours=1)),
    ("Last 24 hours", timedelta(hours=24)),
    (f"Last {KEPT.days} days", KEPT),
)
NO_TIME = "Enter a date and a time, such as 2026-11-20T14:30."


@log_blueprint.get("/<webhook_id>/deliveries/failed")
def failed(webhook_id: str) -> ResponseReturnValue:
    """Ask since when, and with an answer to that say how many there are."""
    return _page(webhook_id, request.args.get("since"))


@log_blueprint.post("/<webhook_id>/deliveries/failed")
def redeliver_failed(webhook_id: str) -> ResponseReturnValue:
    """Send them once more."""
    here, since = container(), _moment(request.form.get("since", ""))
    if since is None:
        return _page(webhook_id, request.form.get("since", ""))
    try:
        with here.database.unit_of_work() as session:
            now, account_id = here.clock(), visitor().account_id
            count = delivery_log.redeliver_failed(session, account_id, webhook_id, since, now)
    except Conflict as refused:
        return _page(webhook_id, request.form["since"], refused.message, 409)
    flash("Nothing failed since then." if not count else f"{count:,} sent once more; the log shows how they fare.")
    return redirect(url_for("deliveries.index", webhook_id=webhook_id), 303)


def _page(webhook_id: str, asked: str | None, told: str = "", http_status: int = 200) -> ResponseReturnValue:
    here = container()
    now, since = here.clock(), _moment(asked or "")
    with here.database.reading() as session:
        webhook = webhooks.own(session, visitor().account_id, webhook_id)
        count = delivery_log.count_failed(session, webhook.account_id, webhook_id, since) if since else None
    fault = NO_TIME if asked is not None and since is None else ""
    usual = [(label, _typed(now - length)) for label, length in _USUAL]
    # No browser's field holds what is no time.
    shown = _typed(since) if since else "" if fault else usual[1][1]
    values = {"webhook": webhook, "since": since, "shown": shown, "count": count, "fault": fault, "usual": usual}
    return written("failed", **values, told=told), 422 if fault else http_status


def _moment(text: str) -> datetime | None:
    """The time that was chosen, in UTC; None for what is none."""
    try:
        found = datetime.fromisoformat(one_line(text))
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _typed(moment: datetime) -> str:
    """The time as a browser's field for it takes and gives it."""
    return moment.replace(tzinfo=None).isoformat(timespec="minutes")
