"""Pages for clients to whom an order's results were shared: no sign-in, no cookie, not indexed."""

from app.portal.shared import pages, pictures

BLUEPRINTS = (pages.blueprint, pictures.blueprint)
