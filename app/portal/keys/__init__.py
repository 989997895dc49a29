"""API keys, for the customer who owns them."""

from app.portal.keys import views

BLUEPRINTS = (views.blueprint,)
