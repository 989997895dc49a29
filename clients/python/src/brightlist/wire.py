"""Models of requests and answers: read from JSON however new the service is, and written as JSON."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from datetime import UTC, datetime
from enum import StrEnum
from types import UnionType
from typing import Any, Self, Union, get_args, get_origin, get_type_hints

from brightlist.errors import UnexpectedAnswer

WIRE_NAME = "wire_name"
"""The key of a field's metadata that has its JSON name where that does not follow from the Python name."""


@dataclass(frozen=True, kw_only=True)
class Model:
    """The base class. `raw`: the whole JSON object of an answer, also with fields that came later."""

    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> Self:
        """The model of a JSON object. Unknown fields and values stay as they are, and what an older service does
        not send yet is None or empty. Raises UnexpectedAnswer where nothing of what is required is there.
        """
        shape = _shape(cls)
        if not isinstance(content, Mapping) or (shape.required and not shape.count_found(content)):
            raise UnexpectedAnswer(f"The answer is no {cls.__name__}.")
        return cls._build(content)

    @classmethod
    def _build(cls, content: Mapping[str, Any]) -> Self:
        shape = _shape(cls)
        given = {name: read(shape.hints[name], content[key]) for name, key in shape.names.items() if key in content}
        absent = {name: _make_empty(shape.hints[name]) for name in shape.required if name not in given}
        return cls(raw=content, **given, **absent)

    def to_json(self) -> dict[str, Any]:
        """The JSON object, without the fields that are None."""
        values = {key: getattr(self, name) for name, key in _shape(type(self)).names.items()}
        return {key: write(value) for key, value in values.items() if value is not None}


def read(hint: Any, value: Any) -> Any:
    """The JSON value as its annotation has it; a value that does not fit stays as it is."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _read_one_of([each for each in arguments if each is not type(None)], value)
    if origin is list and isinstance(value, list):
        return [read(arguments[0], each) for each in value]
    if origin is dict and isinstance(value, Mapping):
        return {key: read(arguments[1], each) for key, each in value.items()}
    return _read_as(hint, value) if isinstance(hint, type) else value


def _read_as(kind: type, value: Any) -> Any:
    if issubclass(kind, Model) and isinstance(value, Mapping):
        return kind._build(value)
    if issubclass(kind, datetime | StrEnum) and isinstance(value, str):
        return _read_text(kind, value)
    return value


def write(value: Any) -> Any:
    """The value as JSON has it."""
    if isinstance(value, Model):
        return value.to_json()
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Mapping):
        return {key: write(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [write(each) for each in value]
    return value


def _read_one_of(hints: list[Any], value: Any) -> Any:
    if not isinstance(value, Mapping):
        return read(hints[0], value) if hints else value
    models = [each for each in hints if isinstance(each, type) and issubclass(each, Model)]
    if not models:
        return read(hints[0], value)
    likest = max(models, key=lambda each: _shape(each).count_found(value))
    # An object of a kind that came later is still read, if only as what it is.
    return (likest if _shape(likest).count_found(value) else Model)._build(value)


def _make_empty(hint: Any) -> Any:
    return get_origin(hint)() if get_origin(hint) in (list, dict) else None


def _read_text(hint: Any, value: str) -> Any:
    try:
        return datetime.fromisoformat(value) if issubclass(hint, datetime) else hint(value)
    except ValueError:
        return value


@dataclass(frozen=True)
class _Shape:
    """The fields of a model: their annotations and JSON names, by Python name, and which are required."""

    hints: Mapping[str, Any]
    names: Mapping[str, str]
    required: Sequence[str]

    def count_found(self, content: Mapping[str, Any]) -> int:
        """How much of what is required is there."""
        return sum(self.names[name] in content for name in self.required)


_shapes: dict[type[Model], _Shape] = {}


def _shape(model: type[Model]) -> _Shape:
    if model not in _shapes:
        own = [each for each in fields(model) if each.name != "raw"]
        _shapes[model] = _Shape(
            get_type_hints(model),
            {each.name: each.metadata.get(WIRE_NAME) or to_camel(each.name) for each in own},
            [each.name for each in own if each.default is MISSING],
        )
    return _shapes[model]


def to_camel(name: str) -> str:
    """The JSON name that follows from a Python name."""
    return re.sub(r"_(\w)", lambda letter: letter[1].upper(), name.rstrip("_"))
