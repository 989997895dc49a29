"""Makes the examples in the API's documentation from the examples of single fields; tests send all of them."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

Schema = Mapping[str, Any]
_DEFAULT_EXAMPLES = {"boolean": True, "date-time": "2026-11-20T14:03:27.512Z"}


def example_of(model: type[BaseModel]) -> Any:
    """An example of the model as JSON, of its required fields and of other fields that have an example.

    Raises LookupError for a required field without an example, unless its type has an obvious value, as numbers
    have.
    """
    schema = model.model_json_schema()
    return _make(schema, schema.get("$defs", {}))


def _make(schema: Schema, definitions: Mapping[str, Schema]) -> Any:
    match schema:
        case {"examples": [first, *_]} | {"enum": [first, *_]}:
            return first
        case {"$ref": name}:
            return _make(definitions[name.rpartition("/")[2]], definitions)
        case {"anyOf": [first, *_]}:
            return _make(first, definitions)
        case {"properties": fields}:
            names = (name for name in fields if name in schema.get("required", ()) or _has_example(fields[name]))
            return {name: _make(fields[name], definitions) for name in names}
        case {"items": each}:
            return [_make(each, definitions)]
        case {"format": kind} | {"type": kind} if kind in _DEFAULT_EXAMPLES:
            return _DEFAULT_EXAMPLES[kind]
    raise LookupError(schema)


def _has_example(schema: Schema) -> bool:
    return any("examples" in each for each in (schema, *schema.get("anyOf", ())))
