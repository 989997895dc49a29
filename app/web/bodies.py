"""Reads JSON request bodies under limits of size and depth; says what each view takes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from flask import request
from flask.typing import ResponseReturnValue
from pydantic_core import from_json
from werkzeug.exceptions import ClientDisconnected

from app.domain.errors import InvalidFields, InvalidRequest, TooLarge
from app.domain.field_errors import Fault, FaultCode
from app.domain.request_limits import MOST_FIELDS

MAX_JSON_BYTES = 1024 * 1024
_INTAKE = "intake"
ARRIVAL_SECONDS = "brightlist.arrival_seconds"
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Intake:
    """How long the body for a view may be, and what lets its sender in before it comes.

    `admit` gets the view's own arguments; it refuses by an exception, or by an answer of its own.
    """

    most_bytes: int
    admit: Callable[..., ResponseReturnValue | None] | None = None


def takes(
    most_bytes: int, admit: Callable[..., ResponseReturnValue | None] | None = None
) -> Callable[[View], View]:
    """Declare what the view takes; the web server refuses the rest before it is sent."""

    def declare(view: View) -> View:
        setattr(view, _INTAKE, Intake(most_bytes, admit))
        return view

    return declare


def get_intake(view: Callable[..., Any] | None) -> Intake | None:
    """What the view declared to take, if it did."""
    found: Intake | None = getattr(view, _INTAKE, None)
    return found


def arrival_time() -> timedelta:
    """How long the request took to arrive, where the server says so: a large body may take long."""
    return timedelta(seconds=request.environ.get(ARRIVAL_SECONDS, 0))


def receive(most_bytes: int) -> bytes:
    """The next bytes of the body, empty at its end. Raises InvalidRequest when the connection breaks before."""
    try:
        return request.stream.read(most_bytes)
    except (OSError, ClientDisconnected):
        raise InvalidRequest({"body": "Cut short: the connection broke before its end."}) from None


def json_object() -> dict[str, Any]:
    """The body as an object. Raises InvalidRequest when it is none, TooLarge past one megabyte."""
    content = receive(MAX_JSON_BYTES + 1)
    if len(content) > MAX_JSON_BYTES or (request.content_length or 0) > MAX_JSON_BYTES:
        raise TooLarge("A JSON body may have at most 1 MB.")
    return parse_object(content, "body")


def parse_object(content: bytes | str, path: str) -> dict[str, Any]:
    """The JSON object in the text. Raises InvalidRequest naming the path, also where it has too many fields."""
    value = parse(content, path)
    if not isinstance(value, dict):
        raise InvalidRequest({path: "Must be a JSON object."})
    if len(value) > MOST_FIELDS:
        raise InvalidFields([Fault((path,), FaultCode.TOO_LONG, {"limit": MOST_FIELDS, "things": "entries"})])
    return value


def parse(content: bytes | str, path: str) -> Any:
    """The JSON value in the text. Raises InvalidFields naming the path."""
    try:
        return from_json(content, allow_inf_nan=False)
    except ValueError as error:
        raise InvalidFields([Fault((path,), FaultCode.NOT_JSON, {"reason": str(error)})]) from None
