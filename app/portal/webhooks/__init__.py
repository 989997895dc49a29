"""Webhooks and the log of their deliveries, for the customer who owns them."""

from app.portal.webhooks import deliveries, views

BLUEPRINTS = (views.blueprint, deliveries.blueprint)
