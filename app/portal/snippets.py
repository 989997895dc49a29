"""Examples that can be copied: requests as curl commands, bodies as JSON, whole receivers of webhooks."""

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

RECEIVERS = Path(__file__).parents[2] / "docs" / "receivers"
_KEY = '-H "Authorization: Bearer $API_KEY"'
_SHORT = 56
_LANGUAGES = {"receiver.py": "Python", "receiver.mjs": "Node", "receiver.php": "PHP"}


@dataclass(frozen=True, slots=True)
class Receiver:
    """A small program that takes in webhooks: shown to customers, and run by the tests."""

    language: str
    file_name: str
    code: str


@cache
def receivers() -> list[Receiver]:
    """One for each language that we give an example in."""
    return [Receiver(name, file, (RECEIVERS / file).read_text()) for file, name in _LANGUAGES.items()]


def pretty(value: Any) -> str:
    """JSON over several lines, short lists and objects on one."""
    return _fold(value, "")


def curl(url: str, method: str, operation: Mapping[str, Any]) -> str:
    """A command that sends the operation's example; `$API_KEY` stands for the key."""
    lines = [f"curl {_address(url, operation)}", _KEY, *_headers(operation), *_body(operation)]
    if method == "DELETE":
        lines.insert(1, "-X DELETE")
    return " \\\n  ".join(lines)


def answer(operation: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Status and content of the operation's good answer."""
    status = next(status for status in operation["responses"] if status.startswith("2"))
    content: Mapping[str, Any] = operation["responses"][status].get("content", {})
    return status, next(iter(content.values()), {})


def _address(url: str, operation: Mapping[str, Any]) -> str:
    known = answer(operation)[1].get("example", {})
    query = []
    for parameter in operation.get("parameters", ()):
        name = parameter["name"]
        value = str(known.get(name, f"<{name}>"))
        if parameter["in"] == "path":
            url = url.replace(f"{{{name}}}", value)
        elif parameter["in"] == "query":
            query.append(f"{name}={value}")
    return shlex.quote(f"{url}?{'&'.join(query)}") if query else url


def _headers(operation: Mapping[str, Any]) -> Iterator[str]:
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "header":
            # The only headers a client sends of its own are names it makes up.
            yield f'-H "{parameter["name"]}: $(uuidgen)"'


def _body(operation: Mapping[str, Any]) -> Iterator[str]:
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        example = content.get("example", {})
        if media_type == "multipart/form-data":
            yield from (f"-F {shlex.quote(f'{name}={value}')}" for name, value in example.items())
            yield f"-F {example.get('serviceType', 'exterior')}Photo0=@front.jpg"
        else:
            yield f"-H 'Content-Type: {media_type}'"
            yield f"-d {shlex.quote(pretty(example))}"


def _fold(value: Any, indent: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    short = indent and len(indent + flat) <= _SHORT
    if short or not value or not isinstance(value, dict | list):
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(name)}: {_fold(each, inner)}" for name, each in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(f"{inner}{_fold(each, inner)}" for each in value) + f"\n{indent}]"
