"""Version 1 of the JSON API: one module for each kind of operation, listed in resources.py."""

from flask import Blueprint

from app.api.v1 import openapi
from app.api.v1.resources import RESOURCES

blueprint = Blueprint("api_v1", __name__, url_prefix=openapi.PREFIX)
for resource in RESOURCES:
    for part in resource.parts:
        blueprint.register_blueprint(part)
blueprint.register_blueprint(openapi.blueprint)
