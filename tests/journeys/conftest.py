"""Journeys leave no thread behind; the service that all share is a process, which some of them start anew."""

from tests.leftovers import leaves_no_thread

__all__ = ["leaves_no_thread"]
