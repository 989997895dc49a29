"""Version 1 of the interface: a module for each resource."""

from flask import Blueprint

from app.api.v1 import (
    credits,
    downloads,
    evidence,
    jobs,
    mls_packs,
    openapi,
    orders,
    photo_groups,
    public_pages,
    rules,
    uploads,
    variants,
    webhooks,
)

blueprint = Blueprint("api_v1", __name__, url_prefix=openapi.PREFIX)
_PARTS = (
    uploads,
    photo_groups,
    orders,
    jobs,
    downloads,
    credits,
    webhooks,
    public_pages,
    variants,
    mls_packs,
    evidence,
    rules,
    openapi,
)
for part in _PARTS:
    blueprint.register_blueprint(part.blueprint)
