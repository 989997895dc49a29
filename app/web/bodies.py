"""Reads JSON request bodies within a size limit, and lets each view declare the most bytes of its body."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from flask import request
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from werkzeug.exceptions import ClientDisconnected

from app.domain.errors import InvalidFields, InvalidRequest, TooLarge
from app.domain.field_errors import Fault, FaultCode, shape_faults
from app.domain.request_limits import MAX_FIELDS

MAX_JSON_BYTES = 1024 * 1024
_INTAKE = "intake"
ARRIVAL_SECONDS = "brightlist.arrival_seconds"
"""Key in the WSGI environ where our server puts how long the body took to arrive."""
View = TypeVar("View", bound=Callable[..., Any])
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Intake:
    """The most bytes of a view's body, and a check of the sender before the body is read.

    `admit` gets the view's own arguments; it refuses by raising an exception, or by returning an answer.
    """

    max_bytes: int
    admit: Callable[..., ResponseReturnValue | None] | None = None


def accept_body(
    max_bytes: int, admit: Callable[..., ResponseReturnValue | None] | None = None
) -> Callable[[View], View]:
    """Declare the view's Intake; the web server refuses other requests before it reads their bodies."""

    def declare(view: View) -> View:
        setattr(view, _INTAKE, Intake(max_bytes, admit))
        return view

    return declare


def get_intake(view: Callable[..., Any] | None) -> Intake | None:
    """The Intake that the view declared with accept_body(), or None."""
    found: Intake | None = getattr(view, _INTAKE, None)
    return found


def arrival_time() -> timedelta:
    """How long the body took to arrive, which may be long if it is large; zero if the server does not say it."""
    return timedelta(seconds=request.environ.get(ARRIVAL_SECONDS, 0))


def receive(max_bytes: int) -> bytes:
    """The next bytes of the body, empty at its end. Raises InvalidRequest when the connection breaks earlier."""
    try:
        return request.stream.read(max_bytes)
    except (OSError, ClientDisconnected):
        raise InvalidRequest({"body": "Cut short: the connection broke before its end."}) from None


def json_object() -> dict[str, Any]:
    """The body as a JSON object. Raises InvalidRequest when it is not one, TooLarge beyond MAX_JSON_BYTES."""
    content = receive(MAX_JSON_BYTES + 1)
    if len(content) > MAX_JSON_BYTES or (request.content_length or 0) > MAX_JSON_BYTES:
        raise TooLarge("A JSON body may have at most 1 MB.")
    return parse_object(content, "body")


def read_model(model: type[Model], content: Mapping[str, Any]) -> Model:
    """The content as this model. Raises InvalidFields with all faults."""
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise InvalidFields(shape_faults(error, model).values()) from None


def parse_object(content: bytes | str, path: str) -> dict[str, Any]:
    """The JSON object in the text. Raises InvalidRequest for `path`, also when the object has too many fields."""
    value = parse(content, path)
    if not isinstance(value, dict):
        raise InvalidRequest({path: "Must be a JSON object."})
    if len(value) > MAX_FIELDS:
        raise InvalidFields([Fault((path,), FaultCode.TOO_LONG, {"limit": MAX_FIELDS, "things": "entries"})])
    return value


def parse(content: bytes | str, path: str) -> Any:
    """The JSON value in the text. Raises InvalidFields for `path`."""
    try:
        return from_json(content, allow_inf_nan=False)
    except ValueError as error:
        raise InvalidFields([Fault((path,), FaultCode.NOT_JSON, {"reason": str(error)})]) from None
