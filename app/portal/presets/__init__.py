"""House styles: the presets of an account."""

from app.portal.presets import views

BLUEPRINTS = (views.blueprint,)
