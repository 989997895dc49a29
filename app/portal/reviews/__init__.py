"""Reviews, for staff: the queue, one order with its results, results sent back, and the log of what staff did."""

from app.portal.reviews import hints, log, reworks, sent_back, sent_back_hints, views

BLUEPRINTS = (
    views.blueprint,
    reworks.blueprint,
    hints.blueprint,
    sent_back.blueprint,
    sent_back_hints.blueprint,
    log.blueprint,
)
