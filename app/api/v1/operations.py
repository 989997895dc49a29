"""How an endpoint of the API is declared: once, for routing, authentication, answers and documentation."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from flask import Blueprint, Response
from pydantic import BaseModel
from pydantic.alias_generators import to_snake

from app.domain.actors import Scope
from app.domain.errors import Forbidden, InvalidRequest, Refusal, TooLarge, Unauthorized
from app.web.authentication import authenticate


@dataclass(frozen=True, slots=True)
class Operation:
    """What an endpoint is: its place, who may call it, what it takes and what it gives."""

    method: str
    path: str
    scope: Scope
    summary: str
    answer: type[BaseModel]
    answer_example: dict[str, Any]
    body: type[BaseModel] | None = None
    media_type: str = "application/json"
    example: Any = None
    notes: str = ""
    refusals: tuple[type[Refusal], ...] = ()

    @property
    def every_refusal(self) -> tuple[type[Refusal], ...]:
        """Its own refusals and those that any endpoint may give."""
        common = (InvalidRequest, TooLarge) if self.body else ()
        return tuple(dict.fromkeys((*common, Unauthorized, Forbidden, *self.refusals)))


OPERATIONS: dict[str, Operation] = {}
"""Every endpoint by the name of its view."""

View = Callable[..., BaseModel]


def serve(blueprint: Blueprint, operation: Operation) -> Callable[[View], View]:
    """Put the view behind its key scope and route, and send the model it returns as JSON."""

    def declare(view: View) -> View:
        @wraps(view)
        def answer(**arguments: str) -> Response:
            authenticate(operation.scope)
            return send(view(**arguments))

        rule = re.sub(r"\{(\w+)\}", lambda name: f"<{to_snake(name[1])}>", operation.path)
        # OPTIONS would be answered without a body and without asking for a key.
        methods = [operation.method]
        blueprint.add_url_rule(rule, view.__name__, answer, methods=methods, provide_automatic_options=False)
        OPERATIONS[view.__name__] = operation
        return view

    return declare


def send(model: BaseModel) -> Response:
    """The model as a JSON response, absent fields left out."""
    content = model.model_dump_json(by_alias=True, exclude_none=True)
    return Response(content, mimetype="application/json")
