"""Counts and times requests by URL rule (not path) and method; unknown methods count as `other`. A request that is
kept to wait counts once, when it is answered, without the time of the wait.
"""

import time
from functools import cache

from flask import Flask, Response, g, request, request_finished, request_started
from prometheus_client import Counter, Histogram

from app import metrics
from app.web.parking import find_parking

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def install(app: Flask) -> None:
    """Count every answer and time those of the application; the server's own instant refusals are only counted."""
    request_started.connect(_begin, app)
    request_finished.connect(_count, app)


def _begin(_app: Flask, **_more: object) -> None:
    g.begun = time.monotonic()


def _count(_app: Flask, response: Response, **_more: object) -> None:
    if (parking := find_parking()) and parking.is_kept:
        return
    method = request.method if request.method in _METHODS else "other"
    counter, histogram = _metrics(method, str(request.url_rule or "unknown"), response.status_code)
    counter.inc()
    if "begun" in g:
        histogram.observe(time.monotonic() - g.begun)


@cache
def _metrics(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Cached, because a look-up costs as much as counting; there is one entry for each method, route and status."""
    counter = metrics.HTTP_REQUESTS.labels(method, route, str(status))
    return counter, metrics.HTTP_SECONDS.labels(method, route)
