"""How an endpoint of the API is declared: once, for routing, authentication, answers and documentation."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from flask import Blueprint, Response
from pydantic import BaseModel
from pydantic.alias_generators import to_snake

from app.domain.actors import Scope
from app.domain.api_types import WireAnswer
from app.domain.errors import (
    Forbidden,
    IdempotencyMismatch,
    InFlight,
    InvalidRequest,
    RateLimited,
    Refusal,
    TooLarge,
    Unauthorized,
    Unavailable,
)
from app.web import idempotency, rate_limits
from app.web.authentication import ReadWithKey, authenticate
from app.web.bodies import MAX_JSON_BYTES, takes


@dataclass(frozen=True, slots=True)
class Operation:
    """What an endpoint is: its place, who may call it, what it takes and what it gives.

    One without a `scope` is public. `query` holds its required query parameters, each with its description;
    `status` is that of a good answer, unless `status_of` tells another of `other_statuses`, each with its meaning:
    such an answer is not kept for a repeated request. A body may have `most_bytes`. `reads_with_key` is read in one
    query with the key. The examples, or what makes one, are for where those of the fields would not go together.
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
    notes: str = ""
    refusals: tuple[type[Refusal], ...] = ()
    most_bytes: int = MAX_JSON_BYTES
    reads_with_key: ReadWithKey | None = None
    status_of: Callable[[WireAnswer], int] | None = None
    other_statuses: Mapping[int, str] = field(default_factory=dict)

    @property
    def every_refusal(self) -> tuple[type[Refusal], ...]:
        """Its own refusals and those that any endpoint may give."""
        common = (InvalidRequest, TooLarge) if self.body else (InvalidRequest,) if self.query else ()
        again = (InFlight, IdempotencyMismatch) if self.method == "POST" else ()
        locked = (Unauthorized, Forbidden) if self.scope else ()
        return tuple(dict.fromkeys((*common, *locked, RateLimited, Unavailable, *again, *self.refusals)))


OPERATIONS: dict[str, Operation] = {}
"""Every endpoint by the name of its view."""

View = Callable[..., WireAnswer]


def serve(blueprint: Blueprint, operation: Operation) -> Callable[[View], View]:
    """Put the view behind its key scope, the rate limits and its route, and send the model it returns as JSON."""

    def declare(view: View) -> View:
        @wraps(view)
        def answer(**arguments: str) -> Response:
            try:
                if operation.scope:
                    authenticate(operation.scope, operation.reads_with_key, **arguments)
            finally:
                # No matter who it is: a refused key counts too, for its address.
                rate_limits.count()
            return _once(operation, lambda: view(**arguments))

        def admit(**_: str) -> None:
            try:
                if operation.scope:
                    authenticate(operation.scope)
            except Refusal:
                rate_limits.count()
                raise

        takes(operation.most_bytes, admit)(answer)
        rule = re.sub(r"\{(\w+)\}", lambda name: f"<{to_snake(name[1])}>", operation.path)
        # OPTIONS would be answered without a body and without asking for a key.
        methods = [operation.method]
        blueprint.add_url_rule(rule, view.__name__, answer, methods=methods, provide_automatic_options=False)
        OPERATIONS[view.__name__] = operation
        return view

    return declare


def _once(operation: Operation, view: Callable[[], WireAnswer]) -> Response:
    """The view's answer; for a POST sent again with its Idempotency-Key, the first answer and no second effect."""
    if operation.method != "POST":
        return send(view(), operation.status)
    idempotency.check_key()
    try:
        answer = view()
        status = operation.status if operation.status_of is None else operation.status_of(answer)
        if status == operation.status:
            idempotency.keep_late(answer, status)
    except idempotency.Replay as replay:
        return replay.response()
    finally:
        idempotency.end()
    return send(answer, status)


def send(model: WireAnswer, status: int = 200) -> Response:
    """The model as a JSON response, absent fields left out."""
    return Response(model.to_json(), status, mimetype="application/json")
