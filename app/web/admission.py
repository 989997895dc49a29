"""What the web server asks the application before a body has come: how long it may be, and whether it is wanted."""

from typing import Any
from wsgiref.types import WSGIEnvironment

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from app.domain.errors import TooLarge
from app.web.bodies import MAX_JSON_BYTES, Intake, get_intake

_OTHERS = Intake(MAX_JSON_BYTES)
"""What views take that say nothing of it: JSON and forms of fields."""
_STEPS = ((1024**2, "MB"), (1024, "kB"), (1, "bytes"))


def max_body_bytes(app: Flask, environ: WSGIEnvironment) -> int:
    """How long a body to this address may be."""
    return _intake(app, environ).most_bytes


def asks_before_body(app: Flask, environ: WSGIEnvironment) -> bool:
    """Whether the address is for large bodies, and lets in only some who send them."""
    return _intake(app, environ).admit is not None


def admit(app: Flask, environ: WSGIEnvironment) -> Response | None:
    """None when the request's body may come; else the answer, which is a refusal or the way to sign in."""
    admits = _intake(app, environ).admit
    if admits is None:
        return None
    with app.request_context(environ):
        try:
            answer = admits(**(request.view_args or {}))
        except Exception as error:
            answer = app.handle_user_exception(error)
        return None if answer is None else app.finalize_request(answer)


def refusal(app: Flask, environ: WSGIEnvironment, error: Exception) -> Response:
    """The answer to a request that the server itself refuses: just as the application would say it."""
    with app.request_context(environ):
        return app.finalize_request(app.handle_user_exception(error))


def too_large(most_bytes: int) -> TooLarge:
    """The refusal of a body that is longer than its address takes."""
    size, unit = next((size, unit) for size, unit in _STEPS if most_bytes % size == 0)
    return TooLarge(f"A request to this address may have at most {most_bytes // size} {unit}.")


def _intake(app: Flask, environ: WSGIEnvironment) -> Intake:
    path: str = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
    try:
        endpoint, _ = app.url_map.bind("localhost").match(path, environ["REQUEST_METHOD"])
    except HTTPException:
        return _OTHERS
    view: Any = app.view_functions.get(endpoint)
    return get_intake(view) or _OTHERS
