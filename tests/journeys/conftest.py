"""Journeys leave nothing behind but the service that all share."""

from tests.leftovers import leaves_nothing

__all__ = ["leaves_nothing"]
