"""API keys, for the customer whose they are."""

from app.portal.keys import views

BLUEPRINTS = (views.blueprint,)
