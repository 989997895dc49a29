"""Faults of a request in the request's own words: field path -> message."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

Faults = dict[str, str]
MOST_FAULTS = 200
"""More are not told of: nobody reads them, and telling costs time."""


def path(location: Iterable[str | int]) -> str:
    """`("interiorFiles", 2, "filePath")` as `interiorFiles[2].filePath`."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text or "body"


def shape_faults(error: ValidationError, model: type[BaseModel]) -> Faults:
    """Every fault pydantic found, put plainly."""
    found = error.errors(include_url=False)[:MOST_FAULTS]
    return {path(fault["loc"]): _message(fault, model) for fault in found}


def _message(fault: ErrorDetails, model: type[BaseModel]) -> str:
    plain = _PLAIN.get(fault["type"])
    if plain is not None:
        return plain(fault)
    if fault["type"] == "extra_forbidden":
        return unknown_field(str(fault["loc"][-1]), _names_at(model, fault["loc"]))
    text = fault["msg"].removeprefix("Value error, ")
    return f"{text[0].upper()}{text[1:]}."


def unknown_field(name: str, known: Iterable[str]) -> str:
    """Says that the field is unknown, and which one was probably meant."""
    return "Unknown field." + hint(name, known)


def hint(name: str, known: Iterable[str]) -> str:
    """` Did you mean x?` when one of the known names is close, else nothing."""
    lowered = {each.lower().replace("_", ""): each for each in known}
    close = difflib.get_close_matches(name.lower().replace("_", ""), lowered, n=1, cutoff=0.6)
    return f" Did you mean {lowered[close[0]]}?" if close else ""


def _enum(fault: ErrorDetails) -> str:
    expected = str(fault["ctx"]["expected"])
    names = [name.strip(" '") for name in expected.replace(" or ", ", ").split(",")]
    return f"Must be one of: {', '.join(names)}." + hint(str(fault["input"])[:50], names)


def _things(fault: ErrorDetails) -> str:
    return "characters" if isinstance(fault["input"], str) else "entries"


_PLAIN: Mapping[str, Callable[[ErrorDetails], str]] = {
    "missing": lambda _: "Required.",
    "enum": _enum,
    "literal_error": _enum,
    "string_type": lambda _: "Must be text.",
    "string_unicode": lambda _: "Must be valid Unicode text.",
    "int_type": lambda _: "Must be a whole number.",
    "list_type": lambda _: "Must be a list.",
    "dict_type": lambda _: "Must be an object.",
    "model_type": lambda _: "Must be an object.",
    "model_attributes_type": lambda _: "Must be an object.",
    "too_long": lambda fault: f"Must have at most {fault['ctx']['max_length']} {_things(fault)}.",
    "too_short": lambda fault: f"Must have at least {fault['ctx']['min_length']} {_things(fault)}.",
    "greater_than_equal": lambda fault: f"Must be at least {fault['ctx']['ge']}.",
    "less_than_equal": lambda fault: f"Must be at most {fault['ctx']['le']}.",
}


def _names_at(model: type[BaseModel], location: tuple[str | int, ...]) -> list[str]:
    """The field names known where the fault lies: those of the innermost model on the way there."""
    for part in location[:-1]:
        model = _model_of(model, part) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_of(model: type[BaseModel], part: str | int) -> type[BaseModel] | None:
    field = next((each for name, each in model.model_fields.items() if part in (name, each.alias)), None)
    return _find_model(field.annotation) if field else None


def _find_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_find_model(each) for each in getattr(annotation, "__args__", ()))
    return next((each for each in found if each), None)
