"""Webhooks and the log of their deliveries, for the customer whose they are."""

from app.portal.webhooks import again, deliveries, forms, overview, secret
from app.portal.webhooks.doors import blueprint, log_blueprint

BLUEPRINTS = (blueprint, log_blueprint)

__all__ = ["BLUEPRINTS", "again", "deliveries", "forms", "overview", "secret"]
