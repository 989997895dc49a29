"""Retries a request once when its database connection was cut, if repeating it has no second effect."""

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
"""Methods that may be repeated. Not DELETE: if the first try deleted the thing, the second would answer 404."""
_API = "/api/"
_KEY = "HTTP_" + idempotency.HEADER.upper().replace("-", "_")


def will_retry(error: Exception) -> bool:
    """Whether the request that raised this error is tried once more, so that its first answer is dropped.

    There is no third try: while the database stays unreachable, the client is asked to retry later.
    """
    was_cut = isinstance(error, DBAPIError) and error.connection_invalidated
    if not (was_cut and request.environ.get(_MAY_RETRY)):
        return False
    request.environ[_RETRY] = True
    log.warning("request %s: the connection to the database was cut; once more", request_id())
    return True


def call(application: WSGIApplication, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The application's answer to the request, from the first try or the second.

    Repeating is safe: reading changes nothing, a file that is PUT twice is the same file, and the API promises one
    effect for one Idempotency-Key.
    """
    if not _has_one_effect(environ):
        return application(environ, start_response)
    # Each try gets its own copy of the environ, because the application changes it.
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
    """Whether a repeated request has one effect only. A key counts only on POST: the API ignores it elsewhere."""
    has_key = environ["REQUEST_METHOD"] == "POST" and _KEY in environ and environ["PATH_INFO"].startswith(_API)
    return has_key or environ["REQUEST_METHOD"] in _REPEATABLE


def _drop(_content: bytes) -> None:
    """Discard the content that the first try writes."""


def _rewind(environ: WSGIEnvironment) -> bool:
    """Go back to the start of the body. False when the body cannot be read twice."""
    body = environ["wsgi.input"]
    try:
        body.seek(0)
    except (AttributeError, OSError, ValueError):
        return False
    return True
