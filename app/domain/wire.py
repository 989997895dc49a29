"""What all models of the interface share: camelCase on the wire, exact fields, clean text."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StrictStr
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from app.domain.faults import FaultCode


class Wire(BaseModel):
    """A model as it travels: unknown fields are refused, so a misspelt one cannot be lost."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)


class Answer(BaseModel):
    """A model that the service sends; model_validate() reads one from the attributes of what it tells of."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, from_attributes=True, frozen=True)


def _clean(text: str) -> str:
    """Text without the characters no field of ours can mean: NUL, controls, lone surrogates."""
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text if character not in "\t\r\n"):
        raise PydanticCustomError(FaultCode.CONTROL_CHARACTERS, "must not contain control characters")
    return text.strip()


Text = Annotated[StrictStr, AfterValidator(_clean)]
Line = Annotated[Text, AfterValidator(lambda text: " ".join(text.split()))]
"""Text on one line: it stands in ledgers, events and mail."""
