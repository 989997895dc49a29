"""How the interface writes things: camelCase, exact fields, clean text, moments and credits in one form."""

import unicodedata
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainSerializer, StrictStr, WithJsonSchema
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from app.domain.faults import FaultCode


class Wire(BaseModel):
    """A model as it travels: unknown fields are refused, so a misspelt one cannot be lost."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)


class WireAnswer(BaseModel):
    """A model that the service sends; model_validate() reads one from the attributes of what it tells of."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, from_attributes=True, frozen=True)

    def to_json(self) -> str:
        """As it is sent, absent fields left out."""
        return self.model_dump_json(by_alias=True, exclude_none=True)


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
        raise PydanticCustomError(FaultCode.CONTROL_CHARACTERS, "must not contain control characters")
    return text.strip()


Text = Annotated[StrictStr, AfterValidator(_clean)]
Line = Annotated[Text, AfterValidator(lambda text: " ".join(text.split()))]
"""Text on one line: it stands in ledgers, events and mail."""
