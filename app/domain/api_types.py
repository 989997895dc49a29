"""How the interface writes things: camelCase, exact fields, clean text, moments and credits in one form."""

import unicodedata
from datetime import UTC, datetime
from decimal import Decimal
from inspect import getdoc
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainSerializer, StrictStr, WithJsonSchema
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

CONTROL_CHARACTERS = "control_characters"
"""The kind of the fault of text that has some."""


class Wire(BaseModel):
    """A model as it travels: unknown fields are refused, so a misspelt one cannot be lost."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)


class WireAnswer(BaseModel):
    """A model that the service sends; model_validate() reads one from the attributes of what it tells of."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, from_attributes=True, frozen=True)

    def to_json(self) -> str:
        """As it is sent, absent fields left out."""
        return self.model_dump_json(by_alias=True, exclude_none=True)


def _promise_all(schema: dict[str, Any], model: type[BaseModel]) -> None:
    schema.pop("additionalProperties", None)
    schema["description"] = getdoc(model)
    for field in schema["properties"].values():
        if field.get("default") is not None:
            del field["default"]
    if required := [name for name, field in schema["properties"].items() if "default" not in field]:
        schema["required"] = required


class Kept(WireAnswer):
    """A model that is kept by its own names and sent as it is: with every field that is not None."""

    model_config = ConfigDict(json_schema_extra=_promise_all)


def iso(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds and a Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Moment = Annotated[datetime, PlainSerializer(iso), WithJsonSchema({"type": "string", "format": "date-time"})]
"""A moment as answers tell it."""


def number(credits_: Decimal) -> int | float:
    """Credits as a JSON number: whole ones without a fraction. Two decimals survive a float unharmed."""
    return int(credits_) if credits_ == credits_.to_integral_value() else float(credits_)


def _clean(text: str) -> str:
    """Text without the characters no field of ours can mean: NUL, controls, lone surrogates."""
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text if character not in "\t\r\n"):
        raise PydanticCustomError(CONTROL_CHARACTERS, "must not contain control characters")
    return text.strip()


Text = Annotated[StrictStr, AfterValidator(_clean)]
"""Text that people typed: as they meant it, without what no reader can see."""
Line = Annotated[Text, AfterValidator(lambda text: " ".join(text.split()))]
"""Text on one line: it stands in ledgers, events and mail."""
