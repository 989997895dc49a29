"""Version 1 of the interface: a module for each resource."""

from flask import Blueprint

from app.api.v1 import credits, downloads, evidence, jobs, openapi, orders, public_pages, rules, uploads, webhooks

blueprint = Blueprint("api_v1", __name__, url_prefix=openapi.PREFIX)
for part in (uploads, orders, jobs, downloads, credits, webhooks, public_pages, evidence, rules, openapi):
    blueprint.register_blueprint(part.blueprint)
