"""Code that customers copy: curl calls, JSON bodies, programs that order or receive webhooks, a signed delivery."""

import json
import shlex
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from app.domain.events import SAMPLE_EVENT, EventName, encode, payload, sample_facts
from app.domain.lifecycle import Status
from app.domain.webhooks import SIGNING_PREFIX
from app.services.webhooks.signing import DeliveryLabel, Secrets, headers

PROGRAMS = Path(__file__).parents[2] / "docs" / "keys"
RECEIVERS = Path(__file__).parents[2] / "docs" / "receivers"
_ADDRESS = "https://brightlist.example"
_KEY = '-H "Authorization: Bearer $API_KEY"'
_JSON_WORDS: Mapping[bool | None, str] = {True: "true", False: "false", None: "null"}
_MAX_LINE = 56
"""The most characters, indentation included, of a JSON list or object that stays on one line."""
_LANGUAGES = {"receiver.py": "Python", "receiver.mjs": "Node", "receiver.php": "PHP"}
_PROGRAMS = (
    # Language, file, how it is started, and how it reads the key from the environment.
    ("curl", "order.sh", "bash order.sh", "${BRIGHTLIST_API_KEY:?Put your API key here}"),
    ("Python", "order.py", "python3 order.py", 'os.environ["BRIGHTLIST_API_KEY"]'),
    ("Node", "order.mjs", "node order.mjs", "process.env.BRIGHTLIST_API_KEY"),
)
_SENT_AT = datetime(2026, 11, 20, 14, 3, 27, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ProgramExample:
    """A program that places an order; the tests run it exactly as shown. `command` starts it."""

    language: str
    file_name: str
    command: str
    code: str


@dataclass(frozen=True, slots=True)
class Receiver:
    """A small program that receives webhooks: shown to customers, and run by the tests."""

    language: str
    file_name: str
    code: str


@dataclass(frozen=True, slots=True)
class SampleDelivery:
    """A delivery with the secret that signed it."""

    secret: str
    headers: Mapping[str, str]
    body: str


def write_programs(base_url: str, secret: str | None = None) -> list[ProgramExample]:
    """Write the example programs for the service at `base_url`; with the `secret` of a key they run as pasted.

    Without a secret, each reads the key from the environment variable BRIGHTLIST_API_KEY.
    """
    programs = []
    for language, file_name, command, key in _PROGRAMS:
        code = _read(file_name).replace(_ADDRESS, base_url.rstrip("/"))
        if secret is not None:
            # A key is letters, digits and underscores: it needs no escaping in any language.
            code = code.replace(key, f'"{secret}"')
        programs.append(ProgramExample(language, file_name, command, code))
    return programs


@cache
def list_receivers() -> list[Receiver]:
    """Read the example receivers, one for each language."""
    return [Receiver(name, file, (RECEIVERS / file).read_text()) for file, name in _LANGUAGES.items()]


@cache
def sample_delivery() -> SampleDelivery:
    """Sign an example delivery, always the same one, for testing a signature check."""
    secret = SIGNING_PREFIX + b64encode(b"an example, of exactly 32 bytes.").decode()
    job = sample_facts("acc_3Tz8FhUe5SgIw1Pr7BnCxM", Status.APPROVED)
    body = encode(payload(EventName.JOB_APPROVED, job, _SENT_AT))
    names = ("dlv_5Kd0TqYm8RfWn3ZbVc6HxS", SAMPLE_EVENT, EventName.JOB_APPROVED)
    label = DeliveryLabel(*names, attempt=1, by_hand=False, sent_at=_SENT_AT)
    return SampleDelivery(secret, headers(label, body.encode(), Secrets(secret, [secret])), body)


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


def format_json(value: Any, words: Mapping[bool | None, str] | None = None) -> str:
    """Write JSON over several lines, short lists and objects on one; with other `words` for true, false and null,
    where a language has others.
    """
    return _write_json(value, "", words or _JSON_WORDS)


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
            # The only header parameters are names that the client makes up (Idempotency-Key).
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


def _write_json(value: Any, indent: str, words: Mapping[bool | None, str]) -> str:
    flat = _write_flat(value, words)
    short = indent and len(indent + flat) <= _MAX_LINE
    if short or not value or not isinstance(value, dict | list):
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(name)}: {_write_json(each, inner, words)}" for name, each in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(f"{inner}{_write_json(each, inner, words)}" for each in value) + f"\n{indent}]"


def _write_flat(value: Any, words: Mapping[bool | None, str]) -> str:
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{json.dumps(name)}: {_write_flat(each, words)}" for name, each in value.items()) + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_write_flat(each, words) for each in value) + "]"
    return words[value] if value is None or isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


@cache
def _read(file_name: str) -> str:
    return (PROGRAMS / file_name).read_text()
