"""Reviews, for staff: the queue, one order with its results, results sent back, and the log of what staff did."""

from app.portal.reviews import log, reworks, sent_back, views

BLUEPRINTS = (views.blueprint, reworks.blueprint, sent_back.blueprint, log.blueprint)
