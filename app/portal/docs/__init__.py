"""The documentation of the API: guides, and a page for each resource, made from the OpenAPI document."""

from app.portal.docs import pages, plain

BLUEPRINTS = (pages.blueprint, plain.blueprint)
