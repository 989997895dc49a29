"""The context of the current request: the container, the request's id, its origin for the security log."""

import logging
import re
import secrets

from flask import Flask, Response, current_app, g, request
from structlog.contextvars import bind_contextvars, clear_contextvars

from app.container import Container
from app.services import security_log
from app.services.security_log import Origin

REQUEST_ID = "X-Request-Id"
_NAME = "brightlist"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")


def attach(app: Flask, container: Container) -> None:
    """Set the application's container."""
    app.extensions[_NAME] = container


def container() -> Container:
    """The container of the application that answers this request."""
    found: Container = current_app.extensions[_NAME]
    return found


def install(app: Flask) -> None:
    """Give every request of the application an id, and set its origin for the security log.

    The id is the client's own if it is well formed, else a new one; every answer has it as a header. If the
    security log has no handler in this process, it gets one that writes to standard error.
    """
    app.before_request(_begin)
    app.after_request(_add_request_id)
    app.teardown_request(_end)
    security_log.log.setLevel(logging.INFO)
    if not security_log.log.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(message)s"))
        security_log.log.addHandler(handler)


def request_id() -> str:
    """The id of the request being answered."""
    if "request_id" not in g:
        given = request.headers.get(REQUEST_ID, "")
        g.request_id = given if _WELL_FORMED.fullmatch(given) else f"req_{secrets.token_hex(16)}"
    found: str = g.request_id
    return found


def caller() -> str | None:
    """The id of the organization of the key, or of the user at the browser, if already known; None otherwise. Makes
    no database query.
    """
    if actor := g.get("actor"):
        return str(actor.account_id)
    visitor = getattr(g.get("_login_user"), "visitor", None)
    return visitor.user_id if visitor else None


def _begin() -> None:
    rule = str(request.url_rule or "unknown")
    bind_contextvars(request_id=request_id())
    security_log.origin.set(Origin(request_id(), request.remote_addr or "", rule))


def _add_request_id(response: Response) -> Response:
    response.headers[REQUEST_ID] = request_id()
    return response


def _end(_error: BaseException | None) -> None:
    security_log.origin.set(None)
    clear_contextvars()
