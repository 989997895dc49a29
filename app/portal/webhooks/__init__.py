"""Webhooks and the log of their deliveries, for the customer who owns them."""

from app.portal.webhooks import callbacks, deliveries, views

BLUEPRINTS = (callbacks.blueprint, views.blueprint, deliveries.blueprint)
