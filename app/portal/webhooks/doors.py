"""The two blueprints of webhooks, and the words all their pages use."""

from flask import Blueprint, render_template

from app.domain.sending import DeliveryState
from app.portal.visitors import for_signed_in
from app.portal.webhooks import delivery_words
from app.services import webhook_health, webhooks
from app.web.context import container

blueprint = for_signed_in(Blueprint("webhooks", __name__, url_prefix="/webhooks"))
log_blueprint = for_signed_in(Blueprint("deliveries", __name__, url_prefix="/webhooks"))

POLL_SECONDS = 15


def written(template: str, **values: object) -> str:
    """The template with these values, and what every page of webhooks says things with."""
    here = container()
    told = {
        "now": here.clock(),
        "words": delivery_words,
        "states": DeliveryState,
        "most_attempts": len(here.settings.webhook_delays),
        "deadline_seconds": here.settings.webhook_deadline_seconds,
        "in_short": webhook_health.in_short,
        "subscribed": webhooks.subscribed,
        "poll_seconds": POLL_SECONDS,
    }
    return render_template(f"portal/webhooks/{template}.html", **told, **values)
