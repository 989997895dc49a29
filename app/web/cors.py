"""Lets pages of other origins upload: upload URLs answer a page whose origin the key that made them allows (CORS).

No other address of the service does, because API keys do not belong in browsers.
"""

from datetime import UTC, datetime

from flask import Blueprint, Response, request

from app.adapters.signed_urls import UPLOADS
from app.database import UNAVAILABLE
from app.domain.checksums import HEADERS
from app.domain.errors import LinkForged
from app.services.uploads import uploads
from app.web.context import REQUEST_ID, container

METHOD = "PUT"
SENT_HEADERS = ("Content-Type", *HEADERS, REQUEST_ID)
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


def _add_headers(response: Response) -> Response:
    if not request.path.startswith(UPLOADS):
        return response
    response.vary.add("Origin")
    asked = request.headers.get("Access-Control-Request-Method") if request.method == "OPTIONS" else request.method
    origin = request.headers.get("Origin")
    if asked != METHOD or origin is None or origin not in _allowed_origins():
        return response
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = ", ".join(SHOWN_HEADERS)
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = METHOD
        response.headers["Access-Control-Allow-Headers"] = ", ".join(SENT_HEADERS)
        response.access_control_max_age = PREFLIGHT_SECONDS
    return response


def _allowed_origins() -> list[str]:
    here = container()
    try:
        key = here.urls.read(UPLOADS, (request.view_args or {})["token"], _WHENEVER).key
        with here.database.read_session() as session:
            return uploads.list_origins(session, uploads.session_of(key))
    except (LinkForged, *UNAVAILABLE):
        return []
