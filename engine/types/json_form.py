"""Reads the engine's inputs from JSON values, which another process of another release may have written."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

Model = TypeVar("Model")


class UnknownPartError(ValueError):
    """The JSON values have a part that this release of the engine does not know."""


def read_json(kind: type[Model], value: object) -> Model:
    """Read a dataclass of the engine from JSON values, in which fields with their default may be missing.

    Unknown parts are refused, not skipped, because they could be important.

    Parameters
    ----------
    kind : type
        The dataclass.
    value : object
        JSON values, as `json.loads` gives them.

    Returns
    -------
    Model
        An instance of the dataclass.

    Raises
    ------
    UnknownPartError
        For a field or a value that the dataclass does not have.
    """
    read: Model = _read(kind, value)
    return read


def _read(kind: Any, value: object) -> Any:
    parts = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return _read_one_of(parts, value)
    if is_dataclass(kind):
        return _read_fields(kind, value)
    if get_origin(kind) is tuple and isinstance(value, list):
        return _read_tuple(parts, value)
    if get_origin(kind) is Mapping and isinstance(value, dict):
        return {_read(parts[0], name): _read(parts[1], each) for name, each in value.items()}
    return _read_plain(kind, value)


def _read_plain(kind: Any, value: object) -> Any:
    if isinstance(kind, type) and issubclass(kind, Enum) and value in {each.value for each in kind}:
        return kind(value)
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if kind in (str, int, bool, NoneType) and type(value) is kind:
        return value
    raise UnknownPartError(f"{str(value)[:50]!r} is no {_name(kind)}")


def _read_one_of(kinds: tuple[Any, ...], value: object) -> Any:
    for kind in kinds:
        if _is_shape_of(kind, value):
            return _read(kind, value)
    raise UnknownPartError(f"{str(value)[:50]!r} is none of {', '.join(map(_name, kinds))}")


def _is_shape_of(kind: Any, value: object) -> bool:
    """Whether JSON values of this type can be of the kind; the kinds of one union have different types."""
    if value is None or kind is NoneType:
        return value is None and kind is NoneType
    if is_dataclass(kind):
        return isinstance(value, dict)
    return isinstance(value, list) == (get_origin(kind) is tuple)


def _read_fields(kind: Any, value: object) -> Any:
    if not isinstance(value, dict):
        raise UnknownPartError(f"{str(value)[:50]!r} is no {_name(kind)}")
    known = _list_fields(kind)
    for name in value:
        if name not in known:
            raise UnknownPartError(f"{_name(kind)} has no {str(name)[:50]!r}")
    return kind(**{name: _read(known[name], each) for name, each in value.items()})


@cache
def _list_fields(kind: Any) -> Mapping[str, Any]:
    kinds = get_type_hints(kind)
    return {each.name: kinds[each.name] for each in fields(kind)}


def _read_tuple(kinds: tuple[Any, ...], value: list[Any]) -> tuple[Any, ...]:
    if kinds[-1] is Ellipsis:
        return tuple(_read(kinds[0], each) for each in value)
    if len(kinds) != len(value):
        raise UnknownPartError(f"there are {len(value)} values instead of {len(kinds)}")
    return tuple(_read(kind, each) for kind, each in zip(kinds, value, strict=True))


def _name(kind: Any) -> str:
    return str(getattr(kind, "__name__", kind))
