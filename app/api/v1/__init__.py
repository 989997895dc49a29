"""Version 1 of the JSON API: one module for each resource."""

from flask import Blueprint

from app.api.v1 import (
    credits,
    downloads,
    evidence,
    jobs,
    ledger,
    mls_packs,
    openapi,
    orders,
    photo_groups,
    presets,
    public_pages,
    quotes,
    recipes,
    regions,
    revisions,
    rules,
    shares,
    uploads,
    variants,
    webhook_deliveries,
    webhooks,
)

blueprint = Blueprint("api_v1", __name__, url_prefix=openapi.PREFIX)
_PARTS = (
    uploads,
    photo_groups,
    regions,
    orders,
    quotes,
    presets,
    jobs,
    downloads,
    credits,
    ledger,
    webhooks,
    webhook_deliveries,
    public_pages,
    variants,
    recipes,
    revisions,
    mls_packs,
    shares,
    evidence,
    rules,
    openapi,
)
for part in _PARTS:
    blueprint.register_blueprint(part.blueprint)
