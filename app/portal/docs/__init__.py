"""The documentation of the API: guides, and a page for each resource, made from the OpenAPI document."""

from app.portal.docs import own_key, pages, plain

BLUEPRINTS = (pages.blueprint, plain.blueprint, own_key.blueprint)
