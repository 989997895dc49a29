"""Requests as they travel, and their bounds: what is too long is refused before any of it is looked at."""

from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

from app.domain.api_types import Wire

MOST_FIELDS = 100
"""Of one object; none of ours has so many."""
MOST_CHARACTERS = 10_000
"""Of one text, more than any field of ours takes: the rest of a longer one is not looked at."""
_COUNTED = frozenset({"list", "tuple", "dict"})
"""What pydantic counts too, so that the document says how many."""


def _refuse_longer(value: Any, limit: int) -> Any:
    # Text in place of a list is another fault.
    if isinstance(value, list | tuple | dict) and len(value) > limit:
        length = {"field_type": "Value", "max_length": limit, "actual_length": len(value)}
        raise PydanticKnownError("too_long", length)
    return value


@dataclass(frozen=True)
class AtMost:
    """So many entries of a list, or fields of an object: with more, none is looked at."""

    limit: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: Any = handler(source)
        if schema["type"] in _COUNTED:
            schema = {**schema, "max_length": self.limit}
        return core_schema.no_info_before_validator_function(self._check, schema)

    def _check(self, value: Any) -> Any:
        return _refuse_longer(value, self.limit)


class Request(Wire):
    """A model that a client sends: of too many unknown fields, not each is told."""

    @model_validator(mode="before")
    @classmethod
    def _bound(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        _refuse_longer(data, MOST_FIELDS)
        return {name: each[:MOST_CHARACTERS] if isinstance(each, str) else each for name, each in data.items()}
