"""Text that people typed: as they meant it, without what no reader can see."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, StrictStr
from pydantic_core import PydanticCustomError

CONTROL_CHARACTERS = "control_characters"
"""The kind of the fault of text that has some."""


def _clean(text: str) -> str:
    """Text without the characters no field of ours can mean: NUL, controls, lone surrogates."""
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text if character not in "\t\r\n"):
        raise PydanticCustomError(CONTROL_CHARACTERS, "must not contain control characters")
    return text.strip()


Text = Annotated[StrictStr, AfterValidator(_clean)]
