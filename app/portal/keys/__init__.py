"""API keys, for the customer whose they are."""

from app.portal.keys import ending, making, overview
from app.portal.keys.doors import blueprint

BLUEPRINTS = (blueprint,)

__all__ = ["BLUEPRINTS", "ending", "making", "overview"]
