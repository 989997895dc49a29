"""Builds the WSGI application: all blueprints and commands, sharing one Container."""

from pathlib import Path

from flask import Flask

from app.api import mcp, v1
from app.cli import commands
from app.container import Container
from app.portal import blueprints
from app.settings import Settings, load_settings
from app.web import (
    compression,
    context,
    embed,
    errors,
    files,
    health,
    payment_events,
    rate_limits,
    request_metrics,
    security,
)
from app.web.wsgi import Application

ROOT = Path(__file__).parents[1]


def create_app(settings: Settings | None = None, container: Container | None = None) -> Flask:
    """Build the WSGI application.

    Without a container, a new one is made with the settings; without settings, they are read from the environment.
    Raises SettingsError when those are not valid.
    """
    container = container or Container(settings or load_settings())
    app = Application(__name__, template_folder=str(ROOT / "templates"), static_folder=str(ROOT / "static"))
    app.json.sort_keys = False  # type: ignore[attr-defined]  # Flask annotates only the base class
    app.trusted_proxies = container.settings.proxies
    context.attach(app, container)
    for part in (compression, request_metrics, context, security, errors, rate_limits):
        part.install(app)
    programs = (v1.blueprint, mcp.blueprint, files.blueprint, embed.blueprint)
    for blueprint in (*programs, health.blueprint, payment_events.blueprint):
        app.register_blueprint(blueprint)
    blueprints.install(app)
    commands.install(app)
    return app
