"""Writes an operation of the OpenAPI document as a curl command."""

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from app.web.json_text import format_json

_KEY = '-H "Authorization: Bearer $API_KEY"'


def write_curl(url: str, method: str, operation: Mapping[str, Any]) -> str:
    """Write a command that sends the operation's example; `$API_KEY` stands for the key."""
    address = fill_address(url, operation)
    quoted = shlex.quote(address) if "?" in address else address
    lines = [f"curl {quoted}", _KEY, *_headers(operation), *_body(operation)]
    # Without data curl sends a GET, with data a POST.
    if method != ("POST" if operation.get("requestBody") else "GET"):
        lines.insert(1, f"-X {method}")
    return " \\\n  ".join(lines)


def find_success(operation: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Find status and content of the operation's successful (2xx) answer."""
    status = next(status for status in operation["responses"] if status.startswith("2"))
    content: Mapping[str, Any] = operation["responses"][status].get("content", {})
    return status, next(iter(content.values()), {})


def fill_address(url: str, operation: Mapping[str, Any]) -> str:
    """The URL with the ids of the operation's example in its path, and its required query."""
    example = find_success(operation)[1].get("example", {})
    query = []
    for parameter in operation.get("parameters", ()):
        name = parameter["name"]
        value = str(example.get(name, f"<{name}>"))
        if parameter["in"] == "path":
            url = url.replace(f"{{{name}}}", value)
        elif parameter["in"] == "query" and parameter.get("required"):
            query.append(f"{name}={value}")
    return f"{url}?{'&'.join(query)}" if query else url


def _headers(operation: Mapping[str, Any]) -> Iterator[str]:
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "header":
            # The only header parameter is the Idempotency-Key, which the client makes up.
            yield f'-H "{parameter["name"]}: $(uuidgen)"'


def _body(operation: Mapping[str, Any]) -> Iterator[str]:
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        example = content.get("example", {})
        if media_type == "multipart/form-data":
            yield from (f"-F {shlex.quote(f'{name}={value}')}" for name, value in example.items())
            yield f"-F {example.get('serviceType', 'exterior')}Photo0=@front.jpg"
        else:
            yield f"-H 'Content-Type: {media_type}'"
            yield f"-d {shlex.quote(format_json(example))}"
