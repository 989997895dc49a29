"""Addresses of the pages' own files that change with their contents, so that browsers may keep them for a year."""

import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, Response, current_app, request, url_for

_YEAR_SECONDS = 31_536_000


def install(app: Flask) -> None:
    """Give templates `asset()`, and let browsers keep what it names."""
    folder = Path(app.static_folder or "")

    @cache
    def version(filename: str) -> str:
        path = folder / filename
        # Third-party files may be missing without a network; pages work without them.
        return hashlib.sha256(path.read_bytes()).hexdigest()[:8] if path.is_file() else "none"

    def asset(filename: str) -> str:
        return url_for("static", filename=filename, v=version(filename))

    app.jinja_env.globals["asset"] = asset
    app.view_functions["static"] = _send_asset


def _send_asset(filename: str) -> Response:
    """The view of static files: what was asked for by its version may be kept."""
    response = current_app.send_static_file(filename)
    if "v" in request.args and response.status_code == 200:
        response.cache_control.clear()
        response.cache_control.public, response.cache_control.max_age = True, _YEAR_SECONDS
        response.cache_control.immutable = True
    return response
