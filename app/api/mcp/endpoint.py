"""POST /mcp: MCP's streamable HTTP without sessions, so that any process may answer; each answer is JSON."""

from functools import cache
from importlib import import_module
from types import ModuleType
from urllib.parse import urlsplit

from flask import Blueprint, Response, request

from app.domain.errors import Forbidden, Refusal, TooLarge
from app.web import rate_limits
from app.web.authentication import authenticate
from app.web.bodies import MAX_JSON_BYTES, accept_body, receive
from app.web.context import container
from app.web.rate_limits import MCP, RateQuota

blueprint = Blueprint("mcp", __name__)
TRANSPORT = "app.api.mcp.transport"


def _admit() -> None:
    """Refuse a request before its body is read. Raises Unauthorized, Suspended and Forbidden."""
    try:
        _refuse_other_origins()
        authenticate(None)
    except Refusal:
        rate_limits.count()
        raise


@blueprint.post(MCP, provide_automatic_options=False)
@accept_body(MAX_JSON_BYTES, _admit)
def serve() -> Response:
    """Answer one message of an agent with a key. The message counts as a read; each operation that its tool calls
    counts as a request to the API.
    """
    _refuse_other_origins()
    try:
        authenticate(None)
    finally:
        rate_limits.count(RateQuota.READS)
    content = receive(MAX_JSON_BYTES + 1)
    if len(content) > MAX_JSON_BYTES:
        raise TooLarge("A message may have at most 1 MB.")
    answer: Response = _load_transport().answer(content)
    return answer


@cache
def _load_transport() -> ModuleType:
    """The package for MCP takes half a second to load. gunicorn loads it once for all its workers; other processes
    that create the application do not load it.
    """
    return import_module(TRANSPORT)


def _refuse_other_origins() -> None:
    """Refuse requests from pages of other origins, which may reach this machine by DNS rebinding."""
    origin, own = request.headers.get("Origin"), urlsplit(container().settings.base_url)
    if origin is not None and origin != f"{own.scheme}://{own.netloc}":
        raise Forbidden("Pages of other origins may not call this address; API keys do not belong in browsers.")
