"""Reads JSON request bodies under limits of size and depth."""

from typing import Any

from flask import request
from pydantic_core import from_json
from werkzeug.exceptions import ClientDisconnected

from app.domain.errors import InvalidRequest, TooLarge

MAX_JSON_BYTES = 1024 * 1024


def received(most_bytes: int) -> bytes:
    """The next bytes of the body, empty at its end. Raises InvalidRequest when the connection breaks before."""
    try:
        return request.stream.read(most_bytes)
    except (OSError, ClientDisconnected):
        raise InvalidRequest({"body": "Cut short: the connection broke before its end."}) from None


def json_object() -> dict[str, Any]:
    """The body as an object. Raises InvalidRequest when it is none, TooLarge past one megabyte."""
    content = received(MAX_JSON_BYTES + 1)
    if len(content) > MAX_JSON_BYTES or (request.content_length or 0) > MAX_JSON_BYTES:
        raise TooLarge("A JSON body may have at most 1 MB.")
    return parse_object(content, "body")


def parse_object(content: bytes | str, path: str) -> dict[str, Any]:
    """The JSON object in the text. Raises InvalidRequest naming the path."""
    value = parse(content, path)
    if not isinstance(value, dict):
        raise InvalidRequest({path: "Must be a JSON object."})
    return value


def parse(content: bytes | str, path: str) -> Any:
    """The JSON value in the text. Raises InvalidRequest naming the path."""
    try:
        return from_json(content, allow_inf_nan=False)
    except ValueError as error:
        raise InvalidRequest({path: f"Not valid JSON: {error}."}) from None
