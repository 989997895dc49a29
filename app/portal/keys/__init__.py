"""API keys, for the customer whose they are."""

from app.portal.keys import ending, making, overview
from app.portal.keys.doors import blueprint

__all__ = ["blueprint", "ending", "making", "overview"]
