"""Declares each endpoint of the API once, for routing, authentication, answers and documentation."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from flask import Blueprint, Response, after_this_request, request
from pydantic import BaseModel
from pydantic.alias_generators import to_snake

from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.client_token_errors import ClientTokenExpired, OriginNotAllowed
from app.domain.deprecation import Deprecation
from app.domain.errors import (
    Forbidden,
    IdempotencyMismatch,
    InFlight,
    InvalidRequest,
    RateLimited,
    Refusal,
    Suspended,
    TooLarge,
    Unauthorized,
    Unavailable,
)
from app.web import answers, idempotency, rate_limits
from app.web.authentication import ReadWithKey, authenticate, authenticate_client
from app.web.bodies import MAX_JSON_BYTES, accept_body
from app.web.context import container


@dataclass(frozen=True, slots=True)
class Operation:
    """The declaration of an endpoint: its path, the scope it needs, its request and its answer.

    An endpoint without a `scope` is public, unless it is `for_clients`: then it takes client tokens. `query`:
    required query parameters with their descriptions; `list_query`: the parameters of a list or a wait, which the
    view reads with lists.read_query(). `status`: the status of a successful answer, unless `status_of` returns one
    of `other_statuses` (each with its meaning); an answer with one of these is not stored for repeated requests.
    `max_bytes`: the longest body. `reads_with_key`: data that is read in the same query as the key. `cacheable`:
    the answer has an ETag, by which clients ask whether it has changed. `example` and `answer_example` (which may
    be a function): for models whose fields' own examples would not fit together. `deprecation`: set where the
    operation is taken out of use; then every answer announces that.
    """

    method: str
    path: str
    scope: Scope | None
    summary: str
    answer: type[WireAnswer]
    body: type[BaseModel] | None = None
    media_type: str = "application/json"
    example: Any = None
    answer_example: Any = None
    status: int = 200
    query: Mapping[str, str] = field(default_factory=dict)
    list_query: type[BaseModel] | None = None
    cacheable: bool = False
    notes: str = ""
    refusals: tuple[type[Refusal], ...] = ()
    max_bytes: int = MAX_JSON_BYTES
    reads_with_key: ReadWithKey | None = None
    status_of: Callable[[WireAnswer], int] | None = None
    other_statuses: Mapping[int, str] = field(default_factory=dict)
    deprecation: Deprecation | None = None
    for_clients: bool = False

    def status_for(self, answer: WireAnswer) -> int:
        """The HTTP status of this answer."""
        return self.status if self.status_of is None else self.status_of(answer)

    @property
    def every_refusal(self) -> tuple[type[Refusal], ...]:
        """The refusals of this endpoint, and those of all endpoints with the same method, body or scope."""
        # A POST has at least one field: its Idempotency-Key.
        has_fields = self.body or self.query or self.list_query or self.method == "POST"
        for_fields = (InvalidRequest,) if has_fields else ()
        common = (*for_fields, TooLarge) if self.body else for_fields
        for_repeats = (InFlight, IdempotencyMismatch) if self.method == "POST" else ()
        for_keys = (Unauthorized, Forbidden) if self.scope else ()
        for_clients = (Unauthorized, ClientTokenExpired, Suspended, OriginNotAllowed) if self.for_clients else ()
        for_all = (RateLimited, Unavailable)
        return tuple(dict.fromkeys((*common, *for_keys, *for_clients, *for_all, *for_repeats, *self.refusals)))


OPERATIONS: dict[str, Operation] = {}
"""Every endpoint by the name of its view."""

View = Callable[..., WireAnswer]


def serve(blueprint: Blueprint, operation: Operation) -> Callable[[View], View]:
    """Register the view for its route: a request needs a key with the scope and counts for the rate limits; the
    model that the view returns is sent as JSON.
    """

    def declare(view: View) -> View:
        @wraps(view)
        def answer(**arguments: str) -> Response:
            _announce(operation)
            try:
                _authenticate(operation, operation.reads_with_key, **arguments)
            finally:
                # This includes refusals: a request with a refused key counts for its IP address.
                rate_limits.count()
            return _answer_once(operation, lambda: view(**arguments))

        def admit(**_: str) -> None:
            _announce(operation)
            try:
                _authenticate(operation)
            except Refusal:
                rate_limits.count()
                raise

        accept_body(operation.max_bytes, admit)(answer)
        rule = re.sub(r"\{(\w+)\}", lambda name: f"<{to_snake(name[1])}>", operation.path)
        # No automatic OPTIONS: Flask would answer it without a body and without checking the key.
        methods = [operation.method]
        blueprint.add_url_rule(rule, view.__name__, answer, methods=methods, provide_automatic_options=False)
        OPERATIONS[view.__name__] = operation
        return view

    return declare


def _authenticate(operation: Operation, reads: ReadWithKey | None = None, **arguments: str) -> None:
    if operation.scope:
        authenticate(operation.scope, reads, **arguments)
    elif operation.for_clients:
        authenticate_client()


def _announce(operation: Operation) -> None:
    """Give the answer to this request, even a refusal, the headers of a deprecated operation."""
    if operation.deprecation is None:
        return
    headers = operation.deprecation.headers(f"{container().settings.base_url}/docs/versions")

    @after_this_request
    def add(response: Response) -> Response:
        response.headers.update(headers)
        return response


def _answer_once(operation: Operation, view: Callable[[], WireAnswer]) -> Response:
    """The view's answer. A POST that is repeated with its Idempotency-Key gets the first answer, and the view does
    not run again.
    """
    if operation.method != "POST":
        answer = view()
        response = send(answer, operation.status_for(answer))
        return _make_conditional(response) if operation.cacheable else response
    idempotency.check_key()
    try:
        answer = view()
        status = operation.status_for(answer)
        if status == operation.status:
            idempotency.keep_late(answer, status)
    except idempotency.Replay as replay:
        return replay.response()
    finally:
        idempotency.end()
    return send(answer, status)


def _make_conditional(response: Response) -> Response:
    """Add an ETag to the answer; replace it by 304 without a body where the client has this version already."""
    response.cache_control.private, response.cache_control.no_cache = True, True
    response.add_etag(weak=True)
    response.make_conditional(request)
    return response


def send(model: WireAnswer, status: int = 200) -> Response:
    """The model as a JSON response, without its absent fields."""
    return answers.write(model.to_json(), status)
