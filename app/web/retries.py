"""Retries a request once when its database connection was cut, where that has no second effect."""

import logging
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import request
from sqlalchemy.exc import DBAPIError

from app.web import idempotency
from app.web.context import request_id

log = logging.getLogger(__name__)

_MAY_RETRY = "brightlist.may_retry"
_RETRY = "brightlist.retry"
_REPEATABLE = ("GET", "HEAD", "PUT")
"""Not DELETE: of what is gone already, the second try would say that it was never there."""
_API = "/api/"
_KEY = "HTTP_" + idempotency.HEADER.upper().replace("-", "_")


def will_follow(error: Exception) -> bool:
    """Whether the request of this fault is worked once more, whatever is answered now.

    A database that is away for longer is not waited for: its client is told to come back.
    """
    cut = isinstance(error, DBAPIError) and error.connection_invalidated
    if not (cut and request.environ.get(_MAY_RETRY)):
        return False
    request.environ[_RETRY] = True
    log.warning("request %s: the connection to the database was cut; once more", request_id())
    return True


def call(application: WSGIApplication, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The application's answer, of its first try or of the second.

    What a careful client would do a second later is done at once: to read changes nothing, a file that is put twice
    is the same file, and the API promises one effect under one Idempotency-Key.
    """
    if not _has_one_effect(environ):
        return application(environ, start_response)
    # Each try sees the request as it came: the application changes what it is given.
    first = {**environ, _MAY_RETRY: _rewind(environ)}

    def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], object]:
        return _drop if _RETRY in first else start_response(status, headers, exc_info)

    answer = application(first, start)
    if _RETRY not in first:
        return answer
    close = getattr(answer, "close", None)
    if close is not None:
        close()
    _rewind(environ)
    return application(environ, start_response)


def _has_one_effect(environ: WSGIEnvironment) -> bool:
    """Whether the request sent twice changes no more than once. Keys are for POST; others may bear one, too."""
    keyed = environ["REQUEST_METHOD"] == "POST" and _KEY in environ and environ["PATH_INFO"].startswith(_API)
    return keyed or environ["REQUEST_METHOD"] in _REPEATABLE


def _drop(_content: bytes) -> None:
    """What the first try would have written."""


def _rewind(environ: WSGIEnvironment) -> bool:
    """Go back to the start of the body. False where it cannot be read twice."""
    body = environ["wsgi.input"]
    try:
        body.seek(0)
    except (AttributeError, OSError, ValueError):
        return False
    return True
