"""Lets pages of other origins upload: upload URLs, and requests for them with a client token, answer a page whose
origin the key that made them allows (CORS).

No other address of the API does, because API keys do not belong in browsers. The preflight of a request with a
client token does not carry the token, so it is answered alike for every origin; that opens nothing, because the
request itself is refused, and its answer hidden, for an origin that the key does not list.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from flask import Blueprint, Response, request

from app.adapters.signed_urls import UPLOADS
from app.database import UNAVAILABLE
from app.domain.checksums import HEADERS
from app.domain.errors import LinkForged
from app.services.security import api_keys
from app.services.uploads import uploads
from app.web.authentication import read_client_token
from app.web.context import REQUEST_ID, container

METHOD = "PUT"
SENT_HEADERS = ("Content-Type", *HEADERS, REQUEST_ID)
CLIENT_METHOD = "POST"
CLIENT_HEADERS = ("Authorization", "Content-Type", "Idempotency-Key", REQUEST_ID)
SHOWN_HEADERS = ("ETag", "Retry-After", REQUEST_ID)
PREFLIGHT_SECONDS = 3600
"""How long a browser may remember the answer to a preflight: as long as an upload URL works by default."""
_WHENEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""A time at which no URL has expired: a page should be able to read that its URL has."""


def install(blueprint: Blueprint) -> None:
    """Let allowed pages upload, and read every answer to their PUTs, refusals too. Preflights are answered by
    Flask, as every OPTIONS.
    """
    blueprint.after_request(_add_headers)


def install_for_clients(blueprint: Blueprint, path: str) -> None:
    """Let allowed pages call the one operation of the blueprint, at this path, with a client token."""
    blueprint.add_url_rule(path, "preflight", _answer_preflight, methods=["OPTIONS"])
    blueprint.after_request(_add_client_headers)


def _add_headers(response: Response) -> Response:
    if not request.path.startswith(UPLOADS):
        return response
    return _open_to_page(response, METHOD, SENT_HEADERS, lambda origin: origin in _allowed_origins())


def _answer_preflight() -> Response:
    return Response(status=204)


def _add_client_headers(response: Response) -> Response:
    is_preflight = request.method == "OPTIONS"
    return _open_to_page(
        response, CLIENT_METHOD, CLIENT_HEADERS, lambda origin: is_preflight or origin in _origins_of_client()
    )


def _open_to_page(
    response: Response, method: str, sent_headers: Sequence[str], allows: Callable[[str], bool]
) -> Response:
    response.vary.add("Origin")
    asked = request.headers.get("Access-Control-Request-Method") if request.method == "OPTIONS" else request.method
    origin = request.headers.get("Origin")
    if asked != method or origin is None or not allows(origin):
        return response
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = ", ".join(SHOWN_HEADERS)
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = method
        response.headers["Access-Control-Allow-Headers"] = ", ".join(sent_headers)
        response.access_control_max_age = PREFLIGHT_SECONDS
    return response


def _origins_of_client() -> list[str]:
    token = read_client_token()
    try:
        with container().database.read_session() as session:
            return api_keys.list_upload_origins(session, token.key_id) if token else []
    except UNAVAILABLE:
        return []


def _allowed_origins() -> list[str]:
    here = container()
    try:
        key = here.urls.read(UPLOADS, (request.view_args or {})["token"], _WHENEVER).key
        with here.database.read_session() as session:
            return uploads.list_origins(session, uploads.session_of(key))
    except (LinkForged, *UNAVAILABLE):
        return []
