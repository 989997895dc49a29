"""Authenticates API requests: turns the bearer key in the Authorization header into an Actor, or refuses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import g, request
from sqlalchemy import Row, Select
from structlog.contextvars import bind_contextvars

from app.domain.actors import Actor, Scope
from app.domain.errors import Forbidden, Unauthorized
from app.services import security_log
from app.services.security import api_keys
from app.services.security.api_keys import RecognizedKey
from app.web.context import container


@dataclass(frozen=True, slots=True)
class ReadWithKey:
    """For endpoints with very many requests: data that is read by the same query that recognizes the key.

    `statement` gives that query, built once; `values` turns the view's arguments into bind parameters.
    """

    statement: Callable[[], Select[Any]]
    values: Callable[..., Mapping[str, str]]


def authenticate(scope: Scope, reads: ReadWithKey | None = None, **arguments: str) -> None:
    """Authenticate the request by its key, and set actor() and read_with_key().

    Raises Unauthorized, Suspended, and Forbidden when the key lacks the scope.
    """
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise Unauthorized("Send the header Authorization: Bearer <API key>.")
    found = _recognize(secret.strip(), reads, arguments)
    g.actor, g.read_with_key = found.actor, found.row
    bind_contextvars(account_id=g.actor.account_id)
    security_log.name_sender(key_id=g.actor.key_id)
    if scope not in g.actor.scopes:
        raise Forbidden(f"This API key lacks the scope {scope}.")


def actor() -> Actor:
    """The account and the key of this request."""
    found: Actor = g.actor
    return found


def read_with_key() -> Row[Any]:
    """The row that the query which recognized the key has read, see ReadWithKey."""
    found: Row[Any] = g.read_with_key
    return found


def _recognize(secret: str, reads: ReadWithKey | None, arguments: Mapping[str, str]) -> RecognizedKey:
    here = container()
    now = here.clock()
    query = (reads.statement(), reads.values(**arguments)) if reads else ()
    with here.database.read_connection() as connection:
        found = api_keys.recognize(connection, secret, now, *query)
    if found is None:
        raise Unauthorized("The API key is not valid, was revoked or has expired.")
    if found.use_is_due:
        with here.database.unit_of_work() as session:
            api_keys.record_use(session, found.actor.key_id, request.remote_addr or "", now)
    return found
