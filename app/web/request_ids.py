"""A request id on every answer: the client's own when it is well formed, else a fresh one."""

import re
import uuid

from flask import Flask, Response, g, request

HEADER = "X-Request-Id"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")


def install(app: Flask) -> None:
    """Number every request of the application."""
    app.before_request(_begin)
    app.after_request(_tell)


def current() -> str:
    """The id of the request being answered."""
    if "request_id" not in g:
        _begin()
    request_id: str = g.request_id
    return request_id


def _begin() -> None:
    given = request.headers.get(HEADER, "")
    g.request_id = given if _WELL_FORMED.fullmatch(given) else f"req_{uuid.uuid4().hex}"


def _tell(response: Response) -> Response:
    response.headers[HEADER] = current()
    return response
