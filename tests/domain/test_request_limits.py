"""What is too long is refused before any of it is looked at, and everything that a request lists has a most."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from pydantic import BeforeValidator, Field, StringConstraints, ValidationError

from app import api, domain
from app.domain.api_types import Text
from app.domain.request_limits import MAX_CHARACTERS, MAX_FIELDS, AtMost, Request

seen: list[Any] = []
Entry = Annotated[int, BeforeValidator(lambda value: seen.append(value) or value)]


class Listed(Request):
    """A list and an object of entries that tell when they are looked at."""

    many: Annotated[list[Entry], AtMost(3)] = Field(default_factory=list)
    named: Annotated[dict[str, Entry], AtMost(3)] = Field(default_factory=dict)


@pytest.mark.parametrize(
    ("given", "looked_at"),
    [
        ({"many": [1, 2, 3]}, 3),
        ({"many": [1] * 4}, 0),
        ({"named": {"a": 1, "b": 2, "c": 3}}, 3),
        ({"named": dict.fromkeys("abcd", 1)}, 0),
        ({"many": [1], **{f"x{number}": 1 for number in range(MAX_FIELDS)}}, 0),
    ],
)
def test_none_of_too_many_entries_is_looked_at(given: dict[str, Any], looked_at: int) -> None:
    seen.clear()
    try:
        Listed.model_validate(given)
    except ValidationError as error:
        assert [each["type"] for each in error.errors()] == ["too_long"]
        assert looked_at == 0
    assert len(seen) == looked_at


def unbounded(schema: Any) -> Iterator[Any]:
    """Every list, and every object with names of the customer's choice, that may be as long as they like."""
    if isinstance(schema, list):
        for each in schema:
            yield from unbounded(each)
    if isinstance(schema, dict):
        listed = schema.get("type") == "array" and "maxItems" not in schema
        named = isinstance(schema.get("additionalProperties"), dict) and "maxProperties" not in schema
        if listed or named:
            yield schema
        for each in schema.values():
            yield from unbounded(each)


def test_everything_that_a_request_lists_has_a_most() -> None:
    for package in (domain, api):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    requests = [each for each in Request.__subclasses__() if each.__module__.startswith("app.")]
    assert len(requests) > 10
    assert {each.__name__: found for each in requests if (found := list(unbounded(each.model_json_schema())))} == {}


def test_a_list_without_a_most_is_found() -> None:
    class Loose(Request):
        names: dict[str, list[int]]

    assert len(list(unbounded(Loose.model_json_schema()))) == 2


def test_of_a_long_text_only_so_much_is_looked_at_as_no_field_takes() -> None:
    class Said(Request):
        words: Annotated[Text, StringConstraints(max_length=5)]

    with pytest.raises(ValidationError) as refused:
        Said.model_validate({"words": "a" * 1_000_000})
    [fault] = refused.value.errors()
    assert fault["type"] == "too_long"
    assert len(fault["input"]) == MAX_CHARACTERS
