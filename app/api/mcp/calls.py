"""Calls operations of the API for the tools. Each call is a request of its own with the agent's key, so scopes,
limits, validation and refusals are those of the API.
"""

import json
from collections.abc import Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from decimal import Decimal
from io import BytesIO
from typing import Any
from urllib.parse import urlencode
from wsgiref.types import WSGIEnvironment

from flask import current_app, request
from pydantic.alias_generators import to_camel
from werkzeug.wrappers import Response

from app.api.v1.openapi import PREFIX
from app.api.v1.operations import OPERATIONS
from app.web import idempotency
from app.web.agents import MOST_CREDITS
from app.web.context import REQUEST_ID, request_id
from app.web.parking import PARKING, find_parking

_KEPT = ("REMOTE_ADDR", "SERVER_NAME", "SERVER_PORT", "SERVER_PROTOCOL", "HTTP_HOST", "HTTP_AUTHORIZATION", PARKING)
"""The parts of the agent's request that an operation receives."""


class Refused(Exception):
    """The API refused; `content` is its answer."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        super().__init__(content.get("code"))
        self.content = content


class Waits(Exception):
    """The operation waits: the web server keeps the agent's request open, and passes it to the application again
    later.
    """


@dataclass(frozen=True, slots=True)
class OperationCall:
    """The request to an operation. `most_credits`: limit of an order's price; None for other operations."""

    body: Any = None
    query: Sequence[tuple[str, str]] = ()
    idempotency_key: str | None = None
    most_credits: Decimal | None = None


def call(name: str, sent: OperationCall = OperationCall(), **arguments: str) -> dict[str, Any]:
    """Return the answer of the operation with this name; `arguments` are the ids in its path.

    Raises Refused, and Waits where the operation waits.
    """
    path = OPERATIONS[name].path
    for argument, value in arguments.items():
        path = path.replace(f"{{{to_camel(argument)}}}", value)
    response = _dispatch(_make_environ(OPERATIONS[name].method, path, sent))
    if (parking := find_parking()) and parking.is_kept:
        raise Waits
    content: dict[str, Any] = json.loads(response.get_data())
    if response.status_code >= 400:
        raise Refused(content)
    return content


def _make_environ(method: str, path: str, sent: OperationCall) -> WSGIEnvironment:
    body = b"" if sent.body is None else json.dumps(sent.body).encode()
    environ: WSGIEnvironment = {name: request.environ[name] for name in _KEPT if name in request.environ}
    environ |= {name: value for name, value in request.environ.items() if name.startswith("wsgi.")}
    environ |= {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": f"{PREFIX}{path}",
        "QUERY_STRING": urlencode(sent.query),
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
        _header(REQUEST_ID): request_id(),
    }
    if sent.idempotency_key is not None:
        environ[_header(idempotency.HEADER)] = sent.idempotency_key
    if sent.most_credits is not None:
        environ[MOST_CREDITS] = sent.most_credits
    return environ


def _header(name: str) -> str:
    return f"HTTP_{name.upper().replace('-', '_')}"


def _dispatch(environ: WSGIEnvironment) -> Response:
    application, own = current_app.wsgi_app, current_app.app_context()

    def answer() -> Response:
        # The operation has a context of its own, so that nothing it stores is mixed with the agent's request.
        with own:
            return Response.from_app(application, environ, buffered=True)

    return copy_context().run(answer)
