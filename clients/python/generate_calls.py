"""Writes src/brightlist/models.py and calls.py from the service's OpenAPI document."""

import json
import keyword
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent / "src" / "brightlist"
WIDTH = 108
_NOTICE = "Generated from the OpenAPI document by generate_calls.py: do not edit."
_MODEL_IMPORTS = """
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from brightlist.wire import WIRE_NAME, Model
"""
_CALL_IMPORTS = """
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from brightlist.models import {models}
from brightlist.resource import Listing, Resource
from brightlist.transport import Transport
"""
_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
Schema = Mapping[str, Any]


def generate(document: Schema) -> dict[str, str]:
    """The text of each generated file by its name."""
    calls = Calls(document)
    return {"models.py": _format(calls.models.write()), "calls.py": _format(calls.write())}


class Models:
    """The models of all schemas that the calls need."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._schemas = schemas
        self._wanted: set[str] = set()

    def annotate(self, schema: Schema) -> str:
        """The annotation of a value; the models in it are wanted from now on."""
        if "$ref" in schema:
            return self._name(self._closed(schema["$ref"].rpartition("/")[2]))
        if "anyOf" in schema:
            return " | ".join(dict.fromkeys(self.annotate(each) for each in schema["anyOf"]))
        if schema.get("type") == "array":
            return f"list[{self.annotate(schema.get('items', {}))}]"
        if schema.get("type") == "object":
            values = schema.get("additionalProperties")
            return f"dict[str, {self.annotate(values if isinstance(values, dict) else {})}]"
        return "datetime" if schema.get("format") == "date-time" else _PLAIN.get(schema.get("type", ""), "Any")

    def _closed(self, name: str) -> str:
        """Of the values that are sent and the values that are answered one enumeration is enough."""
        closed = name.removeprefix("Known")
        return closed if closed in self._schemas else name

    def _name(self, name: str) -> str:
        schema = self._schemas[name]
        if not (schema.get("properties") or _values(schema)):
            return self.annotate(schema)
        if name not in self._wanted:
            self._wanted.add(name)
            for field in schema.get("properties", {}).values():
                self.annotate(field)
        # A value that came later is a plain string.
        return f"{name} | str" if _values(schema) else name

    def write(self) -> str:
        """The module with all models that are wanted."""
        names = sorted(self._wanted)
        enums = [self._write_enum(each) for each in names if _values(self._schemas[each])]
        classes = [self._write_class(each) for each in names if not _values(self._schemas[each])]
        about = f'"""Models of requests and answers. {_NOTICE}"""'
        return "\n".join([about, "from __future__ import annotations", _MODEL_IMPORTS, *enums, *classes])

    def _write_enum(self, name: str) -> str:
        values = [f"    {_constant(each)} = {each!r}" for each in _values(self._schemas[name])]
        return "\n".join([f"class {name}(StrEnum):", _docstring(self._about(name)), "", *values, ""])

    def _write_class(self, name: str) -> str:
        schema = self._schemas[name]
        required = schema.get("required", ())
        fields = [self._write_field(key, field, key in required) for key, field in schema["properties"].items()]
        head = ["@dataclass(frozen=True, kw_only=True)", f"class {name}(Model):"]
        return "\n".join([*head, _docstring(self._about(name)), "", *fields, ""])

    def _write_field(self, key: str, schema: Schema, required: bool) -> str:
        name, annotation = _snake(key), self.annotate(schema)
        if not required and "None" not in annotation.split(" | ") and annotation != "Any":
            annotation = f"{annotation} | None"
        options = ([] if required else ["default=None"]) + (
            [] if _camel(name) == key else [f'metadata={{WIRE_NAME: "{key}"}}']
        )
        if options == ["default=None"]:
            return f"    {name}: {annotation} = None"
        return f"    {name}: {annotation} = field({', '.join(options)})" if options else f"    {name}: {annotation}"

    def _about(self, name: str) -> str:
        about = self._schemas[name].get("description", "")
        return about if about else f"{name}."


class Calls:
    """The methods for all operations, in a class for each resource."""

    def __init__(self, document: Schema) -> None:
        self.models = Models(document["components"]["schemas"])
        self._schemas = document["components"]["schemas"]
        self._tags = {each["name"]: each["description"] for each in document["tags"]}
        self._named: set[str] = set()
        self._methods: dict[str, list[str]] = {name: [] for name in self._tags}
        for path, item in document["paths"].items():
            for method, operation in item.items():
                if _is_for_programs(operation):
                    self._methods[operation["tags"][0]].append(self._write_method(path, method.upper(), operation))

    def write(self) -> str:
        """The module with all resources that have a call."""
        used = {name: methods for name, methods in self._methods.items() if methods}
        classes = [
            "\n".join([f"class {_class(name)}(Resource):", _docstring(self._tags[name]), "", *methods, ""])
            for name, methods in used.items()
        ]
        resources = [
            "class Resources:",
            '    """Every resource of the API."""',
            "",
            "    def __init__(self, transport: Transport) -> None:",
            *(f"        self.{_snake(name)} = {_class(name)}(transport)" for name in used),
        ]
        imports = _CALL_IMPORTS.format(models=", ".join(sorted(self._named)))
        about = f'"""The calls of the API, by resource. {_NOTICE}"""'
        return "\n".join([about, imports, *classes, *resources, ""])

    def _write_method(self, url: str, method: str, operation: Schema) -> str:
        parts = [part for part in url.split("/") if part]
        given = [f"{_snake(part[1:-1])}: str" for part in parts if part.startswith("{")]
        body = operation.get("requestBody")
        if body:
            given.append(f"body: {self._annotate(_json_schema(body))}")
        queries = [each for each in operation.get("parameters", ()) if each["in"] == "query"]
        is_listing = any(each["name"] == "cursor" for each in queries)
        named = [self._write_parameter(each) for each in queries if not (is_listing and each["name"] == "cursor")]
        named += ["idempotency_key: str | None = None"] if method == "POST" else []
        signature = ", ".join(["self", *given, *(["*", *named] if named else [])])
        steps = ", ".join(_snake(part[1:-1]) if part.startswith("{") else f'"{part}"' for part in parts)
        asked = [f'"{each["name"]}": {_snake(each["name"])}' for each in queries if each["name"] != "cursor"]
        answer = self._annotate(_json_schema(_success(operation)))
        path = f"({steps},)" if len(parts) == 1 else f"({steps})"
        call = Call(method, path, f"{{{', '.join(asked)}}}" if asked else "", bool(body), answer)
        returned, returns = self._list(call) if is_listing else (answer, call.write())
        return "\n".join(
            [
                f"    def {operation['operationId']}({signature}) -> {returned}:",
                _docstring(operation["summary"] + ".", operation.get("description", ""), indent=8),
                f"        return {returns}",
                "",
            ]
        )

    def _list(self, call: "Call") -> tuple[str, str]:
        """What a list returns, and how."""
        name, field = next(
            (name, field)
            for name, field in self._schemas[call.answer]["properties"].items()
            if field.get("type") == "array"
        )
        entry = self._annotate(field["items"])
        query = call.query or "{}"
        return f"Listing[{entry}]", f'Listing(self._transport, {call.path}, {query}, "{name}", {entry})'

    def _write_parameter(self, parameter: Schema) -> str:
        annotation = self._annotate(parameter["schema"]).replace("list[", "Sequence[").replace("dict[", "Mapping[")
        name = _snake(parameter["name"])
        return f"{name}: {annotation}" if parameter.get("required") else f"{name}: {annotation} | None = None"

    def _annotate(self, schema: Schema) -> str:
        annotation = self.models.annotate(schema)
        self._named |= set(re.findall(r"[A-Z]\w+", annotation)) & self._schemas.keys()
        return annotation


class Call:
    """How a method asks."""

    def __init__(self, method: str, path: str, query: str, has_body: bool, answer: str) -> None:
        self.method, self.path, self.query, self.answer = method, path, query, answer
        self._has_body = has_body

    def write(self) -> str:
        """The expression that asks and reads the answer."""
        options = [f'"{self.method}"', self.path]
        options += [f"query={self.query}"] if self.query else []
        options += ["body=body"] if self._has_body else []
        options += ["idempotency_key=idempotency_key"] if self.method == "POST" else []
        return f"{self.answer}.read(self._transport.ask({', '.join(options)}))"


def _is_for_programs(operation: Schema) -> bool:
    """Whether a call is made of it: photos go to signed URLs, where each can be sent again alone."""
    content = operation.get("requestBody", {}).get("content", {"application/json": {}})
    return "application/json" in content


def _json_schema(answer: Schema) -> Schema:
    schema: Schema = answer["content"]["application/json"]["schema"]
    return schema


def _success(operation: Schema) -> Schema:
    found: Schema = next(answer for status, answer in operation["responses"].items() if status[0] == "2")
    return found


def _values(schema: Schema) -> list[str]:
    """The values that the document knows of a closed or an open enumeration of words."""
    values = schema.get("enum") or schema.get("x-extensible-enum") or []
    return [each for each in values if isinstance(each, str)]


def _constant(value: str) -> str:
    name = re.sub(r"\W+", "_", value).upper()
    return name if name.isidentifier() else f"N_{name}"


def _snake(name: str) -> str:
    snake = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).replace("-", "_").lower()
    return f"{snake}_" if keyword.iskeyword(snake) else snake


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda letter: letter[1].upper(), name.rstrip("_"))


def _class(tag: str) -> str:
    return "".join(part.capitalize() for part in re.split(r"\W+", tag)) + "Calls"


def _docstring(first: str, rest: str = "", indent: int = 4) -> str:
    """A docstring: the first sentence, and the rest below."""
    text = " ".join(first.split())
    lines = textwrap.wrap(text, WIDTH - indent - 6)
    lines += ["", *textwrap.wrap(" ".join(rest.split()), WIDTH - indent)] if rest else []
    lines = [each.replace("\\", "\\\\") for each in lines]
    whole = [f'"""{lines[0]}', *lines[1:]]
    whole = [f'{whole[0]}"""'] if len(whole) == 1 else [*whole, '"""']
    return "\n".join(f"{' ' * indent}{line}" if line else "" for line in whole)


def _format(text: str) -> str:
    """The text as ruff has it, without the imports that it does not need."""
    for command in (("check", "--fix", "--select", "F401,I", "--quiet"), ("format",)):
        program = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(PACKAGE / "models.py"), "-"]
        text = subprocess.run(program, input=text, capture_output=True, text=True, check=True).stdout
    return text


def list_changes(document: Schema) -> Iterator[tuple[Path, str]]:
    """The generated files that differ from those in the package, with what they should be."""
    for name, text in generate(document).items():
        path = PACKAGE / name
        if not path.exists() or path.read_text() != text:
            yield path, text


if __name__ == "__main__":
    for path, text in list_changes(json.load(sys.stdin)):
        path.write_text(text)
        sys.stdout.write(f"{path.name} is new\n")
