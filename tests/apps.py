"""The application for tests: made once for the same settings, since to make it costs more than most tests."""

from copy import copy
from typing import Any

from flask import Flask

from app.application import create_app
from app.container import Container
from app.secret_key import secret_key
from app.web import context, health, rate_limits

_made: dict[str, tuple[Flask, dict[str, Any]]] = {}


def over(container: Container) -> Flask:
    """An application over this container, in which nothing is left of what the tests before asked it."""
    settings = container.settings
    kind = f"{secret_key(settings)} {sorted(settings.model_dump().items())}".replace(str(settings.data_dir), "")
    if kind not in _made:
        app = create_app(container=container)
        app.testing = False  # a fault must come out as customers see it, not as an exception
        _made[kind] = app, dict(app.extensions)
    app, untouched = _made[kind]
    app.extensions.clear()
    app.extensions.update(untouched)
    app.extensions[rate_limits.NAME] = copy(untouched[rate_limits.NAME])
    app.extensions[rate_limits.PROCESS_NAME] = rate_limits.ProcessCounters()
    app.extensions[health.NAME] = health.StorageCheck()
    context.attach(app, container)
    return app
