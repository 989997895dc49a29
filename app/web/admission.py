"""Decides before the web server reads a body: how long the body may be, and whether the request is admitted."""

from typing import Any
from wsgiref.types import WSGIEnvironment

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from app.domain.errors import TooLarge
from app.web.bodies import MAX_JSON_BYTES, Intake, get_intake

_DEFAULT_INTAKE = Intake(MAX_JSON_BYTES)
"""The intake of views that declare none with accept_body(): JSON and forms of fields."""
_SIZE_UNITS = ((1024**2, "MB"), (1024, "kB"), (1, "bytes"))


def max_body_bytes(app: Flask, environ: WSGIEnvironment) -> int:
    """The most bytes that the body of this request may have."""
    return _intake(app, environ).max_bytes


def asks_before_body(app: Flask, environ: WSGIEnvironment) -> bool:
    """Whether the view of this request wants admit() called before its body, which may be large, is read."""
    return _intake(app, environ).admit is not None


def admit(app: Flask, environ: WSGIEnvironment) -> Response | None:
    """None when the request's body may be read; else the answer: a refusal, or a redirect to the sign-in page."""
    view_admits = _intake(app, environ).admit
    if view_admits is None:
        return None
    with app.request_context(environ):
        try:
            answer = view_admits(**(request.view_args or {}))
        except Exception as error:
            answer = app.handle_user_exception(error)
        return None if answer is None else app.finalize_request(answer)


def refusal(app: Flask, environ: WSGIEnvironment, error: Exception) -> Response:
    """The answer to a request that the server itself refuses, as the application would answer the same error."""
    with app.request_context(environ):
        return app.finalize_request(app.handle_user_exception(error))


def too_large(max_bytes: int) -> TooLarge:
    """The refusal of a body with more than `max_bytes`, with the limit in words."""
    size, unit = next((size, unit) for size, unit in _SIZE_UNITS if max_bytes % size == 0)
    return TooLarge(f"A request to this address may have at most {max_bytes // size} {unit}.")


def _intake(app: Flask, environ: WSGIEnvironment) -> Intake:
    path: str = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
    try:
        endpoint, _ = app.url_map.bind("localhost").match(path, environ["REQUEST_METHOD"])
    except HTTPException:
        return _DEFAULT_INTAKE
    view: Any = app.view_functions.get(endpoint)
    return get_intake(view) or _DEFAULT_INTAKE
