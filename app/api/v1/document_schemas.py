"""Completes the schemas of the OpenAPI document, which the models do not fully describe: how to read answers, and
what to leave out of requests.
"""

import json
from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

KNOWN_VALUES = "x-extensible-enum"
"""The known values of a text in an answer; with `enum`, clients would refuse a new value."""
_PREFIX = "#/components/schemas/"
_OPEN = "Values may be added: treat one that you do not know as such."
_KEYWORDS_WITH_SCHEMA = ("items", "additionalProperties", "propertyNames")
_KEYWORDS_WITH_SCHEMAS = ("anyOf", "oneOf", "allOf", "prefixItems")


def finish_schemas(document: dict[str, Any]) -> None:
    """Change the schemas of this document in place. Each schema belongs to requests or to answers. An enumeration
    in both becomes two: a closed one for requests, and `Known…` with the values that answers may have.
    """
    schemas: dict[str, Schema] = document["components"]["schemas"]
    operations = [each for item in document["paths"].values() for each in item.values()]
    sent = _find_used([(each.get("requestBody"), each.get("parameters")) for each in operations], schemas)
    answered = _find_used([*(each["responses"] for each in operations), document["webhooks"]], schemas)
    open_names = {name: f"Known{name}" if name in sent else name for name in answered if "enum" in schemas[name]}
    opened = {open_names[name]: {**schemas[name], "title": open_names[name]} for name in open_names}
    for name in answered - sent:
        for schema in _walk(schemas[name]):
            _refer_to(schema, open_names)
            _never_null(schema)
            _open(schema)
    for schema in opened.values():
        _open(schema)
    for name in sent:
        for schema in _walk(schemas[name]):
            _tell_defaults(schema)
    for schema in schemas.values():
        _drop_titles(schema)
    document["components"]["schemas"] = dict(sorted((schemas | opened).items()))


def _find_used(part: Any, schemas: dict[str, Schema]) -> set[str]:
    """The names of the schemas to which a part of the document refers, directly or within others."""
    found: set[str] = set()
    parts = [part]
    while parts:
        match parts.pop():
            case {"$ref": str(reference)} if reference.startswith(_PREFIX):
                if (name := reference.removeprefix(_PREFIX)) not in found:
                    found.add(name)
                    parts.append(schemas[name])
            case dict(inner):
                parts += inner.values()
            case list(inner) | tuple(inner):
                parts += inner
    return found


def _walk(schema: Schema) -> Iterator[Schema]:
    """The schema, and every schema within it."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("patternProperties", {}).values()]
    inner += [schema[each] for each in _KEYWORDS_WITH_SCHEMA if isinstance(schema.get(each), dict)]
    inner += [each for keyword in _KEYWORDS_WITH_SCHEMAS for each in schema.get(keyword, ())]
    for each in inner:
        yield from _walk(each)


def _refer_to(schema: Schema, names: dict[str, str]) -> None:
    name = schema.get("$ref", "").removeprefix(_PREFIX)
    if name in names:
        schema["$ref"] = f"{_PREFIX}{names[name]}"


def _never_null(schema: Schema) -> None:
    """Drop null from fields that may be absent: an answer leaves them out instead."""
    for name, field in schema.get("properties", {}).items():
        choices = [each for each in field.get("anyOf", ()) if each.get("type") != "null"]
        if name not in schema.get("required", ()) and len(choices) == 1:
            del field["anyOf"]
            field |= {**choices[0], **field}


def _open(schema: Schema) -> None:
    """Turn an enumeration into text with known values."""
    values = [schema.pop("const")] if "const" in schema else schema.pop("enum", None)
    if values is not None:
        schema[KNOWN_VALUES] = values
        schema["description"] = f"{schema.get('description', '')} {_OPEN}".lstrip()


def _tell_defaults(schema: Schema) -> None:
    """Move defaults into the descriptions: client generators take a field with a `default` as always present."""
    for field in schema.get("properties", {}).values():
        if (default := field.pop("default", None)) not in (None, "", [], {}):
            told = default if isinstance(default, str) else json.dumps(default)
            field["description"] = f"{field.get('description', '')} Default: `{told}`.".lstrip()


def _drop_titles(schema: Schema) -> None:
    """Drop the titles of fields, which only repeat their names."""
    for each in _walk(schema):
        for field in each.get("properties", {}).values():
            field.pop("title", None)
