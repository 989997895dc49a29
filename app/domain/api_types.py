"""Base classes and types of the API: camelCase, no unknown fields, clean text, one format of times and credits."""

import re
import unicodedata
from datetime import UTC, datetime
from decimal import Decimal
from inspect import getdoc
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    StrictStr,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

NOT_MOMENT = "not_moment"
"""The pydantic error type for a value that is not a moment."""
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)")
CONTROL_CHARACTERS = "control_characters"
"""The pydantic error type for text with control characters."""


class WireModel(BaseModel):
    """The base class of models in requests. Unknown fields are refused, so that no misspelled one is ignored."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)


class WireAnswer(BaseModel):
    """The base class of answers. model_validate() creates one from any object with attributes of these names."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, from_attributes=True, frozen=True)

    def to_json(self) -> str:
        """The JSON that is sent, without fields that are None."""
        return self.model_dump_json(by_alias=True, exclude_none=True)


def _describe_stored(schema: dict[str, Any], model: type[BaseModel]) -> None:
    """Edit the JSON schema of a StoredAnswer. Only fields whose default is None are optional, because None is not
    sent.
    """
    schema.pop("additionalProperties", None)
    schema["description"] = getdoc(model)
    for field in schema["properties"].values():
        if field.get("default") is not None:
            del field["default"]
    if required := [name for name, field in schema["properties"].items() if "default" not in field]:
        schema["required"] = required


class StoredAnswer(WireAnswer):
    """An answer that is also stored. Its fields have Python names in the database, camelCase names in the API."""

    model_config = ConfigDict(json_schema_extra=_describe_stored)


def iso(moment: datetime) -> str:
    """The moment in ISO 8601, in UTC with milliseconds and a Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Moment = Annotated[datetime, PlainSerializer(iso), WithJsonSchema({"type": "string", "format": "date-time"})]
"""A moment in an answer of the API, as iso() formats it."""


def _read_moment(text: Any) -> datetime:
    # A plus sign that was not escaped in a URL arrives as a space.
    found = _MOMENT.fullmatch(str(text).replace(" ", "+"))
    try:
        if found is not None:
            return datetime.fromisoformat(found[0]).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise PydanticCustomError(NOT_MOMENT, "must be a date and a time with its offset")


Instant = Annotated[datetime, BeforeValidator(_read_moment)]
"""A moment in a request, in ISO 8601 with its offset from UTC."""


def number(credits_: Decimal) -> int | float:
    """Credits as a JSON number, an integer where they are whole. A float is exact enough for two decimals."""
    return int(credits_) if credits_ == credits_.to_integral_value() else float(credits_)


def _clean(text: str) -> str:
    """The text without spaces at its ends. Raises PydanticCustomError for NUL, other control characters,
    surrogates.
    """
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text if character not in "\t\r\n"):
        raise PydanticCustomError(CONTROL_CHARACTERS, "must not contain control characters")
    return text.strip()


Text = Annotated[StrictStr, AfterValidator(_clean)]
"""Text that people typed, stripped; text with control characters is refused."""
Line = Annotated[Text, AfterValidator(lambda text: " ".join(text.split()))]
"""Text that is put on one line, because it is used in ledger lines, events and mail."""
