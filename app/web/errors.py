"""Maps every refusal to its HTTP status, and answers all refusals and errors in one shape."""

import logging
from collections.abc import Mapping
from decimal import Decimal
from http import HTTPStatus
from typing import Any

from flask import Flask, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from app.database import UNAVAILABLE
from app.domain import budget_errors, client_token_errors, errors, sandbox_errors
from app.domain.api_types import number
from app.domain.ports import StorageUnavailableError
from app.domain.security_events import SecurityEvent
from app.services import security_log
from app.web import error_pages, retries
from app.web.context import caller, container, request_id
from app.web.error_pages import ErrorPage
from app.web.fault_messages import describe_faults

log = logging.getLogger(__name__)

STATUS: Mapping[type[errors.Refusal], int] = {
    errors.InvalidRequest: 400,
    errors.InvalidFields: 400,
    errors.NotReady: 400,
    errors.ChecksumMismatch: 400,
    errors.StalePage: 400,
    errors.Unauthorized: 401,
    client_token_errors.ClientTokenExpired: 401,
    errors.InsufficientCredits: 402,
    errors.Forbidden: 403,
    budget_errors.BudgetExceeded: 403,
    budget_errors.BudgetRequired: 403,
    budget_errors.PriceTooHigh: 403,
    errors.Suspended: 403,
    client_token_errors.OriginNotAllowed: 403,
    client_token_errors.TooManyFiles: 403,
    errors.NotAMember: 403,
    errors.NotPermitted: 403,
    errors.LinkForged: 403,
    errors.NotFound: 404,
    errors.MethodNotAllowed: 405,
    errors.TimedOut: 408,
    errors.Conflict: 409,
    errors.InFlight: 409,
    errors.LinkExpired: 410,
    errors.RetentionEnded: 410,
    errors.TooLarge: 413,
    errors.UploadQuotaExceeded: 413,
    errors.KeepQuotaExceeded: 413,
    errors.UnsupportedMedia: 415,
    errors.IdempotencyMismatch: 422,
    errors.RateLimited: 429,
    errors.OpenSessionsExceeded: 429,
    errors.OutlooksExceeded: 429,
    sandbox_errors.SandboxFull: 429,
    errors.AddressBeingChecked: 429,
    errors.InternalError: 500,
    errors.Unavailable: 503,
}

EVENTS: Mapping[type[errors.Refusal], SecurityEvent] = {
    errors.StalePage: SecurityEvent.FORM_REFUSED,
    errors.Unauthorized: SecurityEvent.KEY_REFUSED,
    errors.Forbidden: SecurityEvent.SCOPE_MISSING,
    client_token_errors.OriginNotAllowed: SecurityEvent.KEY_REFUSED,
    errors.Suspended: SecurityEvent.ACCOUNT_SUSPENDED,
    errors.NotPermitted: SecurityEvent.ROLE_MISSING,
    errors.LinkForged: SecurityEvent.LINK_REFUSED,
    errors.NotFound: SecurityEvent.NOT_FOUND,
}
"""The refusals that are security events. Throttling is logged where it is counted, once in each window."""

_HTTP_KINDS: Mapping[int, type[errors.Refusal]] = {
    400: errors.InvalidRequest,
    404: errors.NotFound,
    405: errors.MethodNotAllowed,
    408: errors.TimedOut,
    413: errors.TooLarge,
    415: errors.UnsupportedMedia,
}
_COPIED_HEADERS = ("Allow", "Content-Range", "Retry-After")
JSON_PATHS = ("/api/", "/mcp", "/uploads/", "/files/", "/payments/")
"""Paths for programs, not for people at browsers: errors are answered in JSON."""


def install(app: Flask) -> None:
    """Let the application answer every refusal and every error in the one shape."""
    # A path with a doubled slash is an unknown path: Flask's redirect would be HTML, even for programs.
    app.url_map.merge_slashes = False
    app.register_error_handler(errors.Refusal, _answer_refusal)
    app.register_error_handler(HTTPException, _answer_http_error)
    for error in (StorageUnavailableError, *UNAVAILABLE):
        app.register_error_handler(error, _answer_unavailable)
    app.register_error_handler(Exception, _answer_unexpected)


def doc_url(code: str) -> str:
    """The address of the page about a code, from any computer."""
    return f"{container().settings.base_url}/docs/errors/{code}"


def describe(refusal: errors.Refusal) -> dict[str, Any]:
    """The refusal as JSON, without the id of its request: the same for programs and in the documentation."""
    body: dict[str, Any] = _describe(refusal.error, refusal.code, refusal.message) | dict(refusal.extra)
    details = describe_faults(refusal) if isinstance(refusal, errors.InvalidFields) else refusal.details
    if details is not None:
        body["details"] = {name: _plain(value) for name, value in details.items()}
    return body


def _describe(error: str, code: str, message: str) -> dict[str, Any]:
    """An error as JSON: a short phrase, a stable code, a message that says what to do, and where to read more."""
    return {"error": error, "code": code, "message": message, "docUrl": doc_url(code)}


def _answer_refusal(refusal: errors.Refusal) -> ResponseReturnValue:
    if event := EVENTS.get(type(refusal)):
        security_log.record(event, caller())
    headers = {"WWW-Authenticate": "Bearer"} if isinstance(refusal, errors.Unauthorized) else {}
    if refusal.retry_after_seconds is not None:
        headers["Retry-After"] = str(refusal.retry_after_seconds)
    status = STATUS[type(refusal)]
    return _answer(describe(refusal), error_pages.of_refusal(refusal, status), status, headers)


def _answer_http_error(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    if status < 400:
        return error
    kind = _HTTP_KINDS.get(status, errors.InternalError if status >= 500 else errors.InvalidRequest)
    headers = {name: value for name, value in error.get_headers() if name in _COPIED_HEADERS}
    answer = _describe(HTTPStatus(status).phrase.capitalize(), kind.code, error.description or "")
    return _answer(answer, error_pages.of_status(status), status, headers)


def _answer_unavailable(error: Exception) -> ResponseReturnValue:
    if not retries.will_retry(error):
        log.error("request %s: %s %s put off", request_id(), request.method, _rule(), exc_info=error)
    return _answer_refusal(errors.Unavailable())


def _answer_unexpected(error: Exception) -> ResponseReturnValue:
    log.error("request %s: %s %s broke", request_id(), request.method, _rule(), exc_info=error)
    return _answer(describe(errors.InternalError()), error_pages.of_status(500), 500, {})


def _rule() -> str:
    # Not the path: some paths contain a secret.
    return str(request.url_rule or "an unknown path")


def _answer(
    answer: dict[str, Any], page: ErrorPage, status: int, headers: Mapping[str, str]
) -> ResponseReturnValue:
    to_program = request.path.startswith(JSON_PATHS)
    response = jsonify(answer | {"requestId": request_id()}) if to_program else error_pages.answer(page, status)
    response.headers.update(headers)
    return response, status


def _plain(value: Any) -> Any:
    return number(value) if isinstance(value, Decimal) else value
