"""Mails about webhooks that fail, or that were switched off."""

from urllib.parse import urlsplit

from app.domain.emails.writing import link, quote, write_notice
from app.domain.retention import DELIVERIES_KEPT, HELD_DELIVERIES_KEPT
from app.domain.sending import Email
from app.domain.webhooks import OFF_AFTER

_MAX_HOST = 100


def webhook_fails(to: str, webhook_id: str, url: str, failed: int, why: str) -> Email:
    """The mail sent when deliveries to a webhook fail while it is still on."""
    many = "A delivery" if failed == 1 else f"{failed} deliveries"
    return write_notice(
        to,
        f"Webhook deliveries to {_host(url)} fail",
        f"{many} to your webhook {webhook_id} at {_host(url)} failed for good, after every retry. "
        f"The last attempt ended like this: {quote(why)}",
        f"Nothing is lost: failed deliveries stay in the log for {DELIVERIES_KEPT.days} days and can be sent again "
        "from there:",
        link(f"/webhooks/{webhook_id}"),
        f"If nothing succeeds for {OFF_AFTER.days} days, the webhook is turned off.",
    )


def webhook_off(to: str, webhook_id: str, url: str, reason: str) -> Email:
    """The mail sent when the service switched a webhook off."""
    return write_notice(
        to,
        f"Your webhook at {_host(url)} is turned off",
        f"We turned off your webhook {webhook_id} at {_host(url)}. {quote(reason)}",
        f"New events are held for you, for {HELD_DELIVERIES_KEPT.days} days. When the receiver works again, "
        "turn the webhook on and send the held deliveries; failed deliveries can be sent again from the log:",
        link(f"/webhooks/{webhook_id}"),
    )


def _host(url: str) -> str:
    # Only the host: the path may contain a secret of the receiver.
    return quote(urlsplit(url).hostname or "?", _MAX_HOST)
