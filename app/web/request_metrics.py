"""Counts and times requests by route: of the address only the pattern, of the method only those that exist."""

import time

from flask import Flask, Response, g, request, request_finished, request_started

from app import metrics

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def install(app: Flask) -> None:
    """Count every answer, and time those of the application: what the server refuses itself is said at once."""
    request_started.connect(_begin, app)
    request_finished.connect(_count, app)


def _begin(_app: Flask, **_more: object) -> None:
    g.begun = time.monotonic()


def _count(_app: Flask, response: Response, **_more: object) -> None:
    method = request.method if request.method in _METHODS else "other"
    route = str(request.url_rule or "unknown")
    metrics.HTTP_REQUESTS.labels(method, route, str(response.status_code)).inc()
    if "begun" in g:
        metrics.HTTP_SECONDS.labels(method, route).observe(time.monotonic() - g.begun)
