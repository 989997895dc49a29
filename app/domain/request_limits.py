"""The base class of requests, and limits on their length. A request that is too long is refused before its content
is validated.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

from app.domain.api_types import WireModel

MAX_FIELDS = 100
"""The most fields of one object; no model has that many."""
MAX_CHARACTERS = 10_000
"""Longer text is cut before it is validated. All fields have lower limits, so the cut text is still refused as too
long.
"""
_SIZED_TYPES = frozenset({"list", "tuple", "dict"})
"""Schema types that have a maximum in pydantic too. This maximum is set too, so that the OpenAPI document shows
it.
"""


def _refuse_longer(value: Any, limit: int) -> Any:
    # Text in place of a list is left alone: pydantic reports it as another fault.
    if isinstance(value, list | tuple | dict) and len(value) > limit:
        length = {"field_type": "Value", "max_length": limit, "actual_length": len(value)}
        raise PydanticKnownError("too_long", length)
    return value


@dataclass(frozen=True)
class AtMost:
    """An annotation: the most entries of a list, or fields of an object. With more, none of them is validated."""

    limit: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: Any = handler(source)
        if schema["type"] in _SIZED_TYPES:
            schema = {**schema, "max_length": self.limit}
        return core_schema.no_info_before_validator_function(self._check, schema)

    def _check(self, value: Any) -> Any:
        return _refuse_longer(value, self.limit)


class Request(WireModel):
    """The base class of requests. A request with more than MAX_FIELDS fields is refused without naming each unknown
    field.
    """

    @model_validator(mode="before")
    @classmethod
    def _limit_length(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        _refuse_longer(data, MAX_FIELDS)
        return {name: each[:MAX_CHARACTERS] if isinstance(each, str) else each for name, each in data.items()}
