"""Reviews, for staff: the queue, one order with its results, and the log of what staff did."""

from app.portal.reviews import log, views

BLUEPRINTS = (views.blueprint, log.blueprint)
