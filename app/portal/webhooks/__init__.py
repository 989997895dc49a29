"""Webhooks and the log of their deliveries, for the customer whose they are."""

from app.portal.webhooks import deliveries, views

BLUEPRINTS = (views.blueprint, deliveries.blueprint)
