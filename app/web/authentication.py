"""Bearer keys: turns the Authorization header into an Actor, or refuses."""

from flask import g, request
from structlog.contextvars import bind_contextvars

from app.domain.actors import Actor, Scope
from app.domain.errors import Forbidden, Unauthorized
from app.services.security import api_keys
from app.web.context import container


def authenticate(scope: Scope) -> None:
    """Let the request through as the key's account. Raises Unauthorized, Forbidden and Suspended."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise Unauthorized("Send the header Authorization: Bearer <API key>.")
    g.actor = _recognise(secret.strip())
    bind_contextvars(account_id=g.actor.account_id)
    if scope not in g.actor.scopes:
        raise Forbidden(f"This API key lacks the scope {scope}.")


def actor() -> Actor:
    """Who asks."""
    found: Actor = g.actor
    return found


def _recognise(secret: str) -> Actor:
    here = container()
    now = here.clock()
    with here.database.read_connection() as connection:
        found = api_keys.recognise(connection, secret, now)
    if found is None:
        raise Unauthorized("The API key is not valid, was revoked or has expired.")
    who, stale = found
    if stale:
        with here.database.unit_of_work() as session:
            api_keys.record_use(session, who.key_id, request.remote_addr or "", now)
    return who
