"""Authenticates API requests: turns the bearer key in the Authorization header into an Actor, or refuses.

Instead of a key, pages of customers' own sites send a client token that such a key made, to the one operation that
takes it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import g, request
from sqlalchemy import Row, Select
from structlog.contextvars import bind_contextvars

from app.domain import client_tokens
from app.domain.actors import Actor, Scope
from app.domain.client_token_errors import OriginNotAllowed
from app.domain.client_tokens import ClientToken
from app.domain.errors import Forbidden, Unauthorized
from app.domain.mail_text import one_line
from app.services import security_log
from app.services.security import api_keys
from app.services.security.api_keys import RecognizedKey
from app.web.context import container

MAX_ORIGIN = 100
"""The most characters of an origin in a refusal."""


@dataclass(frozen=True, slots=True)
class ReadWithKey:
    """For endpoints with very many requests: data that is read by the same query that recognizes the key.

    `statement` gives that query, built once; `values` turns the view's arguments into bind parameters.
    """

    statement: Callable[[], Select[Any]]
    values: Callable[..., Mapping[str, str]]


def authenticate(scope: Scope | None, reads: ReadWithKey | None = None, **arguments: str) -> None:
    """Authenticate the request by its key, and set actor() and read_with_key(). With None, no scope is needed.

    Raises Unauthorized, Suspended, and Forbidden when the key lacks the scope.
    """
    secret = _read_bearer()
    if not secret:
        raise Unauthorized("Send the header Authorization: Bearer <API key>.")
    if secret.startswith(client_tokens.LIVE_PREFIX):
        _accept_client(secret)
        raise Forbidden("A client token may do nothing but ask for upload URLs.")
    found = _recognize(secret, reads, arguments)
    _set_actor(found)
    if scope is not None and scope not in g.actor.scopes:
        raise Forbidden(f"This API key lacks the scope {scope}.")


def authenticate_client() -> None:
    """Authenticate the request by its client token, and set actor() and client_token().

    The token ends with its key. Raises ClientTokenExpired, Unauthorized, Suspended, and OriginNotAllowed when a
    page sends it whose origin the key does not list.
    """
    secret = _read_bearer()
    if not secret.startswith(client_tokens.LIVE_PREFIX):
        raise Unauthorized("Send the header Authorization: Bearer <client token>. Keys ask for upload-urls.")
    found = _accept_client(secret)
    origin = request.headers.get("Origin")
    if origin is not None and origin not in found.row.upload_origins:
        raise OriginNotAllowed(one_line(origin)[:MAX_ORIGIN])


def client_token() -> ClientToken:
    """The client token of this request."""
    found: ClientToken = g.client_token
    return found


def read_client_token() -> ClientToken | None:
    """The client token that the request carries, even if it has expired; None if it carries none of ours."""
    try:
        return container().client_tokens.read(_read_bearer(), at=None)
    except Unauthorized:
        return None


def actor() -> Actor:
    """The account and the key of this request."""
    found: Actor = g.actor
    return found


def read_with_key() -> Row[Any]:
    """The row that the query which recognized the key has read, see ReadWithKey."""
    found: Row[Any] = g.read_with_key
    return found


def _read_bearer() -> str:
    """The secret in the header Authorization; empty if there is none."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


def _set_actor(found: RecognizedKey) -> None:
    g.actor, g.read_with_key = found.actor, found.row
    bind_contextvars(account_id=g.actor.account_id)
    security_log.name_sender(key_id=g.actor.key_id)


def _accept_client(secret: str) -> RecognizedKey:
    """Set actor() without any scope, and client_token(). Raises ClientTokenExpired, Unauthorized and Suspended."""
    here = container()
    token = here.client_tokens.read(secret, here.clock())
    with here.database.read_connection() as connection:
        found = api_keys.recognize_by_id(connection, token.key_id, here.clock())
    if found is None:
        raise Unauthorized("The API key that made this client token was revoked or has expired.")
    found = replace(found, actor=replace(found.actor, scopes=frozenset()))
    g.client_token = token
    _set_actor(found)
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
